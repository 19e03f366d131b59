"""`gm adjudicate`, line by line: what goes in and what comes out, and that no line stops the next."""

from __future__ import annotations

import json
from typing import Any

import pytest
from support.shipped import LIBRARY

from gm.cli.adjudicate import Adjudicator

START: dict[str, Any] = {
    "variant": "standard",
    "phase": "S1901M",
    "units": {"Austria": ["A Bud", "A Vie", "F Tri"], "Russia": ["A War"], "Italy": ["A Ven"]},
    "centers": {"Austria": ["Bud", "Tri", "Vie"], "Italy": ["Ven"], "Russia": ["War"]},
    "dislodged": {},
}


def answers(*lines: object) -> list[dict[str, Any]]:
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    return [json.loads(line) for line in Adjudicator(LIBRARY).answers(texts)]


def adjudicate(position: dict[str, Any], orders: dict[str, list[str]]) -> dict[str, Any]:
    return answers({"id": 1, "position": position, "orders": orders})[0]


def rows(answer: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {row["order"]: row for row in answer["results"]}


def test_a_bounce_and_units_without_orders() -> None:
    answer = adjudicate(START, {"Austria": ["A Vie - Gal", "F Tri H"], "Russia": ["A War - Gal"]})
    results = rows(answer)
    assert answer["id"] == 1
    assert results["A Vie - Gal"] == {
        "power": "Austria",
        "order": "A Vie - Gal",
        "outcome": "bounced",
        "by": ["A War"],
        "text": "bounced: with Russia's A War, 1 against 1",
    }
    assert results["A Bud H"]["given"] is False
    assert results["A Bud H"]["outcome"] == "succeeds"
    assert "given" not in results["F Tri H"]
    assert answer["position"] == START | {"phase": "F1901M"}


def test_a_sentence_names_its_own_lines_coast_and_owner() -> None:
    """Also where an earlier line had the same outcome with another coast, or for another power."""
    lines = [START | {"units": {"Russia": [f"F StP/{coast}"]}} for coast in ("nc", "sc")]
    answered = answers(*({"id": 1, "position": line, "orders": {"Russia": ["F StP - NTH"]}} for line in lines))
    assert [answer["results"][0]["text"].split()[2] for answer in answered] == ["StP/nc", "StP/sc"]

    austrian = (
        {"units": {"Austria": ["A Vie"], "Russia": ["A War"]}},
        {"Austria": ["A Vie - Gal"], "Russia": ["A War - Gal"]},
    )
    russian = {"units": {"Russia": ["A Vie", "A War"]}}, {"Russia": ["A Vie - Gal", "A War - Gal"]}
    answered = answers(*({"id": 1, "position": START | at, "orders": orders} for at, orders in (austrian, russian)))
    texts = [rows(answer)["A Vie - Gal"]["text"] for answer in answered]
    assert texts == ["bounced: with Russia's A War, 1 against 1", "bounced: with A War, 1 against 1"]


def test_the_last_order_of_a_unit_counts() -> None:
    answer = adjudicate(START, {"Austria": ["A Vie - Gal", "A Vie - Tyr"]})
    assert rows(answer)["A Vie - Gal"]["outcome"] == "superseded"
    assert "A Tyr" in answer["position"]["units"]["Austria"]


def test_dislodgement_retreat_and_build_in_a_row() -> None:
    moves = adjudicate(
        START | {"phase": "F1901M", "units": START["units"] | {"Italy": ["A Ven", "A Tyr"]}},
        {"Italy": ["A Ven - Tri", "A Tyr S A Ven - Tri"]},
    )
    held = rows(moves)["F Tri H"]
    assert held["dislodged"] is True
    assert held["by"] == ["A Ven"]
    assert moves["position"]["phase"] == "F1901R"
    assert moves["position"]["dislodged"] == {"Austria": [{"unit": "F Tri", "by": "A Ven", "retreats": ["ADR", "Alb"]}]}
    retreat = adjudicate(moves["position"], {"Austria": ["F Tri - Alb"]})
    assert rows(retreat)["F Tri - Alb"]["outcome"] == "succeeds"
    assert retreat["position"]["phase"] == "W1901A"
    assert retreat["position"]["centers"]["Italy"] == ["Tri", "Ven"]
    build = adjudicate(retreat["position"], {"Austria": ["Remove F Alb"], "Russia": []})
    assert build["position"]["phase"] == "S1902M"
    assert build["position"]["units"]["Austria"] == ["A Bud", "A Vie"]


def test_a_retreat_not_ordered_is_a_disband() -> None:
    position = START | {
        "phase": "F1901R",
        "units": {"Italy": ["A Tri"]},
        "dislodged": {"Austria": [{"unit": "F Tri", "by": "A Ven", "retreats": ["Alb"]}]},
    }
    row = rows(adjudicate(position, {}))["F Tri D"]
    assert row["outcome"] == "destroyed"
    assert row["given"] is False


def test_a_game_ends() -> None:
    names = "Bre Mar Par Spa Por Bel Hol Mun Kie Ber Lon Lvp Edi Den Swe Nwy Tun"
    home = names.split()
    position = {
        "variant": "Standard",
        "phase": "f1910r",
        "units": {"france": ["A Ven"]},
        "centers": {"France": home},
    }
    answer = adjudicate(position, {})
    assert answer["over"]["winners"] == ["France"]
    assert answer["over"]["why"]


@pytest.mark.parametrize(
    ("orders", "outcome"),
    [
        ({"Russia": ["A Mos - Sev"]}, "illegal"),
        ({"Russia": ["A Vie - Gal"]}, "illegal"),
        ({"Russia": ["A War - Par"]}, "illegal"),
        ({"Russia": ["A War S A Mos - Sev"]}, "illegal"),
        ({"Russia": ["gobbledygook"]}, "illegal"),
        ({"Austria": ["A Bud S A Vie - Gal"]}, "void"),
    ],
)
def test_an_impossible_order_is_reported_at_its_line(orders: dict[str, list[str]], outcome: str) -> None:
    power = next(iter(orders))
    answer = adjudicate(START, orders)
    row = next(r for r in answer["results"] if r["power"] == power and r["outcome"] == outcome)
    assert row["text"]
    assert answer["position"]["phase"] == "F1901M"


@pytest.mark.parametrize(
    ("power", "line", "order"),
    [
        ("Russia", "R A War - Gal", "A War - Gal"),
        ("Russia", "R: A War - Gal", "A War - Gal"),
        ("Russia", "Russia: A War - Gal", "A War - Gal"),
        ("R", "A War - Gal", "A War - Gal"),
        ("Austria", "A A Vie - Gal", "A Vie - Gal"),
        ("Austria", "A F Tri - ADR", "F Tri - ADR"),
        ("Austria", "A Vie S I A Ven - Tyr", "A Vie S A Ven - Tyr"),
        ("Austria", "F Tri - ADR", "F Tri - ADR"),
    ],
)
def test_a_power_may_be_its_letter(power: str, line: str, order: str) -> None:
    assert order in rows(adjudicate(START, {power: [line]}))


def test_a_letter_is_a_power_where_it_cannot_be_a_word_of_an_order() -> None:
    china = {"variant": "youngstown", "phase": "S1901M", "units": {"China": ["A Pek", "A Han"], "India": ["A Del"]}}
    results = rows(adjudicate(china, {"China": ["C A Pek - Kan", "A Han S C A Pek - Kan"], "India": ["C A Del - Kas"]}))
    assert results["A Pek - Kan"]["outcome"] == "succeeds"
    assert results["A Han S A Pek - Kan"]["outcome"] == "succeeds"
    assert results["C A Del - Kas"]["outcome"] == "illegal"
    russia = {"variant": "standard", "phase": "W1901A", "units": {"Russia": ["A War"]}, "centers": {"Russia": ["Mos"]}}
    assert "Remove A War" in rows(adjudicate(russia, {"Russia": ["R A War"]}))


def test_a_line_below_anothers_heading_is_not_read() -> None:
    row = adjudicate(START, {"Austria": ["R: A Vie - Gal"]})["results"][-1]
    assert (row["order"], row["outcome"]) == ("R: A Vie - Gal", "illegal")


def test_invalid_lines_do_not_stop_the_next_line() -> None:
    lines: list[object] = [
        "not json",
        "[1]",
        "{}",
        '{"id": 2, "position": 3}',
        {"id": 3, "position": START | {"variant": "nowhere"}},
        {"id": 4, "position": START | {"units": {"Austria": ["A Bud", "A Bud"]}}},
        {"id": 5, "position": START, "orders": {"Narnia": ["A Bud H"]}},
        {"id": 6, "position": START, "orders": ["A Bud H"]},
        {"id": 7, "position": START, "orders": {"Austria": "A Bud H"}},
        {"id": 8, "position": START, "orders": {"Austria": [1]}},
        "[" * 100_000,
        {"id": 9, "position": START},
        "   ",
    ]
    replies = answers(*lines)
    assert len(replies) == 12
    assert all("error" in answer and "\n" not in answer["error"] for answer in replies[:-1])
    assert [answer["id"] for answer in replies[3:10]] == [2, 3, 4, 5, 6, 7, 8]
    assert "results" in replies[-1]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("", "There is no order here."),
        (" \t", "There is no order here."),
        ("A Bud - Ser " + "x" * 900_000, "longer than 4000 characters"),
        ("A " + "Bud" * 1000 + " - Ser", "BudBud"),
        ("A Bud - Ser - " + "x" * 3000, ""),
    ],
)
def test_a_value_that_is_no_order_is_reported_readably(line: str, reason: str) -> None:
    row = adjudicate(START, {"Austria": [line]})["results"][-1]
    assert (row["order"], row["outcome"]) == (line, "illegal")
    assert reason in row["text"]
    assert len(row["text"]) < 400


