"""The frame around every page, in a real browser."""

import pytest

PATHS = [
    *("/", "/search?q=garden", "/search?q=garden&blend=1", "/search?q=tomatoe+prunning", "/search?q=zeppelin"),
    *("/help", "/explain", "/explain?q=roses&url={home}roses.html", "/stats", "/page/1", "/page/1/text"),
    *("/explain?q=roses&url={home}roses.html&against={home}flowers.html", "/term/rose", "/term/", "/why"),
    *("/why?url={home}shed/tools.html",),
]


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_every_page_is_sound_for_everybody(opened, accessible, garden, served, dark):
    page = opened("/", dark=dark)
    for path in PATHS:
        page.goto(served + path.format(home=garden.home))
        accessible(page)


def test_an_error_page_is_sound_too(opened, accessible):
    page = opened("/nowhere")
    accessible(page)
    page.complaints[:] = [told for told in page.complaints if "404" not in told]  # the status, which is no block


def test_no_page_is_wider_than_a_phone(opened, garden, served):
    page = opened("/", phone=True)
    for path in PATHS:
        page.goto(served + path.format(home=garden.home))
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, path
