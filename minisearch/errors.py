"""What can go wrong, and what to do about it.

MiniSearchError
├── StoreError             the file: cannot be opened, is not ours, is too new or too old
│   ├── NotOurFile
│   ├── NewerSchema
│   ├── OlderSchema
│   ├── Damaged            what it holds cannot be read
│   └── StoreBusy          another process is writing
├── ClusterError           a cluster: not there, not fit, or gone
├── NotReady               a stage was asked for before the one it builds on
├── NotFound               a page or url that the file does not hold
└── BadInput (ValueError)  an argument that makes no sense
    └── BadUrl

A page that cannot be fetched is no exception but a record (`Skipped`, `Failed`): a crawl goes on.
"""


class MiniSearchError(Exception):
    """Anything minisearch itself has to say; its text is fit to be shown to a person."""


class StoreError(MiniSearchError):
    """The file cannot be used."""


class NotOurFile(StoreError):
    """The file is not SQLite, or another program's SQLite file."""


class NewerSchema(StoreError):
    """The file was written by a newer minisearch."""


class OlderSchema(StoreError):
    """The file was written by an older minisearch."""


class Damaged(StoreError):
    """A part of the file is not what we once wrote."""

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
    """The file holds no such page or url."""


class BadInput(MiniSearchError, ValueError):
    """An argument that makes no sense."""


class BadUrl(BadInput):
    """Not an http or https address."""
