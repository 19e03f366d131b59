"""Lines about dips, units by number and unit placement: how they are written, and errors."""

from __future__ import annotations

import pytest
from support import scripted_players as player
from support.shipped import LIBRARY

from gm import resources
from gm.judge.model.position import Position
from gm.language.formats.json_position import position_from_json
from gm.language.i18n import catalogue
from gm.language.letter.letter_reader import read_letter
from gm.language.lines.letter_contents import LetterContext
from gm.language.orders.sheet_reader import read_order
from gm.language.rendering import error_sentences as mistakes
from gm.language.rendering.order_text import statement

VARIANT = LIBRARY.variant("fin-de-siecle")
ENGLISH = catalogue.load(resources.folder("templates") / "sentences", "en")
UNITS = {
    "Great Britain": ["F NAT", "F NAT", "F SPO", "A LON", "F SAR", "A MON", "A EDI"],
    "Spain": ["F GSL", "F NAT", "A MAD"],
    "France": ["A PAR"],
    "Mexico": ["A MEX", "F PAN"],
    "Chile": ["A SAN", "F NPO"],
}
HERE = position_from_json(VARIANT, {"variant": VARIANT.id, "phase": "S1880M", "units": UNITS, "centers": {}})


def read(text: str, power: str = "Great Britain", position: Position = HERE) -> tuple[list[str], list[str]]:
    """What a letter's lines are taken for, and what is said of the others."""
    letter = [(number, line) for number, line in enumerate(text.split("/n"), 1)]
    reading = read_letter(letter, LetterContext(VARIANT, position, power))
    phase = VARIANT.step(position).letter
    assert reading.prose == 0
    orders = [statement(order.statement, phase) for order in reading.orders]
    return orders, [mistakes.sentence(ENGLISH, trouble) for trouble in reading.troubles]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("3 dips support A LON - PLY", "3 dips support A LON - PLY"),
        ("5 Dips support A(LON)-PLY", "5 dips support A LON - PLY"),
        ("3 Dips supporting Mexico A(MEX) Hold", "3 dips support Mexico A MEX hold"),
        ("three dips support army London to Plymouth", "3 dips support A LON - PLY"),
        ("3dips support A LON hold", "3 dips support A LON hold"),
        ("support A LON - PLY with 3 dips", "3 dips support A LON - PLY"),
        ("3 dips: support A MEX hold", "3 dips support Mexico A MEX hold"),
        ("use 3 dips to support A LON - PLY", "3 dips support A LON - PLY"),
        ("3 dips support Spain F NAT - GSL", "3 dips support Spain F NAT - GSL"),
        ("3 dips support F NAT#2 - WAL", "3 dips support F NAT#2 - WAL"),
        ("3 dips support F NAT - WAL", "3 dips support F NAT - WAL"),
        ("intercept Spain Mexico", "intercept Mexico, Spain"),
        ("Intercept messages between Spain and Mexico", "intercept Mexico, Spain"),
        ("2 dips: intercept United States, Austria-Hungary", "intercept Austria-Hungary, United States"),
        ("intercept the Ottoman Empire & Great Britain", "intercept Great Britain, Ottoman Empire"),
        ("protect against Chile", "protect against Chile"),
        ("1 dip protect my messages against Chile", "protect against Chile"),
        ("protect against interception by Chile", "protect against Chile"),
        ("dips none", "dips none"),
        ("no dips", "dips none"),
        ("F NAT#2 - GSL", "F NAT#2 - GSL"),
        ("F NAT #2 - GSL", "F NAT#2 - GSL"),
        ("Fleet North Atlantic #2 to GSL", "F NAT#2 - GSL"),
        ("F SPO#1 - NAT", "F SPO - NAT"),
        ("F SAR S F NAT - GSL", "F SAR S F NAT - GSL"),
        ("F SAR S F NAT#1 - GSL", "F SAR S F NAT#1 - GSL"),
        ("F SAR S Spanish F NAT - GSL", "F SAR S Spain F NAT - GSL"),
    ],
)
def test_dips_are_read(text: str, meant: str) -> None:
    assert read(text) == ([meant], [])


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("F SAR S F GSL - NAT", "No support is needed or possible into an ocean."),
        ("A MON - NAT", "Armies cannot enter an ocean."),
        (
            "F SPO - GSL",
            "South Pacific Ocean and Gulf of St Lawrence are not adjacent. "
            "(A move from ocean to ocean ends in the ocean.)",
        ),
        ("intercept Spain", "Name two different countries."),
        ("intercept Spain Spain", "Name two different countries."),
        ("protect against", "Against which country? Write protect against Chile."),
        ("F NAT#3 H", "There is no unit with this number. There are F NAT#1 and F NAT#2."),
        ("3 dips support A XYZ hold", "“XYZ” is not a province."),
    ],
)
def test_wrong_lines_have_their_errors(text: str, error: str) -> None:
    assert read(text) == ([], [error])


