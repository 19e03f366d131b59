"""`gm read`: shows how a letter would be understood, as JSON; nothing is stored or sent."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

from msgspec.structs import replace

from gm.errors import GmError
from gm.game.model.records import MASTER, InboxRow, Letter, SenderVerdict
from gm.game.model.settings import plain_names
from gm.judge.model.orders import Statement
from gm.judge.model.position import Position
from gm.judge.model.press import Message
from gm.judge.model.sheets import Problem, ProblemEffect
from gm.judge.model.variant import Variant
from gm.language.commands.in_words import plain_questions as plainly
from gm.language.commands.requests import LookupRequest, PressRequest
from gm.language.formats import json_position as exchange
from gm.language.formats.json_values import read_object
from gm.language.i18n.catalogue import FALLBACK, Catalogue, languages
from gm.language.i18n.catalogue import load as load_catalogue
from gm.language.i18n.localized_variant import local_names, localized
from gm.language.letter.letter_reader import read_letter
from gm.language.lines.letter_contents import LetterContents, LetterContext, LineError, OrderLine, Request
from gm.language.rendering.error_sentences import sentence
from gm.language.rendering.order_text import problem_sentence, statement
from gm.mail.message.open_letter import open_letter
from gm.resources import folder
from gm.variant_files.library import Library

MOST_BYTES = 1_000_000
CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


class MessageReader:
    """Reads letters of one power ("GM": of the game master) at one position. Raises GmError for unknown names."""

    def __init__(
        self, library: Library, variant: str, power: str, phase: str = "", position: str = "", language: str = FALLBACK
    ) -> None:
        """`language`: the language of the letters besides English, and of the messages."""
        if language not in languages():
            raise GmError(f"no language {language!r}; there are {', '.join(languages())}")
        document, options = _document(position)
        try:
            self._variant = localized(library.variant(variant, options), language)
        except KeyError:
            raise GmError(f"no variant {variant!r}; there are {', '.join(library.ids())}") from None
        self._context = context = LetterContext(
            self._variant,
            _position(self._variant, phase, document),
            _power(self._variant, power),
            master=power.upper() == MASTER,
            plain_settings=plain_names(),
        )
        if context.power:
            controlled = self._variant.step(context.position).controlled(context.position, self._variant, context.power)
            self._context = replace(context, controlled=controlled)
        self._language = language

    @cached_property
    def _catalogue(self) -> Catalogue:
        """Loaded for the first problem: a letter without one is read in less time than that takes."""
        plain = load_catalogue(folder("templates") / "sentences", self._language)
        return plain.naming(local_names(self._variant, self._language))

    def read(self, raw: bytes) -> dict[str, Any]:
        """Returns the document of one letter. Never raises: an unreadable letter is a problem in it."""
        row = InboxRow(0, "read", "", datetime.now(UTC), raw)
        letter = open_letter(row, lambda _: False, "", MOST_BYTES)
        acts = letter.verdict is SenderVerdict.ACT
        reading = (
            read_letter(letter.lines_with_quotes, self._context) if acts and not letter.refused else LetterContents()
        )
        lines = last_orders(reading)
        unsent = self._unsent(reading)
        refused = self._refused(lines)
        refused_statements = {
            line.statement for line, problem in refused for line in (lines if problem.statement is None else [line])
        }
        phase = self._variant.step(self._context.position).letter
        own = [line for line in lines if not line.power and line.statement not in refused_statements]
        document: dict[str, Any] = {
            "orders": [statement(line.statement, phase) for line in own],
            "commands": [format_request(line.request) for line in reading.requests if line.line not in unsent],
            "problems": [
                *(problem_document(self._catalogue, t) for t in reading.troubles if t.key not in plainly.HINTS),
                *(self._refusal_document(*refusal) for refusal in refused),
                *unsent.values(),
            ],
            "spans": [{"line": span.line, "text": span.text.strip(), "fate": span.fate} for span in reading.spans],
            "ignored": _ignored(letter, reading),
            "verdict": letter.verdict.value,
        }
        controlled: dict[str, list[str]] = {}
        for line in lines:
            if line.power:
                controlled.setdefault(line.power, []).append(statement(line.statement))
        if controlled:
            document["wards"] = controlled
        if hints := [trouble.line for trouble in reading.troubles if trouble.key in plainly.HINTS]:
            document["hints"] = (
                hints  # lines of talk that seem to ask for something: the answer shows how it is written
            )
        if why := letter.why or letter.refused:
            document["why"] = why
        return document

    def _unsent(self, reading: LetterContents) -> dict[int, dict[str, Any]]:
        """Returns the messages that would be returned, by line: too long, or not paid for."""
        variant, position, power = self._variant, self._context.position, self._context.power
        press = variant.press
        unsent: dict[int, dict[str, Any]] = {}
        spent: list[Statement] = [line.statement for line in last_orders(reading)]
        for line in reading.requests:
            request = line.request
            if not isinstance(request, PressRequest) or not power or set(request.to) == {MASTER}:
                continue
            to = request.to if not request.everyone else press.everyone(position, variant)
            message = Message(power, power, to, request.text)
            message = replace(message, cost=press.price(position, variant, message))
            wrong = press.check(position, variant, message, tuple(spent))
            if wrong is None:
                spent.append(message)
                continue
            words = problem_sentence(self._catalogue, wrong, variant, variant.step(position).letter)
            unsent[line.line] = {"line": line.line, "text": line.text, "message": words, "suggestions": []}
        return unsent

    def _refused(self, lines: Sequence[OrderLine]) -> list[tuple[OrderLine, Problem]]:
        """Returns what the phase refuses of the sheet, with its line (the last one for the whole sheet)."""
        here = self._context
        own = [line for line in lines if not line.power]
        if not own or not here.power:
            return []
        sheet = tuple(line.statement for line in own)
        problems = here.variant.step(here.position).check(here.position, here.variant, here.power, sheet)
        of = {line.statement: line for line in own}
        effects = ProblemEffect.REFUSE_LINE, ProblemEffect.REFUSE_SHEET
        refused = [problem for problem in problems if problem.effect in effects]
        return [(of[problem.statement] if problem.statement in of else own[-1], problem) for problem in refused]

    def _refusal_document(self, line: OrderLine, problem: Problem) -> dict[str, Any]:
        letter = self._variant.step(self._context.position).letter
        message = problem_sentence(self._catalogue, problem, self._variant, letter)
        return {"line": line.line, "text": line.text, "message": message, "suggestions": []}


def last_orders(reading: LetterContents) -> Sequence[OrderLine]:
    """Returns the last line for each slot and power, in the place of the first."""
    return list({(line.power, line.statement.slot): line for line in reading.orders}.values())


def format_request(request: Request) -> str:
    """Formats a request in one line: keyword and values ("PRESS England, Russia: …")."""
    if isinstance(request, LookupRequest):
        return " ".join((request.shows.replace("-", " ").upper(), request.topic)).strip()
    words = CAMEL.sub(" ", type(request).__name__.removesuffix("Request")).upper()
    values = [_plain(getattr(request, name)) for name in request.__struct_fields__]
    return " ".join([words, *(v for v in values if v)])


def _plain(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(_plain(v) for v in value)
    return "" if value is False else "ALL" if value is True else str(value)


def problem_document(catalogue: Catalogue, trouble: LineError) -> dict[str, Any]:
    return {
        "line": trouble.line,
        "text": trouble.text,
        "message": sentence(catalogue, trouble),
        "suggestions": list(trouble.suggestions),
    }


def _ignored(letter: Letter, reading: LetterContents) -> dict[str, int]:
    counts = {"quoted_lines": letter.quoted_lines, "signature_lines": letter.signature_lines}
    return {k: n for k, n in (counts | dict(letter.other_ignored) | {"prose_lines": reading.prose}).items() if n}


def _power(variant: Variant, name: str) -> str:
    if name.upper() == MASTER:
        return ""
    for power in variant.powers:
        if name.lower() in (power.name.lower(), power.letter.lower(), *(a.lower() for a in power.aliases)):
            return power.name
    raise GmError(f"no power {name!r} in {variant.title}; there are {', '.join(p.name for p in variant.powers)}")


def _document(position: str) -> tuple[Mapping[str, Any], Mapping[str, str]]:
    """Returns the document, empty without a position, and the options in it."""
    try:
        document = read_object(json.loads(position or "{}"), "position")
        return document, exchange.options_from_json(document)
    except ValueError as error:  # JSON's own errors are ValueErrors too
        raise GmError(str(error)) from None


def _position(variant: Variant, phase: str, document: Mapping[str, Any]) -> Position:
    try:
        position = exchange.position_from_json(variant, document) if document else variant.start
        if not phase:
            return position
        year, at = variant.phase_at(phase)
    except ValueError as error:
        raise GmError(str(error)) from None
    return replace(position, year=year, at=at)
