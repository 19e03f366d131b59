"""Holds order lines until the next shows whether a mail program broke an order in two, then reads them."""

from __future__ import annotations

from itertools import chain

from msgspec import field

from gm.language.commands.in_words import plain_questions
from gm.language.commands.parser import read_command
from gm.language.letter.headings.powers_in_line import parts_by_power
from gm.language.letter.prose_lines import ProseLineReader
from gm.language.lines.lines import MARK, LetterLine, join_broken_lines
from gm.language.lines.sentences import sentences_of
from gm.language.lines.spans import Fate, LetterSpan
from gm.language.orders.line_reader import LONGEST_LINE, open_sheet_reader
from gm.language.prose.phrases.prose_phrases import phrases_of
from gm.language.prose.phrases.telltale import language_of

FEWEST_ASKED = 3
"""Words of a question that somebody wants answered."""


class HeldLineReader(ProseLineReader, kw_only=True):
    """`held`: lines that may go on in the next. `apart`: numbers of lines below a heading that says what they
    are. `questions`: those that stand behind a command on its line.
    """

    held: list[LetterLine] = field(default_factory=list)
    apart: set[int] = field(default_factory=set)
    questions: list[LetterLine] = field(default_factory=list)

    def flush(self) -> None:
        """Reads the order lines held so far: a mail program may have broken them."""
        held, self.held = self.held, []
        dashes = self.sheet is None or not self.sheet.kind.minus_removes
        joined = join_broken_lines(held, dashes, self._is_apart, self._goes_on)
        for line in chain.from_iterable(parts_by_power(each, self.context, self.sheet) for each in joined):
            before = len(self.spans), len(self.orders), len(self.troubles), self._asked_for()
            if not self.chooses(line):
                self.order_line(line)
            if self.memory.section:
                self.apart.add(line.number)
            if len(self.spans) == before[0]:
                self.spans.append(LetterSpan(line.number, line.plain, self._fate(*before[1:])))

    def hold_question(self, line: LetterLine) -> None:
        self.held.append(line)
        self.questions.append(line)

    def left_questions(self) -> tuple[str, ...]:
        """A game master's questions that stand for no command: lines behind commands, and sentences beside others that
        are looked up.
        """
        if not self.context.master:
            return ()
        lines = {line.number: line.text.strip() for line in self.questions if not self._looked_up(line.body)}
        requests = {given.line: given.text for given in self.requests if "?" in given.text}
        beside = (
            words.strip()
            for number, text in requests.items()
            if number not in lines and read_command(text, self.context.variant) is None
            for words in sentences_of(text)
            if words.rstrip().endswith("?") and not self._looked_up(words)
        )
        return (*lines.values(), *(words for words in beside if len(words.split()) >= FEWEST_ASKED))

    def _looked_up(self, words: str) -> bool:
        return bool(plain_questions.read_questions(words, self.context))

    def may_order(self, line: LetterLine) -> bool:
        """Only for speed: False only for a line that holds no orders."""
        self.sheet = open_sheet_reader(self.context)
        if self.sheet is None or len(line.body) > LONGEST_LINE or self._is_heading(line):
            return False
        return not self._is_talk(line, self.sheet) or bool(language_of(line.body, self.context.variant))

    def _fate(self, orders: int, troubles: int, asked: int) -> Fate:
        """What became of a line that was read as a whole."""
        if any(not trouble.obeyed for trouble in self.troubles[troubles:]):
            return Fate.NOT_TAKEN
        if len(self.orders) > orders:
            return Fate.ORDER
        return Fate.COMMAND if self._asked_for() > asked else Fate.TALK

    def _asked_for(self) -> int:
        return len(self.requests) + sum(len(orders) for orders in self.later.values())

    def _goes_on(self, body: str, following: str) -> bool:
        """Whether two lines are one order on this kind of sheet."""
        if self.sheet is None or self.sheet.kind.goes_on is None:
            return False
        scan = self.sheet.scanner.scan
        return self.sheet.kind.goes_on(scan(body[:LONGEST_LINE]), scan(following[:LONGEST_LINE]))

    def _is_apart(self, body: str, following: str) -> bool:
        """Whether the second line is an order of its own: on a sheet of bids, "support Germany in Poland with 2", and
        below a sentence that ends with a preposition, "F Gre H because somebody has to", and in a row of a table
        or an item of a list.
        """
        if MARK.match(body) and MARK.match(following):
            return True
        if 0 < body.count("|") == following.count("|"):
            return True
        preposition = phrases_of(self.context.variant).preposition
        if self.sheet is None or not (self.sheet.kind.names_in_front or preposition.search(body.lower())):
            return False
        pieces = self.sheet.pieces(following[:LONGEST_LINE])
        return bool(pieces) and all(piece.node is not None and piece.node.has_verb for piece in pieces)
