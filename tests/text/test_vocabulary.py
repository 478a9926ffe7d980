"""Terms are numbered as they are met and put in order in the end."""

from minisearch.text.vocabulary import Vocabulary


def test_a_term_keeps_its_number_and_the_order_is_that_of_the_alphabet():
    known = Vocabulary()
    assert known.numbers(["pear", "apple", "pear"]).tolist() == [0, 1, 0]
    assert known.numbers(["fig", "apple"]).tolist() == [2, 1]
    assert len(known) == 3
    told, places = known.in_order()
    assert (told, places.tolist()) == (["apple", "fig", "pear"], [2, 0, 1])


def test_a_vocabulary_may_be_empty():
    known = Vocabulary()
    assert known.numbers([]).tolist() == []
    told, places = known.in_order()
    assert (told, places.tolist(), len(known)) == ([], [], 0)
