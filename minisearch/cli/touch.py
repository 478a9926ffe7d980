"""fetch, inspect, robots, normalize: the commands that look at one url and touch no file."""

from __future__ import annotations

import sys
from typing import Any

import click

from minisearch.cli import shown
from minisearch.cli.shown import plain, say

AS_JSON = click.option("--json", "as_json", is_flag=True, help="As one JSON object.")
USER_AGENT = click.option("--user-agent", default="", metavar="TEXT", help="User-Agent header of the requests.")
PRIVATE = click.option("--allow-private", is_flag=True, help="Let redirects lead to addresses inside your network.")
MARKS = {"error": "!!", "warning": " !", "note": "  "}
MANY = 20  # of a list that are shown


@click.command()
@click.argument("url")
@AS_JSON
@click.option("--body", is_flag=True, help="Print the body that was found, and nothing else, on stdout.")
@USER_AGENT
@PRIVATE
def fetch(url: str, as_json: bool, body: bool, user_agent: str, allow_private: bool) -> None:
    """Fetch URL as the crawler would: each hop with its headers and times, the charset, and the verdict."""
    from minisearch.crawl.probe import fetch_report

    report, content = fetch_report(url, user_agent=user_agent, allow_private=allow_private)
    if body:
        sys.stdout.buffer.write(content)
    elif as_json:
        click.echo(shown.as_json(report))
    else:
        _print_fetched(report)
    if report["verdict"]["state"] != "fetched":
        sys.exit(1)


def _print_fetched(report: dict[str, Any]) -> None:
    for number, hop in enumerate(report["hops"], 1):
        say(f"{number}. {hop['url']}")
        if hop["status"]:
            times = f"{hop['first_byte_ms']:.0f} ms to the headers, {hop['total_ms']:.0f} ms in all"
            say(f"   {hop['status']} {hop['phrase']}, {hop['bytes']:,} bytes, {times}")
        for name, value in hop["headers"]:
            say(f"   {name}: {value}")
        if hop["trouble"]:
            say(f"   trouble: {hop['trouble']}")
    if report["charset"]:
        say(f"charset: {report['charset']} ({report['charset_evidence']})")
    verdict = report["verdict"]
    say(f"verdict: {verdict['reason']}")
    if "title" in verdict:
        say(f"title: {plain(verdict['title']) or '-'}")
        say(f"language: {verdict['language'] or '-'}, links: {verdict['links']}")


@click.command()
@click.argument("url")
@AS_JSON
@click.option("--file", metavar="FILE", help="Ask this file instead of the site.")
@USER_AGENT
@PRIVATE
def robots(url: str, as_json: bool, file: str | None, user_agent: str, allow_private: bool) -> None:
    """Tell whether robots.txt lets minisearch fetch URL, and which line decides."""
    from minisearch.crawl.probe import robots_report

    report = robots_report(url, file=file, user_agent=user_agent, allow_private=allow_private)
    if as_json:
        click.echo(shown.as_json(report))
    else:
        say(f"{'allowed' if report['allowed'] else 'not allowed'}: {report['url']}")
        say(f"{report['robots']}: {report['reason']}")
        if report["status"] and report["status"] < 300:
            whom = "everybody" if report["group"] == "*" else report["group"]
            say(f"rules for: {whom}")
        if report["delay"]:
            say(f"delay: {report['delay']:g} s")
        for sitemap in report["sitemaps"]:
            say(f"sitemap: {sitemap}")
    if not report["allowed"]:
        sys.exit(1)


@click.command()
@click.argument("urls", nargs=-1, required=True, metavar="URL...")
@click.option("--base", default="", metavar="URL", help="The page on which they were found.")
def normalize(urls: tuple[str, ...], base: str) -> None:
    """Print the one spelling of each URL under which the engine knows it."""
    from minisearch.engine import Engine

    for url in urls:
        click.echo(Engine.normalize(url, base))


@click.command()
@click.argument("target", metavar="URL|FILE")
@AS_JSON
@click.option("--url", default="", metavar="URL", help="The address that a FILE has, or will have.")
@click.option("--images", is_flag=True, help="Ask for the size of each image, too.")
@USER_AGENT
@PRIVATE
def inspect(target: str, as_json: bool, **options: Any) -> None:
    """Report what a page shows to a search engine, and what its owner could do better.

    \b
      minisearch inspect https://example.com/
      minisearch inspect index.html --url https://example.com/
    """
    from minisearch.crawl.probe import inspect_report
    from minisearch.errors import NotFound

    try:
        report = inspect_report(target, **options)
    except NotFound as error:
        say(str(error), err=True)
        sys.exit(1)
    if as_json:
        click.echo(shown.as_json(report))
    else:
        _print_inspected(report)


def _print_inspected(report: dict[str, Any]) -> None:
    say(report["url"])
    charset = f"{report['charset']} ({report['charset_evidence']})"
    for name, value in (
        ("title", " | ".join(report["titles"])),
        ("description", " | ".join(report["descriptions"])),
        ("language", report["language"]),
        ("charset", charset),
        ("canonical", " | ".join(report["canonicals"])),
        ("robots", " | ".join(report["robots"])),
        ("viewport", report["viewport"]),
        ("size", f"{report['bytes']:,} bytes, {report['words']:,} words"),
    ):
        click.echo(f"{name:<12} {plain(value) or '-'}")
    _print_list("outline", [f"{'  ' * (level - 1)}h{level} {text}" for level, text in report["headings"]])
    inside = [link for link in report["links"] if link["inside"]]
    outside = [link for link in report["links"] if link["url"] and not link["inside"]]
    click.echo(f"\nlinks: {len(inside)} to this site, {len(outside)} to others")
    _print_list("", [f'{link["url"]}  "{link["text"]}"' for link in inside + outside], "  ")
    without = sum(image["alt"] is None for image in report["images"])
    click.echo(f"\nimages: {len(report['images'])}, {without} without alt text")
    _print_list("social tags", [f"{name}: {value}" for name, value in report["social"].items()])
    _print_list("other languages", [f"{name}: {value}" for name, value in report["alternates"].items()])
    _print_list("microdata", [line for item in report["items"] for line in _item_lines(item)])
    _print_list("JSON-LD", report["linked_data"])
    click.echo(f"\nadvice: {len(report['advice'])}")
    for each in report["advice"]:
        click.echo(f"{MARKS[each['level']]} {each['level']} ({each['rule']}): {plain(each['message'])}")
        for example in each["examples"]:
            click.echo(f"       {plain(example)}")


def _print_list(name: str, lines: list[str], indent: str = "  ") -> None:
    if lines and name:
        click.echo(f"\n{name}")
    for line in lines[:MANY]:
        click.echo(indent + plain(line))
    if len(lines) > MANY:
        click.echo(f"{indent}and {len(lines) - MANY} more")


def _item_lines(item: dict[str, Any], indent: str = "") -> list[str]:
    lines = [f"{indent}{item['type'] or '(no type)'}"]
    for name, values in item["properties"].items():
        for value in values:
            if isinstance(value, dict):
                lines += [f"{indent}  {name}:", *_item_lines(value, indent + "    ")]
            else:
                lines.append(f"{indent}  {name}: {value}")
    return lines
