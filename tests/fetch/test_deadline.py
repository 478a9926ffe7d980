"""Deadlines, on plain sockets: whoever waits for a byte that never comes is woken in time."""

import socket
import threading
import time

import pytest

from minisearch.fetch import deadline


@pytest.fixture
def pair():
    one, other = socket.socketpair()
    with one, other:
        one.settimeout(20)
        yield one, other


def test_a_reader_is_woken_when_the_time_is_up(pair):
    began = time.monotonic()
    with deadline.within(0.2) as until:
        deadline.hold(pair[0])
        assert pair[0].recv(1) == b""
    assert until.late
    assert 0.15 < time.monotonic() - began < 10


def test_what_is_done_in_time_is_left_alone(pair):
    with deadline.within(0.2) as until:
        deadline.hold(pair[0])
    time.sleep(0.4)
    pair[1].sendall(b"x")
    assert (pair[0].recv(1), until.late) == (b"x", False)


def test_a_connection_made_too_late_is_shut_at_once(pair):
    with deadline.within(0.05) as until:
        while not until.late:
            time.sleep(0.01)
        deadline.hold(pair[0])
        assert pair[0].recv(1) == b""


def test_a_nearer_deadline_is_not_overslept(pair):
    woken = []
    near, far = socket.socketpair()  # another pair: if one end of a pair is shut, its other end wakes up too

    def wait(seconds, connection):
        with deadline.within(seconds):
            deadline.hold(connection)
            connection.recv(1)
            woken.append(seconds)

    with near, far:
        threads = [threading.Thread(target=wait, args=each) for each in ((30, pair[0]), (0.2, near))]
        for thread in threads:
            thread.start()
            time.sleep(0.05)
        threads[1].join(10)
        pair[0].shutdown(socket.SHUT_RDWR)  # the other need not wait for its own
        threads[0].join(10)
    assert woken == [0.2, 30]


def test_deadlines_nest():
    assert deadline.current() is None
    with deadline.within(9) as outer:
        with deadline.within(5) as inner:
            assert deadline.current() is inner
        assert deadline.current() is outer
    assert deadline.current() is None


def test_there_is_always_some_time_left_for_a_socket():
    with deadline.within(0.001) as until:
        time.sleep(0.01)
        assert 0 < until.left() < 0.01
