"""Five worked examples from the literature; each step is a link into the lab."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from minisearch.lab.presets import cited


@dataclass(frozen=True, slots=True)
class Step:
    """What to look at, and what to ask for it."""

    words: str
    fields: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Lesson:
    """An example from its first number to its last."""

    title: str
    source: str  # the short name of whose example it is
    steps: tuple[Step, ...]

    @property
    def cited(self) -> str:
        """How its source is cited."""
        return cited(self.source)


def _steps(preset: str, *steps: tuple[str, dict[str, str]]) -> tuple[Step, ...]:
    return tuple(Step(words, {"preset": preset, **fields}) for words, fields in steps)


LESSONS = (
    Lesson(
        "PageRank, what breaks it, and the repairs",
        "thesis",
        _steps(
            "five-pages",
            (
                "Five strongly connected pages, no teleporting: the ranks are (12, 15, 4, 18, 9)/58. Play them.",
                {"damping": "1", "dangling": "leak"},
            ),
            (
                "The thesis prints .19 .23 .06 .28 .14, which do not sum to 1. The doctor explains why.",
                {"damping": "1", "dangling": "leak", "numbers": ".19 .23 .06 .28 .14"},
            ),
            (
                "A dangling page drains all rank: E has no links, and after 400 iterations all ranks are 0.",
                {"preset": "two-dead-ends", "damping": "1", "dangling": "leak", "rounds": "400"},
            ),
            (
                "Repair: remove dangling pages one by one, rank the rest, and put them back: first E, then C.",
                {"preset": "two-dead-ends", "damping": "1", "dangling": "remove"},
            ),
            (
                "A spider trap: A links only to itself and ends up with all rank.",
                {"preset": "spider-trap", "damping": "1", "dangling": "leak", "rounds": "400"},
            ),
            (
                "Repair: one move in five teleports. The trap keeps .614 of the rank.",
                {"preset": "spider-trap", "damping": "0.8", "dangling": "leak"},
            ),
            (
                "A topic: teleport to A and E only. After 20 iterations A is ahead of D.",
                {"method": "topic", "topics": "A,E", "damping": "0.8", "dangling": "leak", "rounds": "20"},
            ),
            (
                "One more link, from J to A: A rises from eighth to second place.",
                {"preset": "ten-pages-one-link-more", "before": "ten-pages", "damping": "1", "dangling": "leak"},
            ),
        ),
    ),
    Lesson(
        "Hubs and authorities",
        "slides",
        _steps(
            "three-sites",
            (
                "HITS, hubs first: the hub scores converge to 1, √3-1 = .732 and 2-√3 = .268.",
                {"method": "hits", "order": "hub"},
            ),
            ("The first two iterations, update by update.", {"method": "hits", "order": "hub", "rounds": "2"}),
        ),
    ),
    Lesson(
        "The random surfer",
        "stoimenova",
        _steps(
            "nine-links",
            (
                "Nine of ten moves follow a link, all links equally likely; some links are repeated. See the matrix G.",
                {"damping": "0.9"},
            ),
            (
                "A surfer makes 1,000 moves: the frequencies are close to the ranks.",
                {"method": "surfer", "damping": "0.9", "steps": "1000"},
            ),
            (
                "A million moves: closer still.",
                {"method": "surfer", "damping": "0.9", "steps": "1000000"},
            ),
        ),
    ),
    Lesson(
        "The power method and a linear system",
        "horvat-mundar",
        _steps(
            "one-dead-end",
            (
                "Two iterations with H alone: P4 is dangling, and rank is lost.",
                {"damping": "1", "dangling": "leak", "rounds": "2"},
            ),
            (
                "The dangling row filled and teleporting added: nine iterations with G, to all digits.",
                {"damping": "0.85", "dangling": "teleport", "rounds": "9", "digits": "16"},
            ),
            (
                "The same as a linear system, in exact fractions: 5307/17165 and so on.",
                {"method": "solve", "damping": "0.85", "dangling": "teleport", "exact": "1"},
            ),
        ),
    ),
    Lesson(
        "The ranks of a small search engine",
        "ilic",
        _steps(
            "four-page-site",
            (
                "Two iterations by hand, in fractions: positions I, III, III and II.",
                {"damping": "1", "dangling": "leak", "rounds": "2", "exact": "1"},
            ),
            (
                "As an eigenvector of G, with damping 0.9.",
                {"method": "eigen", "damping": "0.9"},
            ),
            (
                "The program of the thesis: compute_ranks, ten iterations with damping 0.8.",
                {"convention": "ilic"},
            ),
        ),
    ),
)
