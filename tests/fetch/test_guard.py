"""The guard: where a crawl may not be led, whatever the web says. Every connection that is tried is written down."""

import socket
import ssl
from ipaddress import IPv4Address, IPv6Address, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.crawl.visit import Task, Visitor
from minisearch.fetch import adapter
from minisearch.fetch.errors import Rejected
from minisearch.fetch.fetcher import Session, fetch
from minisearch.fetch.guard import Guard, bare_host, embedded_ipv4, guard_for, kind_of
from minisearch.fetch.robots import RobotsFile
from minisearch.limits import Limits
from minisearch.models import Failed, Page, Redirect, Skipped

HTML = {"Content-Type": "text/html"}
PUBLIC = "93.184.215.14"
UNREACHABLE = "nobody is there"

SPECIAL = {
    "loopback": "127.0.0.1 127.255.255.254 ::1 ::ffff:127.0.0.1 ::127.0.0.1 64:ff9b::7f00:1 2002:7f00:1::",
    "private": "10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 100.64.0.1 fc00::1 fd12::1 fec0::1 ::ffff:10.0.0.1 "
    "64:ff9b::a00:1 2002:c0a8:101::1",
    "link-local": "169.254.1.1 fe80::1 fe80::1%1 ::ffff:169.254.1.1",
    "metadata": "169.254.169.254 100.100.100.200 168.63.129.16 fd00:ec2::254 ::ffff:169.254.169.254 64:ff9b::a9fe:a9fe",
    "multicast": "224.0.0.1 239.255.255.250 ff02::1 ff0e::1 ::ffff:224.0.0.1",
    "unspecified": "0.0.0.0 0.1.2.3 :: ::ffff:0.0.0.0",
    "reserved": "192.0.0.8 192.0.2.1 192.88.99.1 198.18.0.1 198.51.100.1 203.0.113.1 240.0.0.1 255.255.255.255 "
    "2001:0:1::1 2001:db8::1 3fff::1 64:ff9b:1::1 100::1 4000::1 5f00::1",
    "": f"{PUBLIC} 8.8.8.8 172.32.0.1 172.15.0.1 2606:4700:4700::1111 ::ffff:8.8.8.8 64:ff9b::808:808 2002:808:808::1",
}


@pytest.mark.parametrize(("address", "kind"), [(a, kind) for kind, listed in SPECIAL.items() for a in listed.split()])
def test_addresses_have_kinds(address, kind):
    assert kind_of(address) == kind


@pytest.mark.parametrize(("host", "kind"), [("0.0.0.0", "unspecified"), ("10.0.0.5", "private")])
def test_a_blocked_address_is_named_with_its_kind(host, kind):
    with pytest.raises(Rejected) as caught:
        Guard(resolve=lambda host: [host]).addresses(host)
    assert caught.value.detail == {"host": host, "kind": kind}


@given(st.ip_addresses(v=4))
def test_an_address_is_of_the_same_kind_however_it_is_wrapped(address):
    assert isinstance(address, IPv4Address)
    kind, low = kind_of(str(address)), int(address)
    for prefix in (0xFFFF << 32, 0x64FF9B << 96):
        assert kind_of(str(IPv6Address(prefix | low))) == kind
    assert kind_of(str(IPv6Address((0x2002 << 112) | (low << 80)))) == kind


@given(st.ip_addresses())
def test_what_python_does_not_call_public_is_not_public_here(address):
    if not address.is_global or address.is_multicast or address.is_reserved:
        wraps_another = address.version == 6 and embedded_ipv4(address) != address
        assert wraps_another or kind_of(str(address))


# -- what the seeds open -----------------------------------------------------------------------------


def names(**answers):
    """A resolver that knows these names, and addresses."""

    def resolve(host):
        try:
            return [str(ip_address(host))]
        except ValueError:
            pass
        if host not in answers:
            raise socket.gaierror(socket.EAI_NONAME, "no such name")
        return answers[host].split()

    return resolve


def open_to(seed, host, **answers):
    answers = {"localhost": "127.0.0.1 ::1", "wiki": "10.0.0.5", "both": f"{PUBLIC} 127.0.0.1", **answers}
    try:
        return bool(guard_for([seed], resolve=names(**answers)).addresses(host))
    except Rejected:
        return False


