"""Boards whose borders move: Standard's two descriptions agree, and what must hold after any events."""

from __future__ import annotations

from itertools import permutations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.random_border_orders import event, meaning, near

from gm.judge.board.board import SEA, Border, Location, Use
from gm.judge.board.planar_board import PlanarBoard
from gm.judge.board.rotation import InvalidMap, RotationChange, RotationSystem, build_rotation
from gm.judge.mechanics.moving_borders.apply_changes import apply_changes, heirs
from gm.judge.mechanics.moving_borders.conflicts import blocked, clash
from gm.judge.mechanics.moving_borders.order_meaning import BorderChange
from gm.judge.model.variant import Variant
from gm.variant_files.library import Library

SEEDS = st.integers(0, 2**32)
FEW = settings(max_examples=40, deadline=None)


@pytest.fixture(scope="module")
def opening(shelf: Library) -> PlanarBoard:
    board = shelf.variant("seismic").start.board
    assert isinstance(board, PlanarBoard)
    return board


def shaken(board: PlanarBoard, dice: Random, events: int) -> PlanarBoard:
    for _ in range(events):
        done = meaning(board, event(board, dice))
        if done is not None:
            board = apply_changes(board, [done], {}).board
    return board


# ---- the opening


def test_two_descriptions_one_board(opening: PlanarBoard, standard: Variant) -> None:
    table = standard.start.board
    assert {code: area for code, area in opening.provinces.items() if code != "Ire"} == dict(table.provinces)
    assert not opening.provinces["Ire"].slots

    def plain(borders: tuple[Border, ...]) -> set[tuple[Location, Location, Use]]:
        return {(border.start, border.end, border.uses) for border in borders}

    assert plain(opening.borders) == plain(table.borders)
    assert len(opening.borders) == len(table.borders)
    ours, theirs = opening.adjacency, table.adjacency
    assert ours.convoys.keys() == theirs.convoys.keys()
    for at in theirs.moves:
        assert set(ours.moves[at]) == set(theirs.moves[at])
        assert set(ours.convoys[at]) == set(theirs.convoys[at])
        assert ours.supports[at] == theirs.supports[at]


def test_broken_lists_are_reported(opening: PlanarBoard) -> None:
    lists = {code: [list(ring) for ring in rings] for code, rings in opening.lists.items()}

    def broken(**changed: list[list[str]]) -> str:
        with pytest.raises(InvalidMap) as raised:
            build_rotation(lists | changed)
        assert "\n" not in str(raised.value)
        return str(raised.value)

    assert "Tyr" in broken(Swi=[["Mun", "Pie", "Mar", "Bur"]])
    assert broken(Swi=[["Tyr", "Mun", "Pie", "Mar", "Bur"]])
    assert broken(Swi=[["Mun", "Tyr", "Pie"], ["Mar", "Bur"]])
    assert "itself" in broken(Por=[["MAO", "Spa", "Por"]])
    assert "Xyz" in broken(Por=[["MAO", "Xyz"]])
    with pytest.raises(InvalidMap, match="missing"):
        opening.with_lists({code: rings for code, rings in lists.items() if code != "Por"})


# ---- after any events


@FEW
@given(SEEDS, st.integers(1, 25))
def test_any_events_leave_a_map(opening: PlanarBoard, seed: int, events: int) -> None:
    board = shaken(opening, Random(seed), events)
    board.rotation.check()
    pairs = {(border.start, border.end, border.uses) for border in board.borders}
    assert {(end, start, uses) for start, end, uses in pairs} == pairs
    standing = {at for area in board.provinces.values() for at in area.locations}
    assert {start for start, _, _ in pairs} <= standing
    fresh = opening.with_lists(board.lists)
    assert fresh == board
    assert hash(fresh) == hash(board)
    assert fresh.provinces == board.provinces
    assert fresh.marks == board.marks
    assert {(b.start, b.end, b.uses) for b in fresh.borders} == pairs
    for code, area in board.provinces.items():
        assert len(set(area.slots)) == len(area.slots), code


@FEW
@given(SEEDS, st.integers(0, 12))
def test_a_flip_and_back_is_nothing(opening: PlanarBoard, seed: int, events: int) -> None:
    dice = Random(seed)
    board = shaken(opening, dice, events)
    flips = [s for s, (code, _) in board.rotation.sides.items() if len(set(board.rotation.ends(code, s) or ())) == 2]
    stretch = dice.choice(flips)
    there = board.rotation.flip(stretch)
    (new,) = set(there.after.sides) - set(board.rotation.sides)
    back = there.after.flip(new)
    after = board.after([there, back])
    assert after == board
    assert after.provinces == board.provinces
    assert set(after.borders) == set(board.borders)


