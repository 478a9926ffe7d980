from dataclasses import replace
from itertools import product

import pytest

from minisearch.crawl.tallies import MOST_TALLIES
from minisearch.crawl.traps import DATED, KEPT, NAMED, NAMES, Traps, forgiven
from minisearch.limits import Limits
from minisearch.parse.sketches import sketch
from minisearch.records import Link, Page

HOST = "a.example"
BASE = f"http://{HOST}"
COMMON = "the club meets in the old mill beside the river there are no events this month previous next home about us"


def feed(traps, urls, text=lambda n: f"{COMMON} {n}"):
    """Fetch urls as a crawl does; gives those that were not refused."""
    taken = []
    for number, url in enumerate(urls):
        if traps.begin(BASE + url, HOST) is None:
            made = Page(BASE + url, text=text(number))
            traps.fetched(Page(made.url, sketch=sketch(made)) if traps.is_suspect(made.url) else made)
            taken.append(url)
    return taken


def months(count=100):
    return [f"/calendar/{n}" for n in range(count)]


def test_a_shape_sleeps_when_its_pages_say_nearly_the_same():
    traps = Traps(Limits(shape_alike=10))
    assert len(feed(traps, months())) == 12  # one unlike any other, and one that nothing was compared with
    assert list(traps.asleep) == [f"{BASE}/calendar/#"]
    assert traps.judge(f"{BASE}/calendar/1000").rule == "trap"
    assert traps.judge(f"{BASE}/roses") is None


def test_pages_of_one_shape_that_have_something_to_say_are_all_fetched():
    traps = Traps(Limits(shape_alike=10))
    letters = "abcdefghij"
    unlike = lambda n: " ".join(f"{letters[n % 10]}{letters[n // 10]}{letter}" for letter in letters)  # noqa: E731
    assert len(feed(traps, months(), unlike)) == 100
    assert not traps.asleep


def test_a_few_pages_alike_among_many_that_are_not_are_no_trap():
    traps = Traps(Limits(shape_alike=10))
    letters = "abcdefghij"
    unlike = lambda n: COMMON if n % 2 else " ".join(f"{letters[n % 10]}{letters[n // 10]}{x}" for x in letters)  # noqa: E731
    assert len(feed(traps, months(40), unlike)) == 40


def test_a_trap_behind_many_good_pages_is_noticed_too():
    traps = Traps(Limits(shape_alike=10))
    letters = "abcdefghij"
    later = lambda n: COMMON if n > 50 else " ".join(f"{letters[n % 10]}{letters[n // 10]}{x}" for x in letters)  # noqa: E731
    assert 60 <= len(feed(traps, months(100), later)) <= 65


def test_combinations_of_parameters_come_together_though_each_is_a_shape_of_its_own():
    traps = Traps(Limits(shape_alike=10))
    names = [f"{a}{b}" for a in "abcdefghij" for b in "klmnopqrst"]
    taken = feed(traps, [f"/goods?{name}=1" for name in names])
    assert 30 <= len(taken) <= 35
    assert list(traps.asleep) == [f"{BASE}/goods?"]
    assert traps.judge(f"{BASE}/goods?new=1").rule == "trap"
    assert traps.judge(f"{BASE}/goods") is None


def test_a_fruitful_shape_goes_on_when_others_of_its_path_are_put_to_sleep():
    traps = Traps(Limits(shape_alike=5))
    letters = "abcdefghij"
    unlike = lambda n: " ".join(f"{letters[n % 10]}{letters[n // 10]}{letter}" for letter in letters)  # noqa: E731
    feed(traps, [f"/index.php?article={n}" for n in range(10)], unlike)
    feed(traps, [f"/index.php?{a}{b}=1" for a in "abcdefghij" for b in "klmnopqrst"])
    assert f"{BASE}/index.php?" in traps.asleep
    assert traps.judge(f"{BASE}/index.php?article=99") is None
    assert traps.judge(f"{BASE}/index.php?zz=99").rule == "trap"


