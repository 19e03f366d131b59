"""The letter's orders about which its own words leave a doubt: they wait for a YES, and what they replace stays."""

from __future__ import annotations

from collections.abc import Set

from msgspec.structs import replace

from gm.judge.model.orders import slot_province
from gm.language.commands import requests
from gm.language.letter.doubts.builds_and_points import builds_and_points_in_doubt
from gm.language.letter.doubts.coasts_in_doubt import coasts_in_doubt
from gm.language.letter.doubts.denied_goals import denied_goals_in_doubt
from gm.language.letter.doubts.doubt_context import DoubtContext, Doubts
from gm.language.letter.doubts.events_added import events_added_in_doubt
from gm.language.letter.doubts.holds_in_doubt import holds_in_doubt
from gm.language.letter.doubts.orders_in_doubt import orders_in_doubt
from gm.language.letter.doubts.rival_orders import rival_orders_in_doubt
from gm.language.letter.doubts.second_thoughts import second_thoughts_in_doubt
from gm.language.letter.doubts.sentences_for_players import sentences_for_players_in_doubt
from gm.language.letter.doubts.versions_in_doubt import versions_in_doubt
from gm.language.letter.unread_words import UnreadWordsReader
from gm.language.lines.letter_contents import RequestLine
from gm.language.lines.lines import read_line
from gm.language.prose.coasts_apart import coasts_named
from gm.language.prose.phrases.prose_phrases import phrases_of
from gm.language.prose.phrases.word_lists import word_lists

LATER_DOUBTS = (
    versions_in_doubt,
    holds_in_doubt,
    coasts_in_doubt,
    denied_goals_in_doubt,
    builds_and_points_in_doubt,
    rival_orders_in_doubt,
    events_added_in_doubt,
    sentences_for_players_in_doubt,
    second_thoughts_in_doubt,
)
"""Each leaves fewer orders, and more errors, to those behind it."""


class DoubtsReader(UnreadWordsReader, kw_only=True):
    def _doubt_unread(self) -> None:
        if not self.orders or self.sheet is None:
            return
        doubts = self._doubts()
        rest = next((each for each in self.requests if isinstance(each.request, requests.HoldRestRequest)), None)
        if rest is not None and len(doubts.orders) < len(self.orders):
            self._hold_idle(rest)  # so that these holds wait as well
            doubts = self._doubts()
        waiting = {slot_province(order.statement.slot) for order in self.orders if order not in doubts.orders}
        self.orders, self.troubles = doubts.orders, doubts.troubles
        waiting -= {slot_province(order.statement.slot) for order in self.orders}
        for given in list(self.requests if waiting else ()):
            if isinstance(given.request, requests.ClearRequest):
                self._clear_without(given, waiting)

    def _doubts(self) -> Doubts:
        context = self._doubt_context()
        doubts = orders_in_doubt(self.orders, self.troubles, context)
        for in_doubt in LATER_DOUBTS:
            doubts = in_doubt(doubts, context)
        return doubts

    def _hold_idle(self, rest: RequestLine) -> None:
        """Orders in place of the request that all other units hold."""
        self.requests.remove(rest)
        busy = {slot_province(order.statement.slot) for order in self.orders}
        busy |= {slot_province(order.slot) for order in self.context.on_file()}
        units = self.context.position.units_of(self.context.power)
        idle = (unit for unit in units if unit.at.province not in busy)
        self.let_hold(read_line(rest.line, rest.text), idle, self.context.power)

    def _clear_without(self, given: RequestLine, kept: Set[str]) -> None:
        """What is taken back, but for these provinces."""
        on_file = (slot_province(order.slot) for order in self.context.on_file())
        request = given.request
        named = request.provinces if isinstance(request, requests.ClearRequest) else ()
        gone = tuple(each for each in dict.fromkeys(named or on_file) if each not in kept)
        at = self.requests.index(given)
        spared = request.spared if isinstance(request, requests.ClearRequest) else ()
        self.requests[at : at + 1] = [replace(given, request=requests.ClearRequest(gone, spared))] if gone else []

    def _doubt_context(self) -> DoubtContext:
        return DoubtContext(
            phrases_of(self.context.variant),
            self.written,
            self._says_stay,
            self._names_units,
            self._places_named,
            self._may_name,
            self._coasts_named,
            self._kinds_named,
            self.context.on_file(),
            self.heard.get,
            self.heard,
            self.shared,
            self.spans,
            self._own_provinces(),
            self.context.purse.amount,
            self.context.due.builds,
        )

    def _own_provinces(self) -> frozenset[str]:
        return frozenset(unit.at.province for unit in self.context.own_units)

    def _names_units(self, words: str) -> set[str]:
        """The province of the first unit of the writer's that words name, or other places, with those of units called
        by their kind, and powers.
        """
        tokens, own = self._tokens(words), self._own_provinces()
        places = [code for token in tokens if token.type == "PLACE" for code in token.value.provinces]
        units = [code for code in places if code in own]
        powers = {token.value for token in tokens if token.type == "NATION"}
        return {*(units[:1] or places), *self._acting(words), *powers}

    def _places_named(self, words: str) -> set[str]:
        return self._named(words) | {token.value for token in self._tokens(words) if token.type == "NATION"}

    def _may_name(self, words: str) -> set[str]:
        """The provinces that words name, and those of all units where they call one by its kind."""
        return self._named(words) | (self._own_provinces() if self._kinds_named(words) else set())

    def _coasts_named(self, words: str) -> set[str]:
        return coasts_named(words, self.sheet.scanner, phrases_of(self.context.variant)) if self.sheet else set()

    def _says_stay(self, low: str) -> bool:
        verbs = word_lists(self.context.variant.language).staying
        return not verbs.isdisjoint(low.split()) or any(token.type == "HOLD" for token in self._tokens(low))
