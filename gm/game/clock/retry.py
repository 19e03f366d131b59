"""How long something that failed waits for the next attempt, and when it is given up."""

from __future__ import annotations

from datetime import timedelta

from msgspec import Struct


class Retry(Struct, frozen=True):
    """`minutes` are the waits after the first, second … failure; the last one stays. `lease`: longer than one attempt
    may take, so that nobody else begins it meanwhile.
    """

    minutes: tuple[int, ...]
    give_up: timedelta
    lease: timedelta

    def wait(self, tries: int) -> timedelta:
        """`tries`: failures before this one."""
        return timedelta(minutes=self.minutes[min(tries, len(self.minutes) - 1)])
