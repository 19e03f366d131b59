"""What is fuzzed: functions of bytes that return whatever they are given, and soon. Finds are tests from then on."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

from support.mail.mail_samples import survives
from support.paths import CORPUS, MAIL_LETTERS

from gm.language.letter.letter_reader import read_letter
from gm.language.lines.letter_contents import LetterContext
from gm.resources import folder
from gm.variant_files.library import Library

HERE = Path(__file__).parent
FINDS = HERE / "finds"
SEEDS = {
    "letter": sorted(MAIL_LETTERS.glob("*.eml")),
    "read": sorted(path for path in CORPUS.rglob("*") if path.is_file()),
}


def letter(data: bytes) -> None:
    """A letter, opened."""
    survives(data)


def read(data: bytes) -> None:
    """The words of a letter, read as orders and requests. The first byte chooses the game and who writes."""
    lines = data[1:].decode("utf-8", "replace").split("\n")
    choices = contexts()
    read_letter(tuple(enumerate(lines[:2_000], 1)), choices[(data[:1] or b"\0")[0] % len(choices)])


TARGETS: dict[str, Callable[[bytes], None]] = {"letter": letter, "read": read}


@cache
def contexts() -> tuple[LetterContext, ...]:
    """Every variant's opening, for its first power and for the game master."""
    library = Library((folder("variants"),))
    variants = [library.variant(name) for name in library.ids()]
    players = [LetterContext(variant, variant.start, variant.powers[0].name) for variant in variants]
    return (*players, LetterContext(variants[0], variants[0].start, "", master=True))


def warm() -> None:
    """Read the grammars and the names of every map, which is done once and not any letter's fault."""
    for number in range(len(contexts())):
        read(bytes([number]) + b"A Par - Bur")


def seeds(name: str) -> list[bytes]:
    """To begin with: the letters of the corpus; its lines, for every game."""
    raw = [path.read_bytes() for path in SEEDS[name]]
    if name == "letter":
        return raw
    pieces = [
        b"\n".join(lines[at : at + 8])
        for lines in (raw_letter.split(b"\n") for raw_letter in raw)
        for at in range(0, len(lines), 8)
    ]
    return [bytes([number % len(contexts())]) + piece for number, piece in enumerate(pieces)]
