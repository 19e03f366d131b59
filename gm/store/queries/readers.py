"""Reads at once what letters to all seats of a game need of their readers. Only for speed: a turn has many letters."""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter

from sqlalchemy import and_, bindparam, select

from gm.game.model.observer_records import MailChoices
from gm.game.model.records import BounceRecord, Person
from gm.store.prepared_statements import PreparedStatement
from gm.store.queries.games import PeopleQueries
from gm.store.queries.mail_queues import BounceQueries
from gm.store.queries.observers import ObserverQueries
from gm.store.queries.row_mapping import Queries, record
from gm.store.schema import tables as t

_HELD = select(t.seat.c.person).where(t.seat.c.game == bindparam("game"))
_THEIRS = select(t.address.c.address).where(t.address.c.person.in_(_HELD))
PEOPLE = PreparedStatement(
    select(t.person, t.address.c.address)
    .join(t.address, isouter=True)
    .where(t.person.c.id.in_(_HELD))
    .order_by(t.person.c.id, t.address.c.position)
)
"""One row for each address."""
BOUNCED = PreparedStatement(select(t.bounced).where(t.bounced.c.address.in_(_THEIRS)))
_OWN = and_(t.wishes.c.seat == t.seat.c.id, t.wishes.c.person == t.seat.c.person)
CHOICES = PreparedStatement(
    select(t.seat.c.id.label("held"), t.seat.c.person.label("holder"), t.wishes)
    .join_from(t.seat, t.wishes, _OWN, isouter=True)
    .where(t.seat.c.game == bindparam("game"), t.seat.c.person.is_not(None))
)
"""One row for each seat with a person."""


class ReaderQueries(Queries):
    """Puts its answers into the caches of the queries that give them one by one."""

    def read_readers(self, game: int) -> None:
        bounced = {row["address"]: record(BounceRecord, row) for row in self._all(BOUNCED, game=game)}
        for key, rows in groupby(self._all(PEOPLE, game=game), key=itemgetter("id")):
            first, *others = rows
            addresses = tuple(row["address"] for row in (first, *others) if row["address"])
            self._set_cached(t.person, PeopleQueries.get, (key,), record(Person, first, addresses=addresses))
            for address in addresses:
                self._set_cached(t.bounced, BounceQueries.known, (address,), bounced.get(address))
        for row in self._all(CHOICES, game=game):
            mine = row["held"], row["holder"]
            choices = MailChoices(*mine) if row["seat"] is None else record(MailChoices, row)
            self._set_cached(t.wishes, ObserverQueries.mail_choices, mine, choices)
