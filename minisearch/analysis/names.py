"""Exact-match keys: terms by which a title, a heading, an anchor text or a URL path can be searched for as a whole.

A query that equals the title of a page asks for that page. So every title, heading and anchor text of a few words is
also one term: "Committing Changes" is `=commit chang`. An identifier also has the keys of its tails:
`pandas.DataFrame.dropna` matches `DataFrame dropna` and `dropna`; and the key without its kind: "Struct
std::vec::Vec". A numbered one has the key without its number, because people do not type the "23.6." of
"23.6. Tablespaces". An option keeps its dashes, because `--json` is not about JSON.

A title also has a key without stemming, `==committing changes`: there is a page about `queue`, and another about
queues. And a query may be the end of a URL path: a.b.C matches .../a/b/C.html, whatever its title.
"""

from __future__ import annotations

import re
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from functools import cache, lru_cache
from hashlib import blake2b
from itertools import chain, islice
from urllib.parse import unquote

from minisearch.analysis.analyzer import REMEMBERED, Analyzer, stands_whole, unstemmed
from minisearch.analysis.normalize import PICTURES, fold
from minisearch.analysis.tokenizer import PLAIN_TOKEN, TOKEN, parts, tokens

MARK = "="  # no other term begins with it
LONGEST = 16  # letters of a key that is kept as it is
MOST_WORDS = 16  # a longer line is text, not a name
_TOKEN_OR_BREAK = re.compile(rf"\n|{TOKEN.pattern}")
_PLAIN_TOKEN_OR_BREAK = re.compile(rf"\n|{PLAIN_TOKEN.pattern}", re.ASCII)
_PICTURE = re.compile(f"[{PICTURES}]")  # decorates a title, and is not typed
_SITE_SEPARATOR = re.compile(r"\s+[—–|·•»:-]+\s+")  # between the title of a page and the name of its site
_BRACKETS = re.compile(r"\s\((?:[^()]|\([^()]*\))*\)\s*$")  # at the end of a title: the site, or what sort of thing
_OPTION = re.compile(r"\s?(--?)[^\W\d]")  # the blank is left where a filter was taken out of a query
_KINDS = {  # of things that an identifier may be the name of
    "class", "struct", "interface", "enum", "union", "trait", "type", "function", "method", "macro", "constant",
    "module", "package", "namespace", "crate", "template", "reference",
}  # fmt: skip
_KIND = f"(?i:{'|'.join(sorted(_KINDS))})"
_DEFINED = re.compile(rf"(?:{_KIND}\s+)?(\w++(?:(?:\.|::)\w++)*+)(?:\(\))?(?:\s*<.*>)?((?:\s+{_KIND})*)")
_JOINT = re.compile(r"\.|::")
_BLANK = re.compile(r"\s")
_CODE = re.compile(r"[a-z][A-Z]|[_.:]")  # looks like an identifier

_NUMBER = re.compile(
    r"""\s*(?:(?i:chapter|part|section|appendix)\s+(?:\d+(?:\.\d+)*|[A-Z](?:\.\d+)*|[IVXLC]+)[.:)]?
        |(?:[^\W\d_]++\s+)?(?:\d+|[A-Z](?=\.\d))(?:\.\d+)*[.)]  # "Kapitel 2.", whatever the language
        |第\s*[\d一二三四五六七八九十百]+\s*[章节節部]
        |\d{1,2}(?:\.\d+)*(?=\s+[^\W\d_a-z]))\s+(?=\S)  # but not "10 minutes", which are counted""",
    re.VERBOSE,
)  # of a chapter or a section

MOST_PATH_LETTERS = 200  # of an identifier that may be a URL path
MOST_PATH_WORDS = 4  # that may be the steps of a path; more are a sentence
_PATH = re.compile(r"\w[\w-]*(?:(?:(?:::|[./])\w[\w-]*)+|(?:\s+\w[\w-]*)+)(?=(?:\(\))?$)")
_STEP = re.compile(r"::|[./]+|\s+")
_FILE_TYPE = re.compile(r"(?:(?<=/)index)?\.(?:x?html?|php)$")  # and the page of a folder; they are not typed


def exact_key(line: str, analyzer: Analyzer) -> str:
    """The key of a whole line, or '' if it has no words or too many.

    >>> from minisearch.analysis.analyzer import Analyzer
    >>> [exact_key(line, Analyzer("en")) for line in ("Committing Changes", "--json", "-- so it goes")]
    ['=commit chang', '=--json', '=so it goe']
    """
    return _keys([line], analyzer, MARK)[0]