@pytest.mark.parametrize(
    ("facts", "times"),
    [
        ({"url": f"{BASE}/calendar/1"}, 1),
        ({"url": f"{BASE}/calendar/1", "etag": 'W/"put on anything"'}, 1),
        ({"url": f"{BASE}/page1.html"}, NAMED),
        ({"url": f"{BASE}/page1.html?sid=1"}, 1),
        ({"url": f"{BASE}/1", "etag": '"of this very file"'}, DATED),
        ({"url": f"{BASE}/1", "last_modified": "Wed, 01 May 2024 10:00:00 GMT"}, DATED),
    ],
)
def test_more_is_forgiven_to_files_than_to_pages_made_up_on_the_spot(facts, times):
    assert forgiven(Page(**facts)) == times


def test_numbered_files_that_say_nearly_the_same_are_a_trap_only_in_great_numbers():
    traps = Traps(Limits(shape_alike=10))
    assert len(feed(traps, [f"/page{n}.html" for n in range(500)])) == 10 * NAMED + 2


GOODS = [
    " ".join(pair) for pair in product(["red", "blue", "white", "green"], ["rose", "tulip", "lily", "aster", "dahlia"])
]


@pytest.mark.parametrize(
    ("named", "path", "sleeps"),
    [
        (GOODS, ["/", "/goods?page=1", "/goods?page=2"], False),  # found on a list that has an end of its own
        (GOODS, ["/", "/item/1", "/item/2"], True),  # found on one another
        (GOODS, ["/", "/item/1", "/look/1"], True),
        (GOODS[:5], ["/", "/item/1", "/item/2"], True),
        (["day"], ["/", "/goods?page=1"], True),  # all of one name
        ([""], ["/", "/goods?page=1"], True),
    ],
)
def test_pages_with_names_of_their_own_are_not_alike_unless_their_kind_led_to_them(named, path, sleeps):
    traps = Traps(Limits(shape_alike=6))
    for number in range(20):
        made = Page(f"{BASE}/item/{number}", title=f"{named[number % len(named)]} {number}", text=COMMON)
        traps.fetched(replace(made, sketch=sketch(made)), [BASE + url for url in path])
    assert bool(traps.asleep) is sleeps


@pytest.mark.parametrize(
    ("related", "sleeps"),
    [
        (lambda number: [number * 3 % 20, number * 7 % 20, number * 11 % 20], False),  # of a few goods, each to some
        (lambda number: [number + 1], True),  # each to another
        (lambda number: [100 + 3 * number, 101 + 3 * number, 102 + 3 * number], True),  # to others without end
    ],
)
def test_goods_that_lead_to_one_another_are_no_trap(related, sleeps):
    traps = Traps(Limits(shape_alike=6))
    for number in range(20):
        links = tuple(Link(f"{BASE}/item/{other}") for other in related(number))
        made = Page(f"{BASE}/item/{number}", title=GOODS[number], text=COMMON, links=links)
        traps.fetched(replace(made, sketch=sketch(made)), [f"{BASE}/", f"{BASE}/item/0"])
    assert bool(traps.asleep) is sleeps


def spelt(number):
    """A name that no other number has, without digits."""
    return "".join(chr(97 + int(digit)) for digit in f"{number:03}")


def end_of_list(goods, *, title=spelt, fetched=100, leads="/item"):
    """How many pages of a list without names of their own are asked for, each of which leads to some goods."""
    traps = Traps(Limits(shape_alike=6))
    for number in range(100):
        url, path = f"{BASE}/goods?page={number}", [f"{BASE}/", f"{BASE}/goods?page=0"]
        if traps.begin(url, HOST) is not None:
            return number
        links = tuple(Link(f"{BASE}{leads}/{each}") for each in goods(number))
        made = Page(url, title="Shop", text=COMMON, links=links)
        traps.fetched(replace(made, sketch=sketch(made)), path)
        for each, link in zip(goods(number), links if number < fetched else (), strict=False):
            back = (Link(f"{BASE}/goods?page={1000 + each}"),)
            made = Page(link.url, title=f"Goods {title(each)}", text=COMMON, links=back)
            if traps.begin(link.url, HOST) is None:
                traps.fetched(replace(made, sketch=sketch(made)), [*path, url])
    return 100


