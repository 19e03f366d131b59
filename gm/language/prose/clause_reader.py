"""Reads a clause by itself: it affirms an order, takes one back, or says what the other units do."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from msgspec.structs import replace

from gm.judge.model.orders import slot_province
from gm.judge.model.position import Unit
from gm.language.lines.spans import Fate
from gm.language.orders.parsing.lexer import HELPS
from gm.language.orders.parsing.order_context import OrderWarning
from gm.language.prose.all_units import REPORTS, AllUnitsReader
from gm.language.prose.clauses import SENTENCE_END, Sentence, blank, first_word, is_goal_behind
from gm.language.prose.corrections.corrected_goals import goal_or_unit, other_coast
from gm.language.prose.corrections.doubts import BARE_NO, PLAIN_NO, SHORT_REMARK
from gm.language.prose.corrections.orders_meant import past_old, slots_counted
from gm.language.prose.corrections.other_builds import gives_new, other_build
from gm.language.prose.corrections.other_goals import amount_behind, goal_instead, goal_traded, one_of_goals
from gm.language.prose.corrections.restoring import slots_restored
from gm.language.prose.corrections.taking_back import EXCEPTING
from gm.language.prose.memory import goals_of, province_of
from gm.language.prose.readings import ClauseReading
from gm.language.prose.shared_acts import does_not_leave, same_act, units_alone
from gm.language.prose.stance import error_key
from gm.language.prose.stretches import ACTS

AS = re.compile(r"as |wie ")
"""Before these a unit may do something else: "Trieste stays in port as ordered"."""
LONG_ARROW = re.compile(r"[=-]+>")
"""Between an old order and the new one: "Con - Bul -> Con H"."""
MOST_MARKS = 6
"""Words like "with" and arrows behind which the other order is sought."""
TO_A_PLACE = (["MINUS", "PLACE"], ["ARROW", "PLACE"], ["TO", "PLACE"])
WAS = frozenset({"was", "were", "war", "waren"})
UNDONE = frozenset({"no longer", "not", "nicht", "nicht mehr"})
NO_ALONE = re.compile(
    r"(?:(?:but|aber|actually|ach|oh|hm+|wait|hang on|halt|moment|on second thoughts?),? )*"
    r"(?:no|nah|nope|nein|nee|not(?: really)?|nicht|von wegen)"
)


class ClauseReader(AllUnitsReader, frozen=True):
    def _clause(self, text: str, start: int, end: int) -> Iterator[ClauseReading]:
        low, phrases = self.masked(text[:end], start), self.phrases
        begin = first_word(text, start, end)
        if match := phrases.retract.fullmatch(low[begin:end].strip(" .,!")):
            yield self._retraction(match, start, end)
        elif other := other_coast(self, low[begin:end]):
            self.memory.corrects = True
            self.note(other)
            yield self._order(start, end, other)
        elif (match := phrases.correction.match(low, begin)) and (
            not self._forbids(match, low) or self._denies(low[match.end() : end])
        ):
            yield from self._corrected(text, start, match.end(), end)
        elif match := (
            phrases.keep.search(low, begin)
            or self._keeps(text, begin, end)
            or phrases.keep.fullmatch(text[:end].rstrip(" .,!").lower(), begin)  # "Rest wie gehabt" names no Vienna
        ):
            yield from self._kept_orders(text, start, match, end)
        elif (match := self._alone(phrases.hold_rest, text, low, begin, end)) or (
            self._alone(phrases.others_alike, text, low, begin, end) and self.memory.last.endswith(" H")
        ):
            yield from self._rest_holds(text, start, match.end() if match else end, end, self._rest)
        elif (match := phrases.alike.search(low, begin)) and (same := same_act(self, text, start, end, match)):
            self.note(same)
            yield self._order(start, end, same)
        elif self.memory.on_file and (match := self._alone(phrases.keep_everything, text, low, begin, end)):
            yield ClauseReading(start, match.end(), Fate.COMMAND)
            yield from self._besides(text, match.end(), end)
        elif match := self._alone(phrases.hold_all, text, low, begin, end):
            yield from self._all_hold(text, start, match.end(), end)
        elif self._is_hold_of_wards(text, start, end):
            yield from self._all_hold(text, start, end, end)
        elif (but := self._all_but(low, begin, end)) and (excepted := self._holds_but(text, but.end(), end)):
            self.memory.all_hold = True
            yield ClauseReading(start, end, Fate.COMMAND, holds_all=True, excepted=excepted)
        elif exception := self._exception(text, start, end):
            yield exception
        elif match := phrases.exception.match(low, begin):
            yield from self._rest(text, match.end(), end)
        else:
            yield from self._taking_back(text, start, end)

    def _keeps(self, text: str, start: int, end: int) -> re.Match[str] | None:
        """Words that leave the orders of units as they are: "Vienna stays as it is", where it has an order on file."""
        units = self.own_places(text[:end], start)
        there = {slot_province(order.slot) for order in (*self.memory.on_file, *self.memory.statements)}
        if not units <= there:
            return None
        low = self.masked(text[:end], start)
        match = self.phrases.keep_unit.search(low, start)
        match = match or (self.phrases.keep_standing.search(low, start) if units else None)
        if match is None or self.phrases.negated.search(low[: match.start()], start):
            return None  # "Naples does not follow as planned"
        acts = {token.type for token in self.plain_tokens(text, start, match.start())} & ACTS
        helps = acts <= HELPS and self.places(text, start, match.start()) <= 1  # "Venice guards as before"
        return match if helps or not AS.match(match.group()) else None

    def _taking_back(self, text: str, start: int, end: int) -> Iterator[ClauseReading]:
        """A clause that takes orders back, corrects or negates them, or else affirms its own."""
        low, phrases = self.masked(text[:end], start), self.phrases
        begin = first_word(text, start, end)
        if (match := phrases.cancel.match(low, begin)) and (
            phrases.negated.search(low, match.end()) or amount_behind(self, end)
        ):
            yield self._refused("cancel", text, start, end)
        elif match := phrases.cancel.match(low, begin):
            yield from self._cancelled(text, start, match.end(), end)
        elif phrases.cancelled.fullmatch(low[begin:].strip(" .,!")) or (
            phrases.cancelled.search(low, begin) and slots_counted(self, low[begin:end])
        ):
            yield self._called_off(start, end)
        elif (match := phrases.cancelled.search(low, begin)) and phrases.cancel_all.fullmatch(
            low[begin : match.start()].strip(" .,!:")
        ):
            yield self._all_cancelled(start, end, EXCEPTING.search(self.line.body.lower(), match.end()))
        elif (match := phrases.cancelled.search(low, begin)) and (but := self._all_but(low, begin, match.start())):
            yield self._all_cancelled(start, end, but, match.start())  # "everything but Berlin is void"
        elif (match := phrases.cancelled.search(low, begin)) and (
            left := self.left_behind(blank(text, *match.span()), start, end)
        ):
            self.note(left)
            yield self._order(start, end, left)
        elif (match := phrases.cancelled.search(low, begin)) and self._names_order(text, begin, match.start(), end):
            what = phrases.cancel_what.match(low, begin)
            bare = self.is_bare(text, what.end() if what else start, match.start())
            if phrases.negated.search(blank(low, *match.span()), begin) or not bare:
                yield self._refused("cancel", text, start, end)
                return
            yield from self._cancelled(blank(text, *match.span()), start, begin, end)
        elif gone := self._mistaken(text, start, end) or self._no_goal(text, start, begin, end):
            yield gone
        elif supported := self._support_to(text, start, end):
            yield supported
        elif match := phrases.fallback.search(low, begin):
            yield from self._rest(text, start, match.start())
            yield self._refused("fallback", text, match.start(), end)
        elif match := self._before_new(text, start, begin, end):
            yield from self._becomes(text, start, match, end)
        elif traded := goal_traded(self, text, begin, end):
            self.note(traded)
            yield self._order(start, end, traded)
        elif other := other_build(self, text, begin, end):
            self.note(other.left)
            yield self._order(start, other.word.end(), other.left)
            yield from self._rest(text, other.word.end(), other.end)
        elif match := phrases.intended.match(low, begin):
            yield self._intended(text, start, match.end(), end)
        elif match := phrases.old.search(self.stance_words(text, start, end), begin):
            yield from self._replaced(text, start, match, end)
        elif match := self._at_end(phrases.instead, text, low, begin, end):
            yield self._instead(text, start, match.start(), end)
        elif phrases.negated.search(low, begin) and self._stays_negated(text, start, end):
            yield self._negated(text, start, end)
        else:
            yield self._affirmed(text, start, end)

    def _before_new(self, text: str, start: int, begin: int, end: int) -> re.Match[str] | None:
        """The word between an order and the other one of the same unit: "replace Con - Bul with Con H", "F Bre - ENG
        becomes F Bre - Gas".
        """
        verb = self.phrases.trading.match(text[:end].lower(), begin)
        marks = self.phrases.traded_for if verb is not None else LONG_ARROW
        first = verb.end() if verb is not None else start
        for match in islice(marks.finditer(text[:end].lower(), first), MOST_MARKS):
            old = self.meant(text, first, match.start())
            new = self.whole_orders(text, match.end(), end) if old else None
            if new and not new.is_flawed and {order.slot for order in old} == {order.slot for order in new.statements}:
                return match
        becomes = self.phrases.becomes.search(text[:end].lower(), begin)
        return becomes if becomes is not None and self.meant(text, start, becomes.start()) else None

    def _becomes(self, text: str, start: int, match: re.Match[str], end: int) -> Iterator[ClauseReading]:
        """ "F Bre - ENG becomes F Bre - Gas"."""
        self.free(next(iter(self.units_meant(text, start, match.start())), ""))
        self.memory.corrects = True
        yield ClauseReading(start, match.end(), Fate.COMMENT)
        yield from self._rest(text, match.end(), end)

    def _intended(self, text: str, start: int, past: int, end: int) -> ClauseReading:
        """ "I was going to hold in Vienna": what the unit does instead may follow."""
        reading = self._refused("reported", text, start, end)
        units = {*self.units_meant(text, past, end)} or self.own_places(text[:past], start)
        units = units or self._of_kinds(text, start, end)
        self.free(units.pop() if len(units) == 1 else "")
        return reading

    def _at_end(self, pattern: re.Pattern[str], text: str, low: str, begin: int, end: int) -> re.Match[str] | None:
        """Words at the end of a clause that names no unit of the writer's."""
        match = pattern.search(low, begin)
        at_end = match is not None and not low[match.end() : end].strip(" .,!") and not self.names_own(text, begin, end)
        return match if at_end else None

    def _instead(self, text: str, start: int, at: int, end: int) -> ClauseReading:
        """ "A Bud - Ser. Rumania instead": the unit before goes there."""
        if self.memory.order or self.memory.freed:
            self.memory.corrects, self.memory.freed = True, self.memory.freed or self.memory.unit
            reading = self._affirmed(text, start, at)
            return reading if reading.fate is Fate.ORDER else one_of_goals(self, text, start, at) or reading
        if not self.sheet.kind.holds:
            return self._affirmed(text, start, at)
        if not self.names_something(text, start, end):
            return ClauseReading(start, end, Fate.TALK)
        error = OrderWarning("named-in-passing", first_word(text, start, end), end)
        return ClauseReading(start, end, Fate.NOT_TAKEN, error=error)

    def _forbids(self, correction: re.Match[str], low: str) -> bool:
        return correction.group().strip(" ,.!:") in PLAIN_NO and BARE_NO.match(low, correction.start()) is not None

    def _kept_orders(self, text: str, start: int, match: re.Match[str], end: int) -> Iterator[ClauseReading]:
        """Words that something stays as it was; an order before them has a fate of its own."""
        kept = self.own_places(text[: match.end()], start) | {*self.units_meant(text, start, match.end())}
        if self.places(text, start, match.start()) > len(kept):
            yield self._refused("", text, start, end)
            return
        self.memory.unchanged |= kept
        gone = slots_restored(self, text, start, match.span())
        if self.phrases.others_alike.fullmatch(text[match.end() : end].strip(" .,!").lower()):
            yield ClauseReading(start, end, Fate.COMMAND, withdrawn=gone)  # "don't touch the others"
            return
        rest = self._stand_without_orders(text, start, end)
        yield ClauseReading(start, match.end(), Fate.COMMAND, holds_rest=rest, withdrawn=gone)
        yield from self._besides(text, match.end(), end)

    def _corrected(self, text: str, start: int, past: int, end: int) -> Iterator[ClauseReading]:
        """ "Vienna to Galicia, no, to Tyrolia"; with nothing behind it, the order before is in doubt."""
        rest = text[past:end].strip(" .,!?")
        if not rest and self.phrases.apology.fullmatch(text[start:past].strip(" .,!?").lower()):
            if not self._pauses(first_word(text, start), past):  # "Ankara to Con, sorry, Ankara to Black Sea"
                self.memory.corrects, self.memory.freed = bool(self.memory.order), self.memory.freed or self.memory.unit
            yield ClauseReading(start, end, Fate.TALK)
            return
        if taken_back := self.phrases.retract.fullmatch(rest.lower()):  # "no wait, cancel that"
            yield self._retraction(taken_back, start, end)
            return
        if not rest or self._denies(rest) or self.phrases.second_thoughts.fullmatch(rest.lower()):
            line = self.memory.order
            again = self.memory.corrects  # "no, wait, rubbish": one order goes
            self.memory.corrects, self.memory.freed = True, self.memory.unit
            if not line and not rest:  # "change of plan:"
                yield ClauseReading(start, end, Fate.TALK)
                return
            error = OrderWarning(error_key("cancel"), 0, end, (), ())
            yield ClauseReading(start, end, Fate.NOT_TAKEN, error=error, retracts=int(bool(line) and not again))
            return
        spoken_of = self.memory.spoken_of  # "Venice goes, hmm, to Piedmont"
        self.memory.corrects, self.memory.freed = True, self.memory.freed or spoken_of or self.memory.unit
        if meant := goal_or_unit(self, text, past, end):
            yield self._meant_by_place(meant, text, start, end)
            return
        named = self.own_places(text[:end], past) or {province_of(self.memory.freed)}
        doubted = tuple(order.slot for order in self.memory.statements if slot_province(order.slot) in named)
        for reading in self._rest(blank(text, start, past), start, end):
            first = text.index(rest, past)
            if (
                reading.fate is Fate.TALK
                and doubted
                and (self.begins_with_act(text, first, end) or any(self.near(text, first, end)))
            ):  # "no, to the moon"; "no, Triest"
                self.memory.corrects = False
                error = OrderWarning(error_key("cancel"), first_word(text, start, end), end)
                reading = replace(reading, fate=Fate.NOT_TAKEN, error=error)
            yield replace(reading, withdrawn=doubted) if reading.fate is Fate.NOT_TAKEN else reading

    def _meant_by_place(self, lines: Sequence[str], text: str, start: int, end: int) -> ClauseReading:
        """An order behind words of correction, which is asked about where it may be another unit's."""
        if len(lines) > 1:
            error = OrderWarning(error_key("alternative"), first_word(text, start, end), end, (), tuple(lines))
            return ClauseReading(start, end, Fate.NOT_TAKEN, error=error, retracts=1)
        orders = self.orders_of(lines, text, start, end)
        self.note(orders)
        return self._order(start, end, orders)

    def _support_to(self, text: str, start: int, end: int) -> ClauseReading | None:
        """ "A Vie S A Bud - Tri (sorry, - Gal)": the support before, to the goal behind words of correction."""
        if not self.memory.corrects:
            return None
        goal = [token for token in self.plain_tokens(text, start, end) if token.type != "SEP"]
        if [token.type for token in goal] not in TO_A_PLACE:
            return None
        before = self.tokens(self.line.body, 0, start)
        first = max(
            (at + 1 for at, token in enumerate(before) if token.type == "SEP" and at + 2 < len(before)), default=0
        )
        types = [token.type for token in before[first:]]
        places = [token for token in before[first:] if token.type == "PLACE"]
        if "SUPPORT" not in types or len(places) != 3:
            return None
        line = f"{self.line.body[before[first].start_pos : places[-1].start_pos]}{goal[-1].value.text}"
        if not (lines := self.legal(line)):
            return None
        orders = self.orders_of(lines, text, start, end)
        self.note(orders)
        return self._order(start, end, orders)

    def _besides(self, text: str, at: int, end: int) -> Iterator[ClauseReading]:
        """What stands behind words that orders stay. The order of a unit that they except stands in the words behind:
        "everything stays except Vienna, which goes to Bohemia".
        """
        past = self._past_exception(text, at, end)
        units = self.own_places(text[:end], past)
        alone = {token.type for token in self.plain_tokens(text, past, end)} <= {"KIND", "PLACE"}
        if past > at and alone and len(units) == self.places(text, past, end) == 1:
            self.free(units.pop())
            error = OrderWarning(error_key("negated"), first_word(text, past, end), end)
            yield ClauseReading(at, end, Fate.NOT_TAKEN, error=error)
            return
        yield from self._rest(text, past, end)

    def _is_no(self, text: str, sentence: Sentence) -> bool:
        """Whether it is "no" alone: it takes the order before back, but no report ("I was going to …, but no")."""
        return NO_ALONE.fullmatch(text[sentence.start : sentence.end].lower().strip(" .,!~-")) is not None

    def _denies(self, words: str) -> bool:
        """Whether words behind those of correction only deny the order before: "it doesn't"."""
        low = words.lower().strip(" .,!")
        named = self.phrases.subject.match(low)
        low = low[named.end() :].lstrip() if named else low
        return self.phrases.negated.match(low) is not None and (named is None or len(low.split()) <= SHORT_REMARK)

    def _depends(self, text: str, start: int, end: int) -> bool:
        """Whether a clause says what the words before its comma are about, which do not want it: "Ich weigere mich,
        Moskau in die Ukraine zu ziehen".
        """
        low = text[:end].rstrip(" .,!").lower()
        if text[:start].rstrip()[-1:] != "," or self.phrases.infinitive.search(low, start) is None:
            return False
        head = SENTENCE_END.split(low[:start])[-1]
        return self.phrases.intending.search(head) is None or self.phrases.negated.search(head) is not None

    def _affirmed(self, text: str, start: int, end: int) -> ClauseReading:
        if self._depends(text, start, end):
            return self._refused("", text, start, end)
        whole = self.whole_orders(text, start, end)
        if whole is None or whole.is_flawed:  # "London is shipped over the Channel to Picardy"
            whole = self.guessed_orders(text, start, end) or whole
        if whole is None:
            return self._refused("", text, start, end)
        if self._stays_anyway(whole, text, start, end):
            return ClauseReading(start, end, Fate.COMMENT)
        self.note(whole)
        return self._order(start, end, whole)

    # ---- orders taken back

    def _replaced(self, text: str, start: int, match: re.Match[str], end: int) -> Iterator[ClauseReading]:
        """ "A Vie - Tyr instead of A Vie - Boh", "not Albania but …": what stands behind the words is the old order."""
        if match.group().strip(" ,") in REPORTS and not self.names_something(text, match.end(), end):
            yield self._refused("reported", text, start, end)
            return
        was = match.group().strip(" ,") in WAS and self.sheet.kind.lists_units
        if was and not self.places(text, start, end):  # "Remove the Baltic fleet. It was a good fleet."
            if self.phrases.other_of_two.search(text[:end].lower(), start):  # "It was the other army."
                yield self._refused("", text, start, end)
            else:
                yield ClauseReading(start, end, Fate.TALK)
            return
        undone = match.group().strip(" ,") in UNDONE
        helps = {token.type for token in self.plain_tokens(text, match.end(), end)}
        only_helps = bool(helps) and helps <= HELPS  # "the Aegean does not support it"
        if undone and (only_helps or does_not_leave(self, text, start, end)):  # "Trieste is not to leave harbour"
            yield self._negated(text, start, end)
            return
        if undone and (left := self.left_behind(blank(text, *match.span()), start, end)):
            self.note(left)
            yield self._order(start, end, left)
            return
        if goal := goal_instead(self, text, start, match.span(), end):
            self.note(goal)
            yield self._order(start, end, goal)
            return
        units = units_alone(self, text, start, match.start())
        fresh = len(units) == 1 and not self.own_places(text[:end], match.end())
        if fresh and units[0].unit is not None and not (undone and self._goes_there(units[0].unit, text[:end], match)):
            past = past_old(self, text, match.end(), end)
            self.free(units[0].unit.at.province)  # "A Vie: was Gal, now Boh"
            yield ClauseReading(start, past, Fate.COMMENT)
            yield from self._rest(text, past, end)
            return
        if undone and not self.meant(text, start, match.start()):
            yield self._negated(text, start, end)
            return
        if undone and self.orders_in(blank(text, *match.span()), start, end):  # "Venedig greift Triest nicht an"
            yield self._negated(text, start, end)
            return
        if undone and not self.places(text, match.end(), end):  # "Vienna to Galicia is not an option"
            yield self._refused("negated", text, start, end)
            return
        whole = self.whole_orders(text, start, match.start()) if match.start() > start else None
        is_order = whole is not None and not whole.is_flawed  # "F Mar rather than A Par"
        builds = self.sheet.kind.lists_units and self.places(text, match.end(), end) > 0
        place = builds and self.places(text, start, match.start()) > 0  # "make it Marseilles instead of Paris"
        if match.start() > start and (is_order or place or self.names_something(text, start, match.start())):
            old_unit = self.units_meant(text, match.end(), end)
            if old_unit and not self.own_places(text[: match.start()], start):  # "Edinburgh instead of London"
                self.free(old_unit[0])
            new = tuple(self._rest(text, start, match.start()))
            yield from new
            yield self._old_behind(text, start, match, end, new)
            return
        yield from self._old_first(text, start, match, end)

    def _old_behind(
        self, text: str, start: int, match: re.Match[str], end: int, new: Sequence[ClauseReading]
    ) -> ClauseReading:
        """What stands behind "instead of", where `new` stands before it."""
        old = self.meant(text, match.end(), end)
        named = {slot_province(old[0].slot)} if len(old) == 1 else self.own_places(text[:end], match.end())
        if not gives_new(self, new):  # "make it a surprise instead of Paris"
            return self._refused("", text, match.end(), end)
        beyond = named - self.own_places(text[: match.start()], start)
        if beyond and self.sheet.kind.holds:  # "A Bud - Ser instead of hold - F Tri - Alb": more than the old order
            return self._refused("", text, match.end(), end)
        taken_back = (reading for reading in new if reading.cancels or reading.withdrawn)
        if any(reading.orders is None or not reading.orders.statements for reading in taken_back):
            return ClauseReading(match.start(), end, Fate.COMMENT)  # "I waive London rather than Liverpool"
        return self._old_order(text, match.start(), match.end(), end)

    def _old_first(self, text: str, start: int, match: re.Match[str], end: int) -> Iterator[ClauseReading]:
        """ "Instead of going to Galicia Vienna goes to Bohemia", "instead of Galicia: Bohemia"."""
        colon = text.find(":", match.end(), end)
        goal_behind = is_goal_behind(match.end(), colon, colon + 1, end, self.scan(text))  # "… to order Vienna: Gal"
        within = goal_behind and self.names_own(text, match.end(), colon)
        past = colon if colon > 0 and not within else past_old(self, text, match.end(), end)
        if provinces := self.units_meant(text, match.end(), colon if colon > 0 else past):
            self.free(provinces[0])
        yield self._old_order(text, start, match.end(), past)
        yield from self._rest(text, past + (text[past : past + 1] == ":"), end)

    def _before_old(self, text: str, start: int, end: int) -> int:
        """Where words about an old order begin: "sail for the North Sea in place of the Channel"."""
        old = self.phrases.old.search(self.masked(text[:end], start), start)
        return old.start() if old is not None else end

    def _old_order(self, text: str, start: int, named: int, end: int) -> ClauseReading:
        """What stands behind "instead of", from the column `named` on: a build comes off the sheet; the order of a unit
        needs no word, as a new one replaces it.
        """
        left = self.left_behind(text, named, end) if self.sheet.kind.lists_units else None
        fresh = {slot_province(order.slot) for order in self.memory.statements}
        left = None if left is not None and fresh.intersection(left.cancels) else left  # "an army instead of the fleet"
        return self._order(start, end, left) if left is not None else ClauseReading(start, end, Fate.COMMENT)

    def _goes_there(self, unit: Unit, text: str, match: re.Match[str]) -> bool:
        """Whether the unit's order, on file or in the letter, goes to a place behind these words."""
        given = (*self.memory.on_file, *self.memory.statements)
        orders = [order for order in given if slot_province(order.slot) == unit.at.province]
        named = {code for provinces in self.places_in(text, match.end(), len(text)) for code in provinces}
        return any(goals_of(order) & named for order in orders)

    def _takes_back(self, low: str, begin: int) -> bool:
        """ "(cancelled)", "(not really)": which order of the line it is about is not said."""
        phrases = self.phrases
        words = low[begin:].strip(" .,!")
        if phrases.remark.fullmatch(words):
            return False
        if phrases.cancelled.fullmatch(words) or phrases.retract.fullmatch(words) or NO_ALONE.fullmatch(words):
            return True
        return bool(phrases.negated.match(low, begin)) and len(words.split()) <= SHORT_REMARK

    def _all_hold(self, text: str, start: int, at: int, end: int) -> Iterator[ClauseReading]:
        """ "All hold but Vienna", "all hold except the fleet, which …": all, where no exception is unclear."""
        if those := self._those_named(text, start, at):
            yield self._order(start, end, self.orders_of(those, text, start, end))
            return
        if not self._counts_all(text, start, at):  # "all three hold", of six
            error = OrderWarning(error_key(""), first_word(text, start, end), end)
            yield ClauseReading(start, end, Fate.NOT_TAKEN, error=error)
            return
        past = self._past_exception(text, at, end)
        excepted = (*self._excepted(past, by_name=past > at), *self._excepted_before(text, start))
        excepted = tuple(dict.fromkeys(excepted))
        if past > at and not excepted:
            yield self._refused("hedge", text, start, end)
            return
        self.memory.all_hold = True
        if included := self._included(text, at, end):
            yield ClauseReading(start, end, Fate.COMMAND, holds_all=True, included=included)
            return
        corrects, self.memory.corrects = self.memory.corrects, False
        yield ClauseReading(start, at, Fate.COMMAND, holds_all=True, excepted=excepted, corrects=corrects)
        alone = {token.type for token in self.plain_tokens(text, past, end)}
        named = self.own_places(text[:end], past) or {*excepted}
        bare = alone <= {"KIND", "PLACE"} and self.places(text, past, end) < 2
        if past > at and len(named) == 1 and named <= {*excepted} and bare:
            self.free(named.pop())
            yield ClauseReading(at, end, Fate.COMMENT)
        else:
            yield from self._rest(text, past, end)

    def _rest(self, text: str, start: int, end: int) -> Iterator[ClauseReading]:
        if text[start:end].strip(" .,!"):
            yield from self._clause(text, start, end)
