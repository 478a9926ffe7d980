"""Records come out of a pipe as they were put into it, however large they are and in however many parts they come."""

import os
import pickle
from contextlib import closing, suppress
from threading import Thread

from hypothesis import given
from hypothesis import strategies as st

from minisearch.crawl.pipes import ROOM, SIZE, Inbox, send


def taken(inbox):
    """All that comes until the other end is closed."""
    records = []
    with suppress(EOFError):
        while True:
            records += inbox.take()
    return records


@given(st.lists(st.integers(0, 3 * ROOM), max_size=5), st.integers(ROOM // 64 + 1, 2 * ROOM))
def test_records_come_out_as_they_were_put_in(sizes, step):
    reading, writing = os.pipe()
    records = [(size, b"x" * size) for size in sizes]
    packed = [pickle.dumps(record) for record in records]
    sent = b"".join(SIZE.pack(len(each)) + each for each in packed)

    def write():
        for start in range(0, len(sent), step):
            os.write(writing, sent[start : start + step])
        os.close(writing)

    writer = Thread(target=write)
    with closing(Inbox(reading)) as inbox:
        writer.start()
        assert taken(inbox) == records
        writer.join()


def test_all_that_has_come_is_taken_at_once():
    reading, writing = os.pipe()
    with closing(Inbox(reading)) as inbox:
        for record in ("a", {"b": 1}, None):
            send(writing, record)
        assert inbox.take() == ["a", {"b": 1}, None]
        os.close(writing)
        assert taken(inbox) == []


def test_a_record_that_is_larger_than_the_pipe_is_sent_whole_and_leaves_no_room_behind():
    reading, writing = os.pipe()
    large = os.urandom(5 * ROOM)
    writer = Thread(target=lambda: (send(writing, large), send(writing, "small"), os.close(writing)))
    with closing(Inbox(reading)) as inbox:
        writer.start()
        assert taken(inbox) == [large, "small"]
        writer.join()
        assert len(inbox._bytes) == ROOM


def test_a_record_whose_writer_died_is_none():
    reading, writing = os.pipe()
    with closing(Inbox(reading)) as inbox:
        os.write(writing, SIZE.pack(100) + b"half")
        os.close(writing)
        assert taken(inbox) == []
