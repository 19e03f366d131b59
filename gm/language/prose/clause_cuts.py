"""Where the clauses of a sentence are cut apart or stay together, and where the reason in a clause begins."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain, islice

from msgspec.structs import replace

from gm.language.orders.parsing.lexer import Token
from gm.language.prose.clause_runs import Columns
from gm.language.prose.clauses import Sentence, blank, clauses, first_word
from gm.language.prose.corrections.swapping import SwapReader
from gm.language.prose.guesses.named_orders import BACKED_BY, PASSIVE, WITH_HELP
from gm.language.prose.guesses.plain_motion import MOTION
from gm.language.prose.mentions import AWAY, TOWARDS, mentions_of
from gm.language.prose.phrases.phrase_tables import fits_any
from gm.language.prose.readings import ReadOrders
from gm.language.prose.sentence_joins import MANNER
from gm.language.prose.shared_acts import pays_for, place_of_kind, says_hold, says_likewise
from gm.language.prose.stance import is_plain, reason_in
from gm.language.prose.stretches import STAKES, StretchReader

DASH = re.compile(r"\s-+\s")
MOST_DASHES = 6
"""Dashes in a clause, or words of manner, around which whole orders are sought: more than people write."""
HEAD = STAKES | {"WORD", "TALK", "NATION", "WHOLE", "FOR", "TO", "OF"}
"""Token types of words before a colon that belong to what stands behind: "Dips: three to back Vienna - Galicia"."""
LEADING = AWAY | TOWARDS | BACKED_BY | {"MINUS", "SUPPORT", "CONVOY", "VIA", "FOR", "OF", "NATION", "KIND"}
"""Types of tokens before a unit that is a goal, a helper or the object of a support."""
BESIDE_UNIT = frozenset({"KIND", "SEP"})
VERB_LAST = ["OF", "PLACE", "SUPPORT"]
"""Token types of "von Budapest unterstützt"."""
SHORT_REASON = 2
"""Words of a reason that goes on with the unit behind them."""
ARTICLE = re.compile(r"(\S+)\s+$")


class ClauseCutReader(SwapReader, frozen=True):
    def _reason(self, text: str, first: int, past: int, tokens: Sequence[Token]) -> Columns:
        """Where the reason of a clause stands; words that make the order whole are none: "sails for the Black Sea"."""
        keeps = self.phrases.keep.fullmatch(text[first:past].strip(" .,!").lower()) is not None
        if keeps or self._keeps(text, first, past) or self._kept(text, first, past):
            return past, past  # "Rest wie gehabt"
        if self._fears(text, first, past):
            return first, past
        alike = self.phrases.alike.search(text[:past].lower(), first)
        if alike is not None and says_likewise(alike) and self.own_places(text[: alike.start()], first):
            return past, past  # "Denmark does the same for the Russian in Sweden"
        who = self.phrases.relative.match(text[:past].lower(), first_word(text, first, past))
        if who and self.sheet.kind.holds and self.begins_with_act(text, who.end(), past):
            return past, past  # "Serbia props up Greece, who isn't going anywhere"
        listing = self.sheet.kind.lists_units
        because, end = reason_in(text, first, past, tokens, self.phrases, 2 if listing else 3)
        if because == past and (self.sheet.kind.holds or listing):
            return self._manner(text, first, past), past
        prefers = self.phrases.preferring.search(text[:end].lower(), because) and self.places(text, because, end)
        if because < end and (prefers or pays_for(self, text, because)):
            return past, past  # "one dip, to protect myself against Chile"
        cuts = first < because < end and self.sheet.kind.holds
        staked = cuts and self.is_staked(text[first:because])  # "the Swiss get two to help Munich": they are told so
        is_deed = staked or (cuts and not self.meant(text, first, because))
        if is_deed and self.guessed_orders(text, first, self._before_old(text, because, past), certain=not staked):
            return past, past
        return because, end

    def _manner(self, text: str, first: int, past: int) -> int:
        """Where words about a whole order begin that name nothing: "… under cover of darkness"."""
        tokens = self.tokens(text, first, past)
        if not {token.type for token in tokens} & {"PLACE", "KIND"}:
            return past
        low = text[:past].lower()
        matches = (islice(each.finditer(low, first), MOST_DASHES) for each in (self.phrases.manner, DASH))
        for match in chain.from_iterable(matches):
            begin = match.end() if match.re is DASH else match.start()
            words = {token.type for token in tokens if first + token.end_pos > begin}
            neutral = words and words <= MANNER and not self._takes_a_stance(low, match.start())
            if neutral and says_hold(self, text, begin, past):
                neutral = says_hold(self, text, first, match.start())
            opposed = self.phrases.objecting.search(match.group().lower()) is not None  # "against the Austrians"
            about_others = self._is_about_others(text, match.end(), past, 1 if opposed else 2)
            orders = self.orders_in(text, first, match.start()) if about_others or neutral else None
            if orders is not None and (about_others or orders.is_complete):
                return match.start()
        return past

    def _takes_a_stance(self, low: str, at: int) -> bool:
        """Whether words behind an order may take it back: "… - just kidding"."""
        phrases = self.phrases
        doubting = (
            phrases.retract, phrases.joke, phrases.hedge, phrases.reported, phrases.correction, phrases.instead,
            phrases.later, phrases.condition, phrases.limits, phrases.objecting,
        )  # fmt: skip
        return not is_plain(low, at, phrases) or fits_any(low, doubting, at)

    def _with_lists(self, text: str, cut: Sequence[Columns]) -> list[Columns]:
        """Units alone go on with the supports before them: "with support from Ukraine and Galicia"."""
        joined: list[Columns] = []
        for first, past in cut:
            before = {token.type for token in self.tokens(text, *joined[-1])} if joined else set()
            named = {"PLACE"} if self.sheet.kind.name == "dips" else set()  # "3 dips for Mexico: …"
            head = "POINTS" in before and before - named <= HEAD and text[joined[-1][1] : first].strip() == ":"
            units = [token.type for token in self.tokens(text, first, past)]
            listing = bool(joined) and self.is_listing(text, *joined[-1]) and self._is_country(text, first, past)
            fleets = bool(joined) and self._heads_fleets(text, joined[-1][0], first)
            fleets |= bool(before & BACKED_BY) and "POINTS" not in before
            if (
                head
                or listing
                or place_of_kind(self, text, joined, first, past)
                or (bool(joined) and {*units} == {"PLACE"} and self._gives_up_builds(text, *joined[-1]))
                or (bool(joined) and self._is_apposition(text, joined[-1], first, past))
                or (bool(joined) and self._help_together(text, joined[-1], first, past))
                or (fleets and {"PLACE"} <= {*units} <= {"KIND", "PLACE", "OF"})
            ):
                joined[-1] = joined[-1][0], past
            else:
                joined.append((first, past))
        return joined

    def _is_apposition(self, text: str, before: Columns, first: int, past: int) -> bool:
        """ "Vienna, | backed by Budapest, | to Galicia": a passive support behind a unit, or what that unit does."""
        beside = self.sheet.kind.holds and text[before[1] : first].strip().startswith(",")
        if not beside or not self.own_places(text[: before[1]], before[0]):
            return False
        unit = [token.type for token in self.plain_tokens(text, *before) if token.type not in BESIDE_UNIT]
        types = [token.type for token in self.plain_tokens(text, first, past)]
        passive = [*PASSIVE, "PLACE"], VERB_LAST, WITH_HELP
        if unit == ["PLACE"]:
            return types in passive
        goes = types[-1:] == ["PLACE"] and {*types[:-1]} <= MOTION
        return unit[:1] == ["PLACE"] and unit[1:] in passive and (goes or types == ["HOLD"])

    def _help_together(self, text: str, before: Columns, first: int, past: int) -> bool:
        """ "Vienna holds with Budapest | and Trieste propping it up": two units that help the one before them."""
        head = [token.type for token in self.plain_tokens(text, *before) if token.type not in BESIDE_UNIT]
        rest = [token.type for token in self.plain_tokens(text, first, past) if token.type not in BESIDE_UNIT]
        return self.sheet.kind.holds and head[-2:] == ["WITH", "PLACE"] and rest[:2] == ["PLACE", "SUPPORT"]

    def _gives_up_builds(self, text: str, start: int, end: int) -> bool:
        """Whether places alone behind a clause belong to it: "cancel Liverpool | and Edinburgh"."""
        if not self.sheet.kind.lists_units or not self.places(text, start, end):
            return False
        low = text[:end].lower()
        waives = any(token.type == "WAIVE" for token in self.tokens(text, start, end))
        return waives or self.phrases.cancel.match(low, first_word(text, start, end)) is not None

    def _with_corrections(self, text: str, cut: Sequence[Columns]) -> list[Columns]:
        """Words of correction with the clause behind them: "Ankara to Con, sorry, Ankara to Black Sea"; and words that
        an order stays as it was with the unit before: "Naples stays, as I sent it"; and "I take it all back" with what
        it is about.
        """
        joined: list[Columns] = []
        for first, past in cut:
            if joined and (
                self._says_as_before(text, *joined[-1], past) or self._limits_all(text, *joined[-1], first, past)
            ):
                joined[-1] = joined[-1][0], past
                continue
            before = text[joined[-1][0] : joined[-1][1]].lower().rstrip(" .,!-") if len(joined) > 1 else ""
            if before and self._correction(f"{before},", first_word(before, 0)) >= len(before):
                joined[-1] = joined[-1][0], past
            else:
                joined.append((first, past))
        return joined

    def _says_as_before(self, text: str, start: int, end: int, past: int) -> bool:
        """Whether the words up to the next end belong to what a unit does before it: "… stays, | as I sent it"."""
        low = text[:past].lower()
        match = self.phrases.as_before.search(low, start)
        return match is not None and match.start() < end < match.end() and not low[match.end() :].strip(" .!")

    def _limits_all(self, text: str, start: int, end: int, first: int, past: int) -> bool:
        """Whether words behind a clause that takes everything back say what of it: "…, the intercept I mean"."""
        low, phrases = text[:past].lower(), self.phrases
        if phrases.cancel_part.match(low, first_word(text, first, past)) is None:
            return False
        begin = first_word(text, start, end)
        head = phrases.cancel.match(low, begin)
        return phrases.cancel_all.fullmatch(low[head.end() if head else begin : end].strip(" .,!:;")) is not None

    def _at_dashes(self, text: str, start: int, end: int, tokens: Sequence[Token]) -> Iterator[Columns]:
        """A clause cut where whole orders or a correction stand behind a dash: "forget Galicia - Vienna to Bohemia"."""
        dashes = list(islice(DASH.finditer(text, start, end), MOST_DASHES)) if self.sheet.kind.holds else ()
        whole = self.whole_orders(text, start, end) if dashes else None
        for match in () if whole is not None and not whole.is_flawed else dashes:
            if text[start : match.start()].strip() and self._is_cut_at(match, text, start, end, tokens):
                yield start, match.start()
                yield from self._at_dashes(text, match.end(), end, tokens)
                return
        yield start, end

    def _is_cut_at(self, dash: re.Match[str], text: str, start: int, end: int, tokens: Sequence[Token]) -> bool:
        """Whether another clause stands behind a dash: orders, a correction, or one about a later phase."""
        low, begin = text[:end].lower(), first_word(text, dash.end(), end)
        corrects = self.places(text, start, dash.start()) > 1 and self._correction(low, begin)
        if corrects or self.phrases.later.match(low, begin):
            return True
        takes_back = self.phrases.cancel.match(low, first_word(text, start))
        if takes_back and self.left_behind(text, takes_back.end(), dash.start()) and not self.is_bare(text, begin, end):
            return True  # "take back the dips for Paris - Belgium will fall without them"
        behind_reason = self._reason(text, start, dash.start(), tokens)[0] < dash.start()
        own = bool(self.own_places(text[:end], dash.end()))
        because, _ = self._reason(text, dash.end(), end, tokens)
        return (behind_reason and own) or self._is_order_of_own(text, dash.end(), because)

    def _is_order_of_own(self, text: str, start: int, end: int) -> bool:
        """Whether a stretch is whole orders, or begins with a unit of the writer's and means one."""
        if self.whole_orders(text, start, end):
            return True
        tokens = self.tokens(text, start, end)
        named = mentions_of(tokens, self.context)
        acts = len(named) > 1 or any(token.type == "HOLD" for token in tokens)
        begins = bool(named) and named[0].unit is not None and acts
        return begins and self.guessed_orders(text, start, end) is not None

    def _at_units(self, text: str, start: int, end: int, tokens: Sequence[Token]) -> Iterator[Columns]:
        """A clause cut before a unit where whole orders stand on both sides and no sign between them: "wien nach
        galizien budapest nach serbien".
        """
        apart = self.sheet.kind.holds and not self.is_staked(text[start:end])
        borders = self._unit_borders(text, start, end) if apart else []
        several = not borders or self.speaks_of_several(text, start, end)
        whole = None if several else self.orders_in(text, start, end)
        if borders and (whole is None or whole.is_flawed):
            orders, statements = dict(self.memory.orders), list(self.memory.statements)
            scratch = replace(self, memory=replace(self.memory, orders=orders, statements=statements))
            for border in borders:
                ends = [past for past in (*borders, end) if past > border]
                sure = scratch.is_sure_part(text, start, border, tokens)
                if sure and scratch.goes_on_surely(text, border, ends, tokens):
                    yield start, border
                    start = border
        yield start, end

    def speaks_of_several(self, text: str, start: int, end: int) -> bool:
        """Whether a clause that looks like whole orders says more: "Vienna supports Budapest Trieste holds", "Naples as
        before Venice holds".
        """
        types = [token.type for token in self.tokens(text, start, end)]
        holds_last = types[-2:] == ["PLACE", "HOLD"] and "SUPPORT" in types
        return holds_last or self.phrases.as_before.search(text[:end].lower(), start) is not None

    def is_sure_part(self, text: str, start: int, end: int, tokens: Sequence[Token]) -> bool:
        """Whether a part of a clause is whole orders, which are remembered, or is about those on file."""
        if self._kept(text, start, end) or self.is_cancelling(text, start, end):
            return True
        read = self._orders_before_reason(text, start, end, tokens)
        if read is None:
            return False
        for line in self.lines(read.statements):
            self.memory.note(line)
        return True

    def is_cancelling(self, text: str, start: int, end: int) -> bool:
        """Whether a part takes the order of a unit back: "forget Vienna"."""
        cancel = self.phrases.cancel.match(text[:end].lower(), first_word(text, start, end))
        return cancel is not None and bool(self.units_meant(text, cancel.end(), end))

    def goes_on_surely(self, text: str, start: int, ends: Sequence[int], tokens: Sequence[Token]) -> bool:
        """Whether whole orders follow, or words that keep some."""
        read = any(self._orders_before_reason(text, start, end, tokens) is not None for end in ends)
        return read or bool(self._kept(text, start, ends[-1]))

    def _orders_before_reason(self, text: str, start: int, end: int, tokens: Sequence[Token]) -> ReadOrders | None:
        """The orders of a part, without what is wrong with any, and without the words why, which may belong to what
        follows: "… since nobody is there maybe | the fleet to Venice".
        """
        because, _ = reason_in(text, start, end, tokens, self.phrases)
        low = text[:end].lower()
        if self._is_doubted(low, start) or (because < end and self._takes_a_stance(low, because)):
            return None
        if because < end and len(low[because:].split()) <= SHORT_REASON:
            return None  # "to Ruhr um | Kiel zu decken"
        read = self.orders_in(text, start, because)
        return None if read is None or read.is_flawed else read

    def _is_doubted(self, low: str, start: int) -> bool:
        """Whether a part takes orders back, doubts or reports them: "A Vie heads for Boh is too risky"."""
        phrases = self.phrases
        doubting = (
            phrases.retract, phrases.joke, phrases.hedge, phrases.reported, phrases.later, phrases.cancel,
            phrases.cancelled, phrases.negated,
        )  # fmt: skip
        return fits_any(low, doubting, start)

    def _unit_borders(self, text: str, start: int, end: int) -> list[int]:
        """Where a unit may begin another order: before its article, and not behind a word that makes it a goal."""
        tokens = self.tokens(text, start, end)
        borders: list[int] = []
        last = None
        for mention in mentions_of(tokens, self.context):
            last, before = mention.unit, last
            at = start + tokens[mention.at].start_pos
            past = start + tokens[mention.at - 1].end_pos if mention.at else start
            types = [token.type for token in tokens[max(mention.at - 2, 0) : mention.at]]
            led = (mention.before in LEADING or types == ["TO", "HOLD"]) and not self.phrases.it.search(
                text[:at].lower(), past
            )
            if mention.unit is None or led or mention.unit == before:
                continue
            while (word := ARTICLE.search(text[start:at].lower())) and self.phrases.apposition.fullmatch(word[1]):
                at = start + word.start()
            borders.append(at)
        low = text[:end].lower()
        denied = {len(low[: match.end()].rstrip()) for match in self.phrases.negated.finditer(low, start)}
        return [at for at in borders if text[start:at].strip() and len(text[:at].rstrip()) not in denied]

    def _without_cancelled(self, low: str, start: int) -> str:
        """Without words for what is taken back: "withdraw what I ordered for Norway" reports nothing."""
        cancel = self.phrases.cancel.match(low, first_word(low, start))
        what = self.phrases.cancel_what.match(low, first_word(low, cancel.end())) if cancel is not None else None
        what = what or self.phrases.mistaken.search(low, start)
        return blank(low, *what.span()) if what is not None else low


def board_question(reader: StretchReader, text: str, sentence: Sentence, tokens: Sequence[Token]) -> int | None:
    """Where a question about the board begins in a sentence: behind the clauses that name other units of the writer's
    and places for them, "Osaka sails to the North Pacific, and Kyoto, what can Kyoto reach?". None where it has none.
    """
    start, end = sentence.start, sentence.end
    match = reader.phrases.about_board.search(text[:end].lower(), start)
    if match is None:
        return None
    asked = reader.own_places(text[:end], match.start())
    before = start
    for first, past in clauses(text, start, end, tokens, reader.phrases):
        subject = {code for codes in reader.places_in(text, first, past)[:1] for code in codes}
        if past > match.start() or asked & subject:
            break
        before = past if reader.orders_in(text, first, past, certain=False) else before
    return before
