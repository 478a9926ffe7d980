import unicodedata

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from minisearch.analysis.normalize import FOLDABLE, SERBIAN_CYRILLIC, UNSPACED, fold, latin
from minisearch.analysis.tokenizer import LETTER


@pytest.mark.parametrize(
    ("word", "folded"),
    [
        ("Crawler", "crawler"),
        ("STRASSE", "strasse"),
        ("Straße", "strasse"),
        ("naïve", "naive"),
        ("Ångström", "angstrom"),
        ("Łódź", "lodz"),
        ("smørrebrød", "smorrebrod"),
        ("ǿ", "o"),
        ("Æsir", "aesir"),
        ("ǽ", "ae"),
        ("œuvre", "oeuvre"),
        ("İstanbul", "istanbul"),
        ("ısı", "isi"),
        ("Đorđe", "djordje"),
        ("Þór", "thor"),
        ("ﬁle", "file"),
        ("ＡＢＣ１", "abc1"),
        ("x²", "x2"),
        ("don’t", "don't"),
        ("Ελλάδα", "ελλαδα"),
        ("ΟΔΥΣΣΕΥΣ", "οδυσσευσ"),
        ("Ёлка", "елка"),
        ("йод", "йод"),  # a letter of its own, not an accented и
        ("за́мок", "замок"),
        ("한국어", "한국어"),
        ("が", "が"),
        ("exam\u00adple", "example"),
        ("wo\u200br\u200cd\u200d", "word"),
        ("\ufeffx\ufe0f", "x"),
        ("e\u00ad\u0301", "e"),
        ("e\u2011mail", "e-mail"),
        ("שָׁלוֹם", "שלום"),
        ("كِتَابٌ", "كتاب"),
        ("عربـــي", "عربي"),
        ("آب", "آب"),
        ("क़लम", "कलम"),
        ("👍🏽", "👍"),
    ],
)
def test_case_accents_and_forms_are_folded(word, folded):
    assert fold(word) == folded
    assert fold(unicodedata.normalize("NFD", word)) == folded


@settings(deadline=None)
@given(st.text())
@example("ǿ")
@example("x\u030c")
@example("ا\u0301\u0653")
def test_folding_twice_changes_nothing(word):
    assert fold(fold(word)) == fold(word)


@settings(deadline=None)
@given(st.text(alphabet="aé\u0301\u0323oßийё\u0308\u0306が\u3099ệΐ"))
def test_accents_typed_apart_are_folded_like_those_typed_together(word):
    assert fold(unicodedata.normalize("NFD", word)) == fold(unicodedata.normalize("NFC", word))


@pytest.mark.parametrize(
    ("cyrillic", "in_latin"),
    [
        ("ђак", "đak"),
        ("Ђорђе", "Djordje"),
        ("љубав", "ljubav"),
        ("Његош", "Njegoš"),
        ("џеп", "džep"),
        ("џеп", "ǆep"),  # one sign for the two letters
        ("ћуприја", "ćuprija"),
        ("чаша", "čaša"),
        ("ЖИВОТ", "život"),
        ("фијук цвећа", "fijuk cveća"),
    ],
)
def test_serbian_has_one_form_in_both_alphabets(cyrillic, in_latin):
    assert latin(fold(cyrillic)) == latin(fold(in_latin))
    assert latin(fold(cyrillic)).isascii()


def test_all_thirty_letters_of_the_azbuka_are_known():
    assert "".join(SERBIAN_CYRILLIC) == "абвгдђежзијклљмнњопрстћуфхцчџш"


@pytest.mark.parametrize(
    ("text", "runs"),
    [
        ("全文検索とtext", ["全文検索と"]),
        ("カタカナ ひらがな", ["カタカナ", "ひらがな"]),
        ("ภาษาไทย", ["ภาษาไทย"]),
        ("한국어 latin кирилица", []),
        ("𠮷野家", ["𠮷野家"]),
        ("人々と", ["人々と"]),
    ],
)
def test_scripts_without_spaces_are_told_from_those_with(text, runs):
    assert UNSPACED.findall(text) == runs


def test_letters_that_folding_changes_in_more_than_their_case_are_known():
    others = (chr(code) for code in range(128, 0x110000) if not 0xD800 <= code < 0xE000)
    for letter in others:
        if LETTER.match(letter) and not FOLDABLE.match(letter):
            assert fold(letter) == letter.lower(), hex(ord(letter))
            assert fold("a" + letter) == "a" + letter.lower(), hex(ord(letter))


def test_letters_that_are_quickly_folded_are_so_for_a_reason():
    every = "".join(map(chr, range(0x4E00, 0xA000)))
    plain = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", every).casefold())
    assert fold(every) == every == plain
    assert fold(f"É{every}") == f"e{every}"
