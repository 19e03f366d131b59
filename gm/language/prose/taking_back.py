"""Orders that a clause takes back, and clauses that are not taken."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from gm.judge.model.orders import Convoy, Hold, Slot, Statement, Support, slot_province
from gm.language.lines.letter_contents import lines_of
from gm.language.lines.spans import Fate
from gm.language.orders.parsing.order_context import OrderWarning
from gm.language.orders.parsing.order_or_talk import looks_like_an_order
from gm.language.prose.clauses import Sentence, first_word, introduces
from gm.language.prose.corrected_goals import without_denied_goals
from gm.language.prose.guess import own_units, province_of, unit_called, unit_of
from gm.language.prose.guesses.all_guesses import WHOLE_SENTENCES
from gm.language.prose.orders_meant import (
    displaced,
    doubted_by,
    is_about_others,
    names_the_only_one,
    note_doubt,
    order_denied,
    repeats_lines,
    slots_counted,
)
from gm.language.prose.phrases import option_off
from gm.language.prose.readings import ClauseReading, ReadOrders, is_same_act, together
from gm.language.prose.shared_acts import does_not_leave, kind_cancelled, unit_by_act
from gm.language.prose.stance import error_key
from gm.language.prose.stretches import StretchReader
from gm.language.prose.unknown_names import unknown_unit

UNWANTED = frozenset({"negated", "cancel", "fallback"})
"""Stances of orders that the writer does not want: they are not proposed."""
ANSWERED = frozenset({error_key("question"), error_key("alternative")})
"""Errors of words that an order behind them decides: "Vienna to Galicia? Or stay? Let it stay."."""
PLAIN_NO = frozenset({"no", "nein"})
"""Words of correction only before a mark."""
PLAIN_NOT = re.compile(r"no|not|nicht|kein(?:e|en|er)?")
"""What takes a build back beside its name alone: "not the fleet", but no "the fleet won't change"."""
MOST_LEADING = 3
"""Most words before those of a condition that makes an order before it doubtful: "but only if"."""
SHORT_REMARK = 3
"""Most words of a remark behind an order, which is about that order."""
BEHIND_ORDER = re.compile(r"\w\s*(?:,|\band|\bund|,\s*(?:and|und))\s*$", re.IGNORECASE)
SERVING = (Support, Convoy)
SENTENCE_END = re.compile(r"[.!?;]\s")
EXCEPTING = re.compile(r"\b(?:but|except|apart from|other than|save|ausser|bis auf|mit ausnahme)\b")
"""Anywhere behind "cancel everything": without "only" and "bar", which orders may hold as well."""


class TakingBackReader(StretchReader, frozen=True):
    def _refused(self, stance: str, text: str, start: int, end: int) -> ClauseReading:
        """A clause that is not taken; talk where it names nothing, and a name in passing where it orders nothing."""
        if not stance and repeats_lines(self, text, start, end):
            return ClauseReading(start, end, Fate.REASON)
        unwanted = stance in UNWANTED or (not stance and self._stays_negated(text, start, end))
        wanted = without_denied_goals(self, text, start, end)
        lines = () if unwanted else self.suggestions(wanted, start, end)
        lines = lines if stance == "alternative" else self.without_known(lines)
        names = self.names_something(text, start, end) or self.says_an_act(text, start, end)
        names = names or self.names_nearly(text, start, end)
        names = names or option_off(self.context.variant, text[start:end]) != ""
        names = names or looks_like_an_order(self.tokens(text, start, end), self.sheet.words)
        self._note_topic(text, start, end)
        if not lines and not stance and (error := unknown_unit(self, text, start, end)):
            self.memory.is_doubted = True
            return ClauseReading(start, end, Fate.NOT_TAKEN, error=error)
        takes_back = stance == "cancel" and bool(self.memory.statements or self.memory.on_file)
        if not lines and not names and not takes_back:  # "never mind" where there is nothing to take back
            return ClauseReading(start, end, Fate.TALK)
        in_passing = not lines and not self.is_order_like(text, start, end)
        note_doubt(self, text, start, end, in_passing=in_passing)
        key = "named-in-passing" if in_passing and stance != "fallback" else error_key(stance)
        first = first_word(text, start, end)
        past = first + len(text[first:end].rstrip(" .,;!"))
        error = OrderWarning(key, first, past, (), lines)
        return ClauseReading(
            start, end, Fate.NOT_TAKEN, error=error, withdrawn=doubted_by(self, text, start, end, lines)
        )

    def without_known(self, suggestions: Sequence[str]) -> tuple[str, ...]:
        """Without orders that stand already, in the letter or on file: words that change one name it as well."""
        on_file = self.lines(self.memory.on_file)
        there = {unit_of(line): line for line in on_file} | self.memory.orders
        known = {*there.values()} if self.sheet.kind.holds else {*on_file}
        fresh = ("\n".join(line for line in each.splitlines() if line not in known) for each in suggestions)
        left = tuple(filter(None, dict.fromkeys(fresh)))
        return left or (() if self.sheet.kind.holds else tuple(suggestions))

    def _order(self, start: int, end: int, orders: ReadOrders | None) -> ClauseReading:
        corrects, self.memory.corrects = self.memory.corrects, False
        cancels = orders.cancels if orders is not None else ()
        if cancels and not self.sheet.kind.holds:
            taken = tuple(order for order in self.memory.on_file if slot_province(order.slot) in cancels)
            self.memory.on_file = tuple(order for order in self.memory.on_file if order not in taken)
            self.memory.freed = next(iter(self.lines(taken)), "") if len(taken) == 1 else self.memory.freed
        gone = orders.withdrawn if orders is not None else ()
        gone += displaced(self, orders) if corrects and orders is not None else ()
        left = [order for order in self.memory.statements if order.slot not in gone]
        if len(left) < len(self.memory.statements) and orders is not None and not orders.statements:
            self.free(slot_province(gone[0]))
        self.memory.statements = left
        return ClauseReading(start, end, Fate.ORDER, orders, cancels=cancels, corrects=corrects, withdrawn=gone)

    def _note_topic(self, text: str, start: int, end: int) -> None:
        """ "We need Galicia back", "the boys in Tyrolia are homesick": what "it" is afterwards."""
        places = self.places_in(text, start, end)
        own = self.own_places(text[:end], start)
        if len(places) == 1 and len(places[0]) == 1 and not own:
            self.memory.topic = places[0][0]
        powers = {token.value for token in self.tokens(text, start, end) if token.type == "NATION"}
        if self.sheet.kind.numbers_in_front and any(minor.name in powers for minor in self.context.variant.minors):
            self.memory.freed = ""  # "no wait, the Portuguese then, they hold"
        if places:
            units = [unit_called(unit) for unit in own_units(self.context) if unit.at.province in own]
            self.memory.spoken_of = units[0] if len(units) == 1 else ""

    def _settled(self, text: str, readings: Sequence[ClauseReading]) -> tuple[ClauseReading, ...]:
        """Words of correction, or of what a unit does not do or others say of it, need no answer where its order stands
        behind them.
        """
        replaced: tuple[str, ...] = ()
        ordered: set[str] = set()
        corrects = False
        settled: list[ClauseReading] = []
        for at, reading in reversed(list(enumerate(readings))):
            key = reading.error.key if reading.error is not None else ""
            if key == error_key("cancel") and corrects and _is_replaced(readings[:at], replaced):
                reading = replace(reading, fate=Fate.COMMAND, error=None)
            elif self._is_answered(text, reading, key, replaced, ordered):
                reading = replace(reading, fate=Fate.COMMENT, error=None)
            elif reading.orders is not None or reading.error is not None:
                statements = reading.orders.statements if reading.orders is not None else ()
                replaced = tuple(slot_province(statement.slot) for statement in statements)
                ordered |= {*replaced} if reading.result is Fate.ORDER else set()
                corrects = reading.corrects and reading.result is Fate.ORDER
            elif reading.cancels and not reading.negates:
                replaced = reading.cancels
            settled.append(reading)
        return tuple(reversed(settled))

    def _is_answered(
        self, text: str, reading: ClauseReading, key: str, replaced: tuple[str, ...], ordered: set[str]
    ) -> bool:
        """Whether the orders behind say what the units do instead, of which a clause denies or reports something."""
        if key == error_key("negated"):
            units = {*self.units_meant(text, reading.start, reading.end)}
            return bool((units or {*unit_by_act(self, text, reading.start, reading.end)}) & {*replaced})
        units = self.own_places(text[: reading.end], reading.start)
        lines = lines_of(reading.error.suggestions if reading.error is not None else ())
        of_lines = {province_of(unit_of(line)) for line in lines}
        if key == error_key("reported"):
            return bool(of_lines or units) and (of_lines or units) <= ordered
        units = units or of_lines
        answered = key in ANSWERED or (key == error_key("") and self.sheet.kind.takes_preferences)
        return answered and bool(lines) and units <= ordered

    def _settles_doubt(self, text: str, sentence: Sentence, before: Sequence[ClauseReading]) -> bool:
        """Whether a sentence changes nothing, behind one that wonders: "or should Moscow stay? No, leave it"."""
        error = before[-1].error if before else None
        if error is None or error.key not in ANSWERED or self.places(text, sentence.start, sentence.end):
            return False
        words = text[sentence.start : sentence.end].lower().strip(" .,!;-")
        return self.phrases.keep_everything.fullmatch(words) is not None

    def _all_doubted(self, start: int, end: int, stance: str = "hedge") -> ClauseReading:
        """ "Don't enter these yet": the orders of the letter so far are proposed."""
        lines = together(tuple(self.memory.orders.values())) if self.memory.orders else ()
        error = OrderWarning(error_key(stance), start, end, (), lines)
        return ClauseReading(start, end, Fate.NOT_TAKEN, error=error, retracts=-1 if lines else 0)

    def _letter_doubted(self, start: int, end: int) -> ClauseReading:
        """ "These aren't my orders yet": neither those before nor those below count."""
        self.memory.section = "hedge"
        return self._all_doubted(start, end) if self.memory.orders else ClauseReading(start, end, Fate.TALK)

    def _retraction(self, match: re.Match[str], start: int, end: int) -> ClauseReading:
        again = self.memory.corrects
        self.memory.corrects, self.memory.freed = True, self.memory.unit
        if self.memory.answered:
            return self._answer_cancelled(start, end)
        if self.phrases.joke.search(match.group()):
            return self._all_doubted(start, end)
        if province := order_denied(self):  # "Don't invade Serbia, strike that"
            return ClauseReading(start, end, Fate.COMMAND, cancels=(province,))
        return ClauseReading(start, end, Fate.COMMAND, retracts=-1 if "above" in match.group() else int(not again))

    def _answer_cancelled(self, start: int, end: int) -> ClauseReading:
        """ "Cancel this one" below a quoted order."""
        place = province_of(self.memory.answered)
        return ClauseReading(start, end, Fate.COMMAND, cancels=(place,))

    def _counted_out(self, text: str, start: int, end: int) -> ClauseReading | None:
        """ "The last line is a joke": words that count out orders of the letter, which do not count."""
        low, begin = text[:end].lower(), first_word(text, start, end)
        undone = self.phrases.undone.search(low, begin)
        if undone is None:
            return None
        clause = max(begin, *(low.rfind(mark, begin, undone.start()) + 1 for mark in ",:-"))
        counted = () if self.places(text, start, clause) else slots_counted(self, low[clause : undone.end()])
        return self._withdrawn(counted, start, undone.end()) if counted else None

    def _withdrawn(self, slots: tuple[Slot, ...], start: int, end: int) -> ClauseReading:
        """These orders of the letter do not count; "it goes to Trieste instead" is about the only one."""
        self.memory.statements = [order for order in self.memory.statements if order.slot not in slots]
        if len(slots) == 1:
            self.free(slot_province(slots[0]))
        return ClauseReading(start, end, Fate.COMMAND, withdrawn=slots)

    def _stands(self, provinces: Sequence[str], orders: Sequence[Statement]) -> bool:
        """Whether the order named is the one on file or in the letter, where the words name an order and not a unit."""
        there = [order for order in self.memory.on_file if slot_province(order.slot) in provinces]
        if not orders or not there or set(self.lines(orders)) & set(self.memory.orders.values()):
            return True
        return any(is_same_act(order, named) for order in there for named in orders)

    def _called_off(self, words: str, start: int, end: int) -> ClauseReading:
        """ "A Vie - Boh: cancelled": the order before goes, and the one on file if it is the same."""
        if counted := slots_counted(self, words):
            return self._withdrawn(counted, start, end)
        if self.memory.answered:
            return self._answer_cancelled(start, end)
        lines = self.lines(self.memory.on_file)
        if self.memory.order in lines:
            order = self.memory.on_file[lines.index(self.memory.order)]
            return ClauseReading(start, end, Fate.COMMAND, cancels=(slot_province(order.slot),))
        error = OrderWarning(error_key("cancel"), 0, end)
        return ClauseReading(start, end, Fate.NOT_TAKEN, error=error, retracts=1)

    def _cancelled(self, text: str, start: int, begin: int, end: int) -> Iterator[ClauseReading]:
        """ "Cancel Vie-Gal", "forget Galicia", "scrap everything": the unit's order, or the one that goes there."""
        low = text[:end].lower()
        begin = first_word(low, begin)
        what = self.phrases.cancel_what.match(low, begin)
        rest = low[begin:end].strip(" .,!:;")
        if self.memory.answered and (
            not rest or self.phrases.it.fullmatch(rest) or self.phrases.this_one.fullmatch(rest)
        ):
            yield self._answer_cancelled(start, end)
        elif self.phrases.cancel_all.fullmatch(rest):
            yield self._all_cancelled(start, end, EXCEPTING.search(self.line.body.lower(), end))
        elif (every := self.phrases.cancel_all.match(low, begin)) and (but := EXCEPTING.match(low, every.end() + 1)):
            yield self._all_cancelled(start, end, but)
        elif names_the_only_one(self, text, begin, end):
            yield self._all_cancelled(start, end, None)
        elif province := order_denied(self, text, begin, end):  # "don't invade Serbia, strike that order"
            self.free(province)
            yield ClauseReading(start, end, Fate.COMMAND, cancels=(province,))
        elif left := self.left_behind(text, begin, end):
            self.note(left)
            yield self._order(start, end, left)
        elif orders := self._says_to_leave(text, start, begin, end):
            self.note(orders)
            yield ClauseReading(start, end, Fate.ORDER, orders)
        elif (
            (provinces := self.units_meant(text, what.end() if what else begin, end))
            and (self.own_places(text[:end], begin) <= set(provinces) or self.helps(text, begin, end))
            and self.is_bare(text, what.end() if what else begin, end)
            and self._stands(provinces, self.meant(text, begin, end))
        ):
            self.free(provinces[0])
            yield ClauseReading(start, end, Fate.COMMAND, cancels=provinces)
        elif counted := slots_counted(self, low[begin:end]):
            yield self._withdrawn(counted, start, end)
        elif several := kind_cancelled(self, text, start, what.end() if what else begin, end):
            yield ClauseReading(start, end, Fate.COMMAND, cancels=several)
        elif not self.places(text, begin, end) and self._is_conditional(text, start):
            yield ClauseReading(start, end, Fate.TALK)  # "If it fails, never mind"
        elif what is not None and is_about_others(self, text, what.end(), end):
            error = OrderWarning("named-in-passing", start, end)
            yield ClauseReading(start, end, Fate.NOT_TAKEN, error=error)
        elif self.memory.orders and not (self.places(text, begin, end) or self.names_own(text, begin, end)):
            yield self._all_doubted(start, end, "cancel")
        else:
            yield self._refused("cancel", text, start, end)

    def _says_to_leave(self, text: str, start: int, begin: int, end: int) -> ReadOrders | None:
        """ "Take the fleet in Brest out", "zieh die Armee nach Wien zurück": the order of a unit without one so far."""
        ordered = {slot_province(order.slot) for order in (*self.memory.on_file, *self.memory.statements)}
        if self.sheet.kind.holds or ordered & set(self.units_meant(text, begin, end)):
            return None
        orders = self.orders_in(text, start, end)
        return None if orders is None or orders.is_flawed else orders

    def _is_conditional(self, text: str, start: int) -> bool:
        """Whether the sentence begins with a condition before a clause."""
        before = SENTENCE_END.split(self.line.body[:start].lower())[-1]
        return self.phrases.condition_opens.match(before.lstrip()) is not None

    def _all_cancelled(self, start: int, end: int, exception: re.Match[str] | None, stop: int = 0) -> ClauseReading:
        """ "Cancel everything", "cancel all but Vienna", where words of their own end at `stop`."""
        if exception is None:
            self.memory.on_file = ()
            before = self.phrases.cancel_before.search(self.line.body[:end].lower(), start) is not None
            return ClauseReading(start, end, Fate.COMMAND, cancels_all=True, cancels_before=before)
        body = self.line.body
        mark = SENTENCE_END.search(body, exception.end())
        past = stop or (mark.start() if mark is not None else len(body))
        kept = self.own_places(body[:past], exception.end())
        there = dict.fromkeys(slot_province(order.slot) for order in self.memory.on_file)
        if self.memory.orders or not kept or not self.is_bare(body, exception.end(), past):
            return self._all_doubted(start, end, "cancel")
        return ClauseReading(start, end, Fate.COMMAND, cancels=tuple(code for code in there if code not in kept))

    def _meant_together(self, text: str, cut: Sequence[tuple[int, int]]) -> Iterator[str]:
        """The lines that clauses mean, each with what those before it speak of: "Vienna to Galicia, Budapest there"."""
        orders, statements = dict(self.memory.orders), list(self.memory.statements)
        scratch = replace(self, memory=replace(self.memory, orders=orders, statements=statements))
        for first, past in cut:
            meant = scratch.meant(text, first, past)
            yield from scratch.meant_lines(text, first, past)
            for line in scratch.lines(meant):
                scratch.memory.note(line)

    def _stays_negated(self, text: str, start: int, end: int) -> bool:
        return bool(self.phrases.negated.search(self.stance_words(text, start, end), start))

    def _governs(self, text: str, start: int, end: int) -> bool:
        """Whether words before the first name make a report of all that follows: "rumour has it that Vienna …"."""
        first = next((token.start_pos for token in self.tokens(text, start, end) if token.type == "PLACE"), end - start)
        match = self.phrases.governing.search(text[: start + first].lower(), start)
        if match is not None and text[match.end() : end].strip(" .,;:!"):
            return True
        return self._introduces(text, start, end) and self.names_own(text, start, end)

    def _introduces(self, text: str, start: int, end: int) -> bool:
        return self.sheet.kind.holds and introduces(text[start:end], self.tokens(text, start, end), self.phrases)

    # ---- words behind an order that make it doubtful

    def _tells_a_player(self, text: str, sentence: Sentence) -> bool:
        """Whether a sentence says what another player should do: so the line is a letter to them."""
        if self.phrases.player.search(text[: sentence.end].lower(), sentence.start) is None:
            return False
        words = self.masked(text[: sentence.end], sentence.start)
        addresses = not sentence.bracketed and self.phrases.player.search(words, sentence.start) is not None
        return addresses and self.places(text, sentence.start, sentence.end) > 0

    def _greets_a_player(self, text: str) -> bool:
        """Whether a line begins with a greeting to another power: "Dear Tsar, …"."""
        low = text.lower()
        greeting = self.phrases.addressed.match(low, first_word(text, 0))
        return greeting is not None and low[greeting.end() : greeting.end() + 1] in (",", "!", ":")

    def _doubts_before(self, text: str, sentence: Sentence, last: ClauseReading | None, *, goes_on: bool) -> bool:
        """Whether a sentence doubts the order before it: "…, but only if Austria has moved out", "Maybe.".

        `last` is that order, if it stands directly before; `goes_on`: without a mark in between.
        """
        start, end = sentence.start, sentence.end
        low = self.masked(text[:end], start)
        directly = last is not None and goes_on
        limits = self._leads(self.phrases.limits, low, start)
        if self.own_places(text[:end], start) - {self.memory.place}:
            return directly and limits and "," not in text[start:end]  # "but only when Budapest has gone"
        if limits and self.memory.order:
            return True
        if last is not None and "?" in sentence.mark and not self.places(text, start, end):
            return self._asks_about(text, sentence)
        if self.phrases.hedge.search(low, start):
            goes_on = goes_on and not self.names_own(text, start, end)
            return last is not None and (goes_on or len(low[start:].split()) <= SHORT_REMARK)
        doubting = (self.phrases.condition, self.phrases.alternative)
        apart = self.phrases.joints.match(low, first_word(low, start)) is not None  # "and if Russia attacks, …"
        return directly and not apart and any(self._leads(pattern, low, start) for pattern in doubting)

    def _asks_about(self, text: str, sentence: Sentence) -> bool:
        """Whether a question is about the order before it: "or is that illegal?", and "is it allowed?" behind a request
        that was a question itself.
        """
        low = text[: sentence.end].lower()
        begin = first_word(low, sentence.start)
        asked = "?" in text[max(0, sentence.start - 2) : sentence.start]
        about = dict(self.phrases.sections)["question"].fullmatch(f"{low[begin:]}?")
        return self.phrases.alternative.match(low, begin) is not None or (asked and about is not None)

    def _leads(self, pattern: re.Pattern[str], low: str, start: int) -> bool:
        match = pattern.search(low, start)
        if match is None or len(low[start : match.start()].split()) > MOST_LEADING:
            return False
        return not self.names_own(low, start, match.start())  # "the fleet holds only if …" is about the fleet

    def _without_corrected(
        self, text: str, sentence: Sentence, readings: tuple[ClauseReading, ...], last: ClauseReading | None,
        *, is_first: bool,
    ) -> tuple[ClauseReading, ...]:  # fmt: skip
        """Words of correction that are not understood: the order before them does not count either."""
        low = text[: sentence.end].lower()
        begin = first_word(low, sentence.start)
        corrects = low[begin : self._correction(low, begin)]
        above = is_first and self.memory.order and PLAIN_NO & set(re.findall(r"\w+", corrects))
        units = self.own_places(text[: sentence.end], sentence.start)
        before = {slot_province(order.slot) for order in last.orders.statements} if last and last.orders else units
        if units and not units & before:
            return readings  # words about another unit
        asked = next((at for at, reading in enumerate(readings) if reading.result is Fate.NOT_TAKEN), -1)
        taken = any(reading.result in (Fate.ORDER, Fate.COMMAND) for reading in readings)
        if taken or asked < 0 or not (above or (corrects and last is not None)):
            return readings
        unsure = replace(readings[asked], retracts=1)
        if unsure.error is not None and last is not None:
            unsure = replace(unsure, error=replace(unsure.error, start=last.start))
        return (*readings[:asked], unsure, *readings[asked + 1 :])

    def _correction(self, low: str, begin: int) -> int:
        """Where words of correction end that begin here; 0 where there are none. "No fleet in Brest" has none."""
        match = self.phrases.correction.match(low, begin)
        plain = self.sheet.kind.name in WHOLE_SENTENCES and match is not None and match.group().strip() in PLAIN_NO
        of_all = self.phrases.hold_all.match(low, begin)  # "no movements this spring", "not one unit stirs"
        forbids = match is not None and match.group().strip() in PLAIN_NO and self.phrases.cancel.match(low, begin)
        if match is None or forbids or (plain and re.match(r"\s*\w", low[match.end() :])):
            return 0  # "no invasion of Serbia"
        return match.end() if of_all is None or of_all.end() <= match.end() else 0

    def _negated(self, text: str, start: int, end: int) -> ClauseReading:
        """An order that is on file and is negated is taken back; any other negated order is quoted."""
        plain = text[:start] + self.phrases.negated.sub(lambda match: " " * len(match.group()), text[start:end].lower())
        negations = [match.group() for match in self.phrases.negated.finditer(text[:end].lower(), start)]
        if all(PLAIN_NOT.fullmatch(each) for each in negations) and (left := self.left_behind(plain, start, end)):
            self.note(left)
            return self._order(start, end, left)
        if held := does_not_leave(self, text, start, end):
            if self._stays_anyway(held, text, start, end):
                return ClauseReading(start, end, Fate.COMMENT)
            self.note(held)
            return self._order(start, end, held)
        read = self.orders_in(plain, start, end)
        orders = read.statements if read is not None else ()
        ordered = tuple(slot_province(order.slot) for order in orders)
        if orders and set(self.lines(orders)) <= set(self.memory.orders.values()):
            return ClauseReading(start, end, Fate.COMMAND, cancels=ordered, negates=True)
        aimed = [order for order in self.memory.on_file if any(is_same_act(order, negated) for negated in orders)]
        if orders and len(aimed) == len(orders):
            for province in ordered:
                self.free(province)
            return ClauseReading(start, end, Fate.COMMAND, cancels=ordered, negates=True)
        kinds = [token.type for token in self.tokens(plain, start, end)]
        meant = (
            ()
            if self.names_own(plain, start, end) and set(kinds) <= {"PLACE", "KIND"}
            else self.units_meant(plain, start, end) or unit_by_act(self, plain, start, end)
        )
        self.memory.freed, self.memory.denied = "", meant[0] if len(meant) == 1 else ""
        last = self.memory.place
        if (
            kinds in (["PLACE"], ["TO", "PLACE"])
            and BEHIND_ORDER.search(text[:start])
            and last
            and set(meant) <= ({last} if self.memory.unit in self.memory.orders else set())
        ):
            return ClauseReading(start, end, Fate.COMMENT)  # "goes to Rum, and not to the Black Sea"
        for province in meant if text[end : end + 1] != ":" else ():  # "do not order Vienna's army: Boh"
            self.free(province)
        if kinds == ["PLACE"] and self.memory.freed:  # "not Albania": the next clause says where instead
            return ClauseReading(start, end, Fate.COMMENT, negates=True)
        reading = self._refused("negated", text, start, end)
        keeps = self.phrases.cancel.search(text[:end].lower(), start) is not None  # "don't strike the order for Serbia"
        if (
            reading.fate is Fate.TALK and self.memory.denied and not keeps
        ):  # "don't invade Serbia", where an order on file goes
            error = OrderWarning(error_key("negated"), first_word(text, start, end), end)
            return ClauseReading(start, end, Fate.NOT_TAKEN, error=error)
        return reading

    def _stays_anyway(self, orders: ReadOrders, text: str, start: int, end: int) -> bool:
        """Whether words only say that units with another order do not move: "Belgium isn't going anywhere"."""
        last = {order.slot: order for order in (*self.memory.on_file, *self.memory.statements)}
        idle = all(isinstance(order, Hold) and isinstance(last.get(order.slot), SERVING) for order in orders.statements)
        return idle and self.phrases.negated.search(text[:end].lower(), start) is not None

    def struck(self, start: int, end: int) -> ClauseReading:
        """Words struck out take back the order on file that they repeat, if the letter has none for its unit."""
        orders = self.whole_orders(self.line.body, start + len("~~"), end - len("~~"))
        aimed = orders.statements if orders is not None else ()
        if not aimed or not set(aimed) <= set(self.memory.on_file):
            return ClauseReading(start, end, Fate.COMMENT)
        free = (order for order in aimed if unit_of(*self.lines((order,))) not in self.memory.orders)
        return ClauseReading(start, end, Fate.COMMAND, cancels=tuple(slot_province(order.slot) for order in free))

    def _doubled(self, text: str, sentence: Sentence) -> ClauseReading | None:
        """An order in brackets for a unit that has another one in this letter: either may be meant."""
        orders = self.whole_orders(text, sentence.start, sentence.end)
        lines = self.lines(orders.statements) if orders is not None else ()
        others = [self.memory.orders.get(unit_of(line), line) for line in lines]
        if all(line == other for line, other in zip(lines, others, strict=True)):
            return None
        error = OrderWarning(error_key("alternative"), sentence.start, sentence.end, (), (*others, *lines))
        return ClauseReading(sentence.start, sentence.past, Fate.NOT_TAKEN, error=error)


def _is_replaced(before: Sequence[ClauseReading], provinces: tuple[str, ...]) -> bool:
    """Whether the order before words of correction is of a unit that the orders behind them are for."""
    last = next((reading.orders.statements for reading in reversed(before) if reading.orders is not None), ())
    return not last or any(slot_province(order.slot) in provinces for order in last)
