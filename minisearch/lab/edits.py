"""Edits of a graph: each returns a new graph and leaves the old one unchanged.

As commands, for the terminal and the lab page:

    add A B          a link from A to B, a new page if a name is new
    cut A B          every link from A to B
    page A           a new page without links
    remove A         page A with all its links
    trap A           A links only to itself: a spider trap
    dead-end A       remove all links of A
    farm T 30        30 new pages that T links to and that link back: a spam farm for T
    farm T 30 A B    the same, and A and B link to T
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence

import numpy as np

from minisearch.errors import BadInput
from minisearch.lab.webs import Web

MOST_SUPPORTERS = 1_000_000


def add_link(web: Web, source: str, target: str, weight: float = 1.0) -> Web:
    """One more link; pages that are not there yet are made.

    >>> add_link(Web.of("AB"), "A", "C").names
    ('A', 'B', 'C')
    """
    names = dict.fromkeys([*web.names, source, target])
    place = {name: number for number, name in enumerate(names)}
    return Web(
        tuple(names),
        np.append(web.sources, place[source]),
        np.append(web.targets, place[target]),
        np.append(web.weights, weight),
    )


def cut_link(web: Web, source: str, target: str) -> Web:
    """Without the links from one page to another; BadInput if there are none."""
    here = (web.sources == web.number(source)) & (web.targets == web.number(target))
    if not here.any():
        raise BadInput(f"{source} does not link to {target}")
    return _keeping(web, ~here)


def cut_links(web: Web, source: str) -> Web:
    """Without any link of a page: a dead end."""
    return _keeping(web, web.sources != web.number(source))


def remove_page(web: Web, name: str) -> Web:
    """Without a page, the links to it and its own.

    >>> remove_page(Web.of("ABC", [("A", "B"), ("B", "C"), ("A", "C")]), "B").links()
    [('A', 'C', 1.0)]
    """
    gone = web.number(name)
    if web.n == 1:
        raise BadInput(f"{name} is the only page and cannot be removed")
    kept = _keeping(web, (web.sources != gone) & (web.targets != gone))
    names = (*web.names[:gone], *web.names[gone + 1 :])
    return Web(names, kept.sources - (kept.sources > gone), kept.targets - (kept.targets > gone), kept.weights)


def add_page(web: Web, name: str) -> Web:
    """One more page, which has no links; BadInput if there is one of that name.

    >>> add_page(Web.of("AB"), "C").names
    ('A', 'B', 'C')
    """
    if name in web.numbers:
        raise BadInput(f'a page named "{name}" already exists')
    return Web((*web.names, name), web.sources, web.targets, web.weights)


def add_trap(web: Web, name: str) -> Web:
    """A page that links to itself only, so that whoever comes there by links stays."""
    return add_link(cut_links(web, name) if name in web.numbers else web, name, name)


def plant_farm(web: Web, target: str, supporters: int, accessible: Sequence[str] = ()) -> Web:
    """A spam farm: new pages that the target links to and that link back, and links from accessible pages to it."""
    if not 1 <= supporters <= MOST_SUPPORTERS:
        raise BadInput(f"a farm has 1 to {MOST_SUPPORTERS} supporters, not {supporters}")
    if target not in web.numbers:
        web = Web((*web.names, target), web.sources, web.targets, web.weights)
    fresh = _fresh_names(web, target, supporters)
    first, hub = web.n, web.number(target)
    farm = np.arange(first, first + supporters)
    doors = np.array([web.number(name) for name in accessible], dtype=np.int64)
    sources = np.concatenate([web.sources, np.full(supporters, hub), farm, doors])
    targets = np.concatenate([web.targets, farm, np.full(supporters, hub), np.full(len(doors), hub)])
    weights = np.concatenate([web.weights, np.ones(2 * supporters + len(doors))])
    return Web((*web.names, *fresh), sources, targets, weights)


def _fresh_names(web: Web, target: str, count: int) -> list[str]:
    mark = f"{target}-s"
    while any(f"{mark}{number}" in web.numbers for number in range(1, count + 1)):
        mark += "'"
    return [f"{mark}{number}" for number in range(1, count + 1)]


def _keeping(web: Web, kept: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> Web:
    return Web(web.names, web.sources[kept], web.targets[kept], web.weights[kept])


def edit(web: Web, *words: str) -> Web:
    """The web after each of these edits, written as the head of this module says.

    >>> edit(Web.of("AB"), "add A B", "add B A").size
    2.0
    """
    for line in words:
        try:
            verb, *rest = shlex.split(line)
        except ValueError:
            raise BadInput(f'"{line}" is not an edit: it is empty or has an unbalanced quote') from None
        if verb not in VERBS:
            raise BadInput(f'"{line}" is not an edit: start with {", ".join(VERBS)}')
        least, most, change = VERBS[verb]
        if not least <= len(rest) <= most:
            raise BadInput(f'"{line}" is not an edit: {verb} takes {_needs(least, most)}')
        web = change(web, *rest)
    return web


def _needs(least: int, most: int) -> str:
    if most > least:
        return f"{least} or more words"
    return "one word" if least == 1 else f"{least} words"


def _farm(web: Web, target: str, supporters: str, *accessible: str) -> Web:
    if not (supporters.isascii() and supporters.isdigit()):
        raise BadInput(f'"{supporters}" is not a number of supporters')
    return plant_farm(web, target, int(supporters[:12]), accessible)


VERBS: dict[str, tuple[int, int, Callable[..., Web]]] = {  # the fewest and the most words after it, and what it does
    "add": (2, 2, add_link),
    "cut": (2, 2, cut_link),
    "remove": (1, 1, remove_page),
    "page": (1, 1, add_page),
    "trap": (1, 1, add_trap),
    "dead-end": (1, 1, cut_links),
    "farm": (2, 1000, _farm),
}
