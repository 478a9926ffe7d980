from hypothesis import given
from hypothesis import strategies as st

from minisearch.parse.sketches import SKETCH, alike, sketch, wording
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


def test_the_wording_keeps_the_order_of_words_and_the_names_of_folders():
    page = Page("http://a.example/", title="Index", text="Docs/ ČAŠA/ a/b /c x=1/ seed9 docs// -Old-\nOld")
    assert wording(page) == "index docs čaša old old".encode()
