"""Reads the lines of a letter that may hold orders: which power each is for, and what is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import partial

from msgspec import Struct, field
from msgspec.structs import replace

from gm.judge.model.orders import Hold, Preferences, Statement
from gm.judge.model.position import Unit
from gm.language.commands import parser as commands
from gm.language.commands import requests
from gm.language.commands.blocks import planning_blocks
from gm.language.commands.command_line import is_command_like, is_exclaimed, keep_letters, written_words
from gm.language.commands.in_words import plain_questions
from gm.language.commands.planning import PreliminaryRequest
from gm.language.commands.table import row_of
from gm.language.i18n.normalize import clean
from gm.language.letter.talk.consent_words import refusal
from gm.language.lines.letter_contents import LetterContext, LineError, OrderLine, Request, RequestLine
from gm.language.lines.lines import FINAL, LetterLine, heading, mark_in_front, skip_columns, strip_line
from gm.language.lines.sentences import MONTHS, sentences_of
from gm.language.lines.spans import Fate, LetterSpan
from gm.language.lines.trouble_keys import UNCLEAR
from gm.language.orders import retreat_preferences
from gm.language.orders.impossible_orders import with_impossible_orders
from gm.language.orders.line_meaning import PieceMeaning
from gm.language.orders.line_reader import LONGEST_LINE, LineReader, any_sheet_reader
from gm.language.orders.parsing.order_context import OrderContext, OrderWarning
from gm.language.orders.suggestions import explain, in_passing, other_phase, whole_line_elsewhere
from gm.language.orders.unit_names import line_error
from gm.language.prose.mentions import unit_called
from gm.language.prose.phrases.prose_phrases import option_error, option_off, phrases_of
from gm.language.prose.phrases.word_lists import word_lists
from gm.language.rendering import order_text

MOST_PROPOSALS = 40
MOST_WORDS = 3
"""Most words of a heading without a colon."""
ROW_NUMBER = re.compile(r"\s*\d{1,2}\s+(?=[A-Za-z])")
UNREAD = UNCLEAR | {"unknown-place", "unknown-place-near", "unknown-word", "unknown-unit", "not-understood"}
"""Keys of errors of words that are not understood."""
FOREIGN = frozenset({"not-yours", "other-power"})
"""Why an order is refused that is for somebody else's unit."""
SENTENCE_END = re.compile(r"[.!?]\s")
KIND_IN_FRONT = re.compile(r"\W*[A-Za-z]\s*[:.)]")


MONTH_BEHIND = re.compile(rf"\.? (?:{MONTHS})\w*", re.IGNORECASE)


