"""How text is cut: tokens, and the words a token is made of.

A token is what stands between blanks and punctuation, joined by the marks that hold identifiers together:
`os.path.join`, `utf-8`, `don't`, `ThreadPoolExecutor`, `C++`. It is indexed by its parts, and whole if it has
more than one, so that it is found by either spelling.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from minisearch.text.scripts import MARKS, UNSPACED, bigrams, fold

LETTER = re.compile(rf"[\w{MARKS}]")
_RUN = rf"\w[\w{MARKS}]*"
TOKEN = re.compile(rf"{_RUN}(?:[.'’\-]{_RUN})*(?:\+\+|#)?")
LONGEST = 64  # letters of a term; what is longer is cut, for it is data and not a word

_JOINT = re.compile(r"[.\-_]+|(?<=[a-zß-ÿ0-9])(?=[A-ZÀ-Þ])|(?<=[A-Z])(?=[A-Z][a-zß-ÿ])")
_TAIL = re.compile(r"[+#]+$")


def tokens(text: str) -> Iterator[re.Match[str]]:
    """The tokens of `text`, with their places.

    >>> [m.group() for m in tokens("Use os.path.join, don't split C++ or utf-8.")]
    ['Use', 'os.path.join', "don't", 'split', 'C++', 'or', 'utf-8']
    """
    return TOKEN.finditer(text)


def parts(token: str) -> list[str]:
    """The words a token is made of.

    >>> parts("ThreadPoolExecutor"), parts("HTTPServer"), parts("snake_case"), parts("C++"), parts("3.11")
    (['Thread', 'Pool', 'Executor'], ['HTTP', 'Server'], ['snake', 'case'], ['C'], ['3', '11'])
    >>> parts("全文検索と text")
    ['全文', '文検', '検索', '索と', 'text']
    """
    bare = _TAIL.sub("", token)
    if bare.isalpha() and (bare.islower() or bare.isupper() or bare.istitle()) and bare.isascii():
        return [bare[:LONGEST]]  # by far the most frequent case
    if bare.isascii():
        return [piece[:LONGEST] for piece in _JOINT.split(bare) if piece]
    found = [piece[:LONGEST] for piece in _JOINT.split(unicodedata.normalize("NFKC", bare))]
    return [word for piece in found for word in _spaced(piece) if fold(word)]  # not an accent on no letter


def _spaced(piece: str) -> Iterator[str]:
    start = 0
    for run in UNSPACED.finditer(piece):
        yield from piece[start : run.start()].split()
        yield from bigrams(run.group())
        start = run.end()
    yield from piece[start:].split()
