"""What only a whole letter tells: orders taken back and not replaced, units that no order names, "the rest holds"."""

from __future__ import annotations

import re
from collections.abc import Container, Set
from itertools import pairwise

from msgspec import field

from gm.judge.mechanics.moving_borders.border_orders import is_event
from gm.judge.model.orders import Build, Disband, Hold, Move, Slot, UnitOrder, WholeSetStatement, slot_province
from gm.language.commands import requests
from gm.language.i18n.joining_words import AND
from gm.language.i18n.normalize import clean
from gm.language.letter.doubts.doubts_reader import DoubtsReader
from gm.language.letter.doubts.orders_in_doubt import is_unread
from gm.language.letter.doubts.rival_events import conflicting, event_in_doubt, last_events, without_choices
from gm.language.letter.moves_together import armies_carried, convoys_elsewhere, missing_for_convoys, supports_of_moves
from gm.language.letter.other_position import without_lucky_orders
from gm.language.letter.preferred_suggestions import preferring_free_units, preferring_own_words, units_suggested
from gm.language.letter.replaced_adjustments import adjustments_replaced, with_builds_answered
from gm.language.letter.replaced_dips import with_dips_for_moves, with_dips_replaced
from gm.language.letter.talk.named_in_passing import with_unread_replies
from gm.language.letter.talk.powers_in_passing import powers_in_passing
from gm.language.letter.unread_words import UNSURE, WordsOfLine, clause_around
from gm.language.lines.letter_contents import LineError, OrderLine, lines_of
from gm.language.lines.lines import NUMBERED, LetterLine, read_line
from gm.language.lines.trouble_keys import STILL_ON_FILE, TWO_EVENTS
from gm.language.orders.fleet_numbers import number_letter
from gm.language.orders.parsing.order_context import OrderWarning
from gm.language.prose.clauses import first_word, sentence_past, sentence_start
from gm.language.prose.memory import goals_of, province_of, unit_of
from gm.language.prose.mentions import INTO, unit_called
from gm.language.prose.phrases.phrase_tables import fits_any
from gm.language.prose.phrases.prose_phrases import phrases_of
from gm.language.prose.readings import ClauseReading
from gm.language.prose.stance import error_key

LETTERED = re.compile(r"\s*\(?[A-Ha-h][.)]")
JOINED = re.compile(rf"(?:\b(?:{AND})|&)\s*$", re.IGNORECASE)
LATER = frozenset({error_key("later"), "other-phase"})
"""Keys of errors of words about a later phase."""
DRAFTED = frozenset({error_key("hedge"), error_key("reported")})
"""Keys of errors of drafts and of orders of another day."""
MISSPELT = ("unknown-place", "unknown-unit", "unknown-word")
"""How the keys of errors of words begin that are not known."""


