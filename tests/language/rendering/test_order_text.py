"""Orders and their fates in words: the sentences of the model letters, and none that is missing."""

from __future__ import annotations

import ast

import pytest
from support import case_file as casefile
from support import case_runner as caserun
from support.paths import ROOT

from gm.judge.board.board import Place
from gm.judge.model.orders import Build, Disband, Hold, Move, UnitRef, Waive
from gm.judge.model.variant import Variant
from gm.language.i18n.catalogue import Catalogue, load, outcomes
from gm.language.rendering import order_text as write
from gm.variant_files.library import Library

PAR = UnitRef("A", Place("Par"))


@pytest.fixture(scope="module")
def standard() -> Variant:
    return Library([ROOT / "variants"]).variant("standard")


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load(ROOT / "templates" / "sentences", "en")


def test_outcomes_are_opened_first_and_every_other_sentence_when_it_is_asked_for(catalogue: Catalogue) -> None:
    quick = outcomes(ROOT / "templates" / "sentences")
    assert quick.say("outcome.bounced") == catalogue.say("outcome.bounced")
    assert "no.such" not in quick
    late = outcomes(ROOT / "templates" / "sentences")
    assert late.say("trouble.not-understood", word="x") == catalogue.say("trouble.not-understood", word="x")
    assert "outcome.bounced" in late
    with pytest.raises(KeyError):
        late.say("no.such")


@pytest.mark.parametrize(
    ("said", "letter", "text"),
    [
        (Hold(PAR), "M", "A Par H"),
        (Move(PAR, Place("Bur")), "M", "A Par - Bur"),
        (Move(UnitRef("A", Place("Lon")), Place("Nwy"), via=True), "M", "A Lon - Nwy VIA"),
        (Disband(PAR), "R", "A Par D"),
        (Disband(PAR), "A", "Remove A Par"),
        (Build(UnitRef("F", Place("StP", "nc"))), "A", "Build F StP/nc"),
        (Waive(), "A", "Waive"),
        (Waive(2), "A", "Waive 2"),
    ],
)
def test_canonical_text(said: Hold, letter: str, text: str) -> None:
    assert write.statement(said, letter) == text


def sentences(name: str, standard: Variant, catalogue: Catalogue) -> dict[str, str]:
    case = next(c for c in casefile.cases() if c.id == name)
    _, legs = caserun.run(case, standard)
    return {
        write.statement(r.order, legs[0].phase[-1]): write.outcome_sentence(catalogue, r, standard, "France")
        for r in caserun.results(legs[:1])
    }


def test_the_model_letter(standard: Variant, catalogue: Catalogue) -> None:
    said = sentences("move-8", standard, catalogue)
    assert said["A Vie - Tri"] == "with Italy's A Ven, 1 against 1"
    assert said["F ENG - Pic"] == "France's A Pic stayed, 1 against 1, but its support was cut"
    assert said["A Bur - Bel"] == "with England's A Yor, 1 against 1; Germany's A Mun came in, 2 against 1"
    assert said["A Pic S A Bur - Bel"] == "by England's F ENG"
    assert said["A Apu - Tun"] == "by convoy through ION"
    assert said["F Rum H"] == "with the support of A Ukr, 2 against 2"
    assert said["F BLA - Rum"] == "Russia's F Rum held, 2 against 2"
    assert said["F MAO - Por"] == ""
    assert said["A Con H"] == ""


def test_the_model_letter_overruled(standard: Variant, catalogue: Catalogue) -> None:
    said = sentences("move-9", standard, catalogue)
    assert said["A Bur - Bel"] == "with the support of A Pic, 2 against 1"
    assert said["A Pic S A Bur - Bel"] == "decreed by the game master"
    assert said["F ENG - Pic"] == "France's A Pic stayed, 1 against 1; by decree it cut nothing"
    assert said["A Yor - Bel"] == "with France's A Bur, 1 against 2"


def test_strengths_in_halves() -> None:
    assert [write.halves(n) for n in (0, 1, 2, 3, 6)] == ["0", "½", "1", "1½", "3"]


def test_every_case_can_be_told(catalogue: Catalogue) -> None:
    shelf = Library([ROOT / "variants"])
    for case in casefile.cases():
        variant = shelf.variant(case.variant, case.options)
        _, legs = caserun.run(case, variant)
        for result in caserun.results(legs):
            told = write.full_sentence(catalogue, result, variant)
            assert told
            assert "{" not in told
            assert "  " not in told
            assert not told.endswith((":", ";", ","))


def keys(name: str) -> set[str]:
    """First arguments of calls of this name anywhere in the rules."""
    found: set[str] = set()
    for path in (ROOT / "gm" / "judge").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name and node.args:
                for leaf in ast.walk(node.args[0]):
                    if isinstance(leaf, ast.Constant) and isinstance(leaf.value, str):
                        found.add(leaf.value)
    return found


def test_every_cause_has_its_sentence(catalogue: Catalogue) -> None:
    missing = {key for key in keys("Cause") | keys("IllegalOrder") if f"cause.{key}" not in catalogue}
    assert missing == {"dislodged"}  # told by outcome.dislodged


def test_every_problem_has_its_sentence(catalogue: Catalogue) -> None:
    wanted = keys("Problem") | keys("Fault") | keys("_problem")
    wanted |= keys("Flaw")
    assert {key for key in wanted if f"problem.{key}" not in catalogue} == set()
