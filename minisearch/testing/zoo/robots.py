"""robots.txt in all its shapes. Each pen has one, and pages that it allows or forbids."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from itertools import chain

from minisearch.testing.server import Request, Response, Route
from minisearch.testing.zoo.limits import MIB, bomb
from minisearch.testing.zoo.pen import HTML, PLAIN, Pen, endless, html, in_turn, missing, moved, page, pen, robots
from minisearch.testing.zoo.slow import drip

SHED = "User-agent: *\nDisallow: /shed/\n"
LIMIT = 500 * 1024
CROWDED = "/open /shed/rake /not7/ax /" + "a" * 1000


def site(
    rules: Route, *, paths: str = "/open /shed/rake", more: Mapping[str, Route] | None = None
) -> Mapping[str, Route]:
    """A home page that links to `paths`, and what /robots.txt answers."""
    pages: dict[str, Route] = {path: page(f"Page {path}") for path in paths.split()}
    return {"/": page("Home", *pages), **pages, "/robots.txt": rules, **(more or {})}


@pen
def robots_rules(_: Pen) -> Mapping[str, Route]:
    """The longest match decides, Allow before Disallow; * and $; and a group of our own would count more."""
    rules = """# groups
User-agent: otherbot
Disallow: /

User-agent: *
Disallow: /shed/
Allow: /shed/window
Disallow: /*.pdf$
Disallow: /*?sort=
Disallow: /tie
Allow: /tie
Disallow: /exact$
Disallow: /deep/*/private
Allow: /deep/*/private/notice
Disallow: /case/Upper   # and a comment
Disallow:
Disallow: no-slash
Unknown: /open
"""
    paths = (
        "/open /shed/rake /shed/window /doc.pdf /doc.pdf.html /list?sort=up /list?page=2 /tie /exact /exactly "
        "/deep/a/b/private /deep/a/private/notice /case/Upper /case/upper /no-slash"
    )
    return site(robots(rules), paths=paths)


@pen
def robots_agent(_: Pen) -> Mapping[str, Route]:
    """Our own group counts and not the one for all, however its name is written; two of them are one."""
    rules = (
        "User-agent: *\nDisallow: /\n\nUser-agent: MiniSearch\nDisallow: /one\n\n"
        "User-agent: otherbot\nUser-agent: minisearch\nDisallow: /two\nCrawl-delay: 1\n"
    )
    return site(robots(rules), paths="/open /one /two")


@pen
def robots_bom(_: Pen) -> Mapping[str, Route]:
    """A byte order mark before the first line, which is the one that counts."""
    return site(robots(b"\xef\xbb\xbf" + SHED.encode()))


@pen
def robots_crlf(_: Pen) -> Mapping[str, Route]:
    """Lines that end as on Windows."""
    return site(robots(SHED.replace("\n", "\r\n")))


@pen
def robots_cr(_: Pen) -> Mapping[str, Route]:
    """Lines that end as on old Macintoshes, which RFC 9309 allows."""
    return site(robots(SHED.replace("\n", "\r")))


@pen
def robots_percent(_: Pen) -> Mapping[str, Route]:
    """Rules and urls that spell the same path in different ways."""
    forbidden = ("/caf\u00e9", "/na%c3%afve", "/%7Ejoe", "/a%2Fb", "/star%2A")
    rules = "User-agent: *\n" + "".join(f"Disallow: {path}\n" for path in forbidden)
    paths = "/caf%C3%A9 /na%C3%AFve /~joe /a/b /a%2Fb /star /star*"
    return site(robots(rules), paths=paths)


@pen
def robots_missing(_: Pen) -> Mapping[str, Route]:
    """No robots.txt: all is allowed."""
    return site(missing(404))


@pen
def robots_forbidden(_: Pen) -> Mapping[str, Route]:
    """403 for robots.txt: unavailable, so all is allowed (RFC 9309, 2.3.1.3)."""
    return site(missing(403))


@pen
def robots_error(_: Pen) -> Mapping[str, Route]:
    """500 for robots.txt: unreachable, so nothing is allowed (RFC 9309, 2.3.1.4)."""
    return site(missing(500))


@pen
def robots_recovers(_: Pen) -> Mapping[str, Route]:
    """503 at first, then an answer."""
    return site(in_turn(missing(503), robots(SHED)))


@pen
def robots_silent(keeper: Pen) -> Mapping[str, Route]:
    """robots.txt is never answered."""

    def nothing(_: Request) -> None:
        keeper.wait()

    return site(nothing)


@pen
def robots_drip(keeper: Pen) -> Mapping[str, Route]:
    """robots.txt comes a letter at a time."""
    return site(lambda _: Response(200, PLAIN, drip(keeper, SHED.encode() + b"#" * 900, 0.1)))


@pen
def robots_hangs_up(_: Pen) -> Mapping[str, Route]:
    """The line is cut whenever robots.txt is asked for."""
    return site(None)


def _chain(hops: int, end: Route) -> dict[str, Route]:
    """Redirects from /robots-1 on."""
    routes: dict[str, Route] = {f"/robots-{n}": moved(f"/robots-{n + 1}") for n in range(1, hops)}
    return {**routes, f"/robots-{hops}": end}


@pen
def robots_moved(_: Pen) -> Mapping[str, Route]:
    """Five redirects to robots.txt: its rules count."""
    return site(moved("/robots-1"), more=_chain(5, robots(SHED)))


@pen
def robots_moved_on(_: Pen) -> Mapping[str, Route]:
    """More redirects than five: as if there were none."""
    return site(moved("/robots-1"), more=_chain(12, robots(SHED)))


@pen
def robots_ring(_: Pen) -> Mapping[str, Route]:
    """robots.txt redirects to itself."""
    return site(moved("/robots.txt"))


@pen
def robots_next_door(keeper: Pen) -> Mapping[str, Route]:
    """robots.txt is kept by another server: its rules count here all the same."""
    keeper.next_door["/robots.txt"] = robots(SHED)
    return site(moved(keeper.neighbour + "/robots.txt"))


@pen
def robots_large(_: Pen) -> Mapping[str, Route]:
    """Rules at both ends of more than 500 KiB, and one that the limit cuts in two: "Disallow: /" + "end"."""
    front = f"{SHED}Disallow: /early\n"
    last = "Disallow: /"
    fill = "# a comment that fills the file\n"
    room = LIMIT - len(front) - len(last)
    body = (
        front
        + fill * (room // len(fill))
        + "#" * (room % len(fill) - 1)
        + "\n"
        + last
        + "end-of-file\nDisallow: /late\n"
    )
    return site(robots(body + fill * 3000), paths="/open /shed/rake /early /late")


@pen
def robots_crowded(_: Pen) -> Mapping[str, Route]:
    """As many rules as fit, and one made to keep a careless matcher busy for ever."""
    costly = "Disallow: /" + "*a" * 50 + "*b$\n"
    return site(robots(SHED + costly + "".join(f"Disallow: /not{n}/*x\n" for n in range(20_000))), paths=CROWDED)


@pen
def robots_endless(_: Pen) -> Mapping[str, Route]:
    """A robots.txt without end."""
    return site(lambda _: Response(200, PLAIN, chain([SHED.encode()], endless(b"# and so on, and so on\n" * 2000))))


@pen
def robots_html(_: Pen) -> Mapping[str, Route]:
    """A page of HTML in place of robots.txt, as careless servers give for anything."""
    return site(Response(200, HTML, html("Welcome", "/robots.txt").encode()))


@pen
def robots_binary(_: Pen) -> Mapping[str, Route]:
    """Bytes that are no text, around rules that are."""
    return site(robots(bytes(range(128, 256)) * 20 + b"\n" + SHED.encode() + b"\0\xff\n"))


@pen
def robots_gzip(_: Pen) -> Mapping[str, Route]:
    """robots.txt, compressed."""
    return site(robots(gzip.compress(SHED.encode()), headers={"Content-Encoding": "gzip"}))


@pen
def robots_bomb(_: Pen) -> Mapping[str, Route]:
    """robots.txt, compressed from half a gigabyte."""
    return site(lambda _: Response(200, {**PLAIN, "Content-Encoding": "gzip"}, bomb(512 * MIB, 31)))


@pen
def robots_meta(_: Pen) -> Mapping[str, Route]:
    """What pages say to robots themselves, in markup and in headers."""
    tag = '<meta name="{}" content="{}">'.format

    def said(title: str, name: str, content: str, *links: str) -> Response:
        return page(title, *links, head=tag(name, content))

    paths = ["noindex", "none", "nofollow", "ours", "theirs", "header", "header-ours", "header-theirs"]
    rel = '<a rel="nofollow" href="/only-nofollow">not followed</a> <a rel="ugc" href="/only-ugc">nor this</a>'
    return {
        "/": page("Robots in pages", *(f"/{path}" for path in paths), "/rel"),
        "/noindex": said("Not to be indexed", "robots", "NOINDEX", "/by-noindex"),
        "/none": said("Nothing at all", "robots", "none", "/by-none"),
        "/nofollow": said("Not to be followed", "robots", "nofollow", "/by-nofollow"),
        "/ours": said("Not for minisearch", "minisearch", "noindex"),
        "/theirs": said("Not for the other one", "otherbot", "noindex"),
        "/header": page("Said in a header", headers={"X-Robots-Tag": "noindex"}),
        "/header-ours": page("Said to us", headers={"X-Robots-Tag": "minisearch: noindex"}),
        "/header-theirs": page("Said to another", headers={"X-Robots-Tag": "otherbot: noindex, nofollow"}),
        "/rel": Response(200, HTML, html("Links not to follow", text=f"<p>Some links here. {rel}</p>").encode()),
        **{
            path: page(f"Page {path}")
            for path in ("/by-noindex", "/by-none", "/by-nofollow", "/only-nofollow", "/only-ugc")
        },
    }
