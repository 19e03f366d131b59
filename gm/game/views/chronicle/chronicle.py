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
from gm.game.model.statement_records import EndStatement
from gm.game.views.chronicle import scores, turning_points
from gm.game.views.chronicle.centre_history import CentreHistory, centre_history
from gm.game.views.chronicle.turning_points import Gain, Stab
from gm.game.views.maps import snapshots_back
from gm.game.views.turns.turn_events import StepView, TurnView
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
    """`secrets` are events that were secret and that the settings open, by phase.

    `notebooks` and `press` are those that the settings open, `statements` those that have gone out. `players` are the
    names that everybody may know, by power.
    """

    history: CentreHistory
    players: Mapping[str, str]
    powers: tuple[PowerRecord, ...]
    stabs: tuple[Stab, ...]
    gains: tuple[Gain, ...]
    secrets: tuple[StepView, ...]
    notebooks: tuple[NotebookEntry, ...] = ()
    press: tuple[PressRow, ...] = ()
    statements: tuple[EndStatement, ...] = ()


def chronicle_of(reader: Recipient, *, named: bool = True) -> Chronicle:
    """The chronicle of a finished game, the same for every reader. `named` False: without the players' names."""
    witness = Recipient.observing(reader.services, reader.store, reader.game, reader.person)
    snapshots = tuple(reversed(snapshots_back(reader.store, reader.game)))
    scenes = tuple(TurnView.of(witness, snapshot) for snapshot in snapshots)
    players = player_names(witness) if named else {}
    history, final = centre_history(reader.variant, snapshots), scenes[-1].after
    return Chronicle(
        history=history,
        players=players,
        powers=_powers(witness, final, history, players),
        stabs=turning_points.stabs(scenes),
        gains=turning_points.gains(history, scenes),
        secrets=tuple(_opened_events(scenes)),
        notebooks=_opened_notebooks(witness),
        press=_opened_press(witness),
        statements=_sent_statements(witness),
    )


def _powers(
    reader: Recipient, final: Position, history: CentreHistory, players: Mapping[str, str]
) -> tuple[PowerRecord, ...]:
    """The winners first, then by centres, then by the year of elimination."""
    points = scores.scores_of(reader, final)
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


def _opened_press(reader: Recipient) -> tuple[PressRow, ...]:
    """Press that was written while the game said that it opens it, signed as it was then; none to game masters."""
    if not reader.settings.press_opened:
        return ()
    rows = reader.store.turns.press(reader.game.id)
    return tuple(row for row in rows if row.opens and row.held_until is None and MASTER not in (row.sender, *row.to))


def _sent_statements(reader: Recipient) -> tuple[EndStatement, ...]:
    statement_round = reader.store.statements.round(reader.game.id)
    closed = statement_round is not None and statement_round.closed_at is not None
    return reader.store.statements.of(reader.game.id) if closed else ()
