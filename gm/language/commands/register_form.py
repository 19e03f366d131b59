"""Reads REGISTER with its form: lines "Field: value" below it, up to END or the first other line."""

from __future__ import annotations

import re

from msgspec.structs import replace

from gm.language.commands.command_line import CommandLine
from gm.language.commands.players import RegisterRequest
from gm.language.commands.press_blocks import BlockReader, language
from gm.language.i18n.normalize import clean
from gm.language.i18n.vocabulary import tongue
from gm.language.lines.lines import LetterLine

FIELD = re.compile(r"\s{0,20}(?P<field>[a-z][a-z -]{0,30}?)\s?:\s{0,10}(?P<value>.{0,200})", re.IGNORECASE)
END = re.compile(r"\s*end\s*", re.IGNORECASE)
KNOWN = {
    "name": "name",
    "full name": "name",
    "zone": "zone",
    "time zone": "zone",
    "timezone": "zone",
    "tz": "zone",
    "language": "language",
    "lang": "language",
}
"""Known fields; others of the older judges' form (address, country, e-mail, level) are ignored."""


def register(reader: BlockReader, asked: CommandLine, line: LetterLine, at: int) -> int:
    form = asked.request
    if not isinstance(form, RegisterRequest):
        return 0
    end, vocabulary = at + 1, tongue(language(reader))
    for end in range(at + 1, len(reader.lines) + 1):
        text = vocabulary.english(clean(reader.lines[end][1]).text) if end < len(reader.lines) else ""
        match = FIELD.fullmatch(text)
        if match is None:
            break
        field, value = KNOWN.get(" ".join(match["field"].lower().split()), ""), " ".join(match["value"].split())
        form = _filled(form, field, value)
    reader.take(line, form)
    closed = end < len(reader.lines) and END.fullmatch(vocabulary.english(clean(reader.lines[end][1]).text))
    return end + 1 if closed else end


def _filled(form: RegisterRequest, field: str, value: str) -> RegisterRequest:
    match field:
        case "name":
            return replace(form, name=value)
        case "zone":
            return replace(form, zone=value)
        case "language":
            return replace(form, language=value)
    return form