def test_an_unknown_country_is_answered_with_the_known_ones() -> None:
    orders, (error,) = read("intercept Xyzzy Mexico")
    assert not orders
    assert error.startswith("“Xyzzy” is not a country here.")
    assert "Mexico" in error


def test_a_misspelt_country_is_answered_with_the_one_meant() -> None:
    assert read("intercept Spian Mexico") == ([], ["“Spian” is not a country here. Did you mean Spain?"])


def test_the_country_is_asked_where_fleets_of_several_lie() -> None:
    orders, (error,) = read("F PAN S F NAT - GSL", "Mexico")
    assert not orders
    assert "Great Britain and Spain" in error


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("F NAT - GSL/nF NAT - WAL", ["F NAT#1 - GSL", "F NAT#2 - WAL"]),
        ("F NAT - GSL, F NAT - WAL", ["F NAT#1 - GSL", "F NAT#2 - WAL"]),
        ("F NAT#2 - GSL/nF NAT - WAL", ["F NAT#2 - GSL", "F NAT#1 - WAL"]),
        ("F NAT - GSL/nF NAT#2 - WAL", ["F NAT#1 - GSL", "F NAT#2 - WAL"]),
        ("F SPO - IDO/nF NAT H", ["F SPO - IDO", "F NAT#1 H"]),
    ],
)
def test_the_nth_line_goes_to_the_nth_fleet(text: str, meant: list[str]) -> None:
    assert read(text) == (meant, [])


def test_a_line_too_many_is_an_error() -> None:
    orders, (error,) = read("F NAT - GSL/nF NAT - WAL/nF NAT - ENG")
    assert orders == ["F NAT#1 - GSL", "F NAT#2 - WAL"]
    assert error.startswith("You have fewer fleets there than lines for them.")


@pytest.mark.parametrize(
    ("power", "text", "meant"),
    [
        ("Great Britain", "LON F, EDI A", ["F LON", "A EDI"]),
        ("Great Britain", "LON F, all others A", ["F LON", "A BOM", "A CAP", "A EDI", "A MON", "A SYD"]),
        ("Great Britain", "LON: F/nEDI = A", ["F LON", "A EDI"]),
        ("Great Britain", "London fleet/nA EDI", ["F LON", "A EDI"]),
        ("Russia", "STP F/sc, MOS A", ["F STP/sc", "A MOS"]),
        ("Russia", "F St Petersburg (north coast)", ["F STP/nc"]),
    ],
)
def test_choices_of_units(power: str, text: str, meant: list[str]) -> None:
    assert read(text, power, VARIANT.start) == (meant, [])


def test_wrong_choices() -> None:
    assert read("MOS F", "Russia", VARIANT.start)[1] == ["No fleet can stand in Moscow."]
    assert (
        "F STP/nc"
        in read_letter([(1, "STP F")], LetterContext(VARIANT, VARIANT.start, "Russia")).troubles[0].suggestions
    )
    (error,) = read("PAR F", "Great Britain", VARIANT.start)[1]
    assert error.startswith("Paris is not one of your first centres.")


@pytest.mark.parametrize("seed", range(4))
def test_written_dips_are_read_back(seed: int) -> None:
    seen = 0
    for position, book, _ in player.game(VARIANT, seed, 60):
        letter = VARIANT.step(position).letter
        for power, _ in book.sheets:
            stored = LetterContext(VARIANT, position, power, any_unit=True)
            for entry in book.entries(power):
                text = statement(entry.statement, letter)
                assert read_order(text, stored) == entry.statement, text
                seen += 1
    assert seen > 200