@FEW
@given(SEEDS, st.integers(0, 12))
def test_a_province_cut_off_and_released_is_back(opening: PlanarBoard, seed: int, events: int) -> None:
    dice = Random(seed)
    board = shaken(opening, dice, events)
    cuts = [s for s, (code, _) in board.rotation.sides.items() if len(set(board.rotation.ends(code, s) or ())) == 1]
    if not cuts:
        return
    stretch = dice.choice(cuts)
    first, second = board.rotation.sides[stretch]
    around = (board.rotation.ends(first, stretch) or ("",))[0]
    there = board.rotation.flip(stretch)
    sides = [there.after.between(code, around) for code in (first, second)]
    joined = {
        board.after([there, there.after.release(a, c, around)])
        for a in sides[0]
        for c in sides[1]
        if there.after.ring(around, a) != there.after.ring(around, c)
    }
    assert board in joined


# ---- several events of one phase


def by_trial(rotation: RotationSystem, deeds: tuple[BorderChange, ...]) -> bool:
    """Whether these can be carried out one after the other in this order, each as it was meant at the start."""
    changes: list[RotationChange] = []
    now = rotation
    for deed in deeds:
        became = heirs(changes)
        left = [became.get(stretch, (stretch,)) for stretch in deed.stretches]
        if not all(left):
            return False
        try:
            if deed.within:
                changes.append(now.release(left[0][0], left[1][0], deed.within))
            else:
                first, second = rotation.sides[deed.stretches[0]]
                ends = sorted(rotation.ends(first, deed.stretches[0]) or ())
                if len(left[0]) > 1 or sorted(now.ends(first, left[0][0]) or ()) != ends:
                    return False
                if now.sides[left[0][0]] not in ((first, second), (second, first)):
                    return False
                changes.append(now.flip(left[0][0]))
        except InvalidMap:
            return False
        now = changes[-1].after
    return True


@FEW
@given(SEEDS, st.integers(2, 15))
def test_pairs_clash_when_they_cannot_both_be_carried_out(opening: PlanarBoard, seed: int, events: int) -> None:
    dice = Random(seed)
    board = shaken(opening, dice, events)
    for _ in range(12):
        deeds = {deed for deed in (meaning(board, near(board, dice)) for _ in range(3)) if deed}
        for first, second in permutations(deeds, 2):
            assert clash(board.rotation, first, second) != by_trial(board.rotation, (first, second)), (first, second)


@FEW
@given(SEEDS, st.integers(4, 15))
def test_possible_moves_happen_and_others_are_obstructed(opening: PlanarBoard, seed: int, events: int) -> None:
    dice = Random(seed)
    board = shaken(opening, dice, events)
    deeds = {
        deed: dice.choice((1, 1, 1, 2, 3)) for deed in (meaning(board, near(board, dice)) for _ in range(6)) if deed
    }
    for blocking in (True, False):
        against = blocked(board.rotation, deeds, blocking=blocking)
        done = tuple(deed for deed in deeds if not against[deed])
        assert by_trial(board.rotation, done)
        assert by_trial(board.rotation, done[::-1])
        for deed, others in against.items():
            assert all(deeds[other] >= deeds[deed] for other in others)
            if others:
                assert not all(by_trial(board.rotation, order) for order in permutations((deed, *others)))


@FEW
@given(SEEDS, st.integers(4, 15))
def test_the_order_of_events_makes_no_difference(opening: PlanarBoard, seed: int, events: int) -> None:
    """Whatever is carried out first. Where islands come to one border, they stand there in the order that is told."""
    dice = Random(seed)
    board = shaken(opening, dice, events)
    deeds = dict.fromkeys((deed for deed in (meaning(board, near(board, dice)) for _ in range(5)) if deed), 1)
    done = [deed for deed, others in blocked(board.rotation, deeds).items() if not others]
    together = apply_changes(board, done, {})
    shared = [s for deed in done if deed.within for s in deed.stretches]
    for _ in range(4):
        dice.shuffle(done)
        assert apply_changes(board, done, {}).board == together.board
        if len(set(shared)) == len(shared):
            assert one_by_one(board, done) == together.board
    for row in together.rows:
        order = [code for ring in together.board.lists[row.province] for code in (*ring, *ring)]
        left = iter(order)
        assert all(code in left for code in row.islands), (row, order)


def one_by_one(board: PlanarBoard, deeds: list[BorderChange]) -> PlanarBoard:
    changes: list[RotationChange] = []
    now = board.rotation
    for deed in deeds:
        became = heirs(changes)
        left = [became.get(stretch, (stretch,)) for stretch in deed.stretches]
        changes.append(now.release(left[0][0], left[1][0], deed.within) if deed.within else now.flip(left[0][0]))
        now = changes[-1].after
    return board.after(changes)


def test_seas_stay_seas_and_names_come_back(opening: PlanarBoard) -> None:
    (stretch,) = opening.rotation.between("Rum", "BLA")
    there = opening.rotation.flip(stretch)
    gone = opening.after([there])
    assert not gone.coasts["Rum"]
    assert gone.with_stranded(["Rum", "Bul"]).stranded == {"Rum"}
    (new,) = set(there.after.sides) - set(opening.rotation.sides)
    assert opening.after([there, there.after.flip(new)]) == opening
    assert all(opening.provinces[code].slots == (SEA,) for code in ("BLA", "MAO"))
