"""The section of STATUS about open polls, and the votes cast in a poll."""

from __future__ import annotations

from collections.abc import Iterable

from gm.game.model.poll_records import Poll
from gm.game.model.ports import Store
from gm.game.model.recipient import Recipient
from gm.game.model.records import GameState, Seat
from gm.language.rendering.views import BulletsView, SectionView


def choices_by_power(store: Store, poll: Poll, seats: Iterable[Seat]) -> dict[str, str]:
    """The choice of each power's current player; votes of former players do not count."""
    held = {seat.power: seat.person for seat in seats if seat.person is not None}
    votes = store.polls.poll_votes(poll.id)
    return {vote.power: vote.choice for vote in votes if vote.choice and held.get(vote.power) == vote.person}


def sections(reader: Recipient) -> tuple[SectionView, ...]:
    """The open polls, each with the reader's own vote."""
    if reader.game.state is not GameState.RUNNING:
        return ()
    seats = (reader.seat,) if reader.power else ()
    items = tuple(
        reader.say(
            "poll.open" if not mine else "poll.voted",
            number=poll.number,
            text=_plain(poll.text),
            how=reader.either(poll.options),
            when=reader.hour(poll.ends_at),
            choice=mine,
        )
        for poll in reader.store.polls.of(reader.game.id)
        if poll.closed_at is None
        for mine in (choices_by_power(reader.store, poll, seats).get(reader.seat.power, ""),)
    )
    return (SectionView(reader.say("poll.title"), (BulletsView(items),)),) if items else ()


def _plain(text: str) -> str:
    """Remove emphasis and line breaks from a player's text."""
    return " ".join(text.replace("*", "").split())
