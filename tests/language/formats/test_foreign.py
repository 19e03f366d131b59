"""DAIDE's messages and Realpolitik's files: IMPORT reads back what EXPORT wrote, and the letter names what it had no
words for. That the texts are those of the two programs is tested word by word in test_text_daide.py and
test_text_realpolitik.py.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from language.formats.test_export_import import played

from gm import resources
from gm.judge.model.orders import Statement, Waive
from gm.judge.model.position import Position
from gm.judge.model.variant import Variant
from gm.language.formats.common import Exported, NoPhase, statement
from gm.language.formats.daide import reader as daidereader
from gm.language.formats.daide import writer as daide
from gm.language.formats.json_position import ExchangeError, position_from_json, position_to_json
from gm.language.formats.realpolitik import reader as realpolitikreader
from gm.language.formats.realpolitik import writer as realpolitik
from gm.language.rendering import order_text as write
from gm.variant_files.library import Library

SEEDS = st.integers(0, 2**32)
VARIANTS = ["standard", "youngstown", "locarno", "europe-1933", "fin-de-siecle", "seismic"]


@pytest.fixture(scope="module")
def shelf() -> Library:
    return Library([resources.folder("variants")])


Write = Callable[[Variant, Position, dict[str, Any]], Exported]
Read = Callable[[Variant, Position, str], dict[str, Any]]
FORMS: Mapping[str, tuple[Write, Read]] = {
    "daide": (daide.write, daidereader.read),
    "realpolitik": (
        lambda variant, position, document: realpolitik.write(variant, position, document, "ostend"),
        realpolitikreader.read_game,
    ),
}


def exported(variant: Variant, form: str, dice: Random) -> tuple[Position, dict[str, Any], Exported]:
    """Skips a phase that the form has no name for: of those, nothing is written."""
    position, document = played(variant, dice)
    try:
        return position, document, FORMS[form][0](variant, position, document)
    except NoPhase:
        assume(False)
        raise


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", VARIANTS)
@settings(max_examples=8, deadline=None)
@given(seed=SEEDS)
def test_a_position_is_read_back(shelf: Library, name: str, form: str, seed: int) -> None:
    """Units that the form has no words for stay as they are in the game."""
    variant = shelf.variant(name)
    position, _, told = exported(variant, form, Random(seed))
    own = position_to_json(variant, position)
    found = position_from_json(variant, own | FORMS[form][1](variant, position, told.text))
    assert set(found.units) == set(position.units)
    assert dict(found.centres) == dict(position_from_json(variant, own).centres)
    again = position_to_json(variant, found)
    assert again["phase"] == own["phase"]
    assert sorted(found.dislodged) == sorted(position.dislodged)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", VARIANTS)
@settings(max_examples=8, deadline=None)
@example(seed=377)
@given(seed=SEEDS)
def test_orders_are_read_back(shelf: Library, name: str, form: str, seed: int) -> None:
    """All but the lines that the letter names as left out. A coast or a way by sea may be named where it was not."""
    variant = shelf.variant(name)
    position, document, told = exported(variant, form, Random(seed))
    read = FORMS[form][1](variant, position, told.text)["orders"]
    for power, texts in document["orders"].items():
        said = [text for text in texts if f"{power}: {text}" not in told.unsaid]
        wanted = sorted(filter(None, (meaning(statement(variant, position, power, text)) for text in said)))
        again = [statement(variant, position, power, text) for text in read.get(power, ())]
        assert None not in again, read.get(power)
        assert sorted(filter(None, map(meaning, again))) == wanted, (said, read.get(power))


def meaning(order: Statement | None) -> str:
    """Without coasts and ways; builds that are waived are told by number, or not at all where none is left."""
    if order is None or isinstance(order, Waive):
        return ""
    text = re.sub(r"/\w+| VIA$", "", write.statement(order, "A"))
    parts = text.split(" - ")
    return " - ".join((parts[0], parts[-1])) if " S " not in text and len(parts) > 2 else text


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", ["standard", "youngstown"])
@settings(max_examples=25, deadline=None)
@given(
    seed=SEEDS, cut=st.floats(0, 1), junk=st.sampled_from(["", "(", ")", "XXX", "-1", "7", "A", ":", "\n", "((((((("])
)
def test_broken_text_tells_something_or_is_refused(
    shelf: Library, name: str, form: str, seed: int, cut: float, junk: str
) -> None:
    """In one line; never a traceback of another kind."""
    variant = shelf.variant(name)
    position, _, told = exported(variant, form, Random(seed))
    at = int(len(told.text) * cut)
    for text in (told.text[:at] + junk, told.text[:at] + junk + told.text[at:], told.text[at:]):
        refused = ""
        try:
            document = FORMS[form][1](variant, position, text)
            position_from_json(variant, position_to_json(variant, position) | document)
        except ExchangeError as error:
            refused = str(error)
        assert "\n" not in refused


PLACES = st.sampled_from(["Bud", "Tri", "Vie", "ADR", "Alb", "Swi", "Spa", "Spa/nc", "StP/sc", "Bul/ec", "ENG", "Ven"])
UNITS = st.tuples(st.sampled_from("AF"), PLACES).map(" ".join)
MOVES = st.tuples(UNITS, st.lists(PLACES, min_size=1, max_size=3)).map(lambda told: " - ".join((told[0], *told[1])))
LINES = st.one_of(
    UNITS.map("{} H".format),
    MOVES,
    MOVES.map("{} VIA".format),
    st.tuples(UNITS, st.sampled_from(["S", "C"]), st.one_of(UNITS, MOVES)).map(" ".join),
    UNITS.map("Build {}".format),
    UNITS.map("Remove {}".format),
    UNITS.map("{} D".format),
    st.sampled_from(["Waive", "Waive 3", "nonsense"]),
)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", ["standard", "seismic"])
@settings(max_examples=25, deadline=None)
@given(lines=st.lists(LINES, max_size=6), seed=SEEDS)
def test_orders_that_nobody_could_carry_out(shelf: Library, name: str, form: str, lines: list[str], seed: int) -> None:
    """Each is in the file or named in the letter, and what is in the file can be read."""
    variant = shelf.variant(name)
    position, document, _ = exported(variant, form, Random(seed))
    told = FORMS[form][0](variant, position, document | {"orders": {"Austria": lines}})
    read = FORMS[form][1](variant, position, told.text)["orders"].get("Austria", [])
    waiving = [line for line in lines if line.startswith("Waive")]
    assert len(read) + sum(line.startswith("Austria: ") for line in told.unsaid) >= len(lines) - len(waiving)
    assert all(statement(variant, position, "Austria", text) is not None for text in read)
