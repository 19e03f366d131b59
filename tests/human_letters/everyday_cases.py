"""Short letters in everyday words, each with the sheet after it: `everyday/*.txt`.

A file has sections of letters of one player:

    @ standard Turkey en                       variant, power, language; "board of hh001": the position of that letter
    on file: A Con - Bul; F Ank - BLA          the sheet before each letter; empty without this line
    Cancel Con - Bul. => F Ank - BLA           a letter, "\\n" for a new line, and the sheet after it
    Con - Bul, I wrote. => unchanged           the sheet is as it was
    Maybe Con - Smy. => nothing                the sheet is empty
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from msgspec import Struct

from human_letters.human_letter import LETTERS, HumanLetter, Outcome, load

EVERYDAY = Path(__file__).parent / "everyday"
HEAD = re.compile(r"@ (?P<variant>[\w-]+) (?P<power>.+?) (?P<language>en|de)(?:, board of (?P<board>\w+))?")
ON_FILE = "on file:"


class EverydayCase(Struct, frozen=True):
    """`where`: the file and the line. `after`: the sheet after the letter, in canonical lines."""

    where: str
    letter: HumanLetter
    after: frozenset[str]


def everyday_cases(file: Path) -> Iterator[EverydayCase]:
    """ValueError, with file and line, for what is no case of this form."""
    head: re.Match[str] | None = None
    on_file: tuple[str, ...] = ()
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        where = f"{file.name}:{number}"
        words, arrow, after = line.rpartition(" => ")
        if line.startswith("@"):
            head, on_file = HEAD.fullmatch(line), ()
        elif line.startswith(ON_FILE):
            on_file = _sheet(line.removeprefix(ON_FILE))
        elif line.strip() and not line.startswith("#"):
            if head is None or not arrow:
                raise ValueError(f"{where}: {line!r} is no case")
            sheets = {"unchanged": on_file, "nothing": ()}
            letter = HumanLetter(
                id=f"{file.stem}{number}",
                klass=file.stem,
                variant=head["variant"],
                power=head["power"],
                language=head["language"],
                position=_boards()[head["board"]] if head["board"] else "start",
                on_file=on_file,
                subject="Orders",
                body=words.replace("\\n", "\n"),
                html="",
                outcomes=(Outcome(()),),
                mentions={},
            )
            yield EverydayCase(where, letter, frozenset(sheets.get(after, _sheet(after))))


@cache
def _boards() -> dict[str, str]:
    return {letter.id: letter.position for letter in load(sorted(LETTERS.glob("*.jsonl")))}


def _sheet(text: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in text.split(";") if line.strip())
