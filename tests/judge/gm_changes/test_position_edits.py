"""Positions compared and mended by hand: what is told of them is all of the difference, and nobody's secret."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from support.scripted_players import game

from gm.judge.board.board import locations
from gm.judge.gm_changes.differences import Difference, difference
from gm.judge.gm_changes.position_edits import (
    DislodgeUnit,
    Edit,
    EditProblem,
    GiveCentre,
    OpenPhase,
    PositionEdit,
    PutUnit,
    SetAccount,
    TakeUnit,
    position_problems,
)
from gm.judge.model.orders import Entry, Hold, UnitRef
from gm.judge.model.position import LedgerKey, Position
from gm.judge.model.variant import Variant
from gm.language.commands.blocks.position_edits import EditTrouble, read_edit, written
from gm.language.i18n.localized_variant import localized
from gm.variant_files.library import Library

SEEDS = st.integers(0, 2**32)
GAMES = 8
"""Phases of a game by dice."""


@pytest.fixture(scope="session")
def europe(shelf: Library) -> Variant:
    return shelf.variant("europe-1933", {"hidden_control": "on"})


def somewhere(variant: Variant, dice: Random) -> list[Position]:
    return [position for position, _, _ in game(variant, dice.randint(0, 50), GAMES)]


def with_secrets(variant: Variant, position: Position, dice: Random, reader: str) -> Position:
    """The same position with other accounts of everybody but the reader, and other lines that wait."""
    ledger = {key: amount for key, amount in position.ledger.items() if key.power == reader}
    budgets = sorted({key.purse for key in position.ledger} | {"IP", "bank", "control"})
    others = ["", *(power.name for power in variant.powers if power.name != reader)]
    for _ in range(dice.randint(0, 6)):
        key = LedgerKey(dice.choice(budgets), dice.choice(others), dice.choice(["", "Poland", "Spain"]))
        ledger[key] = dice.randint(1, 20)
    unit = dice.choice(position.units)
    line = Entry(Hold(UnitRef(unit.kind, unit.at.place)))
    return replace(position, ledger=ledger, ahead={dice.choice(others[1:]): (line,)})


@settings(max_examples=40, deadline=None)
@given(SEEDS)
def test_no_power_learns_another_s_secret(europe: Variant, seed: int) -> None:
    dice = Random(seed)
    known = somewhere(europe, dice)
    was, now = dice.choice(known), dice.choice(known)
    for reader in (*(power.name for power in europe.powers), None, ""):
        shown = difference(europe, was, now, reader)
        other = difference(
            europe,
            with_secrets(europe, was, dice, reader or "nobody"),
            with_secrets(europe, now, dice, reader or "nobody"),
            reader,
        )
        assert shown == other
        assert all(reader and booked.account.power == reader for booked in shown.accounts)


@settings(max_examples=25, deadline=None)
@given(SEEDS)
def test_a_difference_is_all_of_it(europe: Variant, seed: int) -> None:
    """What was, less what is gone, with what has come, is what is; the game master reads every account."""
    dice = Random(seed)
    known = somewhere(europe, dice)
    was, now = dice.choice(known), dice.choice(known)
    assert not difference(europe, was, was, None, master=True)
    changes = difference(europe, was, now, None, master=True)
    units, centres, ledger = set(was.units), set(was.centres.items()), dict(was.ledger)
    for moved in changes.units:
        units = (units - set(moved.was)) | set(moved.now)
    for owned in changes.centres:
        if owned.power:
            centres -= {(code, owned.power) for code in owned.was}
            centres |= {(code, owned.power) for code in owned.now}
    for booked in changes.accounts:
        assert ledger.pop(booked.account, 0) == booked.was
        ledger |= {booked.account: booked.now} if booked.now else {}
    assert units == set(now.units)
    assert centres == set(now.centres.items())
    assert {key: n for key, n in ledger.items() if n} == {key: n for key, n in now.ledger.items() if n}
    assert (changes.phase is None) == (europe.phase_name(was) == europe.phase_name(now))


def edits(variant: Variant, position: Position, dice: Random) -> tuple[Edit, ...]:
    """A few, sensible or not."""
    made: list[Edit] = []
    provinces = sorted(position.board.provinces)
    for _ in range(dice.randint(1, 5)):
        kind = dice.choice([*variant.kinds.values()])
        spots = [at for code in provinces for at in locations(position.board, kind, code)]
        unit = dice.choice(position.units)
        centres = [code for code in provinces if position.board.provinces[code].centre]
        powers = [power.name for power in variant.powers]
        choices: list[Edit] = [
            PutUnit(dice.choice(powers), kind.code, dice.choice(spots)),
            TakeUnit(unit.at.province, dice.choice(["", unit.power]), dice.choice(["", unit.kind])),
            GiveCentre(dice.choice(centres), dice.choice(["", *powers])),
            DislodgeUnit(
                unit.at.province,
                dice.choice(spots).place,
                unit.power,
                dice.choice(["", unit.kind]),
                dice.choice([None, (dice.choice(spots).place, dice.choice(spots).place)]),
            ),
            OpenPhase(position.year + dice.randint(0, 2), dice.randrange(len(variant.calendar))),
        ]
        if variant.influence is not None:
            purse, minors = next(iter(variant.influence.accounts(variant).items()))
            key = LedgerKey(purse, dice.choice(powers), dice.choice(minors))
            choices.append(SetAccount(key, dice.randint(0, 9)))
        made.append(dice.choice(choices))
    return tuple(made)


@settings(max_examples=40, deadline=None)
@example(seed=2130655783)  # "TO StP/sc, Sev": two places
@given(SEEDS)
def test_a_mended_position_is_sound_or_refused(europe: Variant, standard: Variant, seed: int) -> None:
    """And every edit, written out as a line, is read as the same edit."""
    dice = Random(seed)
    variant = dice.choice([europe, standard])
    position = dice.choice(somewhere(variant, dice))
    made = edits(variant, position, dice)
    editing = PositionEdit(made)
    faults = editing.problems(position, variant)
    after = editing.apply(position, variant).position
    if not faults:
        spaces = [(unit.at.province, variant.kinds[unit.kind].layer) for unit in after.units]
        assert len(set(spaces)) == len(spaces)
        assert variant.step(after).due(after, variant)
    for edit in made:
        if isinstance(edit, OpenPhase) and not variant.calendar[edit.at].letter:
            continue
        read = read_edit(written(edit, variant), variant, position)
        assert read == edit, (written(edit, variant), read)


@pytest.mark.parametrize(
    ("lines", "keys"),
    [
        (("KILL A Ber", "UNIT A Ber France"), ()),
        (("KILL A Ber", "UNIT A Kie Germany"), ("two-units",)),
        (("KILL A Bur",), ("nobody-there",)),
        (("UNIT A Bur France", "KILL A Bur"), ()),
        (("UNIT F Den Germany", "OWN Den Germany"), ()),
        (("PHASE S1901R",), ("nothing-due",)),
        (("PHASE W1901A", "KILL Mun"), ()),
        (("PHASE F1901M",), ()),
        (("KILL A Mun", "UNIT A Ber France", "DISLODGE A Ber FROM Mun", "PHASE S1901R"), ()),
        (("DISLODGE A Ber FROM Mun", "UNIT A Ber France", "KILL A Mun", "PHASE S1901R"), ()),
        (("DISLODGE A Ber FROM Mun", "UNIT A Ber France", "PHASE F1901M"), ("must-retreat",)),
        (("DISLODGE A Ber FROM Mun", "PHASE S1901R"), ("no-attacker",)),
        (("DISLODGE F Ber FROM Mun", "PHASE S1901R"), ("nobody-to-drive",)),
        (("UNIT A Ber France", "DISLODGE A Ber FROM BAL", "PHASE S1901R"), ("cannot-come",)),
        (("UNIT A Ber France", "DISLODGE A Ber FROM Mun TO Par", "PHASE S1901R"), ("too-far",)),
        (("UNIT A Ber France", "DISLODGE A Ber FROM Pru TO Kie", "PHASE S1901R"), ("nowhere-to-go",)),
        (("UNIT A Ber France", "DISLODGE A Ber Germany BY A Pru TO Sil, Pru", "PHASE S1901R"), ()),
    ],
)
def test_objections_to_a_position(standard: Variant, lines: tuple[str, ...], keys: tuple[str, ...]) -> None:
    read = [read_edit(line, standard, standard.start) for line in lines]
    made = tuple(edit for edit in read if not isinstance(edit, EditTrouble))
    assert len(made) == len(lines)
    assert tuple(fault.key for fault in PositionEdit(made).problems(standard.start, standard)) == keys


def test_a_dislodged_unit_needs_a_retreat_phase(standard: Variant) -> None:
    """Mended while retreats are due: the phase cannot be left with them open, and a unit put in a way closes it."""
    retreating = next(
        position
        for seed in range(20)
        for position, _, _ in game(standard, seed, 30)
        if any(len(driven.retreats) > 1 for driven in position.dislodged)
    )
    assert position_problems(retreating, standard) == ()
    driven = next(driven for driven in retreating.dislodged if len(driven.retreats) > 1)
    year = retreating.year + 1
    assert PositionEdit((OpenPhase(year, 0),)).problems(retreating, standard) == (
        EditProblem("must-retreat", (f"S{year}M", retreating.dislodged[0].unit.at.province)),
    )
    closed = PutUnit(driven.unit.power, driven.unit.kind, driven.retreats[0])
    after = PositionEdit((closed,)).edited(retreating, standard)
    left = next(dislodged for dislodged in after.dislodged if dislodged.unit == driven.unit)
    assert driven.retreats[0].province not in {at.province for at in left.retreats}
    gone = tuple(TakeUnit(dislodged.unit.at.province, dislodged.unit.power) for dislodged in retreating.dislodged)
    assert PositionEdit((*gone, OpenPhase(year, 0))).problems(retreating, standard) == ()


def test_a_centre_given_by_hand_is_no_gain_of_the_year(standard: Variant) -> None:
    position = replace(standard.start, before=dict(standard.start.centres))
    after = PositionEdit((GiveCentre("Bel", "Germany"), GiveCentre("Mun", ""))).edited(position, standard)
    assert (after.centres.get("Bel"), after.before.get("Bel")) == ("Germany", "Germany")
    assert "Mun" not in after.centres
    assert "Mun" not in after.before
    assert difference(standard, position, after, None) != Difference()


@pytest.mark.parametrize(
    ("line", "free"),
    [("DISLODGE A Ber FROM Mun", ("Pru", "Sil")), ("DISLODGE A Ber FROM Pru TO Pru or Mun", ("Mun", "Pru"))],
)
def test_a_unit_dislodged_by_the_game_master_may_retreat_to_free_places(
    standard: Variant, line: str, free: tuple[str, ...]
) -> None:
    """Kiel is held by a fleet; the attacker's own place is open only where it was written."""
    lines = ("KILL A Mun", "UNIT A Ber France", line, "PHASE S1901R")
    made = tuple(read_edit(text, standard, standard.start) for text in lines)
    editing = PositionEdit(tuple(edit for edit in made if not isinstance(edit, EditTrouble)))
    after = editing.edited(standard.start, standard)
    assert editing.problems(standard.start, standard) == ()
    (driven,) = after.dislodged
    assert (driven.unit.power, driven.by.power, driven.by.kind) == ("Germany", "France", "A")
    assert tuple(str(at.place) for at in driven.retreats) == free
    assert [unit.power for unit in after.units if unit.at.province == "Ber"] == ["France"]


@pytest.mark.parametrize(
    ("line", "same"),
    [
        ("Einheit A Mün Frankreich", "UNIT A Mun France"),
        ("WEG Armee Berlin", "KILL A Ber"),
        ("Vertreibe Flotte Golf von Lyon aus Marseille nach Toskana oder Tyrrhenisches Meer", ""),
        ("Zentrum München niemand", "OWN Mun none"),
        ("Phase H1901M", "PHASE H1901M"),
    ],
)
def test_a_line_in_german_is_the_same_edit(standard: Variant, line: str, same: str) -> None:
    read = read_edit(line, localized(standard, "de"), standard.start)
    if same:
        assert read == read_edit(same, standard, standard.start)
    else:
        assert isinstance(read, DislodgeUnit)
        assert written(read, standard) == "DISLODGE F LYO FROM Mar TO Tus, TYS"
