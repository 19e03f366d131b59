"""Impossible orders (setting `illegal_orders`): plain ones are taken, ambiguous ones are asked back."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from gm.language.letter.letter_reader import read_letter
from gm.language.lines.letter_contents import LetterContents, LetterContext
from gm.language.rendering import order_text as write
from gm.variant_files.library import Library


def read(shelf: Library, text: str, *, illegal: bool = True) -> LetterContents:
    variant = shelf.variant("standard")
    return read_letter([(1, text)], LetterContext(variant, variant.start, "France", illegal=illegal))


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        ("A Par - Mos", ["A Par - Mos"]),
        ("A Par - Lon", ["A Par - Lon"]),
        ("F Bre - Par", ["F Bre - Par"]),
        ("A Mar S A Gal - Sil", ["A Mar S A Gal - Sil"]),
        ("A Mar S F Lon - NTH", ["A Mar S F Lon - NTH"]),
        ("F Bre C A Par - Lon", ["F Bre C A Par - Lon"]),
        ("A Par - Mos; A Mar - Spa; F Bre - Lon", ["A Par - Mos", "A Mar - Spa", "F Bre - Lon"]),
        ("Paris attacks Moscow", ["A Par - Mos"]),
        ("A Par - Bur", ["A Par - Bur"]),
    ],
)
def test_plain_orders_are_taken(shelf: Library, text: str, taken: list[str]) -> None:
    reading = read(shelf, text)
    assert [write.statement(order.statement, letter="M") for order in reading.orders] == taken
    assert not [trouble for trouble in reading.troubles if not trouble.obeyed]


@pytest.mark.parametrize(
    "text", ["A Mun - Bur", "A Gas - Bur", "A Par - Burgindy", "A Par - N", "Build A Par", "F Par"]
)
def test_ambiguous_orders_are_asked_back(shelf: Library, text: str) -> None:
    reading, plainly = read(shelf, text), read(shelf, text, illegal=False)
    assert not reading.orders
    assert reading.troubles
    assert reading == plainly


def test_a_missing_route_is_asked_for(shelf: Library) -> None:
    variant = shelf.variant("standard", {"convoy_route": "required"})
    start = variant.start
    (fleet,) = (unit for unit in start.units_of("France") if unit.kind == "F")
    sea = next(at for at in start.board.provinces["ENG"].locations)
    here = start.having(units=tuple(replace(unit, at=sea) if unit == fleet else unit for unit in start.units))
    lines = [(1, "A Par - Lon"), (2, "A Mar - Lon")]
    reading = read_letter(lines, LetterContext(variant, here, "France", illegal=True))
    assert [write.statement(order.statement, letter="M") for order in reading.orders] == ["A Par - Lon", "A Mar - Lon"]
    moved = here.having(
        units=tuple(
            replace(u, at=start.board.provinces["Pic"].locations[0]) if u.at.province == "Par" else u
            for u in here.units
        )
    )
    asked = read_letter([(1, "A Pic - Lon")], LetterContext(variant, moved, "France", illegal=True))
    assert not asked.orders
    assert [(trouble.key, trouble.suggestions) for trouble in asked.troubles] == [
        ("route-missing", ("A Pic - ENG - Lon",))
    ]
    named = read_letter([(1, "A Pic - ENG - Lon")], LetterContext(variant, moved, "France"))
    assert len(named.orders) == 1
