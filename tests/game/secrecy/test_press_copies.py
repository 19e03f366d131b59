"""With `press_copy gm` letters go to their readers and to the game master, and nobody else learns of them."""

from __future__ import annotations

from datetime import timedelta

import pytest
from support.twin_games import GAME, MASTERS, OBSERVER, Stage, Twins, blotted

from gm.game.model.records import MASTER
from gm.game.model.services import Services
from gm.judge.model.variant import Variant
from gm.variant_files.library import Library

IN_THE_KNOW = ("France", "Germany")
SECRET = "PRESS TO Germany\nzq0001x the Tsar sleeps.\nENDPRESS"


@pytest.fixture(scope="module")
def variant(library: Library) -> Variant:
    return library.variant("standard")


def letters(services: Services, variant: Variant, words: str, settings: str) -> dict[str, list[object]]:
    """Everybody's letters of a game in which France writes these words besides."""
    run = Stage(services)
    seats = "\n".join(f"SEAT {power.name}: {power.name} P <{Twins.address(power.name)}>" for power in variant.powers)
    run.write(MASTERS, "gm@gm.example", f"CREATE {GAME} {variant.id}\nzone: UTC\n{settings}\n{seats}\nSTART")
    run.write(MASTERS, "gm@gm.example", f"CREATE calais standard\nSEAT France: Olga Vis <{OBSERVER}>")
    run.write(OBSERVER, "gm@gm.example", f"OBSERVE {GAME} as Vigo")

    def say(power: str, text: str) -> None:
        run.write(MASTERS if power == MASTER else Twins.address(power), run.seat_address(power), text)
        run.go_to(run.now() + timedelta(minutes=16))
        run.settle()

    say("France", f"A Par H\n{words}")
    say("Austria", "MAIL digest daily")
    say("Italy", "PRESS TO Russia\nAnything new?\nENDPRESS\nPRESS LOG\nSTATUS\nWHO")
    say("Austria", "PRESS LOG\nHISTORY\nSETTINGS")
    run.write(OBSERVER, "gm@gm.example", "STATUS\nPRESS LOG", subject=f"[{GAME}]")
    run.settle()
    say(MASTER, "ANNOUNCE\nOne letter a day.\nEND\nPROCESS")
    run.go_to(run.now() + timedelta(days=1))
    run.settle()
    return {
        who: [(blotted(part) if isinstance(part, str) else part) for letter in sent for part in letter.seen()]
        for who, sent in run.recorder.sent.items()
    }


@pytest.mark.parametrize(
    "settings", ["press_copy: gm", "press_copy: gm\nanonymous: yes", "press_copy: gm\npress: grey"]
)
def test_nobody_learns_of_the_letters_of_others(services: Services, variant: Variant, settings: str) -> None:
    silent, writing = (letters(services, variant, words, settings) for words in ("HELP", SECRET))
    known = {Twins.address(power) for power in IN_THE_KNOW} | {MASTERS}
    assert {who: seen for who, seen in silent.items() if who not in known} == {
        who: seen for who, seen in writing.items() if who not in known
    }
    assert "zq0001x" in str(writing[MASTERS])
    assert "zq0001x" not in str(silent[MASTERS])
    assert "collected since the last digest" in str(writing[Twins.address("Austria")])
