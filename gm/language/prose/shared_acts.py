"""Units that are listed beside what all of them do: "Vienna and Budapest both hold", "Hold: Vienna, Budapest"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set

from msgspec import Struct
from msgspec.structs import replace

from gm.judge.model.orders import Convoy, Move, Support, UnitOrder, slot_province
from gm.language.lines.spans import Fate
from gm.language.orders.parsing.lexer import HELPS
from gm.language.prose.clauses import blank, first_word, sentence_start
from gm.language.prose.guesses.named_orders import without_coast
from gm.language.prose.memory import unit_of
from gm.language.prose.mentions import TOWARDS, Mention, mentions_of, unit_called
from gm.language.prose.phrases.word_lists import word_lists
from gm.language.prose.readings import ClauseReading, ReadOrders
from gm.language.prose.stance import is_plain
from gm.language.prose.stretches import STAKES, StretchReader

MOST_WORDS = 3
"""Most words of a heading that says what the units below it do."""
PAIR = 2
SUPPORTS = "supports"
REMOVAL = "Remove "
"""How the canonical line of a removal begins."""
ACTS_ON_FILE = (("SUPPORT", Support), ("CONVOY", Convoy))
"""Types of words for orders that few units have."""
COUNTED = frozenset({"NUMBER", "WORD"})
UNABLE = re.compile(r"\b(?:can't|cannot|can not|couldn't|could not|kann|konnte|konnen)\b")
"""What a unit is unable to do is no order."""
LISTED = re.compile(r"\b(?:nor|or|and|noch|oder|und)\b")
OF_UNITS = frozenset({"KIND", "PLACE", "SEP", "OF"})
"""Token types of units alone."""
OF_CONVOY = frozenset({"CONVOY", "PLACE", "KIND", "TO", "OF", "FROM", "ON", "FOR", "SEP", "ARROW", "MINUS"})
"""Token types of words about a convoy as a whole."""
SENTENCE_END = re.compile(r"[.!?]\s+")


class SharedAct(Struct, frozen=True):
    """`orders` are None where all units listed cannot do the same. `past` is the first clause behind."""

    orders: ReadOrders | None
    past: int


def shared_act(reader: StretchReader, text: str, cut: Sequence[tuple[int, int]], at: int) -> SharedAct | None:
    """None where no units are listed here, or it is not clear that they share an act."""
    behind = at + (says_hold_alone(reader, text, *cut[at]) or _all_named(reader, text, cut, at))
    if behind > at or reader.memory.holding:
        return _holding_units(reader, text, cut, at, behind)
    units: list[Mention] = []
    first = at
    while at < len(cut) and (listed := units_alone(reader, text, *cut[at])):
        if _acts(reader, text, cut[at], listed):
            break
        units += listed
        at += 1
    if not units or at == len(cut):
        return None
    start, end = cut[at]
    if not is_plain(reader.stance_words(text, start, end), start, reader.phrases, holds=False):
        return None
    own = _order_of_last(reader, text, start, end)
    if own:
        unit, act = own
        lines = [f"{mention.called}{act}" for mention in units] + [f"{unit}{act}"]
    elif reader.begins_with_act(text, start, end):
        act = reader.plain(text, start, end)[start:end].strip(" .,;:!")
        lines = [f"{mention.called} {act}" for mention in units]
    else:
        return None
    legal = [reader.legal(line) for line in lines]
    if not all(len(each) == 1 for each in legal):
        return None
    whole = tuple(line for each in legal for line in each)
    orders = reader.orders_of(whole, text, cut[first][0], end)
    moves = [order for order in orders.statements if isinstance(order, Move)]
    board = reader.context.position.board
    if len(moves) > 1 and not all(board.provinces[move.to.province].shared for move in moves):
        return SharedAct(None, at + 1)  # they cannot all go to one province
    return SharedAct(orders, at + 1)


def _acts(reader: StretchReader, text: str, clause: tuple[int, int], listed: Sequence[Mention]) -> bool:
    """Whether units side by side say what they do: they move, or do as the one before ("Edinburgh too")."""
    start, end = clause
    return _is_move(reader, listed) or reader.phrases.alike.search(text[:end].lower(), start) is not None


def _is_move(reader: StretchReader, listed: Sequence[Mention]) -> bool:
    """Whether two units side by side are a move of the first: "bul gre, con bul, iran holds"."""
    if len(listed) != PAIR or listed[1].before != "PLACE":
        return False
    return bool(reader.legal(f"{listed[0].called} - {listed[1].place}"))


def _holding_units(
    reader: StretchReader, text: str, cut: Sequence[tuple[int, int]], first: int, at: int
) -> SharedAct | None:
    """The clauses that are units alone, behind words that all of them hold."""
    units: list[Mention] = []
    while at < len(cut) and (listed := units_alone(reader, text, *cut[at])):
        units += listed
        at += 1
    lines = tuple(line for mention in units for line in reader.legal(f"{mention.called} H"))
    return SharedAct(reader.orders_of(lines, text, cut[first][0], cut[at - 1][1]), at) if lines else None


def held_list(reader: StretchReader, text: str, cut: Sequence[tuple[int, int]], at: int) -> SharedAct | None:
    """ "Hold Smyrna, Ankara and Constantinople": units alone behind one that words in front let hold."""
    start, end = cut[at]
    verb = next(iter(reader.plain_tokens(text, start, end)), None)
    if verb is None or verb.type != "HOLD" or not reader.sheet.kind.holds:
        return None
    units = list(units_alone(reader, blank(text, start + verb.start_pos, start + verb.end_pos), start, end))
    past = at + 1
    while units and past < len(cut) and (listed := units_alone(reader, text, *cut[past])):
        if _acts(reader, text, cut[past], listed):
            return None
        units += listed
        past += 1
    lines = [reader.legal(f"{mention.called} H") for mention in units]
    if past == at + 1 or not all(len(each) == 1 for each in lines):
        return None
    every = tuple(line for each in lines for line in each)
    return SharedAct(reader.orders_of(every, text, start, cut[past - 1][1]), past)


def _all_named(reader: StretchReader, text: str, cut: Sequence[tuple[int, int]], at: int) -> bool:
    """Whether a clause says that units hold that the next ones name, and no others: "both fleets stay, BLA and AEG"."""
    start, end = cut[at]
    if not reader.phrases.hold_all.fullmatch(text[start:end].lower().strip(" .,;:!")):
        return False
    listed = [units_alone(reader, text, *columns) for columns in cut[at + 1 :]]
    named = {mention.called for mentions in listed for mention in mentions}
    tokens = reader.tokens(text, start, end)
    kinds = {token.value for token in tokens if token.type == "KIND"}
    units = {unit_called(unit) for unit in reader.context.own_units if not kinds or unit.kind in kinds}
    counted = any(token.type == "NUMBER" and str(token.value) == str(len(named)) for token in tokens)
    return all(listed) and named <= units and (counted or named == units)


def says_hold(reader: StretchReader, text: str, start: int, end: int) -> bool:
    return any(token.type == "HOLD" for token in reader.plain_tokens(text, start, end))


def says_hold_alone(reader: StretchReader, text: str, start: int, end: int) -> bool:
    """Whether few words with a colon behind them say nothing but that units hold: "Stay home:"."""
    if not reader.sheet.kind.holds or text[end : end + 1] != ":" or len(text[start:end].split()) > MOST_WORDS:
        return False
    if not is_plain(text[:end].lower(), start, reader.phrases, holds=False):
        return False
    types = {token.type for token in reader.plain_tokens(text, start, end)}
    return {"HOLD"} <= types <= {"HOLD", "TALK", "WORD"}


def same_act(reader: StretchReader, text: str, start: int, end: int, alike: re.Match[str]) -> ReadOrders | None:
    """The order of the only unit of a clause that does what the unit before it does: "and so does Munich"."""
    if helped := _helps_likewise(reader, text, start, end, alike):
        return helped
    units = units_alone(reader, blank(text, *alike.span()), start, end, powers=True)
    called = [mention.called for mention in units] or _wards_alone(reader, blank(text, *alike.span()), start, end)
    if units and reader.memory.kept and not reader.memory.latest:
        return reader.orders_of((), text, start, end)  # "Rome must stay. So must Naples."
    last = reader.memory.last
    if reader.phrases.negated.search(alike.group()) and not last.endswith(" H"):
        return None
    act = last.removeprefix(unit_of(last))
    if last.startswith(REMOVAL):
        legal = [reader.legal(f"{REMOVAL}{unit}") for unit in called]
    else:
        legal = [reader.legal(f"{unit}{act}") for unit in called] if act[1:2] in ("H", "S", "D") else []
    if not legal or not all(len(lines) == 1 for lines in legal):
        return None
    return reader.orders_of([line for lines in legal for line in lines], text, start, end)


def _helps_likewise(reader: StretchReader, text: str, start: int, end: int, alike: re.Match[str]) -> ReadOrders | None:
    """Behind a support, one of another unit: "Denmark does the same for Sweden"."""
    if " S " not in reader.memory.last or not says_likewise(alike) or reader.places(text, start, end) != PAIR:
        return None
    helping = text[: alike.start()] + SUPPORTS.ljust(len(alike.group())) + text[alike.end() :]
    orders = reader.orders_in(helping, start, end)
    lines = reader.lines(orders.statements) if orders is not None and not orders.is_flawed else ()
    return orders if len(lines) == 1 and " S " in lines[0] else None


def says_likewise(alike: re.Match[str]) -> bool:
    """Whether words of likeness may have an object: "does the same", but no "too"."""
    return len(alike.group()) >= len(SUPPORTS)


def units_of_kind(reader: StretchReader, text: str, start: int, end: int) -> tuple[str, ...]:
    """The provinces of all units of a kind with orders on file, where words name that kind and no other: "both fleets".

    () where a number is not theirs.
    """
    tokens = reader.plain_tokens(text, start, end)
    kinds = [token for token in tokens if token.type == "KIND"]
    words = {text[start + token.start_pos : start + token.end_pos].lower() for token in tokens if token.type == "WORD"}
    known = word_lists(reader.context.variant.language).around
    names = (text[start + kind.start_pos : start + kind.end_pos].lower() for kind in kinds)
    plural = [name in reader.own_phrases.plural for name in names]
    if plural != [True] or not words <= known or not {token.type for token in tokens} <= OF_UNITS - {"PLACE"} | COUNTED:
        return ()
    units = [unit for unit in reader.context.own_units if unit.kind == kinds[0].value]
    numbers = {str(token.value) for token in tokens if token.type == "NUMBER"}
    ordered = {slot_province(order.slot) for order in reader.memory.on_file}
    named = tuple(unit.at.province for unit in units if unit.at.province in ordered)
    return named if reader.sheet.kind.holds and numbers <= {str(len(units))} else ()


def kind_cancelled(reader: StretchReader, text: str, start: int, named: int, end: int) -> tuple[str, ...]:
    """The provinces of such units where words from `start` on cancel their orders and name the kind from `named` on."""
    waved = reader.phrases.waved_aside.match(text.lower(), first_word(text, start))
    return () if waved or reader.memory.orders else units_of_kind(reader, text, named, end)


def convoy_cancelled(reader: StretchReader, text: str, named: int, end: int) -> tuple[str, ...]:
    """The provinces of all units of the convoy on file that words mean from `named` on: the only one, or the one to or
    of the only place that they name: "the convoy to Albania".
    """
    tokens = reader.plain_tokens(text, named, end)
    places = [{*token.value.provinces} for token in tokens if token.type == "PLACE"]
    only_denied = re.match(r"(?:no|kein(?:e|en)?) ", text[sentence_start(text, named) :].lstrip().lower()) is not None
    if only_denied or len(places) > 1 or not {"CONVOY"} <= {token.type for token in tokens} <= OF_CONVOY:
        return ()
    convoys = [order for order in reader.memory.on_file if isinstance(order, Convoy)]
    meant = [order for order in convoys if all(at & {order.to.province, order.target.at.province} for at in places)]
    armies = {(order.target.at.province, order.to.province) for order in meant}
    moves = (order for order in reader.memory.on_file if isinstance(order, Move))
    carried = [order for order in moves if (order.unit.at.province, order.to.province) in armies]
    provinces = tuple(dict.fromkeys(slot_province(order.slot) for order in (*carried, *meant)))
    return provinces if len(armies) == 1 else ()


def unit_by_act(reader: StretchReader, text: str, start: int, end: int) -> tuple[str, ...]:
    """The province of the only unit whose order on file is the act that words name: "the second army does not help"."""
    tokens = reader.plain_tokens(text, start, end)
    types = {token.type for token in tokens}
    acts = tuple(act for name, act in ACTS_ON_FILE if name in types)
    if not acts or types & {"PLACE", "NATION"}:
        return ()
    kinds = {token.value for token in tokens if token.type == "KIND" and token.end_pos > token.start_pos + 1}
    orders = [order for order in reader.memory.on_file if isinstance(order, acts)]
    meant = [order for order in orders if isinstance(order, UnitOrder) and (not kinds or order.unit.kind in kinds)]
    return (slot_province(meant[0].slot),) if len(meant) == 1 else ()


def place_of_kind(reader: StretchReader, text: str, before: Sequence[tuple[int, int]], first: int, past: int) -> bool:
    """ "No fleet, an army, in Liverpool": a place alone behind a kind of unit alone, in a list of new units."""
    if not reader.sheet.kind.lists_units:
        return False
    types = [{token.type for token in reader.plain_tokens(text, *columns)} for columns in (*before[-2:], (first, past))]
    return types[-2:] == [{"KIND"}, {"PLACE"}] and types[0] != {"PLACE"}


def units_alone(reader: StretchReader, text: str, start: int, end: int, *, powers: bool = False) -> list[Mention]:
    """The writer's own units of a clause that is nothing else; () for any other clause. `powers`: a power that the
    writer controls stands for its only unit.
    """
    tokens = reader.plain_tokens(text, start, end)
    named = {token.value for token in tokens if token.type == "NATION"} if powers else set()
    if not tokens or not {token.type for token in tokens} <= OF_UNITS | ({"NATION"} if powers else set()):
        return []
    mentions = mentions_of(tokens, reader.context)
    units = [mention.unit for mention in mentions if mention.unit is not None]
    return mentions if len(units) == len(mentions) and named <= {unit.power for unit in units} else []


def _wards_alone(reader: StretchReader, text: str, start: int, end: int) -> list[str]:
    """The units of the powers that the writer controls, in a clause that names these powers and nothing else."""
    tokens = [token for token in reader.plain_tokens(text, start, end) if token.type not in ("SEP", "OF")]
    powers = {token.value for token in tokens if token.type == "NATION" and token.value in reader.context.controlled}
    alone = bool(tokens) and all(token.value in powers for token in tokens)
    return [unit_called(unit) for unit in reader.context.own_units if alone and unit.power in powers]


def _order_of_last(reader: StretchReader, text: str, start: int, end: int) -> tuple[str, str] | None:
    """The unit that a clause begins with, and what it does, as canonical text; None unless that is all it says."""
    mentions = mentions_of(reader.plain_tokens(text, start, end), reader.context)
    if not mentions or mentions[0].at or mentions[0].unit is None:
        return None
    lines = reader.meant_lines(text, start, end)
    unit = mentions[0].called
    return (unit, lines[0].removeprefix(unit)) if len(lines) == 1 and lines[0].startswith(f"{unit} ") else None


def pays_for(reader: StretchReader, text: str, start: int) -> bool:
    """Whether the end of a sentence is what the points before are for: "one dip, to protect me against Chile"."""
    before = SENTENCE_END.split(text[:start])[-1]
    if not reader.is_listing(text, start, len(text)) or reader.phrases.negated.search(before.lower()):
        return False
    types = {token.type for token in reader.scan(before)}
    return bool(types & STAKES) and "NONE" not in types


def does_not_leave(reader: StretchReader, text: str, start: int, end: int) -> ReadOrders | None:
    """ "Under no circumstances should Trieste leave port", "neither Vienna nor Budapest moves": they hold."""
    low, leaving = text[:end].lower(), reader.phrases.leaving
    if not reader.sheet.kind.holds or UNABLE.search(low, start):
        return None
    plain = leaving.search(low, start)
    leaves = plain or leaving.search(reader.masked(text[:end], start), start)
    if leaves is None or HELPS & {token.type for token in reader.plain_tokens(text, start, end)}:
        return None  # "Serbia supports it in not going anywhere"
    bare = LISTED.sub(lambda word: " " * len(word.group()), blank(text[:end], *leaves.span()))
    named, left = reader.own_places(bare, start), reader.own_places(text[: leaves.end()], leaves.start())
    if plain is None:  # "doesn't leave the Black Sea"
        return _they_hold(reader, left, text, start, end) if len(left) == 1 and named <= left else None
    apart = len(named) > 1 and not LISTED.search(low, start)
    if apart or not named or len(named) != reader.places(bare, start, end):
        return None
    return _they_hold(reader, named, text, start, end)


def _they_hold(reader: StretchReader, provinces: Set[str], text: str, start: int, end: int) -> ReadOrders | None:
    lines = [line for province in sorted(provinces) for line in reader.legal(f"{reader.unit_at(province)} H")]
    return reader.orders_of(lines, text, start, end) if len(lines) == len(provinces) else None


def with_moves_supported(
    reader: StretchReader, text: str, readings: Sequence[ClauseReading]
) -> Iterator[ClauseReading]:
    """The readings, where a support that is impossible without a goal is one of the move in the letter."""
    for reading in readings:
        lines = _supported(reader, text, reading) if reading.orders is not None and reading.orders.is_flawed else ()
        if not lines:
            yield reading
            continue
        orders = reader.orders_of(lines, text, reading.start, reading.end)
        reader.note(orders)
        yield replace(reading, fate=Fate.ORDER, orders=orders, error=None)


def _supported(reader: StretchReader, text: str, reading: ClauseReading) -> tuple[str, ...]:
    if not reader.sheet.kind.holds or not is_plain(text[: reading.end].lower(), reading.start, reader.phrases):
        return ()
    tokens = reader.plain_tokens(text, reading.start, reading.end)
    mentions = mentions_of(tokens, reader.context)
    helps = [token.type for token in tokens].count("SUPPORT") == 1
    goes = any(token.type in TOWARDS for token in tokens)
    if len(mentions) < PAIR or not helps or goes or any(mention.unit is None for mention in mentions):
        return ()
    *helpers, mover = (mention.called for mention in mentions)
    move = reader.memory.orders.get(mover, "")
    if " - " not in move:
        return ()
    lines = [reader.legal(f"{helper} S {without_coast(move)}") for helper in helpers]
    return tuple(line for each in lines for line in each) if all(lines) else ()
