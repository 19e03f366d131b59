"""Counts votes to end the game (DRAW, CONCEDE), and renders them.

A vote is secret unless the game shows votes, and stands until its power votes again; with the setting
`draw_votes phase` for one phase. A vote for a draw of all survivors lapses when these are no longer the same.
"""

from __future__ import annotations

from collections import Counter
from datetime import datetime

from msgspec.structs import replace

from gm.game.model.loaded_game import LoadedGame, stored_position
from gm.game.model.ports import Store
from gm.game.model.recipient import Recipient
from gm.game.model.records import Game, GameState, Seat, Snapshot, Vote
from gm.judge.model.position import Position
from gm.judge.model.variant import Variant
from gm.language.rendering.views import BulletsView, ParagraphView, RowsView, RowView, SectionView


def lapse_votes(store: Store, loaded_game: LoadedGame, snapshot: Snapshot, position: Position, now: datetime) -> None:
    """Lets votes lapse when the open phase ends, where the game says so, and those for a draw of others than now."""
    game, variant = loaded_game.game, loaded_game.variant
    every = loaded_game.settings.draw_votes.lapses and snapshot.phase != game.phase
    others = survivors_of(variant, position) != survivors(loaded_game)
    for vote in store.turns.votes(game.id):
        if not vote.lapsed and vote.choice != NONE and (every or (others and _is_for_all(vote))):
            store.turns.add_vote(replace(vote, lapsed=game.snapshot, at=now))


def _is_for_all(vote: Vote) -> bool:
    """Whether a vote is for a draw of all survivors, and for no other end."""
    return vote.choice == DRAW and not vote.winners and not vote.or_end


def restore_votes(store: Store, game: Game, left: Snapshot, now: datetime) -> None:
    """Restores the votes that lapsed with that snapshot, of current players who have not voted since."""
    held = {(seat.power, seat.person) for seat in store.games.seats(game.id)}
    revoted = {vote.power for vote in store.turns.votes(game.id) if not vote.lapsed}
    for vote in store.turns.lapsed_votes(game.id, left.id):
        if vote.power not in revoted and (vote.power, vote.person) in held:
            store.turns.add_vote(replace(vote, lapsed=0, at=now))


def lapsed_vote_section(reader: Recipient, snapshot: Snapshot) -> tuple[SectionView, ...]:
    """The section saying that the reader's vote lapsed in the turn that made this snapshot."""
    vote = _own(reader)
    if vote is None or not vote.lapsed or vote.at != snapshot.at or reader.game.state is not GameState.RUNNING:
        return ()
    aside = "" if vote.shown else reader.say("vote.secret")
    words = ParagraphView(_why_lapsed(reader, vote, snapshot))
    return (SectionView(reader.say("vote.title"), (words, RowsView((RowView(_again(reader, vote)),))), aside=aside),)


def _why_lapsed(reader: Recipient, vote: Vote, snapshot: Snapshot) -> str:
    left = reader.phase_words("phase.said", reader.store.turns.snapshot(vote.lapsed).phase)
    positions = (stored_position(reader.store, number, reader.variant) for number in (vote.lapsed, snapshot.id))
    before, after = (survivors_of(reader.variant, position) for position in positions)
    if _is_for_all(vote) and before != after:
        before, after = (tuple(map(reader.called, powers)) for powers in (before, after))
        return reader.say("vote.lapsed-others", phase=left, before=reader.every(before), after=reader.every(after))
    return reader.say("vote.lapsed", phase=left)


def _own(reader: Recipient) -> Vote | None:
    if not reader.power:
        return None
    votes = (vote for vote in reader.store.turns.votes(reader.game.id) if vote.power == reader.power)
    return next((vote for vote in votes if vote.person == reader.seat.person), None)


