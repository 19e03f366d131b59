"""The table of supply centres in results letters, also before the retreats of a Fall."""

from __future__ import annotations

from datetime import UTC, datetime

from support.standard_game import Letterbox

from gm.game.letters import results
from gm.game.model.records import OutLetter

SUNDAY = datetime(2026, 3, 15, 19, tzinfo=UTC)


def _letter(
    units: dict[str, str], centres: dict[str, str], orders: dict[str, str], power: str, phase: str = "F1902M"
) -> OutLetter:
    box = Letterbox()
    before = box.position(units, centres, phase)
    opening = box.enter(before, SUNDAY)
    snapshot = box.resolve(before, box.book(before, orders), SUNDAY, previous=opening.id)
    return results.render_results(box.services, box.store, box.game, box.seats[power], snapshot)


def _words(letter: OutLetter) -> str:
    return " ".join(letter.text.split())


UNITS = {"France": "A Bur, A Par", "Germany": "A Mun, A Ruh"}
CENTRES = {"France": "Par Mar Bre", "Germany": "Mun Kie Ber"}
ATTACK = {"France": "A Bur H; A Par - Pic", "Germany": "A Mun - Bur; A Ruh S A Mun - Bur"}


def test_a_retreat_that_could_take_a_centre_is_named() -> None:
    """The army of Burgundy can retreat to Belgium, which nobody owns."""
    text = _words(_letter(UNITS, CENTRES, ATTACK, "France"))
    assert "Before the retreat, which can still change it: A Bur may go to Bel." in text
    assert "3 centres (was 3), units: 2." in text
    assert "In Winter: 1 build, or 2 builds if A Bur disbands." in text
    assert "Units: A Pic; A Bur retreats." in text


def test_a_retreat_that_changes_nothing_says_so() -> None:
    centres = {**CENTRES, "France": "Par Mar Bre Bel"}
    text = _words(_letter(UNITS, centres, ATTACK, "Germany"))
    assert "Final: the retreat cannot change it." in text
    assert "3 centres (was 3), units: 2. In Winter: 1 build." in text


def test_no_centre_table_before_the_retreats_of_a_spring() -> None:
    assert "Ownership" not in _letter(UNITS, CENTRES, ATTACK, "France", "S1902M").text


def test_unowned_centres_are_compared_with_the_last_census() -> None:
    letter = _letter({"France": "A Pic"}, {"France": "Par Mar Bre"}, {"France": "A Pic - Bel"}, "France")
    assert "nobody 30 (was 31)\n" in letter.text
