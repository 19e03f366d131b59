"""Headings in a letter: what they say of the lines below them, and which version of the orders those are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gm.language.commands import requests
from gm.language.commands.planning import PreliminaryRequest
from gm.language.i18n.needed_words import may_match
from gm.language.i18n.normalize import clean
from gm.language.letter.headings.chosen_option import OptionChoice, read_choice
from gm.language.letter.headings.postal_header import header_values
from gm.language.letter.headings.version_headings import version_heading, versions_apart
from gm.language.letter.order_lines import SENTENCE_END
from gm.language.letter.talk.letters_to_players import is_for_a_player
from gm.language.letter.whole_letter import WholeLetterReader
from gm.language.lines.blocks import NumberedLine
from gm.language.lines.lines import NUMBERED, LetterLine, heading, phases_apart
from gm.language.lines.ticked_boxes import BoxMarks, box_marks
from gm.language.orders.phase_names import next_moves
from gm.language.prose.clauses import first_word
from gm.language.prose.phrases.prose_phrases import ProsePhrases, phrases_of
from gm.language.prose.rewording import without_open_phase
from gm.language.prose.stance import stance_of_heading

PASSING = frozenset({"old", "later", "alternative", "question"})
"""Stances of a heading that an empty line ends."""
REPLACED = frozenset({"cancel", "old", "negated"})  # what a heading of new orders says of the old ones
LONGEST_HEADING = 200
MOST_IN_HEADING = 1
"""Places that a heading names: two are an order, "Draft 2: the same, only Tri-Vie"."""
LONGEST_ADDRESS = 6
"""Words of a line that addresses a power: "Dear Italy, I propose:"."""
STRUCK = "~~"


class HeadingLineReader(WholeLetterReader, kw_only=True):
    """`choice`: the option that the letter chooses among those it names. `boxes`: which of its boxes are ticked."""

    choice: OptionChoice | None = None
    boxes: BoxMarks = BoxMarks()
    has_struck: bool = False
    """Words of the letter are struck out."""

    def look_ahead(self, lines: Sequence[NumberedLine]) -> None:
        """What only the whole letter tells of the lines in it."""
        phrases = phrases_of(self.context.variant)
        self.choice = read_choice(lines, phrases)
        self.boxes = box_marks(lines)
        self.has_struck = any(STRUCK in text for _, text in lines)
        if not self.context.master and is_for_a_player(lines, phrases):
            self.memory.section = "reported"

    def parts_of(self, line: LetterLine) -> Iterator[LetterLine]:
        """A line cut at headings of phases, options and versions in it."""
        phrases, variant = phrases_of(self.context.variant), self.context.variant
        for part in phases_apart(line, variant, self.context.phase) if ":" in line.body else (line,):
            for piece in self.choice.pieces(part) if self.choice else (part,):
                yield from versions_apart(piece, phrases)

    def is_header(self, line: LetterLine) -> bool:
        """Whether a line is the header of a letter on paper, with several labels: what it says of the phase counts."""
        values = header_values(line.body.lower(), phrases_of(self.context.variant))
        pieces = self.sheet.pieces(line.body) if values and self.sheet is not None else ()
        places = sum(token.type == "PLACE" for piece in pieces for token in piece.tokens)
        if not values or (places > MOST_IN_HEADING and self.sheet is not None and self.sheet.kind.holds):
            return False  # "From: Munich  To: Burgundy"
        for value in values:
            head = heading(clean(value).text, self.context.variant, self.context.phase)
            if head is not None and head.other_phase:
                self.other_phase = head.other_phase
        self.prose += 1
        return True

    def chooses(self, line: LetterLine) -> bool:
        """Whether a line is the heading of an option, or says which one counts."""
        stance = self.choice.stance_of(line.plain.lower()) if self.choice is not None else None
        if stance is None:
            return False
        self._open_section(stance, passes=stance == "old")
        return True

    def _stance_heading(self, line: LetterLine) -> bool:
        """A heading says what the lines below it are: drafts, old orders, orders of somebody else …"""
        low = line.body.lower().strip()
        if len(low) > LONGEST_HEADING:
            return False
        phrases = phrases_of(self.context.variant)
        if self._explains_marks(line, low):
            self.prose += 1
            return True
        if phrases.fresh_version.match(low) and stance_of_heading(low, phrases) in REPLACED:
            return False  # "New orders (ignore the old):"
        if phrases.old_and_new.fullmatch(low.strip(" :")):
            self.memory.old_and_new, self.memory.section = True, ""
            return True
        if self._version_heading(line, low):
            return True
        addressed = phrases.addressed.match(low)
        if addressed and len(low.split()) <= LONGEST_ADDRESS and (low[-1] in ",:!" or low == addressed.group()):
            self.memory.section = "reported"
            return False
        several, orders = SENTENCE_END.search(low) is not None, self._gives_orders(line, MOST_IN_HEADING)
        for stance, pattern in () if several and orders else phrases.sections:
            if may_match(pattern, low) and pattern.fullmatch(low):
                if phrases.next_moves.fullmatch(low.strip(" :")):
                    self.other_phase, stance = next_moves(self.context.variant, self.context.position), ""
                stance = self.memory.stance(stance, low, phrases)
                self._open_section(stance, passes=stance in PASSING)
                return stance != "question" and not orders  # a question may be a request as well
        announces = not (several or orders) and low.endswith((":", "following", "folgendes"))
        announces = announces and not phrases.replacing.search(low)  # "withdraw Vienna and substitute:"
        low = without_open_phase(low, phrases.later, self.context)
        if announces and (stance := stance_of_heading(low, phrases)):
            if stance == "cancel" and _takes_all_back(low, phrases) and not phrases.these.search(low):
                self.orders.clear()  # "Withdraw everything you have from me, I am starting over:"
                self.take(line, requests.ClearRequest(()))
                stance = ""
            self._open_section(stance, passes=True)
            return True
        return False

    def _explains_marks(self, line: LetterLine, low: str) -> bool:
        """Whether a line of a letter with words struck out says so: "Amended, struck through where it changed:"."""
        marking = phrases_of(self.context.variant).marking
        return self.has_struck and STRUCK not in low and bool(marking.search(low)) and not self._gives_orders(line, 1)

    def _version_heading(self, line: LetterLine, low: str) -> bool:
        """Whether a line is the heading of one of several versions of the orders; a replaced one counts no more."""
        memory = self.memory
        phrases = phrases_of(self.context.variant)
        heading = version_heading(low, phrases, memory.superseded)
        if heading is None and NUMBERED.match(line.plain):  # "1. Fassung (veraltet):"
            heading = version_heading(line.plain.lower(), phrases, memory.superseded)
        if heading is None or self._gives_orders(line):
            return False
        above = [memory.versions[name] for name in heading.replaced if name in memory.versions]
        if "" in heading.replaced and memory.versions:
            above.append(min(memory.versions.values()))
        if above:
            self.orders = [order for order in self.orders if order.line < min(above)]
        memory.superseded |= {*heading.replaced}
        after_old = bool(memory.versions) and memory.section == "old"
        memory.versions = {**memory.versions, heading.name: line.number}
        stance = heading.stance
        if stance is None and memory.valid_version not in (None, heading.name):
            stance = "old"  # "Version 2 (this one counts): … Version 1: …"
        if stance is None and not after_old:
            return False
        if stance == "":
            memory.valid_version = heading.name
            if any(taken.request == PreliminaryRequest() for taken in self.requests):
                self.take(line, PreliminaryRequest(off=True))  # "draft: … final: …"
        self._open_section(stance or "", passes=stance == "old")
        return True

    def _gives_orders(self, line: LetterLine, most: int = 0) -> bool:
        """Whether a line has orders, or names more than `most` places, if that is not 0."""
        pieces = self.sheet.pieces(line.body) if self.sheet is not None else ()
        places = sum(token.type == "PLACE" for piece in pieces for token in piece.tokens)
        return 0 < most < places or any(piece.node is not None for piece in pieces)

    def _open_section(self, stance: str, *, passes: bool) -> None:
        self.memory.section, self.memory.under_heading, self.memory.passes = stance, False, passes
        self.prose += 1

    def paragraph_ends(self) -> None:
        """Most headings are good for the lines up to the next empty line."""
        self.memory.holding &= not self.memory.under_heading
        if self.memory.passes and self.memory.under_heading:
            self.memory.section = ""


def _takes_all_back(low: str, phrases: ProsePhrases) -> bool:
    """ "Withdraw everything you have from me:", "all my orders are void:", "orders v3, bin v1 and v2:", but not "Pass
    this on, it is no order:".
    """
    cancel = phrases.cancel.search(low)
    begins = (0, cancel.end()) if cancel is not None else (0,)
    if any(phrases.cancel_all.match(low, first_word(low, begin)) for begin in begins):
        return True
    cancelled = phrases.cancelled.search(low)
    return cancelled is not None and phrases.cancel_all.search(low[: cancelled.start()]) is not None
