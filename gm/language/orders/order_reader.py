"""One line of a sheet -> what each order in it means. Two stages, both remembered.

First the words (`gm.language.orders.parsing.lexer`, `gm.language.orders.parsing.grammar`): pieces between
separators, each an order's sketch, plain talk, or
something that looks like an order and is none. This does not depend on the position. Then the sketches are checked
against the board and the units on it (`reading_moves`, `reading_retreats`, `reading_builds`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import Struct

from gm.judge.board.board import Board
from gm.judge.model.orders import Statement
from gm.judge.model.position import Dislodged, Unit
from gm.judge.model.variant import Step, Variant
from gm.language.lines.letter_contents import LetterContext
from gm.language.orders.example_cache import ExampleCache
from gm.language.orders.parsing import parse_tree as sketches
from gm.language.orders.parsing.grammar import Grammar, grammar
from gm.language.orders.parsing.lexer import Scanner, Token
from gm.language.orders.parsing.line_patterns import Patterns
from gm.language.orders.parsing.order_context import (
    OrderContext,
    OrderError,
    OrderWarning,
    UnitsByProvince,
    ground,
    names_of,
)
from gm.language.orders.parsing.order_or_talk import looks_like_an_order
from gm.language.orders.parsing.parse_tree import Sketch
from gm.language.orders.sheets import adjustments as reading_builds
from gm.language.orders.sheets import diplomacy_points as reading_allocations
from gm.language.orders.sheets import diplomacy_points as stakes
from gm.language.orders.sheets import dips as dipwords
from gm.language.orders.sheets import dips as reading_dips
from gm.language.orders.sheets import influence as reading_bids
from gm.language.orders.sheets import influence as wagers
from gm.language.orders.sheets import moves as reading_moves
from gm.language.orders.sheets import moving_borders as reading_upheavals
from gm.language.orders.sheets import moving_borders as wholelines
from gm.language.orders.sheets import retreats as reading_retreats
from gm.language.orders.sheets import wings as flights
from gm.language.orders.sheets import wings as reading_flights

MEMO = 8192
MOST_KNOWN = 16_384
MOST_LETTERS = 600_000
"""In all lines that are remembered: what is known of one takes a hundred times its length."""
MOST_DESKS = 32
LONGEST_LINE = 4000
UNIT_WORDS = frozenset({"KIND", "PLACE", "NATION", "OF"})
BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|\{[^{}]*\}")
PREFERENCES = re.compile(r"[(\[]\s*(?:r|ret|retreats?|rto)\b[^()\[\]]*[)\]]", re.IGNORECASE)
ASKING = re.compile(r"\?\s*$")

Check = Callable[[OrderContext, Any], Iterator[Statement]]
CHECKS: Mapping[type, Check] = {
    sketches.HoldNode: reading_moves.hold,
    sketches.MoveNode: reading_moves.move,
    sketches.SupportNode: reading_moves.support,
    sketches.ConvoyNode: reading_moves.convoy,
    sketches.SupportedNode: reading_moves.supported,
    sketches.RetreatNode: reading_retreats.retreat,
    sketches.BuildNode: reading_builds.build,
    sketches.AloneNode: reading_builds.alone,
    sketches.WaiveNode: reading_builds.waive,
    sketches.KeepNode: reading_builds.keep,
    sketches.AllocateNode: reading_allocations.allocate,
    sketches.NoPointsNode: reading_allocations.no_points,
    sketches.PointsNode: reading_allocations.points,
    sketches.DipSupportNode: reading_dips.dip_support,
    sketches.InterceptMailNode: reading_dips.intercept_mail,
    sketches.ProtectNode: reading_dips.protect,
    sketches.NoDipsNode: reading_dips.no_dips,
    sketches.BidNode: reading_bids.bid,
    sketches.NoBidsNode: reading_bids.no_bids,
    sketches.PassageNode: reading_bids.passage,
    sketches.BombNode: reading_flights.bomb,
    sketches.InterceptNode: reading_flights.intercept,
    sketches.UpheavalNode: reading_upheavals.upheaval,
    sketches.PlacementNode: reading_upheavals.placement,
    sketches.NoEventNode: reading_upheavals.no_event,
}

SCANNERS: Mapping[str, type[Scanner]] = {
    "PROTECT": dipwords.DipScanner,
    "CHOOSE": dipwords.ChoiceScanner,
    wagers.BID: wagers.BidScanner,
}
"""For grammars with these terminals."""


class OrderPiece(NamedTuple):
    """A part of a line between separators. `sketch` None and `order` True: it looks like an order and is none.

    `preferences` are the columns of a list of retreats written with it.
    """

    text: str
    start: int
    end: int
    tokens: tuple[Token, ...]
    sketch: Sketch | None
    order: bool
    stuck: Token | None = None
    preferences: tuple[int, int] | None = None

    @property
    def stray(self) -> bool:
        """Between orders, such a piece ("A Par - Bur, Pic") is no talk."""
        kinds = {token.type for token in self.tokens}
        return "PLACE" in kinds and not kinds & {"WORD", "TALK", "NUMBER"}


class PieceMeaning(Struct, frozen=True):
    """What one piece means: statements with remarks, or a flaw. Columns are those of the cleaned line."""

    piece: OrderPiece
    statements: tuple[Statement, ...] = ()
    remarks: tuple[OrderWarning, ...] = ()
    flaw: OrderWarning | None = None


class LineMeaning(Struct, frozen=True):
    """What a power's line means, while the same units stand in the provinces looked at (None: on the whole board).

    It makes no difference whose units they are, unless they were looked at as the writer's own, or `owners`: powers
    were named in the line. `only` is the statement where the line is one order that can be obeyed. `fleeting`: good for
    once.
    """

    findings: tuple[PieceMeaning, ...]
    only: Statement | None
    owners: bool
    seen: tuple[tuple[str, tuple[Unit, ...], bool], ...] | None
    units: tuple[Unit, ...]
    dislodged: tuple[Dislodged, ...]
    fleeting: bool = False

    @property
    def exemplary(self) -> bool:
        """Whether it is one order that was read without a remark, from the units it names alone."""
        if self.owners or self.fleeting or self.seen is None:
            return False
        return len(self.findings) == 1 and not self.findings[0].remarks

    def still(self, here: UnitsByProvince, power: str) -> bool:
        if self.dislodged != here.position.dislodged:
            return False
        if self.seen is None or self.owners:
            return self.units == here.position.units
        units = here.units
        for code, before, whose in self.seen:
            now = units.get(code, ())
            if now != before and not _alike(now, before, power if whose else ""):
                return False
        return True


def _alike(now: tuple[Unit, ...], before: tuple[Unit, ...], power: str) -> bool:
    """Whether others stand there who make no difference to the words; `power`: if as many of them are not its own."""
    if len(now) != len(before):
        return False
    for one, two in zip(now, before, strict=True):
        if one.at != two.at or one.kind != two.kind or one.number != two.number:
            return False
        if power and (one.power == power) != (two.power == power):
            return False
    return True


class SheetReader:
    """Reads the lines of one board's and one grammar's sheets. Lines have gone through
    `gm.language.i18n.normalize.clean`."""

    def __init__(self, variant: Variant, board: Board, name: str) -> None:
        self.grammar: Grammar = grammar(name)
        self.names = names_of(board, variant)
        self.words = self.grammar.vocabulary(variant.language)
        self.stakes = any(kind == stakes.POINTS for kind, _ in self.words.meaning.values())
        self.wagers = wagers.BID in self.grammar.terminals
        self.verbs = "CHOOSE" not in self.grammar.terminals
        """Whether a unit by itself says nothing yet: it does where units are chosen."""
        self.whole = wholelines.WHOLE in self.grammar.terminals
        beside = next((word for word, (kind, _) in self.words.meaning.items() if kind == wholelines.BESIDE), "")
        self.beside = SheetReader(variant, board, beside) if beside else None
        self.scanner: Scanner = self._reading_with(variant)(variant, board, self.names, self.words)
        self._patterns = Patterns(self.scanner)
        self._pieces: dict[str, tuple[OrderPiece, ...]] = {}
        self._length = 0
        self.examples = ExampleCache(self._patterns)
        """By which orders for any unit are read, where others of their form were read before."""
        self._known: tuple[dict[tuple[str, str], LineMeaning], dict[tuple[str, str], LineMeaning]] = ({}, {})
        """By whose line and the line; of orders that must be possible, and of orders for any unit."""

    def _reading_with(self, variant: Variant) -> type[Scanner]:
        own = next((one for word, one in SCANNERS.items() if word in self.grammar.terminals), None)
        if own is not None:
            return own
        if self.stakes:
            return stakes.PointsScanner
        if self.whole:
            return wholelines.BorderOrderScanner
        if flights.flies(variant):
            return flights.WingScanner
        return wholelines.ShoreScanner if self.names.marks else Scanner

    # ---- first stage

    def pieces(self, text: str) -> tuple[OrderPiece, ...]:
        found = self._pieces.get(text)
        if found is None:
            self._make_room(len(self._pieces) >= MEMO, text)
            found = self._pieces[text] = self._beside(tuple(self._cut(text)))
        return found

    def _make_room(self, full: bool, text: str) -> None:
        """For one more line to be remembered: all are forgotten where a memo is full, or they are too long together."""
        if full or self._length > MOST_LETTERS:
            self._length = 0
            for memo in (self._pieces, *self._known):
                memo.clear()
        self._length += len(text)

    def _beside(self, pieces: tuple[OrderPiece, ...]) -> tuple[OrderPiece, ...]:
        """What names somebody beside a bid is no talk: "Poland 5 and the rest on Spain"."""
        if not self.wagers or not any(piece.sketch is not None for piece in pieces):
            return pieces
        return tuple(piece._replace(order=piece.order or wagers.names(piece.tokens)) for piece in pieces)

    def _cut(self, text: str) -> Iterator[OrderPiece]:
        if len(text) > LONGEST_LINE:
            return
        if self.beside is not None and any(piece.order for piece in self.beside.pieces(text)):
            yield from self.beside.pieces(text)
            return
        line = text
        wishes = PREFERENCES.search(line) if "(" in line or "[" in line else None
        if wishes:
            line = line[: wishes.start()] + " " * (wishes.end() - wishes.start()) + line[wishes.end() :]
        tokens = self._patterns.scan(line)
        if self.whole:
            yield from self._line(line, tokens)
            return
        kinds = {token.type for token in tokens}
        if "IF" in kinds:
            order = looks_like_an_order([t for t in tokens if t.type not in ("IF", "SEP")], self.words)
            order = order or (self.wagers and wagers.wagered(tokens, self.scanner.powers.values()))
            yield OrderPiece(line, 0, len(text), tuple(tokens), None, order)
            return
        if [token.type for token in tokens] == ["PLACE", "SEP", "PLACE"] and line[tokens[1].start_pos or 0] == ":":
            tokens = [tokens[0], tokens[2]]
            kinds = {"PLACE"}
        parts = _split(tokens, self.grammar.starters) if "SEP" in kinds or not tokens else [tokens]
        parts = wagers.with_places(parts) if wagers.ALLOW in self.grammar.starters else parts
        parts = wagers.together(parts) if self.wagers else parts
        parts = flights.together(parts) if flights.INTERCEPT in self.grammar.terminals else parts
        if len(parts) > 1:
            parts = self._join(stakes.together(parts) if self.stakes else parts)
        for part in parts:
            for own, sketch, stuck in self._unglued(part):
                yield self._piece(line, own, sketch, stuck, wishes)

    def of(self, piece: OrderPiece) -> SheetReader:
        """The reader of this piece: this one, or the one for the lines beside."""
        if self.beside is None or self.beside.pieces(piece.text) != (piece,):
            return self
        return self.beside

    @property
    def sheets(self) -> tuple[str, ...]:
        """The grammars of all lines that are read."""
        return (self.grammar.name, *(self.beside.sheets if self.beside is not None else ()))

    def _line(self, line: str, tokens: list[Token]) -> Iterator[OrderPiece]:
        """The whole line as one order."""
        told = wholelines.telling(tokens)
        if not told:
            return
        sketch, stuck = self.grammar.parse(told)
        own = frozenset(wholelines.own_words(self.grammar.terminals))
        order = sketch is not None or wholelines.meant(told, own)
        yield OrderPiece(line, tokens[0].start_pos, tokens[-1].end_pos, tuple(tokens), sketch, order, stuck)

    def _unglued(self, tokens: list[Token]) -> Iterator[tuple[list[Token], Sketch | None, Token | None]]:
        """Orders side by side with nothing between: a new one begins where a unit stands after a whole order."""
        while True:
            sketch, stuck = self.grammar.parse(tokens)
            if sketch is not None or stuck is None or stuck.type != "KIND":
                break
            at = next((i for i, token in enumerate(tokens) if token is stuck), 0)
            if not at:
                break
            first, _ = self.grammar.parse(tokens[:at])
            if first is None:
                break
            yield tokens[:at], first, None
            tokens = tokens[at:]
        yield tokens, sketch, stuck

    def _join(self, parts: list[list[Token]]) -> list[list[Token]]:
        """Units alone go with what follows ("A Vie, A Bud S A Tri"); "supported by …" goes with what stands before."""
        if self.grammar.alone:
            return _listed(parts)
        joined: list[list[Token]] = []
        for part in parts:
            backing = part[0].type in ("SUPPORTED", "BY")
            listed = _only_units(part) and bool(joined) and any(token.type == "SUPPORTED" for token in joined[-1])
            waiting = bool(joined) and _only_units(joined[-1]) and (self.verbs or _only_units(part))
            if joined and (backing or listed or waiting):
                comma = [] if backing else [_comma(joined[-1][-1])]
                joined[-1] = [*joined[-1], *comma, *part]
            else:
                joined.append(part)
        return joined

    def _piece(
        self,
        line: str,
        tokens: list[Token],
        sketch: Sketch | None,
        stuck: Token | None,
        wishes: re.Match[str] | None,
    ) -> OrderPiece:
        if sketch is None:
            outside = _outside_brackets(line, tokens)
            if outside is not None:
                again, _ = self.grammar.parse(outside)
                sketch = again
        start, end = tokens[0].start_pos, tokens[-1].end_pos
        if sketch is not None and "?" in line and ASKING.search(line) and not isinstance(sketch, sketches.PointsNode):
            sketch, stuck = None, None
        order = sketch is not None or looks_like_an_order(tokens, self.words)
        order = (
            order
            or (self.stakes and stakes.staked(tokens))
            or (self.wagers and wagers.wagered(tokens, self.scanner.powers.values()))
        )
        return OrderPiece(line, start, end, tuple(tokens), sketch, order, stuck, wishes.span() if wishes else None)

    # ---- second stage

    def read(self, text: str, context: LetterContext) -> tuple[PieceMeaning, ...]:
        here = ground(context.variant, context.position)
        return self.reading(text, here, context.power, context.any_unit).findings

    def reading(self, text: str, here: UnitsByProvince, power: str, any_unit: bool) -> LineMeaning:
        key = power, text
        known = self._known[any_unit].get(key)
        if known is not None and known.still(here, power):
            return known
        known = self._reading(text, here, power, any_unit)
        self._keep(key, known, any_unit)
        if any_unit and known.only is not None and known.exemplary:
            self.examples.learn(text, known.only, here, power)
        return known

    def _keep(self, key: tuple[str, str], known: LineMeaning, any_unit: bool) -> None:
        if self.grammar.alone or known.fleeting:
            return
        memo = self._known[any_unit]
        self._make_room(len(memo) >= MOST_KNOWN, key[1])
        memo[key] = known

    def _reading(self, text: str, here: UnitsByProvince, power: str, any_unit: bool) -> LineMeaning:
        findings: list[PieceMeaning] = []
        local, owners, fleeting = True, False, False
        seen: dict[tuple[str, bool], tuple[str, tuple[Unit, ...], bool]] = {}
        for piece in self.pieces(text):
            bench = OrderContext(here, power, any_unit)
            findings.append(self._finding(piece, bench))
            local = local and bench.local and findings[-1].flaw is None
            owners = owners or bench.owners
            fleeting = fleeting or bench.fleeting
            for (code, whose), units in bench.seen.items():
                seen[code, whose] = code, units, whose
        only = findings[0].statements[0] if len(findings) == 1 and len(findings[0].statements) == 1 else None
        looked = tuple(seen.values()) if local else None
        units, dislodged = here.position.units, here.position.dislodged
        return LineMeaning(tuple(findings), only, owners, looked, units, dislodged, fleeting)

    def try_out(self, text: str, context: LetterContext) -> tuple[PieceMeaning, ...]:
        """The same without remembering anything; empty unless all of it would be obeyed without a remark."""
        here = ground(context.variant, context.position)
        found = [self._finding(piece, OrderContext(here, context.power)) for piece in self._cut(text)]
        good = all(one.statements and one.flaw is None for one in found)
        return tuple(found) if good else ()

    def _finding(self, piece: OrderPiece, bench: OrderContext) -> PieceMeaning:
        if piece.sketch is None:
            return PieceMeaning(piece)
        try:
            statements = tuple(check_of(piece.sketch, self.grammar.name)(bench, piece.sketch))
        except OrderError as found:
            bench.local = False
            return PieceMeaning(piece, (), (), found.remark)
        if piece.preferences:
            bench.remarks.append(OrderWarning("retreat-preferences", *piece.preferences))
        return PieceMeaning(piece, statements, tuple(bench.remarks))


def check_of(sketch: Sketch, sheet: str) -> Check:
    """Disband means two things: a dislodged unit in a retreat phase, a surplus one in an adjustment phase."""
    if isinstance(sketch, sketches.DisbandNode):
        return reading_retreats.disband if sheet == "retreats" else reading_builds.disband
    return CHECKS[type(sketch)]


_DESKS: dict[tuple[int, int, str], tuple[Variant, Board, SheetReader]] = {}


def desk(context: LetterContext) -> SheetReader | None:
    """The reader for this position's sheets; None where nobody writes any."""
    name = sheet_of(context.variant.step(context.position))
    return desk_for(context.variant, context.position.board, name) if name else None


