"""The SSRF guard: which addresses may be connected to.

A page can name any host, and a host can name any address: this machine, a router, the metadata service of a cloud. So
each name is resolved here, every address it resolves to is checked, and the connection goes to the very address that
was checked: a name that resolves to another address a moment later (DNS rebinding) leads nowhere.
Only resolved addresses are checked, never spellings: "127.1", "2130706433" and "0x7f.1" are all this machine.

What the person who started the crawl named is allowed: a seed that is an address (or "localhost") opens its own kind
of address to the crawl, a seed that is a name opens what it resolved to at the beginning, to itself alone.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network

from minisearch.fetch.errors import Rejected
from minisearch.urls import host as host_of

Resolver = Callable[[str], list[str]]  # the addresses of a host, in digits

# By kind, the blocks of addresses that are not part of the public internet (IANA's special-purpose registries).
# Python's is_global allows multicast, and IPv4 addresses that are embedded in IPv6 addresses.
BLOCKS = {
    "metadata": """169.254.169.254 169.254.170.2 100.100.100.200 168.63.129.16 192.0.0.192
        fd00:ec2::254 fd00:ec2::23 fd20:ce::254""",  # metadata services of clouds
    "unspecified": "0.0.0.0/8 ::",
    "loopback": "127.0.0.0/8 ::1",
    "link-local": "169.254.0.0/16 fe80::/10",
    "private": "10.0.0.0/8 100.64.0.0/10 172.16.0.0/12 192.168.0.0/16 fc00::/7 fec0::/10",
    "multicast": "224.0.0.0/4 ff00::/8",
    "reserved": """192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 240.0.0.0/4
        2001::/23 2001:db8::/32 3fff::/20""",
}
SPECIAL = [(kind, ip_network(block)) for kind, blocks in BLOCKS.items() for block in blocks.split()]
PUBLIC_V6, NAT64 = IPv6Network("2000::/3"), IPv6Network("64:ff9b::/96")


def system_addresses(host: str) -> list[str]:
    """The addresses of a host by the system's resolver; OSError if there is no such host."""
    found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


def public_addresses(host: str) -> list[str]:
    """The public addresses of a host; OSError if there are none."""
    found = [address for address in system_addresses(host) if not kind_of(address)]
    if not found:
        raise OSError(f"{host} is not on the public internet")
    return found


def kind_of(address: str) -> str:
    """The kind of a special-purpose address; empty for a public one.

    >>> kind_of("93.184.215.14"), kind_of("10.1.2.3"), kind_of("::ffff:127.0.0.1"), kind_of("64:ff9b::a00:1")
    ('', 'private', 'loopback', 'private')
    """
    found = embedded_ipv4(ip_address(address))
    kind = next((kind for kind, block in SPECIAL if found in block), "")
    return kind or ("reserved" if found.version == 6 and found not in PUBLIC_V6 else "")


def embedded_ipv4(address: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    """The IPv4 address in an IPv6 address that embeds one (mapped, NAT64, 6to4, compatible), else the same address."""
    if isinstance(address, IPv4Address):
        return address
    if embedded := address.ipv4_mapped or address.sixtofour:
        return embedded
    low = int(address) & 0xFFFFFFFF
    if address in NAT64 or (int(address) >> 32 == 0 and low > 0xFFFF):
        return IPv4Address(low)
    return address


@dataclass(frozen=True, slots=True)
class Guard:
    """Checks addresses. `kinds` are open to every host, `hosts` have the kinds that are open to each of them alone."""

    kinds: frozenset[str] = frozenset()
    hosts: Mapping[str, frozenset[str]] = field(default_factory=dict)
    resolve: Resolver = system_addresses

    def addresses(self, host: str) -> list[str]:
        """The addresses of `host` that may be connected to; Rejected if none, OSError if it is unknown."""
        open_kinds = self.kinds | self.hosts.get(host, frozenset())
        kinds = {address: kind_of(address) for address in self.resolve(host)}
        allowed = [address for address, kind in kinds.items() if not kind or kind in open_kinds]
        if kinds and not allowed:
            address, kind = kinds.popitem()
            resolved = {} if address == host else {"problem": "resolved", "address": address}
            raise Rejected("address", host=host, kind=kind, **resolved)
        return allowed

    def is_near(self, place: str) -> bool:
        """Whether a host is this very machine, which needs no politeness: by its name, or as a seed."""
        return is_loopback(place) or self.hosts.get(bare_host(f"//{place}"), frozenset()) == {"loopback"}


def guard_for(seeds: Iterable[str], *, allow_private: bool = False, resolve: Resolver = system_addresses) -> Guard:
    """The guard of a crawl that starts at `seeds`.

    >>> guard_for(["http://127.0.0.1:8000/", "http://[fd00::1]/"]).kinds == {"loopback", "private"}
    True
    """
    if allow_private:
        return Guard(frozenset(BLOCKS), resolve=resolve)
    kinds: set[str] = set()
    hosts: dict[str, frozenset[str]] = {}
    for name in dict.fromkeys(bare_host(seed) for seed in seeds):
        found = set()
        with suppress(OSError):
            found = {kind_of(address) for address in ([name] if is_address(name) else resolve(name))}
        if "" in found:
            continue  # a name that is public as well may belong to anyone, and permits nothing
        if is_address(name) or is_loopback(name):
            kinds |= found
        elif found:
            hosts[name] = frozenset(found)
    return Guard(frozenset(kinds), hosts, resolve)


def bare_host(url: str) -> str:
    """The host of a normalised URL as a resolver wants it, without port and brackets.

    >>> bare_host("http://[::1]:8000/"), bare_host("http://example.com:8000/a")
    ('::1', 'example.com')
    """
    name = host_of(url)
    return name.rpartition("]")[0].lstrip("[") if name.startswith("[") else name.partition(":")[0]


def is_loopback(place: str) -> bool:
    """Whether a host is this very machine, by its name.

    >>> is_loopback("127.0.0.1:8000"), is_loopback("localhost"), is_loopback("[::1]:80"), is_loopback("example.com")
    (True, True, True, False)
    """
    name = bare_host(f"//{place}")
    if name == "localhost" or name.endswith(".localhost"):
        return True
    return is_address(name) and ip_address(name).is_loopback


def is_address(name: str) -> bool:
    """Whether this is an IP address and not a name."""
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
