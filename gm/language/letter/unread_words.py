"""Words of a letter that no order, request or question accounts for: the answer quotes those that name something."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from gm.judge.model.orders import Hold, Slot, Statement, slot_province
from gm.language.i18n.needed_words import may_match
from gm.language.i18n.normalize import clean
from gm.language.letter.kept_points import KeptPointsReader
from gm.language.letter.preferred_suggestions import units_suggested
from gm.language.letter.talk.named_in_passing import likely_in_passing
from gm.language.lines.letter_contents import LineError, OrderLine, lines_of
from gm.language.lines.lines import LetterLine
from gm.language.lines.spans import QUIET, Fate
from gm.language.lines.trouble_keys import NAMED_IN_PASSING, NOT_TAKEN, QUESTION
from gm.language.orders.line_reader import LONGEST_LINE
from gm.language.orders.orders_in_one_place import slots_spared
from gm.language.orders.parsing.lexer import Token
from gm.language.orders.parsing.order_context import OrderContext, OrderWarning
from gm.language.prose.clauses import first_word, sentence_past, sentence_start
from gm.language.prose.memory import CODES, goals_of, province_of, unit_of
from gm.language.prose.mentions import mentions_of
from gm.language.prose.phrases.phrase_tables import fits_any
from gm.language.prose.phrases.prose_phrases import ProsePhrases, option_error, option_off, phrases_of
from gm.language.prose.rewording import with_signs
from gm.language.prose.stance import error_key
from gm.language.prose.stretches import ACTS

MOST_IN_PASSING = 8
"""Names in passing that one answer quotes."""
STRUCK = "~~"
MARKED = ("//", "#", ">", "|")
"""Before words that their writer has marked as none of the letter."""
UNSURE = QUIET | {Fate.NOT_TAKEN}
BORDER = re.compile(r"[,;.!?] |\b(?:and|then|und|dann)\b")
SUBJECT = re.compile(r"(?:^|[.,;:!?(-]\s*|\b(?:and|but|so|then|while|if|that|und|aber|dann|dass|wenn|falls)\s+)$")
"""Behind this a clause begins."""
LONGEST_SUBJECT = len("while")
"""Its letters without blanks: how far back a clause is looked for, however long the text is."""
PARTLY_PROPOSED = frozenset({NOT_TAKEN, QUESTION})
"""Errors whose words may name more units than their proposal orders."""
WHOLE_CLAUSE = ("not-taken", "two-to-one")
"""How the keys of errors begin that mark all of a clause."""


class WordsOfLine(Struct, frozen=True):
    """Words of a line that an order was read from, or that take one on file back."""

    line: LetterLine
    start: int
    end: int

    @property
    def text(self) -> str:
        return self.line.body[self.start : self.end]


class UnreadWordsReader(KeptPointsReader, kw_only=True):
    """`taken_back` are provinces whose orders on file the letter takes back, with the words that say so."""

    taken_back: dict[str, WordsOfLine] = field(default_factory=dict)
    in_passing: int = 0
    """Names in passing that the answer quotes."""
    heard: dict[OrderLine, WordsOfLine] = field(default_factory=dict)
    """All orders read so far, also those that no longer count, with their words."""
    shared: set[WordsOfLine] = field(default_factory=set)
    """Words that several orders were read from, or one that stands before them as well."""

    def _quote_names(self, ordered: set[str]) -> None:
        """Nothing that names a unit is passed over: one that has no order, and that no question quotes, is quoted."""
        places = {unit.at.province for unit in self.context.own_units}
        if self.sheet is None or not self.sheet.kind.holds:
            places |= set(self.context.position.centres_of(self.context.power))
        places -= ordered | set(self.taken_back) | self.memory.unchanged
        units = places & self._beside_borders()
        for clause in dict.fromkeys(map(clause_around, self.troubles if places else ())):
            places -= self._named(clause)
        if places:
            places -= {word for order in self.orders for word in self._codes(order)}
            asked = (trouble for trouble in self.troubles if not trouble.obeyed)
            places -= {province_of(unit) for trouble in asked for unit in units_suggested(trouble)}
        named: dict[str, set[str]] = {}
        for span in self.spans if places or units else ():
            words = span.text.strip()
            if span.fate not in UNSURE or words.startswith(MARKED) or self.in_passing >= MOST_IN_PASSING:
                continue
            if words not in named:
                named[words] = self._named(words) | self._acting(words)
            if places & named[words] or (units & named[words] and self._names_kind(words)):
                self.in_passing += 1
                key = "not-taken-struck" if words.startswith(STRUCK) else "named-in-passing"
                option = option_off(self.context.variant, words)
                key = option_error(option) if option else key
                answered = span.fate is Fate.COMMENT and "?" in words  # "Con to Bul? No, leave it"
                asks = key == "named-in-passing" and not answered
                likely = likely_in_passing(self, self.memory, span.line, words) if asks else ()
                error = LineError(span.line, words, 0, len(words), "not-taken" if likely else key, (), likely)
                self.troubles.append(replace(error, obeyed=not likely))
        self._quote_left_out(ordered)

    def _quote_left_out(self, ordered: set[str]) -> None:
        """Words of which only a part is proposed: the places of units in them that no order and no proposal names."""
        kind = self.sheet.kind if self.sheet is not None else None
        if kind is None or not (kind.holds or kind.lists_units):
            return
        places = {unit.at.province for unit in self.context.own_units}
        if not kind.holds:
            places = {*self.context.position.centres_of(self.context.power)} if self.context.due.builds else set()
        proposed = {code for trouble in self.troubles for line in trouble.suggestions for code in CODES.findall(line)}
        places -= ordered | set(self.taken_back) | proposed
        places -= {code for order in self.orders for code in self._codes(order)}
        for trouble in [each for each in self.troubles if each.suggestions and each.key in PARTLY_PROPOSED]:
            named = (token.value.provinces for token in self._tokens(trouble.marked) if token.type == "PLACE")
            left = dict.fromkeys(codes[0] for codes in named if len(codes) == 1 and codes[0] in places)
            if left:
                stands = {*lines_of(trouble.suggestions)} <= {self.written(order.statement) for order in self.orders}
                key, fields = NAMED_IN_PASSING if stands else "proposal-leaves-out", (("places", " ".join(left)),)
                self.troubles.append(replace(trouble, key=key, fields=fields, suggestions=(), obeyed=True))

    def _beside_borders(self) -> set[str]:
        """Where the writer's units stand that orders about no unit name: a fleet at a border that an event removes."""
        named = {
            word for order in self.orders if not slot_province(order.statement.slot) for word in self._codes(order)
        }
        return named & {unit.at.province for unit in self.context.own_units}

    def _codes(self, order: OrderLine) -> list[str]:
        return CODES.findall(self.written(order.statement))

    def _names_kind(self, words: str) -> bool:
        """Whether words call a unit by its kind in full: "my fleet in Rumania"."""
        return bool(self._kinds_named(words))

    def _kinds_named(self, words: str) -> set[str]:
        """The kinds of units that words name in full."""
        kinds = (token for token in self._tokens(words) if token.type == "KIND")
        return {token.value for token in kinds if token.end_pos - token.start_pos > 1}

    def _quote_denials(self, ordered: set[str]) -> None:
        """Words that seem to take back an order on file, which nothing in the letter replaces, are quoted: "Serbia is
        off the table", where a unit goes there; "strike the last one", where the letter has no orders.
        """
        kind = self.sheet.kind if self.sheet is not None else None
        gone = ordered | set(self.taken_back)
        stands = [order for order in self.context.on_file() if slot_province(order.slot) not in gone]
        if kind is None or not kind.holds or not stands:
            return
        phrases = phrases_of(self.context.variant)
        denying = (phrases.negated, phrases.cancel, phrases.cancelled, phrases.retract, phrases.spared)
        goals = {code for order in stands for code in goals_of(order)}
        goals -= {code for trouble in self.troubles for code in self._named(clause_around(trouble))}
        idle = not (self.orders or self.requests or self.taken_back)
        quoted = [trouble.text for trouble in self.troubles]
        for span in self.spans:
            words = span.text.strip()
            low = clean(words).text.lower()
            taking_back = (phrases.retract, phrases.cancel, phrases.cancelled)
            of_order = idle and fits_any(low, taking_back) and phrases.cancel_what.search(low) is not None
            quiet = span.fate in QUIET or (idle and span.fate is Fate.COMMAND)
            restores = phrases.restoring.fullmatch(low.strip(" .,!;-")) is not None
            if restores or not quiet or words.startswith(MARKED) or any(words in text for text in quoted):
                continue
            if (
                of_order or (fits_any(low, denying) and goals & self._named(words))
            ) and self.in_passing < MOST_IN_PASSING:
                self.in_passing += 1
                key = error_key("cancel") if of_order else "named-in-passing"
                self.troubles.append(LineError(span.line, words, 0, len(words), key, obeyed=True))

    def _quote_withdrawn(self, ordered: set[str]) -> None:
        """An order that later words of the letter take back, and nothing replaces, is quoted."""
        kind = self.sheet.kind if self.sheet is not None else None
        if kind is None or not (kind.holds or kind.takes_preferences or not self.orders):
            return
        silent = {unit.at.province for unit in self.context.own_units}
        if not kind.holds:
            silent |= {slot_province(order.statement.slot) for order in self.heard}  # "A Warsaw, F Sev. Hm, …"
        silent -= ordered | set(self.taken_back)
        for order, words in self.heard.items():
            province = slot_province(order.statement.slot)
            if province not in silent or self._is_asked_about(self.written(order.statement), province):
                continue
            silent.discard(province)
            self.warn(words.line, OrderWarning("withdrawn", words.start, words.end), obeyed=True)

    def _is_asked_about(self, order: str, province: str) -> bool:
        """Whether the answer names an order, or what its unit may do, elsewhere."""
        suggested = lines_of(line for trouble in self.troubles for line in trouble.suggestions)
        unit = unit_of(order)
        if any(unit_of(line) == unit and province in CODES.findall(line) for line in suggested):
            return True
        return any(province in self._named(clause_around(trouble)) for trouble in self.troubles)

    def _quote_quantities(self, ordered: set[str], *, rest_holds: bool) -> None:
        """Words about all units, or all others, that are not taken are quoted while one has no order in the letter."""
        units = {unit.at.province for unit in self.context.own_units}
        if self.sheet is None or not self.sheet.kind.holds or units <= ordered | set(self.taken_back):
            return
        phrases = phrases_of(self.context.variant)
        empty = not rest_holds and not self.context.on_file()
        quoted = [trouble.text for trouble in self.troubles]
        for span in self.spans:
            words = span.text.strip()
            if words.startswith(MARKED) or self.in_passing >= MOST_IN_PASSING:
                continue
            low = clean(words).text.lower()
            if span.fate is Fate.COMMAND and empty and fits_any(low, (phrases.keep,)):
                if fits_any(low, (phrases.quantity,)):  # "Keep the rest": of what?
                    self.troubles.append(LineError(span.line, words, 0, len(words), "units-without-names", obeyed=True))
                continue
            if span.fate not in QUIET:
                continue
            leaves = may_match(phrases.left_to_us, low) and phrases.left_to_us.search(low)
            if (leaves or _speaks_of_several(low, phrases)) and not any(words in text for text in quoted):
                self.in_passing += 1
                key = "left-to-us" if leaves else "units-without-names"
                trouble = LineError(span.line, words, 0, len(words), key, obeyed=True)
                holds = self._holds_of(units - ordered) if phrases.hold_all.search(low) else ()
                self.troubles.append(replace(trouble, suggestions=holds, obeyed=not holds))

    def _holds_of(self, provinces: Container[str]) -> tuple[str, ...]:
        """A proposal that the units there hold."""
        units = (unit for unit in self.context.own_units if unit.at.province in provinces)
        return ("\n".join(self.written(Hold(OrderContext.ref(unit))) for unit in units),)

    def _named(self, words: str) -> set[str]:
        """The provinces that words may name; of a line that is too long, its beginning."""
        tokens = self._tokens(words)
        return {code for token in tokens if token.type == "PLACE" for code in token.value.provinces}

    def _take_back(self, province: str, words: WordsOfLine) -> None:
        """What the letter orders there goes at once; what is on file at the end, where nothing replaces it."""
        spared = self._spared(province, words, [order.statement for order in self.orders])
        self.orders = [
            order
            for order in self.orders
            if slot_province(order.statement.slot) != province or order.statement.slot in spared
        ]
        self.taken_back[province] = words

    def _spared(self, province: str, words: WordsOfLine, orders: Sequence[Statement]) -> tuple[Slot, ...]:
        return slots_spared(orders, province, words.text, self._tokens(words.text))

    def _tokens(self, words: str) -> list[Token]:
        if self.sheet is None:
            return []
        plain = with_signs(clean(words[:LONGEST_LINE]).text, phrases_of(self.context.variant).phone)
        return self.sheet.scanner.scan(plain)

    def _acting(self, words: str) -> set[str]:
        """The provinces of units that words call by their kind alone, and say to do something: "let the fleet go to
        Venice"; but not those of somebody else, "its fleet should hold".
        """
        low = clean(words[:LONGEST_LINE]).text.lower()
        owned = {match.end() for match in phrases_of(self.context.variant).possessive.finditer(low)}
        tokens = self._tokens(words) if self.sheet is not None and self.sheet.kind.holds else []
        if not {token.type for token in tokens} & ACTS:
            return set()
        named = mentions_of(tokens, self.context)
        called = (
            mention
            for mention in named
            if not mention.name
            and tokens[mention.at].end_pos - tokens[mention.at].start_pos > 1
            and len(low[: tokens[mention.at].start_pos].rstrip()) not in owned
        )
        return {mention.unit.at.province for mention in called if mention.unit is not None}


