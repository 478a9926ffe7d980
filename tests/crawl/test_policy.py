import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.crawl.policy import Policy, Rules, Traps
from minisearch.limits import Limits
from minisearch.models import Link, Page, Queued, Redirect, Skipped

SITE, HOST = "http://a.example", "a.example"
LIMITS = Limits()


def policy(**options):
    return Policy(Rules((f"{SITE}/",), "host", max_depth=2), **{"traps": Traps(LIMITS), **options})


def queued(path="/", *, depth=0, number=1):
    return Queued(number, SITE + path, HOST, depth, 0)


def test_a_link_is_judged_by_the_rules_of_the_crawl():
    page = Page(f"{SITE}/", links=(Link(f"{SITE}/a"), Link("http://b.example/")))
    assert [(found.rule, found.depth) for found in policy().discovered(queued(), page)] == [("", 1), ("scope", 1)]


@pytest.mark.parametrize("depth", [0, 2])
def test_a_link_that_may_not_be_followed_has_no_depth_as_yet(depth):
    page = Page(f"{SITE}/", links=(Link(f"{SITE}/a", nofollow=True),))
    (found,) = policy().discovered(queued(depth=depth), page)
    assert found.rule == "nofollow"


def test_where_a_seed_is_redirected_to_widens_the_rules():
    made = policy()
    assert made.discovered(queued(), Redirect(f"{SITE}/", "http://www.a.example/", 301))[0].rule == ""
    assert made.rules.roots == (f"{SITE}/", "http://www.a.example/")


def blocked(*patterns):
    """A trap detector in which these patterns are blocked."""
    traps = Traps(LIMITS)
    for pattern in patterns:
        traps.restore_pattern(SITE + pattern, True, [], [])
    return traps


@pytest.mark.parametrize(("page", "rule"), [("/list", ""), ("/day/3", "trap")])
def test_a_url_of_a_blocked_pattern_is_skipped_if_it_is_found_on_a_page_of_that_pattern(page, rule):
    links = (Link(f"{SITE}/day/4"),)
    (found,) = policy(traps=blocked("/day/#")).discovered(queued(page), Page(SITE + page, links=links))
    assert found.rule == rule


def test_a_sitemap_may_name_urls_of_a_blocked_pattern():
    assert policy(traps=blocked("/day/#")).verdict(f"{SITE}/day/4", 1).rule == ""


@pytest.mark.parametrize(
    ("path", "refused"),
    [
        (["/", "/list"], False),
        (["/list", "/shelf/1"], False),
        (["/day/2", "/day/3"], False),
        (["/", "/week/6"], True),
        (["/week/5", "/week/6"], True),
        (["/week/6", "/list"], False),
        (["/sitemap"], False),
        ([], False),
    ],
)
def test_a_url_is_checked_again_when_it_is_due(path, refused):
    made = policy(traps=blocked("/week/#"), path=lambda _: [SITE + url for url in path])
    refusal = made.due(queued("/week/7", depth=2))
    assert (refusal is not None) is refused


def test_a_seed_is_fetched_though_its_pattern_is_blocked():
    made = Policy(Rules((f"{SITE}/week/7",), "host"), blocked("/week/#"), lambda _: [f"{SITE}/week/6"])
    assert made.due(queued("/week/7")) is None


def test_only_what_is_a_page_counts_as_one_of_its_pattern():
    made = Policy(Rules((f"{SITE}/",), "host"), Traps(Limits(pattern_pages=1)))
    assert made.due(queued("/day/1", number=1)) is None
    made.on_result(queued("/day/1", number=1), Skipped(f"{SITE}/day/1", "type"))
    assert made.due(queued("/day/2", number=2)) is None
    made.on_result(queued("/day/2", number=2), Page(f"{SITE}/day/2"))
    assert made.due(queued("/day/3", number=3)).rule == "pattern-pages"


# -- discovered before --------------------------------------------------------------------------

urls = st.sampled_from("abcd").map(f"{SITE}/{{}}".format)
shunned = st.sampled_from([False, False, False, True])


@given(st.lists(st.builds(Link, urls, st.just(""), shunned)).map(tuple), st.booleans())
def test_a_verdict_does_not_depend_on_what_was_discovered_before(links, canonical):
    page = Page(f"{SITE}/", links=links, canonical=f"{SITE}/a" * canonical)
    experienced = policy()
    first = experienced.discovered(queued(), page)
    assert experienced.discovered(queued(), page) == policy().discovered(queued(), page) == first
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
def test_whatever_was_discovered_before_the_scope_rules_decide(rules, pages):
    experienced = Policy(rules, Traps(rules.limits))
    for depth, found in pages:
        page = Page(f"{SITE}/", links=tuple(Link(f"{SITE}/{path}") for path in found))
        found_now = experienced.discovered(queued(depth=depth), page)
        assert found_now == Policy(rules, Traps(rules.limits)).discovered(queued(depth=depth), page)
        for url in found_now:
            refusal = rules.judge(url.url, depth + 1)
            assert (url.rule, url.detail) == ((refusal.rule, refusal.detail) if refusal else ("", {}))
