"""A record tells nobody who plays what in an anonymous game that still runs, and all the same counts there."""

from __future__ import annotations

from datetime import timedelta

import pytest
from support.twin_games import GAME, Stage, Twins

from gm.game.model.conduct_records import PlayingRecord
from gm.game.model.records import MASTER
from gm.game.model.services import Services
from gm.game.phase import conduct
from gm.judge.model.variant import Variant
from gm.variant_files.library import Library

LUC, TOM = "luc@example.org", "tom@example.org"
RUTH = "ruth@example.org"


@pytest.fixture(scope="module")
def variant(library: Library) -> Variant:
    return library.variant("standard")


def a_game(services: Services, variant: Variant, seats: dict[str, str]) -> Stage:
    """France sends no orders; then Luc and Tom ask for seats in another game, whose master reads of their records."""
    run = Stage(services)
    lines = (f"SEAT {power.name}: X <{seats.get(power.name, Twins.address(power.name))}>" for power in variant.powers)
    head = f"CREATE {GAME} standard\nanonymous: yes\nzone: UTC\nmoves: 24 h\nreminder: no"
    run.write(RUTH, "gm@gm.example", "\n".join((head, *lines, "START")))
    for power in variant.powers:
        if power.name != "France":
            run.write(seats.get(power.name, Twins.address(power.name)), run.seat_address(power.name), "HOLD ALL\nREADY")
    run.go_to(run.now() + timedelta(hours=25))
    run.settle()
    run.write(RUTH, "gm@gm.example", "CREATE calais standard\nreliability: 90 %")
    for address in (LUC, TOM):
        run.write(address, "gm@gm.example", "JOIN calais")
    run.settle()
    return run


def record_of(run: Stage, address: str) -> PlayingRecord:
    with run.transaction() as store:
        person = store.people.by_address(address)
        assert person is not None
        return PlayingRecord.of(store.conduct.of(person.id))


def test_who_missed_a_deadline_in_an_anonymous_game_does_not_show(services: Services, variant: Variant) -> None:
    first_run, second_run = (
        a_game(services, variant, {"France": first, "Germany": second}) for first, second in ((LUC, TOM), (TOM, LUC))
    )
    assert [record_of(first_run, LUC).missed, record_of(first_run, TOM).missed] == [1, 0]
    assert [record_of(second_run, LUC).missed, record_of(second_run, TOM).missed] == [0, 1]
    texts = [
        [sent.row.letter.text for sent in run.recorder.sent[RUTH] if "calais" in sent.row.letter.subject]
        for run in (first_run, second_run)
    ]
    assert any("asks to play" in text for text in texts[0])
    assert [text.split("Ref:")[0] for text in texts[0]] == [text.split("Ref:")[0] for text in texts[1]]
    assert MASTER not in texts[0]


def test_it_counts_for_others_when_the_game_is_over(services: Services, variant: Variant) -> None:
    run = a_game(services, variant, {"France": LUC, "Germany": TOM})
    run.write(RUTH, run.seat_address(MASTER), "CLOSE DRAW")
    run.settle()
    with run.transaction() as store:
        person = store.people.by_address(LUC)
        assert person is not None
        assert conduct.record_for_others(services, store, person.id) == PlayingRecord.of(store.conduct.of(person.id))
        assert PlayingRecord.of(store.conduct.of(person.id)) == PlayingRecord(owed=1, missed=1, finished=1)
