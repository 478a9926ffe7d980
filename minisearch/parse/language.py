"""Language: which one a page is in, and on what evidence.

What the page declares counts first, then what the server declares, as in the HTML standard. Where neither names a
language there is, it is told from the text: at a glance if it is plainly English (minisearch/parse/english.py), else
by py3langid, but only if that is fairly sure. So a page that declares its language costs nothing, and one that is
guessed wrong is rare: better no language than a wrong one.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from minisearch.analysis.languages import tag
from minisearch.parse.english import is_plainly_english
from minisearch.records import Page

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

SURE = 0.7  # probability from which on a language is believed
ENOUGH = 60  # bytes of text below which nothing can be told
READ = 20_000  # characters of a text among which a sample is sought
SAMPLE = 800  # characters from which a language is told: half a millisecond
LINE = 300  # characters of one line, lest it be all there is
TOLD = "told from its text"
NONE = "zxx"  # what has letters but no words
# Languages so near that a text hardly tells them apart, with the tag that covers them.
FAMILIES = {
    "bs": "sh", "hr": "sh", "sr": "sh", "yue": "zh", "wuu": "zh", "zh": "zh", "nn": "no", "no": "no",
    "ary": "ar", "arz": "ar", "ar": "ar", "pcm": "en", "en": "en",
}  # fmt: skip


def settle(page: Page, content_language: str) -> tuple[str, str]:
    """The language of a page as it was extracted, with the server's Content-Language, and how we know.

    >>> settle(Page("", language="sr", language_evidence="html lang"), "en"), settle(Page(""), "de")
    (('sr', 'html lang'), ('de', 'http header'))
    """
    if page.language:
        return page.language, page.language_evidence
    told = declared(content_language)
    return (told, "http header") if told else detect(page.title, page.text)


def declared(content_language: str) -> str:
    """The tag in a Content-Language header or <meta>; a list of several names the readers, the first of them will do.

    >>> declared("de-AT, en"), declared("klingonish")
    ('de-at', '')
    """
    return tag(content_language.partition(",")[0])


def detect(title: str, text: str) -> tuple[str, str]:
    """The language of a text and how we know, or ('', '') if it cannot be told.

    >>> detect("", "Der Garten ist im Frühling am schönsten, wenn die Rosen noch nicht blühen.")
    ('de', 'told from its text')
    >>> detect("", "x = 1")
    ('', '')
    """
    found = sample(title, text)
    if len(found.encode("utf-8", "replace")) < ENOUGH:
        return "", ""
    if is_plainly_english(found):
        return "en", TOLD
    try:
        identify = _identifier()
    except OSError as error:  # the model is unpacked into a temporary file
        return "", f"could not be told: {error.strerror or error}"
    likely = dict(identify.rank(found))
    best = next(iter(likely))
    family = FAMILIES.get(best)
    chance = sum(likely.get(member, 0.0) for member, head in FAMILIES.items() if head == family) or likely[best]
    if best == NONE or chance < SURE:
        return "", ""
    return best if likely[best] >= SURE or family is None else family, TOLD


def sample(title: str, text: str) -> str:
    """The prose of a text: its longest lines, for menus and programs have short ones.

    >>> sample("", "Home\\nAbout\\nIt was the best of times, it was the worst of times.\\nMore")[:21]
    'It was the best of ti'
    """
    lines = sorted([title, *text[:READ].split("\n")], key=len, reverse=True)
    return "\n".join(line[:LINE] for line in lines)[:SAMPLE].strip()


@cache
def _identifier() -> LanguageIdentifier:
    """The model, read when it is first needed: that takes half a second."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
