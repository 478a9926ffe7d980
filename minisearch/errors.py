"""The exceptions of minisearch.

MiniSearchError
├── StoreError             the file cannot be used
│   ├── NotOurFile
│   ├── NewerSchema
│   ├── OlderSchema
│   ├── Damaged            its index cannot be decoded
│   └── StoreBusy          another process is writing
├── ClusterError           a cluster cannot be reached or used
├── NotReady               an earlier stage has to be run first
├── NotFound               the file has no such page or URL
└── BadInput (ValueError)  an invalid argument
    └── BadUrl

A page that cannot be fetched raises nothing: it is an outcome (`Skipped`, `Failed`), and the crawl continues.
"""


class MiniSearchError(Exception):
    """The base of all exceptions of minisearch; its text can be shown to a user."""


class StoreError(MiniSearchError):
    """The file cannot be used."""


class NotOurFile(StoreError):
    """The file is not SQLite, or another program's SQLite file."""


class NewerSchema(StoreError):
    """The file was written by a newer minisearch."""


class OlderSchema(StoreError):
    """The file was written by an older minisearch."""


class Damaged(StoreError):
    """A part of the file cannot be decoded."""

    def __init__(self, what: str = "the index") -> None:
        super().__init__(
            f"{what} in this file is damaged: minisearch index --rebuild builds it again from the stored pages"
        )


class StoreBusy(StoreError):
    """Another process is writing to the file."""


class ClusterError(MiniSearchError):
    """A cluster cannot be used."""


class NotReady(MiniSearchError):
    """An earlier stage has to be run first."""


class NotFound(MiniSearchError):
    """The file has no such page or URL."""


class BadInput(MiniSearchError, ValueError):
    """An invalid argument."""


class BadUrl(BadInput):
    """Not an http or https URL."""
