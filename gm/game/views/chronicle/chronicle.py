"""`Chronicle`: a finished game as one value, from which the letter, the page of the site and the file are made.

It is made from what an observer may know of the finished game, so that a part of it is secret from nobody who gets it.
What the settings do not open is not in it: the names of players of a game that stays anonymous, notebooks, press,
events that were secret.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from msgspec import Struct

from gm.game.model.observer_records import NotebookEntry
from gm.game.model.recipient import Recipient
from gm.game.model.records import MASTER, PressRow
from gm.game.views.chronicle import scores, turning_points
from gm.game.views.chronicle.centre_history import CentreHistory, centre_history
from gm.game.views.chronicle.turning_points import Gain, Stab
from gm.game.views.maps import snapshots_back
from gm.game.views.turn_events import StepView, TurnView
from gm.judge.model.position import Position
from gm.language.rendering import plain_text


class PowerRecord(Struct, frozen=True):
    """A power's line of the final table. `player` is "" where nobody may know, or nobody played it."""

    power: str
    player: str
    centres: int
    eliminated: int
    score: Fraction | None
    won: bool


class Chronicle(Struct, frozen=True):
    """`final` is the position at the end. `secrets` are events that were secret and that the settings open, by phase.

    `notebooks` and `press` are those that the settings open.
    """

    game: str
    variant: str
    final: Position
    history: CentreHistory
    powers: tuple[PowerRecord, ...]
    stabs: tuple[Stab, ...]
    gains: tuple[Gain, ...]
    secrets: tuple[StepView, ...]
    notebooks: tuple[NotebookEntry, ...] = ()
    press: tuple[PressRow, ...] = ()


def chronicle_of(reader: Recipient) -> Chronicle:
    """The chronicle of a finished game, in the same words for every reader."""
    witness = Recipient.observing(reader.services, reader.store, reader.game, reader.person)
    snapshots = tuple(reversed(snapshots_back(reader.store, reader.game)))
    scenes = tuple(TurnView.of(witness, snapshot) for snapshot in snapshots)
    history, final = centre_history(reader.variant, snapshots), scenes[-1].after
    return Chronicle(
        game=reader.game.name,
        variant=reader.variant.title,
        final=final,
        history=history,
        powers=_powers(witness, final, history),
        stabs=turning_points.stabs(scenes),
        gains=turning_points.gains(history, scenes),
        secrets=tuple(_opened_events(scenes)),
        notebooks=_opened_notebooks(witness),
    )


def _powers(reader: Recipient, final: Position, history: CentreHistory) -> tuple[PowerRecord, ...]:
    """The winners first, then by centres, then by the year of elimination."""
    points, players = scores.scores_of(reader, final), player_names(reader)
    winners = final.ended.winners if final.ended is not None else ()
    records = [
        PowerRecord(
            power,
            players.get(power, ""),
            len(final.centres_of(power)),
            history.eliminated(power),
            points.get(power),
            power in winners,
        )
        for power in reader.variant.seated
    ]
    return tuple(sorted(records, key=lambda row: (not row.won, -row.centres, -(row.eliminated or 1 << 16), row.power)))


def player_names(reader: Recipient) -> Mapping[str, str]:
    """Who plays each power; empty while nobody may know."""
    if reader.anonymous:
        return {}
    return {
        seat.power: plain_text.header(reader.store.people.get(seat.person).name, 60)
        for seat in reader.store.games.seats(reader.game.id)
        if seat.person is not None and seat.power != MASTER
    }


def _opened_events(scenes: Iterable[TurnView]) -> Iterable[StepView]:
    """What was secret when it happened, and is shown to everybody now."""
    for scene in scenes:
        for leg in scene.legs:
            opened = tuple(event for event in leg.events if event.audience is not None)
            if opened:
                yield StepView(leg.phase or scene.snapshot.resolved, opened)


def _opened_notebooks(reader: Recipient) -> tuple[NotebookEntry, ...]:
    if not reader.settings.diaries:
        return ()
    return tuple(entry for entry in reader.store.observers.notebook(reader.game.id) if entry.opens and entry.words)
