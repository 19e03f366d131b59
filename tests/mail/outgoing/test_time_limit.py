"""One timer for many letters: it ends the one that takes too long, and no other."""

from __future__ import annotations

import threading

from gm.mail.outgoing.time_limit import TimeLimit

LONG = 60.0


def test_a_block_that_takes_too_long_is_ended() -> None:
    ended = threading.Event()
    limit = TimeLimit(ended.set)
    with limit.limited(0.01):
        assert ended.wait(LONG)


def test_the_next_block_has_its_whole_time() -> None:
    """The timer of the first block rings in the second, and waits on for it."""
    rung = threading.Event()

    class Watched(TimeLimit):
        def _check(self) -> None:
            super()._check()
            rung.set()

    ended = threading.Event()
    limit = Watched(ended.set)
    with limit.limited(0.01):
        pass
    with limit.limited(LONG):
        assert rung.wait(LONG)
        assert not ended.is_set()


def test_many_blocks_share_a_timer() -> None:
    limit = TimeLimit(lambda: None)
    before = threading.active_count()
    for _ in range(20):
        with limit.limited(LONG):
            assert threading.active_count() <= before + 1


def test_a_block_after_an_ended_one_is_limited_too() -> None:
    ended = threading.Event()
    limit = TimeLimit(ended.set)
    for _ in range(2):
        ended.clear()
        with limit.limited(0.01):
            assert ended.wait(LONG)
