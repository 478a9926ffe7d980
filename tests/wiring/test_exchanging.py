"""Three crawlers that share the hosts fetch what one would, and each host is one crawler's business."""

from contextlib import ExitStack

import pytest
from click.testing import CliRunner

from minisearch import Engine
from minisearch.cli.main import main
from minisearch.crawl.partition import owner, parse
from minisearch.errors import BadInput
from minisearch.testing.server import SiteServer
from minisearch.wiring.exchanging import outbox_of, take_in, write_outbox

ADDRESSES = [f"127.0.0.{number}" for number in range(1, 7)]
CHAIN = 9  # pages that lead from host to host


@pytest.fixture(scope="module")
def hosts():
    """Servers on different loopback addresses, some of every partition; each page leads to the next host."""
    servers = [SiteServer(host=address) for address in ADDRESSES]
    with ExitStack() as stack:
        bases = [stack.enter_context(server) for server in servers]
        for place, server in enumerate(servers):
            after, before = bases[(place + 1) % len(bases)], bases[place - 1]
            server.routes = {
                "/": page("/", [f"{base}/p0" for base in bases[: place + 2]], shy=[f"{after}/shy{place}"]),
                "/moved": (302, {"Location": f"{before}/p3"}, b""),
                **{f"/shy{number}": page("shy", []) for number in range(len(bases))},
                **{f"/p{n}": page(f"{place} {n}", [f"{after}/p{n + 1}", f"{before}/moved", "/"]) for n in range(CHAIN)},
            }
        yield bases, servers


def page(title, links, shy=()):
    body = "".join(f'<p><a href="{url}">{url}</a></p>' for url in links)
    body += "".join(f'<p><a rel="nofollow" href="{url}">{url}</a></p>' for url in shy)
    return 200, {"Content-Type": "text/html"}, f"<title>{title}</title>{body}".encode()


def contents(*paths):
    """(url, depth) of all that was fetched."""
    found = []
    for path in paths:
        with Engine(path) as engine:
            found += engine.sql("SELECT url, depth FROM urls WHERE state = 'fetched'")[1]
    return sorted(found)


def crawl_in_three(seed, folder, **options):
    files = [folder / f"{number}.db" for number in (1, 2, 3)]
    rounds = 0
    while True:
        rounds += 1
        for number, file in enumerate(files, start=1):
            with Engine(file) as engine:
                engine.crawl(seed, partition=(number, 3), workers=0, index=False, rank=False, scope="any", **options)
                write_outbox(engine.store, outbox_of(file))
        news = 0
        for file in files:
            with Engine(file) as engine:
                news += take_in(engine.store, [outbox_of(other) for other in files if other != file])
        if not news:
            return files, rounds


@pytest.mark.parametrize("depth", [20, 4])
def test_three_partitions_give_the_same_pages_as_one_crawl(hosts, tmp_path, depth):
    (first, *_), servers = hosts
    assert {owner(f"http://{address}/", 3) for address in ADDRESSES} == {1, 2, 3}
    with Engine(tmp_path / "one.db") as engine:
        engine.crawl(first, workers=0, index=False, rank=False, scope="any", max_depth=depth)
    for server in servers:
        server.requests.clear()
    files, rounds = crawl_in_three(first, tmp_path, max_depth=depth)
    assert contents(*files) == contents(tmp_path / "one.db")
    assert rounds > 2
    assert all(contents(file) for file in files)
    for server in servers:  # whose robots.txt was asked for once, is known to one crawler only
        assert server.requests.count(("GET", "/robots.txt")) == 1


def test_what_others_have_to_fetch_is_told(hosts, tmp_path):
    (first, *_), _ = hosts
    mine = owner(first, 3)
    with Engine(tmp_path / "one.db") as engine:
        engine.crawl(first, partition=f"{mine}/3", workers=0, index=False, rank=False, scope="any")
        told = [engine.why(url) for (url,) in engine.sql("SELECT url FROM urls WHERE rule = 'partition'")[1]]
    assert told
    assert {verdict.reason.partition(" partition ")[0] for verdict in told} == {"its host belongs to"}


