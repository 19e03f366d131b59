"""Orders that words around them leave in doubt, that are told to another player, or whose doubt is settled."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec.structs import replace

from gm.judge.model.orders import Statement, slot_province
from gm.language.lines.letter_contents import lines_of
from gm.language.lines.spans import Fate
from gm.language.lines.trouble_keys import QUESTION
from gm.language.orders.orders_in_one_place import slots_spared
from gm.language.orders.parsing.order_context import OrderWarning
from gm.language.orders.parsing.order_or_talk import looks_like_an_order
from gm.language.prose.clauses import Sentence, blank, first_word, introduces, sentence_past
from gm.language.prose.corrections.corrected_goals import goal_or_unit, without_denied_goals
from gm.language.prose.corrections.orders_meant import (
    displaced,
    doubted_by,
    note_doubt,
    repeats_lines,
)
from gm.language.prose.corrections.promises import promises_in
from gm.language.prose.guesses.all_guesses import WHOLE_SENTENCES
from gm.language.prose.guesses.guess import REFUSED
from gm.language.prose.memory import CODES, province_of, unit_of
from gm.language.prose.mentions import mentions_of, unit_called
from gm.language.prose.phrases.prose_phrases import option_off
from gm.language.prose.proposals.unknown_names import unknown_unit
from gm.language.prose.readings import ClauseReading, ReadOrders, is_same_act, together
from gm.language.prose.shared_acts import unit_by_act
from gm.language.prose.stance import error_key
from gm.language.prose.stretches import SHORT, SPOKEN, StretchReader

UNWANTED = frozenset({"negated", "cancel", "fallback"})
"""Stances of orders that the writer does not want: they are not proposed."""
ANSWERED = frozenset({QUESTION, error_key("alternative")})
"""Errors of words that an order behind them decides: "Vienna to Galicia? Or stay? Let it stay."."""
BARE_NO = re.compile(
    r"(?:(?:doch|also|dann|so|then|actually|please|bitte|on second thoughts?|after all),? +)*"
    r"(?:(?<!- )no|no(?! +(?:to|into) [a-z]+ *(?:[.,;!]|$))|kein) +(?=\w)"
)
"""Before a unit it forbids, and before a goal; with a comma behind it, or between a dash and "to", it corrects. Several
blanks stand behind one that is read for longer words, "I don't want".
"""
MARK = re.compile(r"[,;:.!?-]")
IDLE_NO = re.compile(r"(?:^|(?<=[.,;!?]))\s*(?P<no>(?P<and>(?:and|und|but|aber) )?(?:no+|nope|nein|nee)\s*,)")
CLAUSE_END = re.compile(r"[,;:]| but | aber ")
LEADING_DASH = re.compile(r"\s*-+\s+")
PLAIN_NO = frozenset({"no", "nein"})
"""Words of correction only before a mark."""
MOST_LEADING = 3
"""Most words before those of a condition that makes an order before it doubtful: "but only if"."""
SHORT_REMARK = 3
"""Most words of a remark behind an order, which is about that order."""


class DoubtReader(StretchReader, frozen=True):
    def _without_idle_no(self, text: str, sentence: Sentence) -> str:
        """Without "no" before words that deny something of other units than the orders before, and say nothing else:
        "New army in Moscow. And no, no fleet in Sevastopol, whatever the Sultan says".
        """
        if self._is_no_to_another(text, sentence):
            self.memory.corrects = True
            return blank(text, sentence.start, sentence.end)
        low, end = text.lower(), sentence.end
        for match in IDLE_NO.finditer(low, sentence.start, end):
            clause_end = next((mark.start() for mark in CLAUSE_END.finditer(low, match.end(), end)), end)
            named = {code for each in self.places_in(text, match.end(), clause_end) for code in each}
            before = self.places_in(text, sentence.start, match.start())
            ordered = {code for each in before for code in each} or {*CODES.findall(self.memory.order)}
            own = match.group("and") or self.sheet.kind.lists_units or self.own_places(text[:clause_end], match.end())
            behind = {token.type for token in self.tokens(text, clause_end, end)}
            other = bool(named and ordered and own) and named.isdisjoint(ordered)
            if other and not behind & {"PLACE", "KIND"} and self._is_denied(text, match.end(), clause_end):
                return blank(text, *match.span("no"))
        return text

    def _is_no_to_another(self, text: str, sentence: Sentence) -> bool:
        """Whether words of correction alone are about the order that the next sentence replaces, and not about the last
        one: "Smyrna to Constantinople, Ankara to the Black Sea. Wait, no. Smyrna to Armenia.".
        """
        words = text[sentence.start : sentence.end].lower().strip(" .,!~-")
        match = self.phrases.correction.match(f"{words},")
        if not words or match is None or match.end() < len(words):
            return False
        end = sentence_past(text, first_word(text, sentence.past))
        named = mentions_of(self.tokens(text, sentence.past, end), self.context)[:1]
        unit = next((each.unit for each in named), None)
        ordered = {slot_province(order.slot) for order in self.memory.statements}
        if unit is None or unit.at.province not in ordered or unit.at.province == self.memory.place:
            return False
        read = self.orders_in(text, sentence.past, end)
        return read is not None and not read.is_flawed

    def _is_denied(self, text: str, start: int, end: int) -> bool:
        words = self.stance_words(text, start, end)
        return self.phrases.negated.search(words, start) is not None or any(
            token.type in ("NO", "NONE") for token in self.tokens(text, start, end)
        )

    def _says_whose(self, text: str, start: int, end: int) -> bool:
        """ "Sweden is Russian": a place, and the power that has it."""
        types = [token.type for token in self.plain_tokens(text, start, end)]
        return types == ["PLACE", "NATION"]

    def _refused(self, stance: str, text: str, start: int, end: int) -> ClauseReading:
        """A clause that is not taken; talk where it names nothing, and a name in passing where it orders nothing."""
        if not stance and repeats_lines(self, text, start, end):
            return ClauseReading(start, end, Fate.REASON)
        unwanted = stance in UNWANTED or (not stance and self._stays_negated(text, start, end))
        wanted = without_denied_goals(self, text, start, end)
        lines = () if unwanted or self._says_whose(text, start, end) else self.suggestions(wanted, start, end)
        lines = lines if stance == "alternative" else self.without_known(lines)
        names = self.names_something(text, start, end) or self._says_an_act(text, start, end)
        names = names or self.names_nearly(text, start, end)
        other = self.phrases.other_of_two.match(text[:end].lower(), first_word(text, start, end))
        names = names or (other is not None and self.places(text, start, end) > 0)  # "the other one for Bothnia"
        names = names or option_off(self.context.variant, text[start:end]) != ""
        names = names or looks_like_an_order(self.tokens(text, start, end), self.sheet.words)
        self._note_topic(text, start, end)
        if not lines and not stance and (error := unknown_unit(self, text, start, end)):
            self.memory.is_doubted = True
            return ClauseReading(start, end, Fate.NOT_TAKEN, error=error)
        takes_back = stance == "cancel" and bool(self.memory.statements or self.memory.on_file)
        if not lines and not names and not takes_back:  # "never mind" where there is nothing to take back
            return ClauseReading(start, end, Fate.TALK)
        if self.sheet.kind.numbers_in_front and self.is_staked(text[start:end]):
            self.memory.order = self.memory.unit = self.memory.goal = ""  # a correction behind it is about the points
        ordering = self.is_order_like(text, start, end) or self.is_listing(text, start, end)
        in_passing = not (lines or ordering or self._wants_units(text, start, end))
        note_doubt(self, text, start, end, in_passing=in_passing)
        key = "named-in-passing" if in_passing and stance != "fallback" else error_key(stance)
        key = error_key("") if stance == "alternative" and len(lines) == 1 else key  # one possibility is no choice
        first = first_word(text, start, end)
        past = first + len(text[first:end].rstrip(" .,;!"))
        error = OrderWarning(key, first, past, (), lines)
        return ClauseReading(
            start, end, Fate.NOT_TAKEN, error=error, withdrawn=doubted_by(self, text, start, end, lines)
        )

    def _wants_units(self, text: str, start: int, end: int) -> bool:
        """Whether it wants new units of a kind, and more places are free than there are units: "only armies"."""
        return self.sheet.kind.lists_units and self.guess(text, start, end) == REFUSED

    def _says_an_act(self, text: str, start: int, end: int) -> bool:
        """Whether a short clause beside orders has a word of order and no name: "the southern one stays"."""
        kinds = {token.type for token in self.tokens(text, start, end)}
        words = text[start:end].split()
        beside = bool(self.memory.orders or self.memory.kept) or self.memory.is_doubted
        return beside and bool(kinds & SPOKEN) and len(words) <= SHORT and len("".join(words)) > 1

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
            on_file, tokens = self.memory.on_file, self.tokens(self.line.body, start, end)
            words = self.line.body[start:end]
            spared = {slot for code in cancels for slot in slots_spared(on_file, code, words, tokens)}
            taken = tuple(each for each in on_file if slot_province(each.slot) in cancels and each.slot not in spared)
            self.memory.on_file = tuple(order for order in self.memory.on_file if order not in taken)
            self.memory.freed = next(iter(self.lines(taken)), "") if len(taken) == 1 else self.memory.freed
        gone = orders.withdrawn if orders is not None else ()
        if corrects and orders is not None:
            gone += displaced(self, orders, start)
        self.memory.took_back = bool(gone) and orders is not None and not orders.statements
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
        if self.sheet.kind.is_rest is not None and not places:  # "Spain is hopeless. Cut that to 1."
            minors = [minor for minor in self.context.variant.minors if minor.name in powers and minor.homes]
            self.memory.topic = minors[0].home if len(minors) == 1 else self.memory.topic
        if places:
            units = [unit_called(unit) for unit in self.context.own_units if unit.at.province in own]
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
            elif key == QUESTION and reading.error and self._is_answered_no(reading.start, reading.end):
                reading = replace(reading, error=replace(reading.error, suggestions=()))
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

    def _is_answered_no(self, start: int, end: int) -> bool:
        """Whether a no stands behind a question: "Vienna to Galicia? No, to Tyrolia"."""
        low = self.line.body.lower()
        begin = len(low) - len(low[end:].lstrip(" ?"))
        return "?" in low[start:begin] and self._correction(low, begin) > 0

    def _settles_doubt(self, text: str, sentence: Sentence, before: Sequence[ClauseReading]) -> bool:
        """Whether a sentence changes nothing, behind one that wonders: "or should Moscow stay? No, leave it"."""
        error = before[-1].error if before else None
        if error is None or error.key not in ANSWERED or self.places(text, sentence.start, sentence.end):
            return False
        words = text[sentence.start : sentence.end].lower().strip(" .,!;-")
        return self.phrases.keep_everything.fullmatch(words) is not None

    def _units_asked_of(self, text: str, start: int, end: int) -> set[str]:
        """The provinces of the units in a question; none where "or Edi?" offers another goal for the order before."""
        offer = self.phrases.alternative.match(text[:end].lower(), first_word(text, start))
        goals = goal_or_unit(self, text, offer.end(), end) if offer is not None else ()
        if any(unit_of(line) == self.memory.unit for line in goals):
            return set()
        return self.own_places(text[:end], start)

    def _of_open_choice(self, stance: str, text: str, sentence: Sentence) -> str:
        """ "Brest to MAO or wherever it can go" has one order, which is in doubt, and not several."""
        low = text[: sentence.end].lower()
        is_open = stance == "alternative" and self.phrases.open_choice.search(low, sentence.start)
        return "hedge" if is_open else stance

    def _all_doubted(self, start: int, end: int, stance: str = "hedge") -> ClauseReading:
        """ "Don't enter these yet": the orders of the letter so far are proposed."""
        lines = together(tuple(self.memory.orders.values())) if self.memory.orders else ()
        error = OrderWarning(error_key(stance), start, end, (), lines)
        return ClauseReading(start, end, Fate.NOT_TAKEN, error=error, retracts=-1 if lines else 0)

    def _letter_doubted(self, start: int, end: int) -> ClauseReading:
        """ "These aren't my orders yet": neither those before nor those below count."""
        self.memory.section = "hedge"
        return self._all_doubted(start, end) if self.memory.orders else ClauseReading(start, end, Fate.TALK)

    def _stands(self, provinces: Sequence[str], orders: Sequence[Statement]) -> bool:
        """Whether the order named is the one on file or in the letter, where the words name an order and not a unit."""
        there = [order for order in self.memory.on_file if slot_province(order.slot) in provinces]
        if not orders or not there or set(self.lines(orders)) & set(self.memory.orders.values()):
            return True
        return any(is_same_act(order, named) for order in there for named in orders)

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

    def _note_players(self, text: str, cut: Sequence[Sentence]) -> None:
        """Remembers what of a line is said to another player."""
        tells = self._greets_a_player(text) or any(self._tells_a_player(text, sentence) for sentence in cut)
        self.memory.label = "reported" if tells else ""
        self.memory.promised = promises_in(text, cut, self.phrases)

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
        taken = any(reading.is_settled for reading in readings)
        if taken or asked < 0 or not (above or (corrects and last is not None)):
            return readings
        first = self.units_meant(text, sentence.start, sentence.end)[:1]
        slots = tuple(order.slot for order in self.memory.statements if slot_province(order.slot) in first)
        gone = {"withdrawn": (*readings[asked].withdrawn, *slots)} if slots else {"retracts": 1}
        unsure = replace(readings[asked], **gone)
        if unsure.error is not None and last is not None:
            unsure = replace(unsure, error=replace(unsure.error, start=last.start))
        return (*readings[:asked], unsure, *readings[asked + 1 :])

    def _correction(self, low: str, begin: int) -> int:
        """Where words of correction end that begin here; 0 where there are none. "No fleet in Brest" has none."""
        match = self.phrases.correction.match(low, begin)
        plain = self.sheet.kind.name in WHOLE_SENTENCES and match is not None and match.group().strip() == "no"
        of_all = self.phrases.hold_all.match(low, begin)  # "no movements this spring", "not one unit stirs"
        forbids = match is not None and match.group().strip() in PLAIN_NO and self.phrases.cancel.match(low, begin)
        if (
            match is None
            or forbids
            or self._pauses(*match.span())
            or self._forbids_a_goal(low, begin)
            or (plain and re.match(r"\s*\w", low[match.end() :]))
        ):
            return 0  # "no invasion of Serbia"
        return match.end() if of_all is None or of_all.end() <= match.end() else 0

    def _pauses(self, start: int, end: int) -> bool:
        """ "An army in Berlin. Hmm, what else? A fleet in Kiel": nothing goes before another build."""
        if not self.sheet.kind.lists_units or not self.context.due.builds:
            return False
        low = self.line.body.lower()
        past = sentence_past(low, start) if "," in low[end - 1 : end + 1] else end
        return self.phrases.hesitating.fullmatch(low[start:past].strip(" .!?:")) is not None

    def _past_dash(self, low: str, start: int) -> int:
        """Where a dash before words of correction ends, "… or a fleet there? - No: army Berlin"; 0 without one."""
        match = LEADING_DASH.match(low, start)
        return match.end() if match is not None and self._correction(low, match.end()) else 0

    def _forbids_a_goal(self, low: str, begin: int) -> bool:
        """ "No Armenia, …": a place alone where no unit of the writer's stands."""
        match = BARE_NO.match(low, begin)
        mark = MARK.search(low, begin)
        end = mark.start() if mark is not None else len(low)
        named = [token.type for token in self.plain_tokens(low, match.end(), end)] if match is not None else []
        return named == ["PLACE"] and not self.own_places(low[:end], begin)

    def _stays_negated(self, text: str, start: int, end: int) -> bool:
        return bool(self.phrases.negated.search(self.stance_words(text, start, end), start))


def _is_replaced(before: Sequence[ClauseReading], provinces: tuple[str, ...]) -> bool:
    """Whether the order before words of correction is of a unit that the orders behind them are for."""
    last = next((reading.orders.statements for reading in reversed(before) if reading.orders is not None), ())
    return not last or any(slot_province(order.slot) in provinces for order in last)
