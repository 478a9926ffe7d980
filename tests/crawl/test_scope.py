import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.crawl.policy import SCOPES, Rules, folder
from minisearch.errors import BadInput
from minisearch.limits import Limits

SEED = "https://www.example.com/docs/guide/index.html"


def verdict(url, depth=1, seed=SEED, **options):
    """The rule that keeps `url` out, or an empty string."""
    skipped = Rules((seed,), **options).judge(url, depth)
    return skipped.rule if skipped else ""


@pytest.mark.parametrize(
    ("url", "inside"),
    [
        (SEED, {"path", "host", "domain", "any"}),
        ("https://www.example.com/docs/guide/", {"path", "host", "domain", "any"}),
        ("https://www.example.com/docs/guide/a/b?c=d", {"path", "host", "domain", "any"}),
        ("http://www.example.com/docs/guide/a", {"path", "host", "domain", "any"}),
        ("https://www.example.com/docs/guide", {"host", "domain", "any"}),
        ("https://www.example.com/docs/guidebook/", {"host", "domain", "any"}),
        ("https://www.example.com/blog/?at=/docs/guide/", {"host", "domain", "any"}),
        ("https://www.example.com:8080/docs/guide/a", {"any"}),
        ("https://example.com/docs/guide/a", {"domain", "any"}),
        ("https://blog.example.com/", {"domain", "any"}),
        ("https://notexample.com/docs/guide/a", {"any"}),
        ("https://www.example.com.evil.org/docs/guide/a", {"any"}),
        ("https://other.org/", {"any"}),
    ],
)
@pytest.mark.parametrize("scope", ["path", "host", "domain", "any"])
def test_a_scope_draws_the_border(url, inside, scope):
    assert verdict(url, scope=scope) == ("" if scope in inside else "scope")


def test_any_root_lets_a_url_in():
    rules = Rules(("https://a.example/x/", "https://b.example/y/"))
    assert rules.judge("https://b.example/y/1", 1) is None
    refusal = rules.judge("https://a.example/y/1", 1)
    assert refusal.detail == {"inside": ["a.example/x/", "b.example/y/"]}


@pytest.mark.parametrize(
    ("include", "exclude", "rule"),
    [
        ((), (), ""),
        (("*.html",), (), ""),
        (("*.pdf", "*.html"), (), ""),
        (("*.pdf",), (), "pattern"),
        ((), ("*/guide/*",), "pattern"),
        (("*.html",), ("*a.html",), "pattern"),
        ((), ("*A.html",), ""),
        ((), ("a.html",), ""),
    ],
)
def test_patterns_match_the_whole_url_and_exclusion_wins(include, exclude, rule):
    assert verdict("https://www.example.com/docs/guide/a.html", include=include, exclude=exclude) == rule


def test_the_seed_itself_is_never_turned_away():
    assert verdict(SEED, depth=99, include=("*.pdf",), exclude=("*",), max_depth=0) == ""


@pytest.mark.parametrize(("depth", "rule"), [(0, ""), (3, ""), (4, "depth")])
def test_depth_is_limited(depth, rule):
    assert verdict("https://www.example.com/docs/guide/a", depth, max_depth=3) == rule


@pytest.mark.parametrize(("more", "rule"), [(0, ""), (1, "length")])
def test_length_is_limited(more, rule):
    root = "https://www.example.com/docs/guide/"
    assert verdict(root + "x" * (Limits().url_length - len(root) + more)) == rule


def test_a_scope_that_does_not_exist_is_refused():
    with pytest.raises(BadInput):
        Rules((SEED,), "galaxy")


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://a.example/", "/"),
        ("https://a.example/x", "/"),
        ("https://a.example/x/", "/x/"),
        ("https://a.example/x/y.html?z=/w/", "/x/"),
    ],
)
def test_a_url_lies_in_a_folder(url, expected):
    assert folder(url) == expected


sites = st.sampled_from(["www.example.com", "example.com", "a.example.com", "www.example.com:81", "other.org"])
paths = st.sampled_from(["docs", "guide", "index.html", ""])


@given(sites, st.lists(paths, max_size=4))
def test_a_wider_scope_takes_in_all_that_a_narrower_one_does(site, path):
    url = f"https://{site}/{'/'.join(path)}"
    taken_in = [verdict(url, scope=scope) == "" for scope in SCOPES]
    assert taken_in == sorted(taken_in)


@pytest.mark.parametrize(
    ("path", "rule"),
    [
        ("a/b/a/b", ""),
        ("a/b/a/b/a/b", "path"),
        ("a/b/a/b/a/b/c.html", "path"),
        ("x/a/b/a/b/a/b/c.html", "path"),
        ("a/a", ""),
        ("a/a/a", "path"),
        ("a//a///a", "path"),
        ("a/b/c/a/b/c/a/b/c/", "path"),
        ("a/b/c/a/b/c/a/b/d/", ""),
        ("a/b/a/c/a/d/a/e", ""),
        ("a/b/a/c/a/d/a/e/a", "path"),
        ("a/b/b/a/b/a/a/c/b/a", "path"),
        ("ab/a/b/abab/ab", ""),
        ("aa/a/a/aa", ""),
        ("/".join(map(str, range(20))), ""),
        ("/".join(map(str, range(21))), "path"),
        ("a?b=/x/x/x/x", ""),
        ("a/" * 900, "path"),
    ],
)
def test_a_path_that_runs_in_circles_is_not_followed(path, rule):
    found = Rules(("http://a.example/",)).judge(f"http://a.example/{path}", 1)
    assert (found.rule if found else "") == rule


@pytest.mark.parametrize(
    ("limits", "path"),
    [(Limits(url_length=30), "x" * 30), (Limits(path_segments=2), "a/b/c"), (Limits(repeats=1), "a/a")],
)
def test_the_limits_of_a_url_can_be_said(limits, path):
    assert Rules(("http://a.example/",)).judge(f"http://a.example/{path}", 1) is None
    assert Rules(("http://a.example/",), limits=limits).judge(f"http://a.example/{path}", 1) is not None
