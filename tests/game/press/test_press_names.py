"""A press in which one power also writes and reads under another name, unknown to the others."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from support.twin_games import GAME, MASTERS, Stage, Twins

from gm.game.model.press_journal import channel_name
from gm.game.model.services import Services
from gm.judge.model.position import Position
from gm.judge.model.press import MessageHeader
from gm.judge.model.variant import Press, Variant

HELD, HOLDER = "Turkey", "Germany"


class Puppet(Press, frozen=True):
    """Whoever writes to one power is read by another as well, who answers in its name."""

    def names(self, position: Position, variant: Variant, power: str) -> tuple[str, ...]:
        return (power, HELD) if power == HOLDER else (power,)

    def readers(self, position: Position, variant: Variant, name: str) -> frozenset[str]:
        return frozenset({HOLDER} if name == HELD else {name})


@pytest.fixture
def stage(services: Services) -> Stage:
    standard = replace(services.variant("standard", {}), press=Puppet())
    played = Stage(replace(services, variant=lambda name, options: standard))
    seats = "\n".join(
        f"SEAT {power.name}: {power.name} Player <{Twins.address(power.name)}>" for power in standard.powers
    )
    played.write(MASTERS, "gm@gm.example", f"CREATE {GAME} standard\nzone: UTC\nmoves: 24 h\n{seats}\nSTART")
    return played


def newest(stage: Stage, power: str):  # type: ignore[no-untyped-def]
    return stage.recorder.sent[Twins.address(power)][-1].row.letter


def test_a_reply_to_press_for_a_name_is_sent_under_that_name(stage: Stage) -> None:
    stage.write(Twins.address("France"), stage.seat_address("France"), f"PRESS TO {HELD}, Italy\nHello.\nENDPRESS")
    got = newest(stage, HOLDER)
    assert got.channel == f"France-Italy-{HELD} as {HELD}"
    assert f"you ({HELD})" in " ".join(got.text.split())
    assert newest(stage, "Italy").channel == f"France-Italy-{HELD}"
    answer = f"Hello to you.\n\nRef: {GAME} press {got.channel} {stage.services.post.token(_seat(stage, HOLDER))}"
    stage.write(Twins.address(HOLDER), stage.seat_address(HOLDER), answer, subject=f"Re: {got.subject}")
    for reader in ("France", "Italy"):
        letter = newest(stage, reader)
        assert letter.from_name.startswith(HELD)
        assert letter.channel == f"France-Italy-{HELD}"
        assert HOLDER not in letter.text + letter.html + letter.subject
    assert "Hello to you." not in newest(stage, HELD).text


def _seat(stage: Stage, power: str):  # type: ignore[no-untyped-def]
    with stage.transaction() as store:
        return next(seat for seat in store.games.seats(stage.game_id(store)) if seat.power == power)


def test_nobody_else_answers_in_that_channel(stage: Stage) -> None:
    stage.write(Twins.address("France"), stage.seat_address("France"), f"PRESS TO {HELD}\nHello.\nENDPRESS")
    token = stage.services.post.token(_seat(stage, "Italy"))
    forged = f"Let me in.\n\nRef: {GAME} press France-{HELD} as {HELD} {token}"
    stage.write(Twins.address("Italy"), stage.seat_address("Italy"), forged)
    assert f"You do not write for {HELD} now" in newest(stage, "Italy").text
    assert "Let me in" not in newest(stage, "France").text


def test_channels_are_named_by_who_is_seen() -> None:
    header = MessageHeader("France", ("Poland", "Italy"))
    assert channel_name(header, "Italy", "Italy") == "France-Italy-Poland"
    assert channel_name(header, "Poland", "Germany") == "France-Italy-Poland as Poland"
