"""Errata and polls."""

from __future__ import annotations

from msgspec.structs import replace
from sqlalchemy import select

from gm.game.model.poll_records import Erratum, Poll, PollVote
from gm.store.queries.games import GameQueries
from gm.store.queries.row_mapping import by, record, values
from gm.store.read_cache import cached
from gm.store.schema import tables as t


class PollQueries(GameQueries):
    def add_erratum(self, erratum: Erratum) -> None:
        self._insert(t.erratum, values(erratum))

    @cached(t.erratum)
    def errata(self, game: int) -> tuple[Erratum, ...]:
        rows = self._all(by(t.erratum, "game", order="id"), value=game)
        return tuple(record(Erratum, row) for row in rows)

    def add_poll(self, poll: Poll) -> Poll:
        self._touch(poll.game)
        return replace(poll, id=self._insert(t.poll, values(poll)))

    def save_poll(self, poll: Poll) -> None:
        self._touch(poll.game)
        self._update(t.poll, poll.id, values(poll))

    @cached(t.poll)
    def of(self, game: int) -> tuple[Poll, ...]:
        rows = self._all(by(t.poll, "game", order="id"), value=game)
        return tuple(record(Poll, row) for row in rows)

    def add_poll_vote(self, vote: PollVote) -> None:
        self._insert(t.poll_vote, values(vote))

    def poll_votes(self, poll: int) -> tuple[PollVote, ...]:
        rows = self._all(select(t.poll_vote).where(t.poll_vote.c.poll == poll).order_by(t.poll_vote.c.id))
        newest = {row["power"]: record(PollVote, row) for row in rows}
        return tuple(newest[power] for power in sorted(newest))
