"""What a clause says of all units, or of those that are left: "all hold but Vienna", "the rest as before"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from gm.judge.model.orders import Hold, slot_province
from gm.language.lines.spans import Fate
from gm.language.orders.parsing.order_context import OrderContext
from gm.language.prose.clauses import Sentence, blank, clauses, first_word, sentence_start, sentences
from gm.language.prose.corrections.taking_back import EXCEPTING, TakingBackReader
from gm.language.prose.memory import unit_of
from gm.language.prose.mentions import mentions_of, unit_called
from gm.language.prose.readings import ClauseReading
from gm.language.prose.shared_acts import units_alone

REPORTS = frozenset({"was", "war"})
"""Words before an old order, or of news: "Budapest was a mistake"."""
ReadClause = Callable[[str, int, int], Iterator[ClauseReading]]


class AllUnitsReader(TakingBackReader, frozen=True):
    def _holds_but(self, text: str, start: int, end: int) -> tuple[str, ...]:
        """The provinces of units behind "all but", where the others hold: "everything but Vienna holds"."""
        types = {token.type for token in self.plain_tokens(text, start, end)}
        if "HOLD" not in types or not types <= {"KIND", "PLACE", "SEP", "OF", "HOLD"} or not self.sheet.kind.holds:
            return ()
        return tuple(sorted(self.own_places(text[:end], start) or self._of_kinds(text, start, end)))

    def _all_but(self, low: str, begin: int, end: int) -> re.Match[str] | None:
        every = self.phrases.cancel_all.match(low, begin, end) or self.phrases.every.match(low, begin, end)
        return EXCEPTING.match(low, every.end() + 1, end) if every is not None else None

    def _all_but_first(self, text: str, sentence: Sentence) -> ClauseReading | None:
        """ "Apart from Smyrna and Ankara everybody holds": units alone that the others, which hold, do not include."""
        low = text[: sentence.end].lower()
        match = self.phrases.exception.match(low, first_word(text, sentence.start))
        if match is None or not self.sheet.kind.holds:
            return None
        named = [token for token in self.tokens(text, match.end(), sentence.end) if token.type in ("KIND", "PLACE")]
        past = match.end() + (named[0].end_pos if named else 0)  # "except the fleets | all hold"
        body = self.line.body[: sentence.end].lower()  # with its own words for signs: "bleiben alle stehen"
        holds = self.phrases.hold_all.search(low, past) or self.phrases.hold_rest.search(low, past)
        holds = holds or self.phrases.hold_all.search(body, past)
        if holds is None or self._goes_further(text, holds.end(), sentence.end):
            return None
        types = {token.type for token in self.plain_tokens(text, match.end(), holds.start())}
        provinces = self.own_places(text[: holds.start()], match.end()) or self._of_kinds(
            text, match.end(), holds.start()
        )
        if not types or not types <= {"KIND", "PLACE", "SEP", "OF"} or not provinces:
            return None
        self.memory.all_hold = True
        return ClauseReading(
            sentence.start, sentence.past, Fate.COMMAND, holds_all=True, excepted=tuple(sorted(provinces))
        )

    def _of_kinds(self, text: str, start: int, end: int) -> set[str]:
        """The provinces of units that are called by their kind alone: "the fleet", if there is one, "the armies"."""
        provinces: set[str] = set()
        for token in self.tokens(text, start, end):
            alike = [unit for unit in self.context.own_units if token.type == "KIND" and unit.kind == token.value]
            many = text[start + token.start_pos : start + token.end_pos].lower() in self.own_phrases.plural
            if token.type == "KIND" and token.end_pos - token.start_pos > 1 and not many and len(alike) != 1:
                return set()
            provinces |= {unit.at.province for unit in alike if many or len(alike) == 1}
        return provinces

    def _goes_further(self, text: str, start: int, end: int) -> bool:
        """Whether words behind those for all units are more than "this spring"."""
        return any(token.type not in ("TALK", "SEP", "SEASON") for token in self.plain_tokens(text, start, end))

    def _rest_with_colon(self, text: str, sentence: Sentence) -> ClauseReading | None:
        """ "The others: hold"."""
        others, colon, act = text[sentence.start : sentence.end].partition(":")
        holds = [token.type for token in self.scan(act)] == ["HOLD"] if colon else False
        without = (f"{others.strip().lower()} {does}" for does in ("hold", act.strip(" .!").lower()) if holds)
        if not any(self.phrases.hold_rest.fullmatch(words) for words in without):
            return None
        return ClauseReading(sentence.start, sentence.past, Fate.COMMAND, holds_rest=True)

    def _those_named(self, text: str, start: int, end: int) -> tuple[str, ...]:
        """ "Norway and the Channel stay in port, both hold": the units of the clause before, where they are so many."""
        numbers = {str(token.value) for token in self.tokens(text, start, end) if token.type == "NUMBER"}
        units = tuple(dict.fromkeys(unit_of(line) for line in self.memory.latest))
        if numbers != {str(len(units))} or self._counts_all(text, start, end):
            return ()
        lines = tuple(line for unit in units for line in self.legal(f"{unit} H"))
        return lines if set(lines) <= set(self.memory.latest) else ()

    def _counts_all(self, text: str, start: int, end: int) -> bool:
        """Whether a number in words for all units is that of the writer's, or of those without an order so far."""
        tokens = self.tokens(text, start, end)
        kinds = {token.value for token in tokens if token.type == "KIND" and token.end_pos > token.start_pos + 1}
        whose = self.line.power or self.context.power if self.context.controlled else ""
        units = [unit for unit in self.context.own_units if whose in ("", unit.power)]
        units = [unit for unit in units if not kinds or unit.kind in kinds]
        free = [unit for unit in units if unit_called(unit) not in self.memory.orders]
        numbers = {str(token.value) for token in tokens if token.type == "NUMBER"}
        return numbers - {"1"} <= {str(len(units)), str(len(free))}  # "no one"

    def _is_hold_of_wards(self, text: str, start: int, end: int) -> bool:
        """ "Turkey: hold", where the writer orders Turkey's units."""
        acts = [token.type for token in self.plain_tokens(text, start, end) if token.type != "SEP"]
        return self.line.power in self.context.controlled and acts == ["HOLD"]

    def _included(self, text: str, start: int, end: int) -> tuple[str, ...]:
        """The powers that "Finland included" or "so do the Turks" names; () for words that say anything else."""
        patterns = (self.phrases.including, self.phrases.alike)
        match = next(filter(None, (pattern.search(text[:end].lower(), start) for pattern in patterns)), None)
        if match is None:
            return ()
        tokens = self.tokens(self.plain(blank(text, *match.span()), start, end), start, end)
        owners = {unit.at.province: unit.power for unit in self.context.own_units}
        powers = tuple(
            token.value if token.type == "NATION" else owners.get(token.value.provinces[0], "")
            for token in tokens
            if token.type in ("NATION", "PLACE")
        )
        known = {token.type for token in tokens} <= {"NATION", "PLACE", "SEP"}
        return powers if known and set(powers) <= {*self.context.controlled} else ()

    def _excepted(self, past: int, *, by_name: bool) -> Iterator[str]:
        """The provinces of the units that the clauses behind order, or else name: `by_name` in any way, as behind
        "except", else with what they do.
        """
        text = blank(self.line.body, 0, past)
        tokens = self.scan(text)
        main, cut = sentences(text, tokens, self.phrases)
        announced = False
        for sentence in cut:
            whole = text[: sentence.end] if sentence.bracketed else main
            yield from self._excepted_together(whole[: sentence.end], sentence.start)
            for first, end in clauses(whole, sentence.start, sentence.end, tokens, self.phrases):
                if sentence.bracketed and not self._says_excepted(whole[:end], first):
                    continue  # "(in case England attacks Brest)"
                if first > past and self.phrases.relative.match(whole.lower(), first_word(whole, first, end)):
                    continue  # "all hold except Budapest, who supports Vienna"
                orders = self.meant(whole, first, end)
                named = mentions_of(self.tokens(whole, first, end), self.context)
                yield from (slot_province(order.slot) for order in orders)
                acts = (
                    by_name
                    or announced
                    or self.is_order_like(whole, first, end)
                    or self.phrases.keep_unit.search(whole.lower(), first)
                    or self._denies_all(whole, first, end)
                )
                if not orders and acts and not self.begins_with_act(whole, first, end):
                    yield from (unit.unit.at.province for unit in named if unit.unit is not None)
                words = whole[first:end].lower().strip(" .:,")
                announced = self.phrases.excepted.fullmatch(words) is not None  # "Exception: Brest"

    def _says_excepted(self, text: str, start: int) -> bool:
        low = text.lower()
        begins = self.phrases.exception.match(low, first_word(text, start)) is not None
        return begins or self.phrases.excepted.search(low, start) is not None

    def _excepted_together(self, text: str, start: int) -> set[str]:
        """The provinces of several units behind which stands that they are excepted: "Paris and Brest excepted"."""
        match = self.phrases.excepted.search(text.lower(), start)
        bare = blank(text, *match.span()) if match is not None else ""
        types = {token.type for token in self.plain_tokens(bare, start, len(bare))} if bare else set()
        return self.own_places(bare, start) if {"PLACE"} <= types <= {"KIND", "PLACE", "SEP", "OF"} else set()

    def _excepted_before(self, text: str, start: int) -> set[str]:
        """The provinces of the units that are named before: "Brest excepted, everybody holds"."""
        return self._excepted_together(text[:start], sentence_start(text, start))

    def _exception(self, text: str, start: int, end: int) -> ClauseReading | None:
        """A clause that only excepts units from those that hold: "Brest excepted", "(except Brest)"."""
        low = text[:end].lower()
        if not (self.memory.all_hold or self.phrases.hold_all.search(self.line.body.lower())):
            return None
        match = self.phrases.exception.match(low, first_word(text, start, end)) or self.phrases.excepted.search(
            low, start
        )
        heads = (head.end() for head in self.phrases.excepted.finditer(low, 0, start))
        headed = any(not low[past:start].strip(" :") for past in heads)
        text = blank(text[:end], *match.span()) if match is not None else text[:end]
        alone = units_alone(self, text, start, end) if match is not None or headed else ()
        units = [each.unit for each in alone if each.unit is not None]
        if not units or any(unit_called(unit) in self.memory.orders for unit in units):
            return None
        if len(units) == 1:
            self.free(units[0].at.province)  # "all but Ankara, which …"
        slots = tuple(Hold(OrderContext.ref(unit)).slot for unit in units)
        return ClauseReading(start, end, Fate.COMMAND, withdrawn=slots)

    def _denies_all(self, text: str, first: int, end: int) -> bool:
        """ "(All hold,) but not Berlin", "Berlin does not": the units named are no part of all."""
        low = self.masked(text[:end], first)
        but = self.phrases.exception.match(low, first_word(text, first, end))
        if self.phrases.excepted.search(low, first):
            return True
        if but is not None and units_alone(self, text, but.end(), end):
            return True
        if REPORTS & {*low[first:end].split()}:  # "the fleet was a mistake"
            return False
        return self.phrases.negated.search(low, first) is not None and self.phrases.even.search(low, first) is None

    def _alone(self, pattern: re.Pattern[str], text: str, low: str, begin: int, end: int) -> re.Match[str] | None:
        """Words about all units that are the whole clause, but for words that say nothing and an exception behind."""
        match = pattern.fullmatch(text[:end].rstrip(" .,!").lower(), begin) or pattern.search(low, begin)  # "in port"
        if (
            match is None
            or self.is_staked(blank(low, *match.span())[begin:end])
            or self.line.power not in ("", *self.context.powers)
        ):
            return None
        before = self.plain(text, begin, match.start())[begin : match.start()]
        past = self._past_exception(text, match.end(), end)
        ends = past > match.end() or self._included(text, match.end(), end)
        behind = "" if ends else self.plain(text, match.end(), end)[match.end() : end]
        return None if before.strip(" .,!:") or behind.strip(" .,!:") else match

    def _rest_holds(self, text: str, start: int, at: int, end: int, read: ReadClause) -> Iterator[ClauseReading]:
        """ "The rest holds except Lon - NTH": with the orders behind; "except London" leaves London without one."""
        past = self._past_exception(text, at, end)
        behind = list(read(text, past, end)) if past > at else []
        if past > at and not any(reading.orders for reading in behind):
            excepted = tuple(dict.fromkeys(self._excepted(past, by_name=True)))
            if len(excepted) == 1:
                self.free(excepted[0])
            ordered = (slot_province(order.slot) for order in (*self.memory.on_file, *self.memory.statements))
            holds = ClauseReading(start, end, Fate.COMMAND, holds_all=True, excepted=(*excepted, *ordered))
            yield holds if excepted else self._refused("", text, start, end)
            return
        yield ClauseReading(start, past if behind else end, Fate.COMMAND, holds_rest=True)
        yield from behind

    def _past_exception(self, text: str, at: int, end: int) -> int:
        """Behind "except", which may follow words that say nothing: "all hold this spring, except Budapest"."""
        match = self.phrases.exception.search(text[:end].lower(), at)
        if match is None or self.plain(text, at, match.start())[at : match.start()].strip(" ,"):
            return at
        return match.end()

    def _stand_without_orders(self, text: str, start: int, end: int) -> bool:
        """ "Others stand", which keeps what is on file: where nothing is, they hold."""
        return not self.memory.on_file and self.phrases.hold_rest.search(text[:end].lower(), start) is not None