class WholeLetterReader(DoubtsReader, kw_only=True):
    """`spoken` are orders in words, not in notation. `answered` are the writer's orders in quoted lines that own lines
    answer.
    """

    spoken: list[OrderLine] = field(default_factory=list)
    answered: dict[int, str] = field(default_factory=dict)
    answered_builds: dict[int, str] = field(default_factory=dict)
    rest_holds: LetterLine | None = None
    cleared: WordsOfLine | None = None
    """Words that take the whole sheet back."""
    held_but_some: set[int] = field(default_factory=set)
    """Lines whose words let all units hold but some."""

    def close_prose(self) -> None:
        """Takes back the orders on file that the letter does not replace, nor seems to in words that are not taken."""
        if self.spoken and self.sheet is not None:
            self.orders = supports_of_moves(self.orders, self.spoken, self.sheet, self.context)
            self.orders += armies_carried(self.orders, self.spoken, self.sheet, self.context)
            self.troubles += missing_for_convoys(self.orders, self.spoken, self.sheet, self.context)
            proposed = {unit for trouble in self.troubles for unit in units_suggested(trouble)}
            self.troubles += convoys_elsewhere(self.orders, self.spoken, proposed, self.sheet, self.context)
        self.orders, self.troubles = without_lucky_orders(self.orders, self.troubles, self.written)
        self._drop_drafts()
        self._doubt_corrected()
        self._doubt_lists()
        self._replace_adjustments()
        self._doubt_held()
        ordered = {slot_province(order.statement.slot) for order in self.orders}
        unsure: dict[WordsOfLine, None] = {}
        self._take_back_cleared(ordered)
        for province, words in self.taken_back.items():
            if (spared := self._standing(province, words)) is None:
                continue
            if (
                province in self._proposed_on(words.line)
                or self._is_replaced(province, words)
                or self._is_spoken_of(province)
                or self._goes_on_about(words)
            ):
                unsure[words] = None
            else:
                self.take(words.line, requests.ClearRequest((province,), spared))
        if self.cleared is not None and self._cleared_in_part(ordered):
            unsure[self.cleared] = None
        for words in unsure:
            self.warn(words.line, OrderWarning(STILL_ON_FILE, words.start, words.end))
        if self.rest_holds is not None:
            self._hold_rest(self.rest_holds, ordered)
        if self.cleared is None and any(map(self._is_set_in_words, self.orders)):
            self.memory.on_file = self.context.on_file()  # a letter of orders alone has not recalled it
        self._keep_sets()
        self.orders = with_dips_for_moves(self.orders, self.context, self._speaks_of_holding)
        self.orders = with_dips_replaced(self.orders, self.context)
        self.troubles = list(with_unread_replies(self, self.memory, self.answered))
        self.troubles = list(with_builds_answered(self.troubles, self.answered_builds))
        self._quote_names(ordered)
        self._quote_denials(ordered)
        self.troubles += powers_in_passing(self, self.memory)
        self._quote_withdrawn(ordered)
        self._quote_quantities(ordered, rest_holds=self.rest_holds is not None)
        self._doubt_unread()
        self.troubles = preferring_own_words(self.troubles)
        self.troubles = preferring_free_units(self.troubles, {self._unit(order) for order in self.orders})
        self.orders = number_letter(self.context, self.orders, self.troubles)
        if any(is_event(order) for order in self.context.on_file()):
            self.orders = last_events(self.orders)
        rivals = conflicting(self.orders)
        if doubt := event_in_doubt(self.orders, self.troubles, self.sheet, self.written):
            rivals = [order for order in self.orders if is_event(order.statement)]
            self.troubles = [*without_choices(self.troubles, doubt), doubt]
        self.orders = [order for order in self.orders if order not in rivals]
        for order in () if doubt else rivals:
            self.tell(read_line(order.line, order.text), TWO_EVENTS)

    def _standing(self, province: str, words: WordsOfLine) -> tuple[Slot, ...] | None:
        """The slots in a province that words which take an order there back leave alone, or the letter fills anew; None
        where it fills all that is on file.
        """
        on_file = self.context.on_file()
        fresh = {order.statement.slot for order in self.orders if slot_province(order.statement.slot) == province}
        spared = {*self._spared(province, words, on_file), *fresh}
        gone = {order.slot for order in on_file if slot_province(order.slot) == province}
        return None if fresh and gone <= spared else tuple(sorted(spared))

    def _is_set_in_words(self, order: OrderLine) -> bool:
        """Whether points or bids are in words: lines as the answer writes them, as in a YES, replace the set."""
        return isinstance(order.statement, WholeSetStatement) and order.text.strip() != self.written(order.statement)

    def _doubt_held(self) -> None:
        """Units that words which are not taken name behind "all hold but …" may do something else: "all hold but Ruhr,
        which goes to Burgundy with Munich's support".
        """
        unread = [each for each in self.troubles if each.line in self.held_but_some and each.key == error_key("")]
        named = {(each.line, code) for each in unread for code in self._named(each.text[each.start : each.end])}
        self.orders = [
            order
            for order in self.orders
            if not isinstance(order.statement, Hold) or (order.line, slot_province(order.statement.slot)) not in named
        ]

    def _take_back_cleared(self, ordered: Container[str]) -> None:
        """Orders that a command deletes, "kill the Brest order", are taken back as by other words, where the letter
        does not order the same units.
        """
        for given in list(self.requests):
            request = given.request
            if not isinstance(request, requests.ClearRequest) or not request.provinces:
                continue
            line = read_line(given.line, given.text)
            proposed = self._proposed_on(line)
            if any(province in ordered or province not in proposed for province in request.provinces):
                continue
            self.requests.remove(given)
            for province in request.provinces:
                self.taken_back.setdefault(province, WordsOfLine(line, 0, len(line.body)))

    def _cleared_in_part(self, ordered: Set[str]) -> bool:
        """Keeps the orders on file in whose place others are only proposed, and tells whether there are any: "Bin
        everything. London north sea, the Liverpool boys take the train to Edinburgh".
        """
        clear = next((each for each in self.requests if each.request == requests.ClearRequest(())), None)
        proposed = {province_of(unit) for trouble in self.troubles for unit in units_suggested(trouble)}
        on_file = [slot_province(order.slot) for order in self.context.on_file()]
        kept = {each for each in on_file if each in proposed or self._is_spoken_of(each)} - ordered
        if clear is None or not kept:
            return False
        self._clear_without(clear, kept)
        return True

    def _is_spoken_of(self, province: str) -> bool:
        """Whether words that are not understood may say what comes instead of the order on file: they name its unit, or
        nothing at all.
        """
        unread = (clause_around(trouble) for trouble in self.troubles if is_unread(trouble))
        return any(province in (self._names_units(words) or {province}) for words in unread)

    def _goes_on_about(self, words: WordsOfLine) -> bool:
        """Whether words behind those that take an order back, up to the next sentence, say where the unit goes, or that
        it holds: "Sevastopol won't go to the Black Sea after all, put it down for Rumania".
        """
        text, begins = words.line.text, words.line.at + words.end
        sentence = text[begins : sentence_past(text, begins)].lower()
        phrases = phrases_of(self.context.variant)
        for span in self.spans:
            low = span.text.strip(" .,;:!-").lower()
            if span.line != words.line.number or span.fate not in UNSURE or not low or low not in sentence:
                continue
            types = {token.type for token in self._tokens(low)}
            others = (phrases.later, phrases.negated, phrases.unconcerned)
            spoken = fits_any(low, (phrases.it, phrases.subject)) and not fits_any(low, others)
            if spoken and types & {"PLACE", "HOLD"}:
                return True
        return False

    def _replace_adjustments(self) -> None:
        words = {
            order: f"{self.answered_builds.get(order.line, '')} {clause.text}" for order, clause in self.heard.items()
        }  # "make that Posen" below "> Build A Ber"
        kept = set(self.memory.unchanged | self.memory.kept)
        gone = set(self.taken_back)
        for province, order in adjustments_replaced(self.orders, words, gone, kept, self.context, self._named):
            self.taken_back[province] = self.heard[order]

    def _drop_drafts(self) -> None:
        """Nothing is asked about drafts above a heading that says what counts, where that orders their units."""
        valid = self.memory.valid_from
        below = {self._unit(order) for order in self.orders if order.line >= valid} if valid else set()
        self.troubles = [
            trouble
            for trouble in self.troubles
            if trouble.key not in DRAFTED
            or trouble.line >= valid
            or not units_suggested(trouble)
            or not units_suggested(trouble) <= below
        ]

    def _doubt_corrected(self) -> None:
        """An order does not count where one of its unit stands below that is impossible, or behind words that are no
        place: "last line should read A Mun - Ruh". Neither does a hold of a unit that a question is about: "everything
        holds but Napels, which goes to the Ionian".
        """
        if self.sheet is None or not self.sheet.kind.holds:
            return
        for trouble in (trouble for trouble in self.troubles if not trouble.obeyed):
            impossible = dict(trouble.fields).get("unit", "")
            named = units_suggested(trouble) if trouble.key == "unknown-place" else set()
            units = {impossible} if impossible else named
            lines = lines_of(trouble.suggestions)
            texts = {order: self.written(order.statement) for order in self.orders if order.line < trouble.line}
            gone = {order for order, text in texts.items() if unit_of(text) in units and text not in lines}
            if len(units) == 1:
                self.orders = [order for order in self.orders if order not in gone]
            asked = units_suggested(trouble) if trouble.key.startswith(MISSPELT) else set()
            if len(asked) == 1:
                self.orders = [order for order in self.orders if not self._holds_with_all(order, *asked)]

    def _doubt_lists(self) -> None:
        """ "(1) Kie-Den, Ber-Kie", "(2) Kie-Hol, Ber-Kie": items of a list, each of several orders, that do not agree
        about a unit: only one of them can count.
        """
        items: dict[int, list[OrderLine]] = {}
        for order in self.orders:
            if NUMBERED.match(order.text) and isinstance(order.statement, UnitOrder):
                items.setdefault(order.line, []).append(order)
        lettered = all(LETTERED.match(orders[0].text) for orders in items.values())  # "A) Con - Bul", "B) Con - Ank"
        several = {line: orders for line, orders in items.items() if len(orders) > 1 or lettered}
        acts = {(self._unit(order), self.written(order.statement)) for orders in several.values() for order in orders}
        if len(several) < 2 or len({unit for unit, _ in acts}) == len(acts):
            return
        for line, orders in several.items():
            self.orders = [order for order in self.orders if order not in orders]
            lines = tuple(self.written(order.statement) for order in orders)
            text = orders[0].text
            self.troubles.append(LineError(line, text, 0, len(text), error_key("alternative"), (), ("\n".join(lines),)))

    def _holds_with_all(self, order: OrderLine, unit: str) -> bool:
        """Whether the unit holds by words that do not name it."""
        if not isinstance(order.statement, Hold) or self._unit(order) != unit:
            return False
        return slot_province(order.statement.slot) not in self._named(order.text)

    def _speaks_of_holding(self, order: OrderLine) -> bool:
        """Whether the words of an order have one for holding."""
        heard = self.heard.get(order)
        words = heard.text if heard is not None else order.text
        return any(token.type == "HOLD" for token in self._tokens(words))

    def _unit(self, order: OrderLine) -> str:
        return unit_of(self.written(order.statement))

    def _all_hold(self, line: LetterLine, reading: ClauseReading) -> None:
        """ "All hold", "both fleets hold": a kind of unit that the words name is meant alone. Units with another order
        in the letter keep it, unless the words correct it, or each has one: then the writer is asked.
        """
        start = self._every(line.body, reading) if reading.excepted else reading.start
        tokens = self.sheet.scanner.scan(line.body[start : reading.end]) if self.sheet is not None else ()
        kinds = {token.value for token in tokens if token.type == "KIND" and token.end_pos > token.start_pos + 1}
        alike = {unit.at.province for unit in self.context.own_units if unit.kind in kinds}
        kinds = set() if alike <= set(reading.excepted) else kinds  # "all but the fleet hold"
        powers = (line.power or self.section or self.context.power, *reading.included)
        ordered = {slot_province(order.statement.slot) for order in self.orders if not reading.corrects}
        busy = {*reading.excepted, *ordered}
        self.held_but_some |= {line.number} if reading.excepted else set()
        for power in powers:
            units = [unit for unit in self.context.position.units_of(power) if not kinds or unit.kind in kinds]
            idle = [unit for unit in units if unit.at.province not in busy]
            self.let_hold(line, idle, power)
            if not idle and not reading.excepted:
                self._ask_who_holds(line, reading, {unit.at.province for unit in units})

    def _every(self, body: str, reading: ClauseReading) -> int:
        """Where the words for all units begin: behind those that are excepted, "except the fleets all hold"."""
        hold_all, low = phrases_of(self.context.variant).hold_all, body.lower()
        names = [token for token in self._tokens(body[: reading.end]) if token.type in ("KIND", "PLACE")]
        past = names[-1].end_pos if names else reading.start
        every = hold_all.search(low, past, reading.end) or hold_all.search(low, reading.start, reading.end)
        return every.start() if every is not None else reading.start

    def _ask_who_holds(self, line: LetterLine, reading: ClauseReading, provinces: set[str]) -> None:
        """ "Ven-Tri, Rom-Ven, Nap-Ion. Everybody stays home": moves of all units, and words that all hold."""
        own = [order for order in self.orders if slot_province(order.statement.slot) in provinces]
        moves = [order for order in own if isinstance(order.statement, Move)]
        if moves:
            self.orders = [order for order in self.orders if order not in moves]
            first = first_word(line.body, reading.start, reading.end)
            lines = tuple(self.written(order.statement) for order in moves)
            self.warn(line, OrderWarning(error_key("alternative"), first, reading.end, (), lines))

    def _hold_rest(self, line: LetterLine, ordered: set[str]) -> None:
        """ "Everybody else holds": units without an order in the letter, and that no question is about; "everybody else
        stays": only those without an order on file.
        """
        if (report := self._of_powers(line)) is not None:
            self.warn(line, report)
            return
        if self.sheet is not None and not self.sheet.kind.holds:
            return  # "I lose Livonia, the others stay"
        on_file = {slot_province(order.slot) for order in self.memory.on_file}
        ordered = ordered | (self.memory.unchanged & on_file)
        phrases, low = phrases_of(self.context.variant), clean(line.body).text.lower()
        holds = phrases.others_hold.search(low) is not None
        letter = [order.statement for order in self.orders]
        of_points = any(isinstance(order, WholeSetStatement) for order in (*letter, *self.memory.on_file))
        if not holds and of_points and not any(isinstance(order, UnitOrder) for order in letter):
            return  # "a point on Rumania, the others stay"
        if on_file and not holds and phrases.others_valid.search(low):
            return
        asked = [trouble for trouble in self.troubles if not trouble.obeyed or trouble.key == "named-in-passing"]
        asked = [trouble for trouble in asked if trouble.key not in LATER]  # what comes later says nothing of now
        gone = {slot_province(order.statement.slot) for order in self.heard} - ordered  # spoken of, but no more wanted
        spoken_of = self._spoken_of_before(line) - ordered
        if not (asked or self.taken_back or gone or spoken_of or (holds and on_file)):
            self.take(line, requests.HoldRestRequest())
            return
        known = (ordered if holds else ordered | on_file) | {*self.taken_back}  # "cancel Ankara, the others stay"
        known |= gone | spoken_of
        left = {unit.at.province for unit in self.context.position.units_of(self.context.power)} - known
        if not self._counts(line, len(left)):  # "the other two hold" leaves no doubt which
            for trouble in asked:
                named = self._named(clause_around(trouble))
                known |= named | set(map(province_of, units_suggested(trouble)))
                known |= self._may_go(trouble) - on_file
        units = self.context.position.units_of(self.context.power)
        self.let_hold(line, (unit for unit in units if unit.at.province not in known), self.context.power)

    def _of_powers(self, line: LetterLine) -> OrderWarning | None:
        """ "Germany and the others hold": the others are units of powers, where no unit of the writer's is named."""
        rest = phrases_of(self.context.variant).hold_rest.search(line.body.lower())
        start = sentence_start(line.body, rest.start()) if rest is not None else 0
        if rest is None or JOINED.search(line.body[start : rest.start()]) is None:
            return None
        tokens = self._tokens(line.body[start : rest.start()])
        powers = {token.value for token in tokens if token.type == "NATION"}
        own = {token.type for token in tokens} & {"PLACE", "KIND"}
        own |= powers & {self.context.power, *self.context.controlled}
        return OrderWarning(error_key("reported"), start, rest.end()) if powers and not own else None

    def _spoken_of_before(self, line: LetterLine) -> set[str]:
        """The provinces of units that the sentence of "the others" names before these words, or of which it says that
        only their goals count: "only the Channel counts, the others hold".
        """
        rest = phrases_of(self.context.variant).hold_rest.search(line.body.lower())
        if rest is None:
            return set()
        start = sentence_start(line.body, rest.start())
        named = self._named(line.body[start : rest.start()])
        units = {unit.at.province for unit in self.context.position.units_of(self.context.power)}
        before = line.body[start : rest.start()].lower()
        only = phrases_of(self.context.variant).exception.search(before) is not None
        aimed = {slot_province(order.slot) for order in self.memory.on_file if only and named & goals_of(order)}
        return (named & units) | aimed

    def _may_go(self, trouble: LineError) -> set[str]:
        """The provinces of units that can go where words that are not taken, and name none of them, say that something
        goes: "my northernmost unit goes to Sweden, everything else holds".
        """
        words = clause_around(trouble)
        tokens, own = self._tokens(words), {unit.at.province for unit in self.context.own_units}
        goals = {
            token.value.text for before, token in pairwise(tokens) if before.type in INTO and token.type == "PLACE"
        }
        sheet, units = self.sheet, self.context.own_units if goals and not own & self._named(words) else ()
        return {
            unit.at.province
            for unit in units
            if sheet and any(sheet.try_out(f"{unit_called(unit)} - {goal}", self.context) for goal in goals)
        }

    def _counts(self, line: LetterLine, number: int) -> bool:
        """Whether words for the other units of a line have this number."""
        counting = phrases_of(self.context.variant).hold_rest.search(line.body.lower())
        tokens = self.sheet.scanner.scan(counting.group()) if counting is not None and self.sheet is not None else ()
        return number > 1 and any(token.type == "NUMBER" and token.value == str(number) for token in tokens)

    def _is_replaced(self, province: str, words: WordsOfLine) -> bool:
        """Whether words of its line that are not taken may be the unit's new order."""
        others = {unit.at.province for unit in self.context.own_units}
        others = (others | {slot_province(order.slot) for order in self.context.on_file()}) - {province}
        for trouble in self.troubles:
            if trouble.obeyed or trouble.line != words.line.number or self.sheet is None:
                continue
            marked = clean(trouble.marked).text
            if phrases_of(self.context.variant).subject.match(marked.lower(), first_word(marked, 0)):
                return True  # "It supports …"
            tokens = self.sheet.scanner.scan(marked)
            places = [token.value.provinces for token in tokens if token.type == "PLACE"]
            if not places or not others & set(places[0]):
                return True
        return self._builds_in_passing(province, words)

    def _proposed_on(self, line: LetterLine) -> set[str]:
        """The provinces of units for which words of the line are proposed, "it does not go there, it supports …", or
        words that only name one unit: "Kill the Brest order.", "F Bre - ENG, perhaps?".
        """
        keys = (error_key(""), error_key("alternative"))
        doubted = (error_key("hedge"), error_key("question"))
        asked = (
            each
            for each in self.troubles
            if (each.key in keys and each.line == line.number)
            or (each.key in doubted and len(units_suggested(each)) == 1)
        )
        return {province_of(unit) for trouble in asked for unit in units_suggested(trouble)}

    def _builds_in_passing(self, province: str, words: WordsOfLine) -> bool:
        """Whether words of the same line, or of the next one, that are not taken name another kind of unit."""
        sheet, near = self.sheet, (words.line.number, words.line.number + 1)
        if sheet is None or not sheet.kind.lists_units:
            return False
        unread = (clean(span.text).text for span in self.spans if span.line in near and span.fate in UNSURE)
        scanned = (sheet.scanner.scan(text) for text in unread)
        old = [order for order in self.context.on_file() if slot_province(order.slot) == province]
        if any(isinstance(order, Disband) for order in old):  # "sink the Aegean fleet" says which
            scanned = (tokens for tokens in scanned if not any(token.type == "PLACE" for token in tokens))
        kinds = {
            token.value
            for tokens in scanned
            for token in tokens
            if token.type == "KIND" and token.end_pos - token.start_pos > 1
        }
        return bool(kinds - {order.unit.kind for order in old if isinstance(order, Build | Disband)})
