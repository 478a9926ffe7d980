"""Deadlines, on plain sockets: whoever waits for a byte that never comes wakes up in time."""

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


def test_a_reader_wakes_up_when_the_time_is_up(pair):
    began = time.monotonic()
    with deadline.within(0.2) as limit:
        deadline.watch(pair[0])
        assert pair[0].recv(1) == b""
    assert limit.expired
    assert 0.15 < time.monotonic() - began < 10


def test_a_connection_is_left_open_after_a_request_in_time(pair):
    with deadline.within(0.2) as limit:
        deadline.watch(pair[0])
    time.sleep(0.4)
    pair[1].sendall(b"x")
    assert (pair[0].recv(1), limit.expired) == (b"x", False)


def test_a_connection_made_too_late_is_shut_down_at_once(pair):
    with deadline.within(0.05) as limit:
        while not limit.expired:
            time.sleep(0.01)
        deadline.watch(pair[0])
        assert pair[0].recv(1) == b""


def test_a_connection_is_shut_down_though_its_descriptor_was_replaced(pair):
    """TLS takes over the descriptor of a socket before the handshake."""
    with deadline.within(0.2):
        deadline.watch(pair[0])
        wrapped = socket.socket(fileno=pair[0].detach())
        with wrapped:
            wrapped.settimeout(20)
            assert wrapped.recv(1) == b""


def test_each_thread_has_its_own_deadline(pair):
    woken = []
    near, far = socket.socketpair()  # another pair: if one end of a pair is shut down, its other end wakes up too

    def wait(seconds, connection):
        with deadline.within(seconds):
            deadline.watch(connection)
            connection.recv(1)
            woken.append(seconds)

    with near, far:
        threads = [threading.Thread(target=wait, args=each) for each in ((30, pair[0]), (0.2, near))]
        for thread in threads:
            thread.start()
        threads[1].join(10)
        pair[0].shutdown(socket.SHUT_RDWR)
        threads[0].join(10)
    assert woken == [0.2, 30]


def test_deadlines_nest():
    assert deadline.current() is None
    with deadline.within(9) as outer:
        with deadline.within(5) as inner:
            assert deadline.current() is inner
        assert deadline.current() is outer
    assert deadline.current() is None


def test_some_time_is_always_left_for_a_socket():
    with deadline.within(0.001) as limit:
        time.sleep(0.01)
        assert 0 < limit.remaining() < 0.01


def test_no_descriptor_is_left_open(pair):
    lowest = socket.socket()
    free = lowest.fileno()
    lowest.close()
    for _ in range(3):
        with deadline.within(5):
            deadline.watch(pair[0])
            deadline.watch(pair[1])
    with socket.socket() as after:
        assert after.fileno() == free
