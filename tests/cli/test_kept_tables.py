"""Tables of ours that are kept parsed beside their text."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from gm import resources


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    file = tmp_path / "words.toml"
    file.write_text('[verbs]\nhold = ["holds", "stands"]\n', encoding="utf-8")
    return file


def test_a_table_is_kept_parsed_and_read_anew_when_it_changes(table: Path) -> None:
    first = resources.read_table(table)
    assert first == {"verbs": {"hold": ["holds", "stands"]}}
    assert Path(resources.cache_file(table)).is_file()
    assert resources.read_table(table) == first
    table.write_text('[verbs]\nhold = ["bleibt"]\n', encoding="utf-8")
    assert resources.read_table(table) == {"verbs": {"hold": ["bleibt"]}}


@pytest.mark.parametrize("broken", [b"", b"\x00", b"not marshal"])
def test_a_broken_copy_is_replaced(table: Path, broken: bytes) -> None:
    first = resources.read_table(table)
    kept = Path(resources.cache_file(table))
    whole = kept.read_bytes()
    for damaged in (broken, whole[: len(whole) // 2]):
        kept.write_bytes(damaged)
        assert resources.read_table(table) == first
        assert kept.read_bytes() == whole


def test_without_bytecode_nothing_is_kept(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert resources.read_table(table)["verbs"]
    assert not (table.parent / "__pycache__").exists()