def _again(reader: Recipient, vote: Vote) -> str:
    """The line that casts the vote again."""
    key = vote_sentence_key(vote)
    winners = (", " if vote.choice == CONCEDE else " + ").join(reader.called(winner) for winner in vote.winners)
    end = " " + reader.say("vote.again-or-end") if vote.or_end else ""
    return reader.say(f"vote.again-{key}", winners=winners) + end


DRAW, CONCEDE, NONE = "draw", "concede", "none"


def may_vote(position: Position, power: str) -> bool:
    """Whether a power may still vote: it has a unit, a dislodged one included, or a centre."""
    return bool(position.all_units_of(power)) or (bool(position.centres_of(power)) and not position.collapsed(power))


def standing_vote(store: Store, seat: Seat) -> Vote | None:
    """The vote of the seat's present player."""
    votes = (vote for vote in store.turns.votes(seat.game) if vote.power == seat.power and vote.person == seat.person)
    return next((vote for vote in votes if vote.choice != NONE and not vote.lapsed), None)


def survivors(loaded_game: LoadedGame) -> tuple[str, ...]:
    """Every power with a unit left: they share a draw that includes all survivors (DIAS)."""
    return survivors_of(loaded_game.variant, loaded_game.position)


def survivors_of(variant: Variant, position: Position) -> tuple[str, ...]:
    return tuple(power for power in variant.seated if position.all_units_of(power))


def is_end_allowed(vote: Vote, loaded_game: LoadedGame) -> bool:
    """Whether the settings `concede` and `dias` allow this end."""
    if vote.choice == CONCEDE:
        return loaded_game.settings.concede
    return not vote.winners or not loaded_game.settings.dias or set(vote.winners) == set(survivors(loaded_game))


def agreed_end(store: Store, loaded_game: LoadedGame) -> Vote | None:
    """The end that all voters want, or more than half of them if the setting `unanimous` is no.

    A draw if everybody votes for an end with OR END and they disagree. None: the game goes on.
    """
    voters = [seat for seat in loaded_game.taken_seats if may_vote(loaded_game.position, seat.power)]
    votes = [standing_vote(store, seat) for seat in voters]
    cast = [vote for vote in votes if vote is not None and is_end_allowed(vote, loaded_game)]
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
    """The section with all votes, if the game shows them; a vote cast in secret stays secret."""
    if not reader.settings.draw_votes.shown or reader.game.state is not GameState.RUNNING:
        return ()
    seats = sorted(reader.store.games.seats(reader.game.id), key=lambda seat: seat.power)
    votes = [(seat.power, vote) for seat in seats if seat.person and (vote := standing_vote(reader.store, seat))]
    items = tuple(
        reader.say(f"vote.shown-{vote_sentence_key(vote)}", power=power, winners=reader.every(vote.winners))
        for power, vote in votes
        if vote.shown and may_vote(position, power)
    )
    return (SectionView(reader.say("vote.shown"), (BulletsView(items),)),) if items else ()


def vote_sentence_key(vote: Vote) -> str:
    """The sentence key of a vote: a draw of all, of some, or a concession."""
    return f"{vote.choice}-of" if vote.choice == DRAW and vote.winners else vote.choice


def own_vote(reader: Recipient) -> tuple[SectionView, ...]:
    """The section with the reader's own vote, in every answer while it stands."""
    vote = standing_vote(reader.store, reader.seat) if reader.power else None
    if vote is None or reader.game.state is not GameState.RUNNING:
        return ()
    sentence = reader.say(f"vote.{vote_sentence_key(vote)}", winners=reader.every(vote.winners))
    more = (reader.say("vote.or-end"),) if vote.or_end else ()
    law = reader.settings.draw_votes
    until = reader.say("vote.stands-phase" if law.lapses else "vote.stands")
    blocks = (ParagraphView(" ".join((sentence, *more, until))),)
    aside = "" if law.shown and vote.shown else reader.say("vote.secret")
    return (SectionView(reader.say("vote.title"), blocks, aside=aside),)