def test_a_missing_variant_name_is_reported() -> None:
    position = {key: value for key, value in START.items() if key != "variant"}
    for incomplete in (position, position | {"variant": None}):
        assert adjudicate(incomplete, {})["error"].startswith("position has no variant; there are standard, ")


def test_invalid_unicode_does_not_stop_the_next_line() -> None:
    replies = answers('{"id": "\\ud800", "position": {}}', {"id": 9, "position": START})
    assert "results" in replies[1]
    next(iter(Adjudicator(LIBRARY).answers(['{"id": "\\ud800"}']))).encode("utf-8")


def test_choices_and_a_count_travel_from_line_to_line() -> None:
    position: dict[str, Any] = {
        "variant": "youngstown",
        "phase": "F1906M",
        "options": {"stalemate_draw": "automatic", "omsk_fleets": False},
        "units": {"Austria": ["A Vie"], "Russia": ["F Sib"]},
        "centers": {"Austria": ["Vie"], "Russia": ["Vla"]},
        "ledger": [{"purse": "still", "amount": 1}],
    }
    for phase in ("S1907M", "F1907M"):
        answer = adjudicate(position, {"Russia": ["F Sib - Oms"]})
        assert [row["outcome"] for row in answer["results"] if row.get("given", True)] == ["illegal"]
        position = answer["position"]
        assert position["ledger"] == [{"purse": "still", "amount": 2}]
        assert position["options"] == {"stalemate_draw": "automatic", "omsk_fleets": "false"}
        assert position["phase"] == phase
    answer = adjudicate(position, {})
    assert answer["over"]["winners"] == ["Austria-Hungary", "Russia"]
    refused = answers({"id": 1, "position": position | {"options": {"omsk_fleets": "x"}}})[0]
    assert refused["error"] == "youngstown: the setting omsk_fleets is true or false, not 'x'"


