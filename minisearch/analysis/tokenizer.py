"""How text is cut: tokens, and the words a token is made of.

A token is the text between blanks and punctuation, joined by the marks that hold identifiers together:
`os.path.join`, `utf-8`, `don't`, `ThreadPoolExecutor`, `C++`. It is indexed by its parts, and whole if it has
more than one, so that it is found by either spelling.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from minisearch.analysis.normalize import INVISIBLE, MARKS, PAIRED, PICTURES, fold, without_unseen

LETTER = re.compile(rf"[\w{MARKS}{PICTURES}{INVISIBLE}]")
_REST = rf"[\w{MARKS}{PICTURES}]*(?:[{INVISIBLE}]+[\w{MARKS}{PICTURES}]+)*"
_RUN = rf"[\w{PICTURES}]{_REST}"
_DOT = r"(?:(?<!\.)|(?<![\w.]\.)(?=[Nn][Ee][Tt]\b))"  # .NET: the one name with a dot before it that needs it
TOKEN = re.compile(rf"[\w{PICTURES}.]{_DOT}{_REST}(?:[.'’\-\u2010\u2011]{_RUN})*(?:\+\+|#)?")
PLAIN_TOKEN = re.compile(rf"[\w.]{_DOT}\w*(?:[.'\-]\w+)*(?:\+\+|#)?", re.ASCII)  # the same, for text of plain letters
LONGEST = 64  # letters of a term; longer ones are cut, because they are data and not words

_JOINT = re.compile(r"[.\-_\u2010]+|(?<=[a-zß-ÿ0-9])(?=[A-ZÀ-Þ])|(?<=[A-Z])(?=[A-Z][a-zß-ÿ])")
_SEPARATING = re.compile(r"[.\-_]+")  # the only joints of a token without capital letters
_CLUSTER = re.compile(rf"(?s:.)[{MARKS}{INVISIBLE}\uff9e\uff9f]*")  # a letter with its accents, which are shown as one
_BLACK = re.compile(r"\S+")


def tokens(text: str) -> Iterator[re.Match[str]]:
    """The tokens of `text`, with their places.

    >>> [m.group() for m in tokens("Use os.path.join, don't split C++ or utf-8.")]
    ['Use', 'os.path.join', "don't", 'split', 'C++', 'or', 'utf-8']
    """
    return (PLAIN_TOKEN if text.isascii() else TOKEN).finditer(text)


def parts(token: str) -> list[str]:
    """The words a token is made of.

    >>> parts("ThreadPoolExecutor"), parts("HTTPServer"), parts("snake_case"), parts("C++"), parts("3.11")
    (['Thread', 'Pool', 'Executor'], ['HTTP', 'Server'], ['snake', 'case'], ['C'], ['3', '11'])
    >>> parts("全文検索と text")
    ['全文', '文検', '検索', '索と', 'text']
    """
    bare = token.rstrip("+#")
    if bare.isalpha() and (bare.islower() or bare.isupper() or bare.istitle()) and bare.isascii():
        return [bare[:LONGEST]]  # by far the most frequent case
    if bare.isascii():
        joints = _SEPARATING if bare.islower() else _JOINT
        return [piece[:LONGEST] for piece in joints.split(bare) if piece]
    found = _JOINT.split(unicodedata.normalize("NFKC", without_unseen(bare)))
    words = (piece[start:end] for piece in found for start, end in _spaced_places(piece))
    return [word for word in words if fold(word)]  # not an accent on no letter


def parts_of_all(tokens: Sequence[str]) -> list[list[str]]:
    """The words that each of many tokens is made of, which are identifiers in ASCII: faster than one by one.

    >>> parts_of_all(["ThreadPoolExecutor", "os.path"])
    [['Thread', 'Pool', 'Executor'], ['os', 'path']]
    """
    return [cut.split() for cut in _JOINT.sub(" ", "\n".join(tokens)).split("\n")] if tokens else []


def spans(token: str) -> list[tuple[int, int, str]]:
    """The parts of a token, each with its place in it: what to show of a run of letters without spaces.

    >>> spans("Pythonで検索")
    [(0, 6, 'Python'), (6, 8, 'で検'), (7, 9, '検索')]
    """
    bare = token.rstrip("+#")
    clusters = [
        (found.start(), found.end(), unicodedata.normalize("NFKC", without_unseen(found[0])))
        for found in _CLUSTER.finditer(bare)
    ]
    normal = "".join(letters for _, _, letters in clusters)
    if normal != unicodedata.normalize("NFKC", without_unseen(bare)):  # letters melt together, as those of old Hangul
        return [(0, len(token), part) for part in parts(token)]
    origin = [(start, end) for start, end, letters in clusters for _ in letters]
    found, at = [], 0
    for joint in (*_JOINT.finditer(normal), None):
        end = joint.start() if joint else len(normal)
        piece = normal[at:end]
        found += [(at + start, at + stop, piece[start:stop]) for start, stop in _spaced_places(piece)]
        at = joint.end() if joint else end
    return [(origin[start][0], origin[stop - 1][1], part) for start, stop, part in found if fold(part)]


def _spaced_places(piece: str) -> Iterator[tuple[int, int]]:
    """Where the words are in part of a token, and the overlapping pairs of letters of scripts without spaces."""
    start = 0
    for run in PAIRED.finditer(piece):
        yield from _cut_places(piece, start, run.start())
        for place in range(run.start(), max(run.end() - 1, run.start() + 1)):
            yield place, min(place + 2, run.end())
        start = run.end()
    yield from _cut_places(piece, start, len(piece))


def _cut_places(piece: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for word in _BLACK.finditer(piece, start, end):
        yield word.start(), min(word.end(), word.start() + LONGEST)
