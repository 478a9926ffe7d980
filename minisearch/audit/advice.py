"""Advice: what the owner of a page could do better for readers and search engines, worst first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from minisearch.audit.facts import SHORT, Audit
from minisearch.parse.robots_meta import noindex_reason
from minisearch.urls import host

LEVELS = ("error", "warning", "note")

LONGEST_TITLE, LONGEST_DESCRIPTION, SHORTEST_DESCRIPTION = 65, 170, 50  # characters that result pages show
LARGE_IMAGE, LARGE_INLINE, LARGE_PAGE = 300_000, 20_000, 1_000_000  # bytes
WIDEST_IMAGE = 2_000  # pixels
MANY_HIDDEN = 20  # words
STUFFED_SHARE, STUFFED_COUNT, STUFFED_RUN = 0.10, 15, 4  # one word in ten, or four times in a row
LONGEST_ALT, MOST_KEYWORDS = 30, 20  # words
SHOWN = 5  # examples


@dataclass(frozen=True, slots=True)
class Advice:
    """One thing to mend: how bad it is, what it is, where, and what to do."""

    level: str
    rule: str
    message: str
    examples: tuple[str, ...] = ()


Check = Callable[[Audit], Iterator[Advice]]


def advise(found: Audit, sizes: dict[str, int] | None = None) -> list[Advice]:
    """All advice for a page; `sizes` are the bytes of its images, as far as they are known.

    >>> [advice.rule for advice in advise(Audit("http://a/", titles=["A garden"]))][:3]
    ['doctype', 'language', 'viewport']
    """
    checks: tuple[Check, ...] = (_document, _title, _description, _headings, _address, _links, _hidden, _stuffed, _data)
    advice = [each for check in checks for each in check(found)] + list(_images(found, sizes or {}))
    return sorted((_shortened(each) for each in advice), key=lambda each: LEVELS.index(each.level))


def _shortened(advice: Advice) -> Advice:
    more = len(advice.examples) - SHOWN
    shown = tuple(text if len(text) <= 100 else text[:99] + "…" for text in advice.examples[:SHOWN])
    return replace(advice, examples=(*shown, f"and {more} more") if more > 0 else shown)


def _document(found: Audit) -> Iterator[Advice]:
    if not found.doctype:
        yield Advice("warning", "doctype", "no <!DOCTYPE html>: browsers fall back to the rules of the 1990s")
    if not found.language:
        yield Advice("warning", "language", 'no language: say <html lang="en"> (or whichever it is)')
    if not found.viewport:
        yield Advice(
            "warning",
            "viewport",
            'phones will show the page tiny: add <meta name="viewport" content="width=device-width, initial-scale=1">',
        )
    elif "user-scalable=no" in (tight := found.viewport.replace(" ", "").lower()) or "maximum-scale=1" in tight:
        yield Advice("warning", "viewport", f"readers cannot enlarge the page: {found.viewport}")
    if found.charset_contradicted:
        yield Advice("error", "charset", f"the declared charset is wrong: {found.charset_evidence}")
    elif not found.charset_declared:
        yield Advice(
            "warning", "charset", 'no charset is declared: add <meta charset="utf-8"> as the first thing in <head>'
        )
    if found.bytes > LARGE_PAGE:
        yield Advice("warning", "size", f"the markup alone is {found.bytes:,} bytes")
    for said in found.robots:
        if noindex_reason(said.lower(), ""):
            yield Advice("error", "noindex", f"the page asks not to be found at all ({said})")
        elif "nofollow" in said:
            yield Advice("warning", "nofollow", f"the page asks that its links are not followed ({said})")
    if found.repeated_ids:
        yield Advice("note", "id", "ids that are used more than once", tuple(found.repeated_ids))


def _title(found: Audit) -> Iterator[Advice]:
    title = found.titles[0] if found.titles else ""
    if not title:
        yield Advice("error", "title", "no title: it is the first thing people see in results")
    elif len(title) > LONGEST_TITLE:
        yield Advice("warning", "title", f"the title has {len(title)} characters; results show about {LONGEST_TITLE}")
    if len(found.titles) > 1:
        yield Advice("warning", "title", "more than one <title>", tuple(found.titles))


def _description(found: Audit) -> Iterator[Advice]:
    said = found.descriptions[0] if found.descriptions else ""
    if not said:
        yield Advice("warning", "description", "no description: results will show whatever text they find")
    elif not SHORTEST_DESCRIPTION <= len(said) <= LONGEST_DESCRIPTION:
        good = f"{SHORTEST_DESCRIPTION} to {LONGEST_DESCRIPTION}"
        yield Advice("note", "description", f"the description has {len(said)} characters; {good} are shown best")
    if len(found.descriptions) > 1:
        yield Advice("warning", "description", "more than one description", tuple(found.descriptions))


def _headings(found: Audit) -> Iterator[Advice]:
    tops = [text for level, text in found.headings if level == 1]
    if not tops:
        yield Advice("warning", "heading", "no <h1>: nothing says what the page is about")
    elif len(tops) > 1:
        yield Advice("note", "heading", f"{len(tops)} <h1>: one is usual", tuple(tops))
    empty = sum(not text for _, text in found.headings)
    if empty:
        yield Advice("warning", "heading", f"{empty} headings without words")
    before, skips = 0, []
    for level, text in found.headings:
        if before and level > before + 1:
            skips.append(f"h{before} then h{level}: {text}")
        before = level
    if skips:
        yield Advice("note", "heading", "levels are left out", tuple(skips))


def _address(found: Audit) -> Iterator[Advice]:
    if found.misplaced:
        said = "a canonical address in the body is not believed: it belongs into the head"
        yield Advice("error", "canonical", said, tuple(found.misplaced))
    if len(set(found.canonicals)) > 1:
        yield Advice(
            "error", "canonical", "several canonical addresses: none will be believed", tuple(found.canonicals)
        )
    elif found.canonicals and (told := found.canonicals[0]) != found.url:
        if not told.startswith(("http://", "https://")):
            yield Advice("error", "canonical", f"the canonical address is none: {told}")
        elif host(told) != host(found.url):
            yield Advice("warning", "canonical", f"the canonical address is on another host, and not believed: {told}")
        else:
            yield Advice("note", "canonical", f"the page says it is really {told}")
    missing = [name for name in ("og:title", "og:description", "og:image") if not found.social.get(name)]
    if missing:
        yield Advice("note", "social", "what is missing when somebody shares the page", tuple(missing))


def _links(found: Audit) -> Iterator[Advice]:
    silent = [link.href for link in found.links if not link.text]
    if silent:
        yield Advice("warning", "link-text", f"{len(silent)} links say nothing about where they lead", tuple(silent))
    dead = [link.href for link in found.links if link.href in ("", "#") or link.href.lower().startswith("javascript:")]
    if dead:
        yield Advice("warning", "link", f"{len(dead)} links lead nowhere without a script", tuple(dead))
    if found.missing_anchors:
        yield Advice("warning", "anchor", "links to places that the page does not have", tuple(found.missing_anchors))
    shunned = [link.href for link in found.links if link.inside and "nofollow" in link.rel.lower().split()]
    if shunned:
        yield Advice("note", "nofollow", f"{len(shunned)} links of your own site are marked nofollow", tuple(shunned))
    if found.url.startswith("https://"):
        mixed = [image.url for image in found.images if image.url.startswith("http://")]
        if mixed:
            yield Advice("warning", "mixed", f"{len(mixed)} images come over http to an https page", tuple(mixed))


def _images(found: Audit, sizes: dict[str, int]) -> Iterator[Advice]:
    blind = [image.src for image in found.images if image.alt is None]
    if blind:
        said = f'{len(blind)} images have no alt text (alt="" if they only decorate)'
        yield Advice("warning", "alt", said, tuple(blind))
    wordy = [image.src for image in found.images if len((image.alt or "").split()) > LONGEST_ALT]
    if wordy:
        yield Advice("warning", "stuffed", f"alt texts of more than {LONGEST_ALT} words", tuple(wordy))
    large = [
        f"{image.src} ({sizes[image.url]:,} bytes)" for image in found.images if sizes.get(image.url, 0) > LARGE_IMAGE
    ]
    large += [f"{i.src} ({i.inline_bytes:,} bytes in the page)" for i in found.images if i.inline_bytes > LARGE_INLINE]
    large += [
        f"{image.src} ({image.width}x{image.height})"
        for image in found.images
        if any(side.isdecimal() and float(side) > WIDEST_IMAGE for side in (image.width, image.height))
    ]
    if large:
        yield Advice("warning", "oversized", f"{len(large)} images are larger than readers need", tuple(large))
    unsized = [image.src for image in found.images if not (image.width and image.height)]
    if unsized:
        said = f"{len(unsized)} images without width and height: the page jumps while it loads"
        yield Advice("note", "image-size", said, tuple(unsized))


def _hidden(found: Audit) -> Iterator[Advice]:
    count = sum(each.words for each in found.hidden)
    if count:
        level = "warning" if count >= MANY_HIDDEN else "note"
        shown = tuple(f"{each.how}: {each.text}" for each in found.hidden)
        yield Advice(
            level, "hidden", f"{count} words are hidden from readers; they do not count, or count as spam", shown
        )


def _stuffed(found: Audit) -> Iterator[Advice]:
    for word, count in found.frequent:
        if count >= STUFFED_COUNT and count / found.words > STUFFED_SHARE:
            share = f"{count} of {found.words} words"
            yield Advice("warning", "stuffed", f'"{word}" is {share}: repeating does not help, and reads badly')
    if found.longest_run[1] >= STUFFED_RUN:
        word, run = found.longest_run
        yield Advice("warning", "stuffed", f'"{word}" stands {run} times in a row')
    for name, said in (("title", " ".join(found.titles[:1])), ("description", " ".join(found.descriptions[:1]))):
        spoken = Counter(word for word in said.lower().split() if len(word) > SHORT)
        again = sorted(word for word, count in spoken.items() if count > 2)
        if again:
            yield Advice("warning", "stuffed", f"the {name} says the same more than twice", tuple(again))
    keywords = [word for word in found.keywords.split(",") if word.strip()]
    if len(keywords) > MOST_KEYWORDS:
        yield Advice("note", "stuffed", f"{len(keywords)} meta keywords, which no search engine reads")


def _data(found: Audit) -> Iterator[Advice]:
    broken = [kind for kind in found.linked_data if kind.startswith("broken")]
    if broken:
        yield Advice("error", "json-ld", f"{len(broken)} pieces of JSON-LD cannot be read", tuple(broken))
    typeless = sum(not item["type"] for item in found.items)
    if typeless:
        yield Advice("note", "microdata", f"{typeless} items of microdata without an itemtype mean nothing to anybody")