def _speaks_of_several(low: str, phrases: ProsePhrases) -> bool:
    """Whether words say that all hold, or begin a clause with several units that they do not name."""
    if may_match(phrases.hold_all, low) and phrases.hold_all.search(low):
        return True
    starts = (match.start() for match in phrases.quantity.finditer(low)) if may_match(phrases.quantity, low) else ()
    near = ((max(len(low[:start].rstrip()) - LONGEST_SUBJECT, 0), start) for start in starts)
    return any(SUBJECT.search(low, *columns) for columns in near)


def clause_around(trouble: LineError) -> str:
    """The words that the answer marks, with those beside them in the clause; all of the line if it marks none."""
    if trouble.start == trouble.end:
        return trouble.text
    if trouble.key.startswith(WHOLE_CLAUSE):
        return trouble.marked
    first = first_word(trouble.text, trouble.start, trouble.end)
    start = max((match.end() for match in BORDER.finditer(trouble.text, 0, first)), default=0)
    after = BORDER.search(trouble.text, trouble.end)
    return trouble.text[start : after.start() if after else len(trouble.text)]


def sentence_around(trouble: LineError) -> str:
    text, start = trouble.text, sentence_start(trouble.text, trouble.start + 1)
    return text[start : sentence_past(text, max(trouble.end, trouble.start))]
