"""Explains lines that look like orders and are none: where they went wrong, and the nearest lines that work.

Every proposal is read and checked like any other line: what is proposed would be obeyed. Nothing is executed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from msgspec.structs import replace

from gm.judge.model.variant import Variant
from gm.language.i18n.place_names import VOWELS, PlaceNames
from gm.language.i18n.similar_words import similar_words
from gm.language.lines.letter_contents import LetterContext
from gm.language.lines.trouble_keys import NAMED_IN_PASSING
from gm.language.orders.line_meaning import OrderPiece
from gm.language.orders.line_reader import MOST_READERS, LineReader, line_reader, sheet_name
from gm.language.orders.parsing.lexer import Token, WrittenPlace
from gm.language.orders.parsing.line_parts import UNIT_WORDS, token_span, unknown_runs
from gm.language.orders.parsing.order_context import OrderContext, OrderError, OrderWarning, UnitsByProvince
from gm.language.orders.parsing.parse_tree import UnitNode
from gm.language.orders.powers_for_places import power_for_place
from gm.language.orders.sheets.all_sheets import BY_NAME
from gm.language.orders.sheets.sheet_kind import SheetKind

VAGUE = frozenset({"not-understood", "unknown-word", "conditional"})
ENOUGH = 3
MOST_TRIES = 14
MOST_WORDS = 256
MOST_NEAR = 12
MOST_SECOND = 3
"""Names tried for the second unknown word of a line."""
CLEAR, MARGIN = 72, 9
"""How alike (of 100) a name must be to be meant without doubt, and how much less alike all others are."""
MOST_UNKNOWN = 3
"""Most unknown names in a text for which orders are sought, and most words of one."""
NEAR_NAME = 55
NEAR_WORD = 65
LONGEST_WORD = 40
FEWEST_LETTERS, MOST_LETTERS = 2, 6
"""Letters of a word that may be short for a name."""
SPREAD = 25
"""How much less alike than the best a name may be to be tried."""
LONGEST_SHORT = 4
CLOSE = 65
"""How alike (of 100) a name must be to be mentioned although it would not do."""


def explain(
    reader: LineReader, piece: OrderPiece, context: LetterContext, *, propose: bool = True, around: str = ""
) -> OrderWarning:
    """What is wrong with a piece. Columns count in the piece's own text.

    `propose`: orders that the writer may have meant are looked for, on the sheets of other phases, too. `around`: the
    other words of its sentence, which may say that points are meant.
    """
    own = reader.reader_of(piece)
    warning = _explain(own, piece, context, propose)
    tokens = (*reader.scanner.scan(around), *piece.tokens)
    kind = next((each.kind for each in (own, reader) if _is_unclear_for(each.kind, tokens)), None)
    if kind is None or warning.key not in VAGUE:
        return warning
    lines = warning.suggestions
    if not lines and propose and kind.examples is not None:
        lines = kind.examples(_order_context(context))
    return replace(warning, key=kind.unclear, suggestions=lines[:ENOUGH])


def _is_unclear_for(kind: SheetKind, tokens: Sequence[Token]) -> bool:
    """Whether a sheet has its own words for a line that is no order."""
    return bool(kind.unclear) and (kind.unclear_for is None or kind.unclear_for(tokens))


def near_orders(reader: LineReader, text: str, context: LetterContext) -> tuple[str, ...]:
    """Orders that would be obeyed and are written nearly like a text; () where none is near, or it is long."""
    pieces = reader.pieces(text)
    if len(pieces) != 1 or pieces[0].node is not None:
        return ()
    piece = pieces[0]
    unknown = unknown_runs(piece.tokens)
    if (
        len(unknown) > MOST_UNKNOWN
        or any(len(run) > MOST_UNKNOWN for run in unknown)
        or any(token.type == "TALK" for token in piece.tokens)
    ):
        return ()
    if unknown:
        return _mended_lines(reader, piece, context, unknown)
    return tuple(_lines(reader, _with_arrows(piece), context))


def _mended_lines(
    reader: LineReader, piece: OrderPiece, context: LetterContext, runs: list[list[int]]
) -> tuple[str, ...]:
    """The orders of the piece with each unknown word replaced by the name clearly meant; else by any that are near."""
    abbreviated = any(_by_letters(reader, piece, run, context) for run in runs[:2])
    if abbreviated and (lines := tuple(_lines(reader, _mended(reader, piece, runs, context), context))):
        return lines
    clear = _clearly_meant(reader, piece, runs)
    lines = tuple(_lines(reader, iter((clear,)), context)) if clear else ()
    return lines or tuple(_lines(reader, _mended(reader, piece, runs, context), context))


def _clearly_meant(reader: LineReader, piece: OrderPiece, runs: list[list[int]]) -> str:
    """The text with each unknown word replaced by the one name that is much more like it than any other; else ""."""
    text, spellings = piece.text, _spellings(reader.names)
    for run in reversed(runs):
        start, end = piece.tokens[run[0]].start_pos, piece.tokens[run[-1]].end_pos
        scored = similar_words(text[start:end].lower()[:LONGEST_WORD], spellings, CLEAR, MOST_NEAR)
        near = [spelling for spelling, score in scored if score > scored[0][1] - MARGIN]
        alike = [spelling for spelling in near if spelling[0] == text[start].lower()]  # "Rumenia" is no Armenia
        best = {code for spelling in alike or near for code in spellings[spelling]}
        if len(best) != 1:
            return ""
        text = f"{text[:start]}{best.pop()}{text[end:]}"
    start, end = token_span(piece.tokens)
    return text[start : end + len(text) - len(piece.text)]


def _order_context(context: LetterContext, *, any_unit: bool = False) -> OrderContext:
    return OrderContext(UnitsByProvince(context.variant, context.position), context.power, any_unit)


def _explain(reader: LineReader, piece: OrderPiece, context: LetterContext, propose: bool) -> OrderWarning:
    tokens, kind = piece.tokens, reader.kind
    if kind.explain is not None:
        elsewhere = other_phase(reader, piece, context) if propose else None
        return elsewhere or kind.explain(context.variant, piece.text, tokens)
    if kind.line_separators:
        return _whole_line(reader, piece, context, propose)
    if any(token.type == "IF" for token in tokens):
        return OrderWarning("conditional", *token_span(tokens))
    kinds = {token.type for token in tokens if token.type not in ("SEP", "MINUS", "PLUS")}
    if kind.takes_preferences and {"PLACE"} <= kinds <= {"PLACE", "DISBAND"}:
        return OrderWarning("retreat-preferences", *token_span(tokens))
    if "PLACE" in kinds and kinds <= UNIT_WORDS:
        return _unfinished(reader, piece, context, propose)
    if piece.text.rstrip().endswith("?"):
        statement = piece.text[tokens[0].start_pos :].rstrip("? ")
        lines = tuple(_lines(reader, iter((statement,)), context))
        if lines:
            return OrderWarning("question", *token_span(tokens), suggestions=lines)
    elsewhere = other_phase(reader, piece, context) if propose else None
    if elsewhere is not None:
        return elsewhere
    if power_named := power_for_place(piece, context, lambda texts: _lines(reader, texts, context)):
        return power_named
    unknown = unknown_runs(tokens)
    if unknown:
        return _misspelt(reader, piece, context, unknown, propose)
    lines = tuple(_lines(reader, _with_arrows(piece), context)) if propose else ()
    return _not_understood("not-understood", piece, lines[:ENOUGH])


def _not_understood(key: str, piece: OrderPiece, lines: tuple[str, ...] = ()) -> OrderWarning:
    at = (piece.stuck.start_pos, piece.stuck.end_pos) if piece.stuck else token_span(piece.tokens)
    return OrderWarning(key, *at, (("word", piece.text[at[0] : at[1]]),), lines)


def _whole_line(reader: LineReader, piece: OrderPiece, context: LetterContext, propose: bool) -> OrderWarning:
    """What is wrong with a line of a sheet on which each line is one order."""
    elsewhere = other_phase(reader, piece, context) if propose else None
    if elsewhere is not None:
        return elsewhere
    unknown = unknown_runs(piece.tokens)
    if unknown:
        warning = _misspelt(reader, piece, context, unknown, propose)
        return replace(warning, key="event-not-understood") if warning.key == "unknown-word" else warning
    return _not_understood("event-not-understood", piece)


def in_passing(reader: LineReader, piece: OrderPiece, context: LetterContext) -> OrderWarning | None:
    """A piece of talk beside an order that would be one itself, less a word: "Mar should go to Spa and Bre holds"."""
    talk = [token for token in piece.tokens if token.type == "TALK"]
    if piece.order or not talk or len(talk) == len(piece.tokens):
        return None
    words = (piece.text[t.start_pos : t.end_pos] for t in piece.tokens if t.type != "TALK")
    lines = tuple(_lines(reader.reader_of(piece), iter((" ".join(words),)), context))
    return OrderWarning("order-in-passing", *token_span(piece.tokens), suggestions=lines) if lines else None


def _misspelt(
    reader: LineReader, piece: OrderPiece, context: LetterContext, runs: list[list[int]], propose: bool
) -> OrderWarning:
    tokens = piece.tokens
    first = runs[0]
    start, end = tokens[first[0]].start_pos, tokens[first[-1]].end_pos
    word = piece.text[start:end]
    before = tokens[first[0] - 1].type if first[0] else ""
    verb = before == "PLACE" or (before == "COLON" and first[-1] == len(tokens) - 1)
    near = near_names(reader.names, word) if propose and tokens[first[0]].type != "TALK" else ()
    lines = _mended_lines(reader, piece, context, runs) if propose else ()
    key = "unknown-word" if verb else "unknown-place"
    if near and not verb:
        board = context.position.board.provinces
        would_do = (code for code in near_names(reader.names, word, NEAR_NAME) if lines and code in lines[0].split())
        fields = (("word", word), ("near", board[next(would_do, near[0])].name))
        return OrderWarning("unknown-place-near", start, end, fields, lines[:ENOUGH])
    return OrderWarning(key, start, end, (("word", word),), lines[:ENOUGH])


def unknown_listed(reader: LineReader, unit: str, context: LetterContext) -> OrderWarning:
    """What is wrong with a unit at a place that no map has ("F Lodnon"), with the units that may be meant; a kind alone
    is that of others, of which it is not clear which they are.
    """
    kind, _, word = unit.partition(" ")
    if not word:
        return OrderWarning(NAMED_IN_PASSING, 0, 0)
    near = near_names(reader.names, word)
    lines = [*_lines(reader, (f"{kind} {code}" for code in near), context)]
    if near and not lines:  # on one of its coasts
        errors = (meaning.error for meaning in reader.read(f"{kind} {near[0]}", context))
        lines = [line for error in errors if error is not None for line in error.suggestions]
    if not near:
        return OrderWarning("unknown-place", 0, 0, (("word", word),))
    fields = (("word", word), ("near", context.position.board.provinces[near[0]].name))
    return OrderWarning("unknown-place-near", 0, 0, fields, tuple(lines[:ENOUGH]))


def near_names(names: PlaceNames, word: str, cutoff: int = CLOSE) -> tuple[str, ...]:
    """Codes of the provinces called most like the word, best first."""
    return _near_names(names, word.lower()[:LONGEST_WORD], cutoff)


@lru_cache(maxsize=MOST_WORDS)
def _near_names(names: PlaceNames, low: str, cutoff: int) -> tuple[str, ...]:
    """Cached only for speed: an odd word of a letter is looked at several times, and many letters have the same."""
    spellings = _spellings(names)
    scored = similar_words(low, spellings, cutoff, MOST_NEAR)
    scored = [(name, score) for name, score in scored if len(name) > LONGEST_SHORT or _is_near_short(low, name)]
    if cutoff < CLOSE or len(low) > LONGEST_SHORT:  # "Adria" and "Barcelona" are no Macedonia
        scored = [(name, score) for name, score in scored if score >= CLEAR or low[0] in _initials(name)]
    near = (spelling for spelling, score in scored if score >= scored[0][1] - SPREAD)
    return tuple(dict.fromkeys(code for spelling in near for code in spellings[spelling]))


def _initials(name: str) -> set[str]:
    """ "san francisco" may be Frisco."""
    return {word[0] for word in name.replace("-", " ").split()}


def _is_near_short(word: str, name: str) -> bool:
    """A word that merely contains the letters of a short name is not near it: "along" is neither "Lon" nor "Lyon"."""
    return word[0] == name[0] or len(word) == len(name)


@lru_cache(maxsize=32)
def _spellings(names: PlaceNames) -> dict[str, tuple[str, ...]]:
    codes: dict[str, tuple[str, ...]] = {}
    for spelling, code in names.near():
        codes[spelling] = (*codes.get(spelling, ()), code)
    return codes


def _mended(reader: LineReader, piece: OrderPiece, runs: list[list[int]], context: LetterContext) -> Iterator[str]:
    """The piece with its unknown words replaced by what they resemble, likeliest first."""
    choices = [_replacements(reader, piece, run, context) for run in runs[:2]]
    if len(runs) > 2 or (len(runs) == 2 and not all(choices)):
        return
    spans = [(piece.tokens[r[0]].start_pos, piece.tokens[r[-1]].end_pos) for r in runs]
    start, end = token_span(piece.tokens)
    text = piece.text
    if len(runs) == 1:
        for words in choices[0][: MOST_TRIES - 1]:
            yield f"{text[start : spans[0][0]]} {words} {text[spans[0][1] : end]}"
        yield f"{text[start : spans[0][0]]} {text[spans[0][1] : end]}"
        return
    for choice in choices[0][:4]:
        for two in choices[1][:MOST_SECOND]:
            between = text[spans[0][1] : spans[1][0]]
            yield f"{text[start : spans[0][0]]} {choice} {between} {two} {text[spans[1][1] : end]}"


def _replacements(reader: LineReader, piece: OrderPiece, run: list[int], context: LetterContext) -> list[str]:
    if short := _by_letters(reader, piece, run, context):
        return short
    start, end = piece.tokens[run[0]].start_pos, piece.tokens[run[-1]].end_pos
    word = piece.text[start:end]
    before = piece.tokens[run[0] - 1].type if run[0] else ""
    if len(word) == 1 and reader.kind.holds and piece.text[end : end + 1] != ".":  # "K.-H." is somebody
        return _with_initial(word, context, own=before in ("", "KIND"))
    places = list(near_names(reader.names, word, NEAR_NAME))[:8]
    verbs = [command for command, _ in similar_words(word.lower(), reader.words.commands, NEAR_WORD, ENOUGH)]
    return [*verbs, *places] if before == "PLACE" else [*places, *verbs]


def _by_letters(reader: LineReader, piece: OrderPiece, run: list[int], context: LetterContext) -> list[str]:
    """Codes of the provinces whose names have the letters of a short word in the same order: "Bgy" is Burgundy. Of a
    unit only those where the writer has one.
    """
    start, end = piece.tokens[run[0]].start_pos, piece.tokens[run[-1]].end_pos
    word = piece.text[start:end].lower()
    goes = reader.kind.holds or reader.kind.takes_preferences
    if len(run) > 1 or not FEWEST_LETTERS <= len(word) <= MOST_LETTERS or not word.isalpha() or not goes:
        return []
    before = piece.tokens[run[0] - 1].type if run[0] else ""
    if before == "PLACE":
        return []  # "A Kie hld" is no Holland
    units = (*context.position.units_of(context.power), *context.dislodged_units)
    own = {unit.at.province for unit in units}
    named = (codes for spelling, codes in _spellings(reader.names).items() if _has_letters(word, spelling))
    codes = dict.fromkeys(code for each in named for code in each)
    meant = [code for code in codes if before not in ("", "KIND") or code in own]
    misspelt = {code for low, code in reader.names.codes.items() if _differ_in_one(word, low)}
    is_short = misspelt <= {*meant} or not VOWELS.search(word)  # "Bru" may be Brest as well
    return meant if is_short else []


def _differ_in_one(word: str, code: str) -> bool:
    return len(word) == len(code) and sum(map(str.__ne__, word, code)) == 1


def _has_letters(word: str, spelling: str) -> bool:
    """Whether a name begins with the first letter of a word and has the others behind it, in this order."""
    letters = iter(spelling)
    return word[0] == spelling[0] and len(word) < len(spelling) and all(letter in letters for letter in word)


def _with_initial(letter: str, context: LetterContext, *, own: bool) -> list[str]:
    """Codes of the provinces whose names begin with a letter: "V-Tyr". `own`: where the writer's units stand."""
    provinces = context.position.board.provinces
    codes = [unit.at.province for unit in context.position.units_of(context.power)] if own else list(provinces)
    return [code for code in codes if provinces[code].name[:1].lower() == letter.lower()]


