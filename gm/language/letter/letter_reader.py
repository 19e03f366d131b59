"""Reads a letter's lines: orders, requests and errors.

Each line is an order or several, a request (`gm.language.commands.parser`), a heading, a comment (// or #), or plain
talk. A line with one meaning is taken; one with two is asked back; one that looks like an order and has none is
answered. Never raises; the time grows with the length of the letter.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from msgspec.structs import replace

from gm.judge.model.orders import Waive
from gm.language.commands import parser as commands
from gm.language.commands import requests
from gm.language.commands.blocks import gm_blocks, if_blocks, planning_blocks, player_blocks, press_blocks
from gm.language.commands.command_line import MASTER, CommandLine, is_command_like, is_exclaimed, written_words
from gm.language.commands.in_words import plain_questions
from gm.language.commands.in_words.hints import with_hints, without_needless_hints
from gm.language.commands.in_words.left_out import beside_lines
from gm.language.commands.in_words.named_powers import called
from gm.language.commands.in_words.reasons import command_with_reason
from gm.language.commands.in_words.seats import people_in_words
from gm.language.commands.planning import ForPhaseRequest
from gm.language.commands.players import AlsoRequest, InviteRequest
from gm.language.commands.press_or_orders import MOST_LINES
from gm.language.commands.table import row_of
from gm.language.i18n.vocabulary import vocabulary_of
from gm.language.letter.as_written import as_written
from gm.language.letter.footnotes import with_footnotes
from gm.language.letter.later_words import later_words
from gm.language.letter.other_phases import builds_ahead, with_heading
from gm.language.letter.setting_lines import SettingLineReader
from gm.language.letter.tables import CELL, TableHead, head_of, rows_in_words, without_old
from gm.language.letter.talk.asking_sentences import close_questions
from gm.language.letter.talk.gm_sentences import read_gm_sentences
from gm.language.letter.talk.ready_words import read_beside_agreement
from gm.language.lines.blocks import NumberedLine
from gm.language.lines.ditto_marks import with_dittos
from gm.language.lines.letter_contents import LetterContents, LetterContext, LineError, OrderLine, Request
from gm.language.lines.lines import QUOTED, RULER, LetterLine, read_line
from gm.language.lines.sentences import question_behind, sentences_of
from gm.language.lines.spans import Fate, LetterSpan
from gm.language.lines.ticked_boxes import ticked_alone
from gm.language.orders import phase_names
from gm.language.orders.line_reader import LineReader, open_sheet_reader
from gm.language.prose.phrases.prose_phrases import phrases_of
from gm.language.prose.readings import ClauseReading

KINDS = re.compile(r"\b(armies|fleets|wings)\b", re.IGNORECASE)
"""The kinds of unit that "all armies hold" speaks of; none named: all of them."""
SAME_ORDERS = "same_orders"
"""Kind of the line that wants the orders of an earlier turn."""
MOST_SPANS = 50
"""Spans of one line that are looked at."""
BULLET = re.compile(r"\s*[-*\u2022\u00b7\u2013]\s+\S")
MOST_TROUBLES = 200
MOST_ORDERS = 500
MOST_HELD = 200
"""Lines without an empty one between them that are joined together; the limits above are checked behind them."""


def read_letter(lines: Sequence[NumberedLine], context: LetterContext) -> LetterContents:
    return _Reader(context, lines=lines).read()


def may_hold_orders(text: str, context: LetterContext) -> bool:
    """Only for speed: False only for a line that `read_letter` finds no orders in."""
    return _Reader(context, lines=()).may_order(read_line(0, text))


class _Reader(SettingLineReader, kw_only=True):
    """`table` is the head of the rows that follow."""

    lines: Sequence[NumberedLine]
    headed: bool = False
    table: TableHead | None = None
    ended: bool = False
    ends: Mapping[int, int] | None = None
    fate: Fate = Fate.COMMAND
    above: str = ""
    """What was read of the line before."""

    def read(self) -> LetterContents:
        self.look_ahead(self.lines)
        self.gather()
        if self.sheet is not None and self.sheet.kind.holds:
            both = with_footnotes(self.orders, self.troubles, self.lines, self.sheet, self.context)
            self.orders, self.troubles = both
        self.close_prose()
        for phase, orders in self.later.items():
            lines = tuple(planning_blocks.kept(order, phase) for order in orders)
            self.take(read_line(orders[0].line, orders[0].text), ForPhaseRequest(phase, lines))
        self.spans.sort(key=lambda span: span.line)
        written = dict(self.lines)
        unanswered = close_questions(self, written, self.apart) or self.left_questions()
        troubles = [with_heading(trouble, self.context, self.inside) for trouble in self.troubles]
        troubles = with_hints(troubles, self.context)
        troubles = without_needless_hints(troubles, self.requests)
        troubles = [as_written(trouble, written) for trouble in troubles]
        taken = {span.line for span in self.spans if span.fate is Fate.ORDER}
        reading = LetterContents(
            tuple(self.orders),
            tuple(self.requests),
            tuple(troubles),
            self.prose,
            spans=tuple(self.spans),
            in_other_language=frozenset(self.other_language),
            unanswered=unanswered,
            only_orders=frozenset(
                at for at, text in self.lines if at in taken and self.only_orders.get(at) == text.strip()
            ),
        )
        if self.context.master and not self.creating:
            return read_gm_sentences(self.lines, reading, self.context, read_letter)
        return reading

    def gather(self) -> None:
        self.sheet = open_sheet_reader(self.context)
        at = taken = 0
        while at < len(self.lines) and not self.ended:
            taken += bool(self.lines[at][1].strip())
            if taken > MOST_LINES or len(self.troubles) > MOST_TROUBLES or len(self.orders) > MOST_ORDERS:
                self.flush()
                number, text = self.lines[at]
                self.troubles.append(LineError(number, text[:200], 0, 0, "too-long-letter", (("n", str(number)),)))
                break
            past = self._line(at)
            self._record(at, past)
            at = past
        self.flush()
        if self.ended:
            self._below(self.lines[at:])
        self.spans += (LetterSpan(number, text, Fate.NOT_READ) for number, text in self.lines[at:] if text.strip())

    def _record(self, at: int, past: int) -> None:
        """The fate of lines that a command or a block took; orders are recorded where they are read."""
        if past == at + 1 and self.held and self.held[-1].number == self.lines[at][0]:
            return
        held = {line.number for line in self.held}
        known = held | {span.line for span in self.spans[-(past - at) * MOST_SPANS :]}
        for number, text in self.lines[at:past]:
            if text.strip() and number not in known:
                self.spans.append(LetterSpan(number, text, self.fate))

    def _below(self, lines: Sequence[NumberedLine]) -> None:
        """END closes the letter, but orders below it are not passed over in silence."""
        rows = (read_line(number, text) for number, text in lines[:MOST_LINES])
        orders = [line for line in rows if not QUOTED.match(line.plain) and self.understands(line.body)]
        if orders:
            self.tell(orders[0], "below-end", obeyed=True, n=str(len(orders)))

    # ---- blocks

    def inside(self, lines: Sequence[NumberedLine], context: LetterContext) -> LetterContents:
        within = _Reader(context, lines=lines, section=self.section)
        within.gather()
        later = tuple((phase, order) for phase, orders in within.later.items() for order in orders)
        return LetterContents(tuple(within.orders), tuple(within.requests), tuple(within.troubles), within.prose, later)

    def for_another_phase(self, line: LetterLine, phase: str) -> None:
        """Orders are kept for the later phase where they cannot be meant for now; else the writer is asked."""
        code = phase_names.read_phase(phase, self.context.variant, self.context.position) or ""
        now = self.inside(((line.number, line.body),), self.context)
        counts_now = bool(now.orders) and not self.orders
        if (counts_now or not self._keep_for(code, line, line.body)) and (now.orders or now.troubles):
            super().for_another_phase(line, phase)

    def sheet_line(self, line: LetterLine, sheet: LineReader) -> None:
        """Builds that are sent during retreats by somebody who owes none are kept."""
        phase = builds_ahead(self.context, sheet.scanner.scan(line.body)) if "?" not in line.body else ""
        if not self._keep_for(phase, line, line.body):
            super().sheet_line(line, sheet)

    def kept_for_later(self, reading: ClauseReading, line: LetterLine) -> bool:
        """A sentence about a later phase that cannot be meant for now."""
        later = later_words(line.body[reading.start : reading.end], self.context, self.memory.place)
        if not later.by_condition and (reading.error is None or reading.error.suggestions):
            return False
        if later.retreat:
            return planning_blocks.take_retreat_wish(self, line, later.words)
        return self._keep_for(later.phase, line, later.words)

    def _keep_for(self, phase: str, line: LetterLine, body: str) -> bool:
        """Keeps the orders of `body` for a later phase; False where it is none, or they are not clear."""
        if not phase or self.context.later or planning_blocks.not_ahead(self.context, phase):
            return False
        there = planning_blocks.ahead(self.context, phase)
        reading = _Reader(there, lines=((line.number, body),), section=self.section).read()
        return planning_blocks.keep_all(self, reading, phase)

    def absorb(self, reading: LetterContents) -> None:
        self.orders.extend(reading.orders)
        self.requests.extend(reading.requests)
        self.troubles.extend(reading.troubles)
        self.prose += reading.prose
        for phase, order in reading.later:
            self.keep(phase, order)

    def closings(self) -> Mapping[int, int]:
        if self.ends is None:
            self.ends = if_blocks.find_block_ends(self.lines, vocabulary_of(self.context.variant.language))
        return self.ends

    def here(self) -> None:
        self.other_phase = ""

    # ---- one line

    def _line(self, at: int) -> int:
        """Read the line at this index; the index of the next."""
        line = ticked_alone(with_dittos(read_line(*self.lines[at]), self.above), self.boxes)
        self.above = line.body
        self.fate = Fate.COMMAND
        if head := head_of(line, self.context.variant):
            self.table = head
            self.flush()
            self.fate = Fate.HEADING
            return at + 1
        if self.table or CELL.search(line.body):
            line = self._row(line)
        if not line.body.strip() or RULER.fullmatch(line.body) or QUOTED.match(line.plain):
            self.flush()
            self.paragraph_ends()
            self.fate = Fate.HEADING if RULER.fullmatch(line.body) else Fate.COMMENT
            self.listing = False
            if line.plain.strip() and (mark := QUOTED.match(line.plain)):
                self.prose += 1
                self.quote(line.plain[mark.end() :])
            return at + 1
        if self.context.power and not self.creating and ":" in line.body and self.is_header(line):
            self.flush()
            self.fate = Fate.HEADING
            return at + 1
        asked = read_beside_agreement(line.body, self.context)
        answers = bool(self.quoted) and self.replies_to_quotes(line.number)
        self.replies_to_builds(line.number)
        if answers and asked is not None and isinstance(asked.request, requests.ConfirmRequest):
            self.prose += 1
            self.fate = Fate.TALK  # "yes" below "> A Vie - Gal"
            return at + 1
        if self._reasoned(line):
            return at + 1
        if self._is_above_bullets(line, at):
            self.flush()
            self.memory.holding = self.says_only_hold(line)
            if self.memory.holding:
                self.memory.under_heading, self.fate = False, Fate.HEADING
                return at + 1
        if self.creating and (asked is None or not row_of(asked.kind).below_create) and self.setting(line):
            return at + 1
        if asked is None and self.context.master and self.entry(line):
            return at + 1
        if self.context.master and not self.creating and self._seats(asked, line):
            return at + 1
        if self.context.power and not self.creating and self.set_several(line):
            return at + 1
        if asked is not None and (past := self._before_question(asked, line, at)):
            return past
        self.held += self.parts_of(line)
        if len(self.held) >= MOST_HELD:
            self.flush()
        return at + 1

    def _is_above_bullets(self, line: LetterLine, at: int) -> bool:
        """Whether it may head the list below it, though without a colon."""
        behind = self.lines[at + 1][1] if at + 1 < len(self.lines) else ""
        return BULLET.match(behind) is not None and BULLET.match(line.plain) is None

    def _row(self, line: LetterLine) -> LetterLine:
        """A row of a table without the marks between its cells, which begin with no order by themselves."""
        phrases, sheet = phrases_of(self.context.variant), self.sheet
        rows = rows_in_words(self.table, line, sheet.scanner, phrases) if self.table and sheet is not None else ()
        if words := next(filter(self.understands, rows), ""):
            return replace(line, at=0, body=words)
        line = without_old(self.table, line) if self.table else line
        if self.table and self.table.mark == "|":
            return line  # its cells are read as sentences
        mark = self.table.mark if self.table else ";"
        cells = line.body.split(mark)
        if len(cells) < 2 or self.sheet is None or not (self.table or self.understands(line.body.replace(mark, " "))):
            return line
        if any(self.understands(cell) for cell in cells[:2]):
            return line
        return replace(line, body=line.body.replace(mark, " "))

    # ---- requests

    def _before_question(self, asked: CommandLine, line: LetterLine, at: int) -> int:
        """As `_asked`; a question behind a command is read by itself, and is no part of the command's reason."""
        cut = question_behind(line.text) if BLOCKS.get(asked.kind) in (None, gm_blocks.with_reason) else 0
        if not cut:
            return self._asked(asked, line, at)
        command = read_line(line.number, line.text[:cut])
        alone = commands.read_command(command.body, self.context.variant)
        if alone is not None and is_exclaimed(alone, command.body, line.text[cut:]):
            return 0
        past = self._asked(alone, command, at) if alone is not None else 0
        if past:
            self.spans.append(LetterSpan(line.number, command.text, self.fate))
            self.hold_question(read_line(line.number, line.text[cut:]))
        return past

    def _asked(self, asked: CommandLine, line: LetterLine, at: int) -> int:
        """Where to go on after a request; 0 when the line was none after all."""
        shouts = self.context.power and line.body.isupper() and not is_command_like(line.body)
        block = None if shouts and "player" not in row_of(asked.kind).who else BLOCKS.get(asked.kind)
        if block is planning_blocks.condition and phrases_of(self.context.variant).asides.match(line.body.lower()):
            return 0
        if block is not None:
            self.flush()
            self.fate = Fate.PRESS if asked.kind in press_blocks.WORDS else Fate.COMMAND
            return block(self, asked, line, at)
        if asked.request is not None and not self._may_ask(asked.request, line):
            return 0
        if isinstance(asked.request, requests.SetRequest) and not self.creating:
            if self.context.power:
                return self.set_by_player(asked.request, line, at)
            if self.sets_no_setting(asked.request, line):
                return 0
        if isinstance(asked.request, requests.HoldRestRequest) and not is_command_like(line.body):
            self.flush()
            self.rest_holds = line
            return at + 1
        if asked.request is not None:
            self.flush()
            self.take(line, asked.request)
            if isinstance(asked.request, requests.CreateRequest):
                self.creating = self.listing = True
            return at + 1
        if asked.kind == SAME_ORDERS and self._stay_as_before(line):
            return 0
        if remark := row_of(asked.kind).remark:
            self.flush()
            self.tell(line, remark, obeyed=asked.kind == "sign_on")
            return at + 1
        return 0

    def _seats(self, asked: CommandLine | None, line: LetterLine) -> bool:
        """A sentence that gives powers to people with their addresses is proposed as lines of SEAT."""
        request = asked.request if asked is not None else None
        powers = (MASTER, *self.context.variant.seated)
        unclear = isinstance(request, requests.SeatPlayerRequest) and request.power not in powers
        if isinstance(request, InviteRequest):
            unclear = not is_command_like(line.body) and request.power not in ("", *powers)
        if "@" not in line.body or not (request is None or unclear or isinstance(request, AlsoRequest)):
            return False
        seats = people_in_words(line.text, self.context.variant)
        if seats:
            self.flush()
            suggestion, names = ("\n".join(seats),), called(self.context.variant.powers).items()
            also = "".join(f" {name}" for name, power in names if power in suggestion[0])
            sentences = sentences_of(line.text)
            others = " ".join(sentence.strip() for sentence in sentences if "@" not in sentence)
            asked_besides = plain_questions.read_questions(others, self.context, others) if others else ()
            about = "".join(sentence for sentence in sentences if "@" in sentence or not asked_besides)
            left, key = beside_lines(about, suggestion[0] + also), plain_questions.MEANT
            self.tell(line, key, obeyed=True, suggestions=suggestion, commands="seat", power="", left=left)
            self.hint(line, [question for question in asked_besides if question.commands])
        return bool(seats)

    def _reasoned(self, line: LetterLine) -> bool:
        """A command with a reason behind it is proposed without it; one that only looks something up is done."""
        meant = command_with_reason(line.body, line.text, self.context)
        keeps = phrases_of(self.context.variant).keep_everything.match(line.body.lower())  # "Everything as it is"
        if meant is None or self.creating or keeps:
            return False
        words, asked = meant
        places = {unit.at.province for unit in self.context.position.units_of(self.context.power)}
        if isinstance(asked.request, requests.HoldRestRequest) and places & self._named(line.body):
            return False  # "Everything else stays, only Vienna goes to Tyrolia"
        row = row_of(asked.kind)
        self.flush()
        if row.shows and asked.request is not None:
            self.take(line, asked.request)
        else:
            key = plain_questions.WITH_REASON
            self.tell(line, key, obeyed=True, suggestions=(words,), commands=row.name, power="")
        return True

    def _stay_as_before(self, line: LetterLine) -> bool:
        """ "Same as before" of orders on file for the open phase, which stay, or above the orders behind its colon."""
        words = phrases_of(self.context.variant).as_before.search(line.body.lower())
        heads = any(map(self._orders_in, line.body.split(":")[1:]))
        return heads or (words is not None and bool(self.context.on_file()))

    def _may_ask(self, request: Request, line: LetterLine) -> bool:
        """False for a player's sentence about their orders: "strike my whole sheet" is no game master's STRIKE."""
        if not self.context.power or is_command_like(line.body) or plain_questions.may_ask(request, self.context):
            return True
        units = {unit.at.province for unit in self.context.own_units}
        return not (phrases_of(self.context.variant).cancel.match(line.body.lower()) or units & self._named(line.body))

    def _force(self, asked: CommandLine, line: LetterLine, at: int) -> int:
        """FORCE Germany and the lines below it up to an empty one: an order of that power each."""
        whose = called(self.context.variant.powers).get(asked.words.strip(" :.").lower(), "")
        if asked.request is None or not self._may_ask(asked.request, line):
            return 0
        if not (whose and self.context.master):
            request = asked.request
            if isinstance(request, requests.ForceRequest):
                request = replace(request, order=written_words(line.text, request.order))
            self.take(line, request)
            return at + 1
        past = at + 1
        while past < len(self.lines) and (text := self.lines[past][1].strip()):
            below = read_line(*self.lines[past])
            command = commands.read_command(below.body, self.context.variant)
            if command is not None and command.request is not None:
                break
            self.take(below, requests.ForceRequest(text, whose))
            past += 1
        if past == at + 1:
            self.tell(line, "force-what", power=whose)
        return past

    def _heading(self, asked: CommandLine, line: LetterLine, at: int) -> int:
        self.headed = True
        return at + 1

    def _end(self, asked: CommandLine, line: LetterLine, at: int) -> int:
        """END closes CREATE or ORDERS, and a letter where none of them is open."""
        if not self.creating and not self.headed:
            self.ended = True
        self.creating = False
        return at + 1

    def _unsupported(self, asked: CommandLine, line: LetterLine, at: int) -> int:
        word = line.body.split()[0]
        if asked.words and not is_command_like(line.body):
            return 0
        self.tell(line, "not-a-command", word=word.strip(".:,!").upper())
        return at + 1

    def _hold_all(self, asked: CommandLine, line: LetterLine, at: int) -> int:
        if self.sheet is None or not self.sheet.kind.holds or not self.context.power:
            return 0
        if self.context.later:
            self.tell(line, "ahead-not-this", word=line.body.strip().upper())
            return at + 1
        low = line.body.lower().strip(" .,!;")
        if self.context.on_file() and phrases_of(self.context.variant).keep_everything.fullmatch(low):
            return 0  # "Everything stays" keeps what is on file
        named = [word.lower() for word in KINDS.findall(line.body)]
        whose = self.section or self.context.power
        kinds = self.context.variant.kinds
        meant = {code for code in kinds for word in named if word.startswith(kinds[code].name.lower()[:-1])}
        units = self.context.position.units_of(whose)
        self.memory.all_hold = True
        self.let_hold(line, (unit for unit in units if not named or unit.kind in meant), whose)
        return at + 1

    def _no_orders(self, asked: CommandLine, line: LetterLine, at: int) -> int:
        if self.context.power and self.context.due.builds:
            self.orders.append(OrderLine(line.number, line.text, Waive()))
        else:
            self.tell(line, "no-orders")
        return at + 1


