"""The rulebook that a variant names, from variant.toml to the battle."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from support.paths import VARIANTS
from support.shipped import LIBRARY

from gm.judge.model.rulebooks import DATC, RULEBOOKS
from gm.variant_files.library import Library
from gm.variant_files.toml_source import VariantError


def old_rules(folder: Path, line: str) -> Library:
    home = folder / "old"
    shutil.copytree(VARIANTS / "standard", home)
    text = (home / "variant.toml").read_text(encoding="utf-8")
    (home / "variant.toml").write_text(f"{line}\n{text}", encoding="utf-8")
    return Library([folder])


def test_a_variant_names_its_rulebook(tmp_path: Path) -> None:
    assert LIBRARY.variant("standard").rulebook is DATC
    assert old_rules(tmp_path, 'edition = "1971"').variant("old").rulebook is RULEBOOKS["1971"]


def test_an_unknown_rulebook_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(VariantError, match=r"variant\.toml:1: edition: is none of 1971, 1982, 2000, 2023, DATC"):
        old_rules(tmp_path, 'edition = "1961"').variant("old")
