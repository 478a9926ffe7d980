import pytest

from minisearch.crawl.kin import Kin, family
from minisearch.crawl.traps import CROWD, NAMES
from minisearch.limits import Limits
from minisearch.records import Link, Page

SITE = "http://a.example"
LIMITS = Limits(shape_alike=4)
MOST = LIMITS.shape_alike * CROWD
ONE, OTHER = 0x0F0F_0F0F_0F0F_0F0F, 0xF0F0_F0F0_F0F0_F0F0


def names(count):
    return ["".join("abcdefghij"[int(digit)] for digit in f"{number:04}") for number in range(count)]


WAY = (f"{SITE}/", f"{SITE}/tag/first", f"{SITE}/tag/second")


def meet(kin, count, *, way=WAY, simhash=lambda _: ONE, url="/tag/{}", **facts):
    for number, name in enumerate(names(count)):
        address = SITE + url.format(name)
        leads_on = {"links": (Link(f"{address}-more"),), **facts}
        kin.fetched(Page(address, simhash=simhash(number), **leads_on), lambda: way)


@pytest.mark.parametrize(
    ("path", "found_on", "named"),
    [
        ("/tag/oak", "/tag/elm", "/tag/(any)"),
        ("/s/abc/cart", "/s/xyz/shop", "/s/(any)/cart"),
        ("/oak/7", "/elm/7", "/(any)/#"),
        ("/oak?page=2", "/elm", "/(any)?page"),
        ("/tag/oak/", "/tag/elm/", "/tag/(any)/"),
        ("/tag/oak", "/tag/", ""),  # which is a list
        ("/tag/oak", "/", ""),
        ("/oak", "/", ""),
        ("/tag/oak", "/trees/tag/elm", ""),
        ("/page/2", "/page/1", ""),  # which their shape tells
    ],
)
def test_urls_of_a_family_differ_where_they_first_part(path, found_on, named):
    assert family(SITE + path, SITE + found_on) == (named and SITE + named)


@pytest.mark.parametrize("found_on", ["", "?", "http://b.example/tag/elm", "https://a.example/tag/elm"])
def test_strangers_are_no_kin(found_on):
    assert family(f"{SITE}/tag/oak", found_on) == ""


def test_pages_found_on_one_another_that_say_the_same_are_put_to_sleep():
    kin = Kin(LIMITS)
    meet(kin, MOST)
    assert not kin.asleep
    kin = Kin(LIMITS)
    meet(kin, MOST + 1)
    verdict = kin.judge(f"{SITE}/tag/new", f"{SITE}/tag/oak")
    assert (verdict.rule, verdict.url) == ("kin", f"{SITE}/tag/new")
    assert f"all urls like {SITE}/tag/(any) that are found on one another" in verdict.reason
    assert kin.judge(f"{SITE}/tag/new", f"{SITE}/") is None  # what stands on another page is visited
    assert kin.judge(f"{SITE}/other/new", f"{SITE}/other/old") is None


@pytest.mark.parametrize(
    "facts",
    [
        {"way": (f"{SITE}/",)},
        {"way": ()},
        {"way": (f"{SITE}/", f"{SITE}/tag/a")},
        {"way": (f"{SITE}/", f"{SITE}/letter/a", f"{SITE}/letter/b")},
        {"way": (f"{SITE}/", f"{SITE}/a?page=1", f"{SITE}/b?page=1"), "url": "/tag.php?id={}"},
        {"simhash": lambda number: ONE if number % 2 else (OTHER << number % 60) ^ number * 0x9E37_79B9_7F4A_7C15},
        {"last_modified": "Wed, 01 May 2024 10:00:00 GMT"},
        {"simhash": lambda _: 0},
        {"links": (Link(f"{SITE}/"),)},
        {"links": ()},
    ],
    ids=[
        "on a list",
        "nowhere",
        "on a list beside them",
        "in another folder",
        "by one script",
        "each its own words",
        "files",
        "silent",
        "leading back",
        "leading nowhere",
    ],
)
def test_honest_pages_are_left_alone(facts):
    kin = Kin(LIMITS)
    meet(kin, 5 * MOST, **facts)
    assert not kin.asleep