@pytest.mark.parametrize(
    ("seed", "host", "may"),
    [
        ("http://a.example/", "127.0.0.1", False),
        ("http://127.0.0.1/", "127.0.0.1", True),
        ("http://127.0.0.1:8000/", "127.9.9.9", True),
        ("http://127.0.0.1/", "localhost", True),
        ("http://localhost/", "::1", True),
        ("http://[::1]/", "localhost", True),
        ("http://127.0.0.1/", "10.0.0.5", False),
        ("http://127.0.0.1/", "169.254.169.254", False),
        ("http://10.0.0.5/", "192.168.0.1", True),
        ("http://10.0.0.5/", "127.0.0.1", False),
        ("http://10.0.0.5/", "fd00:ec2::254", False),
        ("http://wiki/", "wiki", True),
        ("http://wiki/", "10.0.0.5", False),
        ("http://both/", "127.0.0.1", False),
        ("http://both/", "both", True),  # but only at its public address
    ],
)
def test_a_seed_opens_its_own_neighbourhood_and_no_other(seed, host, may):
    assert open_to(seed, host) is may


def test_of_a_host_with_good_and_bad_addresses_only_the_good_are_used():
    guard = Guard(resolve=names(both=f"127.0.0.1 {PUBLIC} 10.0.0.1"))
    assert guard.addresses("both") == [PUBLIC]


def test_allow_private_opens_everything():
    guard = guard_for(["http://a.example/"], allow_private=True, resolve=names(**{"a.example": PUBLIC}))
    for kind, listed in SPECIAL.items():
        for address in listed.split():
            assert guard.addresses(address) == [str(ip_address(address))], kind


def test_a_seed_that_cannot_be_found_opens_nothing():
    guard = guard_for(["http://nowhere.example/"], resolve=names())
    assert (guard.kinds, guard.hosts) == (frozenset(), {})


@pytest.mark.parametrize(
    ("url", "host"), [("http://a.example/", "a.example"), ("https://[::1]:9/x", "::1"), ("http://a:9/", "a")]
)
def test_bare_host_has_no_port_and_no_brackets(url, host):
    assert bare_host(url) == host


# -- no connection is tried ----------------------------------------------------------------------------


@pytest.fixture
def tried(monkeypatch):
    """The addresses to which a connection was tried. Those that are not of this machine cannot be reached."""
    addresses = []

    class Recorder(socket.socket):
        def connect(self, address):
            addresses.append(address[0])
            if not address[0].startswith("127."):
                raise OSError(UNREACHABLE)
            return super().connect(address)

        connect_ex = connect

    monkeypatch.setattr(socket, "socket", Recorder)
    monkeypatch.setattr(adapter.socket, "socket", Recorder)
    return addresses


def visitor(seed="http://a.example/", **answers):
    resolve = names(**{name.replace("_", "."): listed for name, listed in answers.items()})
    return Visitor(guard=guard_for([seed], resolve=resolve))


@pytest.mark.parametrize("address", " ".join(listed for kind, listed in SPECIAL.items() if kind).split())
def test_no_connection_to_a_special_address_is_tried(tried, address):
    url = f"http://{f'[{address}]' if ':' in address else address}/".replace("%1", "")
    outcome = visitor()(Task(url))
    assert (type(outcome), outcome.rule, tried) == (Skipped, "address", [])
    assert outcome.detail["kind"] == kind_of(address.partition("%")[0])


@pytest.mark.parametrize(
    "host", ["127.1", "2130706433", "0x7f.1", "0177.0.0.1", "１２７.０.０.１", "localhost", "LOCALHOST."]
)
def test_no_spelling_gets_around_the_guard(tried, host):
    from minisearch.urls import normalize

    outcome = visitor(localhost="127.0.0.1")(Task(normalize(f"http://{host}/")))
    assert (type(outcome), outcome.rule, tried) == (Skipped, "address", [])


def test_the_resolver_itself_may_read_such_spellings_and_only_its_answer_counts(tried):
    guard = Guard(resolve=lambda host: ["127.0.0.1"])  # as getaddrinfo does with "127.1"
    with Session(guard=guard) as session, pytest.raises(Rejected):
        fetch("http://127.1/", session, Limits())
    assert tried == []


