"""Crawl the handbook, serve it, and take a screenshot of every kind of page."""

import os
import shutil
import sys
import tempfile
import threading
from pathlib import Path

import waitress
from playwright.sync_api import sync_playwright

from minisearch import Engine
from minisearch.testing.server import fixture_server
from minisearch.web.app import create_app

ROOT = Path(__file__).resolve().parent.parent.parent
QUERY = "search+engine"
SIZES = {"desktop": (1120, 720), "phone": (390, 844)}
README = {"search": "light", "explain": "dark", "lab": "light"}  # the color scheme of each in the README


def main() -> None:
    """Take all screenshots."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / ".screenshots" / "all"
    for each in (folder, ROOT / ".screenshots"):
        each.mkdir(parents=True, exist_ok=True)
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if not chromium:
        sys.exit("chromium is missing: install it, or set its path with CHROMIUM=/path/to/chrome")
    with tempfile.TemporaryDirectory() as scratch, fixture_server() as site:
        db = str(Path(scratch) / "web.db")
        home = f"{site}/handbook/"
        with Engine(db) as engine:
            engine.crawl(home + "index.html", workers=0)
            hit = engine.lucky(QUERY.replace("+", " "))
            page_id, url = (hit.page_id, hit.url) if hit else (1, home)
        app = create_app(db, allow_crawl=True, sql=True, trusted_hosts=("127.0.0.1",), is_private=True)
        server = waitress.create_server(app, host="127.0.0.1", port=0)
        threading.Thread(target=server.run, daemon=True).start()
        paths = {
            "home": "/",
            "search": f"/search?q={QUERY}",
            "explain": f"/explain?q={QUERY}&url={url}",
            "page": f"/page/{page_id}",
            "stats": "/stats",
            "graph": "/graph",
            "lab": "/lab",
            "term": "/term/search",
            "why": f"/why?url={home}closed/drafts.html",
            "tables": "/tables",
            "table": "/tables/page_list",
            "sql": "/sql",
            "crawl": "/crawl",
            "help": "/help",
            "missing": "/nowhere",
        }
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=["--headless", "--no-sandbox"])
            for size, (width, height) in SIZES.items():
                for scheme in ("light", "dark"):
                    view = {"width": width, "height": height}
                    context = browser.new_context(viewport=view, color_scheme=scheme, reduced_motion="reduce")
                    page = context.new_page()
                    for name, path in paths.items():
                        page.goto(f"http://127.0.0.1:{server.effective_port}{path}", timeout=120_000)
                        file = folder / f"{name}-{size}-{scheme}.png"
                        page.screenshot(path=str(file))
                        if size == "desktop" and README.get(name) == scheme:
                            shutil.copy(file, ROOT / ".screenshots" / f"{name}.png")
                        print(file, f"{file.stat().st_size // 1000} KB")
                    context.close()
            browser.close()


if __name__ == "__main__":
    main()
