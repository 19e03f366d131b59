"""The gm.toml that `gm init` writes: whatever an operator uncomments works."""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from gm.config import Config, load_config
from gm.errors import ConfigError
from gm.server.init import TEMPLATE, initialise

SETTING = re.compile(r"^# (\w+) = ")
SECTION = re.compile(r"^(# )?\[\w+\]$")
LINES = TEMPLATE.splitlines()
COMMENTED = [n for n, line in enumerate(LINES) if SETTING.match(line)]


def section_of(number: int) -> int | None:
    """The line that opens the section of a line; None above all sections."""
    return next((n for n in range(number, -1, -1) if SECTION.match(LINES[n])), None)


def uncommented(number: int) -> set[int]:
    """The line alone; of a section in comments, all lines."""
    head = section_of(number)
    if head is None or not LINES[head].startswith("# "):
        return {number}
    return {head} | {n for n in COMMENTED if section_of(n) == head}


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in [name for name in os.environ if name.startswith("GM_")]:
        monkeypatch.delenv(name)
    folder = tmp_path / 'a "strange" \\folder'
    list(initialise(folder, "GM@Example.org", "ruth@example.net", zone="Europe/Berlin"))
    return folder / "gm.toml"


def load(config: Path, numbers: set[int]) -> tuple[Config, dict[str, Any]]:
    lines = config.read_text(encoding="utf-8").splitlines()
    text = "\n".join(line.removeprefix("# ") if n in numbers else line for n, line in enumerate(lines))
    changed = config.with_name("changed.toml")
    changed.write_text(text, encoding="utf-8")
    return load_config(changed), tomllib.loads(text)


def agrees(settings: object, values: dict[str, Any]) -> bool:
    """Whether the settings hold each value of the file."""
    for key, value in values.items():
        held = getattr(settings, key)
        if isinstance(value, dict):
            if not agrees(held, value):
                return False
        elif hasattr(held, "get_secret_value"):
            if held.get_secret_value() != value:
                return False
        elif (list(held) if isinstance(held, tuple) else held) != value:
            return False
    return True


def test_the_file_is_what_was_asked_for(written: Path) -> None:
    settings, _ = load(written, set())
    assert (settings.address, settings.masters, settings.zone) == (
        "gm@example.org",
        ("ruth@example.net",),
        "Europe/Berlin",
    )
    assert settings.database == str(written.parent / "gm.sqlite")


@pytest.mark.parametrize("number", COMMENTED, ids=lambda n: LINES[n].split("=")[0].strip("# ") + f"-{n}")
def test_each_commented_line_works_when_uncommented(written: Path, number: int) -> None:
    settings, values = load(written, uncommented(number))
    match = SETTING.match(LINES[number])
    assert match is not None
    head = section_of(number)
    place = values if head is None else values[LINES[head].strip("# []")]
    assert match[1] in place
    assert agrees(settings, values)


def test_all_reports_together(written: Path) -> None:
    settings, values = load(written, set().union(*(uncommented(n) for n in COMMENTED)))
    assert agrees(settings, values)
    assert {"imap", "listen", "relay", "health"} <= set(values)


def test_every_comment_that_looks_like_a_setting_is_one() -> None:
    odd = [line for line in LINES if re.match(r"#+\s*\[?\w+\]?\s*=", line) and not SETTING.match(line)]
    assert odd == []
    assert len(COMMENTED) > 15


def test_a_wrong_zone_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="is not a time zone"):
        list(initialise(tmp_path, "gm@example.org", "ruth@example.net", zone="Berlin"))
    assert list(tmp_path.iterdir()) == []
