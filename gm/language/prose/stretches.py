"""Reads a stretch of a line by itself: the orders in it, those it may mean, and whether it names anything at all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from gm.judge.mechanics.influence.bid_orders import Bid
from gm.judge.mechanics.minor_powers import minor_named
from gm.judge.model.orders import Allocate, Statement, slot_province
from gm.language.lines.letter_contents import LetterContext
from gm.language.lines.lines import LetterLine
from gm.language.orders.line_meaning import PieceMeaning
from gm.language.orders.line_reader import LineReader
from gm.language.orders.parsing.lexer import Token
from gm.language.orders.parsing.order_context import OrderContext, UnitsByProvince
from gm.language.orders.suggestions import near_names, near_orders, unknown_listed
from gm.language.prose.acts_of_wings import air_act
from gm.language.prose.clauses import blank
from gm.language.prose.guesses.all_guesses import GUESSES, LISTS, TAKEN_BACK
from gm.language.prose.guesses.clause import UNKNOWN, Clause
from gm.language.prose.guesses.dips_guess import LISTING
from gm.language.prose.guesses.guess import REFUSED, Flaw, Guess
from gm.language.prose.guesses.unit_lists import lacks_kinds, leaves_others
from gm.language.prose.memory import LetterMemory, goals_of, province_of
from gm.language.prose.mentions import TOWARDS, homes_of_minors, is_named_last, mentions_of, unit_called
from gm.language.prose.named_parts import NamedParts
from gm.language.prose.phrases.prose_phrases import ProsePhrases
from gm.language.prose.phrases.sheet_phrases import SheetPhrases, Sign, Signs, sheet_phrases
from gm.language.prose.proposals.excepted_units import without_excepted
from gm.language.prose.readings import MOST_SUGGESTED, ReadOrders, StretchMemo, together

ACTS = frozenset({"MOVE", "HOLD", "SUPPORT", "SUPPORTED", "CONVOY", "RETREAT", "DISBAND", "BUILD", "REMOVE", "WAIVE",
    "ARROW", "POINTS", "BID", "SEPARATE", "CONNECT", "VIA", "TO"})  # fmt: skip
"""Token types that make an order of a place."""
SPOKEN = frozenset({"HOLD", "SUPPORT", "CONVOY", "DISBAND", "BUILD", "REMOVE", "RETREAT"})
"""Token types of words that people seldom use but for orders."""
SHORT = 8
"""Most words of a clause without a name that may be an order."""
LONG_NAME, NEARLY = 5, 80
"""Letters of a word that may be a misspelt name, and how alike (of 100) they must be."""
STAKES = frozenset({"POINTS", "BID", "NUMBER"})
"""Token types that make an order of a power's name."""
MASK = "x"
MOTION = frozenset({"-", "to"})  # signs of orders of movement that are those of retreats as well

Meanings = tuple[LetterContext, tuple[PieceMeaning, ...]]


