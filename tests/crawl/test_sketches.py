import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.crawl import sketches as module
from minisearch.crawl.sketches import SKETCH, alike, sketch, wording
from minisearch.native.loops import compiled
from minisearch.records import Page

COMMON = "the club meets in the old mill beside the river there are no events this month previous next home about us"


def likeness(one, other):
    return alike(*(sketch(Page("http://a.example/", text=text)) for text in (one, other)))


def test_numbers_and_ids_do_not_make_a_difference():
    assert likeness(f"{COMMON} 5/2024 sid9f3c", f"{COMMON} 6/2024 sid77aa") == 1


def test_addresses_make_none_either():
    assert likeness(f"{COMMON} /shop/abcd/cart ?q=rose", f"{COMMON} /shop/wxyz/cart ?q=tulip") == 1


def test_words_do():
    assert likeness("roses are red in spring", "violets bloom blue after winter") == 0


words = st.lists(st.sampled_from([f"word{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(300)]), max_size=400)


@given(words, words)
def test_the_estimate_is_not_far_from_the_share_of_common_words(one, other):
    first, second = {*one}, {*other}
    exact = len(first & second) / len(first | second) if first | second else 1.0
    tolerance = 0 if len(first) < SKETCH and len(second) < SKETCH else 0.3
    assert abs(likeness(" ".join(one), " ".join(other)) - exact) <= tolerance + 1e-9


needs_loops = pytest.mark.skipif(not compiled, reason="nothing is compiled")
pieces = st.sampled_from(
    ["Rose", "ROSE", "a", "a/b", "x=1", "sid9", "snake_case", "Čaša", "猫と", "x²", "½", "İİ", "ΟΔΟΣ"]
)
spaces = st.sampled_from([" ", "\n", "\x1c", "\u2003", "-", "/", "’", ""])


@needs_loops
@given(st.text() | st.lists(pieces | spaces | st.sampled_from(COMMON.split()), max_size=300).map(" ".join))
def test_compiled_or_not_the_sketch_is_the_same(text):
    assert sketch(Page("http://a.example/", text=text)) == module._sketch(f"\n{text}".lower())


@needs_loops
@given(st.lists(pieces | spaces, max_size=30).map("".join))
def test_signs_part_words_alike(text):
    assert sketch(Page("http://a.example/", text=text)) == module._sketch(f"\n{text}".lower())


@needs_loops
def test_every_letter_is_read_alike():
    for start in range(0, 0x110000, 0x40):
        text = " ".join(f"{chr(code)}{chr(code)} a{chr(code)}b c{chr(code)}" for code in range(start, start + 0x40))
        page, said = Page("http://a.example/", text=text), f"\n{text}".lower()
        assert sketch(page) == module._sketch(said), hex(start)
        assert wording(page) == module._wording(said), hex(start)


@needs_loops
def test_words_that_have_the_same_hash_are_different_words():
    assert compiled.sketch(b"plumless buckeroo plumless", 9) == (1306201125, 1306201125)


@needs_loops
@given(st.binary(), st.integers(1, 5))
def test_no_bytes_break_the_compiled_loop(text, most):
    found = compiled.sketch(text, most)
    assert found is None or (len(found) <= most and list(found) == sorted(found))


@needs_loops
@pytest.mark.parametrize("most", [0, -1])
def test_a_sketch_has_room_for_something(most):
    with pytest.raises(ValueError, match="has to have room"):
        compiled.sketch(b"a", most)


def test_the_wording_keeps_the_order_of_words_and_the_names_of_folders():
    page = Page("http://a.example/", title="Index", text="Docs/ ČAŠA/ a/b /c x=1/ seed9 docs// -Old-\nOld")
    assert wording(page) == "index docs čaša old old".encode()


@needs_loops
@given(
    st.text()
    | st.lists(pieces | spaces | st.sampled_from(COMMON.split()), max_size=300).map(" ".join)
    | st.lists(pieces | spaces, max_size=30).map("".join)
)
def test_compiled_or_not_the_wording_is_the_same(text):
    assert wording(Page("http://a.example/", text=text)) == module._wording(f"\n{text}".lower())


@needs_loops
@given(st.binary())
def test_no_bytes_break_the_loop_for_wordings(text):
    found = compiled.wording(text)
    assert found is None or not found.startswith(b" ")
