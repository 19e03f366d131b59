"""Letters composed at random of clauses that affirm or refuse an order: only an order that one affirms is stored."""

from __future__ import annotations

import tomllib
from pathlib import Path

from hypothesis import example, given, settings
from hypothesis import strategies as st
from language.letter.test_spans import quoted_words
from msgspec import Struct
from support.choices import choice

from gm.judge.model.orders import slot_province
from gm.language.i18n.localized_variant import localized
from gm.language.letter.letter_reader import read_letter
from gm.language.lines.letter_contents import LetterContext, lines_of
from gm.language.lines.trouble_keys import MAY_CHANGE
from gm.language.orders.parsing.order_context import OrderContext, UnitsByProvince
from gm.variant_files.library import Library

FILES = sorted(Path(__file__).with_name("clause_forms").glob("*.toml"))
FORMS = {file.stem: tomllib.loads(file.read_text(encoding="utf-8")) for file in FILES}


class Letter(Struct, frozen=True):
    """`affirmed` and `refused`: the order of each province, without its kind of unit."""

    language: str
    text: str
    affirmed: dict[str, str]
    refused: dict[str, str]


@st.composite
def letters(draw: st.DrawFn) -> Letter:
    text, affirmed, refused = "", dict[str, str](), dict[str, str]()
    language = draw(choice(sorted(FORMS)))
    forms = FORMS[language]
    for code in draw(st.lists(choice(sorted(forms["units"])), min_size=1, max_size=3, unique=True)):
        unit = forms["units"][code]
        goal = draw(choice(sorted(unit["goals"])))
        named = {"u": draw(choice(unit["names"])), "g": draw(choice(unit["goals"][goal]))}
        holds = draw(choice([False, False, False, True]))
        order = draw(choice(forms["holds" if holds else "orders"])).format(**named)
        counts = draw(st.booleans())
        clause = draw(choice(forms["affirming" if counts else "refusing"]))
        text += clause.format(o=order, **named) + draw(choice(forms["joints"]))
        (affirmed if counts else refused)[code] = f"{code} H" if holds else f"{code} - {goal}"
    return Letter(language, text, affirmed, refused)


@given(letters())
@example(Letter("en", "don't F Tri: Ven; A Vie: Boh, ", {"Vie": "Vie - Boh"}, {"Tri": "Tri - Ven"}))
@example(Letter("en", "Vienna to Galicia (not sure), Budapest stays.", {"Bud": "Bud H"}, {"Vie": "Vie - Gal"}))
@example(
    Letter("en", "Bud to Rum\nI was going to move Vienna to Gal but no.", {"Bud": "Bud - Rum"}, {"Vie": "Vie - Gal"})
)
@example(
    Letter(
        "en",
        "A Bud - Rum\nI was going to F Tri - Adr but no and",
        {"Bud": "Bud - Rum"},
        {"Tri": "Tri - ADR"},
    )
)
@example(Letter("en", "instead of the fleet: Ven. It goes to Alb instead", {"Tri": "Tri - Alb"}, {}))
@example(
    Letter(
        "en",
        "A Bud - Rum. F Tri - Adr\nI was going to A Vie - Boh but no and ",
        {"Bud": "Bud - Rum", "Tri": "Tri - ADR"},
        {"Vie": "Vie - Boh"},
    )
)
@example(Letter("en", "old: I'd like A Bud to go to Rum. ", {}, {"Bud": "Bud - Rum"}))
@example(Letter("en", "instead of the fleet: Ven", {}, {"Tri": "Tri - Ven"}))
@example(
    Letter("de", "A Bud - Rum (unsicher). ok, ich ziehe F Tri nach Adr.", {"Tri": "Tri - ADR"}, {"Bud": "Bud - Rum"})
)
@example(Letter("en", "forget about Vienna's army: Boh. ", {}, {"Vie": "Vie - Boh"}))
@example(Letter("de", "A Bud - Rum ohne Verzug, wenn Russland zieht, F Tri - Adr. ", {}, {"Tri": "Tri - ADR"}))
@example(
    Letter("de", "vergiss A Bud - Rum. auf keinen Fall F Tri - Adr. ", {}, {"Bud": "Bud - Rum", "Tri": "Tri - ADR"})
)
@settings(max_examples=400, deadline=None)
def test_an_order_is_stored_only_where_a_clause_affirms_it(shelf: Library, letter: Letter) -> None:
    variant = localized(shelf.variant("standard"), letter.language)
    reading = read_letter(list(enumerate(letter.text.split("\n"), 1)), LetterContext(variant, variant.start, "Austria"))
    here = OrderContext(UnitsByProvince(variant, variant.start), "Austria")
    stored = {slot_province(order.statement.slot): here.line(order.statement)[2:] for order in reading.orders}
    quoted = quoted_words(reading)
    doubts = (trouble for trouble in reading.troubles if trouble.key == MAY_CHANGE)
    waiting = {
        order[2:] for trouble in doubts for order in lines_of(trouble.suggestions)
    }  # the answer offers it: YES stores it
    for code, line in letter.affirmed.items():
        names = FORMS[letter.language]["units"][code]["names"]
        assert stored.get(code, line) == line, (letter, stored)
        shown = code in stored or line in waiting or any(name.lower() in quoted for name in names)
        assert shown, (letter, stored, reading.troubles)
    assert not stored.keys() & letter.refused.keys(), (letter, stored)
