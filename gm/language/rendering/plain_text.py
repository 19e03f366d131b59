"""Plain text fit for mail: wrapped at 72 columns, quoted, and safe as format=flowed.

No line ends in a blank, begins with "From ", or is the signature mark "-- ", below which mail programs cut replies.
"""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import zip_longest

WIDTH = 72
SENTENCES_KEPT = 2048
"""Size of the caches of laid-out sentences: letters share most of theirs."""
PLAIN = bytes(range(0x20, 0x7F)) + b"\n"
SHORT = 200
"""Characters of a text that are looked at one by one in less time than it takes to make bytes of it."""
STRONG = "**"
"""Marks **strong** words in sentences: bold in HTML, plain in text."""

_JOINERS = dict.fromkeys(map(ord, "\u200c\u200d"))
_STRONG = re.compile(r"\*\*(.+?)\*\*", re.DOTALL)
_TOGETHER = re.compile(r"(?<=\b[A-Z]) (?=[A-Z][A-Za-z]{2}\b)|(?<=\d) (?=(?:d|h|min)\b)")
_TIE = "\x00"  # absent from all texts here, and part of a word for textwrap
_BLANKS = re.compile(r"\n{3,}")
_FORGED = re.compile(
    r"""\s*(?:
        ::                                  # lines for programs
      | ref\s*:                             # the line that names a seat
      | [-=_*~\u2010-\u2015\u2500\u2550]{2} # separators, the signature mark
      | ([^\w\s.!?])\1\1                    # other rulers
      | >                                   # a quotation of ours
      | \[                                  # subject tags
    )""",
    re.VERBOSE | re.IGNORECASE,
)


def unmarked(text: str) -> str:
    """Removes the marks of strong words."""
    return _STRONG.sub(r"\1", text) if STRONG in text else text


def strong_parts(text: str) -> tuple[tuple[str, bool], ...]:
    """The pieces of a sentence: (words, whether they are strong)."""
    pieces = _STRONG.split(text)
    return tuple((piece, index % 2 == 1) for index, piece in enumerate(pieces) if piece)


@lru_cache(maxsize=SENTENCES_KEPT, typed=True)
def wrap(text: str, indent: str = "", first: str | None = None, width: int = WIDTH) -> str:
    """Wraps one paragraph without breaking words, units ("A Bur") or durations ("5 h")."""
    lines = "\n".join(
        textwrap.wrap(
            _TOGETHER.sub(_TIE, unmarked(text)),
            width,
            initial_indent=indent if first is None else first,
            subsequent_indent=indent,
            break_long_words=False,
            break_on_hyphens=False,
        )
    )
    return lines.replace(_TIE, " ")


def bullets(items: Iterable[str]) -> str:
    return "\n".join(wrap(item, "  ", "- ") for item in items)


def rows(pairs: Sequence[tuple[str, str]], indent: str = "  ") -> str:
    """Examples in one column, each with a remark beside it where it fits, else below it."""
    column = max((len(code) for code, remark in pairs if remark), default=0)
    lines: list[str] = []
    for code, remark in pairs:
        beside = f"{indent}{code:<{column}}  {unmarked(remark)}" if remark else indent + code
        if not remark or len(beside) <= WIDTH:
            lines.append(beside)
        else:
            lines += [indent + code, wrap(remark, indent + "  ")]
    return "\n".join(line.rstrip() for line in lines)


