"""Games of other programs: read as they were played, written so that they are read back, and refused in one line."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from support.saved_games.diplomacy_program import DiplomacyProgram
from support.saved_games.game_pages import JavaObjects, order_history, orders_by_season, results
from support.scripted_players import game

from gm import resources
from gm.judge.model.position import Position
from gm.judge.model.variant import Variant
from gm.language.formats import (
    backstabbr,
    backstabbr_source,
    diplomacy_export,
    diplomacy_game,
    jdip,
    jdip_objects,
    webdiplomacy,
)
from gm.language.formats.game_formats import game_format
from gm.language.formats.json_position import position_from_json, position_to_json
from gm.language.formats.json_values import ExchangeError
from gm.language.formats.saved_game import GameFormat, SavedGame, UnreadGameError
from gm.variant_files.library import Library

SEEDS = st.integers(0, 2**32)


@pytest.fixture(scope="module")
def standard() -> Variant:
    return Library([resources.folder("variants")]).variant("standard")


def comparable(variant: Variant, position: Position) -> dict[str, Any]:
    """A position without what other programs do not keep, in any order."""
    document = position_to_json(variant, position)
    document.pop("seed", None)
    document["units"] = {power: sorted(units) for power, units in document["units"].items()}
    document["dislodged"] = {
        power: sorted((item["unit"], item["by"], sorted(item["retreats"])) for item in items)
        for power, items in document["dislodged"].items()
    }
    return document


def read_back(variant: Variant, text: str, form: GameFormat, own: Position | None = None) -> tuple[Position, SavedGame]:
    assert game_format(text) is form
    document = position_to_json(variant, own or variant.start)
    saved = form.read(variant, document, text)
    return position_from_json(variant, {**document, **saved.document}), saved


def positions(variant: Variant, seed: int, phases: int = 14) -> list[Position]:
    return [position for position, _, _ in game(variant, seed, phases)]


def retreating(variant: Variant, seed: int) -> Position:
    """A position with dislodged units: rare among orders by dice."""
    return next(at for n in range(10_000) for at in positions(variant, seed + n, 10) if at.dislodged)


FILES: dict[str, tuple[GameFormat, Callable[[Variant, Position], str]]] = {
    "diplomacy": (diplomacy_game.FORMAT, lambda variant, position: diplomacy_export.write(variant, position, "ostend")),
    "jdip": (jdip.FORMAT, lambda variant, position: jdip.write(variant, position, "ostend")),
    "jdip 1.6": (jdip_objects.FORMAT, lambda variant, position: JavaObjects(variant).game([position])),
}


@pytest.mark.parametrize("name", FILES)
@settings(max_examples=25, deadline=None)
@given(seed=SEEDS)
def test_a_file_is_read_back(standard: Variant, name: str, seed: int) -> None:
    form, write = FILES[name]
    position = Random(seed).choice(positions(standard, seed))
    assert comparable(standard, read_back(standard, write(standard, position), form)[0]) == comparable(
        standard, position
    )


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("seed", range(0, 4000, 1000))
def test_a_phase_of_retreats_is_read_back(standard: Variant, name: str, seed: int) -> None:
    form, write = FILES[name]
    position = retreating(standard, seed)
    assert comparable(standard, read_back(standard, write(standard, position), form)[0]) == comparable(
        standard, position
    )


def test_the_last_of_several_turns_is_taken(standard: Variant) -> None:
    played = positions(standard, 7)
    position, saved = read_back(standard, JavaObjects(standard).game([*played[3:], *played[:3]]), jdip_objects.FORMAT)
    assert comparable(standard, position) == comparable(standard, played[-1])
    assert saved.phases == len(played)


# ---- pages


PAGES: dict[str, tuple[GameFormat, Callable[[Variant, Any], str]]] = {
    "webDiplomacy": (webdiplomacy.FORMAT, order_history),
    "Backstabbr": (backstabbr.FORMAT, orders_by_season),
}


def wrapped(text: str, dice: Random) -> str:
    """As mail programs break and quote lines."""
    lines = []
    for line in text.splitlines():
        words = line.split(" ")
        at = dice.randrange(len(words)) if len(words) > 8 and line.lstrip().startswith("•") else 0
        lines += [f"> {' '.join(words[:at])}", f"> {' '.join(words[at:])}"] if at else [f"> {line}"]
    return "\n".join(lines)


@pytest.mark.parametrize("name", PAGES)
@settings(max_examples=15, deadline=None)
@given(seed=SEEDS)
def test_a_page_comes_to_the_position_that_was_played(standard: Variant, name: str, seed: int) -> None:
    form, write = PAGES[name]
    played = list(game(standard, seed, 14))
    after = played[-1][2][-1].turn.position
    position, saved = read_back(standard, wrapped(write(standard, played), Random(seed)), form)
    assert saved.phases == len(played)
    if after.ended is None:
        assert comparable(standard, position) == comparable(standard, after)


def test_a_page_goes_on_from_the_games_own_position(standard: Variant) -> None:
    played = list(game(standard, 11, 8))
    for form, write in PAGES.values():
        position, saved = read_back(standard, write(standard, played[5:]), form, own=played[5][0])
        assert saved.assumed == ("continued",)
        assert comparable(standard, position) == comparable(standard, played[-1][2][-1].turn.position)


def test_a_page_from_the_middle_tells_the_units(standard: Variant) -> None:
    played = list(game(standard, 11, 8))
    middle = next(n for n, (position, _, _) in enumerate(played) if n > 2 and standard.phase_name(position)[0] == "S")
    position, saved = read_back(standard, orders_by_season(standard, played[middle : middle + 1]), backstabbr.FORMAT)
    assert saved.assumed == ("centres",)
    assert sorted(position.units) == sorted(played[middle][2][0].turn.position.units)
    assert position.centres == standard.start.centres


def test_full_names_and_other_words_of_a_page(standard: Variant) -> None:
    page = (
        "Backstabbr\nSign out\nA good game - report\nSpring 1901\nRussia (Tom) 4"
        "\nFleet St. Petersburg (sc) - Gulf of Bothnia\nA Warsaw - Galicia (bounces with A Vienna)"
        "\nEngland (A. Smith)\nF Edinburgh supports F London - North Sea"
        "\nF London → North Sea ✓\nA\nPress: A lot of words\nAustria\nA Vienna - Galicia ✗\nAustria-Hungary\nF Tri H\n"
    )
    position, _ = read_back(standard, page, backstabbr.FORMAT)
    standing = {f"{unit.kind} {unit.at.place}" for unit in position.units}
    assert {"F BOT", "A War", "F NTH", "A Vie", "F Edi"} <= standing


def test_webdiplomacys_html_is_read(standard: Variant) -> None:
    page = (
        "<!DOCTYPE html><html><body><h4>Spring, 1901 <a href='x'><img alt='Large map'/></a>:</h4><p><strong>"
        '<span class="country3">Italy</span>:</strong><br /><ul><li><strong>Diplomacy</strong></li><ul>'
        "<li><u>The army at Venice move to Tyrolia.</u> (fail)</li>"
        "<li>The fleet at Naples move to Ionian&nbsp;Sea.</li>"
        "<li>The army at Rome move to Venice.</li></ul></ul></body></html>"
    )
    with pytest.raises(UnreadGameError, match="page-differs"):
        read_back(standard, page, webdiplomacy.FORMAT)
    position, _ = read_back(standard, page.replace(" (fail)", ""), webdiplomacy.FORMAT)
    assert {"A Tyr", "F ION", "A Ven"} <= {f"{unit.kind} {unit.at.place}" for unit in position.units_of("Italy")}


SOURCE = """<html><head><meta property="og:title" content="Sausage War (Fall 1902)"></head><script>
var stage = "NEEDS_ORDERS";
var orders = {"Austria": {"Bud": {"type": "MOVE", "to": "Ser"}}};
var unitsByPlayer = {"Austria": {"Bud": "A"}, "Russia": {"Stp": {"type": "F", "coast": "sc"}, "LYO": "F"}};
var territories = {"Bud": "Austria", "Stp": "Russia", "Gal": "Austria"};
var retreatOptions = {};
</script></html>"""


def test_backstabbrs_source_is_read(standard: Variant) -> None:
    plain = SOURCE.replace('"Austria":', "Austria:").replace('"', "'").replace("'og:title'", '"og:title"')
    for text in (SOURCE, plain):
        position, _ = read_back(standard, text, backstabbr_source.FORMAT)
        assert standard.phase_name(position) == "F1902M"
        assert position_to_json(standard, position)["units"] == {"Austria": ["A Bud"], "Russia": ["F StP/sc", "F LYO"]}
        assert dict(position.centres) == {"Bud": "Austria", "StP": "Russia"}
    builds, _ = read_back(standard, SOURCE.replace("NEEDS_ORDERS", "NEEDS_BUILDS"), backstabbr_source.FORMAT)
    assert standard.phase_name(builds) == "W1902A"
    with pytest.raises(UnreadGameError, match="retreats-untold"):
        read_back(standard, SOURCE.replace("ns = {}", 'ns = {"Bud": ["Ser"]}'), backstabbr_source.FORMAT)


# ---- PyPI's own program


@pytest.fixture(scope="module")
def program() -> Iterator[DiplomacyProgram]:
    with DiplomacyProgram() as program:
        yield program


@pytest.fixture(scope="module")
def reachable(standard: Variant) -> list[Position]:
    """Positions of many phases, some of retreats."""
    middle = [position for seed in range(12) for position in positions(standard, seed) if position.ended is None]
    return [*middle, *(retreating(standard, seed) for seed in range(0, 5000, 1000))]


def test_the_program_loads_ours_and_has_our_state(
    standard: Variant, reachable: list[Position], program: DiplomacyProgram
) -> None:
    ours = [json.loads(diplomacy_export.write(standard, position, "ostend")) for position in reachable]
    for saved, state in zip(ours, program.loaded_states(ours), strict=True):
        expected = saved["phases"][-1]["state"]
        for key in ("name", "retreats", "homes"):
            assert state[key] == expected[key]
        for key in ("units", "centers"):
            assert {power: sorted(names) for power, names in state[key].items()} == {
                power: sorted(names) for power, names in expected[key].items()
            }
        assert {power: builds["count"] for power, builds in state["builds"].items()} == {
            power: builds["count"] for power, builds in expected["builds"].items()
        }


def test_the_program_loads_our_history_and_takes_its_orders(standard: Variant, program: DiplomacyProgram) -> None:
    games = [list(game(standard, seed, 14)) for seed in range(8)]
    ours = [
        json.loads(
            diplomacy_export.write(
                standard,
                replace(played[-1][2][-1].turn.position, ended=None),
                "ostend",
                [(position, tuple(results(legs))) for position, _, legs in played],
            )
        )
        for played in games
    ]
    for played, (phases, refused) in zip(games, program.replayed_orders(ours), strict=True):
        assert phases == [standard.phase_name(position) for position, _, _ in played]
        assert refused == []


@pytest.mark.parametrize("seed", range(6))
def test_a_game_that_the_program_played_is_read(standard: Variant, program: DiplomacyProgram, seed: int) -> None:
    """Every phase of it, as if it were the last: attackers follow from the orders before."""
    saved, dump = program.played_game(seed, 16)
    assert read_back(standard, json.dumps(dump), diplomacy_game.FORMAT)[1].document == (
        read_back(standard, json.dumps(saved), diplomacy_game.FORMAT)[1].document
    )
    states = program.loaded_states([{**saved, "phases": saved["phases"][: n + 1]} for n in range(len(saved["phases"]))])
    for n, state in enumerate(states):
        text = json.dumps({**saved, "phases": saved["phases"][: n + 1]})
        position, _ = read_back(standard, text, diplomacy_game.FORMAT)
        again = json.loads(diplomacy_export.write(standard, position, "ostend"))["phases"][-1]["state"]
        assert again["name"] == state["name"]
        for key in ("units", "centers"):
            assert {power: sorted(names) for power, names in again[key].items()} == {
                power: sorted(names) for power, names in state[key].items()
            }
        for power, driven in state["retreats"].items():
            assert {unit: sorted(ends) for unit, ends in again["retreats"][power].items()} == {
                unit: sorted(ends) for unit, ends in driven.items()
            }


# ---- refused in one line

GAME = '<?xml version="1.0"?><game specification="FORMAT_1_0"><variant name="{name}"/>{turns}</game>'
TURN = '<turn season="{season}" phase="{phase}" year="{year}"><positions>{positions}</positions></turn>'
SPRING = TURN.format(season="Spring", phase="Movement", year="1901", positions="{positions}")
FALLEN = (
    '<position province="ber"><unit power="Russia" type="army"/>'
    '<unit power="Germany" type="army" dislodged="true"/></position>'
)
DEEP = "[" * 200_000
REFUSED = {
    "another variant of jDip": GAME.format(name="Ancient Mediterranean", turns=SPRING),
    "no turns": GAME.format(name="Standard", turns=""),
    "no year": GAME.format(name="Standard", turns=SPRING.replace('"1901"', '"long ago"')),
    "an unknown province": GAME.format(
        name="Standard",
        turns=SPRING.format(positions='<position province="xyz"><unit power="Italy" type="army"/></position>'),
    ),
    "an unknown power": GAME.format(
        name="Standard",
        turns=SPRING.format(positions='<position province="rom"><unit power="Rome" type="army"/></position>'),
    ),
    "a wing": GAME.format(
        name="Standard",
        turns=SPRING.format(positions='<position province="rom"><unit power="Italy" type="wing"/></position>'),
    ),
    "no attacker": GAME.format(
        name="Standard", turns=TURN.format(season="Fall", phase="Retreat", year="1901", positions=FALLEN)
    ),
    "cut off": GAME.format(name="Standard", turns=SPRING)[:150],
    "other XML": "<jsx><object/></jsx>",
    "entities": '<?xml version="1.0"?><!DOCTYPE game [<!ENTITY a "aaaa">]><game>&a;</game>',
    "deep XML": "<game>" + "<a>" * 100_000,
    "many elements": "<game>" + "<a/>" * 500_000 + "</game>",
    "deep JSON": '{"id": 1, "phases": ' + DEEP,
    "no state": '{"map": "standard", "phases": [{"name": "S1901M"}]}',
    "phases of numbers": '{"map": "standard", "phases": [1, 2]}',
    "several games": '{"map": "standard", "phases": []}\n{"map": "standard", "phases": []}\n',
    "a dump without powers": '{"map_name": "standard", "phase": "FALL 1901 MOVEMENT"}',
    "no phases": '{"map": "standard", "phases": []}',
    "units of numbers": '{"map": "standard", "phases": [{"state": {"name": "S1901M", "units": {"ITALY": [1]}}}]}',
    "an unknown phase": '{"map": "standard", "phases": [{"state": {"name": "X1901Q", "units": {}, "centers": {}}}]}',
    "a page without orders": "Order history\nSpring, 1901\nAustria\n",
    "a page without powers": "Spring, 1901\nThe army at Rome hold.",
    "a season without powers": "Spring 1901\nA Rom H",
    "an unknown place": "Spring, 1901\nItaly:\nThe army at Roma Antiqua hold.",
    "an order of nobody's": "Spring, 1901\nItaly:\nThe army at Paris hold.",
    "a gap": "Spring 1901\nItaly\nA Rom-Apu\nSpring 1903\nItaly\nA Apu-Rom",
    "winter first": "Winter 1903\nItaly\nBuild A Rom",
    "too many orders": "Spring 1901\nItaly\n" + "A Rom-Apu\n" * 5_000,
    "a far year": "Spring 1901\nItaly\nA Rom-Apu\nFall 9999\nItaly\nA Apu-Rom",
    "source without a season": SOURCE.replace("Fall 1902", "soon"),
    "source cut off": SOURCE[: SOURCE.index("coast")],
    "brackets": "Spring 1901\nItaly\nA Rom-Ven (" + "((((,,,,;;;;" * 20_000,
    "empty lines": "Spring 1901\n" + "\n" * 200_000 + "A Rom-Ven",
    "lines without an end": "Spring 1901\nItaly\n" + "A Rom -\n" * 25_000,
    "many units": '{"map": "standard", "phases": [{"state": {"name": "S1901M", "centers": {}, "units": {"ITALY": ['
    + ",".join(['"A ROM"'] * 100_000)
    + "]}}}]}",
    "no order": "Spring 1901\nItaly\nA Rom-Nowhere",
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_mapped_is_refused_in_one_line(standard: Variant, name: str) -> None:
    form = game_format(REFUSED[name])
    assert form is not None
    with pytest.raises(ExchangeError) as refusal:
        read_back(standard, REFUSED[name], form)
    assert len(str(refusal.value)) <= 300
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("form", [diplomacy_game, jdip, webdiplomacy, backstabbr])
def test_a_variant_that_a_program_does_not_have_is_refused(form: Any) -> None:
    variant = Library([resources.folder("variants")]).variant("youngstown")
    with pytest.raises(UnreadGameError):
        form.FORMAT.read(variant, position_to_json(variant, variant.start), '{"map": "standard", "phases": []}')


@settings(max_examples=60, deadline=None)
@given(seed=SEEDS)
def test_damaged_games_are_read_or_refused(standard: Variant, seed: int) -> None:
    dice = Random(seed)
    played = list(game(standard, seed % 50, 6))
    texts = [write(standard, played[-1][0]) for _, write in FILES.values()]
    texts += [write(standard, played) for _, write in PAGES.values()] + [SOURCE]
    text = dice.choice(texts)
    for _ in range(dice.randint(1, 6)):
        at, far = dice.randrange(len(text)), dice.randint(0, 30)
        text = text[:at] + dice.choice(("", "A", "\n", '"', ">", "1901", "Italy:", " ")) + text[at + far :]
    form = game_format(text)
    if form is not None:
        with suppress(ExchangeError):
            read_back(standard, text, form)
