"""A hash table: buckets, and a hash function that maps a word to a bucket.

I. Ilic, master thesis, University of Belgrade, Faculty of Mathematics, 2016.
What Python has built in: `dict`, used in minisearch/textbook/mapindex.py
Its fast sister, on disk: minisearch/index/

To find a word, only its bucket is searched. A table is a list of buckets, a bucket a list of [key, value];
all is well as long as the rule, the hash function, spreads the words evenly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

Bucket = list[list[Any]]
Table = list[Bucket]


def bad_hash_string(keyword: str, buckets: int) -> int:
    """The bucket by the first character alone; bad, for few words begin with x.

    >>> bad_hash_string("xylophone", 12) == bad_hash_string("xenon", 12)
    True
    """
    return ord(keyword[0]) % buckets if keyword else 0


def hash_string(keyword: str, buckets: int) -> int:
    """The bucket by the sum of all characters; better, though anagrams share a bucket.

    >>> hash_string("stale", 12) == hash_string("least", 12)
    True
    """
    total = 0
    for character in keyword:
        total = (total + ord(character)) % buckets
    return total


def test_hash_function(func: Callable[[str, int], int], keys: Iterable[str], size: int) -> list[int]:
    """How many keys fall into each of `size` buckets, each different key counted once.

    >>> test_hash_function(bad_hash_string, ["a", "b", "bee", "a"], 4)
    [0, 1, 2, 0]
    """
    counts = [0] * size
    for key in set(keys):
        counts[func(key, size)] += 1
    return counts


test_hash_function.__test__ = False  # type: ignore[attr-defined]  # the name is the thesis's; pytest, pass by


def chi_square(counts: Sequence[int]) -> float:
    """How uneven the buckets are: 0 if all hold the same, about their number if words fell at random.

    >>> chi_square([5, 5, 5]), chi_square([15, 0, 0])
    (0.0, 30.0)
    """
    total = sum(counts)
    if total == 0:
        return 0.0
    mean = total / len(counts)
    return sum((count - mean) ** 2 / mean for count in counts)


def make_hashtable(n: int) -> Table:
    """A table of n empty buckets."""
    return [[] for _ in range(n)]  # not [[]] * n, which is n times the same bucket


def hashtable_get_bucket(table: Table, key: str) -> Bucket:
    """The bucket in which the key is kept, if it is there at all."""
    return table[hash_string(key, len(table))]


def hashtable_add(table: Table, key: str, value: Any) -> None:
    """Add an entry, even if the key has one already."""
    hashtable_get_bucket(table, key).append([key, value])


def hashtable_lookup(table: Table, key: str) -> Any:
    """The value of the key, the first if there are several; None if there is none."""
    for entry in hashtable_get_bucket(table, key):
        if entry[0] == key:
            return entry[1]
    return None


def hashtable_update(table: Table, key: str, value: Any) -> None:
    """Replace the value of the key, or add the key.

    >>> table = make_hashtable(3)
    >>> hashtable_update(table, "word", 1)
    >>> hashtable_update(table, "word", 2)
    >>> hashtable_lookup(table, "word")
    2
    """
    for entry in hashtable_get_bucket(table, key):
        if entry[0] == key:
            entry[1] = value
            return
    hashtable_add(table, key, value)


def hashtable_add_to_index(table: Table, keyword: str, url: str) -> None:
    """Add the url to the list of the keyword: the table as an index."""
    urls = hashtable_lookup(table, keyword)
    if urls is None:
        hashtable_add(table, keyword, [url])
    else:
        urls.append(url)
