"""Letters composed at random of clauses that affirm or refuse an order: only an order that one affirms is stored."""

from __future__ import annotations

import tomllib
from pathlib import Path

from hypothesis import example, given, settings
from hypothesis import strategies as st
from language.letter.test_spans import words_of
from msgspec import Struct

from gm.judge.model.orders import slot_province
from gm.language.commands.planning import ForPhaseRequest
from gm.language.letter.letter_reader import read_letter
from gm.language.lines.letter_contents import LetterContext
from gm.language.orders.parsing.order_context import OrderContext, UnitsByProvince
from gm.variant_files.library import Library

FORMS = tomllib.loads(Path(__file__).with_name("clause_forms.toml").read_text(encoding="utf-8"))


class Letter(Struct, frozen=True):
    """`affirmed` and `refused`: the order of each province, without its kind of unit."""

    text: str
    affirmed: dict[str, str]
    refused: dict[str, str]


@st.composite
def letters(draw: st.DrawFn) -> Letter:
    text, affirmed, refused = "", dict[str, str](), dict[str, str]()
    for code in draw(st.lists(st.sampled_from(sorted(FORMS["units"])), min_size=1, max_size=3, unique=True)):
        unit = FORMS["units"][code]
        goal = draw(st.sampled_from(sorted(unit["goals"])))
        named = {"u": draw(st.sampled_from(unit["names"])), "g": draw(st.sampled_from(unit["goals"][goal]))}
        holds = draw(st.sampled_from([False, False, False, True]))
        order = draw(st.sampled_from(FORMS["holds" if holds else "orders"])).format(**named)
        counts = draw(st.booleans())
        clause = draw(st.sampled_from(FORMS["affirming" if counts else "refusing"]))
        text += clause.format(o=order, **named) + draw(st.sampled_from(FORMS["joints"]))
        (affirmed if counts else refused)[code] = f"{code} H" if holds else f"{code} - {goal}"
    return Letter(text, affirmed, refused)


@given(letters())
@example(Letter("don't F Tri: Ven; A Vie: Boh, ", {"Vie": "Vie - Boh"}, {"Tri": "Tri - Ven"}))
@example(Letter("Vienna to Galicia (not sure), Budapest stays.", {"Bud": "Bud H"}, {"Vie": "Vie - Gal"}))
@example(Letter("Bud to Rum\nI was going to move Vienna to Gal but no.", {"Bud": "Bud - Rum"}, {"Vie": "Vie - Gal"}))
@settings(max_examples=400, deadline=None)
def test_an_order_is_stored_only_where_a_clause_affirms_it(shelf: Library, letter: Letter) -> None:
    variant = shelf.variant("standard")
    reading = read_letter(list(enumerate(letter.text.split("\n"), 1)), LetterContext(variant, variant.start, "Austria"))
    here = OrderContext(UnitsByProvince(variant, variant.start), "Austria")
    stored = {slot_province(order.statement.slot): here.line(order.statement)[2:] for order in reading.orders}
    kept = (line.text for line in reading.requests if isinstance(line.request, ForPhaseRequest))
    quoted = " ".join((*map(words_of, reading.troubles), *kept)).lower()
    for code, line in letter.affirmed.items():
        names = FORMS["units"][code]["names"]
        assert stored.get(code, line) == line, (letter, stored)
        assert code in stored or any(name.lower() in quoted for name in names), (letter, stored, reading.troubles)
    assert not stored.keys() & letter.refused.keys(), (letter, stored)
