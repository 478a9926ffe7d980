"""Looking behind the results: why a page stands where it does, and what is known of it, of a word, of a url."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from minisearch.errors import NotFound
from minisearch.web import asked
from minisearch.web.library import engine

LINES = 20  # of each list
MOST_LINES = 500
LETTERS = 20_000  # of a page's text at a time
LONGEST_URL = 8_000

pages = Blueprint("look", __name__)


@pages.get("/explain")
def explain() -> str:
    """The account of a score, or of two side by side."""
    query, url, other = asked.query(), asked.text("url", LONGEST_URL), asked.text("against", LONGEST_URL)
    if not query.strip() or not url:
        return render_template("explain_ask.html", query=query, url=url)
    blend = asked.share("blend")
    if other:
        told = engine().against(query, url, other, blend=blend)
        numbers = {each.url: engine().number(each.url) for each in (told.first, told.second)}
        return render_template("against.html", query=query, told=told, numbers=numbers)
    account = engine().explain(query, url, blend=blend)
    rivals = engine().search(query, limit=10, blend=blend, snippets=False)
    number = engine().number(account.url)
    return render_template("explain.html", query=query, account=account, rivals=rivals, number=number, blend=blend)


@pages.get("/page")
def page_by_url() -> AnyResponse:
    """To the page that stands for a url."""
    url = asked.text("url", LONGEST_URL)
    number = engine().number(engine().normalize(url))
    return redirect(url_for("look.why", url=url) if number is None else url_for("look.page", number=number))


@pages.get("/page/<int:number>")
def page(number: int) -> str:
    """All that is known of a page."""
    url = engine().address(number)
    lines = asked.whole("lines", LINES, 1, MOST_LINES)
    return render_template(
        "page.html",
        number=number,
        account=engine().page(url, limit=lines),
        verdict=engine().why(url),
        report=engine().advice(number),
        lines=lines,
        more=MOST_LINES,
    )


@pages.get("/page/<int:number>/text")
def text(number: int) -> str:
    """The text of a page as it was indexed; never its own HTML."""
    url = engine().address(number)
    content, headings = engine().text(number)
    last = max(-(-len(content) // LETTERS), 1)
    part = asked.whole("part", 1, 1, last)
    return render_template(
        "text.html",
        number=number,
        url=url,
        lines=content[(part - 1) * LETTERS : part * LETTERS].splitlines(),
        headings=headings,
        part=part,
        last=last,
    )


@pages.get("/term/")
@pages.get("/term/<path:word>")
def term(word: str = "") -> str:
    """The postings of a word."""
    word = word or asked.text("word")
    lines = asked.whole("lines", LINES, 1, MOST_LINES)
    account = engine().term(word, limit=lines) if word.strip() else None
    return render_template("term.html", word=word, account=account, lines=lines, more=MOST_LINES)


@pages.get("/why")
def why() -> str | tuple[str, int]:
    """What became of a url."""
    url = asked.text("url", LONGEST_URL)
    if not url:
        return render_template("why.html", url="", verdict=None, number=None)
    try:
        verdict = engine().why(url)
    except NotFound:
        return render_template("why.html", url=url, verdict=None, number=None), 404
    number = engine().number(verdict.target or verdict.url)
    return render_template("why.html", url=url, verdict=verdict, number=number)
