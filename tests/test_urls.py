import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.errors import BadUrl
from minisearch.urls import TRACKING_PARAMETERS, host, join, normalize, origin, split_fragment, untracked

BASE = "http://example.com/a/b/c.html?q=1"


@pytest.mark.parametrize(
    ("url", "normal"),
    [
        ("http://example.com", "http://example.com/"),
        ("HTTPS://EXAMPLE.com:443/A", "https://example.com/A"),
        ("http://example.com:8080/", "http://example.com:8080/"),
        ("http://example.com:0080/", "http://example.com/"),
        ("http://example.com:/", "http://example.com/"),
        ("http://me:secret@example.com/", "http://example.com/"),
        ("http://me@there@example.com/", "http://example.com/"),
        ("http://example.com./a", "http://example.com/a"),
        ("http://example.com/a#top", "http://example.com/a"),
        ("http://example.com/a?#top", "http://example.com/a"),
        ("http://example.com?", "http://example.com/"),
        ("http://example.com?b=2&a=1&b=2", "http://example.com/?b=2&a=1&b=2"),
        ("  http://example.com/a \n", "http://example.com/a"),
        ("\x00\x1fhttp://example.com/a \x0b", "http://example.com/a"),
        ("http://example.com/a\xa0", "http://example.com/a%C2%A0"),
        ("http://exa\nmple.com/a\tb", "http://example.com/ab"),
        ("http:\\\\example.com\\a\\b?c\\d", "http://example.com/a/b?c%5Cd"),
        ("http:example.com/a", "http://example.com/a"),
        ("http:/example.com/a", "http://example.com/a"),
        ("http:////example.com/a", "http://example.com/a"),
        ("http://example.com/a/./b/../c/..", "http://example.com/a/"),
        ("http://example.com/../../a", "http://example.com/a"),
        ("http://example.com/a/%2e%2E/b", "http://example.com/b"),
        ("http://example.com/a//b///", "http://example.com/a//b///"),
        ("http://example.com/.../a..b/.c", "http://example.com/.../a..b/.c"),
        ("http://example.com/%7euser/%41", "http://example.com/~user/A"),
        ("http://example.com/a%2fb%c5%a1", "http://example.com/a%2Fb%C5%A1"),
        ("http://example.com/100%", "http://example.com/100%25"),
        ("http://example.com/%%41%2%zz", "http://example.com/%25A%252%25zz"),
        ("http://example.com/a b<c>?d e[]", "http://example.com/a%20b%3Cc%3E?d%20e%5B%5D"),
        ("http://example.com/шума?појам=ć", "http://example.com/%D1%88%D1%83%D0%BC%D0%B0?%D0%BF%D0%BE%D1%98%D0%B0%D0%BC=%C4%87"),
        ("http://example.com/\ud800", "http://example.com/%EF%BF%BD"),
        ("http://Пример.срб/", "http://xn--e1afmkfd.xn--90a3ac/"),
        ("http://bücher。example/", "http://xn--bcher-kva.example/"),
        ("http://faß.example/", "http://xn--fa-hia.example/"),
        ("http://b%C3%BCcher.example/", "http://xn--bcher-kva.example/"),
        ("http://my_host.example/", "http://my_host.example/"),
        ("http://localhost:8000/", "http://localhost:8000/"),
        ("http://127.1/", "http://127.0.0.1/"),
        ("http://0x7f000001:80/", "http://127.0.0.1/"),
        ("http://[::1]:8080/a", "http://[::1]:8080/a"),
        ("http://[2001:DB8:0:0::1]/", "http://[2001:db8::1]/"),
        ("http://[::ffff:127.0.0.1]/", "http://[::ffff:7f00:1]/"),
    ],
)  # fmt: skip
def test_every_address_has_one_spelling(url, normal):
    assert normalize(url) == normal
    assert normalize(normal) == normal


