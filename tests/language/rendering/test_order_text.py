"""Orders and their fates in words: the sentences of the model letters, and none that is missing."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterable

import pytest
from support import case_file as casefile
from support import case_runner as caserun
from support.paths import ROOT
from support.raw_keys import raw_keys
from support.shipped import LIBRARY

from gm.judge.board.board import Place
from gm.judge.model.events import Allocated
from gm.judge.model.orders import Build, Disband, Hold, Move, UnitRef, Waive
from gm.judge.model.variant import Variant
from gm.judge.movement.legality import LegalityChecker
from gm.language.i18n.catalogue import Catalogue, entries, languages, load, outcomes
from gm.language.rendering import order_text as write

SENTENCES = ROOT / "templates" / "sentences" / "en"
PAR = UnitRef("A", Place("Par"))


@pytest.fixture(scope="module")
def standard() -> Variant:
    return LIBRARY.variant("standard")


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
    ("order", "letter", "text"),
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
def test_canonical_text(order: Hold, letter: str, text: str) -> None:
    assert write.statement(order, letter) == text


def sentences(name: str, standard: Variant, catalogue: Catalogue) -> dict[str, str]:
    case = next(c for c in casefile.cases() if c.id == name)
    _, legs = caserun.run(case, standard)
    return {
        write.statement(r.order, legs[0].phase[-1]): write.outcome_sentence(catalogue, r, standard)
        for r in caserun.results(legs[:1])
    }


def test_the_model_letter(standard: Variant, catalogue: Catalogue) -> None:
    texts = sentences("move-8", standard, catalogue)
    assert texts["A Vie - Tri"] == "with Italy's A Ven, 1 against 1"
    assert texts["F ENG - Pic"] == "France's A Pic stayed, 1 against 1, but its support was cut"
    assert texts["A Bur - Bel"] == "with England's A Yor, 1 against 1; Germany's A Mun came in, 2 against 1"
    assert texts["A Pic S A Bur - Bel"] == "by England's F ENG"
    assert texts["A Apu - Tun"] == "by convoy through ION"
    assert texts["F Rum H"] == "with the support of A Ukr, 2 against 2"
    assert texts["F BLA - Rum"] == "Russia's F Rum held, 2 against 2"
    assert texts["F MAO - Por"] == ""
    assert texts["A Con H"] == ""


def test_the_model_letter_overruled(standard: Variant, catalogue: Catalogue) -> None:
    texts = sentences("move-9", standard, catalogue)
    assert texts["A Bur - Bel"] == "with the support of A Pic, 2 against 1"
    assert texts["A Pic S A Bur - Bel"] == "decreed by the game master"
    assert texts["F ENG - Pic"] == "France's A Pic stayed, 1 against 1; by decree it cut nothing"
    assert texts["A Yor - Bel"] == "with France's A Bur, 1 against 2"


def test_strengths_in_halves() -> None:
    assert [write.halves(n) for n in (0, 1, 2, 3, 6)] == ["0", "½", "1", "1½", "3"]


@pytest.mark.parametrize("language", languages())
def test_every_case_can_be_put_into_sentences(language: str) -> None:
    """Results, what became of points, and every problem of the sheets before the deadline."""
    shelf = LIBRARY
    catalogue = load(ROOT / "templates" / "sentences", language)
    for case in casefile.cases():
        variant = shelf.variant(case.variant, case.options)
        position, legs = caserun.run(case, variant)
        assert_sentences(write.full_sentence(catalogue, result, variant) for result in caserun.results(legs))
        lines = [event for leg in legs for event in leg.turn.events if isinstance(event, Allocated)]
        assert_sentences(write.points_sentence(catalogue, line) for line in lines)
        step, sheets = variant.step(position), caserun.statements(case)
        for power in {line.power for line, _ in sheets if "/" not in line.power}:
            sheet = tuple(statement for line, statement in sheets if line.power == power and statement is not None)
            problems = step.check(position, variant, power, sheet)
            assert_sentences(write.problem_sentence(catalogue, each, variant, step.letter) for each in problems)


def assert_sentences(texts: Iterable[str]) -> None:
    for text in texts:
        assert text
        assert "{" not in text
        assert "  " not in text
        assert " ." not in text
        assert not text.endswith((":", ";", ","))
        assert not raw_keys(text), text


def test_a_void_line_of_points_has_a_sentence(catalogue: Catalogue) -> None:
    variant = LIBRARY.variant("locarno")
    reasons = []
    for name in ("L.R7", "L.R8b"):
        _, legs = caserun.run(next(c for c in casefile.cases() if c.id == name), variant)
        lines = [event for event in legs[0].turn.events if isinstance(event, Allocated) and not event.followed]
        reasons += [write.points_sentence(catalogue, line) for line in lines]
    assert reasons == [
        "void: its unit does not reach that place",
        "void: a unit cannot support an attack on its own province",
    ]


def keys(name: str) -> set[str]:
    """First arguments of calls of this name anywhere in the rules."""
    arguments: set[str] = set()
    for path in (ROOT / "gm" / "judge").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name and node.args:
                for leaf in ast.walk(node.args[0]):
                    if isinstance(leaf, ast.Constant) and isinstance(leaf.value, str):
                        arguments.add(leaf.value)
    return arguments


def test_every_cause_has_its_sentence(catalogue: Catalogue) -> None:
    missing = {key for key in keys("Cause") | keys("IllegalOrder") if f"cause.{key}" not in catalogue}
    assert missing == {"dislodged"}  # told by outcome.dislodged


def words_with_hyphens() -> set[str]:
    """All strings like "support-reach" in the rules, wherever they are used."""
    words: set[str] = set()
    for path in (ROOT / "gm" / "judge").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            word = node.value if isinstance(node, ast.Constant) else None
            if isinstance(word, str) and re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)+", word):
                words.add(word)
    return words


GROUPS = ("cause", "problem", "event-why", "outcome", "over", "shaken.fleet", "points.limit", "scores.system")
NO_SENTENCES = {"at-once", "quarter-hour", "one-home"}
"""Values of settings and of rulebooks."""


def test_every_key_of_the_rules_has_its_sentence(catalogue: Catalogue) -> None:
    """Also a key that reaches its cause by way of a variable or a table."""
    names = {key: [f"desk.edit-fault-{key}", *(f"{group}.{key}" for group in GROUPS)] for key in words_with_hyphens()}
    assert {key for key in names if not any(name in catalogue for name in names[key])} == NO_SENTENCES


ALWAYS_SOMEWHERE = {"which-coast", "wrong-coast", "setup-not-home", "decree-unfit", "which-fleet", "no-fleet-goes"}
"""Problems that never come without places to choose from."""


def test_a_problem_that_lists_places_has_a_sentence_without_any(catalogue: Catalogue) -> None:
    keys_of_sentences = [
        key for file in SENTENCES.glob("*.toml") for key in entries(file) if key.startswith("problem.")
    ]
    listing = {key.removeprefix("problem.") for key in keys_of_sentences if "reach" in catalogue.fields(key)}
    assert {key for key in listing if f"problem.{key}-none" not in catalogue} == ALWAYS_SOMEWHERE


def test_every_problem_has_its_sentence(catalogue: Catalogue) -> None:
    wanted = keys("Problem") | keys("Fault") | keys("_problem")
    wanted |= keys("Flaw")
    assert {key for key in wanted if f"problem.{key}" not in catalogue} == set()


def test_every_cause_against_a_support_has_a_sentence_with_points(catalogue: Catalogue) -> None:
    """Points buy holds and supports of one layer on land and water."""
    source = inspect.getsource(LegalityChecker._support)
    reasons = set(re.findall(r'IllegalOrder\("([a-z-]+)"', source)) | {"support-reach"}
    assert {key for key in reasons if f"event-why.{key}" not in catalogue} == {"support-ocean"}
