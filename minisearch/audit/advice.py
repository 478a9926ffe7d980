"""What the owner of a page could do better for readers and search engines, errors first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from minisearch.audit.facts import SHORT_WORD, Audit, excerpt
from minisearch.models import counted
from minisearch.parse.robots_meta import noindex_reason
from minisearch.urls import host

LEVELS = ("error", "warning", "note")

MAX_TITLE, MIN_DESCRIPTION, MAX_DESCRIPTION = 65, 50, 170  # characters that result pages show
LARGE_IMAGE, LARGE_INLINE, LARGE_PAGE = 300_000, 20_000, 1_000_000  # bytes
WIDE_IMAGE = 2_000  # pixels
MANY_HIDDEN = 20  # words
STUFFED_SHARE, STUFFED_COUNT, STUFFED_RUN = 0.10, 15, 4  # one word in ten, or four times in a row
MAX_ALT, MAX_KEYWORDS = 30, 20  # words
MAX_EXAMPLES = 5
VIEWPORT = '<meta name="viewport" content="width=device-width, initial-scale=1">'


@dataclass(frozen=True, slots=True)
class Advice:
    """One problem: how bad it is, what it is, where, and what to do."""

    level: str
    rule: str
    message: str
    examples: Sequence[str] = ()


def advise(found: Audit) -> list[Advice]:
    """All advice for a page, with a few examples.

    >>> [advice.rule for advice in advise(Audit("http://a/", titles=["A garden"]))][:3]
    ['doctype', 'language', 'viewport']
    """
    checks = (
        _document, _robots, _title, _description, _headings, _canonical, _links, _images, _hidden_text, _repetition,
        _data,
    )  # fmt: skip
    advice = [replace(each, examples=_shown(each.examples)) for check in checks for each in check(found)]
    return sorted(advice, key=lambda each: LEVELS.index(each.level))


def _shown(examples: Sequence[str]) -> tuple[str, ...]:
    """The first examples, shortened."""
    more = len(examples) - MAX_EXAMPLES
    return (*map(excerpt, examples[:MAX_EXAMPLES]), *([f"and {more} more"] if more > 0 else []))


def _document(found: Audit) -> Iterator[Advice]:
    if not found.doctype:
        yield Advice("warning", "doctype", "no <!DOCTYPE html>: browsers fall back to the rules of the 1990s")
    if not found.language:
        yield Advice("warning", "language", 'no language: say <html lang="en"> (or whichever it is)')
    viewport = found.viewport.replace(" ", "").lower()
    if not viewport:
        yield Advice("warning", "viewport", f"phones will show the page tiny: add {VIEWPORT}")
    elif "user-scalable=no" in viewport or "maximum-scale=1" in viewport:
        yield Advice("warning", "viewport", f"readers cannot enlarge the page: {found.viewport}")
    if found.charset_contradicted:
        yield Advice("error", "charset", f"the declared charset is wrong: {found.charset_evidence}")
    elif not found.charset_declared:
        yield Advice(
            "warning", "charset", 'no charset is declared: add <meta charset="utf-8"> as the first element of <head>'
        )
    if found.bytes > LARGE_PAGE:
        yield Advice("warning", "size", f"the markup alone is {found.bytes:,} bytes")
    if found.repeated_ids:
        yield Advice("note", "id", "ids that are used more than once", found.repeated_ids)


def _robots(found: Audit) -> Iterator[Advice]:
    for directives in found.robots:
        if noindex_reason(directives.lower(), ""):
            yield Advice("error", "noindex", f"the page asks search engines not to index it ({directives})")
        elif "nofollow" in directives:
            yield Advice("warning", "nofollow", f"the page asks robots not to follow its links ({directives})")


def _title(found: Audit) -> Iterator[Advice]:
    title = found.titles[0] if found.titles else ""
    if not title:
        yield Advice("error", "title", "no title: it is what people see first in search results")
    elif len(title) > MAX_TITLE:
        yield Advice("warning", "title", f"the title has {len(title):,} characters; results show about {MAX_TITLE}")
    if len(found.titles) > 1:
        yield Advice("warning", "title", "more than one <title>", found.titles)


def _description(found: Audit) -> Iterator[Advice]:
    description = found.descriptions[0] if found.descriptions else ""
    if not description:
        yield Advice("warning", "description", "no description: results will show whatever text they find")
    elif not MIN_DESCRIPTION <= len(description) <= MAX_DESCRIPTION:
        best = f"{MIN_DESCRIPTION} to {MAX_DESCRIPTION}"
        yield Advice("note", "description", f"the description has {len(description):,} characters; {best} are best")
    if len(found.descriptions) > 1:
        yield Advice("warning", "description", "more than one description", found.descriptions)


def _headings(found: Audit) -> Iterator[Advice]:
    top = [text for level, text in found.headings if level == 1]
    if not top:
        yield Advice("warning", "heading", "no <h1>: nothing says what the page is about")
    elif len(top) > 1:
        yield Advice("note", "heading", f"{len(top)} <h1>: one is usual", top)
    empty = sum(not text for _, text in found.headings)
    if empty:
        yield Advice("warning", "heading", f"{counted(empty, 'heading')} without words")
    levels = [0, *(level for level, _ in found.headings)]
    skips = [
        f"h{before} then h{level}: {text}"
        for before, (level, text) in zip(levels, found.headings, strict=False)
        if before and level > before + 1
    ]
    if skips:
        yield Advice("note", "heading", "skipped heading levels", skips)


def _canonical(found: Audit) -> Iterator[Advice]:
    if found.misplaced:
        message = "a canonical URL in the body is ignored: move it to the head"
        yield Advice("error", "canonical", message, found.misplaced)
    if len(set(found.canonicals)) > 1:
        yield Advice("error", "canonical", "several canonical URLs: all are ignored", found.canonicals)
    elif found.canonicals and (url := found.canonicals[0]) != found.url:
        if not url.startswith(("http://", "https://")):
            yield Advice("error", "canonical", f"the canonical URL is invalid: {url}")
        elif host(url) != host(found.url):
            yield Advice("warning", "canonical", f"the canonical URL is on another host and is ignored: {url}")
        else:
            yield Advice("note", "canonical", f"the page says that its canonical URL is {url}")
    missing = [name for name in ("og:title", "og:description", "og:image") if not found.social.get(name)]
    if missing:
        yield Advice("note", "social", "what is missing when somebody shares the page", missing)


def _links(found: Audit) -> Iterator[Advice]:
    if silent := [link.href for link in found.links if not link.text]:
        yield Advice("warning", "link-text", f"{counted(len(silent), 'link')} without text", silent)
    hrefs = [link.href for link in found.links]
    if dead := [href for href in hrefs if href in ("", "#") or href.lower().startswith("javascript:")]:
        message = f"{counted(len(dead), 'link leads', 'links lead')} nowhere without a script"
        yield Advice("warning", "link", message, dead)
    if found.missing_anchors:
        yield Advice("warning", "anchor", "links to anchors that the page does not have", found.missing_anchors)
    if own := [link.href for link in found.links if link.inside and "nofollow" in link.rel.lower().split()]:
        yield Advice("note", "nofollow", f"{counted(len(own), 'link')} within the site marked nofollow", own)
    mixed = [image.url for image in found.images if image.url.startswith("http://")]
    if mixed and found.url.startswith("https://"):
        yield Advice("warning", "mixed", f"{counted(len(mixed), 'image')} loaded over http by an https page", mixed)


def _images(found: Audit) -> Iterator[Advice]:
    images, sizes = found.images, found.image_bytes
    if missing := [image.src for image in images if image.alt is None]:
        message = f'{counted(len(missing), "image")} without alt text (alt="" if only decorative)'
        yield Advice("warning", "alt", message, missing)
    if long := [image.src for image in images if len((image.alt or "").split()) > MAX_ALT]:
        yield Advice("warning", "stuffed", f"alt texts of more than {MAX_ALT} words", long)
    large = [f"{image.src} ({sizes[image.url]:,} bytes)" for image in images if sizes.get(image.url, 0) > LARGE_IMAGE]
    for image in images:
        if image.inline_bytes > LARGE_INLINE:
            large.append(f"{image.src} ({image.inline_bytes:,} bytes in the page)")
        if any(side.isdecimal() and float(side) > WIDE_IMAGE for side in (image.width, image.height)):
            large.append(f"{image.src} ({image.width}x{image.height})")
    if large:
        yield Advice("warning", "oversized", f"{counted(len(large), 'image')} larger than readers need", large)
    if unsized := [image.src for image in images if not (image.width and image.height)]:
        message = f"{counted(len(unsized), 'image')} without width and height: the page jumps on loading"
        yield Advice("note", "image-size", message, unsized)


def _hidden_text(found: Audit) -> Iterator[Advice]:
    if count := sum(text.words for text in found.hidden):
        hidden = f"{counted(count, 'word')} {'is' if count == 1 else 'are'} hidden from readers"
        message = f"{hidden}; they do not count, or count as spam"
        examples = [f"{text.how}: {text.text}" for text in found.hidden]
        yield Advice("warning" if count >= MANY_HIDDEN else "note", "hidden", message, examples)


def _repetition(found: Audit) -> Iterator[Advice]:
    for word, count in found.frequent:
        if count >= STUFFED_COUNT and count / found.words > STUFFED_SHARE:
            share = f"{count:,} of {counted(found.words, 'word')}"
            yield Advice("warning", "stuffed", f'"{word}" is {share}: repeating does not help, and reads badly')
    word, run = found.longest_run
    if run >= STUFFED_RUN:
        yield Advice("warning", "stuffed", f'"{word}" is repeated {run} times in a row')
    for name, texts in (("title", found.titles), ("description", found.descriptions)):
        words = Counter(word for word in " ".join(texts[:1]).lower().split() if len(word) > SHORT_WORD)
        if repeated := sorted(word for word, count in words.items() if count > 2):
            yield Advice("warning", "stuffed", f"the {name} repeats words more than twice", repeated)
    keywords = [word for word in found.keywords.split(",") if word.strip()]
    if len(keywords) > MAX_KEYWORDS:
        yield Advice("note", "stuffed", f"{len(keywords)} meta keywords, which search engines ignore")


def _data(found: Audit) -> Iterator[Advice]:
    if broken := [kind for kind in found.linked_data if kind.startswith("broken")]:
        yield Advice("error", "json-ld", f"{len(broken)} invalid pieces of JSON-LD", broken)
    if untyped := sum(not item["type"] for item in found.items):
        message = f"{untyped} items of microdata without an itemtype: search engines ignore them"
        yield Advice("note", "microdata", message)
