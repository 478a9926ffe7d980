"""The servers of the scenarios, the registry and the comparison, whatever the crawler."""

import socket
import subprocess
import sys
import time
from contextlib import closing
from urllib.parse import urlsplit

import pytest
import requests

from minisearch.errors import NotFound
from minisearch.testing.server import FIXTURES
from minisearch.testing.zoo import SCENARIOS, Expectations, Observed, Zoo, compare, serve_all
from minisearch.testing.zoo.content import html, prose
from minisearch.testing.zoo.scenario import Costs, Count, matches

STATES = {"fetched", "merged", "skipped", "failed", "queued", "unseen"}


@pytest.fixture
def get():
    with requests.Session() as session:
        session.trust_env = False
        yield lambda url, **options: session.get(url, timeout=10, allow_redirects=False, **options)


@pytest.mark.parametrize("name", SCENARIOS)
def test_expectations_name_urls_and_bound_costs(name):
    scenario = SCENARIOS[name]
    assert scenario.description.endswith(".")
    for expected in filter(None, (scenario.expected, scenario.second_visit)):
        costs = expected.costs
        assert costs.seconds <= 60
        assert costs.bytes <= 20_000_000
        assert costs.requests <= 200
        assert expected.verdicts
        urls = [url for urls in expected.verdicts.values() for url in urls.split()]
        assert len(urls) == len(set(urls))
        for verdict in expected.verdicts:
            assert {each.split()[0] for each in verdict.split(" | ")} <= STATES


@pytest.mark.parametrize("name", [name for name in SCENARIOS if not name.startswith("robots")])
def test_home_page_of_a_scenario_is_a_plain_page(name, get, zoo):
    response = get(zoo.open(name).base + "/")
    assert response.status_code == 200
    assert "<title>" in response.text


def test_zoo_lists_its_scenarios(get):
    with serve_all() as url:
        scenarios = get(f"{url}/scenarios.json").json()
        front = get(url).text
        assert set(scenarios) == set(SCENARIOS)
        assert get(scenarios["slow"]["base"] + "/").status_code == 200
        assert scenarios["slow"]["expected"]["verdicts"]["fetched"] == "/ /steady"
    assert scenarios["slow"]["base"] in front


def test_unknown_scenario_is_refused(zoo):
    with pytest.raises(NotFound, match="there is no scenario 'unicorn'"):
        zoo.open("unicorn")


def test_closed_zoo_ends_its_connections():
    zoo = Zoo()
    address = urlsplit(zoo.open("slow").base)
    with closing(socket.create_connection((address.hostname, address.port), timeout=10)) as client:
        client.sendall(b"GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n")
        time.sleep(0.1)
        zoo.close()
        start = time.monotonic()
        assert client.recv(100) == b""
        assert time.monotonic() - start < 5


def test_prose_depends_on_its_subject_only():
    texts = {prose(f"about {number}") for number in range(500)}
    assert len(texts) == 500
    assert prose("about 1") in texts


def test_markup_in_titles_and_links_is_escaped():
    assert "<title>a &amp; b</title>" in html("a & b", '/?q="x"')
    assert 'href="/?q=&quot;x&quot;"' in html("a & b", '/?q="x"')


def test_robots_txt_is_missing_unless_a_scenario_has_one(get, zoo):
    assert get(f"{zoo.open('glossary').base}/robots.txt").status_code == 404


def test_day_changes_the_pages(get, zoo):
    server = zoo.open("seasons")
    first = get(f"{server.base}/changes")
    tag = {"If-None-Match": first.headers["ETag"]}
    assert get(f"{server.base}/changes", headers=tag).status_code == 304
    server.day = 2
    assert get(f"{server.base}/changes", headers=tag).status_code == 200
    assert get(f"{server.base}/gone").status_code == 410


# -- comparison ----------------------------------------------------------------------------------


