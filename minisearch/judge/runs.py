"""Runs: what an engine answered to each query, in the form that other tools read.

A TREC run has a line `query Q0 url rank score tag` for each answer. We go by the rank; trec_eval and its kin go by the
score alone, so that a run for them needs `falling` scores.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from minisearch.judge.lines import numbered, whole, write, wrong
from minisearch.judge.qrels import Judged

Answers = Sequence[tuple[str, float]]  # (url, score), best first
STEP = 1e-6  # by which part a score is lowered to stay below the one before: single precision can tell them apart


def ask(judged: Iterable[Judged], search: Callable[[str], Answers]) -> dict[str, Answers]:
    """What `search` answers to each judged query."""
    return {one.id: search(one.query) for one in judged}


def falling(answers: Answers) -> list[tuple[str, float]]:
    """The answers with scores that put them in this order.

    Ours may not: a page with all the words comes before one without, whatever their scores.

    >>> falling([("a", 2.0), ("b", 4.0), ("c", 1.0)])
    [('a', 2.0), ('b', 1.999998), ('c', 1.0)]
    """
    lowered: list[tuple[str, float]] = []
    limit = math.inf
    for url, score in answers:
        score = min(score, limit)
        lowered.append((url, score))
        limit = score - STEP * max(abs(score), STEP)
    return lowered


def write_run(path: str | Path, run: Mapping[str, Answers], tag: str = "minisearch") -> None:
    """Write a TREC run."""
    rows = [
        f"{whole(name)} Q0 {whole(url)} {rank} {float(score)!r} {whole(tag)}"
        for name, answers in run.items()
        for rank, (url, score) in enumerate(answers, 1)
    ]
    write(path, iter(rows))


def read_run(path: str | Path) -> dict[str, Answers]:
    """The answers of a TREC run to each query, by rank."""
    found: dict[str, dict[str, tuple[int, float]]] = {}
    for number, line in numbered(path):
        columns = line.split()
        if len(columns) != 6:
            raise wrong(path, number, f'an answer is "query Q0 url rank score tag", and here are {len(columns)} words')
        name, _, url, rank, score, _ = columns
        try:
            place, value = int(rank), float(score)
        except ValueError as error:
            raise wrong(path, number, f"rank and score are numbers, not {rank!r} and {score!r}") from error
        if not math.isfinite(value):
            raise wrong(path, number, f"a score of {score} cannot be compared with others")
        answers = found.setdefault(name, {})
        if url in answers:
            raise wrong(path, number, f"{url} stands here for the second time for {name}")
        answers[url] = place, value
    return {
        name: [(url, score) for url, (_, score) in sorted(answers.items(), key=lambda answer: answer[1][0])]
        for name, answers in found.items()
    }
