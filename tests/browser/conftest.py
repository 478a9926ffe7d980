"""A real browser before a real server: Debian's Chromium, driven by Playwright.

Where there is no Chromium these tests are skipped, and say so. `scripts/test` installs it where it may.
"""

import os
import shutil
import threading
from contextlib import contextmanager

import pytest
import waitress
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect, sync_playwright

from minisearch.web.app import create_app

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]
SECONDS = 60  # a machine may be slow: how long a browser, and what is expected of it, waits for anything
expect.set_options(timeout=SECONDS * 1000)


@contextmanager
def serving(app):
    """The address of an application, served for real."""
    server = waitress.create_server(app, host="127.0.0.1", port=0, threads=4)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.effective_port}"
    finally:
        server.close()
        thread.join(2)  # or it ends with the tests: a browser keeps connections that it no longer needs


@pytest.fixture(scope="session")
def chromium():
    """The browser."""
    if not CHROMIUM:
        pytest.skip("there is no chromium on this machine: scripts/test installs it where it may (apt-get, as root)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def served(garden):
    """The address of the application over the garden."""
    with serving(create_app(str(garden.path))) as address:
        yield address


@pytest.fixture
def opened(chromium, served):
    """Opens pages: `opened(path, js=True, dark=False, phone=False)`. At the end nothing was blocked or thrown.

    A phone has a touch screen; `still` asks for as little motion as possible.
    """
    contexts, complaints = [], []

    def open_page(path="/", *, js=True, dark=False, phone=False, still=False, base=served):
        context = chromium.new_context(
            java_script_enabled=js,
            color_scheme="dark" if dark else "light",
            viewport={"width": 320, "height": 640} if phone else {"width": 1280, "height": 800},
            has_touch=phone,
            reduced_motion="reduce" if still else "no-preference",
        )
        context.set_default_timeout(SECONDS * 1000)
        contexts.append(context)
        page = context.new_page()
        # A blocked script, style or request is told on the console, as is whatever a script of ours throws.
        page.on("console", lambda told: complaints.append(told.text) if is_ours(told, base) else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.complaints = complaints
        page.goto(base + path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


def is_ours(message, base):
    """Whether a page of ours complains; what the pages it leads to say is not ours."""
    return message.type == "error" and message.location.get("url", base).startswith(base)


AXE = Axe().axe_script
RULES = {"resultTypes": ["violations"], "preload": False}  # no style sheet comes from elsewhere
DAY_AND_NIGHT = {"light": RULES, "dark": {**RULES, "runOnly": ["color-contrast"]}}  # nothing else differs


@pytest.fixture
def accessible():
    """Checks a page with axe, with all that can be unfolded, by day and by night."""

    def check(page):
        page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
        page.evaluate(AXE)
        for scheme, rules in DAY_AND_NIGHT.items():
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # no colour is caught while it fades in
            found = page.evaluate("rules => axe.run(rules).then(found => found.violations)", rules)
            told = [(one["id"], [node["html"][:200] for node in one["nodes"][:3]]) for one in found]
            assert told == [], f"{page.url}, {scheme}"

    return check
