"""The language of a page, with the evidence for it.

What the page declares counts first, then what the server declares, as in the HTML standard. Where neither names a known
language, py3langid detects it from the text, if it is fairly sure: better no language than a wrong one.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from minisearch.analysis.languages import tag
from minisearch.models import Page

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

SURE = 0.7  # probability from which on a language is believed
MIN_BYTES = 60  # of text from which a language can be detected
READ = 20_000  # characters of a text among which a sample is sought
SAMPLE = 800  # characters from which a language is detected, in half a millisecond
LINE = 300  # characters of one line in a sample
DETECTED = "detected from the text"
NONE = "zxx"  # what has letters but no words
# Languages so similar that a text hardly distinguishes them, with the tag that covers them.
FAMILIES = {
    "bs": "sh", "hr": "sh", "sr": "sh", "yue": "zh", "wuu": "zh", "zh": "zh", "nn": "no", "no": "no",
    "ary": "ar", "arz": "ar", "ar": "ar", "pcm": "en", "en": "en",
}  # fmt: skip


def page_language(page: Page, content_language: str) -> tuple[str, str]:
    """The language of an extracted page with the server's Content-Language, and the evidence for it.

    >>> page_language(Page("", language="sr", language_evidence="html lang"), "en"), page_language(Page(""), "de")
    (('sr', 'html lang'), ('de', 'http header'))
    """
    if page.language:
        return page.language, page.language_evidence
    language = declared_language(content_language)
    return (language, "http header") if language else detect(page.title, page.text)


def declared_language(content_language: str) -> str:
    """The tag in a Content-Language header or <meta>; of several the first.

    >>> declared_language("de-AT, en"), declared_language("klingonish")
    ('de-at', '')
    """
    return tag(content_language.partition(",")[0])


def detect(title: str, text: str) -> tuple[str, str]:
    """The language of a text and the evidence, or ('', '') if it cannot be detected.

    >>> detect("", "Der Garten ist im Frühling am schönsten, wenn die Rosen noch nicht blühen.")
    ('de', 'detected from the text')
    >>> detect("", "x = 1")
    ('', '')
    """
    prose = sample(title, text)
    if len(prose.encode("utf-8", "replace")) < MIN_BYTES:
        return "", ""
    try:
        identifier = _identifier()
    except OSError as error:  # the model is unpacked into a temporary file
        return "", f"could not be detected: {error.strerror or error}"
    likely = dict(identifier.rank(prose))
    best = next(iter(likely))
    family = FAMILIES.get(best)
    chance = sum(likely.get(member, 0.0) for member, head in FAMILIES.items() if head == family) or likely[best]
    if best == NONE or chance < SURE:
        return "", ""
    return best if likely[best] >= SURE or family is None else family, DETECTED


def sample(title: str, text: str) -> str:
    """The prose of a text: its longest lines, because menus and programs have short ones.

    >>> sample("", "Home\\nAbout\\nIt was the best of times, it was the worst of times.\\nMore")[:21]
    'It was the best of ti'
    """
    lines = sorted([title, *text[:READ].split("\n")], key=len, reverse=True)
    return "\n".join(line[:LINE] for line in lines)[:SAMPLE].strip()


@cache
def _identifier() -> LanguageIdentifier:
    """The model, loaded when it is first needed, which takes half a second."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
