"""Finds the sender's own lines: cuts quotes, attributions, signatures and disclaimers, in one linear pass.

It handles answers above, below and between quoted lines; `>` and `|` marks; attributions in some thirty languages over
up to four lines; Outlook's From-blocks; dividers; forwarded letters; signatures; footers of firms.
A quote without marks runs to the end of the letter, because nothing shows where it stops. The exception: nothing was
written above it and nothing below it is known to be ours; then the sender's words follow.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from enum import Enum
from functools import cached_property, lru_cache

from msgspec import Struct

from gm.mail import limits
from gm.mail.message import mail_program_words as phrases

MARKED = re.compile(r"\s{0,3}(>|\|\s(?!.*\|\s*$)|\|$)")
"""A line between two bars is a row of a table, no quote."""
INVISIBLE_ENDS = "\u200e\u200f\u202c\u202b\u2068\u2069 \t*_"
INITIALS = re.compile(r"[A-Z][A-Za-z]{0,2}> ")
INITIALS_LEAST = 3
"""This many lines with the same initials before ">" are quotes; a single "NTH> Nwy" is an order."""
WRAPPED_OVER = 4
INSIDE_COLON = re.compile(r"[^\W\d_]:\s+[^\W\d_]")
"""Between words of people; programs write hours with it, and labels below each other."""
BLOCK_LINES = 9
PARAGRAPH_LINES = 12
MOST_BLANKS = 3
LAST_WORD = 14
SHORT = 120
LINES_KEPT = 4096


class LineKind(Enum):
    OWN = "own"
    QUOTE = "quote"
    SIGNATURE = "signature"
    FOOTER = "footer"


class QuoteCut(Struct, frozen=True):
    """The kind of each line. `forwarded`: the first line of what may be a forwarded letter; None: there is none."""

    kinds: tuple[LineKind, ...]
    forwarded: int | None = None

    def count(self, kind: LineKind, lines: Sequence[str]) -> int:
        if kind not in self.kinds:  # fast path
            return 0
        return sum(of is kind and bool(line.strip()) for of, line in zip(self.kinds, lines, strict=True))


def cut_quotes(lines: Sequence[str], references: Sequence[int] = ()) -> QuoteCut:
    """`references` are the indexes of Ref lines, which show that an unmarked quote is one of our letters."""
    return _Cutter([line[: limits.LINE] for line in lines], max(references, default=-1)).run()


class _Cutter:
    def __init__(self, lines: list[str], last_reference: int) -> None:
        self.lines = lines
        self.last_reference = last_reference
        self.kinds = [LineKind.OWN] * len(lines)
        self.wrote = False
        self.own = 0
        self.forwarded: int | None = None
        self.ends: dict[int, bool] = {}

    @cached_property
    def initials(self) -> Counter[str]:
        """How often lines begin with the same initials before ">"."""
        return Counter(initials[0] for line in self.lines if (initials := INITIALS.match(line)))

    @cached_property
    def next_filled(self) -> list[int]:
        """For each line the index of the first line from it on that is not blank."""
        following, out = len(self.lines), [0] * (len(self.lines) + 1)
        out[-1] = following
        for index in range(len(self.lines) - 1, -1, -1):
            following = index if self.lines[index].strip() else following
            out[index] = following
        return out

    def run(self) -> QuoteCut:
        index, state = 0, LineKind.OWN
        # Lines after the last own line that is read count as beyond the limits.
        while index < len(self.lines) and self.own <= limits.OWN_LINES:
            line = self.lines[index]
            if not line.strip():
                self.kinds[index] = state
                index += 1
            elif state is LineKind.OWN and len(line) < SHORT and _is_plain(line):  # fast path
                self.wrote = True
                self.own += 1
                index += 1
            elif self._is_marked(index):
                self.kinds[index] = LineKind.QUOTE
                state = LineKind.OWN
                index += 1
            elif (length := self._introduction(index)) > 0:
                index = self._quote(index, length)
                state = LineKind.OWN
            elif state is not LineKind.SIGNATURE and phrases.SIGNATURE.fullmatch(line.strip()):
                state = self.kinds[index] = LineKind.SIGNATURE
                index += 1
            else:
                index = self._own(index, state)
        return QuoteCut(tuple(self.kinds), self.forwarded)

    def _is_marked(self, index: int) -> bool:
        line = self.lines[index]
        if MARKED.match(line) is not None:
            return True
        initials = INITIALS.match(line)
        return initials is not None and self.initials[initials[0]] >= INITIALS_LEAST

    def _own(self, index: int, state: LineKind) -> int:
        line = self.lines[index].strip()
        if state is LineKind.OWN:
            signs = _signs_of_footers(line) if len(line) < SHORT else _footer_signs(line)
            if signs.banner:
                return self._footer(index)
            if signs.disclaimer and phrases.LEGAL.search(self._paragraph(index)):
                return self._footer(index, to_the_end=self.wrote)
            if signs.device and len(line) < SHORT:
                self.kinds[index] = LineKind.SIGNATURE
                return index + 1
        self.kinds[index] = state
        if state is LineKind.OWN:
            self.wrote = True
            self.own += 1
        return index + 1

    def _paragraph(self, index: int) -> str:
        lines: list[str] = []
        for line in self.lines[index : index + PARAGRAPH_LINES]:
            if not line.strip():
                break
            lines.append(line)
        return " ".join(lines)

    def _footer(self, index: int, to_the_end: bool = False) -> int:
        """Marks a paragraph as footer; a disclaimer up to the next quote or the end."""
        while index < len(self.lines) and not self._is_marked(index) and not self._introduction(index):
            if not self.lines[index].strip() and not to_the_end:
                break
            self.kinds[index] = LineKind.FOOTER
            index += 1
        return index

    def _quote(self, index: int, length: int) -> int:
        """Marks an introduction as quote; returns where reading goes on: the end when the quote has no marks."""
        end = index + length
        self.kinds[index:end] = [LineKind.QUOTE] * length
        if self._is_marked_below(end):
            return end
        head = self.lines[index]
        forwarded = phrases.FORWARDED.search(head) is not None
        if not self.wrote and self.last_reference < end and not forwarded:
            return end
        divided = phrases.DIVIDERS.match(head.strip()) is not None  # some programs forward below "Original Message"
        self.forwarded = end if forwarded or divided else None
        self.kinds[end:] = [LineKind.QUOTE] * (len(self.lines) - end)
        return len(self.lines)

    def _is_marked_below(self, index: int) -> bool:
        first = self.next_filled[min(index, len(self.lines))]
        return first < len(self.lines) and self._is_marked(first)

    def _introduction(self, index: int) -> int:
        """The number of lines from here that introduce a quote, 0 for none."""
        return self._divider(index) or self._block(index) or self._attribution(index)

    def _divider(self, index: int) -> int:
        line = self.lines[index]
        words = line.strip()
        if words[:1].isalnum() and ":" not in words:  # fast path: all dividers begin with signs
            return 0
        if phrases.DIVIDERS.match(words) or phrases.FORWARDS.match(words):
            return 1 + self._blanks_and_block(index + 1)
        if phrases.RULE.fullmatch(line):
            below = self._blanks_and_block(index + 1)
            return 1 + below if below or phrases.LONG_UNDERSCORES.fullmatch(line) else 0
        if phrases.DASHED.fullmatch(line):
            below = self._blanks_and_block(index + 1)
            return 1 + below if below or self._names_letter(words) else 0
        return 0

    def _blanks_and_block(self, index: int) -> int:
        """The length of a From-block or attribution right below a divider, with the blank lines before it."""
        first = self.next_filled[min(index, len(self.lines))]
        if first >= len(self.lines) or first - index > MOST_BLANKS:
            return 0
        length = self._block(first) or self._attribution(first)
        return first - index + length if length else 0

    def _block(self, index: int) -> int:
        """`From: … Sent: … To: … Subject: …`, in any language and order that programs use.

        It must hold an address or a present-day date, because players write letter heads of 1901 into their press.
        """
        first = self.lines[index]
        if not phrases.COLONS.intersection(first) or not (phrases.FROM.match(first) or phrases.LABEL.match(first)):
            return 0
        sender, labels, last, strays = False, 0, index, 0
        for place in range(index, min(index + BLOCK_LINES, len(self.lines))):
            line = self.lines[place]
            if phrases.FROM.match(line):
                sender, last, strays = True, place, 0
            elif phrases.LABEL.match(line):
                labels, last, strays = labels + 1, place, 0
            elif not line.strip() or not sender or strays:
                break
            else:
                strays += 1
        block = " ".join(self.lines[index : last + 1])
        if "@" in block and sender and labels:
            return last - index + 1
        dated = phrases.DAY.search(block) is not None
        return last - index + 1 if dated and labels >= (2 if sender else 3) else 0

    def _attribution(self, index: int) -> int:
        """`On Fri, 20 Nov 2026 at 10:00, Ann <ann@example.org> wrote:`, wrapped or not."""
        joined = ""
        for length in range(1, WRAPPED_OVER + 1):
            if index + length > len(self.lines):
                return 0
            line = self.lines[index + length - 1].strip(INVISIBLE_ENDS)
            if not line or (length > 1 and (self._is_marked(index + length - 1) or self._opens(line))):
                return 0
            joined = f"{joined} {line}"[: limits.LINE].strip()
            if self._ends(index + length - 1):
                return length if self._attributes(joined, index, length) else 0
            if length == 1 and self._begins_quote(line):
                return 1
            if length == 1 and not _attribution_signs(line).first:
                return 0
        return 0

    def _ends(self, index: int) -> bool:
        """Whether an attribution may end with this line. The answers are cached, only for speed."""
        known = self.ends.get(index)
        if known is None:
            known = self.ends[index] = _attribution_signs(self.lines[index].strip(INVISIBLE_ENDS)).last
        return known

    def _opens(self, line: str) -> bool:
        if phrases.OPENERS.match(line) is None:
            return False
        return phrases.TIME.search(line) is not None or phrases.DAY.search(line) is not None

    def _names_letter(self, words: str) -> bool:
        """Whether there is an address and a day or hour, or day, hour and a verb, as programs write."""
        time, day = phrases.TIME.search(words), phrases.DAY.search(words)
        if "@" in words:
            return time is not None or day is not None
        return time is not None and day is not None and phrases.VERBS.search(words) is not None

    def _begins_quote(self, line: str) -> bool:
        """Yahoo on Android: attribution and quote on one line, `On Fri, … <gm@example.org> wrote:   Your orders …`."""
        verb = phrases.VERBS.search(line) if "@" in line else None
        if verb is None or not self._opens(line) or not line[verb.end() :].startswith((":", " :")):
            return False
        return self._names_letter(line[: verb.end()]) and "@" in line[: verb.end()]

    def _attributes(self, joined: str, index: int, length: int) -> bool:
        """With marked lines below a verb is enough; without, more is needed, since people write "she wrote:" too."""
        if self._is_marked_below(index + length):
            speaks = (
                INSIDE_COLON.search(joined) is not None and "@" not in joined
            )  # "to Italy: this is what Tom wrote:"
            return (phrases.VERBS.search(joined) is not None and not speaks) or self._names_letter(joined)
        return joined.endswith((":", "：")) and self._names_letter(joined)


class _AttributionSigns(Struct, frozen=True):
    """Whether a line may be the first or the last one of an attribution."""

    first: bool
    last: bool


class _FooterSigns(Struct, frozen=True):
    banner: bool
    disclaimer: bool
    device: bool


def _attribution_signs(line: str) -> _AttributionSigns:
    return _signs_of_attributions(line) if len(line) < SHORT else _signs_around_quotes(line)


def _signs_around_quotes(line: str) -> _AttributionSigns:
    dated = phrases.DIGIT.search(line) and (phrases.TIME.search(line) or phrases.DAY.search(line))
    first = bool(dated) or "@" in line or phrases.OPENERS.match(line) is not None
    last = line.endswith((":", "：")) or phrases.VERBS.search(line[-LAST_WORD:]) is not None
    return _AttributionSigns(first, last)


def _footer_signs(line: str) -> _FooterSigns:
    banner, disclaimer = phrases.BANNER.match(line) is not None, phrases.DISCLAIMER.match(line) is not None
    return _FooterSigns(banner, disclaimer, _names_device(line.lstrip("[(*_- ")))


@lru_cache(maxsize=LINES_KEPT)
def _is_plain(line: str) -> bool:
    """Whether a short line is the sender's own, whatever stands around it. Kept, only for speed, as the signs are."""
    if MARKED.match(line) or INITIALS.match(line) or not phrases.COLONS.isdisjoint(line):
        return False
    words, around = line.strip(), _attribution_signs(line.strip(INVISIBLE_ENDS))
    signs = _signs_of_footers(words)
    strange = around.first or around.last or signs.banner or signs.disclaimer or signs.device
    return words[:1].isalnum() and not strange and phrases.SIGNATURE.fullmatch(words) is None


_signs_of_attributions = lru_cache(maxsize=LINES_KEPT)(_signs_around_quotes)
_signs_of_footers = lru_cache(maxsize=LINES_KEPT)(_footer_signs)
"""Short lines are kept, only for speed: players write the same orders again."""


def _names_device(line: str) -> bool:
    """ "Sent from my iPhone"."""
    may_be = phrases.SENT_FROM.match(line) or phrases.SENT_BEHIND.search(line)
    return may_be is not None and phrases.MOBILE.match(line) is not None