def fresh(number):
    return [2 * number, 2 * number + 1]


@pytest.mark.parametrize(
    ("how", "most"),
    [
        ({"goods": fresh}, 100),
        ({"goods": lambda number: [number]}, 100),
        ({"goods": lambda number: [number % 10]}, 20),  # the same goods again and again
        ({"goods": lambda number: []}, 10),
        ({"goods": fresh, "title": lambda _: "day"}, 12),  # all of one name
        ({"goods": fresh, "title": lambda number: spelt(number % 10)}, 40),  # copies of a few, at ever new urls
        ({"goods": fresh, "fetched": 10}, 30),  # which are not asked for any more
        ({"goods": fresh, "leads": "/goods?page="}, 12),  # of the list's own shape
    ],
)
def test_a_list_goes_on_while_it_leads_to_new_goods_that_are_no_copies(how, most):
    end = end_of_list(**how)
    assert end == 100 if most == 100 else end <= most


def test_names_are_remembered_within_bounds():
    traps = Traps(Limits(shape_alike=10))
    for number in range(NAMES + 10):
        made = Page(f"{BASE}/item/{number}", title="".join(chr(97 + int(digit)) for digit in str(number)), text=COMMON)
        traps.fetched(replace(made, sketch=sketch(made)))
    assert {len(each.names) for each in traps._shapes.values()} == {NAMES}


def test_what_stands_on_a_list_is_visited_though_its_shape_sleeps():
    traps = Traps(Limits(shape_alike=10))
    feed(traps, months())
    assert traps.begin(f"{BASE}/calendar/999", HOST) is not None
    assert traps.begin(f"{BASE}/calendar/999", HOST, listed=True) is None


# -- limits --------------------------------------------------------------------------------------


def test_pages_of_a_host_and_of_a_shape_are_counted():
    traps = Traps(Limits(host_pages=3))
    assert [traps.begin(f"{BASE}/{name}", HOST) is None for name in "abcd"] == [True, True, True, False]
    assert traps.begin(f"{BASE}/e", HOST).rule == "host-pages"
    assert traps.begin("http://b.example/a", "b.example") is None
    traps = Traps(Limits(shape_pages=2))
    assert [traps.begin(f"{BASE}/{n}", HOST) is None for n in range(3)] == [True, True, False]
    assert traps.begin(f"{BASE}/9", HOST).rule == "shape-pages"
    assert traps.begin(f"{BASE}/a", HOST) is None


def test_what_turned_out_to_be_no_page_does_not_count():
    traps = Traps(Limits(host_pages=1, shape_pages=1))
    assert traps.begin(f"{BASE}/1", HOST) is None
    traps.give_back(f"{BASE}/1", HOST)
    assert traps.begin(f"{BASE}/2", HOST) is None
    assert traps.begin(f"{BASE}/3", HOST) is not None


def test_pages_of_earlier_runs_count():
    traps = Traps(Limits(host_pages=1))
    traps.remember(f"{BASE}/1", HOST)
    assert traps.begin(f"{BASE}/2", HOST).rule == "host-pages"


def test_memory_is_bounded():
    traps = Traps(Limits(shape_alike=1000))
    for n in range(MOST_TALLIES + 100):
        traps.begin(f"{BASE}/{'x' * (n % 50)}y{chr(97 + n % 26)}{chr(97 + n // 26 % 26)}{chr(97 + n // 676)}", HOST)
    assert len(traps._shapes) <= MOST_TALLIES
    letters = "abcdefghij"
    feed(traps, months(), lambda n: " ".join(f"{letters[n % 10]}{letters[n // 10]}{x}" for x in letters))
    assert all(len(each.kept) <= KEPT for each in traps._shapes.values())
