"""Finds the command in a line that gives a reason behind it: "ROLLBACK because I processed too early"."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice

from gm.language.commands import parser, requests
from gm.language.commands.command_line import CommandLine, is_command_like, is_in_capitals, written_words
from gm.language.commands.in_words.plain_questions import may_ask, read_questions, rows_by_name, tables_of
from gm.language.commands.table import row_of
from gm.language.lines.letter_contents import LetterContext, Request

PLACES_MOST = 5
"""Most places of a line that are tried."""
LINES_KEPT, LONGEST_KEPT = 1024, 200


@lru_cache(maxsize=8)
def _reasons(language: str, capitals: bool) -> re.Pattern[str]:
    """What stands between a command and its reason: `[reasons]` of grammars/plain_questions. A mere clause behind a
    comma is one only where the command is in capitals: "Help, I am losing!" is talk.
    """
    tables = tables_of("reasons", language)
    words, clauses = zip(*((table["words"], table["clauses"]) for table in tables), strict=True)
    because, sentence = "|".join(words), "|".join(clauses)
    behind_comma = rf"|(?<![,;.:(-])[,;.:(-]+\s+(?:{sentence})\b" if capitals else ""
    # A run of marks is tried from its first one alone, so that a line of nothing else takes no quadratic time.
    return re.compile(rf"(?<![\s,;.:(-])[\s,;.:(-]+(?:{because})\b{behind_comma}", re.IGNORECASE)


@lru_cache(maxsize=LINES_KEPT)
def _starts_of_reasons(body: str, language: str) -> tuple[int, ...]:
    """The last lines are kept, only for speed: players write the same orders again."""
    reasons = _reasons(language, is_in_capitals(body)).finditer(body)
    return tuple(match.start() for match in islice(reasons, PLACES_MOST))


def asks_for_more(request: Request, body: str, context: LetterContext) -> bool:
    """Whether the reason behind a game master's command in plain words asks for something else: "set the deadline to
    Monday and go back to spring" is two commands, which are proposed."""
    if not context.master or is_command_like(body):
        return False
    own = type(request).__name__
    meant = {question.commands[0] for question in read_questions(body, context) if question.line}
    names = {rows_by_name()[name].request for name in meant}
    return any(name != own for name in names)


def command_with_reason(body: str, line: str, context: LetterContext) -> tuple[str, CommandLine] | None:
    """The command before the reason, as written and as read; None where there is none that the writer may use.

    `body` is the cleaned line. Commands that keep their reason (`reason` in grammars/commands) have none here.
    """
    starts = _starts_of_reasons if len(body) <= LONGEST_KEPT else _starts_of_reasons.__wrapped__
    for start in starts(body, context.variant.language):
        head = body[:start].rstrip(" ,;.:(-")
        asked = parser.read_command(head, context.variant) if head else None
        if asked is None or asked.request is None or isinstance(asked.request, requests.ConfirmRequest):
            continue
        row = row_of(asked.kind)
        keeps = row.reason or row.block or row.any_length
        return None if keeps or not may_ask(asked.request, context) else (written_words(line, head), asked)
    return None
