"""Compiled patterns that are kept on disk are those that Python would compile."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.shipped import LIBRARY

from gm import resources
from gm.language.commands.in_words.named_powers import called
from gm.language.commands.in_words.plain_questions import senses
from gm.language.i18n import kept_patterns
from gm.language.i18n.kept_patterns import AT_ONCE, ENGINE, compiled

PATTERN = r"(?:to|from) (?P<place>paris|rome)(?:\s+(?P<coast>[ns]c))?|(?i:Hold)\b"
LINES = ("to paris sc", "from rome", "HOLD", "hold on", "in paris", "")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path))
    monkeypatch.setattr(kept_patterns, "_new", {})
    forget()
    yield tmp_path
    forget()


def forget() -> None:
    compiled.cache_clear()
    kept_patterns._kept.cache_clear()


def written(pattern: str) -> re.Pattern[str]:
    """The pattern as a later process has it."""
    compiled(pattern)
    kept_patterns._write()
    forget()
    assert pattern in kept_patterns._kept()
    return compiled(pattern)


def groups(pattern: re.Pattern[str], line: str) -> object:
    match = pattern.search(line)
    return match and (match.span(), match.groupdict(), match.lastgroup)


def test_a_kept_pattern_matches_as_one_compiled_anew() -> None:
    kept, new = written(PATTERN), re.compile(PATTERN)
    assert kept == new
    assert (kept.flags, kept.groups, kept.groupindex) == (new.flags, new.groups, new.groupindex)
    assert [groups(kept, line) for line in LINES] == [groups(new, line) for line in LINES]


@pytest.mark.parametrize("language", ["en", "de"])
def test_all_questions_are_kept_unchanged(language: str) -> None:
    names = tuple(called(LIBRARY.variant("standard").powers))
    patterns = {sense.pattern.pattern for sense in senses(language, names)}
    for _ in range(2):
        assert all(compiled(pattern) == re.compile(pattern) for pattern in patterns)
        kept_patterns._write()
        forget()
    assert patterns <= kept_patterns._kept().keys()


def test_many_are_written_at_once() -> None:
    patterns = [f"word {number}" for number in range(AT_ONCE)]
    assert [compiled(pattern).pattern for pattern in patterns] == patterns
    forget()
    assert kept_patterns._kept().keys() == set(patterns)


def test_a_full_file_gives_way_to_what_is_new(monkeypatch: pytest.MonkeyPatch) -> None:
    written(PATTERN)
    written("short")
    assert kept_patterns._kept().keys() == {PATTERN, "short"}
    monkeypatch.setattr(kept_patterns, "MOST_BYTES", kept_patterns._file().stat().st_size - 1)
    written("new")
    assert kept_patterns._kept().keys() == {"new"}
    assert written(PATTERN) == re.compile(PATTERN)


@pytest.mark.parametrize("broken", [b"", b"\x00", b"not marshal"])
def test_a_broken_file_is_replaced(broken: bytes) -> None:
    written(PATTERN)
    whole = kept_patterns._file().read_bytes()
    for damaged in (broken, whole[: len(whole) // 2]):
        kept_patterns._file().write_bytes(damaged)
        forget()
        assert not kept_patterns._kept()
        assert written(PATTERN) == re.compile(PATTERN)
        assert kept_patterns._file().read_bytes() == whole


def test_patterns_of_another_engine_are_compiled_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    written(PATTERN)
    magic, patterns = resources.read_kept(kept_patterns._file())
    assert magic == ENGINE.MAGIC
    resources.keep(kept_patterns._file(), (magic + 1, patterns))
    forget()
    assert not kept_patterns._kept()
    assert compiled(PATTERN) == re.compile(PATTERN)


@pytest.mark.parametrize("entry", [(), ("flags", b"", 0, {}, (), ()), (32, b"no code", 0, {}, (), ())])
def test_an_entry_that_is_none_is_compiled_anew(entry: tuple[object, ...]) -> None:
    resources.keep(kept_patterns._file(), (ENGINE.MAGIC, {PATTERN: entry}))
    forget()
    assert compiled(PATTERN) == re.compile(PATTERN)


def test_without_bytecode_nothing_is_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert compiled(PATTERN) == re.compile(PATTERN)
    kept_patterns._write()
    assert not [path for path in folder.rglob("*") if path.is_file()]
