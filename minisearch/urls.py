"""One normal form for each URL, so that a page is recognised however a link spells it.

Equal spellings are those of RFC 3986; where browsers accept more (backslashes, missing slashes, stray spaces), the
WHATWG URL standard is followed. Parameters that only track the reader are removed; the others are neither removed nor
sorted: whether two URLs give the same page is found out after fetching.
"""

from __future__ import annotations

import ipaddress
import re
from functools import lru_cache
from urllib.parse import unquote_to_bytes

import idna

from minisearch.errors import BadUrl
from minisearch.models import Detail

DEFAULT_PORTS = {"http": "80", "https": "443"}
EDGES = "".join(map(chr, range(0x21)))  # C0 controls and the space, which are trimmed; a no-break space is not
BREAKS = str.maketrans("", "", "\t\n\r")  # a URL may be broken over several lines
SURROGATE = re.compile("[\ud800-\udfff]")
SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
BARE_HOST = re.compile(r"(?P<near>(localhost|\d+(\.\d+){3})(?![\w.-]))|[\w-]+(\.[\w-]+)+(:\d|[^:]|$)")
HOST = re.compile(r"[a-z0-9._-]{1,253}")
LABEL = re.compile(r".{1,63}")
PORT = re.compile(r"0*([1-9][0-9]{0,4})")

UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
NOT_IN_PATH = re.compile(r"%[0-9A-Fa-f]{2}|[^A-Za-z0-9\-._~!$&'()*+,;=:@/]")
NOT_IN_QUERY = re.compile(r"%[0-9A-Fa-f]{2}|[^A-Za-z0-9\-._~!$&'()*+,;=:@/?]")

HAS_PATH = re.compile(r"[/.]|https?://|\w+[./-]")  # the beginning of links that do not depend on the page's own name
CACHED_LENGTH = 500  # characters of a link whose normal form is cached

# Tracking parameters by who adds them. A name that ends in "_" is a prefix. Only names without another meaning are
# listed: `ref`, `source` or `id` may choose the page.
TRACKING_PARAMETERS = {
    "Google Analytics and compatible": "utm_ _ga _gl ga_source ga_medium ga_campaign ga_term ga_content",
    "Google": "gclid gclsrc dclid gbraid wbraid srsltid gad_source gad_campaignid",
    "Facebook and Instagram": "fbclid fb_action_ids fb_action_types fb_source igshid igsh",
    "Microsoft": "msclkid",
    "Twitter": "twclid ref_src ref_url",
    "TikTok, Snapchat, Pinterest, Reddit, LinkedIn": "ttclid sccid epik rdt_cid li_fat_id",
    "Yandex": "yclid ysclid _openstat",
    "Matomo": "mtm_ matomo_ pk_ piwik_",
    "Mailchimp": "mc_cid mc_eid",
    "HubSpot": "_hsenc _hsmi __hssc __hstc __hsfp hsctatracking hsa_",
    "Marketo, Eloqua, Salesforce": "mkt_tok elqtrackid elqtrack sfmc_id",
    "other mailing services": "vero_id vero_conv oly_anon_id oly_enc_id ml_subscriber ml_subscriber_hash dm_i _ke",
    "other counters": "at_medium at_campaign s_cid wickedid irclickid rb_clickid _branch_match_id guccounter",
}
TRACKING = re.compile(
    "|".join(
        re.escape(name) + ("[^=]*" if name.endswith("_") else "(?==|$)")
        for names in TRACKING_PARAMETERS.values()
        for name in names.split()
    ),
    re.IGNORECASE,
)


def normalize(url: str, base: str = "") -> str:
    """The normal form of `url`; a relative one is resolved against the page `base`.

    >>> normalize("HTTP://Example.com:80/a/../b#top")
    'http://example.com/b'
    >>> normalize("../š.png?size=1 2", "https://example.com/a/b/c.html")
    'https://example.com/a/%C5%A1.png?size=1%202'
    """
    url = trim(url)
    scheme, rest, query = split(url)
    if scheme and scheme not in DEFAULT_PORTS:
        raise BadUrl(f'not an http or https URL: "{url}"{"" if base else suggestion(url)}')
    if rest.startswith("//"):
        return absolute(url, scheme or split(base_for(url, base))[0], rest, query)
    if scheme and scheme != split(trim(base))[0]:
        return absolute(url, scheme, rest, query)  # "http:example.com", as browsers read it
    base = base_for(url, base)
    front, mark, base_query = base.partition("?")
    if not rest:
        return front + (tidy_query(query) if query else mark + base_query)
    root = origin(base)
    folder = "/" if rest.startswith("/") else front[len(root) : front.rindex("/") + 1]
    return root + without_dots(folder + tidy(rest.removeprefix("/"), NOT_IN_PATH)) + tidy_query(query)