def test_rules_of_the_house_are_options_of_every_variant() -> None:
    here: dict[str, Any] = {
        "variant": "standard",
        "phase": "F1901M",
        "options": {"convoy_route": "required", "build_rule": "any", "victory": 4},
        "units": {"England": ["A Lon", "F NTH"]},
        "centers": {"England": ["Bel", "Hol", "Lon"]},
    }
    without = adjudicate(here, {"England": ["A Lon - Nwy", "F NTH C A Lon - Nwy"]})
    assert without["results"][0]["text"] == "not possible: it names no route over fleets, from London to Norway"
    assert without["position"]["options"] == {"convoy_route": "required", "build_rule": "any", "victory": "4"}
    built = adjudicate(without["position"], {"England": ["Build A Bel"]})
    assert built["position"]["units"] == {"England": ["A Lon", "F NTH", "A Bel"]}
    won = adjudicate(here, {"England": ["A Lon - NTH - Nwy", "F NTH C A Lon - Nwy"]})
    assert won["over"]["winners"] == ["England"]
    refused = answers({"id": 1, "position": here | {"options": {"victory": 35}}})[0]
    assert refused["error"] == "standard: the setting victory is a whole number from 1 to 34, not '35'"
    unknown = answers({"id": 1, "position": here | {"options": {"moon": "yes"}}})[0]
    assert unknown["error"] == "standard: no setting 'moon'; there are victory, build_rule, convoy_route, last_year"


