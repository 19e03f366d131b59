"""IMPORT reads back what EXPORT writes: in every form, for positions of random games with their orders."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from random import Random
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from support.scripted_players import game

from gm import resources
from gm.judge.gm_changes.edits_between import edits_between
from gm.judge.gm_changes.position_edits import PositionEdit
from gm.judge.model.position import Position
from gm.judge.model.variant import Variant
from gm.language.commands.blocks.position_edits import EditTrouble, read_edit, written
from gm.language.formats import csv as spreadsheet
from gm.language.formats import njudge
from gm.language.formats.json_position import position_from_json, position_to_json
from gm.language.lines.letter_contents import LetterContext, LineError
from gm.language.orders.sheet_reader import read_order
from gm.language.rendering import order_text as write
from gm.variant_files.library import Library

SEEDS = st.integers(0, 2**32)
DUE = datetime(2026, 3, 8, 20, tzinfo=UTC)


@pytest.fixture(scope="module")
def shelf() -> Library:
    return Library([resources.folder("variants")])


def played(variant: Variant, dice: Random) -> tuple[Position, dict[str, Any]]:
    """A position of a game by dice, as a document with the orders written for it."""
    legs = list(game(variant, dice.randint(0, 400), 12))
    position, book, _ = dice.choice(legs)
    document = position_to_json(variant, position)
    letter = variant.step(position).letter
    orders: dict[str, list[str]] = {}
    for (author, power), entries in book.sheets.items():
        texts = [write.statement(entry.statement, letter) for entry in entries]
        if texts:
            orders[power if author == power else f"{author}/{power}"] = texts
    return position, document | {"orders": orders}


FORMS: Mapping[str, Callable[[Variant, Position, dict[str, Any]], dict[str, Any]]] = {
    "csv": lambda variant, position, document: spreadsheet.read(spreadsheet.write(document)),
    "njudge": lambda variant, position, document: njudge.read(
        variant, variant.start, njudge.write(variant, position, document, "ostend", DUE)
    ),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", ["standard", "europe-1933", "locarno", "youngstown"])
@settings(max_examples=12, deadline=None)
@given(seed=SEEDS)
def test_a_form_is_read_back(shelf: Library, name: str, form: str, seed: int) -> None:
    variant = shelf.variant(name)
    position, document = played(variant, Random(seed))
    read = FORMS[form](variant, position, document)
    restored = position_from_json(variant, position_to_json(variant, position) | read)
    assert position_to_json(variant, restored) == position_to_json(variant, position_from_json(variant, document))
    for power, texts in document["orders"].items():
        context = LetterContext(variant, position, power.rpartition("/")[2], any_unit=True)
        meant = [read_order(text, context) for text in texts]
        again = [read_order(text, context) for text in read["orders"].get(power, ())]
        assert again == meant, (texts, read["orders"].get(power))
        assert not any(isinstance(order, LineError) for order in again)


@pytest.mark.parametrize("name", ["standard", "europe-1933", "locarno", "youngstown"])
@settings(max_examples=20, deadline=None)
@example(seed=678)
@given(seed=SEEDS)
def test_a_position_read_back_is_lines_of_setup(shelf: Library, name: str, seed: int) -> None:
    """Whatever the game has come to since; and the lines mean what they say."""
    variant = shelf.variant(name)
    dice = Random(seed)
    (wanted, document), (now, _) = played(variant, dice), played(variant, dice)
    restored = position_from_json(variant, document)
    edits = edits_between(now, restored, variant)
    if edits is None:
        assert wanted.ledger != now.ledger or wanted.ahead or now.ahead
        return
    lines = [written(edit, variant) for edit in edits]
    again = tuple(read_edit(line, variant, now) for line in lines)
    if any(isinstance(edit, EditTrouble) for edit in again):
        assert wanted.ledger != now.ledger
        return
    assert again == edits
    after = PositionEdit(edits).edited(now, variant)
    assert position_to_json(variant, after)["units"].keys() == document["units"].keys()
    assert set(after.units) == set(wanted.units)
    assert after.centres == wanted.centres
