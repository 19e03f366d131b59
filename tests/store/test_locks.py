"""Whose turn it is at a SQLite database: in the order in which threads came."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from gm.store.locks import WriterQueue


def waiting(turn: WriterQueue, work: Callable[[], None]) -> threading.Thread:
    """A thread that stands in line when this returns."""
    before = turn.waiting
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    while turn.waiting == before:
        thread.join(0.001)
    return thread


class Interrupted(threading.Event):
    def wait(self, timeout: float | None = None) -> bool:
        raise KeyboardInterrupt


def test_locks_are_granted_in_order() -> None:
    turn, served = WriterQueue(), list[str]()

    def serve(name: str) -> None:
        with turn:
            served.append(name)

    with turn:
        threads = [waiting(turn, lambda name=name: serve(name)) for name in ("ann", "bea", "cleo")]  # type: ignore[misc]
    with turn:  # who has just had it comes after those who wait
        served.append("again")
    for thread in threads:
        thread.join(60)
    assert served == ["ann", "bea", "cleo", "again"]


def test_a_transaction_inside_a_transaction_is_a_fault_and_takes_nothing() -> None:
    turn = WriterQueue()
    with turn, pytest.raises(RuntimeError, match="inside a transaction"), turn:
        pass
    with turn:
        assert turn.waiting == 0


def test_an_interrupted_waiter_leaves_the_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    turn, served = WriterQueue(), list[str]()

    def serve() -> None:
        with turn:
            served.append("next")

    def interrupted() -> None:
        with pytest.raises(KeyboardInterrupt), turn:
            served.append("never")

    with turn:
        first = waiting(turn, serve)
        monkeypatch.setattr("gm.store.locks.Event", Interrupted)
        given_up = threading.Thread(target=interrupted, daemon=True)
        given_up.start()
        given_up.join(60)
        assert turn.waiting == 1
    first.join(60)
    assert served == ["next"]
    with turn:
        assert turn.waiting == 0