class StretchReader(Struct, frozen=True):
    """`meanings` reads a line as orders, for whoever's units they are. Columns count in the body of `line`, of which
    `text` is always a version of the same length.
    """

    line: LetterLine
    sheet: LineReader
    context: LetterContext
    memory: LetterMemory
    meanings: Callable[[LetterLine], Meanings]
    phrases: ProsePhrases
    memo: StretchMemo = field(default_factory=StretchMemo)

    @property
    def own_phrases(self) -> SheetPhrases:
        """Those of this kind of sheet."""
        return sheet_phrases(self.context.variant.language, self.sheet.kind.name)

    @property
    def signs_here(self) -> Iterator[Signs]:
        """Those of amounts where points or bids stand, of builds where they are due, and of this kind of sheet."""
        if any(isinstance(order, Allocate | Bid) for order in (*self.memory.on_file, *self.memory.statements)):
            yield self.own_phrases.changing
        if self.sheet.kind.lists_units and self.context.due.builds:
            yield self.own_phrases.building
        yield self.own_phrases.signs

    def tokens(self, text: str, start: int, end: int) -> list[Token]:
        return self.scan(text[start:end])

    def plain_tokens(self, text: str, start: int, end: int) -> list[Token]:
        """Those of `plain`."""
        return self.tokens(self.plain(text, start, end), start, end)

    def scan(self, text: str) -> list[Token]:
        return self.sheet.scanner.scan(text)

    def masked(self, text: str, start: int) -> str:
        """In lower case, with the names of places made unreadable: "A War - Gal" is no German "war"."""
        low = text.lower()
        places = [token for token in self.scan(text[start:]) if token.type == "PLACE"]
        capitals = any(text[start + token.start_pos].isupper() for token in places)
        for token in places:
            if not capitals or not text[start + token.start_pos : start + token.end_pos].islower():  # "stay out of Tri"
                first, past = start + token.start_pos, start + token.end_pos
                low = low[:first] + MASK * (past - first) + low[past:]
        return low

    def plain(self, text: str, start: int, end: int) -> str:
        """With signs for words of order, and without words that say nothing; names stay."""
        return text[:start] + self._in_plain_words(text[start:end])[1]

    def stance_words(self, text: str, start: int, end: int) -> str:
        """In lower case without names, and with signs for words of order: "does not move" has no "not"."""
        return self.masked(text[:start] + self._in_plain_words(text[start:end])[0], start)

    def _in_plain_words(self, piece: str) -> tuple[str, str]:
        """With signs for words of order, and then without words that say nothing."""
        if piece not in self.memo.plain:
            names = NamedParts(piece, self.scan, listing=self.sheet.kind.name in LISTS)
            signed = self._with_signs_of_order(piece, names)
            self.memo.plain[piece] = signed, self._without_padding(signed, names)
        return self.memo.plain[piece]

    def _with_signs_of_order(self, piece: str, names: NamedParts) -> str:
        kind = self.sheet.kind

        def rewrite(sign: Sign, words: str) -> str:
            if not kind.holds and not (sign.sign in MOTION and kind.takes_preferences):
                return words
            for match in list(sign.pattern.finditer(words.lower())):
                if names.leave_free(match, names.places_and_acts):
                    words = words[: match.start()] + sign.sign.ljust(len(match.group())) + words[match.end() :]
            return words

        return self.phrases.signs.rewritten(piece, rewrite)

    def _without_padding(self, piece: str, names: NamedParts) -> str:
        for padding, own in ((self.own_phrases.padding, True), (self.phrases.padding, False)):
            for match in list(padding.finditer(piece.lower())):
                single = " " not in match.group().strip()
                kept = names.places_and_units if not single else names.places if own else names.known
                piece = blank(piece, *match.span()) if names.leave_free(match, kept) else piece
        return piece

    def whole_orders(self, text: str, start: int, end: int) -> ReadOrders | None:
        """The orders of a stretch that is nothing but orders, perhaps with words that say nothing around them."""
        key = start, text[start:end]
        read = self.memo.whole[key] if key in self.memo.whole else self._whole_orders(text, start, end)
        self.memo.whole[key] = read
        if read is None or not self.sheet.kind.lists_units:
            return read
        replaces = self.clause_of(text, start, end).replaces
        if not (replaces or self.memory.freed or read.is_flawed):
            return read
        is_refused = replaces and self.guess(text, start, end) == REFUSED
        return None if is_refused else self.guessed_orders(text, start, end) or read

    def _whole_orders(self, text: str, start: int, end: int) -> ReadOrders | None:
        flawed: ReadOrders | None = None
        for written in dict.fromkeys((text[:end], self.plain(text, start, end))):
            body = written[start:end].rstrip(" .,;:!")
            pieces = self.sheet.pieces(body) if body.strip() else ()
            if self.sheet.kind.lists_units and lacks_kinds(pieces):
                continue
            if not pieces or not all(
                piece.node is not None and not (piece.node.is_question or piece.aside) for piece in pieces
            ):
                continue
            line = self.cut(start, body)
            context, meanings = self.meanings(line)
            if all(meaning.piece.node is not None for meaning in meanings):
                read = ReadOrders(line, context, meanings)
                if not read.is_flawed:
                    return read
                flawed = flawed or read
        return flawed

    def guessed_orders(self, text: str, start: int, end: int, *, certain: bool = True) -> ReadOrders | None:
        """The orders that fit the names of a stretch; `certain`: and all of its words are known."""
        guessed = self.guess(text, start, end)
        return self.orders_guessed(guessed, text, start, end) if guessed and (guessed.certain or not certain) else None

    def orders_in(self, text: str, start: int, end: int, *, certain: bool = True) -> ReadOrders | None:
        """The whole orders of a stretch, else the guessed ones."""
        return self.whole_orders(text, start, end) or self.guessed_orders(text, start, end, certain=certain)

    def orders_guessed(self, guessed: Guess, text: str, start: int, end: int) -> ReadOrders:
        orders = self.orders_of(guessed.lines, text, start, end)
        flaws = tuple(filter(None, map(self._flaw, guessed.flaws)))
        wards = (*orders.wards, *(self.context for _ in flaws))
        meanings = (*orders.meanings, *flaws)
        return replace(orders, meanings=meanings, wards=wards, cancels=guessed.cancels, withdrawn=guessed.withdrawn)

    def _flaw(self, flaw: Flaw) -> PieceMeaning | None:
        """What is wrong with a line that is not legal, at the words that name it."""
        read = self.sheet.read(flaw.line, self.context)
        meaning = next((each for each in read if each.error is not None or each.piece.node is None), None)
        if meaning is None:
            return None
        error = meaning.error or unknown_listed(self.sheet, flaw.line, self.context)
        return replace(meaning, error=replace(error, start=flaw.start, end=flaw.end))

    def left_behind(self, text: str, start: int, end: int) -> ReadOrders | None:
        """The orders that are left where a stretch names what is taken back: "the point on Sweden"."""
        make = TAKEN_BACK.get(self.sheet.kind.name)
        guessed = make(self.clause_of(text, start, end)) if make is not None else None
        return self.orders_guessed(guessed, text, start, end) if guessed is not None and guessed.certain else None

    def orders_of(self, lines: Sequence[str], text: str, start: int, end: int) -> ReadOrders:
        """What a stretch says, by legal lines: of the writer's power, or of one whose orders they write as well."""
        pieces: list[PieceMeaning] = []
        wards: list[LetterContext] = []
        for line in lines:
            context = next((each for each in self._contexts() if self.sheet.try_out(line, each)), self.context)
            read = self.sheet.read(line, context)
            pieces += read
            wards += [context] * len(read)
        context = wards[0] if len({ward.power for ward in wards}) == 1 else self.context
        return ReadOrders(self.cut(start, text[start:end]), context, tuple(pieces), tuple(wards))

    def guess(self, text: str, start: int, end: int, is_sentence: bool = False) -> Guess | None:
        make = GUESSES.get(self.sheet.kind.name)
        if make is None or len(text[start:end].strip(" .,")) < 2:  # "H." is somebody's name
            return None
        return make(self.clause_of(text, start, end, is_sentence))

    def clause_of(self, text: str, start: int, end: int, is_sentence: bool = False) -> Clause:
        """A stretch in the words of its sheet, ready for a guess."""
        phrases, low = self.phrases, text[:end].lower()
        plain = self._with_names(self.plain(self._with_unit(text, start, end), start, end), start, end)[start:end]
        it = self.memory.spoken_of if phrases.it.search(low, start) else ""
        memory = self.memory
        if memory.corrects and self.sheet.kind.lists_units and leaves_others(phrases, self.line.body, start):
            memory = replace(memory, corrects=False, freed="")
        instead = memory.corrects or phrases.instead.search(low, start) is not None
        return Clause(
            self.scan(plain), plain, self.context, memory, self.legal, self.own_phrases.plural, phrases.no_motion,
            phrases.mutual, phrases.verb_first, is_sentence, it, instead,
            carries=phrases.carried.search(low, start) is not None,
        )  # fmt: skip

    def _with_unit(self, text: str, start: int, end: int) -> str:
        """With the unit named last for "that army"."""
        unit = self.memory.freed or self.memory.unit
        for match in list(self.phrases.that_unit.finditer(text.lower(), start, end)) if unit else ():
            kinds = {token.value for token in self.tokens(text, *match.span()) if token.type == "KIND"}
            if kinds <= {unit[0]} and len(unit) <= len(match.group()):
                text = text[: match.start()] + unit.ljust(len(match.group())) + text[match.end() :]
        return text

    def _with_names(self, text: str, start: int, end: int) -> str:
        """With the last goal for "there", the last unit's province for "its place", and no "it", the last order."""
        goal, origin = self.memory.goal, self.memory.place if " - " in self.memory.order else ""
        if self.sheet.kind.numbers_in_front and self.is_staked(text[start:end]):
            origin = self.memory.topic or origin  # "I do not care about Serbia. The point from there …"
        if goal and self.phrases.there.search(text.lower(), start, end):
            before = self.tokens(text, 0, start)
            free = {province_of(self.memory.spoken_of)} - self.own_places(text[:end], start)  # "Con is free, …"
            goal = next((at for at in (*free, goal) if is_named_last(self.scan(at), before, self.context)), "")
            goal = "" if not before and self._is_named_later(goal, end) else goal
        for pattern, name in ((self.phrases.there, goal), (self.phrases.origin, origin), (self.phrases.it, "")):
            for match in list(pattern.finditer(text.lower(), start, end)):
                if len(name) <= len(match.group()) and (
                    name or self.memory.order or self.memory.freed or self.memory.topic
                ):
                    text = text[: match.start()] + name.ljust(len(match.group())) + text[match.end() :]
        return text

    def _is_named_later(self, name: str, end: int) -> bool:
        """Whether a place is named only behind words about points: "I'd like Austria to help me there. …"."""
        staked = name and self.sheet.kind.numbers_in_front
        behind = self.places_in(self.line.body, end, len(self.line.body)) if staked else ()
        return any(name.partition("/")[0] in codes for codes in behind)

    def cut(self, start: int, body: str) -> LetterLine:
        line = self.line
        return LetterLine(
            line.number, line.text, line.plain, line.columns, line.at + start, body, line.power, line.other_phase
        )

    def legal(self, text: str) -> tuple[str, ...]:
        """The canonical lines of orders; () unless all of them would be obeyed."""
        if text not in self.memo.legal:
            self.memo.legal[text] = self._legal(text)
        return self.memo.legal[text]

    def _legal(self, text: str) -> tuple[str, ...]:
        for context in self._contexts():
            if meanings := self.sheet.try_out(text, context):
                return self.lines(tuple(statement for meaning in meanings for statement in meaning.statements))
        return ()

    def _contexts(self) -> Iterator[LetterContext]:
        """The writer's own, and those of the powers whose orders they write as well."""
        yield self.context
        yield from (replace(self.context, power=power) for power in self.context.controlled)

    def lines(self, statements: Sequence[Statement]) -> tuple[str, ...]:
        here = OrderContext(UnitsByProvince(self.context.variant, self.context.position), self.context.power)
        return tuple(here.line(statement) for statement in statements)

    def meant(self, text: str, start: int, end: int) -> tuple[Statement, ...]:
        """The orders of a stretch, sure or not."""
        orders = self.orders_in(text, start, end, certain=False)
        return orders.statements if orders is not None else ()

    def suggestions(self, text: str, start: int, end: int) -> tuple[str, ...]:
        """Lines that the stretch may mean: those read in it, else those with names like its unknown words."""
        if lines := without_excepted(self, text, start, end, self.meant_lines(text, start, end)):
            return together(lines)
        plain = self.plain(text, start, end)[start:end]
        acts = any(token.type in ACTS for token in self.tokens(plain, 0, len(plain)))
        return near_orders(self.sheet, plain, self.context)[:MOST_SUGGESTED] if acts else ()

    def meant_lines(self, text: str, start: int, end: int) -> tuple[str, ...]:
        """The orders of a stretch, sure or not, as lines that the writer could send."""
        orders = self.orders_in(text, start, end, certain=False)
        if orders is None:
            return ()
        return tuple(line for meaning, ward in orders.by_power for line in self._called(meaning.statements, ward.power))

    def _called(self, statements: Sequence[Statement], power: str) -> Iterator[str]:
        """Canonical lines, with the name of a power that is not the writer's own."""
        whose = f"{power}: " if power != self.context.power else ""
        yield from (line if line.startswith(whose) else f"{whose}{line}" for line in self.lines(statements))

    def choices(self, text: str, start: int, end: int) -> list[str]:
        """The moves of the unit named first, or with its kind, to the other places: "Paris: Burgundy or Picardy"; or
        what a wing does there.
        """
        tokens = self.tokens(text, start, end)
        named, act = mentions_of(tokens, self.context), air_act({token.type for token in tokens})
        unit = next((each for each in named if each.is_unit and each.unit is not None), next(iter(named), None))
        goals = [each.name for each in named if each is not unit and each.name]
        called = unit.called if unit is not None and unit.unit is not None else ""
        moves = [f"{called} {act or '-'} {goal}" for goal in goals] if called else []
        return [line for move in moves for line in self.legal(move)]

    def names_something(self, text: str, start: int, end: int) -> bool:
        """Whether a stretch names a unit of the writer's, a place with a word of order, or a power with points."""
        tokens = self.tokens(text, start, end)
        kinds = {token.type for token in tokens}
        if (
            self.names_own(text, start, end)
            or self._is_rest(tokens)
            or self._names_others(text[start:end])
            or self.is_listing(text, start, end)
            or ("NATION" in kinds and self.memory.corrects and self.sheet.kind.name == "dips")
            or ("PLACE" in kinds and kinds & ACTS)
            or (kinds & {"NATION", "ALLOW"} and kinds & {*STAKES, "PASSAGE", "AGAINST"})
            or (kinds >= {"NUMBER", "POINTS"} and bool(self.memory.orders))
            or ("PLACE" in kinds and self.sheet.kind.is_one_order_per_line)
            or (sum(token.type == "NATION" for token in tokens) > 1 and "INTERCEPT" in self.sheet.grammar.terminals)
            or ("PLACE" in kinds and kinds & STAKES and self.sheet.kind.numbers_in_front)
            or self._names_paid(tokens)
        ):
            return True
        corrects = self.memory.corrects and {"NUMBER"} <= kinds <= {"NUMBER", "IPS", "SEP"}  # "no, five"
        if (corrects or "NATION" in kinds) and self.sheet.kind.is_rest is not None:
            return True  # on a sheet of bids
        places = self.places(text, start, end)
        return places > 1 or (places == 1 and len(kinds) == 1)

    def _names_paid(self, tokens: Sequence[Token]) -> bool:
        """Whether it names a minor power in a line about points for such powers."""
        minors = [token.type == "NATION" and minor_named(self.context.variant, token.value) for token in tokens]
        return any(minors) and self.sheet.kind.numbers_in_front and self.is_staked(self.line.body)

    def _names_others(self, words: str) -> bool:
        """Whether a short clause begins with the units that the letter has not named: "the others as you like"."""
        low = words.lower().strip(" .,;:!")
        return self.sheet.kind.holds and len(low.split()) <= SHORT and self.phrases.others.match(low) is not None

    def names_nearly(self, text: str, start: int, end: int) -> bool:
        """Whether a short clause has words like names of units, or of places it goes to or lists: "Wein to Galacia"."""
        tokens = self.tokens(text, start, end)
        if len(text[start:end].split()) > SHORT:
            return False
        heads = {"KIND", "NUMBER", "BUILD"} if self.sheet.kind.lists_units else TOWARDS
        goes = bool({token.type for token in tokens} & heads)
        own = {unit.at.province for unit in self.context.own_units}
        return any(own & set(near) or goes for near in self.near(text, start, end))

    def near(self, text: str, start: int, end: int) -> Iterator[Sequence[str]]:
        """For each word that is like names, the provinces of these."""
        tokens = self.tokens(text, start, end)
        words = [text[start + token.start_pos : start + token.end_pos] for token in tokens if token.type == "WORD"]
        names = (near_names(self.sheet.names, word, NEARLY) for word in words if len(word) >= LONG_NAME)
        return (codes for codes in names if codes)

    def is_bare(self, text: str, start: int, end: int) -> bool:
        """Whether a stretch is units or orders and words that say nothing: no word of its own."""
        return not any(token.type in UNKNOWN | {"NATION", "WITH"} for token in self.plain_tokens(text, start, end))

    def helps(self, text: str, start: int, end: int) -> bool:
        """Whether it is a support or a convoy, which names another unit as well."""
        return any(token.type in ("SUPPORT", "CONVOY") for token in self.tokens(text, start, end))

    def begins_with_act(self, text: str, start: int, end: int) -> bool:
        """Whether it says what a unit does before it names any place; "H." at the beginning of a line is a name."""
        if len(text[:end].strip(" .,")) == 1:
            return False
        types = [token.type for token in self.plain_tokens(text, start, end)]
        return bool(types) and types[0] in ACTS | {"MINUS"}

    def _is_rest(self, tokens: Sequence[Token]) -> bool:
        return self.sheet.kind.is_rest is not None and self.sheet.kind.is_rest(tokens)

    def names_own(self, text: str, start: int, end: int) -> bool:
        """Whether it names a unit of the writer's by its place, a kind of unit in full, or a power they control."""
        standing = self.context.position.units_of(self.context.power)
        here = {unit.at.province for unit in (*self.context.own_units, *standing)}
        for token in self.tokens(text, start, end):
            if token.type == "PLACE" and here & set(token.value.provinces):
                return True
            if token.type == "KIND" and token.end_pos - token.start_pos > 1:
                return True
            if token.type == "NATION" and token.value in self.context.controlled:
                return True
        return False

    def own_places(self, text: str, start: int) -> set[str]:
        """The provinces of the writer's units that are named from a column on."""
        if (key := text[start:]) not in self.memo.own_places:
            named = {code for provinces in self.places_in(text, start, len(text)) for code in provinces}
            self.memo.own_places[key] = named & {unit.at.province for unit in self.context.own_units}
        return set(self.memo.own_places[key])

    def last_own(self, text: str, start: int, end: int) -> str:
        """The province of the writer's unit that a stretch names last, behind another place; else ""."""
        here, places = {unit.at.province for unit in self.context.own_units}, self.places_in(text, start, end)
        return next((code for code in places[-1] if code in here), "") if len(places) > 1 else ""

    def is_staked(self, text: str) -> bool:
        """Whether points are spoken of, on a sheet that has any."""
        has_points = bool(self.sheet.grammar.terminals & {"POINTS", "BID"})
        return has_points and any(token.type in STAKES for token in self.tokens(text, 0, len(text)))

    def is_put_off(self, stance: str, text: str, start: int, end: int) -> bool:
        """Whether it has an order of a later day, or on a sheet of bids an amount that depends on something."""
        later, depends = stance == "later", stance == "condition" and self.is_staked(text[start:end])
        return later and self.places(text, start, end) > 0 if self.sheet.kind.holds else depends

    def is_listing(self, text: str, start: int, end: int) -> bool:
        """Whether it is about countries that are intercepted or protected against."""
        types = {token.type for token in self.tokens(text, start, end)}
        return self.sheet.kind.name == "dips" and (not types.isdisjoint(LISTING) or types >= {"SUPPORT", "AGAINST"})

    def is_order_like(self, text: str, start: int, end: int) -> bool:
        """Whether it says more than a name in passing: an act with a unit of the writer's, or several places."""
        tokens, named = self.tokens(text, start, end), self.places_in(text, start, end)
        kinds, homes = {token.type for token in tokens}, homes_of_minors(self.context)
        staked = bool(kinds & {"NATION", "PLACE"} and kinds & STAKES) and all(homes & {*each} for each in named)
        acts = bool(kinds & ACTS) and self.names_own(text, start, end)
        leaves = self.sheet.kind.takes_preferences and bool(kinds & {"PLACE", "DISBAND"})
        return acts or staked or leaves or self._is_rest(tokens) or len(named) > 1

    def places(self, text: str, start: int, end: int) -> int:
        return len(self.places_in(text, start, end))

    def places_in(self, text: str, start: int, end: int) -> list[tuple[str, ...]]:
        """The provinces that each name of a place may mean."""
        return [token.value.provinces for token in self.tokens(text, start, end) if token.type == "PLACE"]

    def unit_at(self, province: str) -> str:
        """The writer's unit there, "A Vie"; else ""."""
        return next((unit_called(unit) for unit in self.context.own_units if unit.at.province == province), "")

    def units_meant(self, text: str, start: int, end: int) -> tuple[str, ...]:
        """The province of the unit whose order the words name: by its place or kind, or by a place in an order on
        file; () where several or none fit.
        """
        units, places = self.context.own_units, self.places_in(text, start, end)
        own = [unit.at.province for unit in units if places and unit.at.province in places[0]]
        if own:
            return tuple(own[:1])
        codes = {code for provinces in places for code in provinces}
        aimed = [slot_province(order.slot) for order in self.memory.on_file if codes & goals_of(order)]
        if len(aimed) == 1:
            return (aimed[0],)
        listed = {slot_province(order.slot) for order in (*self.memory.on_file, *self.memory.statements)}
        if not self.sheet.kind.holds and (named := codes & (listed - {""})):
            return tuple(named) if len(named) == 1 else ()
        mentioned = [mention.unit for mention in mentions_of(self.tokens(text, start, end), self.context)]
        alike = [unit.at.province for unit in mentioned if unit is not None]  # "the fleet", "the Hungarians"
        return (alike[0],) if len(alike) == 1 and not places else ()

    def note(self, orders: ReadOrders) -> None:
        self.memory.statements += orders.statements
        self.memory.refused = orders.is_flawed
        self.memory.is_doubted |= orders.is_flawed
        self.memory.latest = self.lines(orders.statements)
        for line in self.memory.latest:
            self.memory.note(line)
        if not orders.statements and not self.sheet.kind.holds:
            self.memory.kept |= self.own_places(orders.line.body, 0)
        if not orders.statements:  # "MAO to the Irish, I mean the Channel"
            named = mentions_of(self.scan(orders.line.body), self.context)
            self.memory.unit = self.memory.spoken_of = next((each.called for each in named if each.unit), "")
            self.memory.order = "" if self.sheet.kind.numbers_in_front else self.memory.order  # "support it there"
        self.memory.freed = ""

    def free(self, province: str) -> None:
        """The unit there, or the build, has no order now: "it goes to Trieste instead" is about this one."""
        unit = self.unit_at(province)
        orders = (*self.memory.statements, *self.memory.on_file) if not unit and province else ()
        built = self.lines(tuple(order for order in orders if slot_province(order.slot) == province)[:1])
        self.memory.freed = self.memory.unit = unit or next(iter(built), "")
