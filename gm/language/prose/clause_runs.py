"""Reads the clauses of a sentence that affirms its orders: one by one, or several together.

"A Par, A Mar and A Gas S A Mun" is one order of each of three units; "Budapest, which goes to Serbia" is one of two
clauses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from gm.judge.model.orders import Hold, UnitOrder, slot_province
from gm.language.lines.spans import Fate
from gm.language.orders.parsing.lexer import HELPS
from gm.language.prose.clause_reader import ClauseReader
from gm.language.prose.clauses import blank, first_word
from gm.language.prose.corrections.other_goals import goal_alone, goal_preferred, one_of_goals
from gm.language.prose.corrections.restoring import slots_restored
from gm.language.prose.guesses.all_guesses import LISTS
from gm.language.prose.guesses.named_orders import without_coast
from gm.language.prose.memory import province_of, unit_of
from gm.language.prose.mentions import INTO
from gm.language.prose.readings import ClauseReading, ReadOrders
from gm.language.prose.shared_acts import held_list, same_act, says_hold, shared_act, units_alone, units_of_kind
from gm.language.prose.stance import is_plain

HELPING = (["SUPPORT"], ["CONVOY"])
"""What a clause begins with that says whom a unit helps."""
MOST_JOINED = 4
"""Most clauses that together make one order: "A Par, A Mar and A Gas S A Mun"."""

Columns = tuple[int, int]


class ClauseRunReader(ClauseReader, frozen=True):
    def _clauses(self, text: str, cut: Sequence[Columns], reasons: Sequence[Columns]) -> Iterator[ClauseReading]:
        at = 0
        explained = impossible = governed = cancels = denies = says_no = False
        goes = self.sheet.kind.is_rest is not None and bool(self.memory.latest)  # "four on Rumania. They back Italy"
        target, asked = "", self.memory.asked
        subject, self.memory.asked = asked, ""
        while at < len(cut):
            start, end = cut[at]
            relative = self.phrases.relative.match(text.lower(), first_word(text, start, end)) if target else None
            subject = subject or (target if relative else "")
            self._follow_relative(text, cut, at)
            if subject and not self.memory.freed and self._goes_on(text, start, end):
                self._follow_up(subject, corrects=denies)  # "Budapest, which goes to Serbia"
            if governed or impossible:
                yield self._refused("reported" if governed else "fallback", text, start, end)
                impossible, at = False, at + 1
                continue
            acts = relative and self.begins_with_act(text, relative.end(), end)  # "Greece, who stays"
            if reasons[at] == (start, end) and not acts:
                yield ClauseReading(start, end, Fate.REASON)
                explained, at = True, at + 1
                continue
            if settled := self._kept_or_cancelled(text, cut, at, cancels=cancels):
                reading, at = settled
                cancels |= bool(reading.cancels)
                yield reading
                continue
            if beside := self._beside(text, start, end, asked, cancels=cancels, denies=says_no, goes=goes):
                yield beside
                at += 1
                continue
            whole, past = self._run(text, cut, at, subject)
            if past > at:
                end = cut[past - 1][1]
                yield from self._taken_or_refused(whole, text, start, end, reasons[at:past])
                target = self.last_own(text, start, end) or self._helped(subject, text, start, end)
                run, behind = cut[at:past], cut[past] if past < len(cut) else (end, end)
                subject, goes = self._helps_as_well(whole, text, run, behind), True
                explained = reasons[past - 1][0] < reasons[past - 1][1]
                governed = whole is not None and whole.is_flawed and self._introduces(text, start, end)
                at = past
                if unclear := self._helps_unclearly(subject, whole, text, run, behind):
                    yield unclear
                    at += 1
                continue
            (because, past), goes = reasons[at], False
            subject = self._subject_behind(subject, text, cut, at)
            for reading in self._clause(text, start, because if because < past else end):
                denies = self._only_denies(reading)
                subject = "" if reading.fate in (Fate.ORDER, Fate.COMMAND) and not denies else subject
                cancels, says_no, goes = bool(reading.cancels), reading.negates, reading.fate is Fate.ORDER
                target = self.last_own(text, start, end) if goes else target  # "…, whose own men cross into Bulgaria"
                governed = reading.fate is Fate.NOT_TAKEN and self._governs(text, start, end)
                goes_on = explained and reading.fate in (Fate.NOT_TAKEN, Fate.TALK)
                goes_on = goes_on and not (self.names_own(text, start, end) or self.is_listing(text, start, end))
                yield ClauseReading(reading.start, reading.end, Fate.REASON) if goes_on else reading
            if because < past:
                yield ClauseReading(because, past, Fate.REASON)
            impossible = self.phrases.fallback.fullmatch(text[start:end].lower().strip(" ,")) is not None
            at += 1

    def _subject_behind(self, subject: str, text: str, cut: Sequence[Columns], at: int) -> str:
        """The province of the unit that the next clause may be about; "" where a clause names none or several."""
        if subject and self._is_inserted(text, cut, at):
            return subject
        types = [token.type for token in self.plain_tokens(text, *cut[at])]
        if types[:1] == ["SUPPORTED"] or (HELPS & {*types} and at and units_alone(self, text, *cut[at - 1])):
            return ""  # "Vienna, Budapest helping, to Galicia"
        named = self.own_places(text[: cut[at][1]], cut[at][0])
        return next(iter(named)) if len(named) == self.places(text, *cut[at]) == 1 else ""

    def _is_inserted(self, text: str, cut: Sequence[Columns], at: int) -> bool:
        """ "Vienna, | unlike Budapest, | to Galicia": words between a unit alone and what that unit does."""
        start, end = cut[at]
        if at == 0 or at + 1 == len(cut) or not {text[cut[at - 1][1]], text[end]} <= {","}:
            return False
        types = [token.type for token in self.plain_tokens(text, start, end)]
        return types[:1] not in (["PLACE"], ["KIND"]) and len(units_alone(self, text, *cut[at - 1])) == 1

    def _follow_up(self, province: str, *, corrects: bool) -> None:
        self.free(province)
        self.memory.corrects |= corrects

    def _only_denies(self, reading: ClauseReading) -> bool:
        """ "Smyrna doesn't move": it holds, where nothing follows like "it supports Ankara"."""
        holds = reading.orders is not None and all(isinstance(order, Hold) for order in reading.orders.statements)
        own_words = self.line.body.lower()  # signs may have replaced them
        return holds and self.phrases.negated.search(own_words, reading.start, reading.end) is not None

    def _decided(self, province: str, text: str, start: int, end: int) -> ReadOrders | None:
        """A goal alone, where the sentence before asks what the unit does: "Ireland or box A? Ireland."."""
        prefers = self.phrases.preferring.search(text[:end].lower(), start)
        plain = blank(text, *prefers.span()) if prefers is not None else text
        if self.own_places(text[:end], start) or self.phrases.negated.search(text[:end].lower(), start):
            return None  # "Canton and Hankow as on file" are units; "Tyrolia is out"
        return goal_alone(self, province, plain, start, end)

    def _follow_relative(self, text: str, cut: Sequence[Columns], at: int) -> None:
        """ "Paris does not support Marseilles, which goes to Burgundy": the unit named last goes, not the freed one."""
        start, end = cut[at]
        relative = self.phrases.relative.match(text[:end].lower(), first_word(text, start, end))
        last = self.last_own(text, *cut[at - 1]) if at and self.memory.freed and relative else ""
        if last:
            self.free(last)

    def _helped(self, subject: str, text: str, start: int, end: int) -> str:
        """The province of the writer's only other unit in a clause about the unit before: "props up Greece"."""
        named = self.own_places(text[:end], start) - {subject} if subject else set()
        return named.pop() if len(named) == 1 else ""

    def _helps_as_well(self, held: ReadOrders | None, text: str, run: Sequence[Columns], behind: Columns) -> str:
        """The province of a unit that holds, where the next clause says what it supports: "… and backs Budapest".

        `run`: the clauses of the orders `held`.
        """
        last = held.statements[-1] if held is not None and held.statements else None
        if not isinstance(last, Hold) or self._holds_with_others(text, run):
            return ""
        acts = [token.type for token in self.plain_tokens(text, *behind)]
        return slot_province(last.slot) if acts[:1] in HELPING else ""

    def _holds_with_others(self, text: str, run: Sequence[Columns]) -> bool:
        """ "Vienna | and Budapest stay"."""
        return len(run) > 1 and bool(units_alone(self, text, *run[-2]))

    def _helps_unclearly(
        self, subject: str, held: ReadOrders | None, text: str, run: Sequence[Columns], behind: Columns
    ) -> ClauseReading | None:
        """Units that hold do not, where the next clause says in unclear words what else they do: "Gascony stays and
        helps them all"; "… and guard" says nothing more.
        """
        holds = [order.slot for order in held.statements if isinstance(order, Hold)] if held is not None else []
        acts = [token.type for token in self.plain_tokens(text, *behind)]
        if not holds or acts[:1] not in HELPING or len(self.line.body[slice(*behind)].split()) < 2:
            return None
        if subject and self._act_of(subject, text, *behind):
            return None
        several = self._holds_with_others(text, run)
        return replace(self._refused("", text, *behind), withdrawn=tuple(holds if several else holds[-1:]))

    def _past_kept(self, text: str, cut: Sequence[Columns], at: int, *, cancels: bool) -> int:
        """Behind the clauses that leave the orders of several units as they are: "Vienna and Budapest stay as sent",
        "don't touch Vienna and Budapest"; and that say so behind an order taken back.
        """
        if cancels and (past := self._past_stay(text, cut, at)) > at:
            return past
        past = at
        while past < len(cut) and units_alone(self, text, *cut[past]):
            past += 1
        keeps = self._keeps(text, *cut[past]) if past < len(cut) else None
        if keeps is None:
            return at
        behind = past + 1
        if past == at and keeps.start() <= first_word(text, *cut[at]):
            while behind < len(cut) and units_alone(self, text, *cut[behind]):
                behind += 1
        return behind if behind > at + 1 else at

    def _past_stay(self, text: str, cut: Sequence[Columns], at: int) -> int:
        """Behind the clauses that say of units that they stay, else `at`: "forget Munich, | Berlin | and Kiel stay"."""
        for past in range(at, len(cut)):
            names = self.own_places(text[: cut[past][1]], cut[past][0])
            if names == {province_of(self.memory.freed)}:
                break  # "cancel Con - Bul, Con holds"
            if names and (self._keeps(text, *cut[past]) or says_hold(self, text, *cut[past])):
                return past + 1
            if not units_alone(self, text, *cut[past]):
                break
        return at

    def _kept_or_cancelled(
        self, text: str, cut: Sequence[Columns], at: int, *, cancels: bool
    ) -> tuple[ClauseReading, int] | None:
        """Clauses that together leave the orders of several units as they are, or take them back; and the index behind
        them.
        """
        if (past := self._past_kept(text, cut, at, cancels=cancels)) > at:
            return self._kept_run(text, cut[at:past]), past
        return self._cancelled_list(text, cut, at)

    def _cancelled_list(self, text: str, cut: Sequence[Columns], at: int) -> tuple[ClauseReading, int] | None:
        """ "Budapest | and Trieste are cancelled": units alone before the one whose order words take back."""
        cancelled, names = None, list[str]()
        for past, (first, end) in enumerate(cut[at:], at + 1):
            cancelled = self.phrases.cancelled.search(self.masked(text[:end], first), first)
            what = self.phrases.cancel_what.match(text[:end].lower(), first_word(text, first, end))
            units = units_alone(self, text, what.end() if what else first, cancelled.start() if cancelled else end)
            if not units or (cancelled is not None and text[cancelled.end() : end].strip(" .,!")):
                return None
            names += [unit.unit.at.province for unit in units if unit.unit is not None]
            if cancelled is not None:
                ordered = {slot_province(order.slot) for order in (*self.memory.on_file, *self.memory.statements)}
                is_list = len(names) > 1 and {*names} <= ordered
                reading = ClauseReading(cut[at][0], end, Fate.COMMAND, cancels=tuple(names))
                return (reading, past) if is_list else None
        return None

    def _kept_run(self, text: str, run: Sequence[Columns]) -> ClauseReading:
        """Orders that stay; behind one taken back, units that "stay" may hold, or keep their orders."""
        start, end = run[0][0], run[-1][1]
        words = next(filter(None, (self._keeps(text, *columns) for columns in reversed(run))), None)
        if words is None:
            return self._refused("", text, start, end)
        return ClauseReading(start, end, Fate.COMMAND, withdrawn=slots_restored(self, text, start, words.span()))

    def _beside(
        self, text: str, start: int, end: int, asked: str, *, cancels: bool, denies: bool, goes: bool
    ) -> ClauseReading | None:
        """A name alone that goes with the clause before: one more order taken back, one more goal, or the one asked
        about. Also units whose orders on file stay.
        """
        better = self.memory.freed and self.phrases.preferring.search(text[:end].lower(), start)
        asked = asked or (province_of(self.memory.freed) if better else "")  # "I wanted Tyrolia, but Galicia is better"
        if asked and (decided := self._decided(asked, text, start, end)):
            self.note(decided)
            return self._order(start, end, decided)
        if kept := self._kept(text, start, end):
            return self._as_before(kept, text, start, end)
        if cancels and self._is_rest_too(text, start, end):
            return ClauseReading(start, end, Fate.COMMAND, cancels_all=True)
        if cancels and (other := self._other_kind(text, start, end)):
            self.note(other)
            return self._order(start, end, other)
        named = [token.end_pos for token in self.tokens(text, start, end) if token.type in ("PLACE", "KIND")]
        behind = text[start + max(named, default=0) : end].lower().strip(" .,!")
        acts = bool(behind) and denies and self.phrases.including.search(behind) is None  # "…, Rumania does"
        if cancels and not acts and (units := units_alone(self, text, start, end)):  # "forget Vienna and Budapest"
            provinces = tuple(unit.unit.at.province for unit in units if unit.unit is not None)
            listed = {slot_province(order.slot) for order in (*self.memory.on_file, *self.memory.statements)}
            if self.sheet.kind.holds or {*provinces} <= listed:
                return ClauseReading(start, end, Fate.COMMAND, cancels=provinces)
        several = self._several_goals(text, start, end) if goes else None
        return several or self._other_goal(text, start, end)

    def _is_rest_too(self, text: str, start: int, end: int) -> bool:
        """ "Withdraw what I ordered for Paris, and the rest too"."""
        low, bare = text[:end].lower(), not self.places(text, start, end)
        phrases = (self.phrases.others, self.phrases.including)
        return bare and all(pattern.search(low, start) for pattern in phrases)

    def _other_kind(self, text: str, start: int, end: int) -> ReadOrders | None:
        """ "Not an army in Smyrna, a fleet": a kind of unit alone behind a build that is taken back."""
        kinds = [token for token in self.plain_tokens(text, start, end) if token.type != "SEP"]
        if not self.sheet.kind.lists_units or [token.type for token in kinds] != ["KIND"]:
            return None
        *head, kind, place = self.memory.freed.split() or ("", "")
        lines = self.legal(" ".join((*head, str(kinds[0].value), place))) if kinds[0].value != kind else ()
        return self.orders_of(lines, text, start, end) if len(lines) == 1 else None

    def _run(self, text: str, cut: Sequence[Columns], at: int, subject: str) -> tuple[ReadOrders | None, int]:
        """The orders of the clauses from `at` on that are read together, and the index behind them: `at` if none are.

        The orders are None where these clauses list units that cannot all do the same.
        """
        cut = cut[: next((later for later in range(at, len(cut)) if self._kept(text, *cut[later])), len(cut))]
        if held := held_list(self, text, cut, at):
            return held.orders, held.past
        whole, past = self._joined(text, cut, at)
        if whole is not None:
            return whole, past
        if act := self._act_of(subject, text, *cut[at]):
            return act, at + 1
        shared = shared_act(self, text, cut, at)
        return (shared.orders, shared.past) if shared is not None else (None, at)

    def _kept(self, text: str, start: int, end: int) -> set[str]:
        """The provinces of the units of which a clause says nothing but that their orders stay: "Naples as before"."""
        match = self.phrases.as_before.search(text[:end].lower(), start)
        if match is None:
            return set()
        text = blank(text, *match.span())
        if not self.sheet.kind.lists_units:
            units = {each.unit.at.province for each in units_alone(self, text, start, end) if each.unit is not None}
            return units or {*units_of_kind(self, text, start, end)}  # "the armies as before"
        ordered = {slot_province(order.slot) for order in self.memory.on_file}
        named = {code for provinces in self.places_in(text, start, end) for code in provinces}
        return named & ordered if self.is_bare(text, start, end) else set()

    def _as_before(self, kept: set[str], text: str, start: int, end: int) -> ClauseReading:
        given = (*self.memory.on_file, *self.memory.statements)
        if kept <= {slot_province(order.slot) for order in given}:
            self.memory.unchanged |= kept
            match = self.phrases.as_before.search(text[:end].lower(), start)
            gone = slots_restored(self, text, start, match.span()) if match is not None else ()
            return ClauseReading(start, end, Fate.COMMAND, withdrawn=gone)
        return self._refused("", text, start, end)

    def _goes_on(self, text: str, start: int, end: int) -> bool:
        """Whether a clause says what the unit of the clause before does."""
        begin = first_word(text, start, end)
        named = self.phrases.subject.match(text[:end].lower(), begin)
        begin = named.end() if named else begin
        return not self.own_places(text[:end], start) and self.begins_with_act(text, begin, end)

    def _several_goals(self, text: str, start: int, end: int) -> ClauseReading | None:
        """ "Vienna to Galicia and Bohemia": a place alone behind a move, to which the same unit can go."""
        corrects = self._correction(text[:end].lower(), first_word(text, start, end))
        if self.memory.freed or corrects or not self._is_goal(text, start, end):
            return None
        return one_of_goals(self, text, start, end)

    def _other_goal(self, text: str, start: int, end: int) -> ClauseReading | None:
        """ "Lieber Griechenland", "Greece it is then": words that seem to prefer another goal for the order before."""
        low, begin = text[:end].lower(), first_word(text, start, end)
        if self.memory.freed or self.memory.corrects or self.memory.spoken_of:
            return None
        if self._correction(low, begin) or self._at_end(self.phrases.instead, text, low, begin, end):
            return None
        if not self.sheet.kind.holds or self.places(text, start, end) != 1 or self.own_places(text[:end], start):
            return None
        prefers = self.phrases.preferring.search(low, begin) is not None
        if len(self.memory.latest) != 1:
            return goal_preferred(self, text, start, end) if prefers else None
        return one_of_goals(self, text, start, end) if prefers or self._is_goal(text, start, end) else None

    def _act_of(self, province: str, text: str, start: int, end: int) -> ReadOrders | None:
        """ "…, which backs Rumania": an order of the unit that was taken back, or that the clause before names."""
        begin = first_word(text, start, end)
        if self.phrases.keep.search(text[:end].lower(), begin):
            return None  # "the moves stay"
        behind = self.phrases.relative.match(text[:end].lower(), begin)
        if behind or (behind := self.phrases.subject.match(text[:end].lower(), begin)):
            begin = behind.end()
        unit = self.memory.freed or self.unit_at(province)
        if not unit or not self.begins_with_act(text, begin, end):
            return None
        if [token.type for token in self.plain_tokens(text, begin, end)] == ["SUPPORT"]:
            words = self.line.body[begin:end].split()  # "… stays and guards" supports nobody
            return self._support_of_last(unit, text, start, end) if len(words) > 1 else None
        if len(text[begin:end].strip(" .,;:!")) == 1:
            return None  # "Yours, H. Pemberton"
        act = self.plain(text, begin, end)[begin:end].strip(" .,;:!")
        lines = self.legal(f"{unit} {act}")
        return self.orders_of(lines, text, start, end) if len(lines) == 1 else None

    def _support_of_last(self, unit: str, text: str, start: int, end: int) -> ReadOrders | None:
        """ "Burgundy to Marseilles, Gascony stays and supports it": the support of the last order of another unit."""
        others = [line for line in reversed(self.memory.orders.values()) if unit_of(line) != unit]
        last = next((line.removesuffix(" H") for line in others if " S " not in line and " C " not in line), "")
        lines = self.legal(f"{unit} S {without_coast(last)}") if last else ()
        return self.orders_of(lines, text, start, end) if len(lines) == 1 else None

    def _does_alike(self, text: str, start: int, end: int) -> bool:
        """ "Trieste stays, Vienna too | Budapest to Serbia": the unit does what the one before does."""
        alike = self.phrases.alike.search(text[:end].lower(), first_word(text, start, end))
        behind = text[alike.end() : end].strip(" .,!") if alike is not None else ""
        return alike is not None and not behind and same_act(self, text, start, end, alike) is not None

    def _joined(self, text: str, cut: Sequence[Columns], at: int) -> tuple[ReadOrders | None, int]:
        """The longest run of clauses from here on that is whole orders; and where it ends."""
        start = cut[at][0]
        if self._correction(text[: cut[at][1]].lower(), first_word(text, *cut[at])):
            return None, at
        flawed: tuple[ReadOrders | None, int] = None, at
        for past in range(min(at + MOST_JOINED, len(cut)), at, -1):
            end = cut[past - 1][1]
            behind = cut[past] if past < len(cut) else (end, end)
            goes_apart = self._is_goal(text, *behind) or self._is_goal(text, *cut[at]) if past - at > 1 else False
            goes_apart |= past - at > 1 and (self._pays_for_last(text, *cut[at]) or self._introduces(text, *cut[at]))
            goes_apart |= past - at > 1 and self._does_alike(text, *cut[at])
            if goes_apart or (past - at > 1 and self._retracts(text, *behind)):
                continue  # "A Pek - Man, F Can - ECS, strike that, F Can - SCS": it is about the last one
            if not is_plain(text[:end].lower(), start, self.phrases) or self._corrects_inside(text, cut[at:past]):
                continue
            whole = self.whole_orders(text, start, end)
            of_units = whole is not None and all(isinstance(order, UnitOrder) for order in whole.statements)
            if whole is not None and not whole.is_flawed and (flawed[0] is None or of_units):
                return whole, past
            flawed = (whole, past) if flawed[0] is None else flawed
            listing = self.sheet.kind.name in LISTS or self.is_staked(text[start:end])
            listing = listing or self.is_listing(text, start, end)
            listing = listing or self.phrases.mutual.search(text[:end].lower(), start) is not None
            if past - at > 1 and listing and (listed := self.guessed_orders(text, start, end)):
                return listed, past
        alike = self.phrases.alike.match(text.lower(), first_word(text, *cut[at]))
        if alike:
            return None, at  # "and so does the Aegean fleet"
        guessed = self.guessed_orders(text, start, cut[flawed[1] - 1][1]) if flawed[0] is not None else None
        return (guessed, flawed[1]) if guessed is not None else flawed

    def _is_goal(self, text: str, start: int, end: int) -> bool:
        """Whether a clause is a place alone, or "to" one, where nobody stands: it begins no list of units."""
        tokens = self.plain_tokens(text, start, end)
        standing = self.context.position.standing
        here = [code for token in tokens if token.type == "PLACE" for code in token.value.provinces]
        alone = [token.type for token in tokens if token.type not in INTO] == ["PLACE"]
        return self.sheet.kind.holds and alone and not any(standing.get(code) for code in here)

    def _pays_for_last(self, text: str, start: int, end: int) -> bool:
        """Whether points are for the order before: "munich belgium & 3 dips behind it, hamburg denmark"."""
        it = self.phrases.it.search(text[:end].lower(), start)
        return it is not None and bool(self.memory.order) and self.is_staked(text[start:end])

    def _retracts(self, text: str, start: int, end: int) -> bool:
        return self.phrases.retract.fullmatch(text[start:end].lower().strip(" .,!")) is not None

    def _taken_or_refused(
        self, whole: ReadOrders | None, text: str, start: int, end: int, reasons: Sequence[Columns]
    ) -> Iterator[ClauseReading]:
        if whole is None:
            yield self._refused("", text, start, end)
        else:
            yield from self._taken(whole, start, end, reasons)

    def _taken(self, whole: ReadOrders, start: int, end: int, reasons: Sequence[Columns]) -> Iterator[ClauseReading]:
        """An order, with the reasons inside it as stretches of their own."""
        self.note(whole)
        orders: ReadOrders | None = whole
        at = start
        for first, past in sorted(reason for reason in reasons if reason[0] < reason[1]):
            if first > at:
                yield self._order(at, first, orders)
                orders = None
            yield ClauseReading(first, past, Fate.REASON)
            at = past
        if at < end or orders is not None:
            yield self._order(at, end, orders)

    def _corrects_inside(self, text: str, cut: Sequence[Columns]) -> bool:
        """Whether a clause begins with words of correction behind others that name or mean something."""
        low = text.lower()
        return any(
            self.places(text, cut[0][0], first) or self.meant(text, cut[0][0], first)
            for first, _ in cut[1:]
            if self._correction(low, first_word(low, first))
        )
