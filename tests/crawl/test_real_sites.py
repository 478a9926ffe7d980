"""Sites of kinds that exist are crawled whole: nothing on them is taken for a crawler trap.

Each has many URLs of one pattern, and pages that are found on one another under a common frame; no server dates them.
"""

import random

import pytest

VOCABULARY = """
amber anchor apple arrow autumn badge bakery balloon bamboo barley basket beacon birch blanket blossom bottle boulder
bridge bronze bucket butter button cabin candle canyon carpet castle cedar chalk cherry chimney clover cobalt comet
copper coral cotton cradle crater cricket crystal daisy dawn desert diamond dolphin drum eagle echo ember engine falcon
feather fern fiddle flint forest fountain garden garlic ginger glacier granite grove hammer harbour harvest hazel heron
"""
WORDS = VOCABULARY.split()
MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
FRAME = (
    "<p>Home, products, news, basket, account, delivery, returns, terms and privacy. Free delivery and ten percent off "
    "your first order today. Our office is open from Monday to Friday. Follow us, and read our letter every week."
)


def prose(about, words):
    return " ".join(random.Random(about).choices(WORDS, k=words)) + "."


def links(*urls, text="more"):
    return "".join(f'<p><a href="{url}">{text}</a>' for url in urls)


def goods_lists():
    """Lists of goods that lead only to the next one, and goods with an id that name related ones."""
    site = {"/": FRAME + links("/list?page=1")}
    for page in range(1, 41):
        shown = range(page * 4, page * 4 + 4)
        items = "".join(links(f"/item?id={n}", text=prose(f"goods {n}", 2)) for n in shown)
        further = links(f"/list?page={page + 1}", text="Next") if page < 40 else ""
        site[f"/list?page={page}"] = f"<title>Goods, page {page}</title>{FRAME}{items}{further}"
        for n in shown:
            related = links(*(f"/item?id={4 + (n * step + 1) % 160}" for step in (3, 5, 7)))
            name = prose(f"goods {n}", 2)
            site[f"/item?id={n}"] = f"<title>{name}</title>{FRAME}<h1>{name}</h1><p>{n} euro, in stock.{related}"
    return site


def goods_in_a_chain():
    """Products with little text of their own, each of which leads to the next product."""
    site = {"/": FRAME + links("/product/1")}
    for n in range(1, 81):
        name = prose(f"product {n}", 3)
        site[f"/product/{n}"] = (
            f"<title>Shop</title>{FRAME}<h1>{name}</h1><p>{n} euro.{links(f'/product/{n % 80 + 1}')}"
        )
    return site


def archive():
    """A blog: its archive page by page, with the beginning of each entry, and entries that lead to their neighbours."""
    site = {"/": FRAME + links("/page/1")}
    for page in range(1, 31):
        entries = [page * 3 + n for n in range(3)]
        shown = "".join(f"<p>{prose(f'entry {n}', 25)}" + links(f"/2024/05/{n}/") for n in entries)
        further = links(f"/page/{page + 1}", text="Older entries") if page < 30 else ""
        site[f"/page/{page}"] = f"<title>Blog, page {page}</title>{FRAME}{shown}{further}"
        for n in entries:
            beside = links(*(f"/2024/05/{near}/" for near in (n - 1, n + 1) if 3 <= near < 93))
            site[f"/2024/05/{n}/"] = f"<title>Entry</title>{FRAME}<p>{prose(f'entry {n}', 120)}{beside}"
    return site


def api_reference():
    """Reference pages that differ in a name and a few words, each with a link to the next."""
    site = {"/": FRAME + links("/api/v2/method/1.html")}
    for n in range(1, 81):
        name = "_".join(prose(f"method {n}", 2).strip(".").split())
        text = f"<h1>{name}()</h1><p>Calls {name} and returns its result. Raises an error if {prose(f'error {n}', 4)}"
        site[f"/api/v2/method/{n}.html"] = (
            f"<title>{name}</title>{FRAME}{text}{links(f'/api/v2/method/{n % 80 + 1}.html')}"
        )
    return site


def glossary():
    """Short definitions by number, each of which leads to two others."""
    site = {"/": FRAME + links("/term/0")}
    for n in range(60):
        text = f"<h1>{WORDS[n]}</h1><p>A {WORDS[n]} is a kind of {prose(f'term {n}', 5)}"
        site[f"/term/{n}"] = (
            f"<title>{WORDS[n]}</title>{FRAME}{text}{links(f'/term/{(n + 1) % 60}', f'/term/{n * 3 % 60}')}"
        )
    return site


def calendar_that_ends():
    """Two years of empty months."""
    site = {"/": FRAME + links("/calendar/2023/1")}
    for number in range(24):
        month, year = number % 12, 2023 + number // 12
        near = links(*(f"/calendar/{2023 + n // 12}/{n % 12 + 1}" for n in (number - 1, number + 1) if 0 <= n < 24))
        days = " ".join(map(str, range(1, 31)))
        site[f"/calendar/{year}/{month + 1}"] = (
            f"<title>{MONTHS[month]} {year}</title>{FRAME}<p>{days}. No events.{near}"
        )
    return site


def calendar_with_events():
    """Years of months with an event in each, and a page for each event."""
    site = {"/": FRAME + links("/calendar/2020/1")}
    for number in range(60):
        url = f"/calendar/{2020 + number // 12}/{number % 12 + 1}"
        near = links(*(f"/calendar/{2020 + n // 12}/{n % 12 + 1}" for n in (number - 1, number + 1) if 0 <= n < 60))
        name = prose(f"event {number}", 3)
        site[url] = f"<title>Calendar</title>{FRAME}{links(f'/event/{number}', text=name)}{near}"
        site[f"/event/{number}"] = f"<title>{name}</title>{FRAME}<p>{prose(f'event {number}', 40)}{links(url)}"
    return site


def forum():
    """Threads of several pages, and members who have written nothing but their names."""
    site = {"/": FRAME + links(*(f"/thread?id={n}" for n in range(12)))}
    for n in range(12):
        for page in range(1, 6):
            url = f"/thread?id={n}" + (f"&page={page}" if page > 1 else "")
            members = links(*(f"/member/{n * 5 + page}",), text="Member")
            further = links(f"/thread?id={n}&page={page + 1}") if page < 5 else ""
            site[url] = f"<title>Thread</title>{FRAME}<p>{prose(f'{n} {page}', 60)}{members}{further}"
            site[f"/member/{n * 5 + page}"] = f"<title>Member</title>{FRAME}<p>Member number {n * 5 + page}."
    return site


SITES = [
    goods_lists,
    goods_in_a_chain,
    archive,
    api_reference,
    glossary,
    calendar_that_ends,
    calendar_with_events,
    forum,
]


@pytest.mark.parametrize("pages", SITES)
def test_a_real_site_is_fetched_whole(engine, site, pages):
    site.show(pages())
    summary = engine.crawl(f"{site.base}/", workers=0, max_depth=200, index=False, rank=False)
    assert (summary.skipped, summary.notes, summary.waiting) == ({}, (), 0)
    assert len(site.asked) == len(site.routes)


@pytest.mark.parametrize("pages", [each for each in SITES if each is not calendar_that_ends])
def test_a_low_threshold_does_not_block_pages_that_say_something(engine, site, pages):
    site.show(pages())
    summary = engine.crawl(f"{site.base}/", workers=0, max_depth=200, index=False, rank=False, pattern_repeats=5)
    assert (summary.skipped, summary.notes, summary.waiting) == ({}, (), 0)
