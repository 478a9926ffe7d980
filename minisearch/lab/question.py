"""What the lab page is asked: which web, changed how, compared with what, and ranked how.

A question is a handful of short texts, the fields of a form or the parameters of an address. They are

    text form preset crawl web    which web: a text in any format, a preset's name, the first pages of the crawl, or
                                  `web` as in lab/address.py; the first of these that says anything counts
    edits farm supporters doors   changes, one on each line as in lab/edits.py; and a spam farm for a page
    before                        another web, a preset's name or as `web`, to compare with
    once no_loops                 whether repeated links and links of a page to itself count
    numbers                       somebody's ranks, for the doctor
    and the choices of an experiment: method, damping, dangling, teleport, rounds ... as in lab/written.py

Whoever asks may be anybody, so everything has a limit: pages, links, rounds, moves, and seconds (rank/patience.py).
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from minisearch.errors import BadInput
from minisearch.lab import address, edits, formats, presets
from minisearch.lab.experiment import Experiment
from minisearch.lab.lines import decode
from minisearch.lab.webs import Web
from minisearch.lab.written import experiment, parts_of
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
    told = {name: asked[name].strip() for name in FIELDS if asked.get(name, "").strip()}
    if "text" in told:
        told["text"] = asked["text"].strip("\r\n")  # a matrix may begin or end with an empty cell
    plain = check(_counted(_web(told, crawl), told))
    web = plain
    for line in lines_of(told.get("edits", "")):
        look()
        web = check(edits.edit(web, line))
    supporters, doors = 0, tuple(parts_of(told.get("doors", "")))
    if told.get("farm"):
        supporters = _supporters(told.get("supporters", "10"))
        words = ["farm", told["farm"], str(supporters), *doors]
        web = edits.edit(web, shlex.join(words)) if supporters else web
    if told.get("before"):
        plain = check(_counted(_named(told["before"]), told))
    name = "" if "text" in told else told.get("preset", "" if {"web", "crawl"} & set(told) else FIRST)
    what = _experiment(check(web), told)
    return Question(web, plain, what, name, told.get("farm", ""), supporters, doors, told.get("numbers", ""), told)


def lines_of(text: str) -> list[str]:
    """The lines of a text that say something."""
    return [line.strip() for line in text.splitlines() if line.strip()]


def _web(told: Mapping[str, str], crawl: Callable[[int], Web] | None) -> Web:
    if "text" in told:
        return read(told["text"], told.get("form", ""))
    if "preset" in told:
        return presets.web(told["preset"])
    if "crawl" in told:
        if crawl is None:
            raise BadInput("there is no crawl here to load pages from")
        return crawl(_whole(told["crawl"], "the number of pages of the crawl", 1, MOST_PAGES))
    return _named(told["web"]) if "web" in told else presets.web(FIRST)


def read(text: str, form: str = "", name: str = "the text") -> Web:
    """A web from a text in one of the formats, or in the short form of addresses; `form` if it is known."""
    if len(text) > MOST_LETTERS:
        raise BadInput(f"{name} is too long: {MOST_LETTERS:,} letters are the most here")
    text = decode(text.encode("utf-8", "replace"), name)
    return formats.parse(text, form or formats.form_of(name, text), name)


def _named(text: str) -> Web:
    known = presets.preset(text)
    return known.web() if known else address.read(text)


def _counted(web: Web, told: Mapping[str, str]) -> Web:
    if "once" not in told and "no_loops" not in told:
        return web
    return web.counting(repeated="once" not in told, loops="no_loops" not in told)


def check(web: Web) -> Web:
    """The same web; BadInput if it is larger than is computed for anybody who asks."""
    if web.n > MOST_PAGES or len(web.sources) > MOST_LINKS:
        raise BadInput(
            f"{web.n:,} pages with {len(web.sources):,} links are more than this page computes ({MOST_PAGES:,} and "
            f'{MOST_LINKS:,}): "minisearch lab rank FILE" in a terminal has no such limit'
        )
    return web


def _experiment(web: Web, told: Mapping[str, str]) -> Experiment:
    choices = {name: told[name] for name in CHOICES if name in told}
    what = experiment(web, {**choices, **{name: True for name in SWITCHES if name in choices}})
    for name, least, most in (("rounds", 0, MOST_ROUNDS), ("steps", 1, MOST_MOVES)):
        number = getattr(what, name)
        if number is not None and not least <= number <= most:
            raise BadInput(f"{name} is a number from {least} to {most:,} here, not {number:,}")
    if len(what.topics) > MOST_TOPICS:
        raise BadInput(f"{MOST_TOPICS} topics are the most here, and these are {len(what.topics)}")
    if (what.exact or what.method == "solve") and web.n > MOST_EXACT:
        raise BadInput(f"exact fractions are for {MOST_EXACT} pages at most here, and these are {web.n}")
    if what.method == "eigen" and web.n > MOST_TRACED:
        raise BadInput(f"an eigenvector is looked for on {MOST_TRACED} pages at most here, and these are {web.n}")
    rounds = what.method in ("pagerank", "hits", "trustrank", "topic") and not what.apart
    bounded = what.convention is None or web.n <= MOST_TRACED
    traced = rounds and bounded and not (what.exact and what.rounds is None)
    return replace(what, trace=traced, max_rounds=MOST_ROUNDS)


def _supporters(text: str) -> int:
    return _whole(text, "the number of supporters", 0, MOST_SUPPORTERS)


def _whole(text: str, name: str, least: int, most: int) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 9 and least <= int(text) <= most):
        raise BadInput(f'{name} is a whole number from {least} to {most:,}, not "{text[:20]}"')
    return int(text)
