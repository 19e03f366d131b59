"""Words that exchange two orders before them: "one point for Finland and two for Persia. No, the other way round"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from gm.judge.mechanics.influence.bid_orders import Bid
from gm.judge.model.orders import Allocate, Build, Slot, Statement, UnitOrder, slot_province
from gm.language.lines.spans import Fate
from gm.language.orders.parsing.lexer import Token
from gm.language.orders.parsing.order_context import OrderWarning
from gm.language.prose.clauses import Sentence, blank, first_word
from gm.language.prose.corrections.corrected_goals import rewritten_goal
from gm.language.prose.guesses.clause import NAMES
from gm.language.prose.memory import unit_of
from gm.language.prose.readings import ClauseReading, ReadOrders
from gm.language.prose.sentence_joins import SentenceJoinReader
from gm.language.prose.stance import error_key, stance_of

NUMBER = re.compile(r"\d+")
PAIR = 2
DOUBTING = frozenset({"question", "hedge", "alternative", "fallback"})
"""Stances of words that leave open which of two orders is meant."""


class SwapReader(SentenceJoinReader, frozen=True):
    def _exchanged(self, text: str, sentence: Sentence) -> ClauseReading | None:
        """A sentence that says nothing but that the two orders before it are meant the other way round; it may repeat
        them so. None for any other sentence.
        """
        swapped = self._orders_swapped(text, sentence) or self._lines_swapped(text, sentence)
        if other := swapped or rewritten_goal(self, text, sentence):
            return other
        start, end = sentence.start, sentence.end
        low, begin = text[:end].lower(), first_word(text, start, end)
        match = self.phrases.swapped.search(low, begin)
        pair = self._pair() if match is not None else ()
        if match is None or not (pair or self.memory.statements):
            return None
        bare = blank(blank(text, *match.span()), begin, max(begin, self._correction(low, begin)))
        stance = self.memory.section or self.memory.label or stance_of(bare.lower(), sentence, self.phrases)
        if not stance and self._says_more(text, low, begin, match):
            return None
        if not pair:
            says_more = stance or self.plain_tokens(text, match.end(), end)
            return None if says_more else self._all_doubted(start, end)
        if self.phrases.negated.search(bare[:end].lower(), start) or stance not in DOUBTING | {"", "condition"}:
            return None
        lines = self._exchange(pair)
        slots = tuple(order.slot for order in pair)
        orders = None if stance else self._in_other_words(text, match.end(), end, pair)
        if lines and not stance and self._agrees(text, match.end(), end, lines):
            orders = self.orders_of(lines, text, start, end)
        if orders is not None:
            return self._in_place_of(slots, orders, start, end)
        rejected = not stance and not lines
        choices = () if rejected else tuple("\n".join(each) for each in (self.lines(pair), lines) if each)
        self.memory.statements = [order for order in self.memory.statements if order not in pair]
        self.memory.is_doubted = True
        error = OrderWarning(error_key("" if rejected else "alternative"), begin, end, (), choices)
        return ClauseReading(start, end, Fate.NOT_TAKEN, error=error, withdrawn=slots)

    def _orders_swapped(self, text: str, sentence: Sentence) -> ClauseReading | None:
        """ "Swap the orders of Moscow and Warsaw", "Warsaw gets the order of Moscow"."""
        start, end = sentence.start, sentence.end
        named = self.own_places(text[:end], start)
        match = self.phrases.swapped_orders.search(text[:end].lower(), start) if self.sheet.kind.holds else None
        if match is None or len(named) != PAIR:
            return None
        if self._is_unsure_of(text, sentence):
            return self._unclear(text, start, end)
        mutual = self.places(text, match.start(), end) >= PAIR
        mutual |= self.phrases.swapped.search(text[:end].lower(), start) is not None
        if not mutual and self.places(text, start, match.start()) == PAIR:  # "Vienna and Tyrolia swap roles"
            if self.places(text, match.end(), end):
                return None
            mutual = True
        given = {slot_province(order.slot): order for order in (*self.memory.on_file, *self.memory.statements)}
        pair = tuple(order for province, order in given.items() if province in named)
        lines = self._exchange(pair) if mutual and len(pair) == PAIR else ()
        if not lines:
            return self._unclear(text, start, end)
        slots = tuple(order.slot for order in pair)
        return self._in_place_of(slots, self.orders_of(lines, text, start, end), start, end)

    def _is_unsure_of(self, text: str, sentence: Sentence) -> bool:
        """Whether words deny something, report it or leave it open; "could you …?" asks for it."""
        low = text[: sentence.end].lower()
        because = self.phrases.reason.search(low, sentence.start)
        if because is not None and because.start() > first_word(low, sentence.start):
            low = low[: because.start()]
        request = self.phrases.request.match(low, first_word(text, sentence.start))
        mark = sentence.mark.replace("?", "") if request is not None else sentence.mark
        bare = blank(low, *request.span()) if request is not None else low
        if stance_of(bare, sentence._replace(mark=mark, end=len(bare)), self.phrases):
            return True
        return self.phrases.negated.search(bare, sentence.start) is not None

    def _lines_swapped(self, text: str, sentence: Sentence) -> ClauseReading | None:
        """ "Swap lines 3 and 4", of the letter."""
        start, end = sentence.start, sentence.end
        match = self.phrases.swapped_lines.search(text[:end].lower(), start)
        numbers = [int(number) for number in NUMBER.findall(match.group())] if match is not None else []
        pair = tuple(order for at, order in enumerate(self.memory.statements, 1) if at in numbers)
        if len(pair) != PAIR:
            return None
        slots = tuple(order.slot for order in pair)
        lines = self._exchange(pair)
        if not lines:
            return replace(self._unclear(text, start, end), withdrawn=slots)
        return self._in_place_of(slots, self.orders_of(lines, text, start, end), start, end)

    def _in_place_of(self, slots: tuple[Slot, ...], orders: ReadOrders, start: int, end: int) -> ClauseReading:
        """The orders that words give, where those of these slots no longer count."""
        orders = replace(orders, withdrawn=slots)
        self.note(orders)
        self.memory.corrects = True
        return self._order(start, end, orders)

    def _unclear(self, text: str, start: int, end: int) -> ClauseReading:
        error = OrderWarning(error_key(""), first_word(text, start, end), end)
        return ClauseReading(start, end, Fate.NOT_TAKEN, error=error)

    def _says_more(self, text: str, low: str, begin: int, match: re.Match[str]) -> bool:
        """Whether other words than those of correction stand in front."""
        corrects = max(begin, self._correction(low, begin))
        return corrects < match.start() and bool(
            self.plain(text, corrects, match.start())[corrects : match.start()].strip(" .,:;!-")
        )

    def _in_other_words(self, text: str, start: int, end: int, pair: Sequence[Statement]) -> ReadOrders | None:
        """The orders of the same units that stand behind, whatever the exchange would be: "swap them: Bur-Gas, …"."""
        start = first_word(text, start, end) + (text[first_word(text, start, end) : end][:1] in (":", ",", "-"))
        orders = self.orders_in(text, start, end) if self.places(text, start, end) else None
        if orders is None or orders.is_flawed or any(isinstance(order, Allocate | Bid) for order in pair):
            return None
        return orders if {order.slot for order in orders.statements} == {order.slot for order in pair} else None

    def _pair(self) -> tuple[Statement, ...]:
        """The only two orders of points in the letter, or on file; else the last two of units."""
        every = tuple(self.memory.statements or self.memory.on_file)
        for family in (Allocate, Bid):
            if any(isinstance(order, family) for order in every[-1:]):
                own = tuple(order for order in every if isinstance(order, family))
                return own if len(own) == PAIR else ()
        last = tuple(self.memory.statements[-PAIR:])
        alike = any(all(isinstance(order, kind) for order in last) for kind in (UnitOrder, Build))
        return last if len(last) == PAIR and alike else ()

    def _exchange(self, pair: Sequence[Statement]) -> tuple[str, ...]:
        """Canonical lines with the points of the two, or with their units, exchanged; () where these are not legal."""
        first, second = pair
        if isinstance(first, Allocate | Bid) and isinstance(second, Allocate | Bid):
            swapped = replace(first, points=second.points), replace(second, points=first.points)
            texts: Sequence[str] = self.lines(swapped)
        elif isinstance(first, Build) and isinstance(second, Build):
            places = first.unit.at.province, second.unit.at.province
            kinds = second.unit.kind, first.unit.kind
            texts = [f"Build {kind} {place}" for kind, place in zip(kinds, places, strict=True)]
        else:
            lines = self.lines(pair)
            mover, other = map(unit_of, lines)
            texts = [
                " ".join(line.replace(mover, "\0").replace(other, mover).replace("\0", other).split()) for line in lines
            ]
        legal = [self.legal(each) for each in texts]
        return tuple(line for each in legal for line in each) if all(legal) else ()

    def _agrees(self, text: str, start: int, end: int, lines: Sequence[str]) -> bool:
        """Whether what stands behind says nothing, or the same as these lines."""
        rest = self.plain_tokens(text, start, end)
        if not any(token.type not in ("SEP", "MINUS") for token in rest):
            return True
        numbers = [str(token.value) for token in rest if token.type == "NUMBER"]
        if not numbers:
            return bool(meant := self.meant_lines(text, start, end)) and {*meant} <= {*lines}
        return numbers == [str(points) for points in self._points_of(rest, lines)]

    def _points_of(self, tokens: Sequence[Token], lines: Sequence[str]) -> Iterator[int]:
        """The points that the lines have for the powers named, in their order."""
        orders = [order for line in lines for each in self.sheet.read(line, self.context) for order in each.statements]
        minors = self.context.variant.minors
        for token in tokens:
            codes = {token.value} if token.type == "NATION" else {*getattr(token.value, "provinces", ())}
            named = {minor.name for minor in minors if codes & {minor.name, minor.home, *minor.homes}}
            if token.type in NAMES:
                yield from (
                    order.points for order in orders if isinstance(order, Allocate | Bid) and order.minor in named
                )
