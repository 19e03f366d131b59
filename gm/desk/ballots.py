"""Votes to end the game, counted: each power's is secret, and a vote stands until its power votes otherwise."""

from __future__ import annotations

from gm.desk.ports import Store
from gm.desk.reader import Reader
from gm.desk.records import GameState, Seat, Vote
from gm.desk.table import Table
from gm.judge.position import Position
from gm.text.views import Para, Section

DRAW, CONCEDE, NONE = "draw", "concede", "none"


def in_game(position: Position, power: str) -> bool:
    """Whether a power still has a say: a unit, on the board or driven from its place, or a centre."""
    return has_units(position, power) or (bool(position.centres_of(power)) and not position.collapsed(power))


def has_units(position: Position, power: str) -> bool:
    """On the board or driven from their places."""
    return bool(position.units_of(power)) or any(one.unit.power == power for one in position.dislodged)


def standing(store: Store, seat: Seat) -> Vote | None:
    """The seat's vote: that of its present player."""
    votes = (vote for vote in store.turns.votes(seat.game) if vote.power == seat.power and vote.person == seat.person)
    return next((vote for vote in votes if vote.choice != NONE), None)


def settled(store: Store, table: Table) -> Vote | None:
    """The result that everybody still in the game has voted for; a draw where all want an end and disagree."""
    voters = [seat for seat in table.power_seats if seat.person is not None and in_game(table.position, seat.power)]
    votes = [standing(store, seat) for seat in voters]
    cast = [vote for vote in votes if vote is not None]
    if not cast or len(cast) < len(votes):
        return None
    if len({(vote.choice, vote.winners) for vote in cast}) == 1:
        return cast[0]
    newest = max(cast, key=lambda vote: vote.at)
    draw = Vote(newest.game, newest.power, newest.person, DRAW, newest.at)
    return draw if all(vote.or_end for vote in cast) else None


def own_vote(reader: Reader) -> tuple[Section, ...]:
    """What the reader's own vote is, in every answer while it stands."""
    vote = standing(reader.store, reader.seat) if reader.power else None
    if vote is None or reader.game.state is not GameState.RUNNING:
        return ()
    said = reader.say(f"vote.{vote.choice}", winners=reader.every(vote.winners))
    more = (reader.say("vote.or-end"),) if vote.or_end else ()
    blocks = (Para(" ".join((said, *more, reader.say("vote.stands")))),)
    return (Section(reader.say("vote.title"), blocks, aside=reader.say("vote.secret")),)
