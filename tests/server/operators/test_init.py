"""The gm.toml that `gm init` writes: whatever an operator uncomments works."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from gm.__main__ import main
from gm.config import Config, load_config
from gm.errors import ConfigError
from gm.server.operators.init import Answers, SettingValue, basic_answers, initialise, write_settings

Written = Callable[[str], Path]
SETTING = re.compile(r"^# (\w+) = ")
SECTION = re.compile(r"^(# )?\[(\w+)\]$")
TOP: dict[str, SettingValue] = {"address": "gm@example.org", "masters": ("ruth@example.net",), "zone": "Europe/Berlin"}
RELAY: dict[str, SettingValue] = {"host": "smtp.example.org", "port": 465, "security": "tls", "user": "gm@example.org"}
MAILBOX: dict[str, SettingValue] = {"host": "imap.example.org", "port": 993, "user": "gm@example.org"}
ANSWERS: dict[str, Answers] = {
    "basic": basic_answers("GM@Example.org", "ruth@example.net", "Europe/Berlin"),
    "imap": {"": TOP, "imap": {**MAILBOX, "password": 'a "strange" \\ # one'}, "relay": {**RELAY, "password": "x"}},
    "oauth": {"": TOP, "imap": {**MAILBOX, "token_command": "t"}, "relay": {**RELAY, "token_command": "t"}},
    "smtp": {"": TOP, "listen": {"protocol": "smtp", "port": 25, "host": "0.0.0.0"}, "relay": {"host": "localhost"}},
    "pipe": {"": {**TOP, "addresses": "domain"}, "relay": {"host": "127.0.0.1", "port": 25, "security": "none"}},
}
LINES = {name: write_settings(answers).splitlines() for name, answers in ANSWERS.items()}
COMMENTED = [(name, n) for name, lines in LINES.items() for n, line in enumerate(lines) if SETTING.match(line)]


def section_of(lines: list[str], number: int) -> int | None:
    """The line that opens the section of a line; None above all sections."""
    return next((n for n in range(number, -1, -1) if SECTION.match(lines[n])), None)


def uncommented(name: str, number: int) -> set[int]:
    """The line alone, or with the rest of a login; of a section in comments, all lines."""
    lines = LINES[name]
    head = section_of(lines, number)
    same = {n for other, n in COMMENTED if other == name and section_of(lines, n) == head}
    if head is not None and lines[head].startswith("# "):
        return {head} | same
    login = {n for n in same if head is not None and lines[n].startswith(("# user", "# password"))}
    return login if number in login else {number}


@pytest.fixture(autouse=True)
def without_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("GM_")]:
        monkeypatch.delenv(name)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Written:
    """What `gm init` has written for these answers; once for each."""

    @cache
    def of(name: str) -> Path:
        folder = tmp_path_factory.mktemp(name) / 'a "strange" \\folder'
        list(initialise(folder, ANSWERS[name]))
        return folder / "gm.toml"

    return of


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


@pytest.mark.parametrize("name", ANSWERS)
def test_the_file_is_what_was_asked_for(written: Written, name: str) -> None:
    config = written(name)
    settings, values = load(config, set())
    assert agrees(settings, values)
    for section, answers in ANSWERS[name].items():
        place = values[section] if section else values
        assert {key: tuple(v) if isinstance(v := place[key], list) else v for key in answers} == dict(answers)
    assert settings.database == str(config.parent / "gm.sqlite")
    assert config.stat().st_mode & 0o077 == 0
    assert {"imap", "listen"} & set(values) == {"imap", "listen"} & set(ANSWERS[name])


@pytest.mark.parametrize(("name", "number"), COMMENTED)
def test_each_commented_line_works_when_uncommented(written: Written, name: str, number: int) -> None:
    settings, values = load(written(name), uncommented(name, number))
    match = SETTING.match(LINES[name][number])
    assert match is not None
    head = section_of(LINES[name], number)
    place = values if head is None else values[LINES[name][head].strip("# []")]
    assert match[1] in place
    assert agrees(settings, values)


def test_all_commented_lines_work_together(written: Written) -> None:
    numbers = set().union(*(uncommented(name, n) for name, n in COMMENTED if name == "basic"))
    settings, values = load(written("basic"), numbers)
    assert agrees(settings, values)
    assert {"imap", "listen", "relay", "health"} <= set(values)


def test_every_comment_that_looks_like_a_setting_is_one() -> None:
    odd = [line for line in LINES["basic"] if re.match(r"#+\s*\[?\w+\]?\s*=", line) and not SETTING.match(line)]
    assert odd == []
    assert len([name for name, _ in COMMENTED if name == "basic"]) > 15


def test_a_wrong_zone_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="is not a time zone"):
        list(initialise(tmp_path, basic_answers("gm@example.org", "ruth@example.net", "Atlantis")))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("zone", ["Wien", "vienna time", "Europe/Vienna"])
def test_a_zone_may_have_any_name_that_letters_may_use(tmp_path: Path, zone: str) -> None:
    list(initialise(tmp_path, basic_answers("gm@example.org", "ruth@example.net", zone)))
    assert load_config(tmp_path / "gm.toml").zone == "Europe/Vienna"


@pytest.mark.parametrize(
    ("piped", "code"), [("", 1), ("gm@example.org\n", 1), ("gm@example.org\nruth@example.net\n", 0)]
)
def test_without_a_terminal_it_takes_a_line_each_or_says_what_to_give(tmp_path: Path, piped: str, code: int) -> None:
    result = CliRunner().invoke(main, ["init", "--folder", str(tmp_path / "gm")], input=piped)
    assert (result.exit_code, "give --address gm@" in result.output) == (code, bool(code))
