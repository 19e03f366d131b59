"""Points as written on a sheet are read as the same points, in all positions of random games."""

from __future__ import annotations

import pytest
from support import scripted_players as player

from gm.judge.model.orders import Allocate, NoPoints
from gm.language.letter.letter_reader import read_letter
from gm.language.lines.letter_contents import LetterContext
from gm.language.orders.sheet_reader import read_order
from gm.language.rendering.order_text import statement
from gm.variant_files.library import Library


@pytest.mark.parametrize("seed", range(6))
def test_written_points_are_read_back(shelf: Library, seed: int) -> None:
    variant = shelf.variant("locarno")
    seen = 0
    for position, book, _ in player.game(variant, seed, 12):
        for power, _ in book.sheets:
            stored = LetterContext(variant, position, power, any_unit=True)
            for entry in book.entries(power):
                if not isinstance(entry.statement, Allocate):
                    continue
                text = statement(entry.statement)
                parsed = read_order(text, stored)
                assert isinstance(parsed, Allocate), text
                assert (parsed.points, parsed.aim) == (entry.statement.points, entry.statement.aim)
                again = statement(parsed)
                assert read_order(again, stored) == parsed
                reading = read_letter([(1, again)], LetterContext(variant, position, power))
                assert [order.statement for order in reading.orders] == [parsed], again
                seen += 1
    assert seen > 20


def test_no_points_is_read_back(shelf: Library) -> None:
    variant = shelf.variant("locarno")
    context = LetterContext(variant, variant.start, "Germany", any_unit=True)
    assert read_order(statement(NoPoints()), context) == NoPoints()


def test_a_number_with_a_colon_is_a_list_mark_where_no_points_are_spent(shelf: Library) -> None:
    variant = shelf.variant("standard")
    reading = read_letter([(1, "2: A Par - Bur")], LetterContext(variant, variant.start, "France"))
    assert [statement(order.statement) for order in reading.orders] == ["A Par - Bur"]
    assert not reading.troubles
