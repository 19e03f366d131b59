"""What to say about a line that looks like an order and is none: where it went wrong, and the nearest lines that work.

Every proposal was read and checked like any other line: what we propose would be obeyed. Nothing is ever executed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from msgspec.structs import replace

from gm.judge.model.variant import Step
from gm.language.i18n.place_names import PlaceNames
from gm.language.i18n.similar_words import alike
from gm.language.lines.letter_contents import LetterContext
from gm.language.orders.order_reader import OrderPiece, SheetReader, desk_for, sheet_of
from gm.language.orders.parsing.lexer import Token, WrittenPlace
from gm.language.orders.parsing.order_context import OrderContext, OrderError, OrderWarning, ground
from gm.language.orders.parsing.parse_tree import AloneNode, InterceptMailNode, ProtectNode, UnitNode
from gm.language.orders.sheets import influence as wagers
from gm.language.orders.sheets.retreats import retreats_open, unfinished_retreat

LISTED = (InterceptMailNode, ProtectNode)

RETREATS = "retreats"
UNCLEAR = {RETREATS: "retreat-unclear", "builds": "build-unclear"}
"""On these sheets, instead of what is said of a line of moves that cannot be followed."""
VAGUE = frozenset({"not-understood", "unknown-word", "conditional"})
UNKNOWN = frozenset({"WORD", "TALK"})
ENOUGH = 3
MOST_TRIES = 14
MOST_NEAR = 12
NEAR = 55
NEAR_WORD = 65
LONGEST_WORD = 40
SPREAD = 25
"""How much less alike than the best a name may be to be tried."""
CLOSE = 65
"""How alike (of 100) a name must be to be mentioned although it would not do."""


def explain(desk: SheetReader, piece: OrderPiece, context: LetterContext, *, propose: bool = True) -> OrderWarning:
    """The trouble with a piece. Columns count in the piece's own text. `propose`: what it may have been is sought, on
    other phases' sheets too.
    """
    desk = desk.of(piece)
    found = _trouble(desk, piece, context, propose)
    key = UNCLEAR.get(desk.grammar.name, found.key)
    if found.key not in VAGUE or key == found.key:
        return found
    bench = OrderContext(ground(context.variant, context.position), context.power)
    ways = found.suggestions or (retreats_open(bench) if desk.grammar.name == RETREATS and propose else ())
    return replace(found, key=key, suggestions=ways[:ENOUGH])


def _trouble(desk: SheetReader, piece: OrderPiece, context: LetterContext, propose: bool) -> OrderWarning:
    tokens = piece.tokens
    if desk.wagers:
        return _bid(piece, context)
    if desk.whole:
        return _whole_line(desk, piece, context, propose)
    if any(token.type == "IF" for token in tokens):
        return OrderWarning("conditional", *_span(tokens))
    kinds = {token.type for token in tokens if token.type not in ("SEP", "MINUS", "PLUS")}
    if desk.grammar.name == RETREATS and {"PLACE"} <= kinds <= {"PLACE", "DISBAND"}:
        return OrderWarning("retreat-preferences", *_span(tokens))
    if "PLACE" in kinds and kinds <= {"KIND", "PLACE", "NATION", "OF"}:
        return _unfinished(desk, piece, context, propose)
    if piece.text.rstrip().endswith("?"):
        asked = iter((piece.text[tokens[0].start_pos or 0 :].rstrip("? "),))
        lines = tuple(_lines(desk, asked, context))
        if lines:
            return OrderWarning("question", *_span(tokens), suggestions=lines)
    elsewhere = other_phase(desk, piece, context) if propose else None
    if elsewhere is not None:
        return elsewhere
    unknown = _unknown_runs(tokens)
    if unknown:
        return _misspelt(desk, piece, context, unknown, propose)
    lines = tuple(_lines(desk, _with_arrows(piece), context)) if propose else ()
    at = (piece.stuck.start_pos or 0, piece.stuck.end_pos or 0) if piece.stuck else _span(tokens)
    return OrderWarning("not-understood", *at, (("word", piece.text[at[0] : at[1]]),), lines[:ENOUGH])


def _bid(piece: OrderPiece, context: LetterContext) -> OrderWarning:
    """A bid gone wrong: with the minor powers called most like an unknown word."""
    minors = [minor.name for minor in context.variant.minors if minor.homes]
    runs = _unknown_runs(piece.tokens)
    if not runs:
        return OrderWarning("bids-unclear", *_span(piece.tokens))
    start, end = piece.tokens[runs[0][0]].start_pos or 0, piece.tokens[runs[0][-1]].end_pos or 0
    word = piece.text[start:end]
    near = alike(word.title(), minors, NEAR, ENOUGH)
    if not near and wagers.names(piece.tokens):  # it is clear whose box, but not how many
        return OrderWarning("bids-unclear", *_span(piece.tokens))
    number = next((str(token.value) for token in piece.tokens if token.type == "NUMBER"), "")
    lines = tuple(f"bid {minor} {number}" for minor, _ in near) if number else ()
    places = " ".join(name.replace(" ", "_") for name in minors)
    return OrderWarning("bids-unknown", start, end, (("word", word), ("places", places)), lines)


def _whole_line(desk: SheetReader, piece: OrderPiece, context: LetterContext, propose: bool) -> OrderWarning:
    """The trouble with a line of a sheet on which a line is one order."""
    elsewhere = other_phase(desk, piece, context) if propose else None
    if elsewhere is not None:
        return elsewhere
    unknown = _unknown_runs(piece.tokens)
    if unknown:
        found = _misspelt(desk, piece, context, unknown, propose)
        return replace(found, key="event-not-understood") if found.key == "unknown-word" else found
    at = (piece.stuck.start_pos, piece.stuck.end_pos) if piece.stuck else _span(piece.tokens)
    return OrderWarning("event-not-understood", *at, (("word", piece.text[at[0] : at[1]]),))


def in_passing(desk: SheetReader, piece: OrderPiece, context: LetterContext) -> OrderWarning | None:
    """A piece of talk beside an order that would be one itself, less a word: "Mar should go to Spa and Bre holds"."""
    talk = [token for token in piece.tokens if token.type == "TALK"]
    if piece.order or not talk or len(talk) == len(piece.tokens):
        return None
    words = (piece.text[t.start_pos or 0 : t.end_pos or 0] for t in piece.tokens if t.type != "TALK")
    lines = tuple(_lines(desk.of(piece), iter((" ".join(words),)), context))
    return OrderWarning("order-in-passing", *_span(piece.tokens), suggestions=lines) if lines else None


def _span(tokens: Sequence[Token]) -> tuple[int, int]:
    return tokens[0].start_pos or 0, tokens[-1].end_pos or 0


def _unknown_runs(tokens: Sequence[Token]) -> list[list[int]]:
    """Indices of unknown words, neighbours together: "Norwegan Sea" is one name."""
    runs: list[list[int]] = []
    for at, token in enumerate(tokens):
        if token.type in UNKNOWN:
            if runs and runs[-1][-1] == at - 1:
                runs[-1].append(at)
            else:
                runs.append([at])
    return runs


def _misspelt(
    desk: SheetReader, piece: OrderPiece, context: LetterContext, runs: list[list[int]], propose: bool
) -> OrderWarning:
    tokens = piece.tokens
    first = runs[0]
    start, end = tokens[first[0]].start_pos or 0, tokens[first[-1]].end_pos or 0
    word = piece.text[start:end]
    before = tokens[first[0] - 1].type if first[0] else ""
    verb = before == "PLACE"
    near = _near_names(desk.names, word) if propose and tokens[first[0]].type != "TALK" else ()
    lines = tuple(_lines(desk, _mended(desk, piece, runs), context)) if propose else ()
    key = "unknown-word" if verb else "unknown-place"
    if near and not verb:
        board = context.position.board.provinces
        would_do = (code for code in _near_names(desk.names, word, NEAR) if lines and code in lines[0].split())
        fields = (("word", word), ("near", board[next(would_do, near[0])].name))
        return OrderWarning("unknown-place-near", start, end, fields, lines[:ENOUGH])
    return OrderWarning(key, start, end, (("word", word),), lines[:ENOUGH])


def _near_names(names: PlaceNames, word: str, cutoff: int = CLOSE) -> tuple[str, ...]:
    """Codes of the provinces called most like the word, best first."""
    spellings = _spellings(names)
    found = alike(word.lower()[:LONGEST_WORD], spellings, cutoff, MOST_NEAR)
    near = (spelling for spelling, score in found if score >= found[0][1] - SPREAD)
    return tuple(dict.fromkeys(code for spelling in near for code in spellings[spelling]))


@lru_cache(maxsize=32)
def _spellings(names: PlaceNames) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for spelling, code in names.near():
        found[spelling] = (*found.get(spelling, ()), code)
    return found


def _mended(desk: SheetReader, piece: OrderPiece, runs: list[list[int]]) -> Iterator[str]:
    """The piece with its unknown words replaced by what they resemble, likeliest first."""
    choices = [_replacements(desk, piece, run) for run in runs[:2]]
    if len(runs) > 2 or (len(runs) == 2 and not all(choices)):
        return
    spans = [(piece.tokens[r[0]].start_pos or 0, piece.tokens[r[-1]].end_pos or 0) for r in runs]
    start, end = _span(piece.tokens)
    text = piece.text
    if len(runs) == 1:
        for words in choices[0][: MOST_TRIES - 1]:
            yield f"{text[start : spans[0][0]]} {words} {text[spans[0][1] : end]}"
        yield f"{text[start : spans[0][0]]} {text[spans[0][1] : end]}"
        return
    for choice in choices[0][:4]:
        for two in choices[1][:3]:
            between = text[spans[0][1] : spans[1][0]]
            yield f"{text[start : spans[0][0]]} {choice} {between} {two} {text[spans[1][1] : end]}"


def _replacements(desk: SheetReader, piece: OrderPiece, run: list[int]) -> list[str]:
    start, end = piece.tokens[run[0]].start_pos or 0, piece.tokens[run[-1]].end_pos or 0
    word = piece.text[start:end]
    before = piece.tokens[run[0] - 1].type if run[0] else ""
    places = list(_near_names(desk.names, word, NEAR))[:8]
    verbs = [command for command, _ in alike(word.lower(), desk.words.commands, NEAR_WORD, ENOUGH)]
    return [*verbs, *places] if before == "PLACE" else [*places, *verbs]


def _lines(desk: SheetReader, texts: Iterator[str], context: LetterContext) -> Iterator[str]:
    """Canonical lines of those texts that would be obeyed as they stand."""
    bench = OrderContext(ground(context.variant, context.position), context.power)
    seen: set[str] = set()
    for tried, text in enumerate(texts):
        if tried >= MOST_TRIES or len(seen) >= ENOUGH:
            return
        for finding in desk.try_out(text, context):
            for statement in finding.statements:
                line = bench.line(statement)
                if line not in seen:
                    seen.add(line)
                    yield line


def _with_arrows(piece: OrderPiece) -> Iterator[str]:
    """ "A Par Bur": the same with a dash between two places that touch."""
    tokens = piece.tokens
    for one, two in pairwise(tokens):
        if one.type == two.type == "PLACE":
            cut = one.end_pos or 0
            start, end = _span(tokens)
            yield f"{piece.text[start:cut]} - {piece.text[cut:end]}"


def _unfinished(desk: SheetReader, piece: OrderPiece, context: LetterContext, propose: bool) -> OrderWarning:
    """A unit and nothing else, or two names side by side."""
    bench = OrderContext(ground(context.variant, context.position), context.power, context.any_unit)
    lines = tuple(_lines(desk, _with_arrows(piece), context)) if propose else ()
    places = [token.value for token in piece.tokens if token.type == "PLACE"]
    if lines or len(places) > 1:
        where = places[-1]
        return OrderWarning("no-verb", where.start, where.end, (("word", where.text),), lines)
    name: WrittenPlace = places[0]
    try:
        if desk.grammar.name == RETREATS:
            return unfinished_retreat(bench, UnitNode("", "", name))
        unit = bench.own(UnitNode("", "", name))[0]
    except OrderError as found:
        return found.remark
    reach = " ".join(bench.ground.checker.reach(unit))
    return OrderWarning("unfinished", name.start, name.end, (("unit", bench.call(unit)), ("reach", reach)))


def other_phase(desk: SheetReader, piece: OrderPiece, context: LetterContext) -> OrderWarning | None:
    """The trouble with an order that belongs on another phase's sheet; what is a word of this one is no power's letter
    there.
    """
    start, end = _span(piece.tokens)
    kinds = {token.type for token in piece.tokens}
    if not {"KIND", "PLACE"} <= kinds:
        return None
    for name in dict.fromkeys(sheet_of(step) for step in _steps(context) if step.grammar):
        other = desk_for(context.variant, context.position.board, name)
        if name != desk.grammar.name:
            parts = [part for part in other.pieces(piece.text[start:end]) if not isinstance(part.sketch, AloneNode)]
            named = "NATION" not in kinds and any(token.type == "NATION" for part in parts for token in part.tokens)
            if not named and any(part.sketch is not None for part in parts):
                return OrderWarning("wrong-phase", start, end, (("sheet", name), ("now", desk.grammar.name)))
    return None


def whole_line_elsewhere(desk: SheetReader, text: str, context: LetterContext) -> OrderWarning | None:
    """The trouble with a line that is one order of another phase's sheet, however its parts would read on this one; or
    that names countries for what only that phase sells."""
    for name in dict.fromkeys(sheet_of(step) for step in _steps(context) if step.grammar):
        other = desk_for(context.variant, context.position.board, name)
        found = other.pieces(text) if name not in desk.sheets and (other.whole or other.stakes) else ()
        if any(piece.sketch if other.whole else isinstance(piece.sketch, LISTED) for piece in found):
            return OrderWarning("wrong-phase", 0, len(text), (("sheet", name), ("now", desk.grammar.name)))
    return None


def _steps(context: LetterContext) -> tuple[Step, ...]:
    return context.variant.calendar
