import pytest
from hypothesis import strategies as st

from minisearch.search.runs import ENOUGH, FIRST, LONGEST, MOST_MATCHES, chosen
from minisearch.search.snippet import WIDTH
from minisearch.search.sought import Sought

FAR = "and so it goes on and on, as things of this kind do. " * 8
SENTENCE = "There is a {} in this sentence, which makes sense by itself.\n"


def seek(**weights):
    return Sought([([word], float(weight)) for word, weight in weights.items()], "en")


def words_of(text, sought, rest=None):
    """The words of the runs that are chosen, run by run."""
    text, runs = chosen(text, sought, WIDTH, rest)
    return [[text[start:end] for start, end, _ in run.matches] for run in runs]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        ("nothing of the kind", []),
        ("a cat", [["cat"]]),
        (f"a cat, a dog {FAR}", [["cat", "dog"]]),
        (f"a cat {FAR} a dog {FAR}", [["cat"], ["dog"]]),
        (f"a cat {FAR} a dog and a cat {FAR}", [["dog", "cat"]]),
        (f"a cat {FAR} a cat and a cat {FAR}", [["cat", "cat"]]),
        (f"a dog and a cat {FAR} a cat dog {FAR}", [["cat", "dog"]]),
    ],
)
def test_the_run_that_is_worth_most_comes_first(text, found):
    assert words_of(text, seek(cat=1, dog=1)) == found


def test_weights_decide_what_is_worth_most():
    text = f"a cat dog {FAR} a cow {FAR}"
    assert words_of(text, seek(cat=1, dog=1, cow=3)) == [["cow"]]
    assert words_of(text, seek(cat=2, dog=2, cow=3)) == [["cat", "dog"], ["cow"]]


def test_menus_are_worth_less_than_text():
    menu = "cat\ndog\n" + FAR + "\n"
    assert words_of(menu + SENTENCE.format("cat and a dog"), seek(cat=1, dog=1)) == [["cat", "dog"]]
    _, runs = chosen(menu + SENTENCE.format("cat and a dog"), seek(cat=1, dog=1), WIDTH, None)
    assert runs[0].matches[0][0] > len(menu)
    assert runs[0].reads


def test_a_table_of_contents_is_worth_less_than_text_even_if_it_runs_into_a_long_line():
    contents = "cat and dog\ncat\ndog\nAll of what is to be said of a dog and of nothing else\n" + FAR + "\n"
    _, runs = chosen(contents + SENTENCE.format("cat and a dog"), seek(cat=1, dog=1), WIDTH, None)
    assert runs[0].matches[0][0] > len(contents)


def test_no_more_is_looked_through_once_a_run_will_do():
    looked = []

    class Looking(Sought):
        def find(self, text, low, high):
            looked.append(high - low)
            return super().find(text, low, high)

    sought = Looking([(["cat"], 1.0), (["dog"], 1.0)], "en")
    early, late = SENTENCE.format("cat and a dog"), "filler " * 60_000
    chosen(early + late, sought, WIDTH, None)
    assert len(looked) == 1
    assert looked[0] <= FIRST
    looked.clear()
    chosen(SENTENCE.format("cat") + late, sought, WIDTH, None)  # half of what was asked for
    assert len(looked) == 1 + next(number for number, share in enumerate(ENOUGH) if share <= 0.5)
    looked.clear()
    chosen("cat\n" + late, sought, WIDTH, None)  # a scrap, but there is nothing else
    assert len(looked) == len(ENOUGH) + 1
    looked.clear()
    chosen(late, sought, WIDTH, None)
    assert sum(looked) == len(late)
    assert max(looked) <= LONGEST


def test_a_page_full_of_matches_is_not_looked_through_to_its_end():
    _, runs = chosen("cat\n" * 100_000, Sought([(["cat"], 1.0), (["dog"], 99.0)], "en"), WIDTH, None)
    assert runs == []  # a cat tells next to nothing beside a dog
    _, runs = chosen("cat\n" * 100_000, seek(cat=1), WIDTH, None)
    assert len(runs) == 1
    assert len(runs[0].matches) < MOST_MATCHES


@st.composite
def matched(draw):
    """Matches in the order of a text: (start, end, words)."""
    found, at = [], draw(st.integers(0, 5))
    for gap, size, words in draw(st.lists(st.tuples(st.integers(0, 40), st.integers(1, 9), st.integers(1, 15)))):
        found.append((at + gap, at + gap + size, words))
        at += gap + draw(st.integers(0, size))
    return sorted(found)
