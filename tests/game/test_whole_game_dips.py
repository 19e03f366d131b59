"""Fourteen countries write random orders, dips and messages for 42 turns, till the last year is over or one has won."""

from __future__ import annotations

from datetime import timedelta
from random import Random

from support import scripted_players as player
from support.twin_games import GAME, MASTERS, Stage, Twins, blank

from gm.game.model.records import GameState
from gm.game.model.services import Services
from gm.language.rendering import order_text
from gm.variant_files.library import Library

TURNS = 42


def test_fourteen_countries_reach_the_last_year(services: Services, library: Library) -> None:
    variant, dice = library.variant("fin-de-siecle"), Random(5)
    stage = Stage(services, blank)
    seats = "\n".join(
        f"SEAT {country.name}: {country.name} <{Twins.address(country.name)}>" for country in variant.powers
    )
    hours = "zone: UTC\nmoves: 24 h\nretreats: 12 h\nbuilds: 12 h\nreminder: no"
    stage.write(MASTERS, "gm@gm.example", f"CREATE {GAME} {variant.id}\n{hours}\n{seats}\nSTART")
    turns = 0
    while stage.game().state is GameState.RUNNING:
        position, phase = stage.position(variant), stage.game().phase
        letter = variant.step(position).letter
        turns += letter == "M"
        book = player.orders(variant, position, dice)
        for power in dice.sample(
            [country.name for country in variant.powers], 3 if letter == "M" else len(variant.powers)
        ):
            lines = [order_text.statement(entry.statement, letter=letter) for entry in book.entries(power)]
            if letter == "M" and dice.random() < 0.3:
                to = dice.choice([country.name for country in variant.powers if country.name != power])
                lines.append(f"message {to}: Shall we?")
            if lines and stage.game().state is GameState.RUNNING:
                stage.write(Twins.address(power), stage.seat_address(power), "\n".join(lines))
        game = stage.game()
        if game.due_at is not None and game.phase == phase:  # else everybody's retreats or builds were in
            stage.go_to(max(game.due_at, stage.now() + timedelta(minutes=1)))
            stage.settle()
    assert stage.shunted() == []
    ended = stage.position(variant).ended
    assert ended is not None
    assert ended.why in ("time-up", "solo")
    assert turns == TURNS or ended.why == "solo"
    for country in variant.powers:
        last = stage.recorder.sent[Twins.address(country.name)][-1].row.letter
        assert "over" in last.subject, last.text
