"""A letter with a line that was refused or not understood ends no phase: every kind of sheet, in random games."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from random import Random

import pytest
from support import scripted_players as player
from support.twin_games import GAME, MASTERS, Stage, blank

from gm.game.model.records import GameState
from gm.game.model.services import Services
from gm.judge.model.sheets import Submissions
from gm.judge.model.variant import Variant
from gm.language.rendering import order_text

BAD_LINES = {
    "B": ("bid Poland 1 support {power}", "bid Polnad 3"),
    "S": ("Pic & Xyz separate, ENG & Bur connect",),
    "U": ("A MAO", "A Xyz - Qqq"),
}
"""By the last letter of a phase: lines that its step refuses, or that nobody understands."""
USUAL_BAD_LINES = ("A Xyz - Qqq",)
NOTHING = {"B": "bid none", "S": "seismic none"}
"""By the last letter of a phase: a sheet that is complete with nothing on it."""
PHASES = 14
GAMES = {
    "standard": "MA",
    "locarno": "MA",
    "europe-1933": "BMA",
    "seismic": "SM",
    "fin-de-siecle": "MA",
    "youngstown": "MA",
}
"""The kinds of phases that such a letter must have kept open, by variant."""


@pytest.mark.parametrize("variant_id", GAMES)
def test_a_letter_with_open_lines_ends_no_phase(variant_id: str, services: Services) -> None:
    stage, variant, dice = Stage(services, blank), services.variant(variant_id, {}), Random(7)
    seats = "\n".join(f"SEAT {power.name}: {power.name} Player <{_address(power.name)}>" for power in variant.powers)
    settings = "zone: UTC\nmoves: 24 h\nretreats: 12 h\nbuilds: 12 h"
    stage.write(MASTERS, "gm@gm.example", f"CREATE {GAME} {variant_id}\n{settings}\n{seats}\nSTART")
    kept_open = Counter[str]()
    for _ in range(PHASES):
        if stage.game().state is GameState.RUNNING:
            kept_open += _play_phase(stage, variant, dice)
    assert set(GAMES[variant_id]) <= set(kept_open), kept_open


def _play_phase(stage: Stage, variant: Variant, dice: Random) -> Counter[str]:
    """Play the open phase; its kind, if a bad letter was the last to be complete, and READY ended the phase."""
    position, phase = stage.position(variant), stage.game().phase
    step, book = variant.step(position), player.orders(variant, position, dice)
    powers = [power.name for power in variant.powers]
    dice.shuffle(powers)
    powers.sort(key=lambda power: power in step.due(position, variant))
    for power in powers[:-1]:
        _write(stage, power, *_lines(book, step.letter, power))
        _write(stage, power, "READY")
    if stage.game().phase != phase:
        return Counter()
    last = powers[-1]
    bad = dice.choice(BAD_LINES.get(step.letter, USUAL_BAD_LINES)).format(power=last)
    _write(stage, last, *_lines(book, step.letter, last), bad, "READY")
    assert stage.game().phase == phase, f"{phase} has ended in spite of {bad!r}"
    _write(stage, last, "READY")
    if stage.game().phase != phase:
        return Counter(step.letter)
    due = stage.game().due_at
    assert due is not None
    stage.go_to(max(due, stage.now()) + timedelta(minutes=1))
    stage.settle()
    return Counter()


def _write(stage: Stage, power: str, *lines: str) -> None:
    stage.write(_address(power), stage.seat_address(power), "\n".join(lines))


def _address(power: str) -> str:
    return f"{power.lower().replace(' ', '-')}@example.org"


def _lines(book: Submissions, letter: str, author: str) -> list[str]:
    """The author's own orders, then those for each minor power below its name."""
    lines = [order_text.statement(entry.statement, letter) for entry in book.entries(author)]
    lines = lines or [NOTHING.get(letter, "")]
    for (writer, owner), entries in book.sheets.items():
        if writer == author != owner:
            lines += [f"{owner}:", *(order_text.statement(entry.statement, letter) for entry in entries)]
    return lines
