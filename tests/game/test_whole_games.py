"""Whole random games by letters come to an end: of seven players with points and a power given up; of five who bid for
minor powers and write their orders in the same letters.
"""

from __future__ import annotations

from datetime import timedelta
from random import Random

import pytest
from support import scripted_players as player
from support.twin_games import GAME, MASTERS, Stage, Twins, blank

from gm.game.model.records import MASTER, GameState
from gm.game.model.services import Services
from gm.game.phase.draw_votes import may_vote
from gm.language.rendering import order_text
from gm.variant_files.library import Library

YEARS = 5


@pytest.mark.parametrize("seed", [1, 2])
def test_seven_players_play_to_an_end(services: Services, library: Library, seed: int) -> None:
    variant, dice = library.variant("locarno"), Random(seed)
    stage = Stage(services, blank)
    seats = "\n".join(
        f"SEAT {country.name}: {country.name} <{Twins.address(country.name)}>" for country in variant.powers
    )
    hours = "zone: UTC\nmoves: 24 h\nretreats: 12 h\nbuilds: 12 h"
    stage.write(MASTERS, "gm@gm.example", f"CREATE {GAME} {variant.id}\n{hours}\n{seats}\nSTART")
    fallen = ""
    while stage.game().state is GameState.RUNNING:
        position = stage.position(variant)
        if position.year > variant.start.year and not fallen:
            fallen = dice.choice(variant.powers).name
            stage.write(MASTERS, stage.seat_address(MASTER), f"CIVIL DISORDER {fallen}")
            position = stage.position(variant)
            assert position.collapsed(fallen)
        over = position.year >= variant.start.year + YEARS
        letter = variant.step(position).letter
        book = player.orders(variant, position, dice)
        for power in [country.name for country in variant.powers if may_vote(position, country.name)]:
            lines = [order_text.statement(entry.statement, letter=letter) for entry in book.entries(power)]
            words = "\n".join([*lines, *(["VOTE DRAW OR END"] if over else [])])
            if words and stage.game().state is GameState.RUNNING:
                stage.write(Twins.address(power), stage.seat_address(power), words)
        due = stage.game().due_at
        if due is not None and stage.game().state is GameState.RUNNING:
            stage.go_to(max(due, stage.now() + timedelta(minutes=1)))
            stage.settle()
    ended = stage.position(variant).ended
    assert ended is not None
    assert ended.why in ("draw", "solo")
    for country in variant.powers:
        last = stage.recorder.sent[Twins.address(country.name)][-1].row.letter
        assert "over" in last.subject or "voted" in last.text, last.text


@pytest.mark.parametrize("hidden", ["off", "on"])
def test_five_players_bid_and_play_to_an_end(services: Services, library: Library, hidden: str) -> None:
    variant, dice = library.variant("europe-1933", {"hidden_control": hidden}), Random(7)
    stage = Stage(services, blank)
    seats = "\n".join(
        f"SEAT {country.name}: {country.name} <{Twins.address(country.name)}>" for country in variant.powers
    )
    hours = f"zone: UTC\nmoves: 24 h\nretreats: 12 h\nbuilds: 12 h\nhidden_control: {hidden}"
    stage.write(MASTERS, "gm@gm.example", f"CREATE {GAME} {variant.id}\n{hours}\n{seats}\nSTART")
    commanded = 0
    while stage.game().state is GameState.RUNNING:
        position = stage.position(variant)
        over = position.year >= variant.start.year + YEARS
        letter = variant.step(position).letter
        book = player.orders(variant, position, dice)
        for power in [country.name for country in variant.powers if may_vote(position, country.name)]:
            words = [order_text.statement(entry.statement, letter=letter) for entry in book.entries(power)]
            for (author, ward), sheet in book.sheets.items():
                if author == power != ward:
                    words += [f"{ward}:", *(order_text.statement(entry.statement, letter=letter) for entry in sheet)]
                    commanded += len(sheet)
            words += ["VOTE DRAW OR END"] if over else []
            if words and stage.game().state is GameState.RUNNING:
                stage.write(Twins.address(power), stage.seat_address(power), "\n".join(words))
        due = stage.game().due_at
        if due is not None and stage.game().state is GameState.RUNNING:
            stage.go_to(max(due, stage.now() + timedelta(minutes=1)))
            stage.settle()
    ended = stage.position(variant).ended
    assert ended is not None
    assert ended.why in ("draw", "solo", "influence")
    assert commanded > YEARS
    answers = [sent.row.letter for sents in stage.recorder.sent.values() for sent in sents]
    refusals = ("is not a province", "cannot read it")
    assert not [answer.text for answer in answers if any(words in answer.text for words in refusals)]
