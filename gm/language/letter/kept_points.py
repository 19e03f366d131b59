"""Points and bids on file that a letter about others leaves alone, or seems to."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from msgspec import field
from msgspec.structs import replace

from gm.judge.mechanics.influence.bid_orders import Bid, NoBids
from gm.judge.model.orders import Allocate, NoPoints, Statement, WholeSetStatement
from gm.language.commands.requests import ClearRequest
from gm.language.i18n.normalize import clean
from gm.language.letter.moves_together import SHORTEST_WORD, in_words
from gm.language.letter.order_lines import OrderLineReader
from gm.language.letter.other_phases import WRONG_PHASE
from gm.language.letter.talk.named_in_passing import names_minor
from gm.language.lines.letter_contents import LineError, OrderLine, lines_of
from gm.language.lines.spans import Fate
from gm.language.lines.trouble_keys import OPEN_POINTS, PROPOSED
from gm.language.orders.line_reader import LineReader
from gm.language.orders.parsing.lexer import Token
from gm.language.prose.clauses import blank
from gm.language.prose.guesses.shares_of_points import TO_PAYEE
from gm.language.prose.memory import LetterMemory
from gm.language.prose.phrases.phrase_tables import fits_any
from gm.language.prose.phrases.prose_phrases import phrases_of
from gm.language.prose.phrases.sheet_phrases import sheet_phrases

STAKED = frozenset({"NATION", "PLACE", "KIND", "NUMBER", "COLON"})
"""Types of tokens right behind "DP" in notation."""


class KeptPointsReader(OrderLineReader, kw_only=True):
    memory: LetterMemory = field(default_factory=LetterMemory)

    @property
    def _points_on_file(self) -> list[Allocate]:
        return [line for line in self.memory.on_file if isinstance(line, Allocate)]

    def _keep_sets(self) -> None:
        """A set of bids that is only partly understood replaces none on file: it is asked about as a whole."""
        new = [order for order in self.orders if isinstance(order.statement, WholeSetStatement)]
        if not new:
            on_file = self._points_on_file
            if on_file and not self._says_whole_set():
                self.troubles = [self._with_kept_points(trouble, on_file) for trouble in self.troubles]
            self._propose_sets()
            return
        if not self._clears() and any(isinstance(order.statement, Allocate) for order in new):
            self.memory.on_file = self.memory.on_file or self.context.on_file()
        stands = any(isinstance(statement, WholeSetStatement) for statement in self.memory.on_file)
        if stands and (stay := self._in_doubt(new)):
            self._ask(new, [*stay, *(order.statement for order in new)])
            return
        new = self._with_points_added(new) if stands else new
        if not new:
            return
        for line in self._kept_points(new) if stands else ():
            self.orders.append(OrderLine(new[0].line, new[0].text, line))
            new.append(self.orders[-1])
        asked = any(not trouble.obeyed and trouble.key != WRONG_PHASE for trouble in self.troubles)
        others = self._bids_beside(new) if stands and self._changes_some(new) else []
        if not asked:
            self.orders += [OrderLine(new[0].line, new[0].text, bid) for bid in others]
        unclear = self._unclear_points(new) if stands else []
        if any(isinstance(order.statement, Bid) and not _is_no_bid(order) for order in self.orders):
            self.orders = [order for order in self.orders if not (_is_no_bid(order) or _is_none(order))]
        if not ((asked or unclear) and stands):
            if stands and (doubted := self._too_many_points(new)):
                self._ask(new, doubted)
            return
        statements = [order.statement for order in new]
        stay = [line for line in unclear if not self._is_denied(line)]
        statements += stay if self._are_affordable([*stay, *statements]) else []
        proposed = {line for trouble in self.troubles for line in lines_of(trouble.suggestions)}
        known = {line.split()[1] for line in proposed if line.startswith("bid ")}
        statements += [bid for bid in others if bid.minor not in known]  # "Poland is safe. Lower that to 4."
        open_points = any(trouble.key == OPEN_POINTS and not trouble.obeyed for trouble in self.troubles)
        if open_points and all(isinstance(statement, NoPoints) for statement in statements):
            self.orders = [order for order in self.orders if order not in new]  # where they go instead is asked
            return
        self._ask(new, statements)

    def _ask(self, new: Sequence[OrderLine], proposed: Sequence[Statement]) -> None:
        """Proposes orders in place of those that are taken so far."""
        self.orders = [order for order in self.orders if order not in new]
        lines = "\n".join(dict.fromkeys(map(self.written, proposed)))
        first, suggestions = new[0], (lines,) if lines else ()
        self.troubles.append(LineError(first.line, first.text, 0, len(first.text), PROPOSED, (), suggestions))

    def _propose_sets(self) -> None:
        """A proposal of bids names those on file beside it: a reply YES is a letter as well, which replaces them."""
        bids = [bid for bid in self.memory.on_file if isinstance(bid, Bid)]
        asked = [at for at, each in enumerate(self.troubles) if not each.obeyed]
        proposed = [line.split() for at in asked for line in lines_of(self.troubles[at].suggestions)]
        if (
            len(asked) != 1
            or len(self.troubles[asked[0]].suggestions) != 1
            or any(words[0] != "bid" for words in proposed)
        ):
            return
        others = [bid for bid in bids if bid.minor not in {words[1] for words in proposed}]
        spent = sum(int(words[2]) for words in proposed if words[2:] and words[2].isdigit())
        if spent + sum(bid.points for bid in others) <= self.context.purse.amount:
            lines = [*self.troubles[asked[0]].suggestions, *map(self.written, others)]
            self.troubles[asked[0]] = replace(self.troubles[asked[0]], suggestions=("\n".join(lines),))

    def _bids_beside(self, new: Sequence[OrderLine]) -> list[Bid]:
        """The bids on file that stand beside others that change."""
        on_file = [statement for statement in self.memory.on_file if isinstance(statement, Bid)]
        named = {order.statement.minor for order in new if isinstance(order.statement, Bid)}
        others = [bid for bid in on_file if bid.minor not in named]
        # "Raise Poland to 7" and all others are too much: the sheet says so, and no bid goes without a word
        changing = phrases_of(self.context.variant).changing
        changed = bool({bid.minor for bid in on_file} & named) and self._says(new, changing)
        fits = changed or self._are_affordable([*others, *(order.statement for order in new)])
        return others if fits else []

    def _kept_points(self, new: Sequence[OrderLine]) -> list[Allocate]:
        """Points on file for powers of which the letter says that theirs stay ("the Greek point is fine as it is"), or
        names nothing but says so of all the rest, or tells in words of others alone ("1 point for the Swiss, too");
        none where there are not enough points.
        """
        phrases = phrases_of(self.context.variant)
        words = {span: clean(span.text).text.lower().strip(" .,;!") for span in self.spans}
        keeping = (phrases.keep, phrases.keep_unit, phrases.keep_sentence)
        kept = [
            text
            for span, text in words.items()
            if span.fate is not Fate.ORDER and (fits_any(text, keeping) or self._says_to_keep(text))
        ]
        own = [order.statement for order in new if isinstance(order.statement, Allocate)]
        on_file = self._points_on_file
        adds = self._adds(new)
        self._understood(kept, [line for line in own if line in on_file])
        if not (kept or adds) or len(own) < len(new) or any(line in on_file for line in own):
            return []
        others = [line for line in on_file if line.minor not in {each.minor for each in own}]
        spoken = [text for text in words.values() if text not in kept]
        rest = adds or any(fits_any(text, (phrases.others, phrases.quantity)) for text in kept)
        stay = [
            line for line in others if self._names_minor(line, kept) or (rest and not self._names_minor(line, spoken))
        ]
        if not self._are_affordable([*stay, *own]):
            return []
        self._understood(kept, stay)
        return stay

    def _with_kept_points(self, trouble: LineError, on_file: Sequence[Allocate]) -> LineError:
        """With the points on file that stand beside those that are proposed."""
        words, phrases = clean(trouble.marked).text, phrases_of(self.context.variant)
        if self.sheet is None or not trouble.suggestions or phrases.only.search(words.lower()):
            return trouble
        others = [line for line in on_file if not self._names_minor(line, [words])]
        more = phrases.more_points.search(words.lower()) is not None
        suggestions = (self._added(each, self.sheet) if more else each for each in trouble.suggestions)
        return replace(trouble, suggestions=tuple(self._beside(others, each, self.sheet) for each in suggestions))

    def _added(self, suggestion: str, sheet: LineReader) -> str:
        """One line of points with those on file for the same order."""
        statements = [line for meaning in sheet.try_out(suggestion, self.context) for line in meaning.statements]
        return self.written(self._more(statements[0])) if len(statements) == 1 else suggestion

    def _beside(self, others: Sequence[Allocate], suggestion: str, sheet: LineReader) -> str:
        """The lines proposed, and before them those of other powers, where there are points for all of them."""
        meanings = [meaning for line in suggestion.split("\n") for meaning in sheet.try_out(line, self.context)]
        new = [line for meaning in meanings for line in meaning.statements if isinstance(line, Allocate)]
        stay = [line for line in others if line.minor not in {each.minor for each in new}]
        if not new or not self._are_affordable([*stay, *new]):
            return suggestion
        return "\n".join([*map(self.written, stay), suggestion])

    def _with_points_added(self, new: list[OrderLine]) -> list[OrderLine]:
        """ "One more point on Austria's hold": on top of those on file for the same order; [] where there are too few
        for all that stands.
        """
        if len(new) != 1 or not self._says(new, phrases_of(self.context.variant).more_points):
            return new
        line, more = new[0].statement, self._more(new[0].statement)
        if more != line and not self._are_affordable([more, *self._others(more)]):
            if _points(line) > _points(more) - _points(line):
                return new  # "add it to the one on Latvia, so that they hold with 2"
            self._ask(new, [more] if self._are_affordable([more]) else [])
            return []
        anew = replace(new[0], statement=more)
        self.orders = [anew if order is new[0] else order for order in self.orders]
        return [anew]

    def _more(self, line: Statement) -> Statement:
        """With the points on file for the same order."""
        same = [each for each in self._points_on_file if each.slot == line.slot]
        return line.more(same[0].points) if same and isinstance(line, Allocate) else line

    def _others(self, line: Statement) -> list[Allocate]:
        return [each for each in self._points_on_file if each.slot != line.slot]

    def _adds(self, new: Sequence[OrderLine]) -> bool:
        """Whether points come on top of those on file: a letter in notation replaces them all."""
        if self._replaces(new):
            return False
        if len(new) == 1 and self._says(new, phrases_of(self.context.variant).adding):
            return True
        return self._tells_of_some(new)

    def _replaces(self, new: Sequence[OrderLine]) -> bool:
        """Whether words say that those on file go: "forget my earlier points", "nothing for anyone else"."""
        return self._says_whole_set() or self._says_only(new)

    def _says_only(self, new: Sequence[OrderLine]) -> bool:
        only = phrases_of(self.context.variant).only
        return any(only.search(_words(each)) for each in new if not self._revises(each))

    def _revises(self, order: OrderLine) -> bool:
        """Whether words change one bid of several: "rather 6 for Hungary", for which 5 are on file."""
        bid, words = order.statement, _words(order)
        before = {each.minor for each in self.memory.on_file if isinstance(each, Bid)}
        revising = phrases_of(self.context.variant).revising
        return isinstance(bid, Bid) and bid.minor in before and fits_any(words, (revising,))

    def _says_whole_set(self) -> bool:
        """Whether any words but those of press speak of all points; many orders and errors may have one long line in
        common.
        """
        whole_set = phrases_of(self.context.variant).whole_set
        texts = dict.fromkeys(span.text for span in self.spans if span.fate is not Fate.PRESS)
        texts |= dict.fromkeys(order.text for order in self.orders)
        texts |= dict.fromkeys(trouble.text for trouble in self.troubles)
        return any(whole_set.search(clean(text).text.lower()) for text in texts)

    def _in_doubt(self, new: Sequence[OrderLine]) -> list[Allocate | Bid]:
        """Those on file that may go or stay: "only 2 points on Belgium" may be less than before, or all there is."""
        phrases = phrases_of(self.context.variant)
        if not self._says_only(new) or self._says_whole_set() or self._clears():
            return []
        changing = (phrases.changing, phrases.adding, phrases.revising)
        if all(isinstance(order.statement, Bid | NoBids) for order in new) and not self._says(new, *changing):
            return []  # bids replace the others in any case
        on_file = [line for line in self.memory.on_file if isinstance(line, Allocate | Bid)]
        named = {order.statement.minor for order in new if isinstance(order.statement, Allocate | Bid)}
        others = [line for line in on_file if line.minor not in named]
        fits = self._are_affordable([*others, *(order.statement for order in new)])
        return others if len(others) < len(on_file) and fits else []

    def _tells_of_some(self, new: Sequence[OrderLine]) -> bool:
        """Whether words tell of points, and not that others go for them."""
        sheet = self.sheet
        if sheet is None or self._clears() or self._replaces(new):
            return False
        return not any(is_notation(sheet.scanner.scan(clean(order.text).text)) for order in new)

    def _clears(self) -> bool:
        return any(isinstance(each.request, ClearRequest) and not each.request.provinces for each in self.requests)

    def _too_many_points(self, new: Sequence[OrderLine]) -> list[Allocate]:
        """The new lines, where words about them leave points for some others on file but not for all: "I meant 2 points
        on Lithuania, not 1".
        """
        own = [order.statement for order in new if isinstance(order.statement, Allocate)]
        on_file = self._points_on_file
        others = [line for line in on_file if not self._names_minor(line, [order.text for order in new])]
        spent, most = sum(line.points for line in own), self.context.purse.amount
        is_clear = len(own) < len(new) or any(line in on_file for line in own) or spent >= most
        if is_clear or self._are_affordable([*others, *own]) or not self._tells_of_some(new):
            return []
        return own

    def _understood(self, kept: Sequence[str], lines: Sequence[Allocate]) -> None:
        """Words that say that these lines stay need no answer."""
        spoken = [text for text in kept for line in lines if self._names_minor(line, [text])]
        marked = {trouble: clean(trouble.marked).text.lower().strip(" .,;!") for trouble in self.troubles}
        self.troubles = [each for each in self.troubles if not any(marked[each] in text for text in spoken)]

    def _says_to_keep(self, text: str) -> bool:
        """Whether words of this sheet alone say so, without a doubt: "Greece keeps its point"."""
        variant = self.context.variant
        name = self.sheet.kind.name if self.sheet is not None else ""
        match = sheet_phrases(variant.language, name).keep.search(text)
        phrases = phrases_of(variant)
        doubts = (phrases.negated, phrases.hedge, phrases.condition, phrases.alternative, phrases.reported)
        return match is not None and not fits_any(blank(text, *match.span()), doubts)

    def _unclear_points(self, new: Sequence[OrderLine]) -> list[Allocate]:
        """Points on file that the new ones would replace, for powers of which the letter speaks in words that are not
        understood: "the one on Greece is another matter"; where both sets cost more than there is, only those that a
        question quotes.
        """
        own = [order.statement for order in new]
        on_file = self._points_on_file
        named = {line.minor for line in own if isinstance(line, Allocate)}
        others = [line for line in on_file if named and line.minor not in named]
        words = [clean(span.text).text for span in self.spans if span.fate in (Fate.TALK, Fate.NOT_TAKEN)]
        gone = [line for line in others if self._names_minor(line, words)]
        if self._are_affordable([*gone, *own]):
            return gone
        if sum(line.points for line in own if isinstance(line, Allocate)) == self.context.purse.amount:
            return []  # nothing is left for others
        quoted = [clean(trouble.marked).text for trouble in self.troubles if trouble.key == "named-in-passing"]
        return [line for line in others if self._names_minor(line, quoted)]

    def _bids_spoken_of(self, words: Sequence[Token], low: str) -> list[str]:
        """The bids of the letter that words which are not taken may change: "Five on Poland. … Three more there"."""
        if phrases_of(self.context.variant).adding.search(low) is None:
            return []
        named = ((before.type, token.value) for before, token in pairwise(words) if token.type == "NATION")
        minors = {minor for before, minor in named if before in TO_PAYEE}
        bids = [order.statement for order in self.orders if isinstance(order.statement, Bid)]
        return [self.written(bid) for bid in bids if bid.minor in minors]

    def _is_denied(self, line: Allocate) -> bool:
        """Whether the words about the power of a line on file say no: "the Greeks need nothing from me"."""
        phrases = phrases_of(self.context.variant)
        denials = [text for span in self.spans if phrases.negated.search(text := clean(span.text).text.lower())]
        return self._names_minor(line, denials)

    def _names_minor(self, line: Allocate, words: Sequence[str]) -> bool:
        return self.sheet is not None and names_minor(self.sheet, line, words)

    def _changes_some(self, new: Sequence[OrderLine]) -> bool:
        """Whether words say that single bids change: "make Poland a 6", "drop Spain, 9 on Finland", or for whom one
        counts: "my three in Hungary shall support Italy". The others stay.
        """
        before = {bid.minor: bid for bid in self.memory.on_file if isinstance(bid, Bid)}
        bids = [order.statement for order in new if isinstance(order.statement, Bid)]
        same = [bid for bid in bids if bid.minor in before and bid.points == before[bid.minor].points]
        if len(same) == len(new) and all(bid.backs and bid.backs != before[bid.minor].backs for bid in same):
            return True
        if any(_is_no_bid(order) for order in new) or self._keeps_others():
            return True
        if self._replaces(new):
            return False
        phrases = phrases_of(self.context.variant)
        again = any(bid.minor in before for bid in bids) and phrases.correction.match(_words(new[0])) is not None
        return again or self._says(new, phrases.changing, phrases.adding, phrases.revising)

    def _says(self, orders: Sequence[OrderLine], *patterns: re.Pattern[str]) -> bool:
        return all(fits_any(_words(order), patterns) for order in orders)

    def _keeps_others(self) -> bool:
        """Whether words say that the others stay: "Rumania 1, the others unchanged"."""
        phrases = phrases_of(self.context.variant)
        others = (phrases.others, phrases.quantity)
        words = {span: clean(span.text).text.lower().strip(" .,;!") for span in self.spans}
        if any(span.fate is Fate.COMMAND and fits_any(text, (phrases.keep,)) for span, text in words.items()):
            return True  # "all my points are fine as they are"
        talk = [text for span, text in words.items() if span.fate is not Fate.ORDER]
        return any(fits_any(text, others) and fits_any(text, (phrases.keep, phrases.hold_rest)) for text in talk)

    def _are_affordable(self, bids: Sequence[Statement]) -> bool:
        return sum(bid.points for bid in bids if isinstance(bid, Bid | Allocate)) <= self.context.purse.amount


def is_notation(tokens: Sequence[Token]) -> bool:
    """Whether a line of points is in notation: "1 DP Aus: hold", "2 F Swe H"."""
    return not in_words(tokens) or any(
        points.type == "POINTS" and points.end_pos - points.start_pos < SHORTEST_WORD and behind.type in STAKED
        for points, behind in pairwise(tokens)
    )


def _points(line: Statement) -> int:
    return line.points if isinstance(line, Allocate) else 0


def _words(order: OrderLine) -> str:
    """Those of the whole line."""
    return clean(order.text).text.lower()


def _is_no_bid(order: OrderLine) -> bool:
    """ "Turkey 0" takes the bid on file back."""
    bid = order.statement
    return isinstance(bid, Bid) and not (bid.points or bid.backs)


def _is_none(order: OrderLine) -> bool:
    """ "No" before a bid is no word for an empty set."""
    return isinstance(order.statement, NoBids)
