"""url: the commands that look at one URL and need no index."""

from __future__ import annotations

import sys
from typing import Any

import click

from minisearch.cli import options
from minisearch.cli.main import LazyGroup
from minisearch.cli.options import json_format, option, user_agent
from minisearch.cli.output import echo, missing_is_exit_code_1, print_found, sanitize
from minisearch.models import counted

MARKS = {"error": "!!", "warning": " !", "note": "  "}
MAX_LISTED = 20  # lines of a list

_allow_private = option("--allow-private", is_flag=True, help="Follow redirects to private addresses.")


@click.group(cls=LazyGroup, modules=dict.fromkeys(("fetch", "inspect", "robots", "normalize"), "url"))
def url() -> None:
    """Inspect one URL: fetch, inspect, robots, normalize.

    \b
      minisearch url fetch https://example.com/
      minisearch url robots https://example.com/private/
    """


@options.command()
@click.argument("url")
@json_format
@option("--body", is_flag=True, help="Print only the response body.")
@user_agent
@_allow_private
def fetch(url: str, as_json: bool, body: bool, **settings: Any) -> None:
    """Fetch a URL and show redirects, headers and timing."""
    from minisearch.crawl.probe import fetch_report

    report, content = fetch_report(url, **settings)
    if body:
        sys.stdout.buffer.write(content)
    else:
        print_found(report, as_json, _print_fetched)
    if report["verdict"]["state"] != "fetched":
        sys.exit(1)


def _print_fetched(report: dict[str, Any]) -> None:
    for number, hop in enumerate(report["hops"], 1):
        echo(f"{number}. {hop['url']}")
        if hop["status"]:
            times = f"{hop['first_byte_ms']:.0f} ms to the headers, {hop['total_ms']:.0f} ms in total"
            echo(f"   {hop['status']} {hop['phrase']}, {counted(hop['bytes'], 'byte')}, {times}")
        for name, value in hop["headers"]:
            echo(f"   {name}: {value}")
        if hop["trouble"]:
            echo(f"   error: {hop['trouble']}")
    if report["charset"]:
        echo(f"charset: {report['charset']} ({report['charset_evidence']})")
    verdict = report["verdict"]
    echo(f"result: {verdict['reason']}")
    if "title" in verdict:
        echo(f"title: {sanitize(verdict['title']) or '-'}")
        echo(f"language: {verdict['language'] or '-'}, links: {verdict['links']:,}")


@options.command()
@click.argument("url")
@json_format
@option("--file", metavar="FILE", help="Read robots.txt from this file instead of the site.")
@user_agent
@_allow_private
def robots(url: str, as_json: bool, **settings: Any) -> None:
    """Check whether robots.txt allows a URL, and which line decides."""
    from minisearch.crawl.probe import robots_report

    report = robots_report(url, **settings)
    print_found(report, as_json, _print_robots)
    if not report["allowed"]:
        sys.exit(1)


def _print_robots(report: dict[str, Any]) -> None:
    echo(f"{'allowed' if report['allowed'] else 'not allowed'}: {report['url']}")
    echo(f"{report['robots']}: {report['reason']}")
    if report["status"] and report["status"] < 300:
        echo(f"rules for: {'all crawlers' if report['group'] == '*' else report['group']}")
    if report["delay"]:
        echo(f"delay: {report['delay']:g} s")
    for sitemap in report["sitemaps"]:
        echo(f"sitemap: {sitemap}")


@options.command()
@click.argument("urls", nargs=-1, required=True, metavar="URL...")
@option("--base", default="", metavar="URL", help="The page that contains them.")
def normalize(urls: tuple[str, ...], base: str) -> None:
    """Print the normalized form of each URL."""
    from minisearch.engine import Engine

    for url in urls:
        click.echo(Engine.normalize(url, base))


@options.command()
@click.argument("target", metavar="URL|FILE")
@json_format
@option("--url", default="", metavar="URL", help="The URL of the FILE.")
@option("--images", is_flag=True, help="Request the size of each image as well.")
@user_agent
@_allow_private
def inspect(target: str, as_json: bool, **settings: Any) -> None:
    """Show what a search engine sees on a page, with advice.

    \b
      minisearch url inspect https://example.com/
      minisearch url inspect index.html --url https://example.com/
    """
    from minisearch.crawl.probe import inspect_report

    with missing_is_exit_code_1():
        report = inspect_report(target, **settings)
    print_found(report, as_json, _print_inspected)


def _print_inspected(report: dict[str, Any]) -> None:
    echo(report["url"])
    charset = f"{report['charset']} ({report['charset_evidence']})"
    for name, value in (
        ("title", " | ".join(report["titles"])),
        ("description", " | ".join(report["descriptions"])),
        ("language", report["language"]),
        ("charset", charset),
        ("canonical", " | ".join(report["canonicals"])),
        ("robots", " | ".join(report["robots"])),
        ("viewport", report["viewport"]),
        ("size", f"{counted(report['bytes'], 'byte')}, {counted(report['words'], 'word')}"),
    ):
        click.echo(f"{name:<12} {sanitize(value) or '-'}")
    _print_list("outline", [f"{'  ' * (level - 1)}h{level} {text}" for level, text in report["headings"]])
    inside = [link for link in report["links"] if link["inside"]]
    outside = [link for link in report["links"] if link["url"] and not link["inside"]]
    click.echo(f"\nlinks: {len(inside):,} to this site, {len(outside):,} to other sites")
    _print_list("", [f'{link["url"]}  "{link["text"]}"' for link in inside + outside])
    without = sum(image["alt"] is None for image in report["images"])
    click.echo(f"\nimages: {len(report['images']):,}, {without:,} without alt text")
    _print_list("social tags", [f"{name}: {value}" for name, value in report["social"].items()])
    _print_list("other languages", [f"{name}: {value}" for name, value in report["alternates"].items()])
    _print_list("microdata", [line for item in report["items"] for line in _item_lines(item)])
    _print_list("JSON-LD", report["linked_data"])
    click.echo(f"\nadvice: {len(report['advice'])}")
    for each in report["advice"]:
        click.echo(f"{MARKS[each['level']]} {each['level']} ({each['rule']}): {sanitize(each['message'])}")
        for example in each["examples"]:
            click.echo(f"       {sanitize(example)}")


def _print_list(name: str, lines: list[str]) -> None:
    if lines and name:
        click.echo(f"\n{name}")
    for line in lines[:MAX_LISTED]:
        click.echo(f"  {sanitize(line)}")
    if len(lines) > MAX_LISTED:
        click.echo(f"  and {len(lines) - MAX_LISTED:,} more")


def _item_lines(item: dict[str, Any], indent: str = "") -> list[str]:
    lines = [f"{indent}{item['type'] or '(no type)'}"]
    for name, values in item["properties"].items():
        for value in values:
            if isinstance(value, dict):
                lines += [f"{indent}  {name}:", *_item_lines(value, indent + "    ")]
            else:
                lines.append(f"{indent}  {name}: {value}")
    return lines
