"""The files of tests/language/corpus (their README tells the form), and what the reader makes of a line, in that
form."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property

from msgspec.structs import replace
from support.paths import CORPUS

from gm.judge.board.board import Place, locate
from gm.judge.model.position import Dislodged, Position, Unit
from gm.judge.model.struct_fields import contents
from gm.judge.model.variant import Variant
from gm.language.i18n.localized_variant import localized
from gm.language.letter.letter_reader import read_letter
from gm.language.lines.blocks import NumberedLine
from gm.language.lines.letter_contents import LetterContents, LetterContext, Request
from gm.language.rendering import order_text as write
from gm.variant_files.library import Library

HEADER = re.compile(r"(variant|language|phase|reader|units|dislodged|centres) (.*)")
DISLODGED = re.compile(r"(\w+): (.+) by (.+) to(.*)")

UNTOLD = ("written", "posted", "manner")
"""Fields of requests that no line of the corpus names: the line itself, and what goes round PRESS."""


@dataclass
class Scene:
    phase: str
    reader: str = ""
    units: dict[str, list[str]] = field(default_factory=dict)
    dislodged: list[tuple[str, str, str, list[str]]] = field(default_factory=list)
    centres: dict[str, list[str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Case:
    where: str
    written: str
    expected: str
    context: LetterContext

    @cached_property
    def lines(self) -> tuple[NumberedLine, ...]:
        return tuple(enumerate(self.written.split("\n"), 1))

    @cached_property
    def reading(self) -> LetterContents:
        """Read once for all tests of a process."""
        return read_letter(self.lines, self.context)


def asked(request: Request) -> str:
    fields = ", ".join(f"{name}={part!r}" for name, part in contents(request).items() if name not in UNTOLD)
    return f"{type(request).__name__.removesuffix('Request')}({fields})"


def unit(variant: Variant, power: str, text: str) -> Unit:
    kind, _, where = text.strip().partition(" ")
    province, _, coast = where.partition("/")
    at = locate(variant.start.board, variant.kinds[kind], Place(province, coast))
    assert at is not None, text
    return Unit(power, kind, at)


def position(variant: Variant, scene: Scene) -> Position:
    year, at = variant.phase_at(scene.phase)
    units = tuple(unit(variant, power, text) for power, listed in scene.units.items() for text in listed)
    out = []
    for power, who, by, ways in scene.dislodged:
        gone = unit(variant, power, who)
        driver = next(driver for driver in units if str(driver.at.place) == by.split(" ", 1)[1])
        out.append(Dislodged(gone, driver, tuple(unit(variant, power, f"{gone.kind} {way}").at for way in ways)))
    centres: Mapping[str, str] = {code: power for power, codes in scene.centres.items() for code in codes}
    return replace(
        variant.start,
        year=year,
        at=at,
        units=units or variant.start.units,
        dislodged=tuple(out),
        centres=centres or variant.start.centres,
    )


@cache
def cases(shelf: Library) -> tuple[Case, ...]:
    return tuple(_cases(shelf))


def _cases(shelf: Library) -> Iterator[Case]:
    for path in sorted(CORPUS.glob("*.txt")):
        variant = shelf.variant("standard")
        scene: Scene | None = None
        context: LetterContext | None = None
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if not line.strip() or line.startswith("# "):
                continue
            header = HEADER.fullmatch(line)
            if header and header[1] == "variant":
                name, *options = header[2].split()
                variant = shelf.variant(name, dict(option.split("=") for option in options))
                continue
            if header and header[1] == "language":
                variant = localized(variant, header[2])
                continue
            if header and " => " not in line:
                scene = _header(scene, header[1], header[2])
                context = None
                continue
            assert scene is not None, f"{path.name}:{number}: a line before any header"
            context = context or LetterContext(variant, position(variant, scene), scene.reader)
            written, arrow, expected = line.rpartition(" => ")
            assert arrow, f"{path.name}:{number}: no =>"
            yield Case(f"{path.name}:{number}", _unescaped(written), expected.strip(), context)


def _header(scene: Scene | None, key: str, value: str) -> Scene:
    if key == "phase":
        return Scene(value)
    assert scene is not None
    if key == "reader":
        scene.reader = value
    elif key == "dislodged":
        match = DISLODGED.fullmatch(value)
        assert match, value
        ways = [way.strip() for way in match[4].split(",") if way.strip()]
        scene.dislodged.append((match[1], match[2], match[3], ways))
    else:
        power, _, listed = value.partition(":")
        getattr(scene, key)[power] = [part.strip() for part in listed.split(",")]
    return scene


def _unescaped(text: str) -> str:
    text = text.replace("\\n", "\n").replace("\\t", "\t")
    return re.sub(r"\\u([0-9a-f]{4})", lambda match: chr(int(match[1], 16)), text)


def corpus_form(reading: LetterContents, context: LetterContext) -> str:
    """What was read, in the form of the corpus."""
    letter = context.variant.step(context.position).letter
    parts = [" | ".join(write.statement(order.statement, letter) for order in reading.orders)]
    parts += [f"@ {asked(line.request)}".replace("\\\\n", "\\n") for line in reading.requests]
    for trouble in reading.troubles:
        if trouble.obeyed:
            parts.append(f"! {trouble.key}")
        else:
            lines = (" | ".join(text.split("\n")) for text in trouble.suggestions)
            proposals = ": " + ", ".join(lines) if trouble.suggestions else ""
            parts.append(f"? {trouble.key}{proposals}")
    text = " ".join(part for part in parts if part)
    return text or "prose"


def read(case: Case) -> str:
    return corpus_form(case.reading, case.context)


def agrees(case: Case, got: str) -> bool:
    if case.expected.endswith(" ..."):
        return got.startswith(case.expected.removesuffix(" ...").rstrip())
    return got == case.expected
