"""The settings of the web application: the options of `minisearch serve` and `create_app`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from flask import current_app

from minisearch.errors import BadInput

ORIGIN = re.compile(r"https?://([a-z0-9._-]+|\[[0-9a-f:.]+\])(:[0-9]{1,5})?")  # as browsers send it
KEY = "MINISEARCH"  # in the configuration of the application


@dataclass(frozen=True, slots=True)
class Settings:
    """The options of the application, with their defaults."""

    title: str = "minisearch"
    base_url: str = ""  # the public URL behind a proxy
    read_only: bool = False
    trusted_hosts: tuple[str, ...] = ()  # allowed Host headers; none: any
    allow_crawl: bool = False
    is_private: bool = False  # only this machine can connect: a crawl may fetch private addresses
    sql: bool = False  # visitors may run SQL queries that read
    cors: tuple[str, ...] = ()  # origins whose pages may call the API; "*": all
    access_log: str = ""  # a file, or "-" for standard error

    @property
    def prefix(self) -> str:
        """The path of the base URL.

        >>> Settings(base_url="https://example.com/docs/").prefix
        '/docs'
        """
        return urlsplit(self.base_url).path.rstrip("/")

    @property
    def hosts(self) -> list[str]:
        """All allowed host names, as Flask's TRUSTED_HOSTS compares them.

        >>> Settings(trusted_hosts=("Search.Example.com:8080",)).hosts
        ['search.example.com']
        """
        named = [*self.trusted_hosts, urlsplit(self.base_url).netloc.rpartition("@")[2]]
        return [name.lower().partition(":")[0] for name in named if name]

    def check(self) -> Settings:
        """Raise BadInput for options that are wrong or contradict one another."""
        parts = urlsplit(self.base_url)
        if self.base_url and (parts.scheme not in ("http", "https") or not parts.hostname or parts.query):
            raise BadInput(f'--base-url must be a URL like https://example.com/docs/, not "{self.base_url}"')
        for name in self.trusted_hosts:
            if "[" in name or not name:
                raise BadInput("--trusted-host must be a host name or an IPv4 address")
        if self.allow_crawl and self.read_only:
            raise BadInput("--read-only cannot be combined with --allow-crawl")
        if self.allow_crawl and not self.hosts:
            raise BadInput("--allow-crawl needs the host name of the server: add --trusted-host or --base-url")
        for origin in self.cors:
            if origin != "*" and not ORIGIN.fullmatch(origin):
                raise BadInput(f'--cors needs an origin like https://docs.example.com (or *), not "{origin}"')
        return self


def settings() -> Settings:
    """The settings of the current application."""
    found: Settings = current_app.config[KEY]
    return found
