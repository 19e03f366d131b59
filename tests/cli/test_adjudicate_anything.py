"""`gm adjudicate` on whatever there is: no line raises or stops the next, and whole games can be walked through it."""

from __future__ import annotations

import json
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.scripted_players import game
from support.shipped import LIBRARY

from gm.cli.adjudicate import LONGEST, MOST_ORDERS, Adjudicator
from gm.judge.mechanics.influence.bid_orders import CoalitionVote
from gm.judge.model.events import Allocated, Event, OrderResult, Outcome
from gm.language.formats.json_position import position_from_json, position_to_json
from gm.language.rendering import order_text as write

VARIANTS = LIBRARY.ids()
OUTCOMES = {outcome.value for outcome in Outcome}
UNITS = {"Austria": ["A Bud", "A Vie", "F Tri"], "Russia": ["A War", "F StP/sc"]}
START: dict[str, Any] = {
    "variant": "standard",
    "phase": "S1901M",
    "units": UNITS,
    "centers": {"Austria": ["Bud", "Tri", "Vie"], "Russia": ["War"]},
    "dislodged": {},
}
GOOD = {"id": "good", "position": START, "orders": {"Austria": ["A Vie - Gal"], "Russia": ["A War - Gal"]}}
DRIVEN = START | {
    "phase": "F1901R",
    "dislodged": {"Italy": [{"unit": "F Tri", "by": "A Ven", "retreats": ["Alb", "ADR"]}]},
    "units": {"Austria": ["A Tri"]},
}


def answers(*lines: str | bytes) -> list[dict[str, Any]]:
    return [json.loads(line, parse_constant=pytest.fail) for line in Adjudicator(LIBRARY).answers(lines)]


def sound(answer: dict[str, Any]) -> None:
    """An error in one line of text, or results of which each says what and why."""
    if "error" in answer:
        assert set(answer) == {"id", "error"}
        assert answer["error"]
        assert len(answer["error"].splitlines()) == 1
        return
    assert set(answer) <= {"id", "results", "position", "over"}
    for row in answer["results"]:
        assert set(row) <= {"power", "order", "outcome", "by", "text", "given", "dislodged", "dips"}
        assert row["outcome"] in OUTCOMES
        assert row["text"]
        assert row.get("given", False) is False
        assert row.get("dislodged", True) is True


@cache
def good() -> dict[str, Any]:
    return answers(json.dumps(GOOD))[0]


def then_goes_on(line: str | bytes) -> dict[str, Any]:
    """The answer to a line that is wrong; the next line is answered as if it had been the first."""
    first, second = answers(line, json.dumps(GOOD))
    sound(first)
    assert second == good()
    return first


@pytest.mark.parametrize(
    ("line", "error"),
    [
        (b"\xff\xfe{}", "not UTF-8"),
        ('{"id": 1, "position": '.encode("utf-16"), "not UTF-8"),
        ("{", "not JSON"),
        ('{"id": NaN}', "NaN is not a number"),
        ('{"id": -Infinity}', "-Infinity is not a number"),
        ('{"id": 1e999}', "1e999 is not a number"),
        ('{"id": ' + "9" * 5000 + "}", "not JSON"),
        ('{"id": 1, "id": 2}', "'id' occurs twice"),
        ('{"position": {"units": {"Austria": ["A Bud"], "Austria": ["A Vie"]}}}', "'Austria' occurs twice"),
        ('{"id": ' + "[" * 5000 + "]" * 5000 + "}", "nested too deeply"),
        (" " * LONGEST + "{}", "a line may have"),
        ('"position"', "must be a JSON object"),
        ("null", "must be a JSON object"),
    ],
)
def test_a_line_that_is_not_a_document_gets_an_error(line: str | bytes, error: str) -> None:
    answer = then_goes_on(line)
    assert error in answer["error"]
    assert answer["id"] is None


