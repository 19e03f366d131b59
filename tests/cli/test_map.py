"""`gm map`: the same picture from the input and the output of `gm adjudicate`, and from a game."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner
from msgspec.structs import replace
from support.paths import VARIANTS
from support.scripted_players import game as played
from support.shipped import LIBRARY, map_drawer
from support.standard_game import FALL, Letterbox

from gm.__main__ import main
from gm.cli.adjudicate import Adjudicator
from gm.cli.map import MapDrawer, save_picture
from gm.errors import GmError
from gm.judge.board.board import Location
from gm.judge.model.events import CentresCounted, OrderResult
from gm.judge.model.position import LedgerKey, Unit
from gm.language.formats.json_position import position_to_json
from gm.language.rendering import order_text as write
from gm.variant_files.library import Library

DRAWER = map_drawer()
START = position_to_json(LIBRARY.variant("standard"), LIBRARY.variant("standard").start)
DUE = datetime(2026, 3, 15, 20, tzinfo=UTC)


def classes(svg: str) -> list[str]:
    kinds = {"move", "failed", "convoyed", "support", "cut", "retreat"}
    return sorted(
        element.get("class", "") for element in ElementTree.fromstring(svg).iter() if element.get("class") in kinds
    )


def test_input_and_output_of_adjudicate_give_the_same_picture() -> None:
    compared = 0
    variant = LIBRARY.variant("standard")
    for here, book, legs in played(variant, 5, 24):
        letter = variant.step(here).letter
        lines: dict[str, list[str]] = {}
        for power, _ in book.sheets:
            lines[power] = [write.statement(entry.statement, letter) for entry in book.entries(power)]
        line = json.dumps({"position": position_to_json(variant, here), "orders": lines})
        if len(legs) > 1 and legs[1].turn.events:
            continue  # a later step's orders stand in the same line
        out = next(Adjudicator(LIBRARY).answers([line]))
        assert classes(DRAWER.line(line)) == classes(DRAWER.line(out)), line
        compared += 1
    assert compared >= 10


def test_a_unit_with_two_retreat_orders_is_drawn_once() -> None:
    driven = {"Austria": [{"unit": "F Tri", "by": "A Tyr", "retreats": ["Alb", "ADR"]}]}
    here = {"variant": "standard", "phase": "F1901R", "units": {"Italy": ["A Tri"]}, "dislodged": driven}
    for second in ("F Tri - Mun", "F Tri H", "F Tri - ADR"):
        line = json.dumps({"position": here, "orders": {"Austria": ["F Tri - Alb", second]}})
        assert "retreat" in classes(DRAWER.line(next(Adjudicator(LIBRARY).answers([line])))), second


def changes(svg: str) -> set[tuple[str, str]]:
    """Returns the counts in the legend that a census has changed: ("3 → 5", "France")."""
    return set(re.findall("<text[^>]*>([0-9]+ \u2192 [0-9]+)</text><text[^>]*>([^<]*)</text>", svg))


@pytest.mark.parametrize("name", [name for name in LIBRARY.ids() if name != "seismic"])
def test_a_fall_map_counts_centres_after_the_census(name: str) -> None:
    variant, compared = LIBRARY.variant(name), 0
    for here, _, legs in played(variant, 5, 8):
        counted = [event for leg in legs for event in leg.turn.events if isinstance(event, CentresCounted)]
        svg = DRAWER.draw(DRAWER.scene(variant, here, legs[0].turn.events, after=legs[-1].turn.position))
        if not counted:
            continue
        before = {count.power: len({*count.centres, *count.lost} - set(count.gained)) for count in counted}
        now = {count.power: len(count.centres) for count in counted}
        assert changes(svg) == {(f"{before[p]} \u2192 {now[p]}", p) for p in now if before[p] != now[p]}
        compared += len(changes(svg))
    assert compared


def test_a_fall_map_counts_as_its_letter_while_retreats_are_open(ostend: Letterbox) -> None:
    """The census has not been held, and the letter has a provisional count."""
    svg = DRAWER.game(ostend.store.transaction, "Ostend", "f1901m")
    assert ("3 \u2192 4", "France") in changes(svg)
    assert not changes(DRAWER.game(ostend.store.transaction, "Ostend"))


def test_a_position_alone_has_no_orders() -> None:
    svg = DRAWER.line(json.dumps(START))
    assert classes(svg) == []
    assert svg.count('class="unit"') == 22
    assert ">Spring 1901</text>" in svg


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("{", "not JSON"),
        ("[1]", "must be a JSON object"),
        ("{}", "there is no position"),
        ('{"position": {"variant": "chess"}}', "no variant 'chess'"),
        (json.dumps(START | {"phase": "X1"}), "no phase"),
        (json.dumps({"position": START, "orders": []}), None),
        (json.dumps({"position": START, "orders": {"Narnia": ["A Par H"]}}), "no power 'Narnia'"),
        (json.dumps({"position": START, "orders": {"France": "A Par H"}}), "orders of France must be a list"),
        (json.dumps({"position": START, "results": [{"power": "France"}]}), "is no result of an order"),
        (
            json.dumps({"position": START, "results": [{"power": "France", "order": "A Par H", "outcome": "won"}]}),
            "no res",
        ),
    ],
)
def test_a_wrong_line_is_an_error_of_one_line(line: str, says: str | None) -> None:
    if says is None:
        DRAWER.line(line)
        return
    with pytest.raises(GmError, match=says) as error:
        DRAWER.line(line)
    assert "\n" not in str(error.value)


@pytest.fixture
def ostend() -> Letterbox:
    box = Letterbox()
    here = box.fall()
    box.enter(here, DUE)
    box.resolve(here, box.book(here, {power: orders for power, (_, orders) in FALL.items()}), DUE)
    return box


def test_a_past_phase_is_drawn_with_orders_and_the_present_without(ostend: Letterbox) -> None:
    then = DRAWER.game(ostend.store.transaction, "Ostend", "f1901m")
    assert classes(then).count("convoyed") + classes(then).count("failed") > 5
    assert ">Fall 1901</text>" in then
    assert "ostend" in then
    now = DRAWER.game(ostend.store.transaction, "ostend")
    assert classes(now) == []
    assert now == DRAWER.game(ostend.store.transaction, "ostend", ostend.game.phase)


def test_orders_of_the_open_phase_are_not_drawn(ostend: Letterbox) -> None:
    before = DRAWER.game(ostend.store.transaction, "ostend")
    ostend.store.turns.add_sheet(ostend.sheet("France", 1, "A Pic H"))
    assert DRAWER.game(ostend.store.transaction, "ostend") == before


def test_secret_orders_are_not_drawn() -> None:
    variant = LIBRARY.variant("standard")
    here, book, legs = next(iter(played(variant, 1, 1)))
    secret = [
        replace(event, audience=frozenset({"France"}))
        for event in legs[0].turn.events
        if isinstance(event, OrderResult)
    ]
    assert book
    assert DRAWER.draw(DRAWER.scene(variant, here, secret)) == DRAWER.draw(DRAWER.scene(variant, here))


@pytest.mark.parametrize(
    ("name", "phase", "says"),
    [("calais", "", "no game 'calais'; running are ostend"), ("ostend", "S1999M", "no phase S1999M; there are F1901M")],
)
def test_an_unknown_game_or_phase_is_an_error(ostend: Letterbox, name: str, phase: str, says: str) -> None:
    with pytest.raises(GmError, match=says):
        DRAWER.game(ostend.store.transaction, name, phase)


def test_the_suffix_chooses_the_format(tmp_path: Path) -> None:
    svg = DRAWER.line(json.dumps(START))
    save_picture(svg, tmp_path / "map.svg", 700)
    save_picture(svg, tmp_path / "map.png", 300)
    assert (tmp_path / "map.svg").read_text(encoding="utf-8") == svg
    assert (tmp_path / "map.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(GmError, match="cannot be written"):
        save_picture(svg, tmp_path / "no" / "map.svg", 700)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["map"], "give either a file or --game"),
        (["map", "x.json", "--game", "ostend"], "give either a file or --game"),
        (["map", "nowhere.json"], "nowhere.json: No such file"),
        (["map", "-", "--line", "2"], "has 1 lines, none numbered 2"),
        (["map", "-", "--width", "0"], "not in the range"),
    ],
)
def test_wrong_usage(words: list[str], says: str) -> None:
    run = CliRunner().invoke(main, words, input=json.dumps(START))
    assert run.exit_code in (1, 2)
    assert says in run.output


def test_reads_standard_input(tmp_path: Path) -> None:
    out = tmp_path / "start.svg"
    run = CliRunner().invoke(main, ["map", "-", "-o", str(out), "--colourblind"], input=json.dumps(START))
    assert run.output.strip() == str(out)
    assert out.read_text(encoding="utf-8").startswith("<svg")


def test_an_impossible_convoy_is_a_straight_failed_move() -> None:
    position = START | {"units": {"England": ["A Nwy", "F NTH", "F ENG", "F MAO"]}}
    convoys = ["A Nwy - NAf", "F NTH C A Nwy - NAf", "F MAO C A Nwy - NAf"]
    drawn = classes(DRAWER.line(json.dumps({"position": position, "orders": {"England": convoys}})))
    assert drawn == ["failed", "failed"], "one on the map, one in its key"


def test_a_variant_without_a_board_is_an_error(tmp_path: Path) -> None:
    home = tmp_path / "plain"
    home.mkdir()
    standard = VARIANTS / "standard"
    for name in ("variant.toml", "map.toml"):
        (home / name).write_text((standard / name).read_text(encoding="utf-8"), encoding="utf-8")
    document: dict[str, Any] = START | {"variant": "plain"}
    with pytest.raises(GmError, match="has not been drawn yet"):
        MapDrawer(Library([tmp_path])).line(json.dumps(document))


def test_orders_for_a_minor_power_are_drawn() -> None:
    """As `gm adjudicate` reads them: by the word of whoever may write for it."""
    variant = LIBRARY.variant("europe-1933")
    year, at = variant.phase_at("S1933M")
    army = Unit("Poland", "A", Location("War", "land"))
    control = {LedgerKey("control", "Germany", "Poland"): 1}
    here = replace(variant.start, year=year, at=at, units=(army,), ledger=control)
    line = {"position": position_to_json(variant, here), "orders": {"Poland": ["A War - Wil"]}}
    assert classes(DRAWER.line(json.dumps(line))) == ["move", "move"], "the arrow, and its sign in the key"


@pytest.mark.parametrize("name", ["gm.sqlite", "secret", "map"])
def test_a_file_that_is_no_picture_is_not_overwritten(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("not ours")
    run = CliRunner().invoke(main, ["map", "-", "-o", str(tmp_path / name)], input=json.dumps(START))
    assert run.exit_code == 1
    assert "name a file like map.png or map.svg" in run.output
    assert (tmp_path / name).read_text() == "not ours"