@pytest.mark.parametrize(("said", "sleeps"), [("{name}", False), ("/s/{name}/cart", True), ("?sid={name}", True)])
def test_addresses_that_are_written_out_do_not_make_short_pages_others(said, sleeps):
    kin, way = Kin(LIMITS), [f"{SITE}/s/one/cart", f"{SITE}/s/two/cart"]
    for number, name in enumerate(names(2 * MOST)):
        unlike = number * 0x9E37_79B9_7F4A_7C15 & 0xFFFF_FFFF_FFFF_FFFF
        text, links = f"Our shop\n{said.format(name=name)}", (Link(f"{SITE}/s/{name}e/cart"),)
        page = Page(f"{SITE}/s/{name}/cart", text=text, links=links, simhash=unlike or ONE)
        kin.fetched(page, lambda: way)
        way.append(page.url)
    assert bool(kin.asleep) is sleeps


SEVERAL = (f"{SITE}/", *(f"{SITE}/{kind}/{name}" for name in ("one", "two") for kind in ("list", "item", "help")))


def test_families_that_lead_to_one_another_are_put_to_sleep_together():
    kin = Kin(LIMITS)
    for kind in ("list", "item"):
        meet(kin, MOST + 1, way=SEVERAL, url=f"/{kind}/{{}}")
    assert [*kin.asleep] == [f"{SITE}/list/(any)", f"{SITE}/item/(any)"]
    assert kin.judge(f"{SITE}/list/new", f"{SITE}/item/old").rule == "kin"
    assert f" {SITE}/list/(any) " in kin.judge(f"{SITE}/list/new", f"{SITE}/item/old").reason
    assert kin.judge(f"{SITE}/list/new", f"{SITE}/help/old") is None  # which is awake
    assert kin.judge(f"{SITE}/help/new", f"{SITE}/item/old") is None
    assert kin.judge(f"{SITE}/list/new", f"{SITE}/") is None


def test_one_of_its_kin_is_enough_on_a_long_way_as_deep():
    kin = Kin(LIMITS)
    meet(kin, MOST + 1, way=(f"{SITE}/", f"{SITE}/tag/one", f"{SITE}/item/two", f"{SITE}/help/three"))
    assert [*kin.asleep] == [f"{SITE}/tag/(any)"]
    kin = Kin(LIMITS)
    meet(kin, MOST + 1, way=(f"{SITE}/", f"{SITE}/tag/one", f"{SITE}/item/two", f"{SITE}/help"))
    assert not kin.asleep


def test_a_family_goes_on_sleeping_in_the_next_run():
    kin, again = Kin(LIMITS), Kin(LIMITS)
    for kind in ("list", "item"):
        meet(kin, MOST + 1, way=SEVERAL, url=f"/{kind}/{{}}")
        again.remember(f"{SITE}/{kind}/new", kin.asleep[f"{SITE}/{kind}/(any)"])
    assert again.asleep == kin.asleep


@pytest.mark.parametrize(("times", "sleeps"), [(5, False), (15, True)], ids=["many", "too many"])
def test_more_is_forgiven_to_pages_that_are_met_again(times, sleeps):
    """As goods are that go with others, each of which leads to them."""
    kin = Kin(LIMITS)
    urls = [f"{SITE}/tag/{name}" for name in names(times * MOST)]
    for url, links in zip(urls, ahead(urls), strict=True):
        kin.fetched(Page(url, simhash=ONE, links=links), lambda: WAY)
    assert bool(kin.asleep) is sleeps


def ahead(urls):
    return [tuple(Link(url, "", False) for url in urls[place + 1 : place + 4]) for place in range(len(urls))]


def test_memory_is_bounded():
    kin = Kin(LIMITS)
    meet(kin, NAMES + 20, simhash=lambda number: ONE if number % 2 else number * 0x9E37_79B9_7F4A_7C15)
    (family,) = kin._families.values()
    assert len(family.parts) <= NAMES