def literal_key(line: str, language: str) -> str:
    """The key of a whole line without stemming, or '' if it has no words or too many.

    >>> literal_key("Committed", "en"), literal_key("Queues", "en"), literal_key("queue", "en")
    ('==committed', '==queues', '==queue')
    """
    return _keys([line], unstemmed(language), MARK * 2)[0]


def _keys(lines: Sequence[str], analyzer: Analyzer, mark: str) -> list[str]:
    """The keys of whole lines: all of them are cut into tokens at one go, which is far quicker than one by one."""
    lines = [line.replace("\n", " ") for line in lines]
    keys: dict[str, str] = {}
    for is_ascii, pattern in ((True, _PLAIN_TOKEN_OR_BREAK), (False, _TOKEN_OR_BREAK)):
        chosen = [line for line in lines if line.isascii() == is_ascii]
        tokens = pattern.findall("\n".join(chosen))
        terms = " ".join(filter(None, map(_token_keys(analyzer), tokens)))
        keys |= zip(chosen, terms.split("\n"), strict=True) if chosen else ()
    return [_key(line, keys[line].strip(), mark) for line in lines]


def _key(line: str, terms: str, mark: str) -> str:
    if not terms or terms.count(" ") >= MOST_WORDS:
        return ""
    option = _OPTION.match(line) if "-" in line[:2] else None
    return mark + shortened((option[1] if option else "") + terms)


@cache
def _token_keys(analyzer: Analyzer) -> Callable[[str], str]:
    """The function that gives the terms of the parts of a token, joined; a line break stays."""

    @lru_cache(maxsize=REMEMBERED)  # most tokens come up again
    def key(token: str) -> str:
        if token == "\n":  # noqa: S105 - not a password
            return token
        pieces = parts(token)
        if len(pieces) == 1 and stands_whole(token, pieces):  # C++ is not C
            pieces = [token]
        return " ".join(term for term in map(analyzer.term, pieces) if not _PICTURE.match(term))

    return key


def shortened(key: str) -> str:
    """A key as it is stored: long ones, of which there are many, as a fingerprint of 60 bits.

    >>> shortened("commit chang"), len(shortened("tracking queries, object and session changes with events"))
    ('commit chang', 10)
    """
    if len(key) <= LONGEST:
        return key
    return urlsafe_b64encode(blake2b(key.encode("utf-8", "replace"), digest_size=8).digest()).decode()[:10]


def line_keys(lines: Sequence[str], analyzer: Analyzer) -> list[set[str]]:
    """All keys of each of some headings or anchor texts.

    >>> from minisearch.analysis.analyzer import Analyzer
    >>> [sorted(keys) for keys in line_keys(["DataFrame.dropna", "Roses"], Analyzer("en"))]
    [['=YAT6I-p8LF', '=dropna'], ['=rose']]
    """
    spellings = [[line, *aliases(line)] for line in lines]
    return _of_each(spellings, _keys([*chain.from_iterable(spellings)], analyzer, MARK))


def title_keys(titles: Sequence[str], analyzer: Analyzer) -> list[set[str]]:
    """All keys of each of some titles, with and without number, brackets at the end and name of the site.

    >>> from minisearch.analysis.analyzer import Analyzer
    >>> [sorted(keys) for keys in title_keys(["Roses - A park"], Analyzer("en"))]
    [['==roses', '==roses a park', '=rose', '=rose a park']]
    """
    typed = [_title_parts(title) for title in titles]
    spellings = [each.union(*map(aliases, each)) for each in typed]
    exact = _of_each(spellings, _keys([*chain.from_iterable(spellings)], analyzer, MARK))
    literal = _of_each(typed, _keys([*chain.from_iterable(typed)], unstemmed(analyzer.language), MARK * 2))
    return [one | other for one, other in zip(exact, literal, strict=True)]


def _of_each(groups: Iterable[Sized], keys: Iterable[str]) -> list[set[str]]:
    """The keys of each group, of which there are as many as it has lines."""
    remaining = iter(keys)
    return [{*islice(remaining, len(group))} - {""} for group in groups]


