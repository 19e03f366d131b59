"""Tests that tests/README.md names are there, under that name."""

from __future__ import annotations

import re

from support.paths import TESTS

NAMED = re.compile(r"`([\w./-]+\.py)::(\w+)`")
PLACES = re.compile(r"`((?:dialogues|kill|mail|game|store|fuzz|judge|language|server|cli|maps)/[\w./-]*)`")


def test_every_test_named_is_there() -> None:
    text = (TESTS / "README.md").read_text(encoding="utf-8")
    named = NAMED.findall(text)
    assert len(named) > 60
    gone = [
        f"{file}::{name}" for file, name in named if f"def {name}(" not in (TESTS / file).read_text(encoding="utf-8")
    ]
    assert gone == []


def test_every_place_named_is_there() -> None:
    text = (TESTS / "README.md").read_text(encoding="utf-8")
    assert [place for place in PLACES.findall(text) if not list(TESTS.glob(place.rstrip("/")))] == []
