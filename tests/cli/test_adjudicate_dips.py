"""`gm adjudicate` with fleets by number, choices of units, dips and countries of one player."""

from __future__ import annotations

from typing import Any

import pytest
from cli.test_adjudicate import adjudicate, rows

START: dict[str, Any] = {
    "variant": "fin-de-siecle",
    "phase": "S1880M",
    "units": {"Great Britain": ["F NAT", "F NAT", "A LON"], "Spain": ["F GSL", "F NAT"], "Chile": ["A SAN"]},
    "centers": {"Great Britain": ["LON"]},
    "dislodged": {},
}


def test_fleets_are_numbered_as_they_come_with_or_without_numbers() -> None:
    for units in (["F NAT", "F NAT", "A LON"], ["F NAT#2", "A LON", "F NAT#1"]):
        answer = adjudicate(
            START | {"units": {"Great Britain": units}}, {"Great Britain": ["F NAT - GSL", "F NAT - WAL"]}
        )
        results = rows(answer)
        assert {"F NAT#1 - GSL", "F NAT#2 - WAL", "A LON H"} == set(results)
        assert sorted(answer["position"]["units"]["Great Britain"]) == ["A LON", "F GSL", "F WAL"]


def test_staying_fleets_are_numbered_before_arriving_ones() -> None:
    answer = adjudicate(START, {"Spain": ["F GSL - NAT"], "Great Britain": ["F NAT#1 - WAL"]})
    units = answer["position"]["units"]
    assert units["Spain"] == ["F NAT#2", "F NAT#1"]
    assert units["Great Britain"] == ["F WAL", "F NAT", "A LON"]
    again = adjudicate(answer["position"], {"Spain": ["F NAT#2 - GSL"]})
    assert sorted(again["position"]["units"]["Spain"]) == ["F GSL", "F NAT"]


def test_a_surplus_line_is_an_illegal_row() -> None:
    answer = adjudicate(START, {"Great Britain": ["F NAT - WAL", "F NAT - ENG", "F NAT - GNE"]})
    last = rows(answer)["F NAT - GNE"]
    assert last["outcome"] == "illegal"
    assert "fewer fleets" in last["text"]


@pytest.mark.parametrize(
    ("unit", "error"),
    [("F NAT#0", "number"), ("F NAT#x", "number"), ("A LON#2", "where several"), ("F GSL#1", "where several")],
)
def test_wrong_numbers(unit: str, error: str) -> None:
    assert error in adjudicate(START | {"units": {"Great Britain": [unit]}}, {})["error"]


def test_dips_are_rows_and_leave_their_dates_in_the_ledger() -> None:
    orders = {
        "Great Britain": ["A LON - PLY", "3 dips support A LON - PLY", "3 dips support Spain F GSL hold", "dips none"],
        "Chile": ["3 dips support A SAN hold", "intercept Spain Chile", "protect against Spain"],
    }
    orders["Great Britain"].append("3 dips support A LON - PLY")
    answer = adjudicate(START, orders)
    outcomes = [(row["order"], row["outcome"]) for row in answer["results"] if "dips" in row["order"]]
    assert outcomes == [
        ("3 dips support A LON - PLY", "superseded"),
        ("3 dips support Spain F GSL hold", "superseded"),
        ("dips none", "succeeds"),
        ("3 dips support A LON - PLY", "succeeds"),
        ("3 dips support A SAN hold", "illegal"),
    ]
    texts = rows(answer)
    assert texts["A LON - PLY"]["dips"] == 1
    assert texts["A LON - PLY"]["text"].endswith("(+1 dip)")
    assert "Only major powers may support units with dips." in texts["3 dips support A SAN hold"]["text"]
    assert "You may not intercept your own messages." in texts["intercept Chile, Spain"]["text"]
    assert texts["protect against Spain"]["outcome"] == "succeeds"
    account = {"purse": "dip-moves", "power": "Great Britain", "subject": "S1880M", "amount": 1}
    assert answer["position"]["ledger"] == [account]


def test_earlier_purchases_count_and_expire() -> None:
    ledger = [{"purse": "dip-moves", "power": "Great Britain", "subject": "S1880M", "amount": 2}]
    position = START | {"ledger": ledger}
    answer = adjudicate(position | {"phase": "S1882M"}, {"Great Britain": ["3 dips support A LON - PLY"]})
    reason = "You have used 2 of 2 move supports in the last 5 turns; the next is free in Fall 1882."
    assert reason in rows(answer)["3 dips support A LON - PLY"]["text"]
    assert "ledger" not in answer["position"]
    broken = position | {
        "ledger": [*ledger, {"purse": "dip-moves", "power": "Spain", "subject": "ages ago", "amount": 9}]
    }
    assert "error" not in adjudicate(broken, {})


def test_countries_of_one_player() -> None:
    humans = [["Great Britain", "Chile"]]
    answer = adjudicate(START | {"humans": humans}, {"Great Britain": ["3 dips support Chile A SAN hold"]})
    row = rows(answer)["3 dips support Chile A SAN hold"]
    assert (row["outcome"], "You may not support a country that you also play." in row["text"]) == ("illegal", True)
    assert answer["position"]["humans"] == [["Chile", "Great Britain"]]
    assert "one human" in adjudicate(START | {"humans": [*humans, ["Chile", "Spain"]]}, {})["error"]


def test_units_are_chosen_in_one_line_or_several() -> None:
    position = START | {"phase": "W1879U", "units": {}, "centers": {"Great Britain": ["LON", "EDI"], "Russia": ["STP"]}}
    answer = adjudicate(position, {"Great Britain": ["LON F, EDI A"], "Russia": ["STP F/sc"]})
    assert answer["position"]["phase"] == "S1880M"
    assert answer["position"]["units"] == {"Great Britain": ["A EDI", "F LON"], "Russia": ["F STP/sc"]}
    answer = adjudicate(position, {"Russia": ["STP F"]})
    assert rows(answer)["STP F"]["outcome"] == "illegal"
    assert answer["position"]["units"]["Russia"] == ["A STP"]
    assert rows(answer)["A LON"]["given"] is False


def test_the_last_fall_ends_the_game() -> None:
    answer = adjudicate(START | {"phase": "F1900M", "units": {"Great Britain": ["A LON"]}}, {})
    assert answer["over"]["winners"] == ["Great Britain"]
    assert "last year" in answer["over"]["why"]


def test_the_ledger_goes_from_answer_to_question_over_seven_turns() -> None:
    """Hold supports: 2, 2, 1, none, none, 2, 2."""
    position = START | {"units": {"Great Britain": ["A LON", "A EDI"]}, "centers": {"Great Britain": ["LON", "EDI"]}}
    bought: list[int] = []
    while len(bought) < 7:
        moves = position["phase"].endswith("M")
        lines = ["3 dips support A LON hold", "3 dips support A EDI hold"] if moves else []
        answer = adjudicate(position, {"Great Britain": lines})
        if moves:
            bought.append(sum(rows(answer)[line]["outcome"] == "succeeds" for line in lines))
        position = answer["position"]
    assert bought == [2, 2, 1, 0, 0, 2, 2]