def _title_parts(title: str) -> set[str]:
    """A title with and without the name of the site, brackets at its end and its number; "Site: identifier", too."""
    short = _SITE_SEPARATOR.split(title, maxsplit=1)[0]
    found = {title, short, _BRACKETS.sub("", short), *_identifiers(short.partition(": ")[2])}
    return found | {_unnumbered(each) for each in found}


def _unnumbered(line: str) -> str:
    """A line without the number of its chapter or section.

    >>> _unnumbered("23.6. Tablespaces"), _unnumbered("Appendix F. Contrib"), _unnumbered("3D models")
    ('Tablespaces', 'Contrib', '3D models')
    """
    number = _NUMBER.match(line)
    return line[number.end() :] if number else line


def aliases(line: str) -> list[str]:
    """Other ways to ask for a line: without its number, and by the tails of an identifier.

    >>> aliases("23.6. Tablespaces"), aliases("os.path.join"), aliases("Roses")
    (['Tablespaces'], ['path.join', 'join'], [])
    """
    if line.isidentifier():  # as very many headings of a reference are
        return []
    is_one_word = not _BLANK.search(line)
    if not is_one_word and (number := _NUMBER.match(line)):
        return [line[number.end() :]]
    tails = list(_tails(line)) if "." in line else []
    return tails if is_one_word and "::" not in line else [*tails, *_identifiers(line)]


def _tails(line: str) -> Iterator[str]:
    """`path.join` and `join`, if the line is `os.path.join` and nothing else."""
    found = [token.group().split(".") for token in islice(tokens(line), 2)]
    if len(found) == 1:
        yield from (".".join(found[0][start:]) for start in range(1, len(found[0]))[-MOST_WORDS:])


def _identifiers(line: str) -> Iterator[str]:
    """The identifier in a line such as "class os.PathLike", and its tails; also identifiers of C++ and Rust.

    >>> list(_identifiers("Struct std::vec::Vec")), list(_identifiers("sf::Color Class Reference"))
    (['std::vec::Vec', 'vec::Vec', 'Vec'], ['sf::Color', 'Color'])
    """
    first, _, rest = line.strip().partition(" ")
    has_kind = bool(rest) and (first.lower() in _KINDS or rest.rpartition(" ")[2].lower() in _KINDS)
    if not has_kind and "::" not in line:  # as in nearly all lines: there is none
        return
    if found := _DEFINED.fullmatch(line.strip()):
        path, after = found.groups()
        if has_kind and (after.endswith("Reference") or _CODE.search(path)):
            yield path
        yield from (path[joint.end() :] for joint in [*_JOINT.finditer(path)][-MOST_WORDS:])


def path_steps(line: str) -> tuple[str, ...]:
    """The steps of a URL path that a query may match: an identifier or a few words; otherwise none.

    >>> path_steps("java.util.Map"), path_steps("std::vec::Vec"), path_steps("os/path"), path_steps("os.path.join()")
    (('java', 'util', 'map'), ('std', 'vec', 'vec'), ('os', 'path'), ('os', 'path', 'join'))
    >>> path_steps("util Map"), path_steps("roses"), path_steps("os.path module"), path_steps("...")
    (('util', 'map'), (), (), ())
    """
    path = _PATH.match(line.strip()[:MOST_PATH_LETTERS])
    steps = tuple(_STEP.split(fold(path[0]))) if path else ()
    return steps if path and (len(steps) <= MOST_PATH_WORDS or not _BLANK.search(path[0])) else ()


def path_ends_with(steps: tuple[str, ...], url: str) -> bool:
    """Whether the path of a URL ends in these steps, in this order, but for the file type.

    >>> steps = path_steps("util.Map")
    >>> [path_ends_with(steps, f"http://h/{path}") for path in ("java/util/Map.html", "util/Map/", "util.Map", "util/Maps")]
    [True, True, True, False]
    >>> path_ends_with(steps, "http://h/util/Map/index.html"), path_ends_with(path_steps("Map.html"), "http://h/Map.html")
    (True, True)
    """  # noqa: E501
    path = url[url.find("/", url.find("://") + 3) :]
    if "?" in path:
        return False
    path = path.lower() if path.isascii() and "%" not in path else fold(unquote(path, errors="replace"))
    end = "/" + "/".join(steps)
    return any(known.replace(".", "/").rstrip("/").endswith(end) for known in (_FILE_TYPE.sub("", path), path))