def test_dns_rebinding_opens_no_connection(tried, serve):
    """DNS rebinding: public when it is looked at, this machine when it is used. Each time is looked at."""
    base = serve(secret=(200, HTML, b"secret"))
    port = base.rpartition(":")[2]
    answers = iter([[PUBLIC], [PUBLIC], ["127.0.0.1"], ["127.0.0.1"]])
    asked = []

    def resolve(host):
        asked.append(host)
        return next(answers)

    visit = Visitor(guard=guard_for(["http://rebind.example/"], resolve=resolve))
    first, second = (visit(Task(f"http://rebind.example:{port}/secret")) for _ in range(2))
    assert (type(first), first.rule, tried) == (Failed, "connection", [PUBLIC])
    assert (type(second), second.rule, tried) == (Skipped, "address", [PUBLIC])
    assert asked == ["rebind.example"] * 3, "once for a connection: what was checked is what is used"


def test_the_connection_goes_to_the_address_that_was_checked(tried, serve):
    """The system's resolver is not asked again by anyone."""
    hosts = []
    base = serve(a=lambda request: hosts.append(request.headers["Host"]) or (200, HTML, b"<p>Words"))
    port = base.rpartition(":")[2]
    visit = visitor("http://pinned.invalid/", pinned_invalid="127.0.0.1")
    assert visit(Task(f"http://pinned.invalid:{port}/a")).text == "Words"
    assert (tried, hosts) == (["127.0.0.1"], [f"pinned.invalid:{port}"])


def test_tls_asks_for_the_host_by_its_name_though_the_address_was_chosen(tried, serve, monkeypatch):
    wanted = []
    monkeypatch.setattr(
        ssl.SSLContext,
        "wrap_socket",
        lambda self, sock, *args, server_hostname=None, **options: wanted.append(server_hostname) or 1 / 0,
    )
    port = serve().rpartition(":")[2]
    with pytest.raises(ZeroDivisionError):
        visitor("http://pinned.invalid/", pinned_invalid="127.0.0.1")(Task(f"https://pinned.invalid:{port}/"))
    assert (wanted, tried) == (["pinned.invalid"], ["127.0.0.1"])


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("target", ["http://10.0.0.1/", "http://[::ffff:a9fe:a9fe]/", "http://inside.example/admin"])
def test_a_redirect_to_a_private_address_is_not_followed(tried, serve, status, target):
    base = serve(out=(status, {"Location": target}, b""))
    visit = visitor(base + "/", inside_example="192.168.0.1")
    moved = visit(Task(f"{base}/out"))
    assert isinstance(moved, Redirect)
    del tried[:]
    for task in (Task(moved.target.rstrip("/"), robots=True), Task(moved.target)):
        outcome = visit(task)
        assert (type(outcome), outcome.rule, tried) == (Skipped, "address", [])


def test_a_redirect_of_robots_txt_to_a_private_address_is_not_followed(tried, serve):
    base = serve(**{"robots.txt": (302, {"Location": "http://10.0.0.1/robots.txt"}, b"")})
    outcome = visitor(base + "/")(Task(base, robots=True))
    assert (outcome.status, tried) == (0, ["127.0.0.1"])
    assert (outcome.error["rule"], outcome.error["kind"]) == ("address", "private")


def test_an_unknown_host_is_a_dns_error(tried):
    outcome = visitor()(Task("http://unknown.example/"))
    assert (type(outcome), outcome.rule, outcome.transient, tried) == (Failed, "dns", True, [])


def test_each_address_of_a_host_is_tried(tried, serve):
    port = serve(a=(200, HTML, b"<p>Words")).rpartition(":")[2]
    visit = visitor("http://127.0.0.1/", many_example=f"{PUBLIC} 127.0.0.1")
    assert isinstance(visit(Task(f"http://many.example:{port}/a")), Page)
    assert tried == [PUBLIC, "127.0.0.1"]


@pytest.mark.parametrize(
    ("url", "passed_on"),
    [
        ("http://inside.example/", False),
        ("http://169.254.169.254/latest/", False),
        ("http://outside.example/", True),
        ("http://only-the-proxy-knows.example/", True),
    ],
)
def test_a_proxy_is_not_asked_for_blocked_hosts(tried, serve, monkeypatch, url, passed_on):
    monkeypatch.setenv("http_proxy", serve())
    monkeypatch.setenv("no_proxy", "")
    outcome = visitor(inside_example="10.0.0.1", outside_example=PUBLIC)(Task(url))
    assert outcome.rule == ("http-404" if passed_on else "address")
    assert tried == ["127.0.0.1"] * passed_on


def test_robots_txt_of_a_blocked_host_is_skipped():
    guard = Guard(resolve=names(**{"a.example": "192.0.2.9"}))
    outcome = Visitor(guard=guard)(Task("http://a.example", robots=True))
    assert not isinstance(outcome, RobotsFile)
    assert outcome.rule == "address"