def minors(**changes: object) -> dict[str, Any]:
    units = {"Germany": ["A Mun"], "Austria": ["A Aus"], "Czech": ["A Cze"]}
    centers = {"Germany": ["Mun", "Ber"], "Austria": ["Aus"]}
    return {"variant": "locarno", "phase": "S1926M", "units": units, "centers": centers} | changes


def test_minor_powers_stand_without_a_seat() -> None:
    orders = {"Germany": ["A Mun - Cze", "2 DP Austria: A Aus S A Mun - Cze"]}
    (answer,) = answers({"id": 1, "position": minors(), "orders": orders})
    results = {row["power"]: (row["order"], row["outcome"]) for row in answer["results"]}
    assert results["Austria"] == ("A Aus S A Mun - Cze", "succeeds")
    assert results["Germany"] == ("A Mun - Cze", "succeeds")
    assert answer["position"]["units"] == {"Germany": ["A Cze"], "Austria": ["A Aus"]}
    assert answer["position"]["centers"] == {"Germany": ["Ber", "Mun"]}
    assert not answer["position"]["dislodged"]


def test_orders_in_a_minor_powers_name_are_rows_of_their_own_and_the_next_ones_go_on() -> None:
    orders = {"Austria": ["A Aus - Cze", "nonsense"], "Germany": ["A Mun - Cze"]}
    (answer,) = answers({"id": 1, "position": minors(), "orders": orders})
    mine = [row for row in answer["results"] if row["power"] == "Austria" and row["outcome"] == "illegal"]
    assert [row["order"] for row in mine] == ["A Aus - Cze", "nonsense"]
    assert mine[0]["text"] == "Austria is a minor power: nobody writes its orders."
    assert rows(answer)["A Mun - Cze"]["outcome"] == "bounced"
    assert rows(answer)["A Aus H"]["outcome"] == "succeeds"


def test_every_line_of_points_has_a_row() -> None:
    orders = {"Germany": ["2 DP Austria: A Aus S A Mun"], "Russia": ["1 DP Austria: A Aus H", "1 DP Rome: A Rom H"]}
    (answer,) = answers(
        {"id": 1, "position": minors(centers={"Germany": ["Mun", "Ber"], "Russia": ["Mos"]}), "orders": orders}
    )
    results = {row["order"]: (row["power"], row["outcome"], row["text"]) for row in answer["results"]}
    assert results["2 DP Aus: A Aus S A Mun"] == ("Germany", "succeeds", "followed")
    assert results["1 DP Aus: A Aus H"] == ("Soviet Union", "void", "outbid")
    assert results["1 DP Rome: A Rom H"][:2] == ("Soviet Union", "illegal")


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"units": {"Austria": ["A Mun"]}}, "Austria is a minor power, whose one unit stands in Aus"),
        ({"centers": {"Austria": ["Mun"]}}, "Austria is a minor power and owns no Mun"),
        ({"units": {"Ruritania": ["A Mun"]}}, "no power 'Ruritania'"),
    ],
)
def test_invalid_minor_powers_are_refused(changes: dict[str, Any], error: str) -> None:
    (answer,) = answers({"id": 1, "position": minors(**changes)})
    assert error in answer["error"]
