"""The census of Fin de Siècle: its oceans and what they join, coasts, canals, homes, and what its settings change."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest
from support.shipped import LIBRARY

from gm.judge.board.board import LAND, SEA, Location, Use
from gm.judge.mechanics.dips.dips import DipRights
from gm.judge.model.variant import Variant
from gm.judge.steps.adjustments import removals
from gm.variant_files.setting_choices import single_choices
from gm.variant_files.toml_source import VariantError

SHELF = LIBRARY
OCEANS = {"NAT", "SAT", "IDO", "NPO", "SPO"}
HOMES = {
    "Great Britain": "BOM CAP EDI LON MON SYD",
    "Ottoman Empire": "BAG CON SMY TRP",
    "France": "ALG BRE MAR PAR SAI",
    "Germany": "BER HAM MUN",
    "Austria-Hungary": "BUD TRI VIE",
    "Russia": "MOS ODE STP VLA WAR",
    "United States": "CHI NOR NYK SFR",
    "Chile": "IQU SAN",
    "Holland": "AMS BAT",
    "Spain": "CUB MAD PHI",
    "Mexico": "CHH MEX",
    "Italy": "MIL NAP ROM",
    "Japan": "KYO TOK",
    "Brazil": "REC RIO",
}


@pytest.fixture(scope="module")
def variant() -> Variant:
    return SHELF.variant("fin-de-siecle")


def test_provinces(variant: Variant) -> None:
    provinces = variant.start.board.provinces
    kinds = Counter(p.slots if len(p.slots) < 3 else ("coasts",) for p in provinces.values())
    assert kinds == {(LAND,): 14, (LAND, "coast"): 81, ("coasts",): 14, (SEA,): 40, (): 4}
    assert {p.code for p in provinces.values() if not p.slots} == {"ARC", "ANT", "CAS", "YUK"}
    assert {p.code for p in provinces.values() if p.shared} == OCEANS
    assert sum(p.centre for p in provinces.values()) == 76
    assert {p.code: p.coasts for p in provinces.values() if p.coasts} == {
        **dict.fromkeys(
            ["BAG", "CAM", "COL", "EGY", "HAM", "MAC", "MAD", "MEX", "MIL", "ROM", "SIA", "SWE"], ("ec", "wc")
        ),
        **dict.fromkeys(["SMY", "STP"], ("nc", "sc")),
    }


def test_borders_work_both_ways(variant: Variant) -> None:
    borders = variant.start.board.borders
    passages = [b for b in borders if Use.MOVE in b.uses]
    assert sum(b.start.slot == LAND for b in passages) == 2 * 180
    assert sum(b.start.slot != LAND for b in passages) == 2 * 349
    aid = Use.SUPPORT
    assert {(b.end, b.start, b.uses & ~aid) for b in borders} == {(b.start, b.end, b.uses & ~aid) for b in borders}
    assert all((aid in b.uses) == (b.end.province not in OCEANS) for b in passages)


def test_every_ocean_leads_to_every_other(variant: Variant) -> None:
    board = variant.start.board
    for first, second in permutations(OCEANS, 2):
        assert Location(second, SEA) in board.neighbours(Location(first, SEA), Use.MOVE)
        assert Location(second, SEA) in board.neighbours(Location(first, SEA), Use.CONVOY)


def test_convoys_link_every_ocean_to_every_sea_that_touches_one(variant: Variant) -> None:
    board = variant.start.board
    seas = [p.code for p in board.provinces.values() if p.slots == (SEA,) and p.code not in OCEANS]
    for sea in seas:
        near = {at.province for at in board.neighbours(Location(sea, SEA), Use.MOVE)} & OCEANS
        linked = {at.province for at in board.neighbours(Location(sea, SEA), Use.CONVOY)} & OCEANS
        assert linked == (OCEANS if near else set()), sea
    ashore = {at.province for at in board.neighbours(Location("WAL", LAND), Use.CONVOY)}
    assert ashore & OCEANS == {"NAT"}
    assert not {at.province for at in board.neighbours(Location("BLA", SEA), Use.CONVOY)} & OCEANS


def test_fleets_pass_through_canals_and_isles_but_not_from_coast_to_coast(variant: Variant) -> None:
    board = variant.start.board

    def near(code: str, slot: str = "coast") -> set[str]:
        return {at.province for at in board.neighbours(Location(code, slot), Use.MOVE)}

    assert {"EMD", "RED"} <= near("SUZ")
    assert {"EMD", "BLA"} <= near("CON")
    assert {"BAL", "NTH"} <= near("DEN")
    assert near("HAW") == {"NPO", "SPO"}
    assert near("FIJ") == {"COR", "SPO"}
    assert near("CAR") == {"PHS", "SPO"}
    assert near("EGY", "wc") == {"EMD", "SUZ", "TRP"}
    assert near("EGY", "ec") == {"RED", "SUD", "SUZ"}
    assert near("MEX", "wc") == {"CAM", "CHH", "CLF", "PAN"}
    assert all(slot != SEA for slot in board.provinces["SUZ"].slots)


def test_the_start(variant: Variant) -> None:
    start = variant.start
    assert variant.phase_name(start) == "W1879U"
    assert start.units == ()
    assert {power.name: " ".join(start.centres_of(power.name)) for power in variant.powers} == HOMES
    assert [power.name for power in variant.powers if power.major] == list(HOMES)[:7]
    assert variant.victory == 39
    assert all(not p.centre or p.code not in OCEANS for p in start.board.provinces.values())


def test_distances_do_not_go_over_links_for_convoys_alone(variant: Variant) -> None:

    near = variant.start.board.adjacency.near
    assert "IDO" not in near["TAS"] or Use.MOVE in next(
        b.uses for b in variant.start.board.borders if {b.start.province, b.end.province} == {"TAS", "IDO"}
    )
    assert "SPO" not in near["GSL"]
    assert removals(variant.start, variant, "Chile", 1, set()) == ()


def test_settings(variant: Variant) -> None:
    for options in single_choices(variant.settings):
        SHELF.variant("fin-de-siecle", options)

    def dips(**options: str) -> DipRights:
        rights = SHELF.variant("fin-de-siecle", options).calendar[0].rights  # type: ignore[attr-defined]
        assert isinstance(rights, DipRights)
        return rights

    assert (dips().move, dips(dip_cost_move="5").move) == (3, 5)
    assert (dips().holds.blocks, dips(dip_window="blocks-of-5").holds.blocks) == (False, True)
    assert (dips().show_payer, dips(show_dip_payer="true").show_payer) == (False, True)
    with pytest.raises(VariantError):
        SHELF.variant("fin-de-siecle", {"dip_window": "never"})


def test_hours(variant: Variant) -> None:
    assert variant.hours == {"U": "72 h", "SM": "72 h", "FM": "60 h", "R": "12 h", "A": "12 h"}