def _lines(reader: LineReader, texts: Iterator[str], context: LetterContext) -> Iterator[str]:
    """Canonical lines of those texts that would be obeyed as they stand."""
    order_context = _order_context(context)
    seen: set[str] = set()
    for tried, text in enumerate(texts):
        if tried >= MOST_TRIES or len(seen) >= ENOUGH:
            return
        for meaning in reader.try_out(text, context):
            for statement in meaning.statements:
                line = order_context.line(statement)
                if line not in seen:
                    seen.add(line)
                    yield line


def _with_arrows(piece: OrderPiece) -> Iterator[str]:
    """ "A Par Bur": the same with a dash between two places that touch."""
    tokens = piece.tokens
    for token, following in pairwise(tokens):
        if token.type == following.type == "PLACE":
            cut = token.end_pos
            start, end = token_span(tokens)
            yield f"{piece.text[start:cut]} - {piece.text[cut:end]}"


def _unfinished(reader: LineReader, piece: OrderPiece, context: LetterContext, propose: bool) -> OrderWarning:
    """A unit and nothing else, or two names side by side."""
    lines = tuple(_lines(reader, _with_arrows(piece), context)) if propose else ()
    places: list[WrittenPlace] = [token.value for token in piece.tokens if token.type == "PLACE"]
    if lines or len(places) > 1:
        where = places[-1]
        return OrderWarning("no-verb", where.start, where.end, (("word", where.text),), lines)
    try:
        order_context = _order_context(context, any_unit=context.any_unit)
        return reader.kind.unfinished(order_context, UnitNode("", "", places[0]))
    except OrderError as error:
        return error.warning


