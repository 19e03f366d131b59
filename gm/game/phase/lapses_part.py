"""Votes to end the game that stand for one phase, where the game says so (`gm.game.model.setting_choices`).

When the phase is left, by whatever way, its votes lapse: each is kept as lapsed with the snapshot that was left. When
the game is taken back to that snapshot, they stand again, as the orders of the phase do. Nobody but its voter learns
of either.
"""

from __future__ import annotations

from datetime import datetime

from msgspec.structs import replace

from gm.game.model.ports import Store
from gm.game.model.recipient import Recipient
from gm.game.model.records import Game, GameState, Snapshot, Vote
from gm.game.phase.draw_votes import CONCEDE, NONE, said_of
from gm.language.rendering.views import ParagraphView, RowsView, RowView, SectionView


def leave(store: Store, game: Game, now: datetime) -> None:
    """The phase that is open is open no longer."""
    for vote in store.turns.votes(game.id):
        if not vote.lapsed and vote.choice != NONE:
            store.turns.add_vote(replace(vote, lapsed=game.snapshot, at=now))


def enter_again(store: Store, game: Game, left: Snapshot, now: datetime) -> None:
    """What lapsed when that snapshot was left stands again: words of who still plays the power and said no other."""
    held = {(seat.power, seat.person) for seat in store.games.seats(game.id)}
    said = {vote.power for vote in store.turns.votes(game.id) if not vote.lapsed}
    for vote in store.turns.lapsed_votes(game.id, left.id):
        if vote.power not in said and (vote.power, vote.person) in held:
            store.turns.add_vote(replace(vote, lapsed=0, at=now))


def lapsed(reader: Recipient, snapshot: Snapshot) -> tuple[SectionView, ...]:
    """That the reader's own vote lapsed in the turn that made this snapshot; a later letter does not say it again."""
    vote = _own(reader)
    if vote is None or not vote.lapsed or vote.at != snapshot.at or reader.game.state is not GameState.RUNNING:
        return ()
    aside = "" if vote.shown else reader.say("vote.secret")
    left = reader.phase_words("phase.said", reader.store.turns.snapshot(vote.lapsed).phase)
    words = ParagraphView(reader.say("vote.lapsed", phase=left))
    return (SectionView(reader.say("vote.title"), (words, RowsView((RowView(_again(reader, vote)),))), aside=aside),)


def _own(reader: Recipient) -> Vote | None:
    if not reader.power:
        return None
    votes = (one for one in reader.store.turns.votes(reader.game.id) if one.power == reader.power)
    return next((one for one in votes if one.person == reader.seat.person), None)


def _again(reader: Recipient, vote: Vote) -> str:
    """The line that casts it once more."""
    said = said_of(vote)
    winners = (", " if vote.choice == CONCEDE else " + ").join(reader.called(one) for one in vote.winners)
    end = " " + reader.say("vote.again-or-end") if vote.or_end else ""
    return reader.say(f"vote.again-{said}", winners=winners) + end
