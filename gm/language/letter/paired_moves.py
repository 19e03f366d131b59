"""Moves of several units to as many goals: "London and Edinburgh to the North Sea and the Norwegian Sea".

The first unit goes to the first goal. That is only proposed: people also write the goals in another order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from gm.language.i18n.normalize import clean
from gm.language.lines.letter_contents import LetterContext, LineError
from gm.language.orders.line_reader import LineReader
from gm.language.orders.parsing.lexer import Token
from gm.language.rendering import order_text

TWO_TO_ONE = "two-to-one"
"""Key of the error that only one of several units can go to a goal."""
TOGETHER = frozenset({TWO_TO_ONE, "named-in-passing"})
GOES = frozenset({"ARROW", "MINUS", "TO"})
BETWEEN = frozenset({"SEP", "TALK", "KIND", "MOVE"})
"""Types of words between the units."""
MOST = 6
"""Most units of one list."""


def with_paired_moves(
    troubles: Sequence[LineError], sheet: LineReader | None, context: LetterContext
) -> list[LineError]:
    """With one proposal in place of what is wrong with such a line."""
    if sheet is None or not sheet.kind.holds or not any(trouble.key == TWO_TO_ONE for trouble in troubles):
        return list(troubles)
    kept: list[LineError] = []
    paired: set[int] = set()
    for trouble in troubles:
        lines = tuple(_paired(trouble.text, sheet, context)) if trouble.key == TWO_TO_ONE else ()
        if lines and trouble.line not in paired:
            kept.append(
                replace(trouble, key="not-taken", start=0, end=len(trouble.text), suggestions=("\n".join(lines),))
            )
            paired.add(trouble.line)
        elif trouble.line not in paired or trouble.key not in TOGETHER:
            kept.append(trouble)
    return kept


def _paired(text: str, sheet: LineReader, context: LetterContext) -> Iterator[str]:
    """The orders of the line, one for each unit; none where the words do not pair."""
    cleaned = clean(text).text
    tokens = list(sheet.scanner.scan(cleaned))
    at = next((index for index, token in enumerate(tokens) if token.type in GOES), len(tokens))
    units = [token for token in tokens[:at] if token.type == "PLACE"]
    goals = list(_goals(tokens[at + 1 :], len(units)))
    plain = all(token.type == "PLACE" or token.type in BETWEEN for token in tokens[:at])
    if not plain or not 1 < len(units) <= MOST or len(goals) < len(units):
        return
    pairs = zip(units, goals, strict=True)
    lines = [f"{_words(cleaned, unit)} - {_words(cleaned, goal)}" for unit, goal in pairs]
    rest = cleaned[goals[-1].end_pos :].strip(" ,;.")
    lines += [rest] if rest else []
    meanings = [sheet.read(line, context) for line in lines]
    if all(meaning.error is None and meaning.statements for each in meanings for meaning in each):
        letter = context.variant.step(context.position).letter
        for each in meanings:
            yield from (order_text.statement(order, letter) for meaning in each for order in meaning.statements)


def _goals(tokens: Sequence[Token], number: int) -> Iterator[Token]:
    """The places behind "to", with words like "and" between; none where the last of them goes somewhere itself."""
    places: list[Token] = []
    for at, token in enumerate(tokens):
        if token.type == "PLACE":
            places.append(token)
        elif token.type != "SEP":
            return
        if len(places) == number:
            behind = tokens[at + 1] if at + 1 < len(tokens) else None
            if behind is None or behind.type == "SEP":
                yield from places
            return


def _words(text: str, token: Token) -> str:
    return text[token.start_pos : token.end_pos]