def join(href: str, base: str) -> str:
    """The normal form of a link on a page whose URL, `base`, is normal already; '' if it has none.

    Cached by folder, because the pages of a folder have most of their links in common.

    >>> join("../b.html#top", "http://example.com/a/index.html"), join("mailto:me", "http://example.com/")
    ('http://example.com/b.html', '')
    """
    href = href.partition("#")[0]
    if len(href) > CACHED_LENGTH or len(base) > CACHED_LENGTH or not HAS_PATH.match(href):
        return _join(href, base)
    return _join_in_folder(href, base.partition("?")[0].rpartition("/")[0] + "/")


def _join(href: str, base: str) -> str:
    try:
        return normalize(href, base)
    except BadUrl:
        return ""


_join_in_folder = lru_cache(maxsize=10_000)(_join)


def split_fragment(href: str) -> tuple[str, str]:
    """A link without spaces around it, and what it has after '#', as it is written; '' if it has none.

    >>> split_fragment(" a.html#b%20c\\n"), split_fragment("a.html")
    (('a.html', 'b%20c'), ('a.html', ''))
    """
    url, _, fragment = href.strip(EDGES).partition("#")
    return url, fragment if fragment.isprintable() else fragment.translate(BREAKS)


def trim(url: str) -> str:
    """The URL without its fragment, spaces around it, line breaks and half characters."""
    url = url.partition("#")[0].strip(EDGES)
    if not url.isprintable():  # most are
        url = SURROGATE.sub("\ufffd", url.translate(BREAKS))
    return url


def split(url: str) -> tuple[str, str, str]:
    """Scheme in lower case, host and path with forward slashes, and query."""
    front, _, query = url.partition("?")
    scheme = SCHEME.match(front)
    front = front.replace("\\", "/")
    return (scheme[1].lower(), front[scheme.end() :], query) if scheme else ("", front, query)


def base_for(url: str, base: str) -> str:
    """The normal form of the base that the relative `url` needs."""
    if base:
        return normalize(base)
    raise BadUrl(f'not an http or https URL: "{url}"{suggestion(url)}')


def suggestion(url: str) -> str:
    """A hint for a host that was typed without a scheme: http for local hosts, which seldom have a certificate.

    >>> suggestion("example.com/a"), suggestion("localhost:8000/docs/")
    (': try "https://example.com/a"', ': try "http://localhost:8000/docs/"')
    """
    host = BARE_HOST.match(url)
    return f': try "{"http" if host["near"] else "https"}://{url}"' if host else ""


def absolute(url: str, scheme: str, rest: str, query: str) -> str:
    """The normal form of what follows `scheme:` when it begins with a host."""
    authority, slash, path = rest.lstrip("/").partition("/")
    place = normal_host(url, scheme, authority.rpartition("@")[2])  # user name and password are dropped
    return f"{scheme}://{place}{without_dots(tidy(slash + path, NOT_IN_PATH))}{tidy_query(query)}"


def normal_host(url: str, scheme: str, place: str) -> str:
    """Host and, unless it is the default, port."""
    name, colon, port = place.rpartition(":")
    if not colon or (place.startswith("[") and not name.endswith("]")):
        name, port = place, ""
    try:
        name = ipv6(name) if name.startswith("[") else domain(name)
    except ValueError as error:  # idna's and UTF-8's errors are ValueErrors too
        raise BadUrl(f'invalid host "{name}" in "{url}"' if name else f'no host in "{url}"') from error
    number = PORT.fullmatch(port)
    if port and not (number and int(number[1]) < 65536):
        raise BadUrl(f'invalid port "{port}" in "{url}"')
    return f"{name}:{number[1]}" if number and number[1] != DEFAULT_PORTS[scheme] else name


def domain(name: str) -> str:
    """A domain in lower-case ASCII without its final dot (UTS 46), or an IPv4 address as four numbers.

    >>> domain("Ćirilica.Срб."), domain("0x7f.1")
    ('xn--irilica-44a.xn--90a3ac', '127.0.0.1')
    """
    if "%" in name:
        name = unquote_to_bytes(name).decode()
    if not name.isascii():
        name = idna.uts46_remap(name, std3_rules=False, transitional=False)
        name = ".".join(label if label.isascii() else idna.alabel(label).decode() for label in name.split("."))
    name = name.lower().removesuffix(".")
    labels = name.split(".")
    if not HOST.fullmatch(name) or not all(map(LABEL.fullmatch, labels)):
        raise ValueError(name)
    return ipv4(labels) if labels[-1].isdigit() or labels[-1].startswith("0x") else name


