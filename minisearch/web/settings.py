"""What the person who serves the pages may choose."""

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
    """The choices, with what they are if nobody chooses."""

    title: str = "minisearch"
    base_url: str = ""  # the address by which people reach us, if a proxy stands between
    read_only: bool = False
    trusted_hosts: tuple[str, ...] = ()  # names by which we may be called; none: by any
    allow_crawl: bool = False
    is_private: bool = False  # only this machine reaches us: a crawl may go where we can go
    sql: bool = False  # visitors may run SQL queries that read
    cors: tuple[str, ...] = ()  # origins whose pages may call the API; "*": all
    access_log: str = ""  # a file, or "-" for the terminal

    @property
    def prefix(self) -> str:
        """The path below which we are reached.

        >>> Settings(base_url="https://example.com/docs/").prefix
        '/docs'
        """
        return urlsplit(self.base_url).path.rstrip("/")

    @property
    def hosts(self) -> tuple[str, ...]:
        """All names by which we may be called, without ports."""
        own = urlsplit(self.base_url).hostname
        return (*self.trusted_hosts, own) if own else self.trusted_hosts

    def check(self) -> Settings:
        """Refuse what makes no sense."""
        parts = urlsplit(self.base_url)
        if self.base_url and (parts.scheme not in ("http", "https") or not parts.hostname or parts.query):
            raise BadInput(f'the base url must be an address like https://example.com/docs/, not "{self.base_url}"')
        if self.allow_crawl and self.read_only:
            raise BadInput("a file that is only read cannot be crawled into: choose --read-only or --allow-crawl")
        if self.allow_crawl and not self.hosts:
            raise BadInput("--allow-crawl needs to know by which name it is reached: add --trusted-host or --base-url")
        for origin in self.cors:
            if origin != "*" and not ORIGIN.fullmatch(origin):
                raise BadInput(f'--cors needs an origin like https://docs.example.com (or *), not "{origin}"')
        return self


def settings() -> Settings:
    """The choices of the application that answers now."""
    chosen: Settings = current_app.config[KEY]
    return chosen