def compared(heads: tuple[str, str], rows: Sequence[tuple[str, str, str]]) -> str:
    """A table of three columns with wrapped cells: subject, old value, new value."""
    first = min(max(len(unmarked(what)) for what, _, _ in rows), WIDTH // 3)
    each = (WIDTH - first - 6) // 2
    lines: list[str] = []
    for cells in (("", *heads), *rows):
        columns = [_cell(text, width) for text, width in zip(cells, (first, each, each), strict=True)]
        for what, was, now in zip_longest(*columns, fillvalue=""):
            lines.append(f"  {what:<{first}}  {was:<{each}}  {now}".rstrip())
    return "\n".join(lines)


def _cell(text: str, width: int) -> list[str]:
    return wrap(text, width=width).split("\n")


def grid(heads: Sequence[str], rows: Sequence[Sequence[str]], left: int) -> str:
    """A table with columns as wide as their longest cell: the first `left` ones flush left, numbers flush right."""
    lines = [heads, *rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]

    def line(cells: Sequence[str]) -> str:
        columns = enumerate(zip(cells, widths, strict=True))
        padded = (cell.ljust(width) if at < left else cell.rjust(width) for at, (cell, width) in columns)
        return "  " + "  ".join(padded).rstrip()

    return "\n".join(map(line, lines))


def quoted(text: str) -> str:
    """A player's words, wrapped line by line. Lines that look like parts of our letters get the prefix "> "."""
    done: list[str] = []
    for line in printable(text).split("\n"):
        prefix = "> " if looks_ours(line) else ""
        lines = textwrap.wrap(line, WIDTH - len(prefix), break_long_words=False, break_on_hyphens=False) or [""]
        done += [prefix + part if prefix or not looks_ours(part) else "> " + part for part in lines]
    return "\n".join(done).strip("\n")


def guarded(text: str) -> str:
    """As `quoted`, for HTML: lines are not wrapped. A reply may return them as plain text, with a forged `Ref:`."""
    return "\n".join("> " + line if looks_ours(line) else line for line in printable(text).split("\n"))


def looks_ours(line: str) -> bool:
    """Whether a player's line could pass for the game master's: a separator, `::`, `Ref:`, a heading in capitals."""
    folded = unicodedata.normalize("NFKC", line.translate(_JOINERS))
    title = folded.partition("(")[0]
    heading = sum(char.isupper() for char in title) > 3 and not any(char.islower() for char in title)
    return bool(_FORGED.match(folded)) or heading


def printable(text: str) -> str:
    """Normalises line breaks, expands tabs, removes control and direction characters."""
    if (len(text) < SHORT and text.isprintable()) or _without_ascii(text).isprintable():  # fast path
        return text
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\u2028", "\n").replace("\u2029", "\n")
    text = text.replace("\x0b", "\n").replace("\x0c", "\n").replace("\x85", "\n").expandtabs(4)
    gone = [char for char in set(text) if char != "\n" and _unprintable(char)]
    return text.translate(dict.fromkeys(map(ord, gone))) if gone else text


def visible(text: str) -> str:
    """One line with "?" for unprintable characters, so that columns stay the same."""
    return "".join("?" if _unprintable(char) else char for char in text.replace("\t", " "))


def header(text: str, most: int = 200) -> str:
    """Text for a header: one short line without control or direction characters."""
    return " ".join(printable(text).replace(STRONG, "*").split())[:most]


def finish(text: str) -> str:
    """Finishes a whole letter: collapses blank lines, strips line ends, guards what mail programs mangle."""
    finished = printable(text).strip("\n")
    if not _is_finished(finished):
        finished = "\n".join(map(_finished_line, finished.split("\n")))
    if "\n\n\n" in finished:
        finished = _BLANKS.sub("\n\n", finished)
    return finished.strip("\n") + "\n"


def _is_finished(text: str) -> bool:
    """Whether no line of plain ASCII needs to be changed. Only for speed."""
    lines = f"\n{text}\n"
    return text.isascii() and not (" \n" in lines or "\n--\n" in lines or "\nFrom " in lines)


def _finished_line(line: str) -> str:
    line = line.rstrip()
    return f" {line}" if line == "--" or line.startswith("From ") else line


def _without_ascii(text: str) -> str:
    """The characters besides printable ASCII and line ends. Works on bytes, which is four times as fast."""
    return text.encode("utf-8", "surrogatepass").translate(None, PLAIN).decode("utf-8", "surrogatepass")


def _unprintable(char: str) -> bool:
    """Control characters, surrogates and format characters, except the joiners that some scripts need."""
    category = unicodedata.category(char)
    return category in ("Cc", "Cs") or (category == "Cf" and ord(char) not in _JOINERS)
