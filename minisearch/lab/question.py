"""A request to the lab page: a graph, edits, a graph to compare with, and the options of an experiment.

The fields come from a form or from URL parameters. They are

    text form preset crawl web    the graph: a text in any format, a preset's name, the top pages of the crawl, or
                                  `web` as in lab/address.py; the first of these that is not empty counts
    edits farm supporters doors   edits, one on each line as in lab/edits.py; and a spam farm for a page
    before                        another graph, a preset's name or as `web`, to compare with
    once no_loops                 whether repeated links and self-links count
    numbers                       published ranks, for the doctor
    and the options of an experiment: method, damping, dangling, teleport, rounds ... as in lab/options.py

Requests are not trusted, so everything has a limit: pages, links, iterations, moves, and seconds (rank/patience.py).
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from minisearch.errors import BadInput
from minisearch.lab import address, edgelist, edits, formats, presets
from minisearch.lab.experiment import Experiment
from minisearch.lab.formats import PARSERS
from minisearch.lab.lessons import LESSONS
from minisearch.lab.lines import GZIP, clip, decode, unpack
from minisearch.lab.options import APPLICABLE, METHODS, experiment, parts_of
from minisearch.lab.webs import Web
from minisearch.rank.conventions import CONVENTIONS
from minisearch.rank.pagerank import DANGLING
from minisearch.rank.patience import look

MOST_PAGES = 2_000
MOST_LINKS = 40_000
MOST_ROUNDS = 1_000
MOST_MOVES = 1_000_000  # of a surfer
MOST_SUPPORTERS = 300
MOST_TOPICS = 12  # each is a ranking of its own
MOST_EXACT = 40  # pages whose ranks are solved in fractions
MOST_TRACED = 100  # pages of which every round is kept, where nothing else bounds the rounds
MOST_LETTERS = 2_000_000  # of a web as text
FIRST = "five-pages"  # where everybody begins

CHOICES = (  # the fields of an Experiment that may be chosen
    *("method", "damping", "dangling", "rounds", "tolerance", "teleport", "start", "convention", "decimals"),
    *("rescale", "apart", "exact", "trusted", "topics", "preference", "order", "weighted", "by_host", "fits", "steps"),
    "seed",
)
SWITCHES = ("rescale", "apart", "exact", "weighted", "by_host")
FIELDS = (
    *("preset", "text", "form", "web", "crawl", "edits", "farm", "supporters", "doors", "before", "once", "no_loops"),
    *("numbers", *CHOICES),
)


@dataclass(frozen=True)
class Question:
    """A question, understood."""

    web: Web  # with all changes made
    plain: Web  # before these, to compare with
    what: Experiment
    name: str = ""  # of the preset, if it is one
    farm: str = ""  # the page that a farm was planted for
    supporters: int = 0
    doors: tuple[str, ...] = ()
    numbers: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)  # as asked, without what is empty

    @property
    def preset(self) -> presets.Preset | None:
        """The preset, if it is one."""
        return presets.preset(self.name) if self.name else None

    @property
    def changed(self) -> bool:
        """Whether there is anything to compare."""
        return self.plain is not self.web

    @property
    def what_before(self) -> Experiment:
        """The same experiment on the graph before the changes; BadInput if it names pages that are not there."""
        return replace(_experiment(self.plain, self.fields), trace=False)


def understand(asked: Mapping[str, str], crawl: Callable[[int], Web] | None = None) -> Question:
    """The question that these texts ask; BadInput if they make no sense. `crawl` gives the first pages of a crawl.

    >>> understand({"preset": "spider-trap", "damping": "0.8"}).what.damping
    '0.8'
    """
    fields = {name: asked[name].strip() for name in FIELDS if asked.get(name, "").strip()}
    if "text" in fields:
        fields["text"] = asked["text"].strip("\r\n")  # a matrix may begin or end with an empty cell
    plain = check(_counted(_web(fields, crawl), fields))
    web = plain
    for line in lines_of(fields.get("edits", "")):
        look()
        web = check(edits.edit(web, line))
    supporters, doors = 0, tuple(parts_of(fields.get("doors", "")))
    if fields.get("farm"):
        supporters = _supporters(fields.get("supporters", "10"))
        words = ["farm", fields["farm"], str(supporters), *doors]
        web = edits.edit(web, shlex.join(words)) if supporters else web
    if fields.get("before"):
        plain = check(_counted(_named(fields["before"]), fields))
    name = "" if "text" in fields else fields.get("preset", "" if {"web", "crawl"} & set(fields) else FIRST)
    what = _experiment(check(web), fields)
    return Question(
        web, plain, what, name, fields.get("farm", ""), supporters, doors, fields.get("numbers", ""), fields
    )


def lines_of(text: str) -> list[str]:
    """The lines of a text that say something."""
    return [line.strip() for line in text.splitlines() if line.strip()]


def _web(fields: Mapping[str, str], crawl: Callable[[int], Web] | None) -> Web:
    if "text" in fields:
        return read(fields["text"], fields.get("form", ""))
    if "preset" in fields:
        return presets.web(fields["preset"])
    if "crawl" in fields:
        if crawl is None:
            raise BadInput("there is no crawl to load pages from")
        return crawl(_whole(fields["crawl"], "the number of pages of the crawl", 1, MOST_PAGES))
    return _named(fields["web"]) if "web" in fields else presets.web(FIRST)


def read(text: str, form: str = "", name: str = "the text") -> Web:
    """A web from a text in one of the formats, or in the short form of addresses; `form` if it is known."""
    if len(text) > MOST_LETTERS:
        raise BadInput(f"{name} is too long: the limit is {MOST_LETTERS:,} characters")
    text = decode(text.encode("utf-8", "replace"), name)
    return formats.parse(text, form or formats.form_of(name, text), name)


def _named(text: str) -> Web:
    known = presets.preset(text)
    return known.web() if known else address.read(text)


def _counted(web: Web, fields: Mapping[str, str]) -> Web:
    if "once" not in fields and "no_loops" not in fields:
        return web
    return web.counting(repeated="once" not in fields, loops="no_loops" not in fields)


def check(web: Web) -> Web:
    """The same web; BadInput if it is larger than is computed for anybody who asks."""
    if web.n > MOST_PAGES or len(web.sources) > MOST_LINKS:
        raise BadInput(
            f"{web.n:,} pages with {len(web.sources):,} links exceed the limits of this page ({MOST_PAGES:,} and "
            f'{MOST_LINKS:,}): "minisearch lab rank FILE" in a terminal has no such limit'
        )
    return web


def _experiment(web: Web, fields: Mapping[str, str]) -> Experiment:
    choices = {name: fields[name] for name in CHOICES if name in fields}
    what = experiment(web, {**choices, **{name: True for name in SWITCHES if name in choices}})
    for name, least, most in (("rounds", 0, MOST_ROUNDS), ("steps", 1, MOST_MOVES)):
        number = getattr(what, name)
        if number is not None and not least <= number <= most:
            raise BadInput(f"{name} must be from {least} to {most:,} here, not {number:,}")
    if len(what.topics) > MOST_TOPICS:
        raise BadInput(f"the limit is {MOST_TOPICS} topics, not {len(what.topics)}")
    if (what.exact or what.method == "solve") and web.n > MOST_EXACT:
        raise BadInput(f"exact fractions are limited to {MOST_EXACT} pages here, not {web.n}")
    if what.method == "eigen" and web.n > MOST_TRACED:
        raise BadInput(f"eigenvectors are limited to {MOST_TRACED} pages here, not {web.n}")
    rounds = what.method in ("pagerank", "hits", "trustrank", "topic") and not what.apart
    bounded = what.convention is None or web.n <= MOST_TRACED
    traced = rounds and bounded and not (what.exact and what.rounds is None)
    return replace(what, trace=traced, max_rounds=MOST_ROUNDS)


def _supporters(text: str) -> int:
    return _whole(text, "the number of supporters", 0, MOST_SUPPORTERS)


def _whole(text: str, name: str, least: int, most: int) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 9 and least <= int(text) <= most):
        raise BadInput(f'{name} must be a whole number from {least} to {most:,}, not "{text[:20]}"')
    return int(text)


def opened(files: Sequence[tuple[str, bytes]]) -> str:
    """The graph in uploaded files, in compact notation.

    >>> opened([("links.csv", b"A,B\\nB,A\\n")])
    'A:B;B:A'
    """
    texts = {clip(name): decode(unpacked(data, clip(name)), clip(name)) for name, data in files}
    if len(texts) > 1:
        return address.written(check(_pair(texts)))
    ((name, text),) = texts.items()
    return address.written(check(read(text, name=name)))


def _pair(texts: dict[str, str]) -> Web:
    vertices = [name for name in texts if "vertices" in name]
    edges = [name for name in texts if "edges" in name]
    if len(texts) != 2 or len(vertices) != 1 or len(edges) != 1:
        raise BadInput("choose one file, or two of Common Crawl: one with vertices and one with edges in its name")
    where = (vertices[0], edges[0])
    return edgelist.parse_vertices(texts[where[0]], texts[where[1]], where=where)


def unpacked(data: bytes, name: str) -> bytes:
    """The bytes of a file, decompressed if it is gzip."""
    found = unpack(data, name, MOST_LETTERS) if data.startswith(GZIP) else data
    if len(found) > MOST_LETTERS:
        raise BadInput(f"{name} is too long: the limit is {MOST_LETTERS:,} bytes")
    return found


def choices() -> dict[str, Any]:
    """Each field with its values and what they mean."""
    return {
        "presets": [(one.name, one.about, one.source, one.where) for one in presets.presets()],
        "methods": METHODS,
        "applicable": APPLICABLE,
        "dangling": {name: f"a surfer there {meaning}" for name, meaning in DANGLING.items()},
        "conventions": {one.name: one.source for one in CONVENTIONS.values()},
        "forms": list(PARSERS),
        "lessons": LESSONS,
    }
