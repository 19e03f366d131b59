"""Words of a language belong to `grammars` and `templates`. Modules that still hold some are named here, no others do.

A third language would need its words in these too. Take a module off the list when its words have moved.
"""

from __future__ import annotations

import ast
import re

from support.paths import ROOT

GERMAN = re.compile(
    r"\b(?:und|oder|aber|nicht|nein|dann|wenn|falls|keine?[nmrs]?|sowie|weil|bitte|danke|noch|auch|von|vom|der|das|spiel)\b",
    re.IGNORECASE,
)
"""Words that nearly every list of German words has one of."""
STILL = {
    "game/identity/sender.py",
    "game/model/choose_setting.py",
    "game/players/letters_to_gm.py",
    "game/press/words_for_master.py",
    "language/commands/in_words/joining_in_words.py",
    "language/commands/in_words/left_out.py",
    "language/commands/in_words/own_values.py",
    "language/commands/in_words/plain_questions.py",
    "language/letter/talk/asking_sentences.py",
    "language/letter/unread_words.py",
    "language/prose/clause_reader.py",
    "language/prose/coasts_apart.py",
    "language/prose/corrections/doubts.py",
    "language/prose/corrections/taking_back.py",
    "language/prose/guesses/retreats_guess.py",
    "language/prose/shared_acts.py",
}


def has_german(text: str) -> bool:
    tree = ast.parse(text)
    docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    literals = (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in docs)
    return any(isinstance(node.value, str) and GERMAN.search(node.value) for node in literals)


def test_modules_hold_no_german_words_but_those_that_still_do() -> None:
    gm = ROOT / "gm"
    files = (path for floor in ("game", "language") for path in (gm / floor).rglob("*.py"))
    assert {path.relative_to(gm).as_posix() for path in files if has_german(path.read_text(encoding="utf-8"))} == STILL
