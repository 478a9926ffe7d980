"""What the doctor found, in sentences and as plain data; and the printed numbers there are to ask about."""

from __future__ import annotations

from typing import Any

from minisearch.lab.claims import Claim, claims
from minisearch.lab.doctor import Diagnosis, Explanation, lost
from minisearch.lab.errata import erratum
from minisearch.lab.presets import Published
from minisearch.lab.webs import Web
from minisearch.lab.written import parts_of, weights_of

FIT = {
    "rounded": "matches every digit, rounded",
    "cut off": "matches every digit if digits were truncated, not rounded",
    "one unit off": "matches within one unit of the last digit",
    "all but one": "matches for all pages but one",
    "by chance": "matches as closely as a random walk can",
    "not explained": "does not match",
}


def sentences(web: Web, diagnosis: Diagnosis) -> list[str]:
    """The diagnosis, the main thing first: what was done, how well it fits, whose way it is, where it is printed."""
    best = diagnosis.best
    if best.explains:
        said = [f"these are {best.words}"]
    else:
        said = [f"no known convention gives these numbers. The closest is {best.words}"]
    said += [_how_well(best), _whose(best), lost(web, best)]
    if diagnosis.known is not None:
        said.append(f"they are printed in {diagnosis.known.source}, {diagnosis.known.where}")
        if diagnosis.known.erratum:
            mistake = erratum(diagnosis.known.erratum)
            said.append(f"erratum {mistake.id}: {mistake.why}")
    return [f"{line[0].upper()}{line[1:]}." for line in said if line]


def _how_well(best: Explanation) -> str:
    said = f"it {FIT[best.fit]}; the largest difference is {best.worst:.2g} at {best.page}"
    if best.alike and best.alike[0] != best.alike[1]:
        until = "or more" if best.alike[1] is None else f"to {best.alike[1]}"
        said += f"; {best.alike[0]} {until} multiplications give the same digits"
    return said


def _whose(best: Explanation) -> str:
    if not best.conventions:
        return ""
    if not best.apart:
        return f"this is the convention {', '.join(best.conventions)}"
    parts = [f"{name} {in_word(there)} instead of {in_word(here)}" for name, (here, there) in best.apart.items()]
    return f"this is the convention {best.conventions[0]}, except for {', '.join(parts)}"


def in_word(value: Any) -> str:
    """A choice of a convention in one word."""
    return "all" if value is None else "yes" if value is True else "no" if value is False else str(value)


def as_dict(web: Web, diagnosis: Diagnosis) -> dict[str, Any]:
    """A diagnosis as plain data."""
    known = diagnosis.known
    return {
        "explained": diagnosis.best.explains,
        "sentences": sentences(web, diagnosis),
        "explanations": [
            {"words": one.words, "fit": one.fit, "worst": one.worst, "page": one.page, "bits": one.bits}
            | {"rounds_alike": one.alike, "conventions": one.conventions, "apart": one.apart}
            | {"values": dict(zip(web.names, one.values.tolist(), strict=True))}
            for one in diagnosis.explanations
        ],
        "given": {claim.page: claim.value for claim in diagnosis.claims},
        "exact": dict(zip(web.names, diagnosis.right.tolist(), strict=True)),
        "known": None if known is None else {"source": known.source, "where": known.where, "erratum": known.erratum},
        "compared": diagnosis.tried,
    }


def reported_in(table: Published, web: Web) -> tuple[list[Claim], Any]:
    """The numbers that a printed table claims, and where its jumps lead, if not anywhere."""
    reported = claims(((page, word, "") for page, word in table.numbers.items()), web, partial=True)
    topic = table.measure.removeprefix("topic")
    jump = weights_of(",".join(parts_of(topic)), web, "teleport") if topic != table.measure else None
    return reported, jump
