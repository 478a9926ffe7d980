"""Do accounts add up? For random queries on a file and a random hit of each, compares the explanation with the score:

python -m tests.search.accounts FILE [--pairs 1000]
"""

import argparse
import random
from math import fsum

from minisearch import Engine
from minisearch.analysis.tokenizer import tokens

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
    """`count` times (query, hit); the words of a query come from the title and the text of one page."""
    last = engine.size()
    while count:
        number = dice.randint(1, last)
        page = engine.store.pages.get([number]).get(number)
        text = engine.text(number)[0] if page else ""
        words = [token.group() for token in tokens(f"{page.title} {text[:5000]}")] if page else []
        if len(words) < 3:
            continue
        at = dice.randrange(len(words) - 2)
        query = dice.choice(FORMS).format(*words[at : at + 3])
        hits = engine.search(query, limit=10, snippets=False).hits
        if hits:
            count -= 1
            yield query, dice.choice(hits)


def error(engine, query, hit):
    """The difference between the parts of the explanation of a hit and the score that search gave it."""
    account = engine.explain(query, hit.url)
    parts = fsum(field.score for part in account.parts for field in part.fields)
    return max(abs(parts * account.link_factor - hit.score), abs(account.score - hit.score))


def worst(engine, count, seed=7):
    """The largest error among `count` pairs, with its query and URL."""
    return max((error(engine, query, hit), query, hit.url) for query, hit in pairs(engine, count, random.Random(seed)))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file")
    parser.add_argument("--pairs", type=int, default=1000)
    options = parser.parse_args()
    with Engine(options.file, create=False) as opened:
        largest, query, url = worst(opened, options.pairs)
    print(f"{options.pairs} pairs; the largest error is {largest:.2g} ({query!r}, {url})")