def ipv4(labels: list[str]) -> str:
    """Four decimal numbers, from any of the ways in which C libraries and browsers read an IPv4 address."""
    if len(labels) > 4 or not all(map(str.isalnum, labels)):
        raise ValueError(labels)
    *front, last = [int(label, 16 if label[:2] == "0x" else 8 if label[0] == "0" else 10) for label in labels]
    if any(number > 255 for number in front) or last >= 256 ** (4 - len(front)):
        raise ValueError(labels)
    return str(ipaddress.IPv4Address(bytes(front) + last.to_bytes(4 - len(front), "big")))


def ipv6(name: str) -> str:
    """An IPv6 address in brackets and in its shortest form.

    >>> ipv6("[2001:DB8:0:0::1]")
    '[2001:db8::1]'
    """
    address = ipaddress.IPv6Address(name[1:-1] if name.endswith("]") and "%" not in name else "")
    if address.ipv4_mapped:  # Python's versions differ in how they write these
        high, low = divmod(int(address.ipv4_mapped), 65536)
        return f"[::ffff:{high:x}:{low:x}]"
    return f"[{address.compressed}]"


def tidy(text: str, untidy: re.Pattern[str]) -> str:
    """The text with percent-encoding in upper case, and only where it is needed.

    >>> tidy("/%7euser/100%/a b%2f", NOT_IN_PATH)
    '/~user/100%25/a%20b%2F'
    """
    return untidy.sub(respell, text)


def respell(found: re.Match[str]) -> str:
    """The normal spelling of one `%xx`, or of one character that has to be encoded."""
    if len(found[0]) == 1:
        return "".join(f"%{byte:02X}" for byte in found[0].encode())
    code = int(found[0][1:], 16)
    return chr(code) if code in UNRESERVED else found[0].upper()


def tidy_query(query: str) -> str:
    """The query with its question mark and without tracking parameters; '' if nothing remains."""
    query = untracked(tidy(query, NOT_IN_QUERY)) if query else ""
    return "?" + query if query else ""


def untracked(query: str) -> str:
    """The query without tracking parameters.

    >>> untracked("id=7&utm_source=news&utm_medium=mail&page=2"), untracked("fbclid=x"), untracked("gclids=1")
    ('id=7&page=2', '', 'gclids=1')
    """
    return "&".join(part for part in query.split("&") if not TRACKING.match(part))


def tracking_parameters(url: str) -> list[str]:
    """The names of the tracking parameters of a URL.

    >>> tracking_parameters("http://example.com/?id=7&utm_source=news&gclid=1")
    ['utm_source', 'gclid']
    """
    parts = url.partition("#")[0].partition("?")[2].split("&")
    return [part.partition("=")[0] for part in parts if TRACKING.match(part)]


def without_dots(path: str) -> str:
    """The path with "." and ".." resolved.

    >>> without_dots("/a/./b/../c")
    '/a/c'
    """
    if "/." not in path:
        return path or "/"
    kept: list[str] = []
    segments = path.split("/")[1:]
    for segment in segments:
        if segment == "..":
            del kept[-1:]
        elif segment != ".":
            kept.append(segment)
    if segments[-1] in (".", ".."):
        kept.append("")
    return "/" + "/".join(kept)


def origin(url: str) -> str:
    """Scheme, host and port of a normalised URL.

    >>> origin("http://example.com:8080/a?b")
    'http://example.com:8080'
    """
    return "/".join(url.split("/", 3)[:3])


def host(url: str) -> str:
    """Host of a normalised URL, with its port unless that is the default.

    >>> host("http://example.com:8080/a?b")
    'example.com:8080'
    """
    return url.split("/", 3)[2]


def unfollowable(written: str) -> tuple[str, Detail]:
    """(rule, details) why a link without a normal form cannot be followed.

    >>> unfollowable("mailto:me@example.com"), unfollowable("http://[bad/")[0]
    (('scheme', {'scheme': 'mailto'}), 'malformed')
    """
    scheme = split(trim(written))[0]
    if scheme and scheme not in DEFAULT_PORTS:
        return "scheme", {"scheme": scheme}
    return "malformed", {}
