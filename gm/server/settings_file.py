"""The text of gm.toml, from settings.toml: every setting with its meaning, those that were chosen in use."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

SettingValue = str | int | bool | tuple[str, ...]
Answers = Mapping[str, Mapping[str, SettingValue]]
"""Section ("" for the top) → key → value."""
TEMPLATE = Path(__file__).with_name("settings.toml")

SECTION = re.compile(r"# \[(\w+)\]$")
SETTING = re.compile(r"# (\w+) = (?:\"[^\"]*\"|\[[^\]]*\]|\w+)(  #.*)?$")
OWN_ADDRESS, OWN_MASTER = '"gm@example.org"', '"you@example.net"'
"""Examples in the template in whose place the operator's own addresses stand."""


def write_settings(answers: Answers) -> str:
    """Fills the template in. Each line that stays a comment works when uncommented; of a whole section, all lines."""
    lines: list[str] = []
    section = ""
    for line in TEMPLATE.read_text(encoding="utf-8").splitlines():
        if head := SECTION.match(line):
            section = head[1]
            lines.append(f"[{section}]" if section in answers else line)
        else:
            lines.extend(_fill(line, section, answers))
    return "\n".join(lines) + "\n"


def _fill(line: str, section: str, answers: Answers) -> Iterator[str]:
    setting = SETTING.match(line)
    if setting is None:
        yield line
        return
    key, values = setting[1], answers.get(section, {})
    if key == "password" and "token_command" in values:
        key = "token_command"  # a section takes one of them
    if key in values:
        yield f"{key} = {quote(values[key])}{setting[2] or ''}"
    elif not (key == "authserv_id" and answers.get("listen", {}).get("protocol") == "smtp"):  # refused by `Config`
        line = line.replace(OWN_ADDRESS, quote(answers[""]["address"]))
        yield line.replace(f"[{OWN_MASTER}]", quote(answers[""]["masters"]))


def quote(value: SettingValue) -> str:
    """Writes a TOML value: one of JSON is one of TOML too, if DEL is escaped."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
