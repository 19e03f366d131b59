"""Votes to end the game, counted: secret unless the game shows them, each standing until its power votes again.

Where the game says so they stand for one phase (`gm.game.phase.draw_votes`).
"""

from __future__ import annotations

from collections import Counter
from datetime import datetime

from msgspec.structs import replace

from gm.game.model.loaded_game import LoadedGame
from gm.game.model.ports import Store
from gm.game.model.recipient import Recipient
from gm.game.model.records import Game, GameState, Seat, Snapshot, Vote
from gm.judge.model.position import Position
from gm.language.rendering.views import BulletsView, ParagraphView, RowsView, RowView, SectionView


def leave(store: Store, game: Game, now: datetime) -> None:
    """The phase that is open is open no longer."""
    for vote in store.turns.votes(game.id):
        if not vote.lapsed and vote.choice != NONE:
            store.turns.add_vote(replace(vote, lapsed=game.snapshot, at=now))


def enter_again(store: Store, game: Game, left: Snapshot, now: datetime) -> None:
    """What lapsed when that snapshot was left stands again: words of who still plays the power and said no other."""
    held = {(seat.power, seat.person) for seat in store.games.seats(game.id)}
    revoted = {vote.power for vote in store.turns.votes(game.id) if not vote.lapsed}
    for vote in store.turns.lapsed_votes(game.id, left.id):
        if vote.power not in revoted and (vote.power, vote.person) in held:
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
    votes = (vote for vote in reader.store.turns.votes(reader.game.id) if vote.power == reader.power)
    return next((vote for vote in votes if vote.person == reader.seat.person), None)


def _again(reader: Recipient, vote: Vote) -> str:
    """The line that casts it once more."""
    key = said_of(vote)
    winners = (", " if vote.choice == CONCEDE else " + ").join(reader.called(winner) for winner in vote.winners)
    end = " " + reader.say("vote.again-or-end") if vote.or_end else ""
    return reader.say(f"vote.again-{key}", winners=winners) + end


DRAW, CONCEDE, NONE = "draw", "concede", "none"


def in_game(position: Position, power: str) -> bool:
    """Whether a power still has a say: a unit, on the board or driven from its place, or a centre."""
    return has_units(position, power) or (bool(position.centres_of(power)) and not position.collapsed(power))


def has_units(position: Position, power: str) -> bool:
    """On the board or driven from their places."""
    return bool(position.units_of(power)) or any(dislodged.unit.power == power for dislodged in position.dislodged)


def standing(store: Store, seat: Seat) -> Vote | None:
    """The seat's vote: that of its present player."""
    votes = (vote for vote in store.turns.votes(seat.game) if vote.power == seat.power and vote.person == seat.person)
    return next((vote for vote in votes if vote.choice != NONE and not vote.lapsed), None)


def survivors(loaded_game: LoadedGame) -> tuple[str, ...]:
    """Who would share a draw that includes all: every power with a unit left."""
    return tuple(power.name for power in loaded_game.variant.powers if has_units(loaded_game.position, power.name))


def allowed(vote: Vote, loaded_game: LoadedGame) -> bool:
    """Whether the game's settings let it end so."""
    if vote.choice == CONCEDE:
        return loaded_game.settings.concede
    return not vote.winners or not loaded_game.settings.dias or set(vote.winners) == set(survivors(loaded_game))


def settled(store: Store, loaded_game: LoadedGame) -> Vote | None:
    """The result that everybody still in the game has voted for (more than half of them, where that is enough); a draw
    where all want an end and disagree.
    """
    voters = [
        seat
        for seat in loaded_game.power_seats
        if seat.person is not None and in_game(loaded_game.position, seat.power)
    ]
    votes = [standing(store, seat) for seat in voters]
    cast = [vote for vote in votes if vote is not None and allowed(vote, loaded_game)]
    if not cast:
        return None
    ends = Counter((vote.choice, vote.winners) for vote in cast)
    end, count = ends.most_common(1)[0]
    if count == len(voters) or (not loaded_game.settings.unanimous and 2 * count > len(voters)):
        return next(vote for vote in cast if (vote.choice, vote.winners) == end)
    newest = max(cast, key=lambda vote: vote.at)
    draw = Vote(newest.game, newest.power, newest.person, DRAW, newest.at)
    return draw if len(cast) == len(voters) and all(vote.or_end for vote in cast) else None


def shown_votes(reader: Recipient, position: Position) -> tuple[SectionView, ...]:
    """What everybody votes for, where the game shows it; a vote that was cast in secret stays so."""
    if not reader.settings.draw_votes.shown or reader.game.state is not GameState.RUNNING:
        return ()
    seats = sorted(reader.store.games.seats(reader.game.id), key=lambda seat: seat.power)
    votes = [(seat.power, vote) for seat in seats if seat.person and (vote := standing(reader.store, seat))]
    items = tuple(
        reader.say(f"vote.shown-{said_of(vote)}", power=power, winners=reader.every(vote.winners))
        for power, vote in votes
        if vote.shown and in_game(position, power)
    )
    return (SectionView(reader.say("vote.shown"), (BulletsView(items),)),) if items else ()


def said_of(vote: Vote) -> str:
    """The key of what is voted for: a draw of all, of some, or a concession."""
    return f"{vote.choice}-of" if vote.choice == DRAW and vote.winners else vote.choice


def own_vote(reader: Recipient) -> tuple[SectionView, ...]:
    """What the reader's own vote is, in every answer while it stands."""
    vote = standing(reader.store, reader.seat) if reader.power else None
    if vote is None or reader.game.state is not GameState.RUNNING:
        return ()
    sentence = reader.say(f"vote.{said_of(vote)}", winners=reader.every(vote.winners))
    more = (reader.say("vote.or-end"),) if vote.or_end else ()
    law = reader.settings.draw_votes
    until = reader.say("vote.stands-phase" if law.lapses else "vote.stands")
    blocks = (ParagraphView(" ".join((sentence, *more, until))),)
    aside = "" if law.shown and vote.shown else reader.say("vote.secret")
    return (SectionView(reader.say("vote.title"), blocks, aside=aside),)