def test_an_id_can_be_anything_that_json_can_say() -> None:
    for name in (None, 7, -1.5, "ä\u2028½\ud83d", [1, {"a": []}], {"id": "id"}, True):
        assert then_goes_on(json.dumps({"id": name}))["id"] == name
    for depth in (100, 300, 600, 900, 950, 980, 990):
        then_goes_on('{"id": ' + "[" * depth + "]" * depth + "}")


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"variant": "x" * 10_000}, "no variant 'xxx"),
        ({"variant": 1}, "no variant"),
        ({"variant": None}, "no variant"),
        ({"options": []}, "options must be an object"),
        ({"phase": "S1901M\nF1901M"}, "no phase 'S1901M\\nF1901M'"),
        ({"phase": None}, "phase must be a text"),
        ({"phase": "S99999M"}, "no phase"),
        ({"units": 0}, "units must be an object"),
        ({"units": False}, "units must be an object"),
        ({"units": {"Austria": {"A": "Bud"}}}, "units of 'Austria' must be a list"),
        ({"units": {"Austria": ["A Bud", None]}}, "a unit of Austria must be a text"),
        ({"units": {"Austria": ["A Bud"], "AUSTRIA": ["A Budapest"]}}, "two units in Bud"),
        ({"units": {"Austria": ["F StP/nc"], "Russia": ["F StP/sc"]}}, "two units in StP"),
        ({"units": {"Austria": ["F Spa/ec"]}}, "which coast? Spa/nc or Spa/sc"),
        ({"units": {"Austria": ["A \x00"]}}, "no province '\\x00'"),
        ({"units": {"Austria": ["A " + "Bud" * 10_000]}}, "no province 'BudBud"),
        ({"units": {"Austria": ["A NTH"]}}, "cannot stand there"),
        ({"units": {"\u2028": []}}, "no power '\\u2028'"),
        ({"centers": {"Austria": ["Bud"], "Russia": ["Bud"]}}, "Bud belongs to Austria and to Russia"),
        ({"centers": {"Austria": [["Bud"]]}}, "a centre of Austria must be a text"),
        ({"dislodged": {"Italy": [{"unit": "F Tri"}]}}, "by must be a text"),
        ({"dislodged": {"Italy": [{"unit": "F Tri", "by": "A Ven", "retreats": "Alb"}]}}, "retreats must be a list"),
        ({"dislodged": {"Italy": [{"unit": "F Tri", "by": "A Ven", "retreats": [1]}]}}, "retreats must be a text"),
        ({"seed": 1.5}, "seed must be a whole number"),
        ({"seed": True}, "seed must be a whole number"),
        ({"ledger": 7}, "ledger must be a list"),
    ],
)
def test_invalid_positions_are_refused(changes: dict[str, Any], error: str) -> None:
    answer = then_goes_on(json.dumps(GOOD | {"position": START | changes}))
    assert error in answer["error"]
    assert len(answer["error"]) < 1000
    assert answer["id"] == "good"


@pytest.mark.parametrize(
    ("orders", "error"),
    [
        ("A Bud H", "orders must be an object"),
        (0, "orders must be an object"),
        ({"Austria": "A Bud H"}, "orders of Austria must be a list"),
        ({"Austria": [["A Bud H"]]}, "orders of Austria must be a list"),
        ({"Austria": {"A Bud": "H"}}, "orders of Austria must be a list"),
        ({"Ruritania": []}, "no power 'Ruritania'"),
        ({"Austria": ["A Bud H"] * (MOST_ORDERS + 1)}, "at most"),
    ],
)
def test_orders_that_are_no_lists_of_texts(orders: object, error: str) -> None:
    assert error in then_goes_on(json.dumps(GOOD | {"orders": orders}))["error"]


@pytest.mark.parametrize(
    "order",
    [
        *("", " ", "\x00", "\n", "A", "A Bud", "A Bud -", "A Bud - Atlantis", "A Bud - Lon", "A Par - Bur"),
        *("A War - Gal", "A Bud S A Bud", "A Bud S A Par - Bur", "A Bud S A Vie - Bud", "A Bud C A Vie - Tri"),
        *("A Bud - Vie and A Vie - Bud", "Build A Bud", "Remove A Bud", "Waive", "A Bud D", "F Tri - Spa/xx"),
        *("A Bud " + "- Vie " * 500, "A Bud - Vie " * 300, "(" * 3000, "🙂" * 300, "A Bud S " * 400, "x" * 30_000),
    ],
)
def test_an_order_that_cannot_be_carried_out_has_a_row_that_says_why(order: str) -> None:
    answer = then_goes_on(json.dumps(GOOD | {"orders": {"Austria": [order, "A Vie - Gal"]}}))
    rows = [row for row in answer["results"] if row["power"] == "Austria"]
    assert any(row["outcome"] in ("illegal", "void") for row in rows), rows
    assert any(row["order"] == "A Vie - Gal" for row in rows)


def test_very_many_bad_orders_do_not_take_very_long() -> None:
    orders = [f"A {'Bxd' * (n % 7)}{n} - Qallicia {n}" for n in range(MOST_ORDERS)]
    sound(then_goes_on(json.dumps(GOOD | {"orders": {"Austria": orders}})))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
