"""Do accounts add up? Random queries on a real file, a random hit of each, its account added up again:

python -m tests.search.accounts FILE [--pairs 1000]
"""

import argparse
import random
from math import fsum

from minisearch import Engine
from minisearch.text.words import tokens

FORMS = (
    "{0}",
    "{0} {1}",
    "{0} {1} {2}",
    "+{0} {1}",
    '"{0} {1}"',
    "{0} OR {1} {2}",
    "title:{0} {1}",
    "{0} -{2}",
    "{0}*",
)


def pairs(engine, count, dice):
    """(query, hit) as often as asked for; the words of a query come from the title or the text of one page."""
    last = engine.size()
    while count:
        number = dice.randint(1, last)
        page = engine.store.pages.get([number]).get(number)
        text = engine.text(number)[0] if page else ""
        said = [token.group() for token in tokens(f"{page.title} {text[:5000]}")] if page else []
        if len(said) < 3:
            continue
        at = dice.randrange(len(said) - 2)
        query = dice.choice(FORMS).format(*said[at : at + 3])
        hits = engine.search(query, limit=10, snippets=False).hits
        if hits:
            count -= 1
            yield query, dice.choice(hits)


def off(engine, query, hit):
    """By how much the parts of the account of a hit miss the score that search gave it."""
    account = engine.explain(query, hit.url)
    parts = fsum(field.score for part in account.parts for field in part.fields)
    return max(abs(parts * account.link_factor - hit.score), abs(account.score - hit.score))


def worst(engine, count, seed=7):
    """The largest miss among so many pairs, and where it was."""
    return max((off(engine, query, hit), query, hit.url) for query, hit in pairs(engine, count, random.Random(seed)))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file")
    parser.add_argument("--pairs", type=int, default=1000)
    options = parser.parse_args()
    with Engine(options.file, create=False) as opened:
        miss, query, url = worst(opened, options.pairs)
    print(f"{options.pairs} pairs; none is off by more than {miss:.2g} ({query!r}, {url})")
