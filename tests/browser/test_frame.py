"""The frame around every page, in a real browser."""

import pytest


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("path", ["/", "/search?q=garden", "/search?q=zeppelin", "/nowhere"])
def test_a_page_is_sound_for_everybody(opened, accessible, path, dark):
    page = opened(path, dark=dark)
    accessible(page)
    page.complaints[:] = [told for told in page.complaints if "404" not in told]  # the status, not a block


def test_no_page_is_wider_than_a_phone(opened):
    page = opened("/search?q=garden", phone=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
