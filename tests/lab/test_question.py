"""What the lab page is asked."""

import numpy as np
import pytest

from minisearch.errors import BadInput
from minisearch.lab import question as q
from minisearch.lab.question import understand
from minisearch.lab.webs import Web


def test_without_a_word_everybody_begins_with_five_pages():
    asked = understand({})
    assert (asked.name, asked.web.n, asked.what.method) == ("five-pages", 5, "pagerank")


def test_all_pages_of_a_host_may_speak_with_one_voice():
    assert understand({"web": "A:B;B", "method": "hits", "by_host": "1"}).what.by_host


SOURCES = [
    ({"preset": "spider-trap"}, "A:A;B:A,D;C:B,D;D:B,E;E:A,D"),
    ({"text": "3 (A,B) (B,C)"}, "A:B;B:C;C"),
    ({"text": "x,y\ny,x\n"}, "x:y;y:x"),
    ({"text": "A:B;B", "form": "address"}, "A:B;B"),
    ({"text": "A:B,C;B:A"}, "A:B,C;B:A;C"),
    ({"text": "0 1\n1 0"}, "A:B;B:A"),
    ({"text": "\t1\n1\t\n", "form": "matrix"}, "A:B;B:A"),
    ({"web": "A:B,B;B"}, "A:B*2;B"),
    ({"web": "A:B,B;B", "once": "1"}, "A:B;B"),
    ({"web": "A:A,B;B", "no_loops": "1"}, "A:B;B"),
    ({"web": "A:B;B", "edits": "add B A\n\nadd B C"}, "A:B;B:A,C;C"),
    ({"web": "A:B;B", "farm": "t", "supporters": "2", "doors": "A"}, "A:B,t;B;t:t-s1,t-s2;t-s1:t;t-s2:t"),
    ({"web": "A:B;B", "farm": "t", "supporters": "0"}, "A:B;B"),
]


@pytest.mark.parametrize(("asked", "web"), SOURCES)
def test_the_web_is_told_in_many_ways(asked, web):
    assert q.address.written(understand(asked).web) == web


def test_the_pages_of_a_crawl_come_from_who_holds_it():
    asked = understand({"crawl": "7"}, lambda count: Web.of([str(number) for number in range(count)]))
    assert asked.web.n == 7
    with pytest.raises(BadInput, match="no crawl"):
        understand({"crawl": "7"})


def test_a_web_before_is_compared_and_so_are_changes():
    assert not understand({"preset": "five-pages"}).changed
    assert understand({"preset": "five-pages", "edits": "cut A B"}).changed
    assert understand({"preset": "five-pages", "before": "spider-trap"}).plain.links()[0] == ("A", "A", 1.0)
    assert understand({"preset": "five-pages", "before": "A:B"}).plain.n == 2


WRONG = [
    ({"preset": "no-such"}, "no graph is called"),
    ({"crawl": "many"}, "no crawl"),
    ({"web": ":"}, "has no page before the colon"),
    ({"edits": "paint A"}, "is not an edit"),
    ({"farm": "t", "supporters": "301"}, "supporters must be a whole number from 0 to 300"),
    ({"farm": "t", "supporters": "-1"}, "supporters"),
    ({"rounds": "1001"}, "rounds must be from 0 to 1,000"),
    ({"rounds": "x"}, "rounds must be a whole number"),
    ({"method": "surfer", "steps": "1000001"}, "steps must be from 1 to 1,000,000"),
    ({"web": ";".join(f"p{n}" for n in range(41)), "exact": "1"}, "exact fractions are limited to 40 pages"),
    ({"web": ";".join(f"p{n}" for n in range(101)), "method": "eigen"}, "eigenvectors are limited"),
    ({"web": ";".join(f"p{n}" for n in range(2001))}, "exceed the limits of this page"),
    ({"text": "2001"}, "exceed the limits of this page"),
    ({"text": "x" * 2_000_001}, "too long"),
    ({"web": "A;B", "edits": "farm A 1000000"}, "exceed the limits of this page"),
    ({"web": "A;B", "edits": "farm A 1999\nremove B\nremove A"}, "exceed the limits of this page"),  # in between, too
    ({"method": "topic", "topics": "\n".join("ABCDEABCDEABC")}, "the limit is 12 topics"),
]


@pytest.mark.parametrize(("asked", "told"), WRONG)
def test_what_makes_no_sense_or_takes_too_long_is_refused_in_words(asked, told):
    with pytest.raises(BadInput, match=told):
        understand(asked)


def test_rounds_are_not_kept_where_nothing_bounds_them():
    ring = ";".join(f"p{n}:p{(n + 1) % 150}" for n in range(150))
    assert understand({"web": ring}).what.trace
    assert not understand({"web": ring, "convention": "networkx"}).what.trace


def test_weights_of_single_pages_are_read_by_name():
    asked = understand({"preset": "five-pages", "teleport": "A=3,E=1"})
    assert np.asarray(asked.what.teleport).tolist() == [3, 0, 0, 0, 1]
