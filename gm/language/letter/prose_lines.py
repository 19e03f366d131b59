"""Reads lines that are not simply orders clause by clause, and takes what they say."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

from msgspec import field
from msgspec.structs import replace

from gm.judge.model.orders import Convoy, Hold, Slot, Statement, Support, UnitOrder, slot_province
from gm.language.commands import parser as commands
from gm.language.commands import requests
from gm.language.commands.table import row_of
from gm.language.i18n.localized_variant import localized
from gm.language.i18n.needed_words import may_match
from gm.language.i18n.normalize import clean
from gm.language.letter.clean_lines import is_clean
from gm.language.letter.doubts.rival_events import without_no_event
from gm.language.letter.headings.heading_lines import LONGEST_HEADING, HeadingLineReader
from gm.language.letter.headings.old_and_new import with_new_alone
from gm.language.letter.later_words import later_words
from gm.language.letter.moves_apart import with_moves_apart
from gm.language.letter.moves_together import last_act, spoken_together
from gm.language.letter.quoted_orders import orders_quoted
from gm.language.letter.talk.earlier_turns import says_nothing, without_earlier_turns
from gm.language.letter.talk.named_in_passing import asks_of_points
from gm.language.letter.unread_words import MOST_IN_PASSING, WordsOfLine
from gm.language.lines.letter_contents import LineError, OrderLine, RequestLine, lines_of
from gm.language.lines.lines import LetterLine
from gm.language.lines.signatures import is_titled_name
from gm.language.lines.spans import QUIET, Fate, divided
from gm.language.lines.trouble_keys import HEDGED, LATER, QUESTION
from gm.language.orders.line_reader import LineReader, open_sheet_reader
from gm.language.orders.parsing.order_context import OrderWarning
from gm.language.orders.phase_names import next_moves
from gm.language.prose.clauses import first_word
from gm.language.prose.directions import with_goals_for_directions
from gm.language.prose.memory import gives_several, unit_of
from gm.language.prose.nicknames import with_units_named
from gm.language.prose.phrases.prose_phrases import phrases_of
from gm.language.prose.phrases.sheet_phrases import sheet_phrases
from gm.language.prose.phrases.telltale import language_of
from gm.language.prose.prose_reader import ProseReader
from gm.language.prose.readings import ClauseReading
from gm.language.prose.stance import EMPTY_BOX, error_key
from gm.language.prose.stretches import ACTS

CONDITIONAL = error_key("condition")
OF_SHEET = (requests.ClearRequest, requests.HoldRestRequest)
DOUBTED = frozenset({"not-taken", "not-taken-alternative", CONDITIONAL})
"""Errors of clauses that make an order before them doubtful."""
MOST_PROSE = 10_000
"""Characters of a letter that are read clause by clause: more than people write between their orders."""
SHORT_ANSWER = 4
"""Most words that name a place and may say where a unit goes instead."""
SHORT_PROSE = 40
"""A shorter line counts as so many of them, because its clauses cost as much."""
NOTHING_MEANT = frozenset({"WORD", "TALK", "IF", "SEP", "OF", "KIND", "MINUS", "PLUS"})
"""Token types of lines that name nothing."""
NOTATION = re.compile(r"[A-Za-z0-9 ./,;>-]+")
"""The letters and signs of a line of orders without remarks, marks and questions."""


class ProseLineReader(HeadingLineReader, kw_only=True):
    """`last` holds the orders of the clause before, `unremembered` those that no sentence has looked back to.

    `quoted` are orders of the writer's in the quoted lines above.
    """

    last: list[OrderLine] = field(default_factory=list)
    unremembered: list[OrderLine] = field(default_factory=list)
    quoted: list[str] = field(default_factory=list)
    quoted_builds: list[str] = field(default_factory=list)
    nicknames: dict[str, str] = field(default_factory=dict)
    """Names that the letter gives to units -> their provinces."""
    length_of_prose: int = 0
    other_language: set[int] = field(default_factory=set)
    only_orders: dict[int, str] = field(default_factory=dict)
    """The lines that say nothing but orders and "please", as they were read."""

    def sheet_line(self, line: LetterLine, sheet: LineReader) -> None:
        if not line.body.strip():
            return
        line = with_new_alone(line, sheet, self.context, headed=self.memory.old_and_new)
        named = with_moves_apart(line.body, sheet.scanner) if sheet.kind.holds else line.body
        named = with_goals_for_directions(named, sheet.scanner, phrases_of(self.context.variant))
        named = with_units_named(named, sheet.scanner, self.context.own_units, self.nicknames)
        line = line if named == line.body else replace(line, body=named)
        if (line.body[0] in "[(" and EMPTY_BOX.match(line.body)) or is_titled_name(line.plain):
            self.prose += 1
        elif is_clean(line, sheet, self.context, self.memory):
            self.memory.under_heading = True
            if NOTATION.fullmatch(line.body) and not any(piece.has_words for piece in sheet.pieces(line.body)):
                self.only_orders[line.number] = line.body
            self._take_clean(line, sheet)
        elif language := language_of(line.body, self.context.variant):
            self._in_language(language, line)
        elif not self._stance_heading(line):
            self.memory.under_heading = True
            if self._is_talk(line, sheet):
                self.take_orders(line, sheet)
            elif not self._tells_others(line, sheet):
                self._take_prose(line, sheet)

    def quote(self, words: str) -> None:
        """A quoted line, without its mark: the line below may change the order in it."""
        if self.sheet is not None and self.sheet.kind.holds and self.context.power:
            self.quoted += orders_quoted(self.sheet, self.context, words[:LONGEST_HEADING], self.written)
        elif self.sheet is not None and self.sheet.kind.lists_units and self.context.power:
            self.quoted_builds += orders_quoted(self.sheet, self.context, words[:LONGEST_HEADING], self.written)

    def replies_to_builds(self, number: int) -> None:
        """Notes the only build or removal in the quoted lines right above."""
        if len(self.quoted_builds) == 1:
            self.answered_builds[number] = self.quoted_builds[0]
        self.quoted_builds.clear()

    def replies_to_quotes(self, number: int) -> bool:
        """Whether a line stands right below quoted orders; it answers the only one."""
        quoted = list(self.quoted)
        self.quoted.clear()
        if len(quoted) == 1:
            self.answered[number] = quoted[0]
        self.memory.is_doubted |= bool(quoted)
        return bool(quoted)

    def _in_language(self, language: str, line: LetterLine) -> None:
        """A line in another language than the letters of this reader."""
        self.other_language.add(line.number)
        context, sheet = self.context, self.sheet
        self.context = replace(context, variant=localized(context.variant, language))
        self.sheet = open_sheet_reader(self.context)
        if self.sheet is not None:
            self.sheet_line(line, self.sheet)
        self.context, self.sheet = context, sheet

    def _take_clean(self, line: LetterLine, sheet: LineReader) -> None:
        before = len(self.orders)
        self.take_orders(line, sheet)
        self.last = self.orders[before:]
        self._hear(line, 0, len(line.body.rstrip()))
        twice = len({order.statement.slot for order in self.last}) < len(self.last)
        if twice and phrases_of(self.context.variant).correction.search(line.body.lower()):
            del self.orders[before:]
            self._take_prose(line, sheet)
            return
        self._note_spoken(line.body, sheet, Support)
        self.unremembered += self.last
        if twice:
            self._side_by_side(line, self.last)

    def _take_prose(self, line: LetterLine, sheet: LineReader) -> None:
        if not self.length_of_prose:
            self.memory.on_file = self.context.on_file()
        length = max(len(line.body), SHORT_PROSE)
        self.length_of_prose += length
        if self.length_of_prose > MOST_PROSE:
            self._take_clean(line, sheet)
            if self.length_of_prose - length <= MOST_PROSE:
                self.tell(line, "too-much-prose", obeyed=True, n=str(line.number))
            return
        self._remember()
        phrases = phrases_of(self.context.variant)
        body, self.memory.of_earlier_turn = without_earlier_turns(line.body, phrases)
        if body != line.body:
            self.tell(line, "same-orders", obeyed=not says_nothing(body))
            line = replace(line, body=body)
        if says_nothing(body):
            self.prose += 1
            return
        meanings = partial(self.by_power, sheet=sheet)
        answered = self.answered.get(line.number, "") or self._only_unit(line.power or self.section)
        with self.memory.answering(answered):
            readings = list(ProseReader(line, sheet, self.context, self.memory, meanings, phrases).read())
        proposed = [reading for reading in readings if reading.error is not None and reading.error.suggestions]
        several = len(proposed) > 1  # an error about the first sentence would pass over the others
        if not several and not any(reading.is_clear for reading in readings) and self._is_misread(line, sheet):
            self._take_clean(line, sheet)
            return
        if all(reading.fate in QUIET for reading in readings):
            asks = "?" in line.body and phrases.about_board.search(line.body.lower()) is not None
            if asks or any(reading.fate is Fate.COMMENT for reading in readings):
                self._divide(line, readings)
            else:
                self.take_orders(line, sheet)
            return
        readings = [self._or_kept(reading, line) for reading in readings]
        if any(reading.negates for reading in readings) and self._says_what_instead(line, sheet, readings):
            orders = (order for reading in readings if reading.orders for order in reading.orders.statements)
            ordered = {slot_province(order.slot) for order in orders}
            readings = [reading if ordered >= set(reading.cancels) else reading.unsure for reading in readings]
        self._divide(line, readings)
        every: list[OrderLine] = []
        for reading in readings:
            self._apply(reading, line, sheet)
            every += self.last if reading.orders is not None else ()
        if not any(reading.corrects for reading in readings):
            self._side_by_side(line, [order for order in every if order in self.orders])

    def _says_what_instead(self, line: LetterLine, sheet: LineReader, readings: Sequence[ClauseReading]) -> bool:
        """Whether words behind a negated order that are not understood may say what its unit does instead: they speak
        of it by a pronoun, or of an act. "I changed my mind", "France promised me Belgium" say nothing of it.
        """
        phrases = phrases_of(self.context.variant)
        first = min(reading.start for reading in readings if reading.negates)
        own = {unit.at.province for unit in self.context.own_units}
        for reading in (reading for reading in readings if reading.fate is Fate.TALK and reading.start > first):
            words = line.body[reading.start : reading.end]
            named = self._named(words)
            if phrases.subject.match(words.lower(), first_word(words, 0)) or named & own:
                return True
            if named and len(words.split()) <= SHORT_ANSWER:
                return True  # "Bohemia, perhaps?"
            tokens = sheet.scanner.scan(words)
            if any(
                token.type in ACTS or (token.type == "KIND" and len(token.value) < token.end_pos - token.start_pos)
                for token in tokens
            ):
                return True
        return False

    def _or_kept(self, reading: ClauseReading, line: LetterLine) -> ClauseReading:
        """A sentence about a later phase with what became of it."""
        error, words = reading.error, line.body[reading.start : reading.end]
        later = later_words(words, self.context, self.memory.place)
        if not later.by_condition and (error is None or error.key != LATER):
            return reading
        if reading.orders is None and self.kept_for_later(reading, line):
            return ClauseReading(reading.start, reading.end, Fate.COMMAND, retracts=reading.retracts)
        if error is None and later.declines and not (reading.orders or reading.cancels):
            error = OrderWarning(LATER, reading.start, reading.end)
        if error is None:
            return reading
        phase = later.phase or next_moves(self.context.variant, self.context.position)
        suggestions = () if later.by_condition else error.suggestions
        return replace(reading, error=replace(error, key=LATER, fields=(("phase", phase),), suggestions=suggestions))

    def kept_for_later(self, reading: ClauseReading, line: LetterLine) -> bool:
        """Whether the orders of a sentence are kept for a later phase."""
        return False

    def _divide(self, line: LetterLine, readings: Sequence[ClauseReading]) -> None:
        """Records what became of each stretch; a bracket lies over the sentence around it."""
        by_width = sorted(readings, key=lambda reading: reading.start - reading.end)
        cuts = [(line.at + reading.start, line.at + reading.end, reading.result) for reading in by_width]
        ends = [(0, line.at, Fate.HEADING), (line.at + len(line.body), len(line.plain), Fate.COMMENT)]
        self.spans += divided(line.number, line.plain, [*cuts, *ends], Fate.TALK)

    def _is_misread(self, line: LetterLine, sheet: LineReader) -> bool:
        """Whether points stand in front of an order that cannot be read, and no words correct one."""
        if phrases_of(self.context.variant).correction.search(line.body.lower()):
            return False
        is_meant = sheet.kind.is_meant if sheet.kind.numbers_in_front else None
        return is_meant is not None and any(is_meant(piece.tokens, ()) for piece in sheet.pieces(line.body))

    def _is_talk(self, line: LetterLine, sheet: LineReader) -> bool:
        """Only for speed: whether nothing in the line can concern an order, so that its clauses need not be read."""
        kinds = {
            token.type
            for piece in sheet.pieces(line.body)
            for token in piece.tokens
            if token.type != "KIND" or token.end_pos - token.start_pos > 1
        }
        if not kinds <= NOTHING_MEANT or ("KIND" in kinds and not sheet.kind.holds):
            return False
        if sheet.kind.holds and (line.body.endswith(":") or line.number in self.answered):
            return False  # "Bleiben:"; "leave it where it is", below "> F Cai"
        variant, low = self.context.variant, line.body.lower()
        if phrases_of(variant).undecided.search(low):  # "Haven't decided!", below two versions
            orders = (order.statement for order in self.orders)
            if len(self.memory.versions) > 1 or gives_several(orders):
                return False
        own = sheet_phrases(variant.language, sheet.kind.name).signs
        speaks = phrases_of(variant).speaks_of_orders
        if (may_match(speaks, low) and speaks.search(low)) or own.fitting(low):
            return False
        return "KIND" not in kinds or not phrases_of(variant).signs.fitting(low)

    def _remember(self) -> None:
        """The orders of lines before, for "supported by Marseilles" in a sentence."""
        self.memory.statements += [order.statement for order in self.unremembered]
        for order in self.unremembered:
            if isinstance(order.statement, UnitOrder):
                self.memory.note(self.written(order.statement))
        self.unremembered.clear()
        self.memory.latest = tuple(self.written(order.statement) for order in self.last)

    def _apply(self, reading: ClauseReading, line: LetterLine, sheet: LineReader) -> None:
        if reading.retracts:
            reading = self._with_rivals(reading) if reading.retracts < 0 and reading.error is not None else reading
            self._retract(everything=reading.retracts < 0)
        if reading.restores:
            self._restore()
        if reading.withdrawn:
            self.orders = [order for order in self.orders if order.statement.slot not in reading.withdrawn]
        if reading.holds_all:
            self._all_hold(line, reading)
        if reading.holds_rest:
            self.rest_holds = line
        if reading.cancels_all:
            self.memory.on_file = ()  # an order of these that is written again is a new one
            self.orders = self.orders if reading.cancels_before else []
            self.cleared = WordsOfLine(line, reading.start, reading.end)
            first = min((order.line for order in self.orders), default=line.number)
            self.requests.append(RequestLine(min(first, line.number), line.text, requests.ClearRequest(())))
        for province in reading.cancels:
            self._take_back(province, WordsOfLine(line, reading.start, reading.end))
        if reading.orders is not None:
            before = len(self.orders)
            for meaning, context in reading.orders.by_power:
                self.take_meaning(reading.orders.line, meaning, sheet, context)
            self.last = self.orders[before:]
            first = first_word(line.body, reading.start, reading.end)
            self._hear(line, first, first + len(line.body[first : reading.end].rstrip(" .,;!-")))
            self._note_spoken(line.body[reading.start : reading.end], sheet, UnitOrder)
        elif reading.fate is Fate.COMMENT and not self._is_old_goal(reading, line.body):
            self.last = []  # "I was going to …, but no" takes no order before it back
        elif reading.fate in (Fate.TALK, Fate.NOT_TAKEN) and self._request(reading, line):
            return
        elif reading.fate is Fate.TALK:
            self._hint_at_press(reading, line)
        if reading.error is not None:
            self._quote(reading.error, line, sheet)

    def _is_old_goal(self, reading: ClauseReading, body: str) -> bool:
        """Whether a comment belongs to the order before it: in brackets, or what it is not ("…, not to Galicia")."""
        old = phrases_of(self.context.variant).old
        bracketed = body[max(reading.start - 1, 0)] in "([{"
        return bracketed or old.match(body.lower(), first_word(body, reading.start, reading.end)) is not None

    def _hear(self, line: LetterLine, start: int, end: int) -> None:
        """Remembers which words the last orders were read from."""
        words = WordsOfLine(line, start, end)
        self.shared |= {words} if len(self.last) > 1 or not self.heard.keys().isdisjoint(self.last) else set()
        self.heard |= dict.fromkeys(self.last, words)

    def _with_rivals(self, reading: ClauseReading) -> ClauseReading:
        """A doubt about all orders of the letter: units with several are asked about by themselves."""
        choices: dict[Slot, dict[str, OrderLine]] = {}
        for order in self.orders:
            choices.setdefault(order.statement.slot, {}).setdefault(self.written(order.statement), order)
        rivals = [tuple(orders.items()) for orders in choices.values() if len(orders) > 1]
        for orders in rivals:
            text = orders[0][1].text.strip()
            lines = tuple(line for line, _ in orders)
            self.troubles.append(LineError(orders[0][1].line, text, 0, len(text), "not-taken-alternative", (), lines))
        return replace(reading, error=replace(reading.error, suggestions=())) if rivals and reading.error else reading

    def _note_spoken(self, words: str, sheet: LineReader, kind: type[UnitOrder]) -> None:
        """Orders of the clause before that go with another one."""
        if sheet.kind.holds:
            self.spoken += spoken_together(self.last, sheet.scanner.scan(words), kind)

    def _hint_at_press(self, reading: ClauseReading, line: LetterLine) -> None:
        """Words beside orders that somebody else should hear: "tell Brazil that I come in peace"."""
        words = line.body[reading.start : reading.end]
        asked = self._plain_questions(words, line.text)
        hints = [question for question in asked if question.power and question.commands]
        self.hint(replace(line, at=line.at + reading.start, body=words), hints)

    def _request(self, reading: ClauseReading, line: LetterLine) -> bool:
        """A clause that is a request by itself: "A Par - Bur; rest hold"."""
        words = line.body[reading.start : reading.end].strip(" .,;")
        corrects = words.lower().startswith("no ")  # "No wait, …" is no READY
        asked = commands.read_command(words, self.context.variant) if words and not corrects else None
        if (
            asked is None
            or asked.request is None
            or (row_of(asked.kind).talk == "small" and not row_of(asked.kind).beside_orders)
        ):
            return False
        if isinstance(asked.request, requests.HoldRestRequest):
            self.rest_holds = line
            return True
        before = len(self.requests), len(self.troubles)
        self.request_in_line(line, words)
        return before != (len(self.requests), len(self.troubles))

    def _quote(self, error: OrderWarning, line: LetterLine, sheet: LineReader) -> None:
        """Says what was not taken; an order gone wrong is explained as on a line of its own."""
        if error.key != "named-in-passing":
            self.orders = without_no_event(self.orders)
        if error.key == "named-in-passing" and asks_of_points(sheet, line.body, error.start, error.end):
            self.warn(line, replace(error, key=QUESTION), obeyed=True)
            return
        explained = error.key in ("not-taken", "named-in-passing") and self._explain(error, line, sheet)
        if explained and sheet.kind.holds:
            return
        if self._only_departs(error, line.body):
            self.warn(line, replace(error, suggestions=()), obeyed=True)
            return
        error = self._doubt(error, line.body)
        if explained:
            return
        if error.key != "named-in-passing":
            self.warn(line, error, obeyed=error.key == LATER and not error.suggestions)
        elif self.in_passing < MOST_IN_PASSING:
            self.in_passing += 1
            self.warn(line, error, obeyed=True)

    def _only_departs(self, error: OrderWarning, body: str) -> bool:
        """Whether a condition would only change orders of lines before: "if Russia goes there, Den - SKA instead"."""
        instead = phrases_of(self.context.variant).departing.search(body[error.start : error.end].lower())
        units = {*map(unit_of, lines_of(error.suggestions))} if error.key == CONDITIONAL and instead else set()
        return bool(units) and units <= {unit_of(self.written(order.statement)) for order in self.orders}

    def _doubt(self, error: OrderWarning, body: str) -> OrderWarning:
        """An order of the letter no longer counts where a later clause seems to give its unit another one: the writer
        is asked which. A retreat goes only where a sentence is another place and nothing else.
        """
        chooses = phrases_of(self.context.variant).either.search(body[error.start : error.end].lower())
        if self.sheet is None or not (error.key in DOUBTED or (error.key == HEDGED and chooses)):
            return error
        if self.sheet.kind.lists_units:
            again = {code for line in error.suggestions for code in self._named(line)}
            last = self.last if chooses else ()  # "Build A Bud / Build A Vie, whichever you like"
            kept = (order for order in self.orders if order not in last)
            self.orders = [order for order in kept if slot_province(order.statement.slot) not in again]
            gone_last = (self.written(order.statement) for order in last)
            error = replace(error, suggestions=(*gone_last, *error.suggestions))
        words = self.sheet.scanner.scan(body[error.start : error.end])
        before = body[: error.start].rstrip()
        alone = [token.type for token in words] == ["PLACE"] and before.endswith((".", "!", ":", ","))
        bids = self.sheet.kind.is_rest is not None
        if not (self.sheet.kind.holds or bids or (self.sheet.kind.takes_preferences and (alone or chooses))):
            return error
        latest = {order.statement.slot: order for order in self.orders}
        units = {self.written(order.statement): order for order in latest.values()}
        if error.key == CONDITIONAL:  # "if you go to Munich I'll hunt you down" is not about the army that goes there
            named = self._named(body[error.start : error.end])
            units = {text: order for text, order in units.items() if slot_province(order.statement.slot) in named}
        gone: list[str] = []
        for line in lines_of(error.suggestions):
            begins = [text for text in units if line not in units and text.startswith(f"{unit_of(line)} ")]
            gone += [text for text in begins if not bids or line.startswith(f"{text} ")]  # "those five back Germany"
        if bids:
            gone += self._bids_spoken_of(words, body[error.start : error.end].lower())
        self.orders = [order for order in self.orders if self.written(order.statement) not in gone]
        spoken = clean(body[error.start : error.end]).text.lower()
        if bids or len(error.suggestions) != 1 or phrases_of(self.context.variant).amending.search(spoken):
            return error  # "where I wrote Serbia, read Rumania"
        moves = (text for text in gone if not isinstance(units[text].statement, Hold))  # "all hold, but Naples maybe …"
        return replace(error, suggestions=(*moves, *error.suggestions))

    def _explain(self, error: OrderWarning, line: LetterLine, sheet: LineReader) -> bool:
        """Whether the words alone are an order gone wrong, for which there are words."""
        body = line.body[error.start : error.end]
        cut = replace(line, at=line.at + error.start, body=body)
        context, meanings = self.by_power(cut, sheet)
        before, orders, asked = len(self.troubles), list(self.orders), list(self.requests)
        if any(meaning.piece.order or (meaning.piece.stray and self.last) for meaning in meanings):
            for meaning in meanings:
                self.take_meaning(cut, meaning, sheet, context)
        else:
            self.elsewhere(cut, meanings, sheet)
        explained = self.troubles[before:]
        suggested = {line for trouble in explained for line in trouble.suggestions}
        self.orders = orders  # words that are not taken give none, whatever they say alone
        if explained and (not error.suggestions or suggested == set(error.suggestions)):
            return True
        del self.troubles[before:]
        self.requests = asked
        return False

    def _side_by_side(self, line: LetterLine, orders: Sequence[OrderLine]) -> None:
        """Two orders of one unit in one line, and no word that the later one counts: the writer is asked. Where fleets
        are numbered, they go to several.
        """
        numbered = {unit.at.province for unit in self.context.own_units if unit.number}
        units = [order for order in orders if isinstance(order.statement, UnitOrder)]
        units = [order for order in units if slot_province(order.statement.slot) not in numbered]
        by_slot: dict[Slot, dict[Statement, OrderLine]] = {}
        for order in units:
            by_slot.setdefault(order.statement.slot, {})[order.statement] = order
        for choices in by_slot.values():
            match tuple(choices):
                case (Hold() as hold, Support() | Convoy()):  # "it stays and supports Budapest"
                    self.orders = [order for order in self.orders if order != choices[hold]]
                case (_, _, *_):
                    self.orders = [order for order in self.orders if order not in choices.values()]
                    lines = tuple(map(self.written, choices))
                    end = len(line.body.rstrip())
                    self.warn(line, OrderWarning("not-taken-alternative", 0, end, (), lines))

    def _restore(self) -> None:
        """What the letter said so far of the sheet goes."""
        self._retract(everything=True)
        self.taken_back.clear()
        self.rest_holds = None
        self.requests = [line for line in self.requests if not isinstance(line.request, OF_SHEET)]

    def _retract(self, *, everything: bool) -> None:
        listing = self.sheet is not None and self.sheet.kind.lists_units
        last = self.last if listing else last_act(self.last)  # "a fleet for Kiel and an army for Berlin. No, wait"
        gone = list(self.orders) if everything else last
        self.orders = [order for order in self.orders if order not in gone]
        self.last = []
