"""Orders that a clause takes back, and clauses that are not taken."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise, takewhile

from msgspec.structs import replace

from gm.judge.mechanics.dips.dip_orders import DipOrder
from gm.judge.model.orders import Allocate, Convoy, Hold, Move, Slot, Statement, Support, UnitOrder, slot_province
from gm.language.lines.spans import Fate
from gm.language.orders.parsing.lexer import HELPS
from gm.language.orders.parsing.order_context import OrderWarning
from gm.language.prose.clauses import SENTENCE_END, Sentence, first_word, sentence_start
from gm.language.prose.corrections.doubts import BARE_NO, DoubtReader
from gm.language.prose.corrections.orders_meant import is_about_others, names_the_only_one, order_denied, slots_counted
from gm.language.prose.corrections.supports_cancelled import support_cancelled
from gm.language.prose.guesses.points_on_file import NO_POINTS
from gm.language.prose.memory import goals_of, province_of, unit_of
from gm.language.prose.mentions import INTO
from gm.language.prose.readings import ClauseReading, ReadOrders, is_same_act
from gm.language.prose.shared_acts import UNABLE, convoy_cancelled, does_not_leave, kind_cancelled, unit_by_act
from gm.language.prose.stance import error_key

PLAIN_NOT = re.compile(r"no|not|nicht|kein(?:e|en|er)?")
"""What takes a build back beside its name alone: "not the fleet", but no "the fleet won't change"."""
BEHIND_ORDER = re.compile(r"\w\s*(?:,|\band|\bund|,\s*(?:and|und))\s*$", re.IGNORECASE)
SERVING = (Support, Convoy)
LEAST_REMARK = 3
"""Words of a remark that denies nothing of an order."""
EXCEPTING = re.compile(r"\b(?:but|except|apart from|other than|save|ausser|bis auf|mit ausnahme)\b")
"""Anywhere behind "cancel everything": without "only" and "bar", which orders may hold as well."""
OF_MOVES = frozenset({"PLACE", "KIND", "ARROW", "MINUS", "MOVE", "TO", "OF", "SEP"})
"""Token types of words that a unit goes somewhere, and of nothing else."""
ACT: Mapping[str, type[Support | Convoy]] = {"SUPPORT": Support, "CONVOY": Convoy}
DONE = re.compile(r"\b(?:did|didn't|hat|haben|hatte|hatten)\b")
"""A report of what was done."""
OF_HELP = HELPS | {"PLACE", "KIND", "TALK", "WITH"}


class TakingBackReader(DoubtReader, frozen=True):
    def _retraction(self, match: re.Match[str], start: int, end: int) -> ClauseReading:
        if self._is_of_talk(start):
            return ClauseReading(start, end, Fate.TALK)
        again = self.memory.corrects
        self.memory.corrects, self.memory.freed = True, self.memory.unit
        if not self.memory.orders and (spoken_of := self._spoken_of_on_file(self.line.body, start)):
            return ClauseReading(start, end, Fate.COMMAND, cancels=(spoken_of,))
        if self.memory.answered:
            return self._answer_cancelled(start, end)
        if self.phrases.joke.search(match.group()):
            return self._all_doubted(start, end)
        if province := order_denied(self.memory):  # "Don't invade Serbia, strike that"
            return ClauseReading(start, end, Fate.COMMAND, cancels=(province,))
        if not again and (repeated := self._repeated()):
            return ClauseReading(start, end, Fate.COMMAND, cancels=(repeated,))  # "Con - Bul, cancel that"
        everything = self.phrases.retract_letter.fullmatch(match.group()) is not None
        return ClauseReading(start, end, Fate.COMMAND, retracts=-1 if everything else int(not again))

    def _is_of_talk(self, start: int) -> bool:
        """Whether the words before speak of no order: "the question about Rum, ignore that"."""
        low = self.line.body.lower()
        begin = sentence_start(low, start)
        before = low[begin:start].strip(" .,:;!-")
        before = before or low[sentence_start(low, len(low[:begin].rstrip(" .!;"))) : begin]
        return self.phrases.of_talk.search(before) is not None

    def _answer_cancelled(self, start: int, end: int) -> ClauseReading:
        """ "Cancel this one" below a quoted order, or below points, of which all others stay."""
        line = self.memory.order
        if line[:1].islower() and (dips := self.left_behind(line, 0, len(line))):  # "intercept Spain, Mexico"
            return self._order(start, end, dips)
        if not self.memory.answered[:1].isdigit():
            return ClauseReading(start, end, Fate.COMMAND, cancels=(province_of(self.memory.answered),))
        points = [order for order in self.memory.counting if isinstance(order, Allocate)]
        points = points or [order for order in self.memory.on_file if isinstance(order, Allocate)]
        left = [line for line in self.lines(points) if line.removesuffix(" H") != self.memory.order]
        return self._order(start, end, self.orders_of(left or [NO_POINTS], self.line.body, start, end))

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

    def _called_off(self, start: int, end: int) -> ClauseReading:
        """ "A Vie - Boh: cancelled": the order before goes, and the one on file if it is the same."""
        if self.memory.answered:
            return self._answer_cancelled(start, end)
        if repeated := self._repeated():
            return ClauseReading(start, end, Fate.COMMAND, cancels=(repeated,))
        error = OrderWarning(error_key("cancel"), 0, end)
        return ClauseReading(start, end, Fate.NOT_TAKEN, error=error, retracts=1)

    def _repeated(self) -> str:
        """The province of the unit whose order on file the order before repeats; "" where it is another one."""
        lines = self.lines(self.memory.on_file)
        if self.memory.order not in lines:
            return ""
        return slot_province(self.memory.on_file[lines.index(self.memory.order)].slot)

    def _mistaken(self, text: str, start: int, end: int) -> ClauseReading | None:
        """ "A Con - Bul was a mistake": an order that is on file."""
        match = self.phrases.mistaken.search(text[:end].lower(), start)
        meant = self.meant(text, start, match.start()) if match is not None else ()
        if match is None or not meant or not set(meant) <= set(self.memory.on_file):
            return None
        provinces = tuple(slot_province(order.slot) for order in meant)
        self.free(provinces[0])
        return ClauseReading(start, end, Fate.COMMAND, cancels=provinces)

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
        elif beside := self._beside_units(text, start, begin, end):
            yield beside
        elif self.phrases.it.fullmatch(rest) and (spoken_of := self._spoken_of_on_file(text, start)):
            yield ClauseReading(start, end, Fate.COMMAND, cancels=(spoken_of,))
        elif self.phrases.cancel_all.fullmatch(rest):
            yield self._all_cancelled(start, end, EXCEPTING.search(self.line.body.lower(), end))
        elif (every := self.phrases.cancel_all.match(low, begin)) and (but := EXCEPTING.match(low, every.end() + 1)):
            yield self._all_cancelled(start, end, but)
        elif names_the_only_one(self, text, begin, end):
            yield self._all_cancelled(start, end, None)
        elif self._names_the_retreat(text, begin, end):
            province = slot_province(self.memory.on_file[0].slot)
            self.free(province)  # "… It goes to Tyrolia."
            yield ClauseReading(start, end, Fate.COMMAND, cancels=(province,))
        elif left := self.left_behind(text, begin, end):
            self.note(left)
            yield self._order(start, end, left)
        elif orders := self._says_to_leave(text, start, begin, end):
            self.note(orders)
            yield ClauseReading(start, end, Fate.ORDER, orders)
        elif anew := self._ordered_anew(text, what.end() if what else begin, end):
            yield ClauseReading(
                start, end, Fate.NOT_TAKEN, error=OrderWarning(error_key("cancel"), start, end, (), anew)
            )
        elif several := convoy_cancelled(self, text, begin, end):
            self._note_topic(text, start, end)  # "…, the North Sea moves there itself"
            yield ClauseReading(start, end, Fate.COMMAND, cancels=several)
        elif (
            (provinces := self._units_taken_back(text, what.end() if what else begin, end))
            and not self.is_staked(text[begin:end])  # "no dip support for Vienna"
            and self._names_no_more(provinces, text, begin, end)
            and self.is_bare(text, what.end() if what else begin, end)
            and self._stands(provinces, self.meant(text, begin, end))
        ):
            if self._is_old_goal(text, begin, end, provinces):
                yield ClauseReading(start, end, Fate.COMMENT)
                return
            self.free(provinces[0])
            yield ClauseReading(start, end, Fate.COMMAND, cancels=provinces)
        elif counted := slots_counted(self, low[begin:end]):
            yield self._withdrawn(counted, start, end)
        elif several := kind_cancelled(self, text, start, what.end() if what else begin, end):
            yield ClauseReading(start, end, Fate.COMMAND, cancels=several)
        elif what is not None and is_about_others(self, text, what.end(), end):
            error = OrderWarning("named-in-passing", start, end)
            yield ClauseReading(start, end, Fate.NOT_TAKEN, error=error)
        elif self.memory.orders and not (self.places(text, begin, end) or self.names_own(text, begin, end)):
            yield self._all_doubted(start, end, "cancel")
        else:
            yield self._refused("cancel", text, start, end)

    def _beside_units(self, text: str, start: int, begin: int, end: int) -> ClauseReading | None:
        """ "Ignore the disclaimer" takes nothing back; "cancel the support for Vienna" nothing that Vienna does."""
        if self.phrases.of_mail.fullmatch(text[begin:end].lower().strip(" .,!:;")):
            return ClauseReading(start, end, Fate.TALK)
        return support_cancelled(self, text, start, begin, end) or self._points_or_goal(text, start, begin, end)

    def _names_no_more(self, provinces: Sequence[str], text: str, begin: int, end: int) -> bool:
        """Whether words name no other of the writer's units, but as the goal or the object of an order that stands:
        "cancel Con - Bul".
        """
        others = self.own_places(text[:end], begin) - set(provinces)
        if not others or self.helps(text, begin, end):
            return True
        meant = self.meant(text, begin, end)
        stated = (*self.memory.on_file, *self.memory.statements)
        goals = {goal for order in meant for goal in goals_of(order)}
        return len(meant) == 1 and others <= goals and any(is_same_act(order, meant[0]) for order in stated)

    def _is_remark(self, text: str, start: int, end: int) -> bool:
        """ "…, I never wanted that. It goes to Tyrolia.", but not "…, repeat not, …"."""
        return len(text[start:end].split()) >= LEAST_REMARK and not self.names_something(text, start, end)

    def _names_order(self, text: str, begin: int, past: int, end: int) -> bool:
        """Whether a clause with words at its end that cancel, from `past` on, names a unit, an order or the convoy."""
        named = self.names_own(text, begin, end) or self.units_meant(text, begin, past)
        return bool(named or convoy_cancelled(self, text, begin, past))

    def _names_the_retreat(self, text: str, begin: int, end: int) -> bool:
        """ "Cancel my retreat", where only one is on file."""
        types = {token.type for token in self.plain_tokens(text, begin, end)}
        return types == {"RETREAT"} and len(self.memory.on_file) == 1 and not self.memory.orders

    def _spoken_of_on_file(self, text: str, start: int) -> str:
        """The province of the unit that words of the sentence before name and order nothing to, with an order on file:
        "The London order, please drop it".
        """
        province = province_of(self.memory.spoken_of)
        begin = sentence_start(text, start + 1)
        if province not in self.own_places(text[:start], begin):
            return ""  # "I asked you something about Brest. Drop it."
        return province if any(slot_province(order.slot) == province for order in self.memory.on_file) else ""

    def _units_taken_back(self, text: str, start: int, end: int) -> tuple[str, ...]:
        """The province of the unit whose order words take back: also by the goal of the only one in the letter."""
        named = {code for places in self.places_in(text, start, end) for code in places}
        orders = self.memory.statements if self.sheet.kind.holds else ()
        aimed = {slot_province(order.slot) for order in orders if named & goals_of(order)}
        meant = self.units_meant(text, start, end)
        if self.sheet.kind.lists_units and not named:  # "cancel the army", which is one that is built
            stated = {slot_province(order.slot) for order in (*self.memory.on_file, *self.memory.statements)}
            meant = tuple(province for province in meant if province in stated)
        return meant or (tuple(aimed) if len(aimed) == 1 else ())

    def _points_or_goal(self, text: str, start: int, begin: int, end: int) -> ClauseReading | None:
        """Words that name a minor power with points on file to which an order of the letter goes take back either:
        "Rumania to Bulgaria. Forget Bulgaria." They take back the points where they speak of them: "what I gave".
        """
        if self.own_places(text[:end], begin):
            return None
        named = {code for places in self.places_in(text, begin, end) for code in places}
        lines = (line.order for line in self.memory.on_file if isinstance(line, Allocate))
        paid = {order.unit.at.province for order in lines if isinstance(order, UnitOrder)}
        if not any(named & paid & goals_of(order) for order in self.memory.statements):
            return None
        left = self.left_behind(text, begin, end)
        return self._order(start, end, left) if left else self._all_doubted(start, end, "cancel")

    def _is_old_goal(self, text: str, start: int, end: int, provinces: Sequence[str]) -> bool:
        """ "Vienna to Bohemia, no longer to Galicia": an order on file that the letter has replaced."""
        named = {code for places in self.places_in(text, start, end) for code in places}
        anew = [order for order in self.memory.counting if slot_province(order.slot) in provinces]
        goals = named - {*provinces}
        return bool(anew and goals) and not any(goals & goals_of(order) for order in anew)

    def _ordered_anew(self, text: str, start: int, end: int) -> tuple[str, ...]:
        """The move that words behind an order taken back seem to ask for: "pull the Wales order, I'd rather it went to
        Yorkshire" without the comma.
        """
        units = self.units_meant(text, start, end) if self.sheet.kind.holds else ()
        orders = (*self.memory.on_file, *self.memory.statements)
        old = {goal for order in orders if slot_province(order.slot) in units for goal in goals_of(order)}
        tokens = self.tokens(text, start, end)
        goals = [goal.value for before, goal in pairwise(tokens) if before.type in INTO and goal.type == "PLACE"]
        last = goals[-1] if goals and not old & {*goals[-1].provinces} else None
        return self.legal(f"{self.unit_at(units[0])} - {last.text}") if units and old and last is not None else ()

    def _says_to_leave(self, text: str, start: int, begin: int, end: int) -> ReadOrders | None:
        """ "Take the fleet in Brest out", "zieh die Armee nach Wien zurück": the order of a unit without one so far."""
        ordered = {slot_province(order.slot) for order in (*self.memory.on_file, *self.memory.statements)}
        if self.sheet.kind.holds or ordered & set(self.units_meant(text, begin, end)):
            return None
        orders = self.orders_in(text, start, end)
        return None if orders is None or orders.is_flawed else orders

    def _all_cancelled(self, start: int, end: int, exception: re.Match[str] | None, stop: int = 0) -> ClauseReading:
        """ "Cancel everything", "cancel all but Vienna", where words of their own end at `stop`."""
        if exception is None and (about := self._ordered_before(start)):
            self.free(about[0] if len(about) == 1 else "")
            return ClauseReading(start, end, Fate.COMMAND, cancels=about)
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

    def _ordered_before(self, start: int) -> tuple[str, ...]:
        """The units on file that the sentence names before it takes all orders back: "as for Norway, scrap it all"."""
        body = self.line.body
        named = self.own_places(body[:start], sentence_start(body, start + 1))
        there = tuple(dict.fromkeys(slot_province(order.slot) for order in self.memory.on_file))
        return tuple(code for code in there if code in named) if self.sheet.kind.holds else ()

    def _is_about_minor(self, text: str, start: int, end: int) -> bool:
        """Whether a clause without a unit stands behind the name of a minor power: "I slept badly over the Swedes. I no
        longer want them to help me into Denmark".
        """
        if not self.sheet.kind.numbers_in_front or self.own_places(text[:end], start):
            return False
        minors = {minor.name for minor in self.context.variant.minors}
        named = [token for token in self.tokens(text, 0, start) if token.type in ("NATION", "PLACE")]
        return bool(named) and named[-1].type == "NATION" and named[-1].value in minors

    def _meant_together(self, text: str, cut: Sequence[tuple[int, int]]) -> Iterator[str]:
        """The lines that clauses mean, each with what those before it speak of: "Vienna to Galicia, Budapest there"."""
        orders, statements = dict(self.memory.orders), list(self.memory.statements)
        scratch = replace(self, memory=replace(self.memory, orders=orders, statements=statements))
        for first, past in cut:
            meant = scratch.meant(text, first, past)
            yield from scratch.meant_lines(text, first, past)
            for line in scratch.lines(meant):
                scratch.memory.note(line)

    def _orders_negated(self, text: str, plain: str, start: int, end: int) -> tuple[Statement, ...]:
        """`plain` is the text without the words that negate."""
        read = self.orders_in(plain, start, end)
        helps = read is None or self.helps(plain, start, end)  # "A Mar S A Par - Bur" in "don't support Paris"
        denied = self._meant_on_file(text, start, end) if helps else ()
        return tuple(denied) or (read.statements if read is not None else ())

    def _negated(self, text: str, start: int, end: int) -> ClauseReading:
        """An order that is on file and is negated is taken back; any other negated order is quoted."""
        first = self.phrases.negated.search(text[:end].lower(), start)
        if first is not None and self.phrases.elsewhere.search(text[:end].lower(), first.start()):
            return self._refused("negated", text, start, end)  # "London does not go to the Channel alone"
        if helped := support_cancelled(self, text, start, start, end):
            return helped
        plain = text[:start] + self.phrases.negated.sub(lambda match: " " * len(match.group()), text[start:end].lower())
        negations = [match.group() for match in self.phrases.negated.finditer(text[:end].lower(), start)]
        if all(PLAIN_NOT.fullmatch(each) for each in negations) and (left := self.left_behind(plain, start, end)):
            self.note(left)
            return self._order(start, end, left)
        if held := does_not_leave(self, text, start, end):
            if self._stays_anyway(held, text, start, end):
                return ClauseReading(start, end, Fate.COMMENT)
            self.note(held)
            if len(held.statements) == 1:  # "Munich does not leave home. It supports Berlin."
                self.free(slot_province(held.statements[0].slot))
            return self._order(start, end, held)
        orders = self._orders_negated(text, plain, start, end)
        if any(isinstance(order, DipOrder) for order in orders) and (left := self.left_behind(plain, start, end)):
            return self._order(start, end, left)
        ordered = tuple(slot_province(order.slot) for order in orders)
        if orders and set(self.lines(orders)) <= set(self.memory.orders.values()):
            return ClauseReading(start, end, Fate.COMMAND, cancels=ordered, negates=True)
        aimed = [order for order in self.memory.on_file if any(is_same_act(order, negated) for negated in orders)]
        if orders and {order.slot for order in orders} <= {order.slot for order in self.memory.statements}:
            return ClauseReading(start, end, Fate.COMMENT)  # "it should be A Smy - Syr, not A Smy - Arm"
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
        self.memory.freed = self.memory.freed if not meant and self._is_remark(text, start, end) else ""
        self.memory.denied = meant[0] if len(meant) == 1 else ""
        last = self.memory.place
        if (
            kinds in (["PLACE"], ["TO", "PLACE"])
            and BEHIND_ORDER.search(text[:start])
            and last
            and (kinds[0] == "TO" or set(meant) <= ({last} if self.memory.unit in self.memory.orders else set()))
        ):
            return ClauseReading(start, end, Fate.COMMENT)  # "goes to Rum, and not to the Black Sea"
        goes_on = text[end : end + 1] == ":"  # "do not order Vienna's army: Boh"
        for province in () if goes_on or self._is_about_minor(text, start, end) else meant:
            self.free(province)
        if kinds == ["PLACE"] and self.memory.freed:  # "not Albania": the next clause says where instead
            return ClauseReading(start, end, Fate.COMMENT, negates=True)
        reading = self._refused("negated", text, start, end)
        keeps = self.phrases.cancel.search(text[:end].lower(), start) is not None  # "don't strike the order for Serbia"
        if reading.fate is Fate.TALK and self.memory.denied and not keeps:  # "don't invade Serbia", where an order goes
            error = OrderWarning(error_key("negated"), first_word(text, start, end), end)
            return ClauseReading(start, end, Fate.NOT_TAKEN, error=error)
        return reading

    def _meant_on_file(self, text: str, start: int, end: int) -> tuple[Statement, ...]:
        """The orders on file that words with a unit deny, where they say nothing but that it goes somewhere."""
        denials = [match.span() for match in self.phrases.negated.finditer(self.masked(text[:end], start), start)]
        inside = (
            token
            for token in self.plain_tokens(text, start, end)
            if not any(first <= start + token.start_pos < past for first, past in denials)
        )
        types = {token.type for token in inside}
        own = self.own_places(text[:end], start)
        if own and types & HELPS and types <= OF_HELP:
            low = text[:end].lower()
            if UNABLE.search(low, start) or DONE.search(low, start):
                return ()  # "Ankara can not support both"
            return self._helps_denied(own, types, text, start, end)  # "Aegean does not support it"
        if types - OF_MOVES - {"TALK"}:
            return ()
        if not own:
            return self._goal_denied(text, start, end) if types & {"ARROW", "MINUS", "MOVE"} else ()
        if not types & {"ARROW", "MINUS", "MOVE"} or "TALK" in types:
            return self._moves_denied(own, text, start, end)
        meant = self.meant(text, start, end)
        return meant if all(any(is_same_act(order, each) for order in self.memory.on_file) for each in meant) else ()

    def _helps_denied(self, own: set[str], types: set[str], text: str, start: int, end: int) -> tuple[Statement, ...]:
        """The supports or convoys on file of the units named, where words name nothing else but what these help."""
        acts = tuple(ACT[kind] for kind in types & HELPS)
        before = takewhile(lambda token: token.type not in HELPS, self.plain_tokens(text, start, end))
        subject = next(({*token.value.provinces} for token in before if token.type == "PLACE"), own)
        own = own & subject  # "Paris does not support Marseilles" says nothing of what Marseilles does
        helps = [order for order in self.memory.on_file if isinstance(order, acts) and slot_province(order.slot) in own]
        named = {code for provinces in self.places_in(text, start, end) for code in provinces}
        known = {slot_province(order.slot) for order in helps}
        for order in helps:
            known |= {order.target.at.province} | goals_of(order)
        return tuple(helps) if len(helps) == 1 and named <= known else ()

    def _goal_denied(self, text: str, start: int, end: int) -> tuple[Statement, ...]:
        """The only move on file to the only place named: "I'm not moving to Bulgaria after all"."""
        places = self.places_in(text, start, end)
        anew = {order.slot for order in self.memory.statements}  # "Munich to Burgundy, not to the Ruhr"
        moves = [order for order in self.memory.on_file if isinstance(order, Move) and order.slot not in anew]
        aimed = tuple(order for order in moves if places and goals_of(order) & {*places[0]})
        helped = {order.target for order in self.memory.on_file if isinstance(order, SERVING)}
        is_meant = len(places) == len(aimed) == 1 and aimed[0].unit not in helped  # another order still counts on it
        return aimed if is_meant else ()

    def _no_goal(self, text: str, start: int, begin: int, end: int) -> ClauseReading | None:
        """ "No Armenia", where a single order on file goes: it is taken back."""
        match = BARE_NO.match(text[:end].lower(), begin)
        kinds = [token.type for token in self.plain_tokens(text, match.end(), end)] if match is not None else []
        if kinds != ["PLACE"] or self.own_places(text[:end], start) or not self.sheet.kind.holds:
            return None
        provinces = tuple(slot_province(order.slot) for order in self._goal_denied(text, start, end))
        if not provinces:
            return None
        self.free(provinces[0])
        return ClauseReading(start, end, Fate.COMMAND, cancels=provinces)

    def _moves_denied(self, own: set[str], text: str, start: int, end: int) -> tuple[Statement, ...]:
        """The move on file of the unit and to the goal that words name, and no other place: "no Channel for London"."""
        places = self.places_in(text, start, end)
        named = {code for provinces in places for code in provinces}
        begins = self.phrases.negated.match(self.masked(text[:end], start), first_word(text, start, end)) is not None
        if not begins and not own & set(places[0]):
            return ()  # "Burgundy can forget about Munich"
        moves = [order for order in self.memory.on_file if isinstance(order, Move) and slot_province(order.slot) in own]
        denied = tuple(order for order in moves if named & goals_of(order))
        known = {slot_province(order.slot) for order in denied} | {goal for order in denied for goal in goals_of(order)}
        return denied if len(denied) == 1 and named <= known else ()

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
