"""Every case of tests/cases, stage by stage: outcomes, causes, the position afterwards with its retreats."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from support import case_file as casefile
from support import case_runner as caserun
from support.case_file import Case

from gm.judge.mechanics.influence.bid_orders import CoalitionVote
from gm.judge.model.events import Allocated, OrderResult
from gm.judge.model.orders import Allocate, Hold
from gm.judge.model.rulebooks import RULEBOOKS
from gm.judge.model.variant import Variant
from gm.language.rendering import order_text as write
from gm.variant_files.library import Library

CASES = list(casefile.cases())


def test_cases_are_found_once() -> None:
    stages = [(case.id, case.phase) for case in CASES]
    assert len(stages) == len(set(stages))
    assert len({case.id for case in CASES}) >= 160


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.id}-{case.phase}")
def test_case(case: Case, shelf: Library) -> None:
    variant = shelf.variant(case.variant, case.options)
    if case.edition:
        variant = replace(variant, rulebook=RULEBOOKS[case.edition])
    _, legs = caserun.run(case, variant)
    left = caserun.results(legs[:1])
    paid = [event for event in legs[0].turn.events if isinstance(event, Allocated)]
    votes = [event for event in legs[0].turn.events if isinstance(event, CoalitionVote)]
    for line, statement in caserun.statements(case):
        if isinstance(statement, Allocate):
            same = [e for e in paid if (e.power, e.points, e.order) == (line.power, statement.points, statement.order)]
            if same:
                paid.remove(same[0])
            outcome = (same[0].why or "followed") if same else "refused"
            assert outcome == line.expected, f"{line.place} {line.text}"
            continue
        if "/" in line.power:
            heard = next(e for e in votes if (f"{e.power}/{e.minor}", e.order) == (line.power, statement))
            votes.remove(heard)
            assert ("followed" if heard.followed else "outvoted") == line.expected, f"{line.place} {line.text}"
            continue
        if statement is None:
            unit = caserun.unit(variant, line.power, line.text)
            result = next(r for r in left if r.unit == unit and not r.given)
        else:
            result = next(r for r in left if r.power == line.power and r.given and r.order == statement)
        left.remove(result)
        assert matches(line.expected, caserun.outcome_words(result)), f"{line.place} {line.text}"
    for rule in case.rules:
        text, _, expected = rule.partition(" => ")
        power = next(nation for nation in variant.nations if text.startswith(f"{nation} "))
        order = text.removeprefix(f"{power} ")
        result = next(r for r in left if r.power == power and write.statement(r.order, case.phase[-1]) == order)
        left.remove(result)
        assert matches(expected, caserun.outcome_words(result)), f"{case.place} {rule}"
    assert not votes, "votes that no line of the case accounts for"
    assert not paid, "points that no line of the case accounts for"
    unasked = [r for r in left if r.given and not idle(r, variant)]
    assert not unasked, "an order that no line of the case accounts for"
    after = legs[0].turn.position
    wanted = [line for line in case.then if not line.startswith("retreat ")]
    stand = caserun.after(after, variant)
    assert all(line in stand for line in wanted) if case.whole else stand == wanted
    if case.phase.endswith("M"):
        assert sorted(caserun.driven_out(legs[:1])) == sorted(line for line in case.then if line.startswith("retreat "))
    assert caserun.events(legs, case.events) == case.events
    ledger = legs[-1].turn.position.ledger
    assert {key: ledger.get(key, 0) for key, _ in case.accounts} == dict(case.accounts)
    for what, of, like in case.map:
        assert caserun.seen(legs[0].turn.position, variant, what, of, like) == like, f"{case.place} {what} {of}"
    if case.next:
        assert variant.phase_name(legs[-1].turn.position) == case.next
    if case.over:
        ended = legs[-1].turn.position.ended
        assert ended is not None
        assert f"{ended.why} {' '.join(ended.winners)}" == case.over


def idle(result: OrderResult, variant: Variant) -> bool:
    """A minor power's unit that held, undisturbed."""
    seats = {power.name for power in variant.powers}
    return result.power not in seats and isinstance(result.order, Hold) and not result.dislodged_by


def matches(expected: str, outcome: str) -> bool:
    """All words of the expectation, in their order; the case need not say the rest."""
    assert expected, "a case says the outcome of every order"
    words = iter(outcome.split())
    return all(any(word == other for other in words) for word in expected.split())
