"""Deadlines, on plain sockets: whoever waits for a byte that never comes wakes up in time."""

import math
import socket
import threading
import time

import pytest

from minisearch.fetch.deadline import TimedReader, remaining, within


@pytest.fixture
def pair():
    one, other = socket.socketpair()
    with one, other:
        one.settimeout(20)
        yield one, other


def reader_of(connection):
    return TimedReader(connection, connection.makefile("rb", buffering=0))


def test_a_reader_wakes_up_when_the_time_is_up(pair):
    began = time.monotonic()
    with within(0.2):
        with pytest.raises(TimeoutError):
            reader_of(pair[0]).read(1)
        assert remaining() <= 0
    assert 0.15 < time.monotonic() - began < 10


def test_a_byte_now_and_then_does_not_keep_a_reader_waiting(pair):
    ends = threading.Event()

    def drip():
        while not ends.wait(0.02):
            pair[1].sendall(b"x")

    dripping = threading.Thread(target=drip)
    dripping.start()
    began = time.monotonic()
    try:
        with within(0.3), pytest.raises(TimeoutError):
            reader_of(pair[0]).readall()
    finally:
        ends.set()
        dripping.join()
    assert 0.25 < time.monotonic() - began < 10


def test_a_connection_that_is_silent_ends_sooner(pair):
    pair[0].settimeout(0.1)
    with within(20):
        with pytest.raises(TimeoutError):
            reader_of(pair[0]).read(1)
        assert remaining() > 10


def test_nothing_is_read_when_the_time_is_up(pair):
    pair[1].sendall(b"x")
    with within(0.01):
        time.sleep(0.02)
        with pytest.raises(TimeoutError):
            reader_of(pair[0]).read(1)


def test_a_connection_is_used_again_after_a_request_in_time(pair):
    with within(0.2):
        pair[1].sendall(b"x")
        assert reader_of(pair[0]).read(1) == b"x"
    time.sleep(0.3)
    pair[1].sendall(b"y")
    with within(5):
        assert reader_of(pair[0]).read(1) == b"y"


def test_each_thread_has_its_own_deadline():
    found = []
    with within(5):
        thread = threading.Thread(target=lambda: found.append(remaining()))
        thread.start()
        thread.join()
    assert found == [math.inf]


def test_deadlines_nest():
    assert remaining() == math.inf
    with within(9):
        with within(5):
            assert 4 < remaining() <= 5
            with within(7):
                assert remaining() <= 5
        assert 8 < remaining() <= 9
    assert remaining() == math.inf
