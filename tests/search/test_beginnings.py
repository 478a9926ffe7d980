import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from minisearch.search.beginnings import CHANGING, pattern
from minisearch.text.terms import SNOWBALL, analyzer

LATIN = "aeiounstrlmdkpgbvhfcjzwyxáéíóúäöüčšžěøåæçñãõâêîôûëïàèìòùłżźśđ"
ALPHABETS = {
    "ru": "абвгдежзийклмнопрстуфхцчшщъыьэюя",
    "sr": "абвгдђежзијклљмнњопрстћуфхцчџш" + "abcčćdđefghijklmnoprsštuvzž",
    "el": "αβγδεζηθικλμνξοπρστυφχψωςάέήίόύώ",
    "hy": "աբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցփքօֆ",
    "hi": "अआइईउऊएऐओऔकखगघचछजझटठडढतथदधनपफबभमयरलवशषसह",
    "ne": "अआइईउऊएऐओऔकखगघचछजझटठडढतथदधनपफबभमयरलवशषसह",
    "fa": "ابپتثجچحخدذرزژسشصضطظعغفقکگلمنوهی",
}
TAGS = sorted({*SNOWBALL, "uk", "vi", "he", "tlh"} - CHANGING)
spelled = st.sampled_from(TAGS).flatmap(
    lambda tag: st.tuples(st.just(tag), st.text(ALPHABETS.get(tag, LATIN), min_size=1, max_size=12))
)


@given(spelled, st.sampled_from([str, str.upper, str.title]), st.sampled_from(["other", "zzz", "öl"]))
@example(("de", "ueber"), str, "other")
@example(("de", "Öfen"), str, "other")
@example(("sr", "ђак"), str.title, "other")
@example(("sr", "djak"), str, "other")
@example(("pl", "æsir"), str, "other")
@example(("en", "cafe\u0301"), str, "other")
@example(("he", "שָׁלוֹם"), str, "other")
def test_words_begin_as_their_terms_tell(word, cased, other):
    language, letters = word[0], cased(word[1])
    term = analyzer(language).term(letters)
    assume(term)
    assert pattern([other, term], language).match(letters)


def test_most_other_words_do_not():
    found = pattern(["ruza", "hedg"], "en")
    assert [word for word in ["rural", "Ruža", "hedges", "hello", "then", "ROUND"] if found.match(word)] == [
        "rural", "Ruža", "hedges", "hello",
    ]  # fmt: skip


def test_without_terms_there_is_no_pattern():
    assert pattern([], "en") is None


@pytest.mark.parametrize("language", sorted(CHANGING))
def test_the_languages_left_out_have_stemmers(language):
    assert language in SNOWBALL
