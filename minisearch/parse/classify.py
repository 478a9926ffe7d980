"""Responses that are not what they claim to be: binary data, "not found" pages with status 200 (soft 404s),
and pages that are empty without JavaScript.
"""

from __future__ import annotations

import re

from minisearch.models import Page
from minisearch.urls import host

# -- binary data ---------------------------------------------------------------------------------

SNIFFED = 1024  # bytes at the beginning that are looked at
CONTROLS = bytes({*range(0x09), 0x0B, *range(0x0E, 0x1B), *range(0x1C, 0x20), 0x7F})  # bytes that are not in texts
# A text may begin with the letters of a short signature: binary data has a control character or a line break after it.
SIGNATURE = re.compile(
    rb"\x89PNG|\xff\xd8\xff|PK\x03\x04|\x1f\x8b|\x7fELF|(?:GIF8|ID3|OggS|RIFF).{0,8}[\x00-\x08\x0e-\x1a]"
    rb"|%PDF-\d\.\d\s*[\r\n]",
    re.DOTALL,
)
MANY, FEW = 0.1, 9  # share and number of control characters: a text may have a few, by accident


def is_binary(body: bytes) -> bool:
    """Whether bytes that are declared as text are binary. A single zero byte does not count.

    >>> is_binary(b"%PDF-1.7\\n..."), is_binary(b"\\0\\1\\2\\3" * 9), is_binary(b"<p>One\\0</p>" + b"More text. " * 20)
    (True, True, False)
    """
    start = body[:SNIFFED]
    controls = len(start) - len(start.translate(None, CONTROLS))
    return bool(SIGNATURE.match(start)) or controls > min(MANY * len(start), FEW)


# -- soft 404 ------------------------------------------------------------------------------------

MAX_LENGTH = 2000  # characters; a longer page may be about missing pages
SHORT_LENGTH = 600  # characters of a page of which a single line counts like a heading
SENTENCE = 3  # spaces in a line that is a sentence
PARTS = re.compile(r"\s[-|·–—:»]+\s|[|·–—»]|:\s")
THING = "(?:the |this |that |requested )*(?:page|file|document|url|content|address|article)"
REQUEST = r"(?: (?:that )?you(?: are|.re| were|.ve| have)? (?:requested|looking for|asked for|tried to \w+))?"
NOT = r"(?:(?:was|is|could|can) ?not|(?:was|is|could)n.t|can.t)"
SORRY = "(?:oops|whoops|sorry)?[,.! ]*"
# Phrases that name a page or a status: "Object not found" alone may be what a page is about.
PHRASES = (
    r"(?:error|status|fehler|erreur|greška|грешка|ошибка)[ :]*(?:404|410)",
    rf"(?:404|410)[ ,.!:-]*(?:error|{THING}? ?not found|gone)",
    rf"{SORRY}{THING} not found",
    r"404[ ,.!:-]*(?:file or directory|item|object|post|product|resource|topic) not found",
    rf"{SORRY}(?:it )?(?:looks like |seems that )?{THING}{REQUEST} {NOT} (?:be )?(?:found|available)",
    rf"{SORRY}(?:it )?(?:looks like |seems that )?{THING}{REQUEST} (?:does not|doesn.t|no longer) exists?",
    rf"{SORRY}{THING}{REQUEST} (?:is gone|is missing|is no longer available|has been (?:deleted|removed))",
    rf"{SORRY}we {NOT} find (?:{THING}{REQUEST}|what you(?: are|.re| were) (?:looking|searching) for)",
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


def soft_404(page: Page) -> str:
    """The words that mark a page as "not found"; '' if there are none.

    >>> soft_404(Page("http://a/b", title="404 - Page not found", text="Sorry!"))
    '404 - Page not found'
    >>> soft_404(Page("http://a/b", title="How to write a page not found page", text="Begin with an apology."))
    ''
    """
    if len(page.text) > MAX_LENGTH:
        return ""
    headings = [heading.text for heading in page.headings if heading.level == 1]
    titles = [page.title, *headings]
    parts = [part.strip(" .!…") for line in titles for part in (line, *PARTS.split(line))]
    if len(page.text) <= SHORT_LENGTH:
        lines = (line.strip(" .!…") for line in page.text.split("\n"))
        parts += [line for line in lines if line.count(" ") >= SENTENCE]
    return max((part for part in parts if MISSING.fullmatch(part.lower())), key=len, default="")


# -- pages that need JavaScript ------------------------------------------------------------------

SHELL_LENGTH = 300  # characters of text in a page that waits for its script
FOOTER_LENGTH = 60  # characters of text, such as a copyright line, beside the empty place of an application
PLACEHOLDER = re.compile(r"\A\W*loading\b|\bloading\W*\Z|\bplease wait\b|javascript", re.IGNORECASE)
SCRIPT = re.compile(r"<script\b", re.IGNORECASE)
# Where frameworks put the page: React, Vue, Next, Nuxt, Gatsby, Svelte, Quasar, Angular, Ember.
MOUNT_POINT = re.compile(
    r"""(?: <[a-z]+\s[^<>]*?\bid\s*=\s*["']?
            (?:app|root|react-root|app-root|__next|__nuxt|___gatsby|svelte|q-app|ember-app)(?![\w-])
        |<(?:app-root|my-app)\b
        |<[a-z]+\s[^<>]*?\bng-(?:app|version)\b
        ) (?P<empty>[^<>]*>\s*</)?""",
    re.IGNORECASE | re.VERBOSE,
)
MEDIA = re.compile(r"<(?:img|video|audio|object|embed)\b", re.IGNORECASE)
NOSCRIPT_REQUEST = re.compile(r"<noscript\b[^<>]*>(?:(?!</noscript).){0,300}?javascript", re.IGNORECASE | re.DOTALL)


def needs_javascript(page: Page, markup: str) -> bool:
    """Whether a page has hardly any text and no links of its own, because a script is to add them.

    >>> page = Page("http://a/", text="Loading...")
    >>> needs_javascript(page, '<div id="root">Loading...</div><script src="/main.js"></script>')
    True
    """
    if len(page.text) > SHELL_LENGTH or not SCRIPT.search(markup):
        return False
    if any(host(link.url) == host(page.url) and link.url != page.url for link in page.links):
        return False
    if not page.text and not page.links and not MEDIA.search(markup):
        return True
    mount_point = MOUNT_POINT.search(markup)
    if mount_point and mount_point["empty"] and len(page.text) <= FOOTER_LENGTH and not page.headings:
        return True
    waits = not page.text or PLACEHOLDER.search(page.text)
    return bool(waits and (mount_point or NOSCRIPT_REQUEST.search(markup)))
