"""Phases and deadlines to come, as the results announce them, compared with those that the clock then opens.

Two game years of each variant by random orders; every phase lasts until its deadline.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random

import pytest
from support import scripted_players as player
from support.twin_games import GAME, MASTERS, Stage, Twins, blank

from gm.game.model.recipient import Recipient
from gm.game.model.records import MASTER, GameState
from gm.game.model.services import Services
from gm.game.views.orders.what_to_do import phases_and_deadlines
from gm.judge.model.calendar import adjustments_are_sure
from gm.judge.model.variant import Variant
from gm.language.rendering import order_text
from gm.variant_files.library import Library

PHASES = 14
HOURS = "zone: UTC\nmoves: every 3 days at 09:00\nretreats: 12 h\nbuilds: 13 h\nreminder: no\nwait_policy: deadline"
Phases = list[tuple[str, "datetime | None"]]


@pytest.mark.parametrize(
    ("variant", "chosen"),
    [
        ("standard", {}),
        ("youngstown", {}),
        ("locarno", {}),
        ("europe-1933", {}),
        ("fin-de-siecle", {}),
        ("seismic", {}),
        ("seismic", {"seismic_collect": "with-moves"}),
    ],
)
def test_announced_phases_come(services: Services, library: Library, variant: str, chosen: dict[str, str]) -> None:
    stage = Stage(services, blank)
    rules = library.variant(variant, chosen)
    seats = [f"SEAT {power.name}: {power.name} <{Twins.address(power.name)}>" for power in rules.powers]
    lines = [f"CREATE {GAME} {variant}", HOURS, *(f"{key}: {value}" for key, value in chosen.items()), *seats, "START"]
    stage.write(MASTERS, "gm@gm.example", "\n".join(lines))
    happened, announced = _play(stage, rules, Random(3))
    for at, ways in enumerate(announced):
        assert any(phases == happened[at : at + len(phases)] for phases in ways), (ways, happened[at : at + 4])


def _play(stage: Stage, variant: Variant, dice: Random) -> tuple[Phases, list[list[Phases]]]:
    """The phases that opened, and what was announced when each opened; those that the last ones announce came too."""
    happened: Phases = []
    announced: list[list[Phases]] = []
    while stage.game().state is GameState.RUNNING and len(happened) < PHASES:
        game, position = stage.game(), stage.position(variant)
        happened.append((game.phase, game.due_at))
        announced.append(_announced(stage, variant))
        letter = variant.step(position).letter
        book = player.orders(variant, position, dice)
        for power in [country.name for country in variant.powers]:
            words = [order_text.statement(entry.statement, letter=letter) for entry in book.entries(power)]
            if words:
                stage.write(Twins.address(power), stage.seat_address(power), "\n".join(words))
        assert game.due_at is not None
        stage.go_to(max(game.due_at, stage.now() + timedelta(minutes=1)))
        stage.settle()
    whole = [ways for at, ways in enumerate(announced) if at + len(ways[0]) <= len(happened)]
    return happened, whole


def _announced(stage: Stage, variant: Variant) -> list[Phases]:
    """With builds; without them too, where it is not sure that anybody has some."""
    game, position = stage.game(), stage.position(variant)
    with stage.transaction() as store:
        seat = next(seat for seat in store.games.seats(game.id) if seat.power == MASTER)
        reader = Recipient.of(stage.services, store, game, seat)
        ways = (True,) if adjustments_are_sure(variant, position) else (True, False)
        return [list(phases_and_deadlines(reader, position, adjusting=adjusting)) for adjusting in ways]