Block = Callable[[_Reader, CommandLine, LetterLine, int], int]
BLOCKS: Mapping[str, Block] = {
    "press": press_blocks.press,
    "press_from": press_blocks.press_from,
    "press_to_whom": press_blocks.press_to_whom,
    "broadcast": press_blocks.broadcast,
    "message": press_blocks.message,
    "tell": press_blocks.message,
    "act_as": press_blocks.act_as,
    "become": press_blocks.act_as,
    "announce": press_blocks.announce,
    "overrule": press_blocks.overrule,
    "if": planning_blocks.condition,
    "phase": planning_blocks.for_phase,
    "check": planning_blocks.check,
    "retreat": planning_blocks.retreat_wish,
    "final": planning_blocks.final,
    "prelim": planning_blocks.prelim,
    "diary": player_blocks.diary,
    "statement": player_blocks.statement,
    "register": player_blocks.register,
    "heading": _Reader._heading,
    "end": _Reader._end,
    "force": _Reader._force,
    "setup": gm_blocks.setup,
    "import_file": gm_blocks.import_file,
    "correct": gm_blocks.correct,
    "official": gm_blocks.official,
    "override": gm_blocks.override,
    "poll": gm_blocks.poll,
    **dict.fromkeys(("extend", "extend_to", "deadline", "shorten", "pause", "deny"), gm_blocks.with_reason),
    "unsupported": _Reader._unsupported,
    "clear": player_blocks.clear,
    "hold_all": _Reader._hold_all,
    "no_orders": _Reader._no_orders,
}
