"""Tables of orders whose head says what the cells below it are: "Unit | goes to | with support from"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import Enum
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from gm.judge.model.variant import Variant
from gm.language.lines.lines import TABLE_ROW, LetterLine
from gm.language.orders.parsing.lexer import Scanner
from gm.language.prose.phrases.prose_phrases import ProsePhrases, phrases_of
from gm.language.prose.stance import AFFIRMS, stance_of_heading

CELLS = ";,\t|"
"""Marks between the cells of a table."""
CELL = re.compile(f"[{CELLS}]")
BLANK = " "
"""The mark of a table whose cells are single names."""
DASHES = "-–—/."
"""What stands in a cell for nothing."""
SUPPORTED = "supported by"
LONGEST_HEAD = 120
MOST_NAMES = 5
"""Words of an order before a remark: two units with their kinds, and a goal."""
LINES_KEPT = 1024
FEWEST_CELLS = 2
FEWEST_COLUMNS = 3
"""Of a head without marks, which is no sentence then: "orders before"."""


class Role(Enum):
    WORDS = "words"
    OLD = "old"
    REMARK = "remark"
    BACKING = "backing"


class TableHead(Struct, frozen=True):
    """What stands between the cells, and what each column is."""

    mark: str
    roles: tuple[Role, ...]

    @property
    def is_plain(self) -> bool:
        """Whether the cells are to be read side by side."""
        return set(self.roles) == {Role.WORDS}


def head_of(line: LetterLine, variant: Variant) -> TableHead | None:
    return None if len(line.body) > LONGEST_HEAD else _head_of(_row(line), line.body, variant)


@lru_cache(maxsize=LINES_KEPT)
def _head_of(row: str, body: str, variant: Variant) -> TableHead | None:
    """The last lines are kept, only for speed: players write the same orders again."""
    phrases = phrases_of(variant)
    for mark in filter(row.__contains__, CELLS):
        cells = _cells(row, mark)
        if not any(cells):
            continue
        roles = tuple(filter(None, (_role(cell.lower(), phrases) if cell else Role.WORDS for cell in cells)))
        if len(roles) == len(cells):
            return TableHead(mark, roles)
    roles = tuple(_roles_of_words(body.lower().split(), phrases))
    return TableHead(BLANK, roles) if Role.WORDS in roles and len(roles) >= FEWEST_COLUMNS else None


def rows_in_words(head: TableHead, line: LetterLine, scanner: Scanner, phrases: ProsePhrases) -> Iterator[str]:
    """What the row may be as one order: without old ones, and with the units that support behind it."""
    cells = _names(line.body, scanner) if head.mark == BLANK else _cells(_row(line), head.mark)
    if head.mark == BLANK and head.roles[-1] is Role.REMARK:
        yield from _before_remark(head, line.body, scanner, phrases)
    if head.mark != BLANK and head.is_plain and len(cells) == len(head.roles) == FEWEST_CELLS:
        yield " ".join(cells)
        yield " - ".join(cells)  # "A Liv | Yorkshire"
    if head.is_plain or len(cells) != len(head.roles):
        return
    remarks = (cell for cell, role in zip(cells, head.roles, strict=True) if role is Role.REMARK)
    if any(_may_doubt(remark, scanner, phrases) for remark in remarks):
        return
    written = [(cell, role) for cell, role in zip(cells, head.roles, strict=True) if not _is_empty(cell, phrases)]
    words = [cell for cell, role in written if role is Role.WORDS]
    backers = [cell for cell, role in written if role is Role.BACKING]
    backing = f" {SUPPORTED} {' and '.join(backers)}" if backers else ""
    yield f"{' '.join(words)}{backing}"
    yield f"{' '.join(words[:-1])} - {''.join(words[-1:])}{backing}"


def _before_remark(head: TableHead, body: str, scanner: Scanner, phrases: ProsePhrases) -> Iterator[str]:
    """The first words of a row without marks that end with its remark: "Fleet Kiel Holland more centres"."""
    tokens = [token for token in scanner.scan(body) if token.type != "SEP"]
    words = [body[token.start_pos : token.end_pos] for token in tokens]
    for size in range(len(head.roles) - 1, min(len(words), MOST_NAMES) + 1):
        if not _may_doubt(body[tokens[size - 1].end_pos :], scanner, phrases):
            yield f"{' '.join(words[: size - 1])} - {words[size - 1]}"


def _may_doubt(remark: str, scanner: Scanner, phrases: ProsePhrases) -> bool:
    """Whether a remark may be about what its row orders: it names a place, or says more than a reason."""
    low = remark.lower()
    if any(token.type in ("PLACE", "KIND", "HOLD", "SUPPORT") for token in scanner.scan(remark)):
        return True
    doubting = (phrases.negated, phrases.cancel, phrases.cancelled, phrases.old)
    return stance_of_heading(low, phrases) != AFFIRMS or any(pattern.search(low) for pattern in doubting)


def without_old(head: TableHead, line: LetterLine) -> LetterLine:
    """The row without its cells of orders that no longer count."""
    start, body = 0, line.body
    for cell, role in zip(body.split(head.mark), head.roles, strict=False):
        end = start + len(cell)
        body = body[:start] + " " * len(cell) + body[end:] if role is Role.OLD else body
        start = end + len(head.mark)
    return replace(line, body=body)


def _is_empty(cell: str, phrases: ProsePhrases) -> bool:
    return not cell.strip(DASHES) or phrases.empty_cell.fullmatch(cell.lower()) is not None


def _row(line: LetterLine) -> str:
    return line.plain.strip().strip("|") if "|" in line.plain and TABLE_ROW.fullmatch(line.plain) else line.body


def _cells(row: str, mark: str) -> list[str]:
    return [cell.strip() for cell in row.split(mark)]


def _role(cell: str, phrases: ProsePhrases) -> Role | None:
    return next((role for role, pattern in _patterns(phrases) if pattern.fullmatch(cell)), None)


def _patterns(phrases: ProsePhrases) -> tuple[tuple[Role, re.Pattern[str]], ...]:
    return (
        (Role.OLD, phrases.old_column),
        (Role.BACKING, phrases.backing_column),
        (Role.REMARK, phrases.remark_column),
        (Role.WORDS, phrases.columns),
    )


def _roles_of_words(words: Sequence[str], phrases: ProsePhrases) -> Iterator[Role]:
    """The columns that words name one behind the other; nothing unless all of them do."""
    roles: list[Role] = []
    at = 0
    while at < len(words):
        if not _begins_with_column(" ".join(words[at:]), phrases):
            return
        sizes = range(len(words) - at, 0, -1)
        known = ((size, _role(" ".join(words[at : at + size]), phrases)) for size in sizes)
        size, role = next(((size, role) for size, role in known if role is not None), (0, None))
        if role is None:
            return
        roles.append(role)
        at += size
    yield from roles


def _begins_with_column(words: str, phrases: ProsePhrases) -> bool:
    """Only for speed: False only where no column is named by the first words, however many."""
    return bool(
        phrases.columns.match(words)
        or phrases.old_column.match(words)
        or phrases.backing_column.match(words)
        or phrases.remark_column.match(words)
    )


def _names(body: str, scanner: Scanner) -> list[str]:
    """The cells of a row without marks: single names, of a unit with its kind."""
    tokens = [token for token in scanner.scan(body) if token.type != "SEP"]
    cells: list[str] = []
    for before, token in zip([None, *tokens], tokens, strict=False):
        word = body[token.start_pos : token.end_pos]
        if before is not None and (before.type, token.type) == ("KIND", "PLACE"):
            cells[-1] = f"{cells[-1]} {word}"
        else:
            cells.append(word)
    return cells
