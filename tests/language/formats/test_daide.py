"""DAIDE's messages word by word. The examples are those of DAIDE's own document on the message syntax."""

from __future__ import annotations

import re
from typing import Any

import pytest

from gm import resources
from gm.judge.model.variant import Variant
from gm.language.formats.common import Exported, NoPhase
from gm.language.formats.daide import reader as daidereader
from gm.language.formats.daide import writer as daide
from gm.language.formats.daide.tokens import language, tokens
from gm.language.formats.json_position import ExchangeError, position_from_json, position_to_json
from gm.variant_files.library import Library

BORDERS = """
(ANK (AMY ARM CON SMY) (FLT ARM BLA CON))
(ADR (FLT ALB APU ION TRI VEN))
(CON (AMY ANK BUL SMY) (FLT AEG ANK BLA (BUL ECS) (BUL SCS) SMY))
(BUL (AMY CON GRE RUM SER) ((FLT ECS) BLA CON RUM) ((FLT SCS) AEG CON GRE))
(BOH (AMY GAL MUN SIL TYR VIE))
""".strip().splitlines()
CENTRES = (
    "SCO (AUS BUD TRI VIE) (ENG EDI LON LVP) (FRA BRE MAR PAR) (GER BER KIE MUN) (ITA NAP ROM VEN) "
    "(RUS MOS SEV STP WAR) (TUR ANK CON SMY) (UNO SER BEL BUL DEN GRE HOL NWY POR RUM SPA SWE TUN)"
)
PROVINCES = """
ADR AEG ALB ANK APU ARM BAL BAR BEL BER BLA BOH BRE BUD BUL BUR CLY CON DEN EAS ECH EDI FIN GAL GAS GOB GOL GRE HEL HOL
ION IRI KIE LON LVN LVP MAO MAR MOS MUN NAF NAO NAP NTH NWG NWY PAR PIC PIE POR PRU ROM RUH RUM SER SEV SIL SKA SMY SPA
STP SWE SYR TRI TUN TUS TYR TYS UKR VEN VIE WAL WAR WES YOR
"""


@pytest.fixture(scope="module")
def shelf() -> Library:
    return Library([resources.folder("variants")])


@pytest.fixture(scope="module")
def standard(shelf: Library) -> Variant:
    return shelf.variant("standard")


def written(variant: Variant, told: dict[str, Any], orders: dict[str, list[str]] | None = None) -> Exported:
    own = position_to_json(variant, variant.start)
    position = position_from_json(variant, own | told)
    return daide.write(variant, position, position_to_json(variant, position) | {"orders": orders or {}})


def messages(exported: Exported) -> list[str]:
    """Each on one line."""
    return [" ".join(one.split()) for one in exported.text.split("\n\n")]


def read(variant: Variant, text: str) -> dict[str, Any]:
    return daidereader.read(variant, variant.start, text)


def test_the_start_of_standard(standard: Variant) -> None:
    name, board, now, centres = messages(written(standard, {}))
    assert name == "MAP ('standard')"
    assert board.startswith("MDF (AUS ENG FRA GER ITA RUS TUR) (((AUS BUD VIE TRI) (ENG EDI LON LVP)")
    assert all(one in board for one in BORDERS)
    assert now.startswith("NOW (SPR 1901) (AUS AMY BUD) (AUS AMY VIE) (AUS FLT TRI)")
    assert "(RUS FLT (STP SCS))" in now
    assert centres == CENTRES


def test_standards_words_are_those_of_the_document(standard: Variant) -> None:
    told = tokens(standard, standard.start.board)
    assert sorted(told.provinces.values()) == PROVINCES.split()
    assert list(told.powers.values()) == ["AUS", "ENG", "FRA", "GER", "ITA", "RUS", "TUR"]
    assert (told.provinces["ENG"], told.provinces["BOT"], told.provinces["LYO"]) == ("ECH", "GOB", "GOL")
    names = ["BOT (Gulf of Bothnia)", "ENG (English Channel)", "LYO (Gulf of Lyon)"]
    assert list(written(standard, {}).provinces) == list(zip(("GOB", "ECH", "GOL"), names, strict=True))


@pytest.mark.parametrize("name", ["youngstown", "locarno", "europe-1933", "fin-de-siecle", "seismic"])
def test_other_boards_have_words_of_their_own(shelf: Library, name: str) -> None:
    """Three capital letters, none twice, none of the language itself, and at most 256 provinces."""
    variant = shelf.variant(name)
    told = tokens(variant, variant.start.board)
    every = [*told.powers.values(), *told.provinces.values()]
    assert len(set(every)) == len(every)
    assert all(re.fullmatch("[A-Z]{3}", word) for word in every)
    assert not language().reserved.intersection(every)
    assert len(told.provinces) <= 256