@pytest.mark.parametrize(
    ("href", "normal"),
    [
        ("", "http://example.com/a/b/c.html?q=1"),
        ("#top", "http://example.com/a/b/c.html?q=1"),
        ("?", "http://example.com/a/b/c.html?q=1"),
        ("?q=2", "http://example.com/a/b/c.html?q=2"),
        ("d.html#e", "http://example.com/a/b/d.html"),
        ("./d.html", "http://example.com/a/b/d.html"),
        ("d/", "http://example.com/a/b/d/"),
        (".", "http://example.com/a/b/"),
        ("..", "http://example.com/a/"),
        ("../../../../d", "http://example.com/d"),
        ("../d?x=../y", "http://example.com/a/d?x=../y"),
        ("/d/../e", "http://example.com/e"),
        ("/", "http://example.com/"),
        ("\\d", "http://example.com/d"),
        ("//other.org/d", "http://other.org/d"),
        ("///other.org/d", "http://other.org/d"),
        ("https://other.org/d", "https://other.org/d"),
        ("https:d", "https://d/"),
        ("http:d", "http://example.com/a/b/d"),
        ("http:/d", "http://example.com/d"),
        ("./x:y", "http://example.com/a/b/x:y"),
        ("\xa0d.html", "http://example.com/a/b/%C2%A0d.html"),
        (" \x1f\xa0/d \n", "http://example.com/a/b/%C2%A0/d"),
        ("\ufeffd", "http://example.com/a/b/%EF%BB%BFd"),
    ],
)
def test_a_link_is_read_as_found_on_its_page(href, normal):
    assert normalize(href, BASE) == normal


@pytest.mark.parametrize(
    "url",
    [
        "",
        "about",
        "/about",
        "mailto:me@example.com",
        "javascript:void(0)",
        "ftp://example.com/",
        "x:y",
        "http://",
        "http:///",
        "http://:80/",
        "http://?q",
        "http://example.com:0/",
        "http://example.com:65536/",
        "http://example.com:http/",
        "http://example.com:٣/",
        "http://exa mple.com/",
        "http://exa%00mple.com/",
        "http://a%2fb/",
        "http://%ff/",
        "http://a..b/",
        "http://example.com../",
        f"http://{'a' * 64}.com/",
        f"http://{'a.' * 130}com/",
        "http://256.1.1.1/",
        "http://1.2.3.4.5/",
        "http://1_0.1/",
        "http://09.1/",
        "http://[::1/",
        "http://::1/",
        "http://[::1]x/",
        "http://[1.2.3.4]/",
        "http://[fe80::1%25eth0]/",
        "http://\u200d.example/",
    ],
)
def test_anything_else_is_refused_in_one_line(url):
    with pytest.raises(BadUrl) as refusal:
        normalize(url)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("typed", "hint"),
    [
        ("example.com/a", ': try "https://example.com/a"'),
        ("example.com:8080/a", ': try "https://example.com:8080/a"'),
        ("localhost:8000/docs/", ': try "http://localhost:8000/docs/"'),
        ("localhost", ': try "http://localhost"'),
        ("127.0.0.1:8000", ': try "http://127.0.0.1:8000"'),
        ("127.0.0.1.example.com/", ': try "https://127.0.0.1.example.com/"'),
        ("mailto:a@example.com", ""),
        ("docs/a.html", ""),
    ],
)
def test_a_forgotten_scheme_is_suggested(typed, hint):
    with pytest.raises(BadUrl) as refusal:
        normalize(typed)
    assert str(refusal.value) == f'not an http or https URL: "{typed}"{hint}'


def test_a_bad_base_harms_only_the_links_that_need_it():
    assert normalize("https://other.org/", "mailto:me") == "https://other.org/"
    with pytest.raises(BadUrl, match="mailto:me"):
        normalize("a.html", "mailto:me")


def test_host_and_origin_carry_an_unusual_port():
    assert host("https://example.com:8443/a/b?c") == "example.com:8443"
    assert origin("https://example.com:8443/a/b?c") == "https://example.com:8443"
    assert host("http://[::1]/") == "[::1]"


words = (
    r"http https mailto : / // \ ? # @ . .. ./ ../ % %41 %2e %2F %zz [ ] [::1] :80 :8080 & = + ; a B b.html"
    " c/d 1 0x7f 127.1 example.com other.org. š шума 。 ß http:// https://example.com http://example.com/ ~ <"
)
pieces = st.sampled_from([*words.split(), *" \0\t\n\xa0\u3000\u200d\ud800"])
urls = st.lists(pieces, max_size=9).map("".join) | st.text(max_size=12)
bases = st.sampled_from([BASE, "http://example.com", "https://example.com:81//a//b/", "http:x", "", "mailto:me"]) | urls


