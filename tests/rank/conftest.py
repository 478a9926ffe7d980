"""Graphs whose ranks are known: tests/data/oracles.json, with what each source document says about them."""

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

DATA = json.loads((Path(__file__).parents[1] / "data" / "oracles.json").read_text(encoding="utf-8"))
ELSEWHERE = "elsewhere"  # stands for all pages that are linked to and were never crawled


@dataclass(frozen=True)
class Case:
    """One graph, the way it is ranked, and the ranks that must come out."""

    id: str
    links: dict
    damping: float
    teleport: dict
    dangling: str
    rounds: int | None  # None: as many as it takes
    expected: dict
    within: float

    @property
    def fills_dangling_evenly(self):
        """Whether a method that knows only the uniform policy must agree."""
        return self.dangling == "uniform" or all(self.links.values())


def links_of(graph):
    """{page: its links}; where a degree is given, links that lead out of the crawl make up the number."""
    links = {page: [target for source, target in graph["edges"] if source == page] for page in graph["nodes"]}
    for page, degree in graph.get("out_degree", {}).items():
        links[page] += [ELSEWHERE] * (degree - len(links[page]))
    return links


def cases():
    for oracle in DATA["oracles"]:
        if oracle["kind"] not in ("pagerank", "pagerank_steps") or oracle["params"]["weights"] != "exact":
            continue
        params, links = oracle["params"], links_of(DATA["graphs"][oracle["graph"]])
        by_steps = oracle["expected"]
        if oracle["kind"] == "pagerank":
            by_steps = {params["steps"]: oracle["expected"]}
        jumps_to = dict.fromkeys(links, 1) if params["teleport"] == "uniform" else params["teleport"]
        for steps, expected in by_steps.items():
            yield Case(
                id=f"{oracle['id']}-step-{steps}" if len(by_steps) > 1 else oracle["id"],
                links=links,
                damping=params["beta"],
                teleport=jumps_to,
                dangling=params["dangling"],
                rounds=None if steps == "limit" else int(steps),
                expected=expected,
                within=oracle.get("expected_abs", DATA["conventions"]["default_expected_tolerance"]),
            )


def stopping_rules():
    (oracle,) = (oracle for oracle in DATA["oracles"] if oracle["kind"] == "convergence")
    return [{**row, "links": links_of(DATA["graphs"][row["graph"]])} for row in oracle["expected"]]


@pytest.fixture(params=cases(), ids=lambda case: case.id)
def case(request):
    """Each published graph and its ranks in turn."""
    return request.param


@pytest.fixture(params=[case for case in cases() if case.fills_dangling_evenly], ids=lambda case: case.id)
def plain_case(request):
    """The published graphs on which the dangling policy makes no difference, or is the uniform one."""
    return request.param


@pytest.fixture(params=stopping_rules(), ids=lambda row: f"{row['graph']}-{row['tolerance']}")
def stopping(request):
    """Graphs for which it is known after how many rounds the tolerance is met."""
    return request.param