def test_words_that_are_not_plain_are_told(shelf: Library) -> None:
    """East China Sea is ECS with us, and the east coast in DAIDE."""
    told = written(shelf.variant("youngstown"), {})
    assert ("AUS", "Austria-Hungary") in told.powers
    called = {name: word for word, name in told.provinces}
    assert called["ECS (East China Sea)"] not in ("ECS", "EAS")
    assert called["ENG (English Channel)"] not in ("ENG", "ECH")
    assert "Bud (Budapest)" not in called


@pytest.mark.parametrize(
    ("units", "power", "line", "said"),
    [
        ({"England": ["A Lvp"]}, "England", "A Lvp H", "((ENG AMY LVP) HLD)"),
        ({"England": ["F Lon"]}, "England", "F Lon - NTH", "((ENG FLT LON) MTO NTH)"),
        ({"England": ["F Lon", "F Edi"]}, "England",
         "F Edi S F Lon - NTH", "((ENG FLT EDI) SUP (ENG FLT LON) MTO NTH)"),
        ({"England": ["F BAR"]}, "England", "F BAR - StP/nc", "((ENG FLT BAR) MTO (STP NCS))"),
        ({"England": ["F BAR"]}, "England", "F BAR - StP", "((ENG FLT BAR) MTO (STP NCS))"),
        (
            {"England": ["F BAR", "F Nwy"]}, "England", "F Nwy S F BAR - StP/nc",
            "((ENG FLT NWY) SUP (ENG FLT BAR) MTO STP)",
        ),
        (
            {"England": ["A Yor"], "Germany": ["F NTH"]}, "Germany", "F NTH C A Yor - Nwy",
            "((GER FLT NTH) CVY (ENG AMY YOR) CTO NWY)",
        ),
        ({"Italy": ["A Tun"]}, "Italy", "A Tun - ION - EAS - Syr", "((ITA AMY TUN) CTO SYR VIA (ION EAS))"),
        ({"Russia": ["F StP/sc"]}, "Russia", "F StP - BOT", "((RUS FLT (STP SCS)) MTO GOB)"),
        ({"Germany": ["A Mun"], "France": ["A Bur"]}, "Germany", "A Mun S A Bur", "((GER AMY MUN) SUP (FRA AMY BUR))"),
    ],
)  # fmt: skip
def test_orders_for_moves(standard: Variant, units: dict[str, list[str]], power: str, line: str, said: str) -> None:
    told = written(standard, {"units": units}, {power: [line]})
    assert messages(told)[4] == f"SUB (SPR 1901) {said}"
    assert not told.unsaid


def test_a_way_by_sea_is_the_shortest_of_the_fleets_that_convoy(standard: Variant) -> None:
    units = {"England": ["A Lon", "F NTH", "F ENG", "F IRI", "F MAO"]}
    orders = ["A Lon - Nwy", "F NTH C A Lon - Nwy", "F ENG C A Lon - Por", "F MAO C A Lon - Por"]
    told = written(standard, {"units": units}, {"England": orders})
    assert "((ENG AMY LON) CTO NWY VIA (NTH))" in messages(told)[4]
    assert told.ways == ("A Lon - NTH - Nwy",)
    told = written(standard, {"units": units}, {"England": ["A Lon - Por", *orders[1:]]})
    assert "((ENG AMY LON) CTO POR VIA (ECH MAO))" in messages(told)[4]


def test_what_has_no_words_is_named(standard: Variant) -> None:
    """No fleet takes the army across; nothing stands in Bohemia."""
    lines = ["A Lon - Nwy", "A Lon S A Boh - Tyr", "F NTH H"]
    told = written(standard, {"units": {"England": ["A Lon", "F NTH"]}}, {"England": lines})
    assert told.unsaid == ("England: A Lon - Nwy", "England: A Lon S A Boh - Tyr")
    assert messages(told)[4] == "SUB (SPR 1901) ((ENG FLT NTH) HLD)"


def test_nothing_stands_in_switzerland(standard: Variant) -> None:
    lines = ["A Mun - Swi", "A Mun S A Bur - Swi", "A Mun - Swi - Pie"]
    told = written(standard, {"units": {"Germany": ["A Mun"], "France": ["A Bur"]}}, {"Germany": lines})
    assert told.unsaid == tuple(f"Germany: {line}" for line in lines)


def test_what_one_power_writes_for_another_is_named(shelf: Library) -> None:
    variant = shelf.variant("europe-1933")
    told = written(variant, {"phase": "S1933M"}, {"Germany/Poland": ["A War H"]})
    assert told.unsaid == ("Germany/Poland: A War H",)


RETREATS = {
    "phase": "S1901R", "units": {"Italy": ["A Tri"]},
    "dislodged": {"Austria": [{"unit": "F Tri", "by": "A Ven", "retreats": ["Alb", "ADR"]}]},
}  # fmt: skip


def test_retreats(standard: Variant) -> None:
    told = written(standard, RETREATS, {"Austria": ["F Tri - Alb"]})
    assert messages(told)[2] == "NOW (SUM 1901) (ITA AMY TRI) (AUS FLT TRI MRT (ALB ADR))"
    assert messages(told)[4] == "SUB (SUM 1901) ((AUS FLT TRI) RTO ALB)"
    assert messages(written(standard, RETREATS, {"Austria": ["F Tri D"]}))[4].endswith("((AUS FLT TRI) DSB)")


