"""A collection of several hosts, and queries of all kinds for it."""

import itertools

import numpy as np

from minisearch import Link, Page
from minisearch.analysis.simhash import simhash
from minisearch.crawl.duplicates import merge_pages
from minisearch.models import Found, Heading

HOSTS = [f"host{number}.example" for number in range(9)]
WORDS = ["rose", "roses", "pruning", "prune", "winter", "soil", "garden", "wall", "hedge", "maze", "os.path", "ружа"]
WORDS += [f"word{number}" for number in range(60)]
KINDS = [
    "{} {}",
    "{}",
    "{} {} {}",
    '"{} {}"',
    "+{} -{}",
    "{} OR {}",
    "title:{} {}",
    "anchor:{}",
    "lang:sr {}",
    "wor* {}",
]
KINDS += [
    "pru*",
    "({} OR {}) {}",
    "body:{} headings:{}",
    "{} nowhere",
    "-{}",
    "site:host1.example",
    "{} site:host3.example",
    "docs p17",  # the way to a page
]


def address(number):
    return f"http://{HOSTS[number % len(HOSTS)]}/docs/p{number}"


def pages():
    """Pages of several hosts with links, titles, headings, languages, and near copies on other hosts."""
    dice = np.random.default_rng(8)
    urls = [address(number) for number in range(150)]
    for number, url in enumerate(urls):
        words = [WORDS[place] for place in np.minimum(dice.zipf(1.4, 80), len(WORDS)) - 1]
        text = " ".join(words) if number % 10 else "the same long page about roses on every host " * 6 + f"{number % 3}"
        links = [Link(urls[target], " ".join(dice.choice(WORDS, 2))) for target in dice.integers(0, len(urls), 4)]
        yield Page(
            url,
            title=" ".join(words[:2]) if number % 10 else "Roses everywhere",
            headings=(Heading(1, " ".join(words[2:4]), 0, "top"),),
            text=text,
            links=tuple(links),
            language=("en", "sr", "de", "")[number % 4],
            simhash=simhash(text),
            words=len(text.split()),
            subject=number % 10 and number,
            content_hash=str(number),
        )


def fill(engine, made):
    store = engine.store
    with store.transaction():
        crawl, _ = store.urls.begin_crawl([address(0)], {})
        for page in made:
            met = [page.url, *(link.url for link in page.links)]
            store.urls.discover(crawl, None, [Found(url, url.split("/")[2], 1) for url in met])
            ids = store.urls.ids(met)
            store.pages.save(ids[page.url], page, ids)
            store.urls.set_status(ids[page.url], "fetched")
    merge_pages(store)
    engine.index()
    engine.rank()


def queries():
    """200 queries of all kinds."""
    dice = np.random.default_rng(9)
    kinds = itertools.cycle(KINDS)
    for kind in itertools.islice(kinds, 200):
        yield kind.format(*dice.choice(WORDS[:30], kind.count("{}")))


def shown(hit):
    """What a hit shows, except its scores."""
    return (hit.url, hit.title, hit.snippet, hit.all_words, hit.link, sorted(hit.similar))