def test_the_commands_do_it_and_say_so(hosts, tmp_path):
    (first, *_), _ = hosts
    files = [str(tmp_path / name) for name in ("one.db", "two.db")]

    def run(*arguments):
        result = CliRunner().invoke(main, [*arguments], catch_exceptions=False)
        return result.stdout if result.exit_code < 2 else result.stderr

    for number, file in enumerate(files, start=1):
        said = run("crawl", first, "--scope", "any", "--partition", f"{number}/2", "--db", file, "--workers", "0")
        assert f"for others in {file}.outbox" in said
    assert run("exchange", *files).endswith("crawl each again, then exchange again\n")
    assert "is no partition: write 1/3, 2/3 or 3/3" in run("crawl", first, "--partition", "3/2", "--db", files[0])
    assert "name at least one FILE.db" in run("exchange", files[0] + ".outbox")


def test_a_file_of_one_partition_takes_no_other(hosts, tmp_path):
    (first, *_), _ = hosts
    mine, other = owner(first, 2), 3 - owner(first, 2)
    with Engine(tmp_path / "one.db") as engine:
        engine.crawl(first, partition=(mine, 2), workers=0, index=False, rank=False, max_pages=1)
        before = engine.sql("SELECT url, state FROM urls")
        for wrong in ((other, 2), (mine, 3), None):
            with pytest.raises(
                BadInput, match=f"holds partition {mine}/2 of this crawl: crawl with --partition {mine}/2"
            ):
                engine.crawl(first, partition=wrong, workers=0, index=False, rank=False)
        assert engine.sql("SELECT url, state FROM urls") == before


def test_only_partitions_of_one_crawl_are_exchanged_and_all_of_them_end_it(hosts, tmp_path):
    (first, *_), _ = hosts
    for name, partition in (("a", (1, 2)), ("b", (2, 2)), ("again", (1, 2)), ("third", (1, 3))):
        with Engine(tmp_path / f"{name}.db") as engine:
            engine.crawl(first, partition=partition, workers=0, index=False, rank=False, max_depth=0)
            write_outbox(engine.store, outbox_of(tmp_path / f"{name}.db"))

    def said(*names):
        result = CliRunner().invoke(main, ["exchange", *(str(tmp_path / name) for name in names)])
        return (result.stdout or result.stderr).splitlines()[-1]

    assert said("a.db") == "nothing new from 1 of 2 partitions: name the others too, or their outboxes"
    assert said("a.db", "b.db") == said("a.db", "b.db.outbox") == "nothing new: the crawl is done"
    assert "both hold partition 1/2" in said("a.db", "again.db")
    assert f'third.db" is one of 3 partitions, but "{tmp_path}/a.db" one of 2' in said("a.db", "third.db")


@pytest.mark.parametrize("typed", ["", "0/3", "4/3", "1", "a/b", "1/0", "-1/3"])
def test_what_is_no_partition_is_said(typed):
    with pytest.raises(BadInput, match="is no partition: write 1/3"):
        parse(typed)


def test_a_broken_outbox_is_refused_and_nothing_taken(hosts, tmp_path):
    (first, *_), _ = hosts
    number = owner(first, 2)
    with Engine(tmp_path / "one.db") as engine:
        engine.crawl(first, partition=(number, 2), workers=0, index=False, rank=False, max_pages=1)
        before = engine.sql("SELECT url, state FROM urls")
        outbox = tmp_path / "two.db.outbox"
        with pytest.raises(BadInput, match=r"there is no outbox .*: crawl with --partition first"):
            take_in(engine.store, [outbox])
        outbox.write_text(f'{{"url": "{first}/p1", "depth": 1, "hops": 0}}\n{{"url": "mailto:me"}}\n')
        with pytest.raises(BadInput, match="line 2: this is no line of an outbox"):
            take_in(engine.store, [outbox])
        assert engine.sql("SELECT url, state FROM urls") == before


def test_a_file_that_is_no_partition_takes_nothing(engine):
    with pytest.raises(BadInput, match="it was crawled without --partition"):
        take_in(engine.store, [])
