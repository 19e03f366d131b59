"""The words of another language, and that they change nothing for English readers."""

from __future__ import annotations

import tomllib

import pytest
from support.shipped import LIBRARY

from gm import resources
from gm.language.commands import parser as commands
from gm.language.i18n.localized_variant import localized
from gm.language.i18n.normalize import clean
from gm.language.i18n.vocabulary import PLAIN, read, vocabulary_of
from gm.language.orders.sheets.all_sheets import sheet_grammar

FRENCH = """
letters = { "œ" = "oe" }
small = ["de", "la"]
reasons = ["car"]
closing = ["fin"]
[orders]
HOLD = ["tient"]
[orders.retreats]
RETREAT = ["recule"]
[commands]
READY = ["prêt"]
"PRESS TO" = ["presse à"]
DEADLINE = ["délai"]
[behind]
"PRESS TO" = ["parties", ":"]
DEADLINE = ["dates"]
[tables.parties]
tous = "all"
[tables.dates]
dimanche = "sunday"
[heading]
printemps = "spring"
"""
LANGUAGES = sorted(file.stem for file in (resources.folder("grammars") / "vocabulary").glob("*.toml"))
TABLES = {
    "letters",
    "small",
    "closing",
    "common",
    "consent",
    "orders",
    "commands",
    "behind",
    "tables",
    "conditions",
    "heading",
    "endings",
}
TABLES |= {"forms", "pages", "edits", "reasons", "endings", "seas", "sentences", "seasons"}


def test_english_and_unknown_languages_add_nothing() -> None:
    for language in ("en", "", "xx", "../de"):
        assert vocabulary_of(language) is PLAIN
        assert vocabulary_of(language).english("BEREIT") == "BEREIT"
    variant = LIBRARY.variant("standard")
    assert localized(variant, "en") is localized(variant, "") is localized(variant, "xx") is variant
    assert commands.read_command("BEREIT", variant) is None


def test_a_third_language_is_data() -> None:
    french = read(tomllib.loads(FRENCH))
    assert french.english(clean("Prêt").text) == french.english("Pret") == "ready"
    assert french.english("PRET") == "READY"
    assert french.english("pretez-moi") == "pretez-moi"
    assert french.english("Presse a tous: tous les autres") == "press to all: tous les autres"
    assert french.english("Delai: dimanche 20:00") == "deadline: sunday 20:00"
    assert french.english("Delai dimanche, car dimanche est libre") == "deadline sunday, car dimanche est libre"
    assert french.closes(" FIN. ")
    assert not french.closes("fin de partie")
    assert french.words_for("moves", "HOLD") == ("tient",)
    assert french.words_for("retreats", "RETREAT") == ("recule",)
    assert french.words_for("moves", "RETREAT") == ()
    assert french.headings == {"printemps": "spring"}


def test_a_localized_variant_is_made_once() -> None:
    """What is remembered of a board's lines is remembered per language, not per letter."""
    variant = LIBRARY.variant("standard")
    german = localized(variant, "de")
    assert localized(variant, "de") is german
    assert localized(german, "de") is german
    assert german.start is variant.start
    assert [power.name for power in german.powers] == [power.name for power in variant.powers]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_has_a_terminal_or_a_command(language: str) -> None:
    """Misspelt terminals, grammars, tables and words of command would be without effect, and nobody would know."""
    file = resources.folder("grammars") / "vocabulary" / f"{language}.toml"
    table = tomllib.loads(file.read_text(encoding="utf-8"))
    assert table.keys() <= TABLES
    assert {*table["seasons"].values()} <= {"S", "F", "W"}, "the season letters of phases"
    grammars = {path.stem for path in (resources.folder("grammars")).glob("*.lark")} - {"common", "commands"}
    every = {terminal for name in grammars for terminal in sheet_grammar(name).terminals}
    for name, words in table["orders"].items():
        if isinstance(words, dict):
            assert name in grammars, name
            unknown = words.keys() - sheet_grammar(name).terminals - {"OF"}
            assert not unknown, (name, unknown)
        else:
            assert name in every, name
    variant = LIBRARY.variant("standard")
    for command in table["commands"]:
        lines = (command, f"{command} Bre", f"{command} spring 1901")
        begins = any(commands.begins_like_command(line, variant) for line in lines)
        reads = any(commands.read_command(line, variant) for line in lines)  # "TO" begins talk as well
        assert command in CLOSING or begins or reads, command
    assert table["behind"].keys() | table.get("sentences", {}).keys() <= table["commands"].keys()
    named = {name for names in table["behind"].values() for name in names} - {":", "?"}
    assert named == table["tables"].keys()


CLOSING = {"ENDPRESS", "ENDMESSAGE", "END IMPORT", "END DIARY", "END FOR", "END CHECK", "END STATEMENT", "END OVERRIDE"}
"""Words that end a block, which no line begins with otherwise."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_phrase_means_two_commands(language: str) -> None:
    file = resources.folder("grammars") / "vocabulary" / f"{language}.toml"
    commands_of = tomllib.loads(file.read_text(encoding="utf-8"))["commands"]
    owners: dict[str, str] = {}
    for command, phrases in commands_of.items():
        for phrase in phrases:
            assert owners.setdefault(phrase, command) == command, phrase
