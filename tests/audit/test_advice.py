import pytest

from minisearch.audit.advice import advise
from minisearch.audit.facts import audit

GOOD = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>How to prune a rose</title>
<meta name="description" content="What to cut, when to cut it, and why a rose forgives nearly everything you do to it.">
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="canonical" href="https://example.com/a">
<meta property="og:title" content="x"><meta property="og:description" content="x"><meta property="og:image" content="x">
</head><body id="top"><h1>How to prune a rose</h1><h2>When</h2><p>Late in winter. <a href="/b">More</a>.
<img src="a.png" alt="A rose" width="10" height="10"></p></body></html>"""
URL = "https://example.com/a"


def advice(markup, image_bytes=()):
    found = audit(markup, URL)
    found.image_bytes = dict(image_bytes)
    return {each.rule: each for each in advise(found)}


def test_good_page_needs_no_advice():
    assert advice(GOOD) == {}


CHANGES = [
    ("doctype", "warning", "<!DOCTYPE html>", ""),
    ("language", "warning", ' lang="en"', ""),
    ("title", "error", "<title>How to prune a rose</title>", ""),
    ("title", "warning", "<title>How", "<title>How and where and when and with which of the three good knives"),
    ("title", "warning", "</title>", "</title><title>Another</title>"),
    ("description", "warning", 'name="description"', 'name="x"'),
    ("description", "note", "to cut, when to cut it, and why a rose forgives nearly everything you do to it.", "now?"),
    ("viewport", "warning", 'name="viewport"', 'name="x"'),
    ("viewport", "warning", "initial-scale=1", "user-scalable = no"),
    ("canonical", "error", "</head>", '<link rel="canonical" href="/c"></head>'),
    ("canonical", "warning", "https://example.com/a", "https://other.example/a"),
    ("canonical", "note", "https://example.com/a", "https://example.com/b"),
    ("canonical", "error", "https://example.com/a", "mailto:me"),
    ("canonical", "error", "<h2>", '<link rel="canonical" href="/c"><h2>'),
    ("noindex", "error", "</head>", '<meta name="robots" content="noindex"></head>'),
    ("nofollow", "warning", "</head>", '<meta name="robots" content="nofollow"></head>'),
    ("heading", "warning", "h1", "h2"),
    ("heading", "note", "</h1>", "</h1><h1>Another</h1>"),
    ("heading", "note", "h2", "h4"),
    ("heading", "warning", "When", ""),
    ("social", "note", "og:image", "og:x"),
    ("link-text", "warning", ">More<", "><"),
    ("link", "warning", '"/b"', '"javascript:void(0)"'),
    ("anchor", "warning", '"/b"', '"#nowhere"'),
    ("nofollow", "note", '"/b"', '"/b" rel="nofollow"'),
    ("mixed", "warning", '"a.png"', '"http://example.com/a.png"'),
    ("alt", "warning", ' alt="A rose"', ""),
    ("stuffed", "warning", "A rose", "rose " * 40),
    ("oversized", "warning", 'width="10"', 'width="5000"'),
    ("oversized", "warning", 'width="10"', f'width="{"9" * 5000}"'),
    ("oversized", "warning", '"a.png"', f'"data:image/png;base64,{"A" * 40000}"'),
    ("image-size", "note", ' width="10"', ""),
    ("hidden", "note", "<h2>", "<p hidden>psst</p><h2>"),
    ("hidden", "warning", "<h2>", f"<p hidden>{'cheap watches ' * 20}</p><h2>"),
    ("stuffed", "warning", "<h2>", "<p>watch watch watch watch</p><h2>"),
    ("stuffed", "warning", "Late", "watches cost little, " * 20),
    ("stuffed", "warning", "How to prune a rose<", "roses roses roses<"),
    ("json-ld", "error", "</head>", '<script type="application/ld+json">{</script></head>'),
    ("microdata", "note", "<h2>", "<h2 itemscope>"),
    ("id", "note", "<h1>", '<h1 id="top">'),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "level", "before", "after"), CHANGES, ids=lambda value: value[:30])
def test_each_problem_is_reported(rule, level, before, after):
    assert before in GOOD
    found = advice(GOOD.replace(before, after))
    assert found[rule].level == level


def test_empty_alt_text_is_fine():
    assert "alt" not in advice(GOOD.replace('"A rose"', '""'))


def test_large_images_are_reported_with_their_size():
    found = advice(GOOD, image_bytes={"https://example.com/a.png": 999_999})
    assert found["oversized"].examples == ("a.png (999,999 bytes)",)


@pytest.mark.parametrize(
    ("declared", "contradicted", "level"), [(True, False, None), (True, True, "error"), (False, False, "warning")]
)
def test_wrong_or_missing_charset_is_reported(declared, contradicted, level):
    found = audit(GOOD, URL)
    found.charset_declared, found.charset_contradicted = declared, contradicted
    levels = {each.rule: each.level for each in advise(found)}
    assert levels.get("charset") == level


def test_errors_come_first_and_long_lists_are_cut():
    found = audit("<p>" + "<img src=x.png>" * 99, URL)
    levels = [each.level for each in advise(found)]
    assert levels == sorted(levels, key=["error", "warning", "note"].index)
    assert next(each for each in advise(found) if each.rule == "alt").examples[-1] == "and 94 more"


def test_one_image_is_not_several():
    found = audit(GOOD.replace(' alt="A rose"', ""), URL)
    assert next(each for each in advise(found) if each.rule == "alt").message.startswith("1 image without alt text")