def test_builds(standard: Variant) -> None:
    owned = {
        "phase": "W1901A", "units": {"Italy": ["F ION"], "Turkey": ["A Smy", "A Con"]},
        "centers": {"Italy": ["Nap", "Rom", "Ven", "Tun"], "Turkey": ["Smy"]},
    }  # fmt: skip
    told = written(standard, owned, {"Italy": ["Build F Nap", "Waive"], "Turkey": ["Remove A Con"]})
    assert messages(told)[4:] == [
        "SUB (WIN 1901) ((ITA FLT NAP) BLD) (ITA WVE) (ITA WVE)",
        "SUB (WIN 1901) ((TUR AMY CON) REM)",
    ]


def test_a_phase_without_a_turn_is_not_written(shelf: Library) -> None:
    variant = shelf.variant("europe-1933")
    with pytest.raises(NoPhase):
        written(variant, {"phase": "S1933B"})


# ---- reading


def test_case_and_line_breaks_mean_nothing(standard: Variant) -> None:
    told = read(standard, "sub((eng\namy lvp)hld)((ENG FLT LON)MTO\n\n nth)")
    assert told == {"orders": {"England": ["A Lvp H", "F Lon - NTH"]}}


def test_numbers_and_names_as_other_programs_print_them(standard: Variant) -> None:
    told = read(standard, "MAP ( s t a n d a r d ) NOW ( FAL #1903 ) ( FRA FLT ( SPA NCS ) )")
    assert (told["phase"], told["units"]) == ("F1903M", {"France": ["F Spa/nc"]})


def test_results_of_the_open_turn_are_orders(standard: Variant) -> None:
    told = read(standard, "ORD (SPR 1901) ((FRA AMY PAR) MTO BUR) (BNC RET)")
    assert told == {"orders": {"France": ["A Par - Bur"]}}


def test_who_drove_a_unit_out_is_guessed_from_where_it_may_not_go(standard: Variant) -> None:
    text = "NOW (SUM 1901) (ITA AMY TRI) (AUS AMY TRI MRT (ALB BUD SER TYR VIE))"
    assert read(standard, text)["dislodged"] == {
        "Austria": [{"unit": "A Tri", "by": "A Ven", "retreats": ["Alb", "Bud", "Ser", "Tyr", "Vie"]}]
    }


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("NOW (SPR 1901)\n(AUS AMY XYZ)", "line 2: no province of Standard (at 'XYZ')"),
        ("NOW (SPR 1901) (XYZ AMY BUD)", "line 1: no power; there are AUS, ENG"),
        ("NOW (SPR 1901) (AUS XYZ BUD)", "line 1: no kind of unit; there are AMY, FLT"),
        ("NOW (SPR 1901) (RUS FLT (STP XCS))", "line 1: no coast; there are NCS"),
        ("NOW (ABC 1901) (AUS AMY BUD)", "line 1: no turn; one is SPR, SUM, FAL, AUT, WIN"),
        ("NOW (SPR 1901) (AUS AMY BUD MRT)", "line 1: a unit is a power, AMY or FLT, and a province"),
        ("NOW (SPR 1901) ()", "line 1: a unit is a power, AMY or FLT, and a province"),
        ("SUB ()", "line 1: no order; one is like ((FRA AMY PAR) MTO BUR)"),
        ("SUB (())", "line 1: no order; one is like ((FRA AMY PAR) MTO BUR)"),
        ("SCO ()", "line 1: whose centres are these?"),
        ("NOW ()", "line 1: no turn"),
        ("NOW (SPR 1901) (AUS AMY BUD", "line 1: a bracket is never closed"),
        ("NOW (SPR 1901))", "line 1: a bracket is closed that was never opened"),
        ("NOW", "line 1: a turn must follow"),
        ("NOW (SUM 1901) (ITA AMY TRI) (AUS FLT TRI MRT ()) (AUS FLT TRI MRT ())", "two units must retreat from Tri"),
        ("HLO (AUS)", "line 1: no message begins so; there are MAP, MDF, NOW, SCO, SUB, ORD"),
        ("MAP ('youngstown')", "line 1: the map is 'youngstown', and this game's is standard"),
        ("SUB\n((FRA AMY PAR) XYZ BUR)", "line 2: no order reads so"),
        ("SUB ((FRA AMY PAR) CTO BUR VIA ())", "line 1: VIA needs the seas in brackets"),
        ("SUB (FAL 1901) ((FRA AMY PAR) HLD)", "line 1: these orders are of F1901M, and the position is of S1901M"),
        ("ORD (AUT 1900) ((FRA AMY PAR) DSB) (SUC)", "line 1: these orders are of F1900R"),
        ("SUB " + "(" * 40, "line 1: too much for DAIDE's messages"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(standard: Variant, text: str, why: str) -> None:
    with pytest.raises(ExchangeError, match=re.escape(why)):
        read(standard, text)
