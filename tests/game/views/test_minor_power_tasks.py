"""What a controller without units of their own reads about the minor powers they control."""

from __future__ import annotations

import re

from support.twin_games import GAME, MASTERS, Stage, blank

from gm.game.model.records import MASTER
from gm.game.model.services import Services


def test_the_tasks_of_minor_powers_appear_once(services: Services) -> None:
    stage = Stage(services, blank)
    powers = ("England", "France", "Germany", "Italy", "Russia")
    seats = "\n".join(f"SEAT {power}: {power} Player <{power.lower()}@example.org>" for power in powers)
    stage.write(MASTERS, "gm@gm.example", f"CREATE {GAME} europe-1933\n{seats}\nSTART")
    stage.write(MASTERS, stage.seat_address(MASTER), "SETUP\nKILL A Par\nKILL A Mar\nKILL F Bre\nKILL F Alg\nEND")
    code = re.search(r"CONFIRM ([A-Z0-9]{8})", stage.recorder.sent[MASTERS][-1].text())
    assert code is not None
    stage.write(MASTERS, stage.seat_address(MASTER), f"CONFIRM {code[1]}")
    for power in powers:
        bid = "bid Spain 5" if power == "France" else "bid none"
        stage.write(f"{power.lower()}@example.org", stage.seat_address(power), bid)
    assert stage.game().phase == "S1933M"
    text = stage.recorder.sent["france@example.org"][-1].row.letter.text
    assert text.count("ORDERS FOR SPAIN") == text.count("Letters to Spain come to you") == 1
