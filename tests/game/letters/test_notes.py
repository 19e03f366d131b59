"""Every note of the desk has its sentence, and every sentence its note."""

from __future__ import annotations

import re

from support.paths import ROOT

from gm.language.rendering.templates import LetterTemplates

GAME, SERVER = ROOT / "gm" / "game", ROOT / "gm" / "server"
LITERAL = re.compile(r'"(?:desk\.)?([a-z]+(?:-[a-z]+)*)"')


def test_every_note_has_a_sentence(letters: LetterTemplates) -> None:
    catalogue = letters.catalogue("en")
    for module in sorted(GAME.rglob("*.py")):
        text = module.read_text(encoding="utf-8")
        keys = set(re.findall(r'\.note\(\s*"([a-z-]+)"', text)) | set(re.findall(r'"desk\.([a-z-]+)"', text))
        keys |= {key for pair in re.findall(r'\.note\(\s*"([a-z-]+)" if .*? else "([a-z-]+)"', text) for key in pair}
        for key in (key for key in keys if not key.endswith("-")):
            assert f"desk.{key}" in catalogue, f"{module.relative_to(ROOT)} speaks of desk.{key}, which has no sentence"


def test_every_sentence_is_used() -> None:
    sentences = (ROOT / "templates/sentences/en/notes.toml").read_text(encoding="utf-8")
    keys = set(re.findall(r"^([a-z-]+) = ", sentences, re.MULTILINE))
    text = "".join(file.read_text(encoding="utf-8") for floor in (GAME, SERVER) for file in floor.rglob("*.py"))
    used = set(LITERAL.findall(text))
    refused = {key for key in keys if key.startswith("refused-")}
    ended = {key for key in keys if key.startswith("ended-")}
    unsigned = {key for key in keys if key.endswith("-unsigned") and key.removesuffix("-unsigned") in used}
    assert not keys - used - refused - ended - unsigned
