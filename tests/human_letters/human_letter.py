"""Letters to the game master as people write them, with what a careful human game master makes of each.

A file is JSON lines, one letter on each:

    id, klass           number; the habit of writing that it shows
    variant, power, language
    position            "start", or a position as `gm adjudicate` takes it
    on_file             the sheet before the letter, in canonical lines
    subject, body|html  the letter
    stored              the sheet afterwards
    ask, asked          true where a human would ask; of each group in `asked` one word must stand in the answer
    either              other outcomes that are as good: `stored`, `asked`
    mentions            for each order that should come or go, the words that name it in the letter
                        ("~…": three words of this clause in a row)
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LETTERS = Path(__file__).parent / "letters"
FIELDS = {
    "id", "klass", "variant", "power", "language", "position", "on_file", "subject", "body", "html", "stored", "ask",
    "asked", "either", "mentions",
}  # fmt: skip


@dataclass(frozen=True)
class Outcome:
    """A sheet after the letter, and groups of words: one word of each must stand in the answer."""

    stored: tuple[str, ...]
    asked: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True)
class HumanLetter:
    """`position` is JSON text, or "start". `outcomes`: the expected one first, then those that are as good."""

    id: str
    klass: str
    variant: str
    power: str
    language: str
    position: str
    on_file: tuple[str, ...]
    subject: str
    body: str
    html: str
    outcomes: tuple[Outcome, ...]
    mentions: Mapping[str, tuple[str, ...]]

    @property
    def words(self) -> str:
        return self.body or self.html


def load(files: Iterable[Path]) -> Iterator[HumanLetter]:
    """ValueError, with file and line, for what is no letter of this form."""
    for file in files:
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            if line.strip():
                try:
                    yield _letter(json.loads(line))
                except (KeyError, TypeError, ValueError) as error:
                    raise ValueError(f"{file}:{number}: {error!r}") from None


def _letter(fields: dict[str, Any]) -> HumanLetter:
    if unknown := set(fields) - FIELDS:
        raise ValueError(f"unknown fields: {', '.join(sorted(unknown))}")
    if ("body" in fields) == ("html" in fields):
        raise ValueError("a letter has either a body or html")
    position = fields["position"]
    return HumanLetter(
        id=fields["id"],
        klass=fields["klass"],
        variant=fields["variant"],
        power=fields["power"],
        language=fields["language"],
        position=position if isinstance(position, str) else json.dumps(position, sort_keys=True),
        on_file=tuple(fields["on_file"]),
        subject=fields["subject"],
        body=fields.get("body", ""),
        html=fields.get("html", ""),
        outcomes=tuple(_outcome(outcome) for outcome in (fields, *fields.get("either", ()))),
        mentions={order: tuple(words) for order, words in fields["mentions"].items()},
    )


def _outcome(fields: Mapping[str, Any]) -> Outcome:
    return Outcome(tuple(fields["stored"]), tuple(tuple(group) for group in fields.get("asked", ())))