UNITS_OF = ["A Bud", "A Vie", "F Tri", "A war", "F StP/nc", "Fleet Spain"]
VERBS = ["-", "S", "C", "H", "D", "VIA", "Build", "Remove", "Waive", "supports", "to"]
WORDS = st.sampled_from(
    [
        *UNITS_OF,
        *VERBS,
        "Gal",
        "NTH",
        "Austria",
        "austrian",
        "and",
        "(",
        ")",
        ",",
        "/",
        "nc",
        "2",
        "é",
        "\u0000",
        "\U0001f642",
    ]
)
LINES = st.lists(WORDS, max_size=9).map(" ".join)
POWERS = st.sampled_from(["Austria", "austria", "RUSSIA", "Italy", "Narnia", ""])
SHEETS = st.dictionaries(POWERS, st.lists(LINES | JSON, max_size=4) | JSON, max_size=3)
PLACED = st.dictionaries(
    POWERS, st.lists(st.sampled_from(["A Bud", "A Vie", "F StP/nc", "F NTH", "A war", "F Tri"]) | LINES, max_size=3)
)
FALL = {"unit": LINES, "by": LINES, "retreats": st.lists(LINES, max_size=2) | JSON}
FALLEN = st.dictionaries(POWERS, st.lists(st.fixed_dictionaries({}, optional=FALL), max_size=2), max_size=2)
POSITIONS = st.fixed_dictionaries(
    {
        "variant": st.sampled_from(VARIANTS) | JSON,
        "phase": st.sampled_from(["S1901M", "f1901r", "W1901A", "F1901R", "S1850M", "", "S1M"]) | JSON,
    },
    optional={
        "units": PLACED | JSON,
        "centers": st.dictionaries(POWERS, st.lists(st.sampled_from(["Bud", "vie", "Gal"]) | JSON, max_size=3)) | JSON,
        "dislodged": FALLEN | JSON,
        "seed": JSON,
        "options": st.none() | st.just({}) | st.lists(st.integers(), max_size=2),
        "ledger": st.none() | JSON,
    },
)
DOCUMENTS = st.fixed_dictionaries({}, optional={"id": JSON, "position": POSITIONS | JSON, "orders": SHEETS | JSON})


@settings(max_examples=150, deadline=None)
@given(DOCUMENTS | JSON)
def test_no_json_raises(document: object) -> None:
    for answer in answers(json.dumps(document)):
        sound(answer)


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=60) | st.text(max_size=60).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_no_bytes_raise(line: bytes) -> None:
    for answer in answers(line.replace(b"\n", b" ")):
        assert "error" in answer
        sound(answer)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from([START, DRIVEN]), SHEETS)
def test_no_orders_raise(position: dict[str, Any], orders: object) -> None:
    sound(then_goes_on(json.dumps({"position": position, "orders": orders})))


def shown_of(event: Event) -> tuple[str, str, bool] | None:
    """What a row of the answer says of an event, if it has one."""
    if isinstance(event, OrderResult):
        return event.power, event.outcome.value, event.given
    if isinstance(event, Allocated):
        return event.power, "succeeds" if event.followed else "void", True
    if isinstance(event, CoalitionVote) and not event.followed:
        return f"{event.power}/{event.minor}", "void", True
    return None


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("seed", range(3))
def test_a_game_walked_through_json_lines_is_the_game(name: str, seed: int) -> None:
    """The next position of each answer is the next line's, and comes to what the walk in memory comes to."""
    variant = LIBRARY.variant(name)
    document = position_to_json(variant, variant.start)
    dice = Random(seed)
    for position, book, legs in game(variant, seed, 40):
        assert same(document, position_to_json(variant, position))
        sheets = {power: [write.statement(e.statement, document["phase"][-1]) for e in entries] for (_, power), entries
                  in book.sheets.items()}  # fmt: skip
        if dice.random() < 0.5:
            sheets = {power.upper(): [text.lower() for text in texts] for power, texts in sheets.items()}
        (answer,) = answers(json.dumps({"id": seed, "position": document, "orders": sheets}))
        sound(answer)
        shown = sorted((row["power"], row["outcome"], row.get("given", True)) for row in answer["results"])
        assert shown == sorted(row for leg in legs for row in map(shown_of, leg.turn.events) if row)
        after = legs[-1].turn.position
        assert same(answer["position"], position_to_json(variant, after))
        assert ("over" in answer) == (after.ended is not None)
        document = answer["position"]


def same(first: dict[str, Any], second: dict[str, Any]) -> bool:
    """Equal but for the order of units, which a document does not keep."""
    return _sorted(first) == _sorted(second)


def _sorted(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _sorted(item) for key, item in value.items()}
    if isinstance(value, list):
        return sorted((_sorted(item) for item in value), key=str)
    return value


@settings(max_examples=40, deadline=None)
@given(POSITIONS)
def test_a_position_that_was_read_is_written_so_that_it_is_read_again(position: dict[str, Any]) -> None:
    answer = answers(json.dumps({"position": position}))[0]
    if "error" not in answer:
        variant = LIBRARY.variant(answer["position"]["variant"])
        again = position_to_json(variant, position_from_json(variant, answer["position"]))
        assert again == answer["position"]
