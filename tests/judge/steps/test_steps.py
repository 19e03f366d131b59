"""Steps before the deadline: who owes what, what is missing, what is odd about a sheet; and what no decree can do."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from support import case_file as casefile
from support.case_runner import unit

from gm.judge.gm_changes.overrule_checks import decree_problems
from gm.judge.model.calendar import resolve_phase
from gm.judge.model.events import CentresCounted, GameEnded, Outcome
from gm.judge.model.orders import Entry, Statement
from gm.judge.model.position import COLLAPSED, Dislodged, LedgerKey, Position, Unit
from gm.judge.model.sheets import Decree, ProblemEffect, Submissions
from gm.judge.model.variant import Variant
from gm.judge.steps.adjustments import allowance


def at(variant: Variant, phase: str, units: dict[str, list[str]], **more: object) -> Position:
    year, step = variant.phase_at(phase)
    placed = tuple(unit(variant, power, text) for power, texts in units.items() for text in texts)
    return replace(variant.start, year=year, at=step, units=placed, **more)  # type: ignore[arg-type]


def sheet(*texts: str, phase: str = "S1901M") -> tuple[Statement, ...]:
    statements = tuple(casefile.statement(text, phase) for text in texts)
    assert None not in statements
    return statements  # type: ignore[return-value]


def problems(variant: Variant, position: Position, power: str, *texts: str) -> list[tuple[str, str, tuple[str, ...]]]:
    phase = variant.phase_name(position)
    checked = variant.step(position).check(position, variant, power, sheet(*texts, phase=phase))
    return [(p.key, p.effect.value, p.places) for p in checked]


def test_moves_are_due_from_powers_with_units(standard: Variant) -> None:
    start = standard.start
    step = standard.step(start)
    assert sorted(step.due(start, standard)) == [p.name for p in standard.powers]
    missing = step.missing(start, standard, "Austria", sheet("A Vie - Gal", "F Tri H"))
    assert [u.at.province for u in missing.units] == ["Bud"]
    assert not step.missing(start, standard, "Austria", sheet("A Vie H", "F Tri H", "A Bud H"))


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["A Lon - Nwy"], [("convoy-missing", "warn", ("Lon", "Nwy", "NTH"))]),
        (["A Lon - Nwy", "F NTH C A Lon - Nwy"], []),
        (["A Lon - Nwy", "F NTH C A Lon - Bel"], [("convoy-missing", "warn", ("Lon", "Nwy", "NTH")),
                                                  ("convoyed-differs", "warn", ("Lon", "Bel"))]),
        (["A Lon - Bre"], []),
        (["A Edi H", "A Lon H", "F NTH S A Edi"], []),
        (["A Edi - Yor", "F NTH S A Edi"], [("supported-moves", "warn", ("Edi",))]),
        (["A Edi - Cly", "F NTH S A Edi - Yor"], [("supported-differs", "warn", ("Edi", "Yor"))]),
        (["A Edi - Par"], [("not-adjacent", "void line", ("Edi", "Par"))]),
        (["A Par H"], [("no-unit", "refuse line", ("Par",))]),
        (["F ENG H"], [("not-yours", "refuse line", ("ENG",))]),
    ],
)  # fmt: skip
def test_problems_of_a_sheet_of_moves(
    standard: Variant, texts: list[str], expected: list[tuple[str, str, tuple[str, ...]]]
) -> None:
    position = at(standard, "F1901M", {"England": ["A Lon", "A Edi", "F NTH"], "France": ["F ENG"]})
    assert problems(standard, position, "England", *texts) == expected


def test_retreats_are_due_only_where_there_is_a_choice(standard: Variant) -> None:
    tri, ven, bud = (
        unit(standard, "Austria", "F Tri"),
        unit(standard, "Italy", "A Ven"),
        unit(standard, "Turkey", "A Bud"),
    )
    alb = unit(standard, "Austria", "F Alb").at
    driven = (Dislodged(tri, ven, (alb,)), Dislodged(bud, ven, ()))
    position = at(standard, "F1901R", {}, dislodged=driven)
    step = standard.step(position)
    assert list(step.due(position, standard)) == ["Austria"]
    assert step.missing(position, standard, "Austria", ()).units == (tri,)
    assert not step.missing(position, standard, "Austria", sheet("F Tri D", phase="F1901R"))
    assert problems(standard, position, "Austria", "F Tri - Ven") == [("no-retreat-there", "void line", ("Ven",))]
    assert problems(standard, position, "Austria", "A Vie - Bud") == [("no-unit-to-retreat", "refuse line", ("Vie",))]


def test_builds_are_counted_with_waives(standard: Variant) -> None:
    position = at(standard, "W1901A", {"Austria": ["A Ser"], "Italy": ["A Tun", "A Rom", "F Nap", "F ION"]})
    step = standard.step(position)
    due = step.due(position, standard)
    assert due["Austria"].builds == 2
    assert due["Austria"].optional
    assert due["Italy"].removals == 1
    assert step.missing(position, standard, "Austria", sheet("Build A Vie", phase="W1901A")).builds == 1
    assert not step.missing(position, standard, "Austria", sheet("Build A Vie", "Waive", phase="W1901A"))
    for waived in (("Waive",), ("Waive", "Build A Vie"), ("Waive 1", "Build A Vie")):
        assert not step.missing(position, standard, "Austria", sheet(*waived, phase="W1901A"))
        assert not problems(standard, position, "Austria", *waived)
    assert step.missing(position, standard, "Austria", sheet("Waive 1", phase="W1901A")).builds == 1
    assert not step.missing(position, standard, "Italy", sheet("Remove F ION", phase="W1901A"))
    listed = problems(standard, position, "Austria", "Build A Vie", "Build F Vie", "Build A Bud", "Build F Tri")
    assert [key for key, _, _ in listed] == ["built-already", "no-build-left"]
    assert all(effect == ProblemEffect.VOID_LINE for _, effect, _ in listed)


def test_builds_are_counted_again_when_the_position_changes(standard: Variant) -> None:
    start = standard.start.having(units=tuple(u for u in standard.start.units if u.power != "France"))
    assert allowance(start, standard, "France") == 3
    assert allowance(start.having(at=1, before={}), standard, "France") == 3
    paris, turk = (unit(standard, power, "A Par") for power in ("France", "Turkey"))
    for changed, count in (
        ({"units": (*start.units, paris)}, 2),
        ({"centres": {code: owner for code, owner in start.centres.items() if code != "Bre"}}, 2),
        ({"dislodged": (Dislodged(paris, turk, ()),)}, 2),
        ({"ledger": {LedgerKey(COLLAPSED, "France"): 1}}, 0),
        ({"units": standard.start.units}, 0),
    ):
        assert allowance(start.having(**changed), standard, "France") == count


def test_a_census_lists_powers_alphabetically(standard: Variant) -> None:
    position = at(standard, "F1901R", {"Austria": ["A Ser", "A Tri"], "Italy": ["A Vie"]})
    legs = resolve_phase(standard, position, Submissions())
    counts = [e for leg in legs for e in leg.turn.events if isinstance(e, CentresCounted)]
    assert [c.power for c in counts] == sorted(p.name for p in standard.powers)
    austria = counts[0]
    assert austria.centres == ("Bud", "Ser", "Tri")
    assert austria.gained == ("Ser",)
    assert austria.lost == ("Vie",)
    assert (austria.units, austria.builds) == (2, 1)
    assert legs[-1].turn.position.before == standard.start.centres


def test_eighteen_do_not_win_against_eighteen(standard: Variant) -> None:
    codes = [p.code for p in standard.start.board.provinces.values() if p.centre]
    tied = dict.fromkeys(codes[:17], "France") | dict.fromkeys(codes[17:], "Italy")
    rules = replace(standard, victory=17)
    position = at(rules, "F1901R", {"France": ["A Bur"], "Italy": ["A Tyr"]}, centres=tied)
    legs = resolve_phase(rules, position, Submissions())
    assert not any(isinstance(e, GameEnded) for leg in legs for e in leg.turn.events)
    more = tied | {codes[17]: "France"}
    legs = resolve_phase(rules, replace(position, centres=more), Submissions())
    assert legs[-1].turn.position.ended is not None
    assert legs[-1].turn.position.ended.winners == ("France",)


# ---- the game master's hand


def decreed(variant: Variant, orders: dict[str, list[str]], *decrees: tuple[Unit, Outcome]) -> list[str]:
    units = {power: [" ".join(t.split()[:2]) for t in texts] for power, texts in orders.items()}
    position = at(variant, "F1901M", units)
    sheets = {(p, p): tuple(Entry(s) for s in sheet(*texts)) for p, texts in orders.items()}
    book = Submissions(sheets, decrees=tuple(Decree(u, o) for u, o in decrees))
    return [p.key for p in decree_problems(position, variant, book)]


def test_decrees_that_cannot_be_carried_out(standard: Variant) -> None:
    vie, war = unit(standard, "Austria", "A Vie"), unit(standard, "Russia", "A War")
    orders = {"Austria": ["A Vie - Gal"], "Russia": ["A War - Gal"]}
    assert decreed(standard, orders, (vie, Outcome.SUCCEEDS)) == []
    both = decreed(standard, orders, (vie, Outcome.SUCCEEDS), (war, Outcome.SUCCEEDS))
    assert both == ["decree-crowd"]
    assert decreed(standard, orders, (vie, Outcome.CUT)) == ["decree-unfit"]
    assert decreed(standard, {"Austria": ["A Vie H"]}, (war, Outcome.BOUNCED)) == ["decree-nowhere"]
    unmatched = {"Austria": ["A Vie S A War - Gal"], "Russia": ["A War H"]}
    assert decreed(standard, unmatched, (vie, Outcome.SUCCEEDS)) == ["decree-unmatched"]
    assert decreed(standard, {"Austria": ["A Vie - NTH"]}, (vie, Outcome.SUCCEEDS)) == ["decree-unfit"]


def test_an_impossible_forced_order_is_reported_and_the_unit_holds(standard: Variant) -> None:
    position = at(standard, "F1901M", {"Austria": ["A Vie"]})
    entries = tuple(
        Entry(s, forced=forced) for s, forced in zip(sheet("A Vie - Par", "A Vie - Gal"), (True, False), strict=True)
    )
    legs = resolve_phase(standard, position, Submissions({("Austria", "Austria"): entries}))
    first, later = legs[0].turn.events[:2]
    assert (first.outcome, first.forced) == (Outcome.ILLEGAL, True)  # type: ignore[attr-defined]
    assert later.outcome is Outcome.SUPERSEDED  # type: ignore[attr-defined]
    assert legs[0].turn.position.units == position.units
