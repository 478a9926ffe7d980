"""What is plainly English is told at a glance, as the model would tell it; all else is left to the model."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minisearch.parse import language
from minisearch.parse.english import GAP, is_plainly_english

TOLD = "told from its text"
PROSE = [
    "The garden is at its best in spring, when the roses of the year are still to come and each day is longer than the "
    "one before. This is where they sit in the evening, with a book or with some friends, and talk about the weather.",
    "A function returns the value of its last expression. If there is none, it returns nothing, which is not the same "
    "as zero. Those who call it can test this, but they should not have to: the type of the result tells it.",
    "When the reader and the writer of a queue are in the same process, a lock must be held. It is taken from the pool "
    "that was given to the queue, and is given back when the queue can be closed or has been empty for a while.",
    "There were two of them, and their names have not been told to us. What is known is that she came from the coast "
    "and that he had been at sea; how they met, and where, may be read in the second part of this account.",
]
OTHERS = {
    "scots": "The Scots leid is a Wast Germanic leid spoken in the Lawlands an in pairts o Ulster. It is that near tae "
    "Inglis that the twa are whiles taen for the same, but fowk that hae it fae their mithers ken better, and monie o "
    "them write it yet.",
    "pidgin": "Di garden dey fine pass for spring time, wen di rose neva open and day dey long small small. Na dat "
    "time evribodi dey like to sidon for outside, with book or with dia padi, till night don come.",
    "dutch": "De tuin is op zijn mooist in de lente, als de rozen nog niet open zijn of pas in knop staan, en de dagen "
    "langer worden. Wie is er dan niet graag buiten, met een boek of met een kop koffie, in het gras of op een bank?",
    "afrikaans": "Die tuin is op sy mooiste in die lente, wanneer die rose nog nie oop is nie en die dae langer word. "
    "Dit is hoekom almal dan buite sit, met 'n boek of met 'n koppie koffie, tot dit donker word.",
    "german": "Der Garten ist im Sommer am besten, wenn die Rosen in der Sonne stehen und die Tage warm sind. Dann ist "
    "man so gern im Gras, mit einem Buch in der Hand, und denkt an nichts als an den Abend.",
    "danish": "Haven er bedst om sommeren, hvor roserne er sprunget ud, og dagene er lange. Det er der, man helst er, "
    "med en bog i den ene hånd og et glas i den anden, til det bliver for koldt at sidde der.",
    "program": """def find(items, wanted, *, default=None):
        for item in items:
            if item.name == wanted and not item.hidden:
                return item
        return default
        with open(path) as file:
            print(find(json.load(file), sys.argv[1]).value or 'none of them')""",
    "names": "Ada Lovelace, Grace Hopper, Barbara Liskov and Frances Allen; Margaret Hamilton, Radia Perlman, Shafi "
    "Goldwasser, Adele Goldberg, Jean Sammet and the Duke of Wellington; Edsger Dijkstra, Niklaus Wirth, Tony Hoare, "
    "Donald Knuth, Alan Kay, John Backus, Robin Milner, Dana Scott.",
    "a title": "The Decline and Fall of the Roman Empire: Edition with Notes, in Twelve Volumes Octavo",
    "small words alone": "the of the of the of the of the of the of the of the of the of the of the of the of the of",
}


@pytest.mark.parametrize("text", PROSE, ids=range(len(PROSE)))
def test_english_prose_is_told_without_the_model_and_as_the_model_tells_it(text, monkeypatch):
    assert is_plainly_english(text)
    monkeypatch.setattr(language, "is_plainly_english", lambda text: False)
    by_the_model = language.detect("", text)
    monkeypatch.undo()
    monkeypatch.setattr(language, "_identifier", lambda: pytest.fail("the model was read"))
    assert language.detect("", text) == by_the_model == ("en", TOLD)


@pytest.mark.parametrize("text", OTHERS.values(), ids=OTHERS)
def test_near_languages_programs_and_names_are_left_to_the_model(text):
    assert not is_plainly_english(text)


@given(st.sampled_from(PROSE), st.sampled_from(["dutch", "afrikaans", "german", "danish", "names"]), st.data())
def test_a_text_that_is_english_but_for_a_while_is_left_to_the_model(prose, other, data):
    words = prose.split()
    place = data.draw(st.integers(0, len(words)))
    assert not is_plainly_english(" ".join([*words[:place], OTHERS[other], *words[place:]]))


@pytest.mark.parametrize(("count", "expected"), [(GAP - 3, True), (GAP + 1, False)])
def test_words_that_nobody_knows_may_follow_one_another_for_a_while(count, expected):
    assert is_plainly_english(PROSE[0].replace("with a book", "with " + "abacus " * count + "and")) == expected


def test_a_few_accents_are_nothing_and_many_are_another_language():
    assert is_plainly_english(PROSE[0] + " It is “naïve” — the opposite of clever.")
    assert not is_plainly_english(PROSE[0].replace("e", "é").replace("thé", "the"))


@settings(deadline=None, max_examples=300)
@given(st.lists(st.sampled_from([word for text in (*PROSE, *OTHERS.values()) for word in text.split()]), max_size=80))
def test_what_is_told_at_a_glance_is_english_to_the_model_as_well(words):
    text = " ".join(words)
    if len(text) >= language.ENOUGH and is_plainly_english(text):
        assert next(iter(dict(language._identifier().rank(text)))) in ("en", "pcm")


@given(st.text())
def test_any_text_has_an_answer(text):
    assert is_plainly_english(text) in (True, False)
