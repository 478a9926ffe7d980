"""Suspicion: answers that are not what they say. Bytes that are no text, and pages that say "not found" with a
status that says all is well (soft 404s).
"""

from __future__ import annotations

import re

from minisearch.records import Page

SNIFFED = 1024  # bytes at the beginning by which text is told from other things
SIGNATURES = (
    b"%PDF-",
    b"\x89PNG",
    b"GIF8",
    b"\xff\xd8\xff",
    b"PK\x03\x04",
    b"\x1f\x8b",
    b"\x7fELF",
    b"RIFF",
    b"OggS",
    b"ID3",
)
ODD = bytes({*range(0x09), 0x0B, *range(0x0E, 0x1B), *range(0x1C, 0x20), 0x7F})  # bytes that no text is made of
MANY, FEW, HANDFUL = 0.1, 0.01, 8  # an editor or a bad disk may leave a few of them in a text, not many

MISSING_LENGTH = 2000  # letters; a page with more than these has something to say about missing pages
FEW_WORDS = 600  # letters; with fewer, a single line of the text may say it as well as a heading
SENTENCE = 3  # spaces in a line that is one
PARTS = re.compile(r"\s[-|·–—:»]+\s|[|·–—»]|:\s")
THING = "(?:the |this |that |requested )*(?:page|file|document|url|content|address|article)"
WISH = r"(?: (?:that )?you(?: are|.re| were|.ve| have)? (?:requested|looking for|asked for|tried to \w+))?"
NOT = r"(?:(?:was|is|could|can) ?not|(?:was|is|could)n.t|can.t)"
SORRY = "(?:oops|whoops|sorry)?[,.! ]*"
PHRASES = (
    r"(?:error|status|fehler|erreur|greška|грешка|ошибка)[ :]*(?:404|410)",
    rf"(?:404|410)[ ,.!:-]*(?:error|{THING}? ?not found|gone)",
    rf"{SORRY}(?:{THING} )?not found",
    r"(?:404[ ,.!:-]*)?(?:file or directory|item|object|post|product|resource|topic) not found",
    rf"{SORRY}(?:it )?(?:looks like |seems that )?{THING}{WISH} {NOT} (?:be )?(?:found|available)",
    rf"{SORRY}(?:it )?(?:looks like |seems that )?{THING}{WISH} (?:does not|doesn.t|no longer) exists?",
    rf"{SORRY}{THING}{WISH} (?:is gone|is missing|is no longer available|has been (?:deleted|removed))",
    rf"{SORRY}we {NOT} find (?:{THING}{WISH}|what you(?: are|.re| were) (?:looking|searching) for)",
    rf"{SORRY}(?:it (?:looks|seems) like )?nothing was found at this (?:address|location|url)",
    r"the requested url (?:\S+ )?was not found on this server",
    r"(?:die |diese )?(?:angeforderte |gewünschte )?seite (?:(?:wurde )?nicht gefunden|existiert nicht)",
    r"(?:la |cette )?page (?:demandée )?(?:non trouv[ée]e|introuvable|n.existe pas|n.existe plus)",
    r"(?:la |esta |a )?p[áa]gina (?:solicitada |richiesta )?"
    r"(?:no encontrada|não encontrada|non trovata|niet gevonden|no existe|não existe|non esiste|bestaat niet)",
    r"strani(?:ca|ce) (?:nije (?:pronađena|nađena)|ne postoji)",
    r"страниц[ае] (?:није (?:пронађена|нађена)|не (?:постоји|найдена|существует))",
    r"nie znaleziono strony|strona nie istnieje|stránka (?:nebyla nalezena|nenalezena|neexistuje)",
    r"sidan (?:kunde inte hittas|hittades inte|finns inte)|siden (?:blev ikke fundet|ble ikke funnet|fin[dn]es ikke)",
    r"sivua ei löy(?:dy|tynyt)|sayfa bulunamadı|페이지를 찾을 수 없습니다",
    r"ページが見つかりません(?:でした)?|(?:页面|頁面)(?:不存在|未找到|找不到)|找不到(?:页面|網頁|网页)",
)
MISSING = re.compile("|".join(PHRASES))


def is_binary(body: bytes) -> bool:
    """Whether bytes called text are something else. A stray zero does not make them so.

    >>> is_binary(b"%PDF-1.7 ..."), is_binary(b"\\0\\1\\2\\3" * 9), is_binary(b"<p>One\\0</p>" + b"More text. " * 20)
    (True, True, False)
    """
    start = body[:SNIFFED]
    odd = len(start) - len(start.translate(None, ODD))
    return start.startswith(SIGNATURES) or odd > MANY * len(start) or odd > max(FEW * len(start), HANDFUL)


def says_missing(page: Page) -> str:
    """The words by which a page that was found says that it was not; nothing if it does not.

    >>> says_missing(Page("http://a/b", title="404 - Page not found", text="Sorry!"))
    'Page not found'
    >>> says_missing(Page("http://a/b", title="How to write a page not found page", text="Begin with an apology."))
    ''
    """
    if len(page.text) > MISSING_LENGTH:
        return ""
    headings = [heading.text for heading in page.headings if heading.level == 1]
    parts = [part.strip(" .!…") for line in (page.title, *headings) for part in PARTS.split(line)]
    if len(page.text) <= FEW_WORDS:  # then a sentence of it may say what the page is
        lines = (line.strip(" .!…") for line in page.text.split("\n"))
        parts += [line for line in lines if line.count(" ") >= SENTENCE]
    said = [part for part in parts if MISSING.fullmatch(part.lower())]
    return max(said, key=len, default="")
