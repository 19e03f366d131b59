"""Every trouble has its sentence and its title, and no sentence lacks a field."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest
from support.corpus import cases
from support.paths import ROOT

from gm import resources
from gm.judge.model.variant import Variant
from gm.judge.steps.adjustments import AdjustmentStep
from gm.language.formats.json_position import position_from_json
from gm.language.i18n import catalogue
from gm.language.letter.letter_reader import read_letter
from gm.language.lines.letter_contents import LetterContext, LineError
from gm.language.orders.sheet_reader import read_order
from gm.language.rendering import error_sentences
from gm.variant_files.library import Library

LANGUAGE, JUDGE = ROOT / "gm" / "language", ROOT / "gm" / "judge"
MAKERS = {"flaw": 0, "OrderWarning": 0, "remark": 0, "tell": 1, "LineError": 4, "IllegalOrder": 0, "BuildRule": 2}
ENGLISH = catalogue.load(resources.folder("templates") / "sentences", "en")


def keys_in(path: Path) -> set[str]:
    """The keys of troubles that a module makes."""
    keys: set[str] = set()
    source = path.read_text(encoding="utf-8")
    if not any(f"{maker}(" in source for maker in MAKERS):
        return keys
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            place = MAKERS.get(name)
            if place is not None and len(node.args) > place:
                for constant in ast.walk(node.args[place]):
                    if isinstance(constant, ast.Constant) and isinstance(constant.value, str) and "-" in constant.value:
                        keys.add(constant.value)
    return keys


@cache
def all_keys() -> list[str]:
    modules = [path for path in LANGUAGE.rglob("*.py") if path.parent.name not in ("formats", "rendering")]
    judge = [JUDGE / "movement" / "legality.py", JUDGE / "steps" / "adjustments.py", JUDGE / "steps" / "build_rules.py"]
    return sorted({key for path in [*modules, *judge] for key in keys_in(path)} | {"keep", "conditional", "unfinished"})


def test_keys_are_found_in_the_code() -> None:
    assert AdjustmentStep is not None
    assert {"which-coast", "unknown-place-near", "not-adjacent", "press-unclosed", "not-home"} <= set(all_keys())


@pytest.mark.parametrize("key", all_keys())
def test_every_key_has_a_sentence_and_a_title(key: str) -> None:
    assert f"trouble.{key}" in ENGLISH or f"cause.{key}" in ENGLISH
    assert f"fault.{key}" in ENGLISH


def test_every_error_of_the_corpus_has_a_sentence(shelf: Library) -> None:
    for case in cases(shelf):
        for trouble in case.reading.troubles:
            sentence = error_sentences.sentence(ENGLISH, trouble)
            assert re.fullmatch(r"\S.*[.?]", sentence, re.DOTALL), (case.where, sentence)
            assert "{" not in sentence
            assert "  " not in sentence, (case.where, sentence)


def test_a_list_of_places_ends_with_and() -> None:
    trouble = LineError(
        1,
        "A Par - Lon",
        8,
        11,
        "not-adjacent",
        (
            ("unit", "A Par"),
            ("here", "Paris"),
            ("place", "London"),
            ("word", "Lon"),
            ("reach", "Bre Bur Gas Pic"),
        ),
    )
    assert error_sentences.sentence(ENGLISH, trouble) == (
        "A Par cannot get to “Lon”: Paris does not touch London. From Paris it reaches Bre, Bur, Gas and Pic."
    )


def test_the_coast_is_named_where_another_would_touch(standard: Variant) -> None:
    document = {"variant": "standard", "phase": "S1902M", "units": {"France": ["F Spa/nc"]}, "centers": {}}
    read = read_order("F Spa/nc - WES", LetterContext(standard, position_from_json(standard, document), "France"))
    assert isinstance(read, LineError)
    assert "Spa/nc does not touch Western Mediterranean. From Spa/nc it reaches" in error_sentences.sentence(
        ENGLISH, read
    )


def test_the_model_letter_is_met(standard: Variant) -> None:
    from support.corpus import Scene, position

    from gm.language.lines.letter_contents import LetterContext

    scene = Scene("S1902M", "France", {"France": ["A Mar", "A Par", "A Pic", "F Por"]})
    letter = ["F Por - Spa", "A Mar - Burgindy", "A Par S A Pic - Bel", "A Pic - Bel"]
    reading = read_letter(list(enumerate(letter, 1)), LetterContext(standard, position(standard, scene), "France"))
    assert [(t.line, t.text[t.start : t.end], t.key) for t in reading.troubles] == [
        (1, "Spa", "which-coast"),
        (2, "Burgindy", "unknown-place-near"),
        (3, "Bel", "support-reach"),
    ]
    assert reading.troubles[0].suggestions == ("F Por - Spa/nc", "F Por - Spa/sc")
    assert reading.troubles[1].suggestions[0] == "A Mar - Bur"
    assert "Bre, Bur, Gas and Pic" in error_sentences.sentence(ENGLISH, reading.troubles[2])
    assert [line.line for line in reading.orders] == [4]
