"""Reads a line that is not simply orders: what each of its clauses affirms, takes back or merely mentions.

Every stretch of the line gets one fate. An order counts where its clause affirms it and says nothing else that is not
understood. A clause that names a unit, a place with a word of order, or points, and does not count, is not taken: the
answer quotes it with the orders that it may mean.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from gm.judge.model.orders import slot_province
from gm.language.i18n.joining_words import AND
from gm.language.lines.spans import QUIET, Fate
from gm.language.orders.parsing.lexer import Token
from gm.language.orders.parsing.order_context import OrderWarning
from gm.language.prose.acts_of_wings import with_areas_listed
from gm.language.prose.asides import without_asides
from gm.language.prose.clause_cuts import ClauseCutReader, board_question
from gm.language.prose.clause_runs import Columns
from gm.language.prose.clauses import Sentence, blank, clauses, first_word, sentences
from gm.language.prose.coasts_apart import coast_named, with_coasts
from gm.language.prose.corrections.brackets import is_aside
from gm.language.prose.corrections.builds_corrected import with_correction_apart
from gm.language.prose.corrections.cancelled_together import ReadSentence, cancelled_in_brackets, cancelled_together
from gm.language.prose.corrections.corrected_goals import (
    goal_anew,
    goal_or_unit,
    or_goal_anew,
    provinces_spoken_of,
    with_denied_goals,
)
from gm.language.prose.corrections.doubts import BARE_NO, PLAIN_NO, SHORT_REMARK, UNWANTED
from gm.language.prose.corrections.open_corrections import retracting_its_own, with_last_in_doubt, with_order_in_doubt
from gm.language.prose.corrections.orders_meant import asked_about, note_doubt, slots_of_last, without_if_not
from gm.language.prose.corrections.other_goals import one_of_goals, or_other_goal
from gm.language.prose.corrections.restoring import restored
from gm.language.prose.corrections.rival_goals import without_rival_goals
from gm.language.prose.guesses.all_guesses import WHOLE_SENTENCES
from gm.language.prose.memory import unit_of
from gm.language.prose.one_and_other import several_in_turn
from gm.language.prose.proposals.unclear_parts import with_likely_orders
from gm.language.prose.readings import MOST_SUGGESTED, ClauseReading, ReadOrders, together
from gm.language.prose.rewording import (
    with_all_for_power,
    with_sign,
    with_signs,
    without_names_again,
    without_open_phase,
    without_rivals,
    without_smileys,
    without_units_of_others,
)
from gm.language.prose.shared_acts import SENTENCE_END, same_act, says_hold_alone, with_moves_supported
from gm.language.prose.stance import (
    ASKING,
    DENIED_OR_SAID,
    DOUBTS,
    OFFERS,
    STRUCK_PART,
    error_key,
    is_plain,
    stance_of,
    without_struck,
)
from gm.language.prose.unsure_lists import Clauses, lacks_replacement, unsure_list, with_rest

QUOTATION = re.compile(r"""\"[^"]*(?:"|$)|„[^“”"]*(?:[“”"]|$)|“[^”"]*(?:[”"]|$)|«[^»]*(?:»|$)|»[^«]*(?:«|$)""")
POSSESSIVE = re.compile(r"(?<=\w)(?<!\bthat)(?<!\bthere)(?<!\bit)(?<!\blet)(?:'s\b|(?<=s)'(?=\s))")
JOINED = re.compile(rf"\b(?:{AND})\b")
COLON = re.compile(r"(?: \w+){0,2} ?:")
"""The end of words about the orders behind them."""
INSTEAD = frozenset({"PLACE", "KIND", "TO", "ARROW", "MINUS"})
"""Types of the first word behind words of correction, where it says what comes instead."""


class ProseReader(ClauseCutReader, frozen=True):
    def read(self) -> Iterator[ClauseReading]:
        text = self._with_signs(without_struck(self.line.body))
        speeches = list(self._speeches(text))
        for speech in speeches:
            text = blank(text, *speech)
        tokens = self.sheet.scanner.scan(text)
        main, cut = sentences(text, tokens, self.phrases)
        cut = [part for sentence in cut for part in with_correction_apart(self, main, sentence, self._correction)]
        self._note_players(main, cut)
        if text.rstrip().endswith(":"):
            self.memory.holding = says_hold_alone(self, text, 0, text.rindex(":"))
            if self.memory.holding:
                self.memory.under_heading = False
                yield ClauseReading(0, len(text), Fate.HEADING)
                return
        every: list[ClauseReading] = []
        taken = 0
        before: ReadSentence | None = None
        waiting = deque(cut)
        while waiting:
            sentence = waiting.popleft()
            while waiting and (joined := self._with_deed(text, main, sentence, waiting[0])):
                main, sentence = joined
                waiting.popleft()
            whole = self._without_idle_no(text if sentence.bracketed else main, sentence)
            last = before[1] if before is not None and before[1].fate is Fate.ORDER else None
            goes_on = before is not None and (sentence.bracketed or before[0].mark in ("", "|"))
            trailing = last is not None and sentence.bracketed
            trailing = trailing or self._doubts_before(whole, sentence, last, goes_on=goes_on)
            remark = before is None and sentence.bracketed and len(whole[sentence.start : sentence.end].split())
            trailing |= 0 < remark <= SHORT_REMARK  # "(maybe)" below the orders
            if more := self._settles(whole, sentence, every, taken, before):
                every[-1:] = more
                continue
            asked, pending = self.memory.asked, self.memory.freed if self.memory.corrects else ""
            read = tuple(self._sentence(whole[: sentence.end], sentence._replace(trailing=trailing), tokens))
            readings = tuple(without_rival_goals(self, whole, tuple(with_likely_orders(self, whole, read))))
            readings = tuple(cancelled_together(self, whole, readings))
            readings = or_other_goal(self, whole, sentence, or_goal_anew(self, whole, sentence, readings))
            readings = with_order_in_doubt(self, whole, sentence, every, readings, pending)
            still_asked = sentence.bracketed or not (self.memory.asked or self.unit_at(asked) in self.memory.orders)
            self.memory.asked = asked if still_asked else self.memory.asked
            refuses = sentence.bracketed and self._is_no(whole, sentence)
            readings = retracting_its_own(self, whole, before and before[1], readings, says_no=refuses)
            taken = len(every)
            every += self._without_corrected(whole, sentence, readings, last, is_first=before is None)
            says_nothing = sentence.bracketed and readings and readings[-1].fate in QUIET
            before = (sentence, readings[-1]) if readings and not says_nothing else before
        every = with_last_in_doubt(self, main, every)
        settled: Sequence[ClauseReading] = self._settled(main, tuple(with_moves_supported(self, main, every)))
        if self.sheet.kind.is_one_order_per_line:
            settled = tuple(self._without_repeats(main, settled))
        yield from with_denied_goals(self, main, tuple(with_likely_orders(self, main, settled)))
        yield from (self.struck(*part.span()) for part in STRUCK_PART.finditer(self.line.body))
        yield from (ClauseReading(start, end, Fate.COMMENT) for start, end in speeches)

    def _settles(
        self, text: str, sentence: Sentence, every: Sequence[ClauseReading], taken: int, before: ReadSentence | None
    ) -> list[ClauseReading]:
        """The last clause so far and a sentence that only says more of it; [] for other sentences."""
        comment = ClauseReading(sentence.start, sentence.past, Fate.COMMENT)
        if listed := cancelled_in_brackets(self, text, sentence, before):
            return [replace(every[-1], fate=Fate.COMMENT, error=None), listed]
        fates = {each.fate for each in every[taken:]} if self._is_no(text, sentence) else set()
        if (Fate.COMMENT in fates and Fate.ORDER not in fates) or is_aside(self, text, sentence, every[taken:]):
            return [*every[-1:], comment]
        if self._settles_doubt(text, sentence, every):
            return [replace(every[-1], fate=Fate.COMMENT, error=None, retracts=0), comment]
        return []

    def _speeches(self, text: str) -> Iterator[Columns]:
        """Quotations behind words that another power says, or is told: 'Tell England: "Brest stays. Paris …"'."""
        past = 0
        for match in QUOTATION.finditer(text):
            ends = [end.end() for end in SENTENCE_END.finditer(text, past, match.start())]
            start = max([past, *ends])
            before = self.tokens(text, start, match.start())
            others = any(token.type == "NATION" and token.value not in self.context.powers for token in before)
            if others or self.phrases.reported.search(text[: match.start()].lower(), start):
                yield match.span()
            past = match.end()

    def _with_signs(self, text: str) -> str:
        text = with_sign(without_smileys(text), self.phrases.examples, "tbc")
        text = with_sign(text, self.phrases.asides, " ")
        head = len(text) if self.sheet.kind.holds else text.find(":") + 1  # "For the winter: armies in …"
        text = without_open_phase(text[:head], self.phrases.later, self.context) + text[head:]
        if self.sheet.kind.is_one_order_per_line:
            text = text.replace(";", ",")
        text = POSSESSIVE.sub(lambda match: " " * len(match.group()), text)
        text = without_names_again(text, self.sheet.scanner)
        if self.sheet.kind.holds:
            text = with_all_for_power(text, self.sheet.scanner, self.context)
            text = without_units_of_others(text, self.sheet.scanner, self.context, self.is_staked)
        for signs in self.signs_here:
            text = with_signs(text, signs)
        text = with_areas_listed(text, self.sheet, self.context.variant.language)
        board = self.context.position.board
        text = with_coasts(text, self.sheet.scanner, board, self.phrases, provinces_spoken_of(self))
        self.memory.ashore = coast_named(text, self.sheet.scanner)
        if self.sheet.kind.is_one_order_per_line:
            return self._with_sentences_joined(text)
        if not self.sheet.kind.holds:
            return text
        digits = self.sheet.kind.numbers_in_front  # "Austria 2 S A Mun": no "2" for "to"
        return with_signs(text, self.phrases.phone, but=">" if digits else "")

    # ---- a sentence

    def _sentence(self, text: str, sentence: Sentence, tokens: Sequence[Token]) -> Iterator[ClauseReading]:
        start, phrases = sentence.start, self.phrases
        low = text.lower()
        begin = first_word(text, start)
        if about_letter := self._about_letter(text, sentence):
            yield about_letter
            return
        is_of_letter = self.memory.orders or not phrases.cancel.match(low, begin)  # "cancel all that": what is on file
        if is_of_letter and (match := self._about_all(phrases.retract_letter, text, begin, sentence.end)):
            self.memory.corrects = True
            yield ClauseReading(start, match.end(), Fate.COMMAND, retracts=-1)
            yield from self._rest(text, match.end(), sentence.past)
            return
        if done := self._counted_out(text, start, sentence.end) or several_in_turn(self, text, sentence):
            yield done
            if text[done.end : sentence.end].strip(" .,!"):
                yield from self._sentence(text, sentence._replace(start=done.end), tokens)
            return
        if self._is_no(text, sentence) and self.memory.order:
            yield from self._corrected(text, start, sentence.end, sentence.end)
            return
        if whole := self._exchanged(text, sentence) or self._about_several(text, sentence):
            yield whole
            return
        if match := phrases.retract.fullmatch(low[begin:].strip(" .,!~-")):
            yield self._retraction(match, start, sentence.past)
            return
        if past := self._label(text, begin, sentence.end) or self._past_dash(low, start):
            text = blank(text, start, past)
            begin, low = past, text.lower()
        corrects = self._correction(low, begin)
        if corrects and self._is_bare_no(text, begin, corrects, sentence):
            yield self._refused("negated", text, start, sentence.end)
            return
        if corrects and not self.places(text, corrects, sentence.end) and self._denies(text[corrects : sentence.end]):
            yield from self._corrected(text, begin, corrects, sentence.end)
            return
        if corrects and (meant := goal_or_unit(self, text, corrects, sentence.end)):
            yield self._meant_by_place((self.memory.order, *meant), text, start, sentence.end)  # "Oh no, Vienna!"
            return
        if corrects:
            if not phrases.keep.fullmatch(low[corrects : sentence.end].strip(" .,!;")):  # "sorry, no other changes"
                self.memory.corrects, self.memory.freed = True, self.memory.freed or self.memory.unit
            text = blank(text, start, len(text) - len(text[corrects:].lstrip(" ,")))
            if not text[start:].strip(" .,!?-"):
                yield ClauseReading(start, sentence.past, Fate.TALK)
                return
        self.memory.corrects |= self._replaces_orders(text, sentence)
        if sentence.bracketed and not self.places(text, start, sentence.end) and self._takes_back(low, begin):
            body = self.line.body
            lines = together(tuple(self.memory.orders.values())) if self.memory.orders else ()
            error = OrderWarning(error_key("hedge"), 0, len(body.rstrip()), (), lines)
            yield ClauseReading(start, sentence.past, Fate.NOT_TAKEN, error=error, retracts=1)
            return
        if sentence.bracketed and not self.memory.label and (doubled := self._doubled(text, sentence)):
            yield doubled
            return
        readings = self._stated(text, sentence, tokens)
        says_no = bool(PLAIN_NO & {*self.line.body[start:corrects].lower().replace(",", " ").split()})
        yield from self._in_place_of_order(text, sentence, tuple(readings), says_no=says_no) if corrects else readings

    def _not_the_last(self, text: str, sentence: Sentence) -> Sequence[ClauseReading]:
        """ "Ionian to the Adriatic … actually no, I had it right the first time: Aegean": the last order does not
        count, where its unit can go to a place that is named.
        """
        last, tokens = self.memory.order, self.tokens(text, sentence.start, sentence.end)
        headed = (token for token in tokens[-1:] if text[: sentence.start + token.start_pos].rstrip().endswith(":"))
        places = [token.value.text for token in headed if token.type == "PLACE"]
        slots = slots_of_last(self)
        lines = tuple(line for place in places for line in self.legal(f"{unit_of(last)} - {place}") if line != last)
        if not (slots and lines) or self.own_places(text[: sentence.end], sentence.start) - {self.memory.place}:
            return ()
        error = OrderWarning(error_key(""), first_word(text, sentence.start, sentence.end), sentence.end, (), lines)
        return (ClauseReading(sentence.start, sentence.past, Fate.NOT_TAKEN, error=error, withdrawn=slots),)

    def _in_place_of_order(
        self, text: str, sentence: Sentence, readings: Sequence[ClauseReading], *, says_no: bool
    ) -> Sequence[ClauseReading]:
        """A sentence behind words of correction. Where it is not taken and says what the unit before does instead, the
        order before does not count either: "… No, rather Bohemia if Germany lets me".
        """
        start, end, last = sentence.start, sentence.end, self.memory.order
        settled = any(reading.is_settled for reading in readings)
        if says_no and not settled and (other := self._not_the_last(text, sentence)):
            return other
        words = [token.type for token in self.plain_tokens(text, start, end)]
        depends = self.phrases.condition.search(text[:end].lower(), start) is not None
        if not (depends and words and words[0] in INSTEAD):  # "Actually, Austria wants Trieste"
            return readings
        slots = slots_of_last(self)
        if not slots or any(reading.fate not in (Fate.TALK, Fate.NOT_TAKEN, Fate.REASON) for reading in readings):
            return readings
        error = next((reading.error for reading in readings if reading.error is not None), None)
        proposed = error.suggestions if error is not None else ()
        lines = self.without_known(proposed or self.suggestions(text, start, end))
        if not lines or any(self.sheet.kind.holds and unit_of(line) != unit_of(last) for line in lines):
            return readings
        note_doubt(self, text, start, end, in_passing=False)
        error = error or OrderWarning(error_key(""), first_word(text, start, end), end, (), lines)
        return (ClauseReading(start, sentence.past, Fate.NOT_TAKEN, error=error, withdrawn=slots),)

    def _label(self, text: str, begin: int, end: int) -> int:
        """Where words end that say what the orders behind their colon are: "Draft:", "these are only ideas so far:"; 0
        where there are none.
        """
        low = text.lower()
        for label, pattern in self.phrases.labels:
            if match := pattern.match(low, begin):
                self.memory.label = self.memory.stance(label, match.group(), self.phrases)
                self.memory.corrects |= label == "" and bool(self.memory.orders)  # "Vie - Gal. Correction: Vie - Boh"
                return match.end()
        doubted = self.phrases.doubt_letter.search(low[:end], begin)
        mark = COLON.match(low, doubted.end()) if doubted is not None else None
        if mark is None or self.places(text, begin, mark.end()):
            return 0
        self.memory.label = "hedge"
        return mark.end()

    def _about_letter(self, text: str, sentence: Sentence) -> ClauseReading | None:
        """A sentence about all orders of the letter: earlier ones stand instead, or these do not count yet."""
        if going_back := restored(self, text, sentence):
            return going_back
        begin = first_word(text, sentence.start)
        doubted = self._about_all(self.phrases.doubt_letter, text, begin, sentence.end)
        if not doubted and self.memory.has_versions and not self.places(text, begin, sentence.end):
            words = text[begin : sentence.end].lower()  # "Haven't decided!", "Please use what I had on Monday"
            doubted = self.phrases.undecided.search(words) or self.phrases.option_unnamed.match(words)
        return self._letter_doubted(sentence.start, sentence.past) if doubted else None

    def _without_reasons_going_on(self, text: str, cut: Sequence[Columns], reasons: Sequence[Columns]) -> str:
        """Without clauses about nothing of the writer's behind a reason: "…, because then both Holland | and Belgium
        are within reach next season" is no plan for later.
        """
        explains, before = False, 0
        for (first, past), (because, end) in zip(cut, reasons, strict=True):
            joined, before = JOINED.search(text[before : first_word(text, first)].lower()), past
            goes_on = explains and joined and because >= past and not self.own_places(text[:past], first)
            if goes_on and not self.begins_with_act(text, first, past):
                text = blank(text, first, past)
            else:
                explains = because < end and not text[end:past].strip(" .,;!")
        return text

    def _is_bare_no(self, text: str, begin: int, past: int, sentence: Sentence) -> bool:
        """Whether "no" stands before an order of a unit that has none to correct: "no army Vienna to Galicia"."""
        units = self.own_places(text[: sentence.end], sentence.start)
        ordered = {slot_province(order.slot) for order in self.memory.statements}
        bare = text[begin:past].lower() in PLAIN_NO and BARE_NO.match(text.lower(), begin) is not None
        return self.sheet.kind.holds and bare and bool(units) and not units & ordered

    def _stated(self, text: str, sentence: Sentence, tokens: Sequence[Token]) -> Iterator[ClauseReading]:
        """A sentence without the words of correction, retraction or heading in front."""
        start, phrases = sentence.start, self.phrases
        if "?" in sentence.mark and (asked := board_question(self, text, sentence, tokens)) is not None:
            yield from self._beside_question(text, sentence, asked, tokens)
            return
        request = phrases.request.match(text.lower(), first_word(text, start))
        if request and not phrases.later.search(text.lower(), start):
            text, sentence = blank(text, start, request.end()), sentence._replace(mark=sentence.mark.replace("?", ""))
        text = without_if_not(self, text, start)
        units = {unit.at.province for unit in self.context.own_units}
        text = without_rivals(text, start, sentence.end, tokens, phrases.rival, units)
        text, clauses_of = without_asides(self, text, clauses(text, start, sentence.end, tokens, phrases))
        cut = self._cut_further(text, clauses_of, tokens)
        reasons, bare = [self._reason(text, first, past, tokens) for first, past in cut], text
        for reason in reasons:
            bare = blank(bare, *reason)
        masked = self.masked(self._without_reasons_going_on(bare, cut, reasons), start)
        heading = self.memory.section or self.memory.label or ("reported" if start in self.memory.promised else "")
        stance = heading or stance_of(self._without_cancelled(masked, start), sentence, phrases)
        stance = stance or ("condition" if self._goes_on_with_condition(start) else "")
        if stance:
            yield from self._unsettled(stance, masked, bare, sentence, cut, reasons)
        elif len(cut) == 1 and (new := self._before_new(bare, start, first_word(bare, start), sentence.end)):
            yield from self._becomes(bare, start, new, sentence.end)
        elif other := (
            self._support_to(bare, start, sentence.end)
            or goal_anew(self, text, start, sentence.end)
            or (self._other_goal(bare, start, sentence.end) if len(cut) == 1 else None)
        ):
            yield other
        elif same := self._same_as_before(bare, start, sentence.end):
            self.note(same)
            yield self._order(start, sentence.past, same)
        elif (listing := self._is_list(bare, start, cut)) and self._is_refused(
            guessed := self.guess(bare, start, sentence.end, is_sentence=True), bare, cut
        ):
            yield self._refused("alternative", bare, start, sentence.end)
        elif listing and guessed is not None and guessed.certain:
            listed = self.orders_guessed(guessed, bare, start, sentence.end)
            yield from self._taken(listed, start, sentence.past, reasons)
        elif (
            is_plain(masked, start, phrases)
            and not self._corrects_inside(bare, cut)
            and not any(self._kept(bare, *columns) for columns in cut)
            and (whole := self.whole_orders(bare, start, sentence.end))
            and not (whole.is_flawed and len(cut) > 1)
        ):
            yield from self._taken(whole, start, sentence.past, reasons)
        elif self._shares_the_rest(bare, cut) or (
            len(cut) > 1 and lacks_replacement(self, bare, self._tried(bare, cut, reasons))
        ):
            yield self._refused("", bare, start, sentence.end)
        elif listing and len(cut) > 1:
            tried = self._tried(bare, cut, reasons)
            unsure = unsure_list(self, bare, sentence, guessed, tried)
            yield from [unsure] if unsure else with_rest(self, guessed, tuple(self._clauses(bare, cut, reasons)))
        else:
            yield from self._clauses(bare, cut, reasons)

    def _beside_question(
        self, text: str, sentence: Sentence, asked: int, tokens: Sequence[Token]
    ) -> Iterator[ClauseReading]:
        if asked > sentence.start:
            cut = clauses(text, sentence.start, asked, tokens, self.phrases)
            yield self._not_counted("question", text, sentence._replace(end=asked, past=asked), cut)
        yield ClauseReading(asked, sentence.past, Fate.TALK)

    def _goes_on_with_condition(self, start: int) -> bool:
        """ "If the Germans go for the Czechs, all three on Austria. Otherwise all three on Yugoslavia."."""
        body = self.line.body  # with its own words for asides: "otherwise all …"
        if self.phrases.otherwise.match(body.lower(), first_word(body, start)) is None:
            return False
        before = SENTENCE_END.split(body[:start].rstrip(" .!?;"))[-1]
        return self.phrases.condition.search(before.lower()) is not None

    def _tried(self, text: str, cut: list[Columns], reasons: list[Columns]) -> Clauses:
        return lambda memory: replace(self, memory=memory)._clauses(text, cut, reasons)

    def _cut_further(self, text: str, clauses_of: Sequence[Columns], tokens: Sequence[Token]) -> list[Columns]:
        """The clauses of a sentence, with lists whole, and cut at dashes, corrections and units as well."""
        with_lists = self._with_included(text, self._with_convoys(text, self._with_lists(text, clauses_of)))
        dashed = [columns for first, past in with_lists for columns in self._at_dashes(text, first, past, tokens)]
        corrected = self._with_corrections(text, dashed)
        return [columns for first, past in corrected for columns in self._at_units(text, first, past, tokens)]

    def _same_as_before(self, text: str, start: int, end: int) -> ReadOrders | None:
        """ "So must Naples": units alone that share the fate of the one before, on a sheet that lists units."""
        alike = self.phrases.alike.search(text[:end].lower(), start) if self.sheet.kind.lists_units else None
        return same_act(self, text, start, end, alike) if alike is not None else None

    def _is_list(self, text: str, start: int, cut: Sequence[Columns]) -> bool:
        """Whether the clauses of a sentence are read together: those of a list of bids, builds or units."""
        if self.sheet.kind.name not in WHOLE_SENTENCES:
            return False
        if self.sheet.kind.takes_preferences and self._corrects_inside(text, cut):
            return False
        holds = self.sheet.kind.holds and not self.is_staked(text)
        low = self.stance_words(text, start, len(text)) if self.sheet.kind.numbers_in_front else text.lower()
        return is_plain(low, start, self.phrases, holds=holds)

    def _unsettled(
        self, stance: str, masked: str, text: str, sentence: Sentence, cut: list[Columns], reasons: list[Columns]
    ) -> Iterator[ClauseReading]:
        """A sentence with words of doubt: the clauses that they do not concern are orders."""
        left = self._left_open(masked, text, cut) if stance == "alternative" and not self.memory.section else None
        if sure := self._sure_before(stance, masked, text, cut) if left is None else left:
            yield from self._clauses(text, cut[:sure], reasons[:sure])
            sentence = sentence._replace(start=cut[sure][0])
        own = 1 if left is not None else self._own_behind(stance, masked, text, cut[sure:])
        if sure + own < len(cut) and own:
            end = cut[sure + own][0]
            yield self._not_counted(stance, text, sentence._replace(end=end, past=end), cut[sure : sure + own])
            yield from self._clauses(text, cut[sure + own :], reasons[sure + own :])
        else:
            yield self._not_counted(self._of_open_choice(stance, text, sentence), text, sentence, cut[sure:])

    def _not_counted(self, stance: str, text: str, sentence: Sentence, cut: Sequence[Columns]) -> ClauseReading:
        """A sentence whose orders do not count now: quoted with them, or talk where it names none."""
        start, end = sentence.start, sentence.end
        if stance in ASKING and (named := self._units_asked_of(text, start, end)):
            if stance == "question" and self.memory.place not in named:
                self.memory.order = self.memory.unit = ""  # "Should Burgundy go to Ruhr? No, hold."
            self.memory.asked = asked_about(self, text, start, end, named)
            self.memory.unit = self.memory.unit or self.unit_at(self.memory.asked)
        if stance == "old":
            return ClauseReading(start, sentence.past, Fate.COMMENT)
        if stance == "reported" and len(units := self.own_places(text[:end], start)) == 1:
            self.memory.freed = self.unit_at(units.pop())  # "I told them Munich goes to Ruhr, but it's Burgundy."
        offers = stance in OFFERS and self.phrases.alternative.match(text.lower(), first_word(text, start))
        if offers and not self.own_places(text[:end], start) and (choice := one_of_goals(self, text, start, end)):
            return choice  # "It goes to Budapest. Or Trieste, I don't mind."
        doubts = stance in DOUBTS and sentence.trailing and not self.memory.section
        waits = self.is_put_off(stance, text, start, end)
        short = stance == "hedge" or len(text[start:end].split()) <= SHORT_REMARK
        leaves = short and self.sheet.kind.takes_preferences and self.meant_lines(text, start, end)
        names = self.names_something(text, start, end) or self.names_nearly(text, start, end)
        if not (doubts or waits or leaves or names):
            return ClauseReading(start, sentence.past, Fate.TALK)
        wanted = [(first, self._before_old(text, first, past)) for first, past in cut]
        lines = list(self._meant_together(text, wanted)) or list(self._meant_together(text, cut))
        asks_of_moves = stance == "question" and not self.sheet.kind.numbers_in_front
        lines = list(self.without_known(lines)) if stance in DENIED_OR_SAID or asks_of_moves else lines
        if not lines and self.sheet.kind.is_one_order_per_line:
            lines += self.suggestions(text, start, end)
        unwanted = stance in UNWANTED or self.phrases.negated.search(self.stance_words(text, start, end), start)
        suggested = () if unwanted or not lines else together(lines)
        if stance == "alternative":
            every = self.suggestions(text, start, end)
            lines = [*every] if len(every) > len(lines) else lines  # "torn between Gascony and Marseilles"
            suggested = tuple(lines or self.choices(text, start, end))[:MOST_SUGGESTED]
        if doubts and (not suggested or (stance == "condition" and not sentence.bracketed)):
            suggested = together(self.memory.latest) if self.memory.latest else ()
            start = 0
            self.memory.freed = self.memory.unit
        in_passing = not suggested and not waits and self.places(text, start, end) < 2
        key = "named-in-passing" if in_passing else error_key(stance)
        note_doubt(self, text, start, end, in_passing=in_passing)
        error = OrderWarning(key, start, end, (), suggested)
        return ClauseReading(sentence.start, sentence.past, Fate.NOT_TAKEN, error=error, retracts=int(doubts))
