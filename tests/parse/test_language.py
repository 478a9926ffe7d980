"""The language of a page is what it declares, else what its server declares, else what is detected in its text."""

import subprocess
import sys

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from minisearch.analysis.languages import tag
from minisearch.models import Page
from minisearch.parse import language as module
from minisearch.parse.language import SAMPLE, declared_language, detect, page_language, sample

DETECTED = "detected from the text"
TEXTS = {
    "en": "The garden is at its best in spring, when the roses have not yet opened and the days grow longer.",
    "de": "Der Garten ist im Frühling am schönsten, wenn die Rosen noch nicht blühen und die Tage länger werden.",
    "fr": "Le jardin est le plus beau au printemps, quand les roses ne sont pas ouvertes et que les jours s'allongent.",
    "es": "El jardín está más bonito en primavera, cuando las rosas todavía no se han abierto y los días se alargan.",
    "it": "Il giardino è più bello in primavera, quando le rose non sono ancora sbocciate e le giornate si allungano.",
    "pl": "Ogród jest najpiękniejszy wiosną, kiedy róże jeszcze nie kwitną, a dni stają się coraz dłuższe.",
    "ru": "Сад красивее всего весной, когда розы ещё не распустились, а дни становятся всё длиннее.",
    "sr": "Башта је најлепша у пролеће, када руже још нису процветале, а дани постају све дужи и топлији.",
    "el": "Ο κήπος είναι πιο όμορφος την άνοιξη, όταν τα τριαντάφυλλα δεν έχουν ανοίξει ακόμα.",
    "tr": "Bahçe en çok ilkbaharda güzeldir, güller henüz açmamışken ve günler uzarken herkes dışarı çıkar.",
    "ar": "تكون الحديقة في أجمل حالاتها في الربيع، عندما لا تكون الورود قد تفتحت بعد.",
    "he": "הגן יפה ביותר באביב, כאשר הוורדים עדיין לא נפתחו והימים מתארכים.",
    "hi": "बगीचा वसंत में सबसे सुंदर होता है, जब गुलाब अभी तक नहीं खिले होते हैं।",
    "ja": "庭は春が一番美しい。バラはまだ咲いておらず、日が長くなっていくころです。",
    "zh": "春天的花园最美丽，那时玫瑰还没有开放，白天也越来越长了。",
    "ko": "정원은 장미가 아직 피지 않고 낮이 길어지는 봄에 가장 아름답습니다.",
    "th": "สวนสวยที่สุดในฤดูใบไม้ผลิ เมื่อกุหลาบยังไม่บานและกลางวันยาวขึ้น",
}
SERBIAN_IN_LATIN = (
    "Bašta je najlepša u proleće, kada ruže još nisu procvetale, a dani postaju sve duži i topliji. "
    "Zato se u selu svi okupljaju uveče, pričaju i čekaju da padne mrak."
)


@pytest.mark.parametrize("spoken", TEXTS)
def test_a_sentence_tells_its_language(spoken):
    assert detect("", TEXTS[spoken]) == (spoken, DETECTED)


def test_near_languages_go_by_the_tag_that_covers_them_if_they_cannot_be_told_apart():
    found, evidence = detect("", SERBIAN_IN_LATIN)
    assert found in ("sr", "hr", "bs", "sh")
    assert evidence == DETECTED


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Roses",
        "Rosen und Tulpen",
        "x = 1\n" * 500,
        " ".join(map(str, range(500))),
        "asdf jkl qwer zxcv uiop hjkl bnm fghj asdf jkl qwer zxcv uiop hjkl bnm fghj",
        "SELECT id, name FROM users WHERE id = 1 ORDER BY name; INSERT INTO x VALUES (1, 2, 3)",
        "\ud800 " * 50,
        "\0" * 500,
    ],
    ids=ascii,
)
def test_what_tells_too_little_has_no_language(text):
    assert detect("", text) == ("", "")


def test_the_menu_of_a_page_does_not_count():
    menu = "\n".join(["Home", "About", "Contact", "Search", "Login", "Shop", "Cart", "Help", "News", "Blog"]) + "\n"
    assert detect("Welcome", menu * 5 + TEXTS["de"] + "\n" + menu * 5) == ("de", DETECTED)


def test_a_long_text_is_not_read_to_its_end():
    assert len(sample("", "word " * 1_000_000)) <= SAMPLE
    assert len(sample("title " * 1_000_000, "a\n" * 1_000_000)) <= SAMPLE


@settings(deadline=None, max_examples=50)
@given(st.text(), st.text(min_size=40))
@example("", "\ud800" * 100)
def test_any_text_has_a_known_language_or_none(title, text):
    found, evidence = detect(title, text)
    assert tag(found) == found
    assert evidence == (DETECTED if found else "")


@pytest.mark.parametrize(
    ("stated", "found"),
    [("de", "de"), ("DE_at, en", "de-at"), (" en ", "en"), ("English", "en"), ("xx", ""), ("", ""), (", en", "")],
)
def test_what_is_declared_is_a_tag_or_nothing(stated, found):
    assert declared_language(stated) == found


def test_what_the_page_declares_counts_before_what_the_server_does_and_that_before_the_text():
    page = Page("", language="sr", language_evidence="html lang", text=TEXTS["de"])
    assert page_language(page, "fr") == ("sr", "html lang")
    assert page_language(Page("", text=TEXTS["de"]), "fr, en") == ("fr", "http header")
    assert page_language(Page("", text=TEXTS["de"]), "") == ("de", DETECTED)
    assert page_language(Page("", text=TEXTS["de"]), "xx") == ("de", DETECTED)
    assert page_language(Page("", text="Rosen"), "") == ("", "")


def test_a_model_that_cannot_be_unpacked_is_no_reason_to_lose_a_page(monkeypatch):
    def full():
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(module, "_identifier", full)
    assert detect("", TEXTS["de"]) == ("", "could not be detected: No space left on device")


def test_a_page_that_declares_its_language_costs_nothing():
    script = """
import sys
from minisearch.parse.html import extract
from minisearch.fetch.fetcher import Response
from minisearch.parse.reader import read
def page(markup, **headers):
    return read(Response("http://x/", 200, headers, markup.encode()), extract)
text = "<p>" + "The garden is at its best in spring. " * 9
assert page("<html lang=en>" + text).language == "en"
assert page(text, **{"content-language": "en"}).language == "en"
assert page("<p>Short").language == ""
assert "py3langid" not in sys.modules
assert page(text).language == "en"
assert "py3langid" in sys.modules
"""
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)
