"""The picture of a sheet: the writer's own orders from their own sheet, drawn once, and never waited for long."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from msgspec.structs import replace
from support.shipped import LIBRARY
from support.standard_game import Letterbox, a_letter

from gm.errors import GmError
from gm.game.letters.answer import render_answer
from gm.game.model.letter_report import LetterReport, SheetReport
from gm.game.model.records import OutLetter, Sheet, SheetLine
from gm.game.phase.orders_picture import own_results
from gm.game.views.maps import ORDERS_WAIT, MapDocuments, documents_for_picture
from gm.judge.model.events import Outcome
from gm.judge.model.orders import Move
from gm.judge.model.sheets import DueOrders

SUNDAY = datetime(2026, 3, 15, 19, tzinfo=UTC)


class Spring(Letterbox):
    def __post_init__(self) -> None:
        super().__post_init__()
        self.enter(self.variant.start, SUNDAY)

    def sheet(self, power: str, *lines: str, author: str = "", version: int = 1) -> Sheet:
        kept = tuple(SheetLine(("unit", line[:5]), line) for line in lines)
        sheet = Sheet(self.game.id, self.game.phase, self.last, author or power, power, version, kept)
        self.store.turns.add_sheet(sheet)
        return sheet

    def answer(self, *sheets: Sheet) -> OutLetter:
        reports = [SheetReport(each.power, each.author, None, each, DueOrders(), changed=True) for each in sheets]
        report = LetterReport(sheets=reports, stored=1)
        row, letter = self.row(), a_letter("Re: x", ())
        return render_answer(self.services, self.store, row, letter, self.game, self.seats["France"], report)

    def documents(self, letter: OutLetter) -> MapDocuments:
        picture = self.store.pictures.get(letter.picture)
        assert picture is not None
        return documents_for_picture(self.services.variant, self.store, picture)


@pytest.fixture
def box() -> Spring:
    return Spring()


def test_a_picture_is_made_of_the_own_sheet_alone(box: Spring) -> None:
    box.sheet("Germany", "A Mun - Bur")
    letter = box.answer(box.sheet("France", "A Par - Bur", "F Bre - MAO"))
    documents = box.documents(letter)
    assert (documents.power, documents.orders) == ("France", ("A Par - Bur", "F Bre - MAO"))
    box.sheet("Germany", "A Mun H", version=2)
    assert box.documents(letter) == documents
    assert "Mun" not in documents.events + documents.after


def test_the_same_orders_share_a_picture(box: Spring) -> None:
    first = box.answer(box.sheet("France", "A Par - Bur"))
    other = box.answer(box.sheet("France", "A Par - Pic", version=2))
    again = box.answer(box.sheet("France", "A Par - Bur", version=3))
    assert first.picture == again.picture != other.picture
    with pytest.raises(GmError, match="have changed"):
        box.documents(other)


def test_the_words_leave_within_seconds(box: Spring) -> None:
    letter = box.answer(box.sheet("France", "A Par - Bur"))
    assert letter.picture_until == box.store.now() + ORDERS_WAIT
    assert timedelta(0) < ORDERS_WAIT <= timedelta(seconds=5)


def test_nothing_is_drawn_without_maps_or_orders_or_for_another_power(box: Spring) -> None:
    germany = box.sheet("Germany", "A Mun - Bur", author="France")
    assert box.answer(germany).picture == 0
    assert box.answer(box.sheet("France")).picture == 0
    box.services = replace(box.services, map_wait=timedelta(0))
    assert box.answer(box.sheet("France", "A Par - Bur", version=2)).picture == 0


def test_orders_of_controlled_powers_and_points_are_not_drawn() -> None:
    variant = LIBRARY.variant("europe-1933")
    at = next(at for at, step in enumerate(variant.calendar) if step.letter == "M")
    position = replace(variant.start, at=at)
    own = next(unit for unit in position.units if unit.power == "France")
    foreign = next(unit for unit in position.units if unit.power == "Poland")
    lines = (f"{own.kind} {own.at.place} H", f"{foreign.kind} {foreign.at.place} H")
    assert [result.unit for result in own_results(variant, position, "France", lines)] == [own]


def test_an_impossible_order_is_no_arrow() -> None:
    variant = LIBRARY.variant("standard")
    lines = ("A Par - Bur", "F Bre - Mun")
    results = list(own_results(variant, variant.start, "France", lines))
    assert [result.outcome for result in results] == [Outcome.SUCCEEDS, Outcome.ILLEGAL]
    assert all(isinstance(result.order, Move) for result in results)