class OrderLineReader(Struct):
    """What was read so far, and the methods for one line of orders or talk.

    `prose` counts lines of talk, `proposed` the lines for which orders were looked for. `section` is the power without
    a seat below whose name the line stands, `later` holds orders for later phases.
    """

    context: LetterContext
    orders: list[OrderLine] = field(default_factory=list)
    requests: list[RequestLine] = field(default_factory=list)
    troubles: list[LineError] = field(default_factory=list)
    prose: int = 0
    proposed: int = 0
    other_phase: str = ""
    sheet: LineReader | None = None
    section: str = ""
    later: dict[str, list[OrderLine]] = field(default_factory=dict)
    spans: list[LetterSpan] = field(default_factory=list)

    def keep(self, phase: str, order: OrderLine) -> None:
        self.later.setdefault(phase, []).append(order)

    def _only_unit(self, power: str) -> str:
        """The unit ("A War") that words below the name of a power mean, if the writer controls it and it has one."""
        controlled = power in self.context.controlled
        units = [unit for unit in self.context.own_units if unit.power == power] if controlled else []
        return unit_called(units[0]) if len(units) == 1 else ""

    def take(self, line: LetterLine, request: Request) -> None:
        self.requests.append(RequestLine(line.number, line.text, keep_letters(line.text, request)))

    def written(self, statement: Statement) -> str:
        """A statement as it is written in the open phase."""
        return order_text.statement(statement, self.context.variant.step(self.context.position).letter)

    def tell(
        self, line: LetterLine, key: str, *, obeyed: bool = False, suggestions: tuple[str, ...] = (), **fields: str
    ) -> None:
        start = len(line.body) - len(line.body.lstrip())
        warning = OrderWarning(key, start, len(line.body), tuple(fields.items()), suggestions)
        self.warn(line, warning, obeyed=obeyed)

    def warn(self, line: LetterLine, warning: OrderWarning, *, obeyed: bool = False) -> None:
        words = line.body[warning.start : warning.end] if warning.key in UNCLEAR else line.body
        if warning.key in UNREAD and (option := option_off(self.context.variant, words)):
            warning = OrderWarning(option_error(option), warning.start, warning.end)
        self.troubles.append(line_error(line, warning, obeyed=obeyed))

    def order_line(self, line: LetterLine) -> None:
        """Reads a line that is no command. Below a heading for another phase, its orders are refused."""
        variant, phase = self.context.variant, self.context.phase
        if self._is_heading(line):
            return
        mark, behind = mark_in_front(line.body, variant.language)
        if mark and (self._orders_in(line.body[behind:]) or self._says_hold(line.body[behind:])):
            self.take(line, PreliminaryRequest(off=mark == FINAL))
            line = skip_columns(line, behind)
        dashes, numbers, headings = True, False, True
        if self.sheet is not None:
            kind = self.sheet.kind
            dashes, numbers, headings = not kind.minus_removes, kind.numbers_in_front, not kind.names_in_front
        line = strip_line(line, variant, phase, dashes=dashes, numbers=numbers, headings=headings)
        line = self._without_row_number(line)
        if not line.body.strip():
            self.prose += 1  # a list number alone
            return
        if len(line.body) > LONGEST_LINE:
            self.tell(line, "line-too-long", n=str(LONGEST_LINE))
            return
        sheet = self.sheet
        if sheet is None or not self.context.power:
            self._no_sheet(line)
            return
        if elsewhere := line.other_phase or self.other_phase:
            self.for_another_phase(line, elsewhere)
            return
        wrong_phase = whole_line_elsewhere(sheet, line.body, self.context)
        if wrong_phase is not None:
            self.warn(line, wrong_phase)
        elif not self._is_preference(line, sheet):
            self.sheet_line(line, sheet)

    def _without_row_number(self, line: LetterLine) -> LetterLine:
        """ "3 Fleet Sevastopol Black Sea", of a table with numbered rows."""
        row = ROW_NUMBER.match(line.body)
        if row is None or self.sheet is None or not self.sheet.kind.holds or self.sheet.kind.numbers_in_front:
            return line
        types = [token.type for token in self.sheet.scanner.scan(line.body[:LONGEST_LINE])]
        return skip_columns(line, row.end()) if types[1:3] == ["KIND", "PLACE"] else line

    def says_only_hold(self, line: LetterLine) -> bool:
        """Whether a heading without a colon says that the units below it hold: "STAYING"."""
        if self.sheet is None or not self.sheet.kind.holds:
            return False
        words = clean(line.body).text.lower().strip(" .!").split()
        lists = word_lists(self.context.variant.language)
        holds = {token.type for token in self.sheet.scanner.scan(" ".join(words))} == {"HOLD"}
        stays = {*words} <= lists.staying | lists.around and not lists.staying.isdisjoint(words)
        return len(words) <= MOST_WORDS and (holds or stays)

    def sheet_line(self, line: LetterLine, sheet: LineReader) -> None:
        """Reads what stands behind marks and headings."""
        self.take_orders(line, sheet)

    def for_another_phase(self, line: LetterLine, phase: str) -> None:
        """A line below the heading of another phase, in the writer's words: its orders do not count now."""
        self.tell(line, "other-phase", phase=phase, now=self.context.phase)

    def _is_heading(self, line: LetterLine) -> bool:
        """A power's or a phase's name above orders is read and done with."""
        head = heading(line.body, self.context.variant, self.context.phase)
        if head is None or self._orders_in(line.body):
            return False
        self.other_phase = head.other_phase
        self.section = self._section(head.power)
        self.prose += 1
        if head.mark and not head.other_phase:
            self.take(line, PreliminaryRequest(off=head.mark == FINAL))
        return True

    def take_orders(self, line: LetterLine, sheet: LineReader) -> None:
        """Takes the orders of a line, or says what is wrong with them."""
        context, meanings = self.by_power(line, sheet)
        meanings = tuple(with_impossible_orders(sheet, line.body, context, meanings))
        if not any(meaning.piece.order for meaning in meanings) or self._is_question(line, meanings):
            if not self.elsewhere(line, meanings, sheet):
                self._talk(line)
            return
        if whose := self._foreign(line):
            self._not_theirs(line, whose)
            return
        for meaning in meanings:
            self.take_meaning(line, meaning, sheet, context)
        for meaning in meanings:
            warning = in_passing(sheet, meaning.piece, context) if meaning.piece.node is None else None
            if warning is not None:
                self.warn(line, warning)

    def _foreign(self, line: LetterLine) -> str:
        """The power that a heading names, if the writer orders none of its units; else ""."""
        whose = line.power or self.section
        own = (self.context.power, *self.context.controlled, *dict(self.context.lent))
        return "" if whose in own else whose

    def _tells_others(self, line: LetterLine, sheet: LineReader) -> bool:
        """Refuses a sentence about the writer's units below the name of another power: "Russia: Vienna holds"."""
        whose = self._foreign(line)
        is_kind = KIND_IN_FRONT.match(line.text) is not None  # "A: Con=Bul" is no heading of Austria
        first = SENTENCE_END.split(line.body, 1)[0]  # "France: it is a shame. Mun-Bur" goes back to the writer's own
        tokens = sheet.scanner.scan(first) if whose and not is_kind else []
        named = {code for token in tokens if token.type == "PLACE" for code in token.value.provinces}
        if named.isdisjoint(unit.at.province for unit in self.context.own_units):
            return False
        self._not_theirs(line, whose)
        return True

    def _is_question(self, line: LetterLine, meanings: Sequence[PieceMeaning]) -> bool:
        """A question to the game master with a province's name in it: "wie" is German for "how", and Vienna."""
        if self.proposed > MOST_PROPOSALS or any(meaning.piece.node for meaning in meanings):
            return False
        return any(question.request is not None for question in plain_questions.read_questions(line.body, self.context))

    def _is_preference(self, line: LetterLine, sheet: LineReader) -> bool:
        """A line about a retreat to come: "A Mun retreats to Ber or Kie if dislodged", and lists written ahead."""
        if not self.context.later:
            conditional = retreat_preferences.is_retreat_wish(line.body)
            return conditional and planning_blocks.take_retreat_wish(self, line, line.body)
        if not sheet.kind.takes_preferences:
            return False
        power = line.power or self.section or self.context.power
        wish = retreat_preferences.read_retreat_wish(line.body, replace(self.context, power=power))
        if not isinstance(wish, Preferences) or len(wish.to) < 2:
            return False
        self.orders.append(OrderLine(line.number, line.text, wish, self._other(power)))
        return True

    def let_hold(self, line: LetterLine, units: Iterable[Unit], power: str) -> None:
        """Orders these units of a power to hold."""
        holds = (Hold(OrderContext.ref(unit)) for unit in units)
        self.orders += [OrderLine(line.number, line.text, hold, self._other(power)) for hold in holds]

    def _other(self, power: str) -> str:
        return "" if power == self.context.power else power

    def _section(self, named: str) -> str:
        """The power whose orders stand below a heading: "" for the writer's own, else one without a seat."""
        seated = named in self.context.variant.seated
        return "" if seated else named

    def by_power(self, line: LetterLine, sheet: LineReader) -> tuple[LetterContext, tuple[PieceMeaning, ...]]:
        """The line, read for the power in its heading, or for the only one that has such a unit."""
        own = self.context
        named = line.power or self.section
        if named in own.controlled:
            controlled = replace(own, power=named)
            return controlled, sheet.read(line.body, controlled)
        meanings = sheet.read(line.body, own)
        foreign = [dict(meaning.error.fields) for meaning in meanings if meaning.error and meaning.error.key in FOREIGN]
        if not foreign or (named and named not in dict(own.lent)):
            return own, meanings
        for power in own.controlled:
            controlled = replace(own, power=power)
            theirs = sheet.read(line.body, controlled)
            if all(meaning.statements and meaning.error is None for meaning in theirs):
                return controlled, theirs
        owners = (fields["power"] for fields in foreign if own.holds(fields.get("power", ""), fields.get("unit", "")))
        for owner in dict.fromkeys(owners):
            lent = replace(own, power=owner)
            theirs = sheet.read(line.body, lent)
            if all((owner, order.slot) in own.lent for meaning in theirs for order in meaning.statements):
                return lent, theirs
        return own, meanings

    def _not_theirs(self, line: LetterLine, whose: str) -> None:
        if self._is_secret(whose):
            self.tell(line, "unit-not-yours")
        elif self._section(whose) == whose:
            self.tell(line, "other-ward", power=whose)
        else:
            self.tell(line, "other-power", power=whose, word=whose)

    def _is_secret(self, power: str) -> bool:
        """Whether nobody may know who orders this power's units: then all refusals are the same."""
        influence = self.context.variant.influence
        return influence is not None and influence.hidden and self._section(power) == power

    def elsewhere(self, line: LetterLine, meanings: Sequence[PieceMeaning], sheet: LineReader) -> bool:
        """Warns about orders that would be good in another phase."""
        warnings = [other_phase(sheet, meaning.piece, self.context) for meaning in meanings]
        for warning in warnings:
            if warning is not None:
                self.warn(line, warning)
        return any(warning is not None for warning in warnings)

    def _orders_in(self, body: str) -> bool:
        return self.sheet is not None and any(piece.order for piece in self.sheet.pieces(body[:LONGEST_LINE]))

    def _says_hold(self, body: str) -> bool:
        """Whether words without a unit's name say that something holds: "everything holds"."""
        phrases, low = phrases_of(self.context.variant), body[:LONGEST_LINE].lower()
        return any(pattern.search(low) for pattern in (phrases.hold_all, phrases.hold_rest))

    def take_meaning(self, line: LetterLine, meaning: PieceMeaning, sheet: LineReader, context: LetterContext) -> None:
        piece, error = meaning.piece, meaning.error
        if error is not None:
            hide = error.key in FOREIGN and self._is_secret(dict(error.fields).get("power", ""))
            self.warn(line, replace(error, key="unit-not-yours", fields=()) if hide else error)
        elif piece.node is None and (piece.order or piece.stray):
            self.proposed += 1
            propose = self.proposed <= MOST_PROPOSALS
            warning = explain(sheet, piece, context, propose=propose, around=line.sentence_around)
            self.warn(line, warning, obeyed=warning.key == "retreat-preferences")
        elif piece.node is None:
            self.request_in_line(line, piece.text[piece.start : piece.end])
        elif piece.node.is_question:
            self.take(line, requests.ShowRequest())
        power = self._other(context.power)
        self.orders.extend(OrderLine(line.number, line.text, statement, power) for statement in meaning.statements)
        wished = bool(meaning.statements) and planning_blocks.behind(self, line, meaning.statements[0])
        for warning in meaning.warnings:
            if not (wished and warning.key == "retreat-preferences"):
                self.warn(line, warning, obeyed=True)

    def request_in_line(self, line: LetterLine, text: str) -> None:
        """A request in one line with other things: what belongs to a sheet is taken, the rest wants its own line."""
        asked = commands.read_in_letter(text, self.context)
        if asked is None or asked.request is None or is_exclaimed(asked, text, line.body.partition(text)[2]):
            return
        if row_of(asked.kind).beside_orders:
            self.take(line, asked.request)
        elif row_of(asked.kind).talk != "small" or is_command_like(text):
            month = MONTH_BEHIND.match(line.body.partition(text)[2])  # the order reader ends at "20."
            self.tell(
                line, "request-beside", word=written_words(line.text, text.strip() + (month.group() if month else ""))
            )

    def _no_sheet(self, line: LetterLine) -> None:
        """Orders where none can be given: a game master's own letter, or a step without sheets."""
        reader = self.sheet or any_sheet_reader(self.context)
        asks = self.context.master and line.body.rstrip().endswith("?")  # "Who owns Serbia?"
        if not asks and any(piece.order for piece in reader.pieces(line.body)):
            outside = "orders-outside-block" if self.context.master else "orders-looking-on"
            self.tell(line, "no-orders-now" if self.context.power else outside)
        else:
            self._talk(line)

    def _talk(self, line: LetterLine) -> None:
        """A line without orders: a request in plain words, a misspelt command, or talk."""
        if not line.body.strip():
            self.prose += 1  # what stood there was read before
            return
        if several := plain_questions.read_several_requests(line.body, self.context):
            self.requests.extend(RequestLine(line.number, line.text, request) for request in several)
            return
        for piece in line.body.split(";")[1:]:
            self.request_in_line(line, piece)
        word = line.body.split()[0].strip(".:,!?")
        questions = self._plain_questions(line.body, line.text)
        asked = plain_questions.requests_of(questions)
        hints = [question for question in questions if question.commands]
        if asked == (requests.HelpRequest(),) and any(hint.sentence.startswith(plain_questions.HOW) for hint in hints):
            asked = ()  # the manual as a whole says less
        if any(hint.line for hint in hints):
            hints = [hint for hint in hints if hint.line or hint.sentence.startswith(plain_questions.HOW)]
        if asked:
            self._look_up(line, asked)
        elif self._begins_request(line.body):
            hint = hints[0] if hints else plain_questions.PlainQuestion()
            self.tell(line, "command-unclear", word=word, commands=" ".join(hint.commands), power=hint.power)
            return
        elif near := commands.similar_command(line.body, self.context):
            corrected = " ".join((near, *line.body.split()[1:]))
            command = commands.read_command(corrected, self.context.variant)
            whole = command is not None and command.request is not None
            self.tell(line, "command-near", suggestions=(corrected,) if whole else (), word=word, near=near)
            return
        self.prose += 1
        self.hint(line, hints)

    def _begins_request(self, body: str) -> bool:
        """Whether a line begins like a command and does not only say no: "NO!" where nothing was proposed."""
        language = self.context.variant.language
        begins = is_command_like(body) and commands.begins_like_command(body, self.context.variant)
        return begins and refusal(body.strip(), (language,)) < len(body.strip())

    def _look_up(self, line: LetterLine, asked: Sequence[Request]) -> None:
        """Takes what a line of talk asks for; other sentences of the line are talk."""
        for request in asked:
            self.take(line, request)
        sentences = sentences_of(line.plain)
        asks = [any(each.request is not None for each in self._plain_questions(words, words)) for words in sentences]
        fates = (Fate.COMMAND if here or not any(asks) else Fate.TALK for here in asks)
        self.spans += map(partial(LetterSpan, line.number), sentences, fates)

    def _plain_questions(self, words: str, whole: str) -> tuple[plain_questions.PlainQuestion, ...]:
        """`whole`: the line with all its letters."""
        few = self.prose < plain_questions.MOST_TALK
        return plain_questions.read_questions(words, self.context, whole) if few else ()

    def hint(self, line: LetterLine, hints: Sequence[plain_questions.PlainQuestion]) -> None:
        for hint in hints:
            self.tell(line, hint.key, obeyed=True, suggestions=hint.suggestions, **dict(hint.fields))
