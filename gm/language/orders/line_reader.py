"""Reads one line of a sheet: which orders stand in it, and what each of them means at a position.

Two stages, both cached. The first looks at words alone (`parsing.lexer`, `parsing.grammar`): pieces between
separators, each of them an order node, plain talk, or something that looks like an order and is none. The second
checks the nodes against the board and its units (`SheetKind.checks`). What a kind of sheet has of its own stands in
its row (`sheets.all_sheets`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from gm.judge.board.board import Board
from gm.judge.model.position import Unit
from gm.judge.model.variant import Step, Variant
from gm.language.lines.letter_contents import LetterContext
from gm.language.orders.example_cache import ExampleCache
from gm.language.orders.line_meaning import LineMeaning, OrderPiece, PieceMeaning
from gm.language.orders.parsing.lexer import Scanner, Token
from gm.language.orders.parsing.line_parts import split_line
from gm.language.orders.parsing.line_patterns import LinePatterns
from gm.language.orders.parsing.order_context import (
    OrderContext,
    OrderError,
    OrderWarning,
    UnitsByProvince,
    place_names,
)
from gm.language.orders.parsing.order_or_talk import is_pair_of_initials, looks_like_an_order
from gm.language.orders.parsing.parse_tree import OrderNode
from gm.language.orders.sheets.all_sheets import BY_NAME, sheet_grammar
from gm.language.orders.sheets.sheet_kind import Check

MOST_PIECES = 8192
MOST_MEANINGS = 16_384
MOST_LETTERS = 600_000
"""In all lines that are cached: the memory for a line is a hundred times its length."""
MOST_READERS = 32
LONGEST_LINE = 4000
BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|\{[^{}]*\}")
PREFERENCES = re.compile(r"[(\[]\s*(?:r|ret|retreats?|rto)\b[^()\[\]]*[)\]]", re.IGNORECASE)
QUESTION = re.compile(r"\?\s*$")


class LineReader:
    """Reads the lines of one kind of sheet on one board. Lines have gone through `gm.language.i18n.normalize.clean`."""

    def __init__(self, variant: Variant, board: Board, name: str) -> None:
        kind = self.kind = BY_NAME[name]
        self.grammar = sheet_grammar(name)
        self.names = place_names(board, variant)
        self.words = self.grammar.vocabulary(variant.language)
        self.also = LineReader(variant, board, kind.also) if kind.also else None
        self.scanner: Scanner = kind.scanner(variant, self.names)(variant, board, self.names, self.words)
        self._patterns = LinePatterns(self.scanner)
        self._checks: dict[type[OrderNode], Check] = {**(self.also._checks if self.also else {}), **kind.checks}
        self._pieces: dict[str, tuple[OrderPiece, ...]] = {}
        self._length = 0
        self.examples = ExampleCache(self._patterns)
        """By which orders for any unit are read, where others of their form were read before."""
        self._meanings: tuple[dict[tuple[str, str], LineMeaning], dict[tuple[str, str], LineMeaning]] = ({}, {})
        """By the writing power and the line; of orders that must be possible, and of orders for any unit."""

    # ---- first stage

    def pieces(self, text: str) -> tuple[OrderPiece, ...]:
        pieces = self._pieces.get(text)
        if pieces is None:
            self._make_room(len(self._pieces) >= MOST_PIECES, text)
            pieces = self._pieces[text] = self._with_rest(tuple(self._cut(text)))
        return pieces

    def _make_room(self, full: bool, text: str) -> None:
        """For one more cached line: everything is dropped where a cache is full, or the lines are too long together."""
        if full or self._length > MOST_LETTERS:
            self._length = 0
            for cache in (self._pieces, *self._meanings):
                cache.clear()
        self._length += len(text)

    def _with_rest(self, pieces: tuple[OrderPiece, ...]) -> tuple[OrderPiece, ...]:
        """No talk beside orders: a power beside a bid, "Poland 5 and the rest on Spain", and initials, "R-V"."""
        if any(piece.order for piece in pieces):
            pieces = tuple(
                piece._replace(order=True) if is_pair_of_initials(piece.tokens) else piece for piece in pieces
            )
        is_rest = self.kind.is_rest
        if is_rest is None or not any(piece.node is not None for piece in pieces):
            return pieces
        return tuple(piece._replace(order=piece.order or is_rest(piece.tokens)) for piece in pieces)

    def _cut(self, text: str) -> Iterator[OrderPiece]:
        if len(text) > LONGEST_LINE:
            return
        if self.also is not None and any(piece.order for piece in self.also.pieces(text)):
            yield from self.also.pieces(text)
            return
        line = text
        wishes = PREFERENCES.search(line) if "(" in line or "[" in line else None
        if wishes:
            line = line[: wishes.start()] + " " * (wishes.end() - wishes.start()) + line[wishes.end() :]
        tokens = self._patterns.scan(line)
        if self.kind.line_separators:
            yield from self._whole_line(line, tokens)
            return
        kinds = {token.type for token in tokens}
        if "IF" in kinds:
            order = looks_like_an_order([t for t in tokens if t.type not in ("IF", "SEP")], self.words)
            yield OrderPiece(line, 0, len(text), tuple(tokens), None, order or self._is_meant(tokens))
            return
        if [token.type for token in tokens] == ["PLACE", "SEP", "PLACE"] and line[tokens[1].start_pos] == ":":
            tokens = [tokens[0], tokens[2]]
            kinds = {"PLACE"}
        parts = split_line(tokens, self.grammar.starters) if "SEP" in kinds or not tokens else [tokens]
        if self.kind.regroup is not None:
            parts = self.kind.regroup(parts)
        if len(parts) > 1:
            parts = self.kind.join(parts)
        for part in parts:
            for tokens_of_order, node, stuck in self._unglued(part):
                yield self._piece(line, tokens_of_order, node, stuck, wishes)

    def reader_of(self, piece: OrderPiece) -> LineReader:
        """The reader of this piece: this one, or that of the sheet whose lines may stand here, too."""
        if self.also is None or self.also.pieces(piece.text) != (piece,):
            return self
        return self.also

    def _whole_line(self, line: str, tokens: list[Token]) -> Iterator[OrderPiece]:
        kept = [token for token in tokens if token.type not in self.kind.line_separators]
        if not kept:
            return
        node, stuck = self.grammar.parse(kept)
        order = node is not None or self._is_meant(kept)
        yield OrderPiece(line, tokens[0].start_pos, tokens[-1].end_pos, tuple(tokens), node, order, stuck)

    def _unglued(self, tokens: list[Token]) -> Iterator[tuple[list[Token], OrderNode | None, Token | None]]:
        """Orders side by side with nothing between: a new one begins where a unit stands after a whole order."""
        while True:
            node, stuck = self.grammar.parse(tokens)
            if node is not None or stuck is None or stuck.type != "KIND":
                break
            at = next((i for i, token in enumerate(tokens) if token is stuck), 0)
            if not at:
                break
            first, _ = self.grammar.parse(tokens[:at])
            if first is None:
                break
            yield tokens[:at], first, None
            tokens = tokens[at:]
        yield tokens, node, stuck

    def _is_meant(self, tokens: Sequence[Token]) -> bool:
        is_meant = self.kind.is_meant
        return is_meant is not None and is_meant(tokens, self.scanner.powers.values())

    def _piece(
        self,
        line: str,
        tokens: list[Token],
        node: OrderNode | None,
        stuck: Token | None,
        wishes: re.Match[str] | None,
    ) -> OrderPiece:
        aside = False
        if node is None:
            outside = _outside_brackets(line, tokens)
            if outside is not None:
                node, _ = self.grammar.parse(outside)
                aside = node is not None
        if node is not None and "?" in line and QUESTION.search(line) and not node.is_question:
            node, stuck = None, None
        order = node is not None or looks_like_an_order(tokens, self.words) or self._is_meant(tokens)
        span = wishes.span() if wishes else None
        return OrderPiece(line, tokens[0].start_pos, tokens[-1].end_pos, tuple(tokens), node, order, stuck, span, aside)

    # ---- second stage

    def read(self, text: str, context: LetterContext) -> tuple[PieceMeaning, ...]:
        here = UnitsByProvince(context.variant, context.position)
        return self.meaning(text, here, context.power, context.any_unit).pieces

    def meaning(self, text: str, here: UnitsByProvince, power: str, any_unit: bool) -> LineMeaning:
        key = power, text
        meaning = self._meanings[any_unit].get(key)
        if meaning is not None and meaning.holds(here, power):
            return meaning
        meaning = self._meaning(text, here, power, any_unit)
        self._keep(key, meaning, any_unit)
        if any_unit and meaning.only is not None and meaning.is_example:
            self.examples.learn(text, meaning.only, here, power)
        return meaning

    def _keep(self, key: tuple[str, str], meaning: LineMeaning, any_unit: bool) -> None:
        if not self.kind.is_cached or meaning.transient:
            return
        cache = self._meanings[any_unit]
        self._make_room(len(cache) >= MOST_MEANINGS, key[1])
        cache[key] = meaning

    def _meaning(self, text: str, here: UnitsByProvince, power: str, any_unit: bool) -> LineMeaning:
        pieces: list[PieceMeaning] = []
        local, owners, transient = True, False, False
        seen: dict[tuple[str, bool], tuple[str, tuple[Unit, ...], bool]] = {}
        for piece in self.pieces(text):
            context = OrderContext(here, power, any_unit)
            meanings = self._piece_meanings(piece, context)
            pieces += meanings
            local = local and context.local and all(meaning.error is None for meaning in meanings)
            owners = owners or context.owners
            transient = transient or context.transient
            for (code, whose), units in context.seen.items():
                seen[code, whose] = code, units, whose
        only = pieces[0].statements[0] if len(pieces) == 1 and len(pieces[0].statements) == 1 else None
        looked = tuple(seen.values()) if local else None
        units, dislodged = here.position.units, here.position.dislodged
        return LineMeaning(tuple(pieces), only, owners, looked, units, dislodged, transient)

    def try_out(self, text: str, context: LetterContext) -> tuple[PieceMeaning, ...]:
        """As `read`, without caching anything; empty unless all of it would be obeyed."""
        here = UnitsByProvince(context.variant, context.position)
        meanings: list[PieceMeaning] = []
        for piece in self._cut(text):
            meanings += self._piece_meanings(piece, OrderContext(here, context.power))
        good = all(meaning.statements and meaning.error is None for meaning in meanings)
        return tuple(meanings) if good else ()

    def _piece_meanings(self, piece: OrderPiece, context: OrderContext) -> list[PieceMeaning]:
        """One for each order in a list of which each counts by itself, else one."""
        if piece.node is None:
            return [PieceMeaning(piece)]
        return [self._node_meaning(piece, node, context) for node in piece.node.each()]

    def _node_meaning(self, piece: OrderPiece, node: OrderNode, context: OrderContext) -> PieceMeaning:
        before = len(context.warnings)
        try:
            statements = tuple(self._checks[type(node)](context, node))
        except OrderError as error:
            context.local = False
            return PieceMeaning(piece, (), (), error.warning)
        if piece.preferences:
            context.warnings.append(OrderWarning("retreat-preferences", *piece.preferences))
        return PieceMeaning(piece, statements, tuple(context.warnings[before:]))


def open_sheet_reader(context: LetterContext) -> LineReader | None:
    """The reader for the sheets of the open phase; None where nobody writes any."""
    name = sheet_name(context.variant.step(context.position))
    return line_reader(context.variant, context.position.board, name) if name else None


def any_sheet_reader(context: LetterContext) -> LineReader:
    """The reader for the sheets of the open phase, or for the first ones of a year where it has none."""
    name = sheet_name(context.variant.step(context.position))
    return line_reader(context.variant, context.position.board, name or first_sheet(context.variant))


def sheet_name(step: Step) -> str:
    """The sheet that holds all of a step's orders: each further one a step names reads what those before it do."""
    return (step.grammar, *step.also)[-1]


def first_sheet(variant: Variant) -> str:
    """The sheet of the first step of a year that has one."""
    return next(sheet_name(step) for step in variant.calendar if step.grammar)


@lru_cache(maxsize=MOST_READERS)
def line_reader(variant: Variant, board: Board, name: str) -> LineReader:
    """Only for speed: the readers for the last few boards are cached."""
    return LineReader(variant, board, name)


def _outside_brackets(line: str, tokens: Sequence[Token]) -> list[Token] | None:
    """The tokens without bracketed remarks, where there are any with words that no order holds."""
    spans = [match.span() for match in BRACKETS.finditer(line)]
    if not spans:
        return None
    kept = [t for t in tokens if not any(a < t.start_pos < b for a, b in spans)]
    return kept if kept and len(kept) < len(tokens) else None
