"""Grammars and their compiled files."""

import sys
from pathlib import Path

import pytest

from gm import resources
from gm.language.orders.parsing.grammar import Grammar
from gm.language.orders.parsing.grammar import compiled as parser
from gm.language.orders.sheets.all_sheets import BY_NAME
from gm.language.orders.sheets.moves import MoveTree

FILES = sorted(resources.folder("grammars").glob("*.lark"))
NAMES = [file.stem for file in FILES if file.stem not in ("common", "commands")]
"""Those of sheets: `common` holds what they share, `commands` is for requests."""


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where Python would keep what it compiled."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path))
    return tmp_path


def compiled(kept: Path) -> list[Path]:
    return [file for file in kept.rglob("*") if file.is_file()]


def rules(grammar: Grammar) -> list[tuple[str, list[str], str | None]]:
    return sorted(
        (str(rule.origin.name), [str(part.name) for part in rule.expansion], rule.alias and str(rule.alias))
        for rule in grammar._lark.rules
    )


@pytest.mark.parametrize("name", NAMES)
def test_a_kept_grammar_is_the_compiled_one(kept: Path, name: str) -> None:
    fresh = Grammar(name, BY_NAME[name].tree)
    (file,) = compiled(kept)
    made = file.stat().st_mtime_ns
    again = Grammar(name, BY_NAME[name].tree)
    assert file.stat().st_mtime_ns == made  # it was read, not made once more
    assert (again.starters, again.terminals) == (fresh.starters, fresh.terminals)
    assert again.vocabulary("de").meaning == fresh.vocabulary("de").meaning
    assert rules(again) == rules(fresh)


def test_the_kept_grammar_of_commands_is_the_compiled_one(kept: Path) -> None:
    fresh, again = (parser("commands", start="request", maybe_placeholders=False) for _ in range(2))
    assert len(compiled(kept)) == 1
    assert [str(terminal) for terminal in again.terminals] == [str(terminal) for terminal in fresh.terminals]
    assert again.parse("ready") == fresh.parse("ready")


def test_a_broken_kept_file_is_made_again(kept: Path) -> None:
    terminals = Grammar("moves", MoveTree).terminals
    (file,) = compiled(kept)
    whole = file.read_bytes()
    for spoilt in (b"", whole[: len(whole) // 2], b"rubbish\n" + whole):
        file.write_bytes(spoilt)
        assert Grammar("moves", MoveTree).terminals == terminals
        assert len(file.read_bytes()) > len(whole) // 2


def test_a_file_that_cannot_be_written_makes_no_output(kept: Path, capfd: pytest.CaptureFixture[str]) -> None:
    terminals = Grammar("moves", MoveTree).terminals
    (file,) = compiled(kept)
    file.unlink()
    file.mkdir()  # neither read nor written, also by root
    assert Grammar("moves", MoveTree).terminals == terminals
    assert capfd.readouterr() == ("", "")


def test_grammars_are_read_where_no_file_can_be_kept(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (kept / "file").touch()
    monkeypatch.setattr(sys, "pycache_prefix", str(kept / "file"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(kept / "file"))
    assert Grammar("moves", MoveTree).terminals
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert Grammar("moves", MoveTree).terminals
    assert compiled(kept) == [kept / "file"]


def test_where_the_program_is_another_users_a_grammar_is_kept_in_a_folder_of_our_own(
    kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (kept / "file").touch()
    monkeypatch.setattr(sys, "pycache_prefix", str(kept / "file"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(kept))
    assert Grammar("moves", MoveTree).terminals
    (file,) = (kept / "gm").rglob("*.lark")
    assert (kept / "gm").stat().st_mode & 0o777 == 0o700
    file.unlink()
    (kept / "gm").chmod(0o777)  # others could write what we would load
    assert Grammar("moves", MoveTree).terminals
    assert not list(kept.rglob("*.lark"))