def other_phase(reader: LineReader, piece: OrderPiece, context: LetterContext) -> OrderWarning | None:
    """The warning about an order that belongs on the sheet of another phase.

    A word that this sheet knows is no power's initial there.
    """
    start, end = token_span(piece.tokens)
    kinds = {token.type for token in piece.tokens}
    if not {"KIND", "PLACE"} <= kinds and reader.kind.explain is None:  # a sheet of bids knows no units
        return None
    for kind in _sheets(context.variant):
        if kind.name == reader.kind.name:
            continue
        other = line_reader(context.variant, context.position.board, kind.name)
        pieces = other.pieces(piece.text[start:end])
        parts = [part for part in pieces if part.node is None or part.node.has_verb]
        named = "NATION" not in kinds and any(token.type == "NATION" for part in parts for token in part.tokens)
        if not named and any(part.node is not None for part in parts):
            return _wrong_phase(other, reader, start, end)
    return None


def whole_line_elsewhere(reader: LineReader, text: str, context: LetterContext) -> OrderWarning | None:
    """The warning about a line that only the sheet of another phase can hold, however its parts would read here: "two
    wings, one in London" is no bid.
    """
    names_unit = any(
        token.type == "KIND" and token.end_pos - token.start_pos > 1 for token in reader.scanner.scan(text)
    )
    for kind in _sheets(context.variant):
        if not kind.own_nodes or kind.name in (reader.kind.name, reader.kind.also):
            continue
        if names_unit and kind.explain is not None:  # a sheet of bids knows no units
            continue
        other = line_reader(context.variant, context.position.board, kind.name)
        pieces = other.pieces(text)
        own = [piece for piece in pieces if isinstance(piece.node, kind.own_nodes)]
        if any(len(piece.tokens) > 1 for piece in own) or len(own) == len(pieces) == 1:  # no "no," in a sentence
            return _wrong_phase(other, reader, 0, len(text))
    return None


@lru_cache(maxsize=MOST_READERS)
def _sheets(variant: Variant) -> tuple[SheetKind, ...]:
    """The kinds of sheet in the variant's calendar. Cached only for speed: each line asks."""
    names = dict.fromkeys(sheet_name(step) for step in variant.calendar if step.grammar)
    return tuple(BY_NAME[name] for name in names)


def _wrong_phase(other: LineReader, reader: LineReader, start: int, end: int) -> OrderWarning:
    return OrderWarning("wrong-phase", start, end, (("sheet", other.kind.name), ("now", reader.kind.name)))
