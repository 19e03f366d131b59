"""A letter's lines -> the sender's own lines: quotes, attributions, signatures and disclaimers cut, all in one pass.

Understood: answers above, below and between quoted lines; `>` and `|` marks; attributions in some thirty languages,
wrapped over up to four lines; Outlook's From-blocks; dividers; forwarded letters; signatures; footers of firms.
A quote whose lines carry no mark runs to the end of the letter, since nothing tells where it stops, except when nothing
was written above it and nothing below it is known to be ours: then it is the sender's words that follow.
Every rule looks at a bounded number of characters and lines, so that the whole is linear.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from gm.mail import caps, phrases

MARKED = re.compile(r"\s{0,3}(>|\|\s|\|$)")
INVISIBLE_ENDS = "\u200e\u200f\u202c\u202b\u2068\u2069 \t*_"
WRAPPED_OVER = 4
BLOCK_LINES = 8


class Is(Enum):
    OWN = "own"
    QUOTE = "quote"
    SIGNATURE = "signature"
    FOOTER = "footer"


@dataclass(frozen=True, slots=True)
class Cut:
    """What each line is, in the order of the lines."""

    kinds: tuple[Is, ...]

    def count(self, kind: Is, lines: Sequence[str]) -> int:
        return sum(of is kind and bool(line.strip()) for of, line in zip(self.kinds, lines, strict=True))


def cut(lines: Sequence[str], references: Sequence[int] = ()) -> Cut:
    """`references` are the indexes of Ref lines: below an unmarked quote they show that it is one of our letters."""
    return _Cutter([line[: caps.LINE] for line in lines], max(references, default=-1)).run()


class _Cutter:
    def __init__(self, lines: list[str], last_reference: int) -> None:
        self.lines = lines
        self.last_reference = last_reference
        self.kinds = [Is.OWN] * len(lines)
        self.wrote = False
        self.next_filled = self._next_filled()

    def _next_filled(self) -> list[int]:
        """For each line the index of the first one that is not blank, from it on."""
        following, out = len(self.lines), [0] * (len(self.lines) + 1)
        out[-1] = following
        for index in range(len(self.lines) - 1, -1, -1):
            following = index if self.lines[index].strip() else following
            out[index] = following
        return out

    def run(self) -> Cut:
        index, state = 0, Is.OWN
        while index < len(self.lines):
            line = self.lines[index]
            if not line.strip():
                self.kinds[index] = state
                index += 1
            elif self._is_marked(index):
                self.kinds[index] = Is.QUOTE
                state = Is.OWN
                index += 1
            elif (length := self._introduction(index)) > 0:
                index = self._quote(index, length)
                state = Is.OWN
            elif state is not Is.SIGNATURE and phrases.SIGNATURE.fullmatch(line.strip()):
                state = self.kinds[index] = Is.SIGNATURE
                index += 1
            else:
                index = self._own(index, state)
        return Cut(tuple(self.kinds))

    def _is_marked(self, index: int) -> bool:
        line = self.lines[index]
        return MARKED.match(line) is not None or phrases.INITIALS.match(line) is not None

    def _own(self, index: int, state: Is) -> int:
        line = self.lines[index].strip()
        if state is Is.OWN and phrases.FOOTER.match(line):
            return self._paragraph(index, Is.FOOTER)
        if state is Is.OWN and len(line) < 120 and phrases.MOBILE.match(line.lstrip("[(*_- ")):
            self.kinds[index] = Is.SIGNATURE
            return index + 1
        self.kinds[index] = state
        self.wrote = self.wrote or state is Is.OWN
        return index + 1

    def _paragraph(self, index: int, kind: Is) -> int:
        while index < len(self.lines) and self.lines[index].strip() and not self._is_marked(index):
            self.kinds[index] = kind
            index += 1
        return index

    def _quote(self, index: int, length: int) -> int:
        """Drops an introduction; returns where reading goes on, which is the end when the quote carries no marks."""
        end = index + length
        self.kinds[index:end] = [Is.QUOTE] * length
        first = self.next_filled[min(end, len(self.lines))]
        if first < len(self.lines) and self._is_marked(first):
            return end
        if not self.wrote and self.last_reference < end and not self._is_certain(index):
            return end
        self.kinds[end:] = [Is.QUOTE] * (len(self.lines) - end)
        return len(self.lines)

    def _is_certain(self, index: int) -> bool:
        """A forwarded letter is never the sender's own words."""
        line = self.lines[index].strip()
        return bool(phrases.FORWARDS.match(line)) or "orward" in line or "eitergeleitet" in line

    def _introduction(self, index: int) -> int:
        """How many lines from here introduce a quote, 0: none."""
        return self._divider(index) or self._block(index) or self._attribution(index)

    def _divider(self, index: int) -> int:
        line = self.lines[index]
        if phrases.DIVIDERS.match(line.strip()) or phrases.FORWARDS.match(line.strip()):
            return 1 + self._blanks_and_block(index + 1)
        if phrases.RULE.fullmatch(line) or phrases.DASHED.fullmatch(line):
            below = self._blanks_and_block(index + 1)
            if below:
                return 1 + below
            return 1 if phrases.UNDERSCORES.fullmatch(line) else 0
        return 0

    def _blanks_and_block(self, index: int) -> int:
        """The length of a From-block or attribution right below a divider, the blank lines before it too."""
        first = self.next_filled[min(index, len(self.lines))]
        if first >= len(self.lines) or first - index > 3:
            return 0
        found = self._block(first) or self._attribution(first)
        return first - index + found if found else 0

    def _block(self, index: int) -> int:
        """`From: … Sent: … To: … Subject: …`, in any language and order that programs use."""
        first = self.lines[index]
        sender = phrases.FROM.match(first) is not None
        if not sender and not phrases.LABEL.match(first):
            return 0
        labels, last, addressed = 0, index, sender and "@" in first
        for place in range(index + 1, min(index + BLOCK_LINES, len(self.lines))):
            line = self.lines[place]
            if phrases.FROM.match(line):
                sender, last = True, place
                addressed = addressed or "@" in line
            elif phrases.LABEL.match(line):
                labels, last = labels + 1, place
            elif not line.strip() and labels:
                break
        return last - index + 1 if sender and labels >= (1 if addressed else 2) else 0

    def _attribution(self, index: int) -> int:
        """`On Fri, 20 Nov 2026 at 10:00, Ann <ann@example.org> wrote:`, wrapped or not."""
        joined = ""
        for length in range(1, WRAPPED_OVER + 1):
            if index + length > len(self.lines):
                return 0
            line = self.lines[index + length - 1].strip(INVISIBLE_ENDS)
            if not line or (length > 1 and (self._is_marked(index + length - 1) or self._opens(line))):
                return 0
            joined = f"{joined} {line}"[: caps.LINE].strip()
            if line.endswith((":", "：")):
                return length if self._attributes(joined, index, length) else 0
        return 0

    def _opens(self, line: str) -> bool:
        return phrases.OPENERS.match(line) is not None and phrases.MOMENT.search(line) is not None

    def _attributes(self, joined: str, index: int, length: int) -> bool:
        """With marked lines below, a verb is enough; without, it takes a date too, since people write "he said:"."""
        first = self.lines[index].strip(INVISIBLE_ENDS)
        starts_here = phrases.OPENERS.match(first) or phrases.MOMENT.search(first) or "@" in first
        if length > 1 and not starts_here:
            return False
        verb = phrases.VERBS.search(joined) is not None
        moment = phrases.MOMENT.search(joined) is not None
        after = self.next_filled[min(index + length, len(self.lines))]
        if after < len(self.lines) and self._is_marked(after):
            return verb or (moment and "@" in joined)
        return moment and (verb or "@" in joined)