@pytest.fixture
def differences(zoo):
    server = zoo.open("glossary")

    def differences(expected, verdicts=(), pages=(), seconds=0.0):
        full = {server.base + url if url.startswith("/") else url: verdict for url, verdict in dict(verdicts).items()}
        read = {server.base + path: content for path, content in dict(pages).items()}
        return " ".join(compare(server, expected, Observed(full, read, seconds)))

    return differences


@pytest.mark.parametrize(
    ("expected", "verdict", "result"),
    [
        ("fetched", "fetched", True),
        ("fetched", "fetched noindex", True),
        ("fetched", "merged", False),
        ("skipped size", "skipped sizeable", False),
        ("failed timeout | skipped", "skipped robots", True),
        ("unseen", "unseen", True),
    ],
)
def test_verdict_matches_one_of_those_expected(expected, verdict, result):
    assert matches(expected, verdict) is result


@pytest.mark.parametrize(
    ("expected", "verdicts", "message"),
    [
        (Expectations({"fetched": "/a"}), {"/a": "fetched"}, ""),
        (Expectations({"fetched": "/b /a"}), {"/b": "fetched"}, "/a should be fetched, not unseen"),
        (Expectations({"unseen": "/a"}), {"/a": "queued"}, "should be unseen, not queued"),
        (Expectations({}, counts=(Count("/n/*", "fetched", most=1),)), {"/n/1": "fetched", "/n/2": "failed x"}, ""),
        (Expectations({}, counts=(Count("/n/*", most=1),)), {"/n/1": "fetched", "/n/2": "failed x"}, "2 URLs like /n/"),
        (Expectations({}, counts=(Count(verdict="fetched", least=1),)), {}, "0 URLs like"),
        (Expectations({}, pages={"/a": "yes"}), {}, "/a should contain 'yes'"),
        (Expectations({}, requested={"/a": (1, 1)}), {}, "/a was requested 0 times"),
    ],
)
def test_difference_is_a_sentence(differences, expected, verdicts, message):
    found = differences(expected, verdicts)
    assert (message in found) if message else not found


def test_contents_are_compared(differences):
    expected = Expectations({}, pages={"/a": "yes"})
    assert not differences(expected, pages={"/a": "oh yes"})
    assert differences(expected, pages={"/a": "no"}) == "/a should contain 'yes'"


def test_second_origin_is_not_to_be_requested(zoo):
    server = zoo.open("glossary")
    requests.get(server.other_base + "/a", timeout=10)
    assert compare(server, Expectations({}), Observed({})) == ["requested from another origin: /a"]


def test_costs_are_compared(zoo):
    server = zoo.open("glossary")
    for _ in range(3):
        requests.get(server.base, timeout=10)
    expected = Expectations({}, costs=Costs(requests=2, bytes=10, seconds=1))
    found = " ".join(compare(server, expected, Observed({}, {}, 2.0)))
    assert "3 requests: should be 2 at most" in found
    assert "bytes: should be 10 at most" in found
    assert "2.0 seconds: should be 1 at most" in found


# -- for others ----------------------------------------------------------------------------------


def test_script_serves_the_zoo_until_it_is_terminated(get):
    command = [sys.executable, str(FIXTURES.parent / "scripts" / "serve_fixtures"), "--site", "zoo"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        url = server.stdout.readline().strip()
        scenarios = get(f"{url}/scenarios.json").json()
        assert "bomb" in get(url).text
        assert get(scenarios["glossary"]["base"] + "/").status_code == 200
        server.terminate()
        assert server.wait(10) == 0


@pytest.mark.parametrize(
    ("plugin", "result"), [('pytest_plugins = ["minisearch.testing.zoo"]', "1 passed"), ("", "1 error")]
)
def test_plugin_is_opt_in(tmp_path, plugin, result):
    (tmp_path / "conftest.py").write_text(plugin)
    test = "import urllib.request\ndef test_it(zoo):\n    urllib.request.urlopen(zoo.open('glossary').base + '/')\n"
    (tmp_path / "test_mine.py").write_text(test)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert result in done.stdout, done.stdout + done.stderr
