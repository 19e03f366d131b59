"""Every word of a letter is accounted for: the spans are the letter, and what names a unit is taken or quoted."""

from __future__ import annotations

from human_letters.own_spans import assert_spans_are_the_letter
from hypothesis import example, given, settings
from hypothesis import strategies as st
from support.choices import choice
from support.corpus import cases

from gm.judge.model.orders import slot_province
from gm.language.commands.planning import ForPhaseRequest
from gm.language.commands.requests import ClearRequest
from gm.language.letter.letter_reader import read_letter
from gm.language.lines.letter_contents import LetterContents, LetterContext, LineError
from gm.language.lines.spans import Fate
from gm.variant_files.library import Library

UNITS = {
    "Vie": ("A Vie", "Vienna", "vie", "the army in Vienna"),
    "Bud": ("A Bud", "Budapest", "bud"),
    "Tri": ("F Tri", "Trieste", "my fleet in Trieste"),
}
GOALS = {"Vie": ("Gal", "Galicia", "Boh", "Tyrolia"), "Bud": ("Ser", "Serbia", "Rum"), "Tri": ("Alb", "Albania", "Ven")}
ORDERS = (
    "{unit} - {goal}",
    "{unit} to {goal}",
    "{unit} moves to {goal}",
    "{unit} H",
    "{unit} holds",
    "{unit}: {goal}",
    "{goal} with {unit}",
)
AROUND = (
    "{order}", "please {order}", "maybe {order}", "{order} because Russia is near", "don't {order}",
    "if Russia moves, {order}", "cancel {order}", "{order} (to bounce Italy)", "Italy wants me to order {order}",
    "{order}, or not?", "next year {order}", "not {order}", "I love {unit} in the spring",
    "the weather in {unit} is fine", "{unit} frobnicates {goal}", "{order} instead of hold",
)  # fmt: skip
JOINTS = (". ", ", ", "; ", " and ", "\n", " - ", " but ", "\n\n", " then ")


def words_of(trouble: LineError) -> str:
    """What the answer marks: a clause that is not taken, or the line of an order that went wrong."""
    clause = trouble.key.startswith(("not-taken", "named"))
    return trouble.text[trouble.start : trouble.end] if clause else trouble.text


def quoted_words(reading: LetterContents) -> str:
    """What the answer to a letter quotes, in lower case: clauses and lines in doubt, and orders kept for later."""
    kept = (line.text for line in reading.requests if isinstance(line.request, ForPhaseRequest))
    return " ".join((*map(words_of, reading.troubles), *kept)).lower()


def test_the_spans_of_the_corpus_are_its_lines(shelf: Library) -> None:
    for case in cases(shelf):
        assert_spans_are_the_letter(case.written, case.reading)


@st.composite
def letters(draw: st.DrawFn) -> tuple[str, set[str]]:
    """A letter of clauses about Austria's units, and the codes of the units it names."""
    text, named = "", set()
    for code in draw(st.lists(choice(sorted(UNITS)), min_size=1, max_size=5)):
        unit, goal = draw(choice(UNITS[code])), draw(choice(GOALS[code]))
        order = draw(choice(ORDERS)).format(unit=unit, goal=goal)
        text += draw(choice(AROUND)).format(order=order, unit=unit, goal=goal) + draw(choice(JOINTS))
        named.add(code)
    return text, named


@given(letters())
@example(("cancel A Bud H - F Tri H. ", {"Bud", "Tri"}))
@example(("I love A Bud in the spring - A Bud - Ser because Russia is near - F Tri - Alb. ", {"Bud", "Tri"}))
@example(("not A Bud - Ser - Budapest - Ser because Russia is near - maybe F Tri - Alb. ", {"Bud", "Tri"}))
@example(("A Bud: Ser because Russia is near - F Tri: Alb because Russia is near - ", {"Bud", "Tri"}))
@settings(max_examples=400, deadline=None)
def test_a_unit_that_a_letter_names_is_ordered_or_quoted(shelf: Library, letter: tuple[str, set[str]]) -> None:
    text, named = letter
    variant = shelf.variant("standard")
    reading = read_letter(list(enumerate(text.split("\n"), 1)), LetterContext(variant, variant.start, "Austria"))
    ordered = {slot_province(order.statement.slot) for order in reading.orders}
    for line in reading.requests:
        ordered |= set(line.request.provinces) if isinstance(line.request, ClearRequest) else set()
    quoted = quoted_words(reading)
    assert_spans_are_the_letter(text, reading)
    for code in named - ordered:
        assert any(name.lower() in quoted for name in UNITS[code]), (text, reading.orders, reading.troubles)


def test_each_span_has_its_fate(shelf: Library) -> None:
    variant = shelf.variant("standard")
    text = "Hello Ruth!\nA Vie - Gal, to bounce Russia  // the usual\nmaybe A Bud - Ser\nREADY"
    reading = read_letter(list(enumerate(text.split("\n"), 1)), LetterContext(variant, variant.start, "Austria"))
    fates = [(span.text.strip(" ,"), span.fate) for span in reading.spans]
    assert fates == [
        ("Hello Ruth!", Fate.TALK),
        ("A Vie - Gal", Fate.ORDER),
        ("to bounce Russia", Fate.REASON),
        ("// the usual", Fate.COMMENT),
        ("maybe A Bud - Ser", Fate.NOT_TAKEN),
        ("READY", Fate.COMMAND),
    ]
