"""Sentences read as one with the next, cut in two, or that repeat another; and the clauses of one convoy."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice, takewhile

from msgspec.structs import replace

from gm.judge.model.orders import Hold, slot_province
from gm.language.lines.spans import Fate
from gm.language.lines.trouble_keys import UNCLEAR
from gm.language.orders.parsing.order_context import OrderWarning
from gm.language.prose.clause_runs import ClauseRunReader, Columns
from gm.language.prose.clauses import Sentence, blank, first_word
from gm.language.prose.corrections.doubts import SHORT_REMARK
from gm.language.prose.corrections.other_builds import other_build
from gm.language.prose.corrections.restoring import slots_restored
from gm.language.prose.guesses.clause import AMOUNTS, NAMES, UNKNOWN
from gm.language.prose.guesses.guess import Guess
from gm.language.prose.guesses.shares_of_points import DEEDS
from gm.language.prose.memory import CODES, province_of, unit_of
from gm.language.prose.mentions import mentions_of
from gm.language.prose.readings import ClauseReading, together
from gm.language.prose.rewording import with_sign
from gm.language.prose.shared_acts import OF_UNITS, says_hold, units_alone
from gm.language.prose.stance import error_key, stance_of
from gm.language.prose.stretches import SPOKEN
from gm.language.prose.unsure_lists import choice_in_doubt

COLON = re.compile(r":(?=\s)")
SENTENCE_MARK = re.compile(r"[.!](?=\s+\S)")
EACH = "each"
"""The word for the other powers that are paid."""
COMMA = re.compile(r"[,;:]\s")
MOST_COMMAS = 40
MOST_BEFORE_BRACKET = 3
"""Places where the clause may begin to which a bracket belongs."""
MOST_COLONS = 6
"""Colons of a line behind which an event is sought."""

MANNER = UNKNOWN - {"IF"} | {"TO", "OF", "FOR", "WITH", "BY", "ON", "VIA", "SEP", "FROM"}
"""Token types of words that name nothing."""
CHOICES = frozenset({"alternative", "condition"})
"""Stances of a sentence that may concern the last unit alone."""
DEEDS_ELSE = SPOKEN | {"PLACE", "NUMBER"}
"""Token types of what a unit does in the other case: "otherwise it holds"."""


UNIT_ALONE = 2
"""Words of a unit without an order: "A Hun"."""
MOST_WORDS_IN_FRONT = 2
"""Words before second thoughts: "oh, well, I don't know"."""
LEAST_SAID = 2
"""Words of a clause about the writer, besides those and the time."""


class SentenceJoinReader(ClauseRunReader, frozen=True):
    def _with_sentences_joined(self, text: str) -> str:
        """Sentences that make one order together: "… should meet. That takes … apart"."""
        text = self._with_event_apart(text)
        joined = SENTENCE_MARK.sub(",", text)
        because = self.phrases.reason.search(joined.lower())
        end = because.start() if because is not None else len(joined)
        is_event = self._is_sure(joined, Sentence(0, end, end, "")) and self.places(joined, 0, end) > 1
        return joined if is_event else text

    def _with_event_apart(self, text: str) -> str:
        """With the event behind a colon as a sentence of its own: "moor it to Gascony: Por and Gas connect"."""
        for colon in islice(COLON.finditer(text), MOST_COLONS):
            mark = SENTENCE_MARK.search(text, colon.end())
            event = self.guess(text, colon.end(), mark.start() if mark else len(text.rstrip(" .!")), is_sentence=True)
            if event is not None and event.certain and text[: colon.start()].strip():
                return text[: colon.start()] + "." + text[colon.end() :]
        return text

    def _without_repeats(self, text: str, readings: Sequence[ClauseReading]) -> Iterator[ClauseReading]:
        """Words that name nothing but provinces of the only event say nothing more."""
        events = [reading.orders for reading in readings if reading.orders is not None]
        lines = self.lines(events[0].statements) if len(events) == 1 and not events[0].is_flawed else ()
        codes = {code for line in lines for code in CODES.findall(line)}
        for reading in readings:
            tokens = self.tokens(text, reading.start, reading.end)
            named = {code for token in tokens if token.type == "PLACE" for code in token.value.provinces}
            repeats = reading.error is not None and reading.error.key in UNCLEAR and named and named <= codes
            yield replace(reading, fate=Fate.COMMENT, error=None) if repeats else reading

    def _with_deed(self, text: str, main: str, sentence: Sentence, following: Sentence) -> tuple[str, Sentence] | None:
        """A sentence about points and the next one, or a bracket inside, that says what they are for, read as one: "Two
        points go to Sweden. The fleet there supports Kiel".
        """
        if not self.sheet.kind.numbers_in_front or sentence.bracketed:
            return None
        if self._correction(text.lower(), first_word(text, following.start)):
            return None  # "… two for Persia. On second thoughts, swap those"
        inside = following.bracketed and following.past <= sentence.end
        mark = following.start - 1 if inside else sentence.end
        joined = f"{main[:mark]},{' ' * (following.start - mark - 1)}{text[following.start : following.end]}"
        joined += ("," if inside else " ").ljust(following.past - following.end) + main[following.past :]
        joined = with_sign(joined, self.phrases.others, EACH)
        whole = sentence if inside else Sentence(sentence.start, following.end, following.past, following.mark)
        types = self.clause_of(joined, whole.start, whole.end).types
        named = {token.type for token in self.tokens(main, sentence.start, sentence.end)} & NAMES
        if not (named and types & AMOUNTS and types & DEEDS):
            return None
        if not self._is_sure(joined, whole) and not (inside and self._pays(joined, sentence.start, following.past)):
            return None
        return None if self._is_sure(main, sentence) or self._is_sure(text, following) else (joined, whole)

    def _pays(self, text: str, start: int, end: int) -> bool:
        """Whether a bracket belongs to the clause before it: "…, Warsaw to Lithuania with Latvia's help (2 points)"."""
        commas = [match.end() for match in islice(COMMA.finditer(text, start, end), MOST_COMMAS)]
        last = [start, *commas][-MOST_BEFORE_BRACKET:]
        return any(self._is_sure(text, Sentence(first, end, end, "")) for first in last)

    def _sure_before_no(self, text: str, cut: Sequence[Columns]) -> int:
        """ "Budapest to Serbia, Vienna to Galicia? No, to Tyrolia": the answer is about the last clause."""
        if len(cut) == 1 or not self._is_answered_no(*cut[-1]):
            return 0
        return len(cut) - 1 if self.whole_orders(text, cut[0][0], cut[-2][1]) is not None else 0

    def _sure_before(self, stance: str, masked: str, text: str, cut: Sequence[Columns]) -> int:
        """How many clauses are whole orders before one that leaves open what another unit does ("…, Paris to Pic or
        Bur"), begins with a later phase ("Vienna holds, in fall it …"), or says what others say of themselves ("Vienna
        holds, Italy says they hold, too").
        """
        if not cut or self.memory.label or self.memory.section:
            return 0  # a heading doubts them all
        if stance == "question":
            return self._sure_before_no(text, cut)
        choices = (self.phrases.alternative, self.phrases.condition) if stance in CHOICES else ()
        patterns = {
            "later": (self.phrases.later,),
            "reported": (self.phrases.reported,),
            "hedge": (self.phrases.hedge,),
        }.get(stance, choices)
        doubts = ([pattern.search(masked[:end], first) for pattern in patterns] for first, end in cut)
        at, matches = next(((at, matches) for at, matches in enumerate(doubts) if any(matches)), (0, [None]))
        match = matches[0] if at else None
        if stance == "hedge" and (choice := choice_in_doubt(self, masked, text, cut, at)):
            return choice
        idle = stance == "reported" and at and not self.names_something(text, *cut[at])
        if stance == "hedge" or idle:  # "pull the Brest order, I'm still thinking", "…, they never say thank you"
            first, end = cut[max(at - 1, 0)]
            gone = self.phrases.cancel.match(masked, first_word(masked, first, end))
            gone = gone or self.phrases.cancelled.search(masked[:end], first)
            if gone:
                return at if not self.own_places(text, cut[at][0]) else 0
        before = self.whole_orders(text, cut[0][0], cut[at - 1][1]) if match else None
        if match is None or before is None:
            return 0
        begins = match.start() <= first_word(text, *cut[at])
        ordered = {slot_province(order.slot) for order in before.statements}
        units = self.own_places(text[: cut[at][1]], cut[at][0])
        another = units and not units & ordered and (begins or not self.meant(text, *cut[at]))
        if stance == "hedge":  # "Vienna holds, and perhaps Trieste to Albania"
            return at if another else 0
        if stance == "reported":
            about_others = self.phrases.complement.match(masked, first_word(masked, match.end()))
            return at if about_others and not self.names_own(text, cut[at][0], len(masked)) else 0
        if stance == "later":
            begun = [token.type for token in self.plain_tokens(text, *cut[at])][
                :1
            ]  # "Sevastopol can wait till next year"
            elsewhere = begun == ["PLACE"] and not self.own_places(text[: cut[at][1]], cut[at][0])
            alone = another or begins or elsewhere
            return at if alone or self._speaks_of_themselves(text, masked, *cut[at]) else 0
        units = self.own_places(text, cut[at][0])
        return at if len(units) == 1 and ordered and not (begins or units & ordered) else 0

    def _speaks_of_themselves(self, text: str, masked: str, start: int, end: int) -> bool:
        """Whether a clause says what the writer wants or does, and speaks of none of their units and of nothing named
        before: "…, I want to be in the Med next year".
        """
        begin = first_word(masked, start, end)
        speaker = self.phrases.speaker.match(masked, begin)
        left = blank(masked, *speaker.span()) if speaker is not None else ""
        for match in list(self.phrases.later.finditer(left[:end], begin)):
            left = blank(left, *match.span())
        speaks = len(left[begin:end].split()) >= LEAST_SAID  # "will ich im Herbst" says nothing else
        return speaks and not self.phrases.it.search(masked[:end], begin) and not self.own_places(text[:end], start)

    def _left_open(self, masked: str, text: str, cut: Sequence[Columns]) -> int | None:
        """The only clause of a list that gives a unit several orders: "Con - Bul, Smy - Arm or Syr, Ank - BLA"."""
        matches = [self.phrases.alternative.search(masked[:past], first) for first, past in cut]
        at = next((at for at, match in enumerate(matches) if match), 0)
        match = matches[at] if len(cut) > 1 and sum(map(bool, matches)) == 1 else None
        if match is None or self.memory.label:
            return None
        first, past = cut[at]
        units = self.own_places(text[: match.start()], first)
        unit = next((code for code in units if self._begins_with(text, *cut[at], code)), "")
        choice = self.own_places(text[:past], match.end()) - {unit}
        others = [whole for start, end in cut if start != first if (whole := self.whole_orders(text, start, end))]
        ordered = {slot_province(order.slot) for whole in others for order in whole.statements}
        named = set().union(*(self.own_places(text[:end], start) for start, end in cut if start != first))
        plain = len(self.places_in(text, match.end(), past)) < 2 or not choice & (ordered | named)
        alone = len(others) == len(cut) - 1 and not any(whole.is_flawed for whole in others) and unit not in named
        return at if unit and plain and alone and unit not in ordered else None

    def _begins_with(self, text: str, start: int, end: int, province: str) -> bool:
        """Whether the first place of a clause is this one."""
        return any(province in provinces for provinces in self.places_in(text, start, end)[:1])

    def _is_refused(self, guessed: Guess | None, text: str, cut: Sequence[Columns]) -> bool:
        """Whether no clause of a list counts by itself: too much is asked for, or a correction stands inside."""
        if len(cut) == 1 and other_build(self, text, first_word(text, *cut[0]), cut[0][1]):
            return False  # "replace Tokyo with Kyoto" wants one build
        whole = guessed is not None and guessed.whole
        return whole or (self._corrects_inside(text, cut) and not self._gives_way(text, cut))

    def _gives_way(self, text: str, cut: Sequence[Columns]) -> bool:
        """Whether the first clause takes a build back, so that words of correction say what comes instead: "scrap the
        Paris army, make it Marseilles".
        """
        start, end = cut[0]
        names = {token.type for token in self.tokens(text, end, cut[-1][1])} & {"PLACE", "KIND"}
        if not self.sheet.kind.lists_units or not (self.context.due.builds and names):
            return False
        cancel = self.phrases.cancel.match(text[:end].lower(), first_word(text, start, end))
        if cancel is not None:
            return self.left_behind(text, cancel.end(), end) is not None
        guess = self.guess(text, start, end)
        return guess is not None and guess.certain and not guess.lines and bool(guess.cancels or guess.withdrawn)

    def _own_behind(self, stance: str, masked: str, text: str, cut: Sequence[Columns]) -> int:
        """Where the writer's whole orders stand behind words of others, or behind their own of another day: "Italy
        swears peace, so Vienna to Galicia", "yesterday I wrote Vie-Tri, now Vienna holds".
        """
        for at, (first, end) in enumerate(cut if stance == "reported" else ()):
            before = cut[at - 1][1] if at else end
            own = self.phrases.therefore.search(masked[:end], before)
            own = own if own and not masked[before : own.start()].strip(" ,;") else None
            each = ((past, self.whole_orders(text, own.end(), past)) for _, past in reversed(cut[at:])) if own else ()
            past, whole = next((read for read in each if read[1] is not None), (end, None))
            if own and whole is not None and not whole.is_flawed:
                ordered = {slot_province(order.slot) for order in whole.statements}
                earlier = {province_of(unit_of(line)) for line in self._meant_together(text, cut[:at])}
                if (earlier or self.own_places(text[:first], cut[0][0])) - ordered:
                    return 0  # "Turkey suggests Sev to Rum, so Mos to Ukr"
                return at if not stance_of(masked[:past], Sentence(first, past, past, ""), self.phrases) else 0
        return 0

    def _shares_the_rest(self, text: str, cut: Sequence[Columns]) -> bool:
        """ "Twelve on Finland, the rest is shared by Rumania and Poland": a clause behind the one with the rest names a
        power as well.
        """
        types = [{token.type for token in self.tokens(text, *each)} for each in cut]
        at = next((at for at, named in enumerate(types) if "REST" in named), len(cut))
        return any("NATION" in named for named in types[at + 1 :])

    def _with_convoys(self, text: str, cut: Sequence[Columns]) -> list[Columns]:
        """Fleets alone go with the convoy behind or before them: "the fleets in NPO, SPO and NAT carry Tokyo to …"."""
        joined = list(cut)
        types = self._types(text, cut)
        for at, named in enumerate(types if self.sheet.kind.holds else ()):
            if not named & {"CONVOY", "VIA"} or "PLACE" not in named:
                continue
            if (shared := self._carried_by(text, cut, at, types)) is not None:
                return [*joined[:at], shared, *joined[at + 2 :]]
            first = next((past for past in range(at, 0, -1) if not self._is_fleets(text, *cut[past - 1])), 0)
            past = next((past for past in range(at + 1, len(cut)) if not self._is_fleets(text, *cut[past])), len(cut))
            for run in ((first, at + 1), (at, past), (at, past + 1)):
                columns = cut[run[0]][0], cut[min(run[1], len(cut)) - 1][1]
                acts = set().union(*types[run[0] : run[1]]) & {"SUPPORT", "SUPPORTED", "HOLD"}
                convoy = self.guess(text, *columns) if run[1] - run[0] > 1 and not acts else None
                if convoy is not None and convoy.certain and sum(" C " in line for line in convoy.lines) > 1:
                    return [*joined[: run[0]], columns, *joined[run[1] :]]
        return joined

    def _carried_by(self, text: str, cut: Sequence[Columns], at: int, types: Sequence[set[str]]) -> Columns | None:
        """ "Ship the Welsh army to Belgium, the Channel does the carrying": two clauses that are one convoy."""
        if at + 1 >= len(cut) or not {"CONVOY", "PLACE"} <= types[at] & types[at + 1]:
            return None
        columns = cut[at][0], cut[at + 1][1]
        alone = [self.guess(text, *cut[at]), self.guess(text, *cut[at + 1])]
        convoy = self.guess(text, *columns) if alone == [None, None] else None
        return columns if convoy is not None and convoy.certain else None

    def _with_included(self, text: str, cut: Sequence[Columns]) -> list[Columns]:
        """Powers alone go with words for all units: "everything holds, Turkey and Spain as well"."""
        cut = self._with_wards(text, self._with_exceptions(text, cut))
        for at, (first, past) in enumerate(cut if self.context.controlled else ()):
            match = self.phrases.hold_all.search(text[:past].lower(), first)
            ends = [end for _, end in cut[at + 1 :] if match and self._included(text, match.end(), end)]
            if ends:
                behind = [columns for columns in cut if columns[0] >= ends[-1]]
                return [*cut[:at], (first, ends[-1]), *behind]
        return list(cut)

    def _with_wards(self, text: str, cut: Sequence[Columns]) -> list[Columns]:
        """Powers and units alone go with the clause that says that they hold: "Turkey and Hungary both hold"."""
        names = [bool(types) and types <= NAMES | {"SEP"} for types in self._types(text, cut)]
        for at in range(len(cut) - 1 if self.context.controlled else 0):
            past = next((past for past in range(at, len(cut)) if not names[past]), len(cut))
            columns = cut[at][0], cut[min(past, len(cut) - 1)][1]
            held = self.guess(text, *columns) if at < past < len(cut) else None
            nations = any(token.type == "NATION" for token in self.tokens(text, *columns))
            if held is not None and held.certain and nations and all(line.endswith(" H") for line in held.lines):
                return [*cut[:at], columns, *cut[past + 1 :]]
        return list(cut)

    def _types(self, text: str, cut: Sequence[Columns]) -> list[set[str]]:
        return [{token.type for token in self.plain_tokens(text, *columns)} for columns in cut]

    def _with_exceptions(self, text: str, cut: Sequence[Columns]) -> list[Columns]:
        """Excepted units go with the words about the rest: "everything but Vienna and Budapest is void"."""
        for at, (first, past) in enumerate(cut):
            low = text[:past].lower()
            begin = first_word(text, first, past)
            cancels = self.phrases.cancel.match(low, begin)
            but = self._all_but(low, first_word(text, cancels.end() if cancels else begin, past), past)
            if but is None or self.phrases.cancelled.search(low, but.end()) or says_hold(self, text, but.end(), past):
                continue
            behind = cut[at + 1 :]
            if cancels:
                units = takewhile(lambda columns: units_alone(self, text, *columns), behind)
                ends = [end for _, end in units][-1:]
            else:
                ends = [end for start, end in behind if self._says_of_all(text, start, end)][:1]
            if ends:
                return [*cut[:at], (first, ends[0]), *(columns for columns in cut if columns[0] >= ends[0])]
        return list(cut)

    def _says_of_all(self, text: str, start: int, end: int) -> bool:
        cancelled = self.phrases.cancelled.search(text[:end].lower(), start)
        return cancelled is not None or says_hold(self, text, start, end)

    def _heads_fleets(self, text: str, start: int, end: int) -> bool:
        """ "The whole fleet convoys: North Sea, Channel"."""
        before, colon, _ = text[start:end].partition(":")
        types = {token.type for token in self.scan(before)} if colon else set()
        return "CONVOY" in types and "PLACE" not in types

    def _is_fleets(self, text: str, start: int, end: int) -> bool:
        tokens = [token for token in self.scan(text) if start <= token.start_pos < end]
        named = mentions_of(tokens, self.context)
        units = [mention.unit for mention in named if mention.unit is not None and mention.unit.kind == "F"]
        return {token.type for token in tokens} <= OF_UNITS and 0 < len(named) == len(units)

    def _fears(self, text: str, first: int, past: int) -> bool:
        """ "Ankara to Black Sea, otherwise Russia gets there first": what somebody else would do, or what would be, in
        words that order nothing: "…, or else it never gets on a ship".
        """
        otherwise = self.phrases.otherwise.match(text[:past].lower(), first_word(text, first, past))
        tokens = self.tokens(text, first, past) if otherwise else []
        tokens = [token for token in tokens if token.type not in ("IF", "SEP")]
        types = [token.type for token in tokens]
        if (
            len(types) < 2
            or self.own_places(text[:past], first)
            or self.phrases.preferring.search(text[:past].lower(), first)
        ):
            return False
        about_rest = (self.phrases.hold_rest, self.phrases.hold_all, self.phrases.keep, self.phrases.quantity)
        if not {*types} & DEEDS_ELSE and types.count("WORD") > 1:
            return not any(pattern.search(text[:past].lower(), first) for pattern in about_rest)
        standing = self.context.position.standing
        theirs = types[0] == "PLACE" and any(standing.get(code) for code in tokens[0].value.provinces)
        return not self.names_own(text, first, past) and (
            theirs or "NATION" in types or (types[0] == "TALK" and not {*types} & SPOKEN)
        )

    def _is_about_others(self, text: str, start: int, end: int, least: int) -> bool:
        """Whether a remark begins with a power and names no place: "A Tri H - Italy can't be trusted"."""
        if self._names_paid(self.tokens(text, start, end)) and self._is_amount(text, end):
            return False  # "… with the Lithuanians helping (3 points)"
        types = [token.type for token in self.tokens(text, start, end)]
        objects = self.phrases.objecting.search(text[:end].lower(), start)
        alone = set(types) <= MANNER | {"NATION", "HOLD", "MOVE"}
        return types[:1] == ["NATION"] and len(types) >= least and alone and objects is None

    def _is_amount(self, text: str, start: int) -> bool:
        """Whether the next clause is points alone, for the power before it."""
        behind = COMMA.split(text[start:].lstrip(" ,"))[0]
        types = {token.type for token in self.scan(behind)}
        return bool(types & AMOUNTS) and not types & NAMES

    def _is_country(self, text: str, start: int, end: int) -> bool:
        """Whether a clause is a power alone: "to protect against France and Spain"."""
        types = {token.type for token in self.plain_tokens(text, start, end)}
        return {"NATION"} <= types <= {"NATION", "AGAINST", "FROM"}

    def _is_sure(self, text: str, sentence: Sentence) -> bool:
        guess = self.guess(text, sentence.start, sentence.end, is_sentence=True)
        return guess is not None and guess.certain

    def _about_all(self, pattern: re.Pattern[str], text: str, begin: int, end: int) -> re.Match[str] | None:
        """These words in a sentence that names no place beside them ("war" is no Warsaw in them)."""
        match = pattern.search(text.lower(), begin)
        return None if match is None or self.places(blank(text, *match.span()), begin, end) else match

    def _replaces_orders(self, text: str, sentence: Sentence) -> bool:
        """Whether a sentence gives a unit another order than the letter before it: "… Smyrna to Syria instead",
        "Change the second one to Smy - Syr".
        """
        ordered = {slot_province(order.slot) for order in self.memory.statements}
        low, words = text[: sentence.end].lower(), (self.phrases.instead, self.phrases.amending)
        replaces = bool(ordered) and any(each.search(low, sentence.start) for each in words)
        return replaces and bool(ordered & self.own_places(low, sentence.start))

    def _about_several(self, text: str, sentence: Sentence) -> ClauseReading | None:
        """A sentence that leaves orders as they are, doubts the one before, or lets all units but some hold."""
        return (
            self._kept_sentence(text, sentence)
            or self._second_thoughts(text, sentence)
            or self._all_but_first(text, sentence)
            or self._rest_with_colon(text, sentence)
        )

    def _second_thoughts(self, text: str, sentence: Sentence) -> ClauseReading | None:
        """ "Vienna to Tyrolia. I need to think about it.": it is asked about; all orders on a line of its own."""
        words = text[sentence.start : sentence.end].lower().strip(" .,!;-")
        named = self.names_something(text, sentence.start, sentence.end)
        match = self.phrases.second_thoughts.search(words) if self.memory.order and not named else None
        if match is None or match.end() < len(words) or len(words[: match.start()].split()) > MOST_WORDS_IN_FRONT:
            return None
        body = self.line.body
        if self.memory.orders and not (body[: sentence.start] + body[sentence.past :]).strip():
            return self._all_doubted(sentence.start, sentence.past)
        if not self.places(text, 0, sentence.start):
            return None  # "When is the deadline? I don't know."
        lines = together(self.memory.latest) if self.memory.latest else ()
        error = OrderWarning(error_key("hedge"), 0, sentence.end, (), lines)
        self.memory.corrects, self.memory.freed = True, self.memory.unit
        return ClauseReading(sentence.start, sentence.past, Fate.NOT_TAKEN, error=error, retracts=1)

    def _kept_sentence(self, text: str, sentence: Sentence) -> ClauseReading | None:
        """A sentence that leaves orders as they are."""
        low, begin = text.lower(), first_word(text, sentence.start)
        words = low[begin : sentence.end].strip(" .,!;")
        if self.memory.answered and self.phrases.stay_replied.fullmatch(words):
            return self._reply_stays(text, sentence)
        if self.memory.answered and (match := self.phrases.keep_replied.fullmatch(words)):
            return self._reply_keeps(match, text, sentence)
        if self._keeps_all_but(text, sentence.start, sentence.end):
            return self._refused("negated", text, sentence.start, sentence.end)
        if self._keeps_or_holds(text, sentence.start, sentence.end):
            return self._refused("alternative", text, sentence.start, sentence.end)
        everything = self.memory.on_file and self.phrases.keep_everything.fullmatch(words)
        takes_back = self.phrases.cancel.match(low, begin)  # "Cancel Vienna, the others stay as they are"
        keeps = bool(everything or (takes_back is None and self.phrases.keep_sentence.match(low, begin)))
        without_bracket = " ".join(words.split()) if "  " in words else ""
        if not keeps and self.phrases.keep.fullmatch(without_bracket) is None:
            return None
        self.memory.unchanged |= self.own_places(text[: sentence.end], sentence.start)
        gone = slots_restored(self, text, sentence.start, (sentence.start, sentence.end))
        return ClauseReading(sentence.start, sentence.past, Fate.COMMAND, withdrawn=gone)

    def _keeps_all_but(self, text: str, start: int, end: int) -> bool:
        """Whether words keep all orders but those of units that they name: "everything but Warsaw stands"."""
        low = self.masked(text[:end], start)
        stays = self.phrases.keep_standing.search(low, start) or self.phrases.keep_unit.search(low, start)
        but = self.phrases.exception.search(low[: stays.start()], start) if stays is not None else None
        before = text[start : but.start()].strip(" ,") if but is not None else ""
        if stays is None or but is None or not before or self.own_places(text[: but.start()], start):
            return False
        if self.phrases.hold_all.search(low[: but.start()], start):  # "all hold, only Brest keeps its order"
            return False
        units = self.own_places(text[: stays.start()], but.end())
        return bool(units) and self.is_bare(text[: stays.start()], but.end(), stays.start())

    def _keeps_or_holds(self, text: str, start: int, end: int) -> bool:
        """Whether words may mean that a unit holds, or that its order on file stays: "Neapel und Rom stehen", where the
        letter orders nothing else. With the kind of unit they are an order.
        """
        if self.memory.orders or self.phrases.keep_or_hold.search(self.masked(text[:end], start), start) is None:
            return False
        units = self.own_places(text[:end], start)
        busy = {slot_province(order.slot) for order in self.memory.on_file if not isinstance(order, Hold)}
        types = [token.type for token in self.tokens(text, start, end)]
        alone = (
            {*types} <= {"PLACE", "SEP", "PLUS", "HOLD", "WORD", "TALK"}
            and types[:1] != ["TALK"]
            and types.count("WORD") <= SHORT_REMARK
        )
        return alone and bool(units) and units <= busy and len(units) == self.places(text, start, end)

    def _reply_keeps(self, match: re.Match[str], text: str, sentence: Sentence) -> ClauseReading:
        """ "Yes, that one stays" below a quoted order; "stays" alone may mean the unit as well, and does behind its
        name: "Hungary: stays".
        """
        if len(self.memory.answered.split()) == UNIT_ALONE:
            return self._reply_stays(text, sentence)
        if " " not in match.group() and not self.memory.answered.endswith(" H"):
            return self._refused("alternative", text, sentence.start, sentence.end)
        return ClauseReading(sentence.start, sentence.past, Fate.COMMAND)

    def _reply_stays(self, text: str, sentence: Sentence) -> ClauseReading:
        """ "Leave it where it is" below a quoted unit: it holds, unless another order of it is on file."""
        unit, given = self.memory.answered, (*self.memory.on_file, *self.memory.statements)
        others = [order for order in given if slot_province(order.slot) == province_of(unit)]
        if not self.legal(f"{unit} H") or any(not isinstance(order, Hold) for order in others):
            return self._refused("alternative", text, sentence.start, sentence.end)
        orders = self.orders_of([f"{unit} H"], text, sentence.start, sentence.end)
        self.note(orders)
        return self._order(sentence.start, sentence.past, orders)
