"""Plain text that survives mail: wrapped at 72 columns, quoted, and never mistaken for something else.

Nothing here knows what a letter says. The result is fit for format=flowed: no line ends in a blank, none begins
"From ", and none is the signature mark "-- ", below which mail programs cut replies off.
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
"""So many are kept as they were laid out: most of what a letter says, other letters say as well."""
PLAIN = bytes(range(0x20, 0x7F)) + b"\n"
STRONG = "**"
"""Sentences of the catalogue may mark words as **strong**: bold in HTML, plain in text."""

_STRONG = re.compile(r"\*\*(.+?)\*\*", re.DOTALL)
_TOGETHER = re.compile(r"(?<=\b[A-Z]) (?=[A-Z][A-Za-z]{2}\b)|(?<=\d) (?=(?:d|h|min)\b)")
_TIE = "\x00"  # a character that no text has here, and that textwrap takes for part of a word
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


def plain(text: str) -> str:
    """Without the marks for strong words."""
    return _STRONG.sub(r"\1", text)


def strong_parts(text: str) -> tuple[tuple[str, bool], ...]:
    """A sentence in pieces: (words, are they strong)."""
    pieces = _STRONG.split(text)
    return tuple((piece, index % 2 == 1) for index, piece in enumerate(pieces) if piece)


@lru_cache(maxsize=SENTENCES_KEPT, typed=True)
def wrap(text: str, indent: str = "", first: str | None = None, width: int = WIDTH) -> str:
    """One paragraph. Words are never broken: an address that is longer than a line keeps its own line.

    A unit ("A Bur") and a number with its unit of time ("5 h") stay on one line.
    """
    lines = "\n".join(
        textwrap.wrap(
            _TOGETHER.sub(_TIE, plain(text)),
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
    """Things to type, each with a remark beside it where it fits, else below it.

    The remarks stand in one column only where the things are short: a phone's font would part them anyway.
    """
    column = max((len(code) for code, remark in pairs if remark), default=0)
    lines: list[str] = []
    for code, remark in pairs:
        beside = f"{indent}{code:<{column}}  {plain(remark)}" if remark else indent + code
        if not remark or len(beside) <= WIDTH:
            lines.append(beside)
        else:
            lines += [indent + code, wrap(remark, indent + "  ")]
    return "\n".join(line.rstrip() for line in lines)


def compared(heads: tuple[str, str], rows: Sequence[tuple[str, str, str]]) -> str:
    """Three columns, each cell wrapped within its own: what a line is about, what was, what is."""
    first = min(max(len(plain(what)) for what, _, _ in rows), WIDTH // 3)
    each = (WIDTH - first - 6) // 2
    lines: list[str] = []
    for cells in (("", *heads), *rows):
        columns = [_cell(text, width) for text, width in zip(cells, (first, each, each), strict=True)]
        for what, was, now in zip_longest(*columns, fillvalue=""):
            lines.append(f"  {what:<{first}}  {was:<{each}}  {now}".rstrip())
    return "\n".join(lines)


def _cell(text: str, width: int) -> list[str]:
    return wrap(text, width=width).split("\n")


def quoted(text: str) -> str:
    """Somebody else's words, wrapped line by line, so that no line of them can pass for one of ours.

    A line that looks like a mark of the game master's letters (a separator, `::`, `Ref:`, a heading in
    capitals) is prefixed with "> ".
    """
    done: list[str] = []
    for line in printable(text).split("\n"):
        prefix = "> " if looks_ours(line) else ""
        lines = textwrap.wrap(line, WIDTH - len(prefix), break_long_words=False, break_on_hyphens=False) or [""]
        done += [prefix + part if prefix or not looks_ours(part) else "> " + part for part in lines]
    return "\n".join(done).strip("\n")


def guarded(text: str) -> str:
    """Somebody else's words for the HTML part: lines as written, and the same prefix before what looks like ours.

    A reply may bring them back as plain lines, where a `Ref:` of a player's making must not be taken for ours.
    """
    return "\n".join("> " + line if looks_ours(line) else line for line in printable(text).split("\n"))


def looks_ours(line: str) -> bool:
    """Could a reader, or a program, take this line of a player's for the game master's?"""
    folded = unicodedata.normalize("NFKC", line)
    title = folded.partition("(")[0]
    heading = sum(char.isupper() for char in title) > 3 and not any(char.islower() for char in title)
    return bool(_FORGED.match(folded)) or heading


def printable(text: str) -> str:
    """Line breaks made plain; control and direction characters gone, tabs to blanks."""
    if _beyond(text).isprintable():  # nearly always
        return text
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\u2028", "\n").replace("\u2029", "\n")
    text = text.replace("\x0b", "\n").replace("\x0c", "\n").replace("\x85", "\n").expandtabs(4)
    gone = [char for char in set(text) if char != "\n" and _unprintable(char)]
    return text.translate(dict.fromkeys(map(ord, gone))) if gone else text


def visible(text: str) -> str:
    """One line as written, with a question mark for what cannot be shown, so that columns stay where they are."""
    return "".join("?" if _unprintable(char) else char for char in text.replace("\t", " "))


def header(text: str, most: int = 200) -> str:
    """Fit for a header: one line, no control or direction characters, not endless."""
    return " ".join(printable(text).replace(STRONG, "*").split())[:most]


def finish(text: str) -> str:
    """The whole letter: blank lines collapsed, no blank at a line's end, nothing a mail program would mangle."""
    lines = [_harmless(line.rstrip()) for line in printable(text).strip("\n").split("\n")]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n") + "\n"


def _harmless(line: str) -> str:
    return " " + line if line.startswith("From ") or line == "--" else line


def _beyond(text: str) -> str:
    """What there is besides the letters and signs of ASCII, and ends of lines: found in bytes in a quarter of the time
    that it takes to look at each character.
    """
    return text.encode("utf-8", "surrogatepass").translate(None, PLAIN).decode("utf-8", "surrogatepass")


def _unprintable(char: str) -> bool:
    """Cc and Cs always; of Cf the characters that turn or hide text, not the joiners that some scripts need."""
    category = unicodedata.category(char)
    return category in ("Cc", "Cs") or (category == "Cf" and char not in "\u200c\u200d")