def sheet_of(step: Step) -> str:
    """The grammar that reads all of a step's sheets: each further one a step names reads what those before it do."""
    return (step.grammar, *step.also)[-1]


def first_sheet(context: LetterContext) -> str:
    """The sheet of the first step of a year that has one."""
    return next(sheet_of(step) for step in context.variant.calendar if step.grammar)


def phase_of(context: LetterContext) -> str:
    return context.variant.phase_name(context.position)


def desk_for(variant: Variant, board: Board, name: str) -> SheetReader:
    """Remembered for the last few boards, by identity."""
    key = (id(variant), id(board), name)
    found = _DESKS.get(key)
    if found is not None and found[0] is variant and found[1] is board:
        return found[2]
    made = SheetReader(variant, board, name)
    while len(_DESKS) >= MOST_DESKS:
        _DESKS.pop(next(iter(_DESKS)), None)
    _DESKS[key] = (variant, board, made)
    return made


def _split(tokens: Sequence[Token], starters: frozenset[str]) -> list[list[Token]]:
    """Parts between separators; a separator before a word that begins no order ("Rum. - Ser") is a mere dot."""
    parts: list[list[Token]] = [[]]
    for at, token in enumerate(tokens):
        if token.type != "SEP":
            parts[-1].append(token)
            continue
        after = tokens[at + 1].type if at + 1 < len(tokens) else "SEP"
        if after in starters or after in ("WORD", "TALK", "IF", "SEP", "NUMBER", "SUPPORTED"):
            parts.append([])
    return [part for part in parts if part]


def _only_units(tokens: Sequence[Token]) -> bool:
    kinds = [token.type for token in tokens if token.type != "SEP"]
    return all(kind in UNIT_WORDS for kind in kinds) and "PLACE" in kinds


def _listed(parts: list[list[Token]]) -> list[list[Token]]:
    """ "Build A Par, F Bre": units alone take the verb before them."""
    joined: list[list[Token]] = []
    for part in parts:
        if joined and _only_units(part) and not _only_units(joined[-1]) and joined[-1][-1].type == "PLACE":
            joined[-1] = [*joined[-1], _comma(joined[-1][-1]), *part]
        else:
            joined.append(part)
    return joined


def _comma(after: Token) -> Token:
    end = after.end_pos
    return Token("SEP", ",", end, end)


def _outside_brackets(line: str, tokens: Sequence[Token]) -> list[Token] | None:
    """The tokens without bracketed remarks, where there are any with words that no order holds."""
    spans = [(found.start(), found.end()) for found in BRACKETS.finditer(line)]
    if not spans:
        return None
    kept = [t for t in tokens if not any(a < t.start_pos < b for a, b in spans)]
    return kept if kept and len(kept) < len(tokens) else None
