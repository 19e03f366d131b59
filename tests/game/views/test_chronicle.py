"""What a chronicle makes of a game's history: centres by year, eliminations, stabs, gains."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from msgspec.structs import replace
from support.standard_game import Letterbox

from gm.game.model.recipient import Recipient
from gm.game.model.records import GameState
from gm.game.views.chronicle import sections
from gm.game.views.chronicle.chronicle import Chronicle, chronicle_of
from gm.judge.model.position import Ending, Position
from gm.language.formats.stored_values import position_from_text

Orders = Mapping[str, str]


def chronicle_after(box: Letterbox, *phases: Orders, winners: tuple[str, ...] = ("France",)) -> Chronicle:
    """The chronicle of a game with these orders in its movement phases, ended after the last."""
    position = replace(
        box.position(
            {"France": "A Bur, A Par", "Germany": "A Mun, A Kie", "Italy": "A Tyr"},
            {"France": "Par Mar Bre", "Germany": "Mun Kie Ber", "Italy": "Ven"},
            "S1901M",
        ),
        before={},
    )
    box.enter(position, None)
    for orders in phases:
        while box.variant.step(position).letter != "M":
            box.resolve(position, box.book(position, {}), None, previous=box.last)
            position = _now(box)
        box.resolve(position, box.book(position, orders), None, previous=box.last)
        position = _now(box)
    box.enter(replace(position, ended=Ending(winners, "draw")), None, previous=box.last)
    box.game = replace(box.game, state=GameState.ENDED, phase="")
    box.store.games.save(box.game)
    return chronicle_of(reader(box))


def _now(box: Letterbox) -> Position:
    return position_from_text(box.store.turns.snapshot(box.last).position, box.variant)


def reader(box: Letterbox) -> Recipient:
    return Recipient.of(box.services, box.store, box.game, box.seats["France"])


@pytest.fixture
def box() -> Letterbox:
    return Letterbox()


SUPPORT = {"France": "A Bur S A Mun; A Par H", "Germany": "A Mun H; A Kie H", "Italy": "A Tyr H"}
HOLD = {"France": "A Bur H; A Par H", "Germany": "A Mun H; A Kie H", "Italy": "A Tyr H"}
ATTACK = {"France": "A Bur - Mun; A Par H", "Germany": "A Mun H; A Kie H", "Italy": "A Tyr S A Bur - Mun"}


def test_an_attack_on_whom_the_unit_supported_the_year_before_is_a_stab(box: Letterbox) -> None:
    chronicle = chronicle_after(box, HOLD, SUPPORT, ATTACK)
    stab = chronicle.stabs[0]
    assert (stab.phase, str(stab.unit.at.province), stab.victim, stab.place, stab.supported, stab.won) == (
        "S1902M", "Bur", "Germany", "Mun", "F1901M", True,
    )  # fmt: skip
    words = sections.turning_point_sections(reader(box), chronicle)[0].blocks[0]
    assert (
        "Spring 1902: France's A Bur attacked Germany and took Munich. In Fall 1901 it had supported Germany."
        in str(words)
    )


def test_a_unit_is_followed_where_it_goes(box: Letterbox) -> None:
    moved = {"France": "A Bur S A Mun; A Par H", "Germany": "A Mun H; A Kie - Ruh", "Italy": "A Tyr H"}
    away = {"France": "A Bur - Bel; A Par - Bur", "Germany": "A Mun H; A Ruh H", "Italy": "A Tyr H"}
    attack = {"France": "A Bel - Ruh; A Bur - Mun", "Germany": "A Mun H; A Ruh H", "Italy": "A Tyr H"}
    chronicle = chronicle_after(box, HOLD, moved, away, attack)
    assert [(stab.phase, stab.unit.at.province, stab.won) for stab in chronicle.stabs] == [("F1902M", "Bel", False)]


def test_an_attack_without_that_support_is_none(box: Letterbox) -> None:
    assert chronicle_after(box, HOLD, HOLD, ATTACK).stabs == ()
    assert chronicle_after(Letterbox(), SUPPORT, ATTACK).stabs == (), "the same year"
    assert chronicle_after(Letterbox(), SUPPORT, HOLD, HOLD, HOLD, ATTACK).stabs == (), "two years before"


def test_centres_by_year_gains_and_who_is_out(box: Letterbox) -> None:
    spring = {"France": "A Bur - Mun; A Par - Pic", "Germany": "A Mun - Ber; A Kie - Den", "Italy": "A Tyr - Ven"}
    fall = {"France": "A Mun H; A Pic - Bel", "Germany": "A Ber H; A Den H", "Italy": "A Ven - Apu"}
    chronicle = chronicle_after(box, spring, fall, winners=("France", "Germany"))
    assert chronicle.history.years == (1901,)
    assert dict(chronicle.history.counts) == {"France": (3, 5), "Germany": (3, 3), "Italy": (1, 1)}
    assert [(gain.year, gain.power, gain.before, gain.after, gain.taken) for gain in chronicle.gains] == [
        (1901, "France", 3, 5, ("Bel", "Mun"))
    ]
    taken = {"France": "A Mun - Tyr; A Bel H", "Germany": "A Ber H; A Den H", "Italy": "A Apu - Rom"}
    gone = {"France": "A Tyr - Ven; A Bel H", "Germany": "A Ber H; A Den H", "Italy": "A Rom - Tus"}
    out = chronicle_after(Letterbox(), spring, fall, taken, gone)
    assert {row.power: row.eliminated for row in out.powers if row.eliminated} == {"Italy": 1902}
    assert [row.power for row in out.powers][:2] == ["France", "Germany"]


def test_powers_that_never_had_a_centre_are_not_listed_as_eliminated(box: Letterbox) -> None:
    assert {row.power: row.eliminated for row in chronicle_after(box, HOLD).powers}["Turkey"] == 0