def answer(function, *arguments):
    """What a call gives, an error included."""
    try:
        return function(*arguments)
    except BadUrl as error:
        return repr(error)


@given(urls, bases)
def test_normalizing_twice_changes_nothing(url, base):
    once = answer(normalize, url, base)
    if not once.startswith("BadUrl"):
        assert once.isascii()
        assert normalize(once) == once
        assert normalize(once, base) == once
        assert normalize(origin(once)) == origin(once) + "/"
        assert host(once) in origin(once)


plain_hrefs = st.from_regex(
    r"(\.\./){0,4}([a-z.~;=]{0,3}/){0,3}[a-z.]{0,3}(\?[a-z=&/?]{0,3})?(#[a-z#]?)?", fullmatch=True
)
normal_bases = st.sampled_from(
    [normalize(BASE), "http://example.com/", "https://example.com:81//a//b/", "http://x/?a/b"]
)


@given(st.sampled_from(["", "/", "http:", "http://Example.com:80/"]), plain_hrefs | urls, normal_bases)
def test_joining_is_normalizing_with_a_cache(prefix, href, base):
    expected = answer(normalize, prefix + href, base)
    for _ in range(2):
        assert join(prefix + href, base) == ("" if expected.startswith("BadUrl") else expected)


@pytest.mark.parametrize(
    ("href", "expected"),
    [
        ("a.html", ""),
        ("a.html#", ""),
        ("a.html#b", "b"),
        (" a.html#b%20c d\n", "b%20c d"),
        ("a#b\n#c", "b#c"),
        ("a#\xa0b", "\xa0b"),
        ("#:~:text=some words", ":~:text=some words"),
    ],
)
def test_the_fragment_is_kept_as_written(href, expected):
    assert split_fragment(href)[1] == expected


# -- tracking parameters -------------------------------------------------------------------------

NAMES = [name for names in TRACKING_PARAMETERS.values() for name in names.split()]
PAGE = "http://a.example/story"
parameters = st.sampled_from(
    ["id=1", "page", "utm_source=x", "UTM_Medium", "fbclid=", "gclid=a=b", "x=utm_source=1", "", "q=é"]
)


@pytest.mark.parametrize("name", NAMES)
def test_tracking_parameters_are_removed(name):
    name += "anything" * name.endswith("_")
    assert untracked(f"{name}=1") == untracked(name) == untracked(f"{name.upper()}=1") == ""
    assert untracked(f"a=1&{name}=x&b=2&{name}") == "a=1&b=2"


@pytest.mark.parametrize(
    "query", ["ref=1", "id=7&b=&a", "gclids=1", "my_gclid=1", "q=utm_source", "source=utm_x&&", "&a"]
)
def test_other_parameters_stay_as_they_are(query):
    assert untracked(query) == query


@pytest.mark.parametrize(
    ("href", "url"),
    [
        ("http://a.example/story?utm_source=news&utm_medium=mail", PAGE),
        ("/story?page=2&gclid=1", f"{PAGE}?page=2"),
        ("?fbclid=1", PAGE),
        ("story?%75tm_source=1&id=1", f"{PAGE}?id=1"),
        ("story?ID=1", f"{PAGE}?ID=1"),
    ],
)
def test_a_url_is_normalized_without_tracking_parameters(href, url):
    assert normalize(href, PAGE) == join(href, PAGE) == url


@given(st.lists(parameters, max_size=6).map("&".join))
def test_removing_tracking_parameters_twice_changes_nothing(query):
    once = normalize(f"/story?{query}", PAGE)
    assert normalize(once) == once
    assert "utm_source=x" not in once.split("&")


@given(st.text())
def test_what_remains_of_a_query_was_in_it(query):
    left = untracked(query)
    assert set(left.split("&")) <= {*query.split("&"), ""}
    assert untracked(left) == left
