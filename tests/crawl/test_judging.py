import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.crawl.judging import Judge
from minisearch.crawl.scope import Rules
from minisearch.crawl.traps import Traps
from minisearch.limits import Limits
from minisearch.records import Link, Page, Queued, Redirect

SITE, HOST = "http://a.example", "a.example"
LIMITS = Limits()


def judge(**options):
    return Judge(Rules((f"{SITE}/",), "host", max_depth=2), LIMITS, **options)


def queued(path="/", *, depth=0, number=1):
    return Queued(number, SITE + path, HOST, depth, 0)


def asleep(*shapes):
    """Traps in which these shapes sleep."""
    traps = Traps(LIMITS)
    for shape in shapes:
        traps.put_to_sleep(SITE + shape)
    return traps


def test_a_link_is_judged_by_the_rules_of_the_crawl():
    page = Page(f"{SITE}/", links=(Link(f"{SITE}/a"), Link("http://b.example/")))
    assert [(found.rule, found.depth) for found in judge().led_to(queued(), page)] == [("", 1), ("scope", 1)]


@pytest.mark.parametrize("depth", [0, 2])
def test_a_link_that_may_not_be_followed_has_no_depth_as_yet(depth):
    page = Page(f"{SITE}/", links=(Link(f"{SITE}/a", nofollow=True),))
    (found,) = judge().led_to(queued(depth=depth), page)
    assert found.rule == "nofollow"


def test_where_a_seed_is_redirected_to_widens_the_rules():
    made = judge()
    assert made.led_to(queued(), Redirect(f"{SITE}/", "http://www.a.example/", 301))[0].rule == ""
    assert made.rules.roots == (f"{SITE}/", "http://www.a.example/")


@pytest.mark.parametrize(("page", "rule"), [("/list", ""), ("/day/3", "trap")])
def test_a_url_whose_shape_sleeps_is_met_on_an_ordinary_page_alone(page, rule):
    links = (Link(f"{SITE}/day/4"),)
    (found,) = judge(traps=asleep("/day/#")).led_to(queued(page), Page(SITE + page, links=links))
    assert found.rule == rule


def test_a_sitemap_may_name_what_sleeps():
    assert judge(traps=asleep("/day/#")).listed(f"{SITE}/day/4", 1).rule == ""


@pytest.mark.parametrize(
    ("path", "refused"),
    [
        (["/", "/list"], False),
        (["/list", "/shelf/1"], False),  # on another kind of page that an ordinary one led to
        (["/", "/day/3"], False),
        (["/day/2", "/day/3"], True),
        (["/shelf/1", "/shelf/2"], True),
        (["/list", "/shelf/1", "/shelf/1/2"], False),  # on a further page of that kind
        (["/list", "/shelf/1", "/shelf/1?page=2"], False),
        (["/list", "/shelf/1", "/shelf/2"], True),  # on one of which there may be no end
        (["/list", "/shelf/1", "/shelf/1?sid=9f3c2a7b1"], True),
        (["/list", "/shelf/1", "/week/7?view=2"], True),
        (["/list", "/week/1", "/shelf/1"], True),
        (["/list", "/shelf/1", "/shelf/1/2", "/board/1"], True),
        (["/sitemap"], False),
    ],
)
def test_when_its_turn_has_come_it_matters_how_a_url_was_found(path, refused):
    made = judge(traps=asleep("/week/#"), path=lambda _: [SITE + url for url in path])
    refusal = made.refusal(queued("/week/7", depth=2))
    assert (refusal is not None) is refused


def test_only_what_is_a_page_counts_as_one_of_its_shape():
    made = Judge(Rules((f"{SITE}/",), "host"), Limits(shape_pages=1))
    assert made.refusal(queued("/day/1", number=1)) is None
    made.came_to_nothing(queued("/day/1", number=1))
    assert made.refusal(queued("/day/2", number=2)) is None
    made.fetched(queued("/day/2", number=2), Page(f"{SITE}/day/2"))
    made.came_to_nothing(queued("/day/2", number=2))  # it was settled already
    assert made.refusal(queued("/day/3", number=3)).rule == "shape-pages"


# -- what is known already -----------------------------------------------------------------------

urls = st.sampled_from("abcd").map(f"{SITE}/{{}}".format)
shunned = st.sampled_from([False, False, False, True])


@given(st.lists(st.builds(Link, urls, st.just(""), shunned)).map(tuple), st.booleans())
def test_what_is_known_already_is_judged_as_what_is_met_for_the_first_time(links, canonical):
    page = Page(f"{SITE}/", links=links, canonical=f"{SITE}/a" * canonical)
    experienced = judge()
    first = experienced.led_to(queued(), page)
    assert experienced.led_to(queued(), page) == judge().led_to(queued(), page) == first
    assert [found.url for found in first] == [
        *dict.fromkeys([*(link.url for link in links), *[f"{SITE}/a"] * canonical])
    ]


paths = st.lists(st.sampled_from(["", "a", "b", "c?d", "e" * 20]), max_size=5).map("/".join)
pages = st.lists(st.tuples(st.integers(0, 3), st.lists(paths, max_size=4)), max_size=6)
rules = st.builds(
    Rules,
    st.sampled_from([(f"{SITE}/",), (f"{SITE}/a/",), (f"{SITE}/a/b/a/b/a", f"{SITE}/b?a")]),
    st.sampled_from(["path", "host", "domain", "any"]),
    include=st.sampled_from([(), (), ("*/a*",)]),
    exclude=st.sampled_from([(), (), ("*b",)]),
    max_depth=st.integers(0, 3),
    limits=st.just(Limits(url_length=50, path_segments=4, repeats=1)),
)


@given(rules, pages)
def test_whatever_was_let_in_before_a_url_is_judged_by_the_rules_alone(rules, pages):
    experienced = Judge(rules, rules.limits)
    for depth, found in pages:
        page = Page(f"{SITE}/", links=tuple(Link(f"{SITE}/{path}") for path in found))
        told = experienced.led_to(queued(depth=depth), page)
        assert told == Judge(rules, rules.limits).led_to(queued(depth=depth), page)
        for url in told:
            refusal = rules.judge(url.url, depth + 1)
            assert (url.rule, url.reason) == ((refusal.rule, refusal.reason) if refusal else ("", ""))
