"""Parts of a sentence that are not understood by themselves, read together: they may still leave but one order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from itertools import takewhile

from msgspec.structs import replace

from gm.language.i18n.similar_words import similar_words
from gm.language.lines.spans import QUIET, Fate
from gm.language.lines.trouble_keys import OPEN_POINTS, UNCLEAR
from gm.language.orders.parsing.order_context import OrderWarning
from gm.language.orders.suggestions import near_names
from gm.language.prose.clauses import SENTENCE_END, blank, first_word, sentence_start
from gm.language.prose.corrections.corrected_goals import without_denied_goals
from gm.language.prose.guesses.all_guesses import IMPOSSIBLE, LIKELY, LISTS
from gm.language.prose.guesses.clause import AMOUNTS, NAMES
from gm.language.prose.guesses.likely_points import MOTION, can_support
from gm.language.prose.mentions import TOWARDS
from gm.language.prose.phrases.word_lists import word_lists
from gm.language.prose.proposals.excepted_units import without_excepted
from gm.language.prose.proposals.likely_orders import (
    HELPS,
    likely_adjustments,
    likely_event,
    likely_moves,
    likely_retreat,
)
from gm.language.prose.proposals.points_proposed import assumes_hold, leaves_points
from gm.language.prose.readings import ClauseReading, together
from gm.language.prose.stance import error_key
from gm.language.prose.stretches import LONG_NAME, NEARLY, StretchReader

ADJUSTMENTS = "adjustments"
"""The sheet of a list on which few orders are due, so that few words say which."""
FULL_STOP = re.compile(r"[.!?]")
MARK = re.compile(r"[.!?;]")
SHORTEST_KIND = 4
"""Letters of "army"."""
NEAR_KIND = 65
"""How alike (of 100) a word and a kind of unit must be."""
NEAR_VERB = 85
MOST_OF_NAME = 2
"""Words that a misspelt name is sought in: "Blak Sea"."""
MOST_RUN = 12
"""Parts of a run that is tried piece by piece: more than people write about points."""
MOST_PARTS = 6
"""Parts of a run about points that are tried together."""
CHOICE = error_key("alternative")
GIVING = frozenset({"TO", "FOR", "MOVE", "ARROW"})
SUPPORTS = "s"
"""The sign in place of words for a support."""


def with_likely_orders(reader: StretchReader, text: str, readings: Sequence[ClauseReading]) -> Iterator[ClauseReading]:
    """The readings of a sentence; parts that are not taken and not proposed are proposed where one order is likely."""
    if respelt := _respelt(reader, text, readings):
        yield from _proposed(text, readings, respelt)
        return
    at = 0
    while at < len(readings):
        past, beyond = _run(reader, text, readings, at)
        run, lines = readings[at:past], _likely(reader, text, readings[at:past])
        if not lines and beyond > past:  # "Wien geht statt nach Galizien nach Tirol"
            run, lines = readings[at:beyond], _likely(reader, text, readings[at:beyond])
        if not lines and any(_is_flawed(reader, reading) for reading in run):
            run = readings[at : at + 1]
        elif not lines:
            run, lines = _longest(reader, text, readings[at : max(past, at + 1)])
        around = (*readings[max(at - 1, 0) : at], *readings[at : at + len(run) + 1])
        rest = [each for each in _of_sentence(text, readings, run) if each not in run]
        if _helps_elsewhere(reader, text, lines, around) or (lines and _takes_points_back(reader, text, run)):
            lines = ()
        if assumes_hold(reader, text, lines, run, rest) or leaves_points(reader, text, lines, run, rest):
            open_points = _open_points(reader, text, run, readings[at : at + len(run) + len(rest)])
            yield from open_points
            at += len(open_points)
            continue
        if not lines and (refused := _refused(reader, text, readings[at:past])):
            yield from refused
            at += len(refused)
            continue
        stands = lines and reader.sheet.kind.holds and {*lines} <= {*reader.lines(reader.memory.on_file)}
        yield from _proposed(text, run, lines) if lines and not stands else run
        at += len(run)


def _respelt(reader: StretchReader, text: str, readings: Sequence[ClauseReading]) -> tuple[str, ...]:
    """The orders of a sentence about points that is clear but for misspelt names: "Lenningrad - Finnland, supported by
    Sweden (2 points)".
    """
    if not reader.sheet.kind.numbers_in_front or all(each.result is not Fate.NOT_TAKEN for each in readings):
        return ()
    start, end = readings[0].start, readings[-1].end
    mended = _with_near_words(reader, text, start, end) if reader.is_staked(text[start:end]) else text
    guess = reader.guess(mended, start, end, is_sentence=True) if mended != text else None
    return guess.lines if guess is not None and guess.certain else ()


def _helps_elsewhere(reader: StretchReader, text: str, lines: Sequence[str], readings: Sequence[ClauseReading]) -> bool:
    """Whether points are to buy holds, where words beside them that are not taken speak of a support: "2 points for
    Sweden, it supports me into Norway".
    """
    holds = reader.sheet.kind.numbers_in_front and any(line.endswith(" H") for line in lines)
    unread = (reading for reading in readings if reading.result is Fate.NOT_TAKEN) if holds else ()
    return any(token.type in HELPS for reading in unread for token in reader.tokens(text, reading.start, reading.end))


def _takes_points_back(reader: StretchReader, text: str, run: Sequence[ClauseReading]) -> bool:
    """ "Please scratch both of my points, the Austrian and the Bulgarian one": nothing is bought with its parts."""
    if not reader.sheet.kind.numbers_in_front or not run:
        return False
    if {token.type for token in reader.tokens(text, run[0].start, _end(run))} & GIVING:
        return False  # "strike that one, the point goes to Latvia"
    start = sentence_start(text, first_word(text, run[0].start, _end(run)))
    return reader.phrases.cancel.match(text.lower(), first_word(text, start)) is not None


def _refused(reader: StretchReader, text: str, run: Sequence[ClauseReading]) -> tuple[ClauseReading, ...]:
    """A run that asks for what no order does, with the error that says so; () of any other."""
    asks, key = IMPOSSIBLE.get(reader.sheet.kind.name, (None, ""))
    if asks is None or not run or not _is_unclear(run[0]) or not asks(reader.clause_of(text, run[0].start, _end(run))):
        return ()
    return tuple(_explained(run, OrderWarning(key, *_columns(text, run))))


def _open_points(
    reader: StretchReader, text: str, run: Sequence[ClauseReading], sentence: Sequence[ClauseReading]
) -> tuple[ClauseReading, ...]:
    """A run about points that does not say what they are for, or the rest of a sentence that asks for a move."""
    if refused := _refused(reader, text, sentence):
        return refused
    return tuple(_explained(run, OrderWarning(OPEN_POINTS, *_columns(text, run))))


def _of_sentence(text: str, readings: Sequence[ClauseReading], run: Sequence[ClauseReading]) -> list[ClauseReading]:
    """The readings that lie in the sentence where a run begins."""
    if not run:
        return []
    first = first_word(text, run[0].start, _end(run))
    start = sentence_start(text, first)
    mark = SENTENCE_END.search(text, first)
    end = mark.start() if mark is not None else len(text)
    return [each for each in readings if start <= first_word(text, each.start, each.end) < end]


def _longest(
    reader: StretchReader, text: str, run: Sequence[ClauseReading]
) -> tuple[Sequence[ClauseReading], tuple[str, ...]]:
    """The longest beginning of a run about points for which orders are likely; else the first part without any."""
    if len(run) > MOST_RUN or not reader.sheet.kind.numbers_in_front:
        return run, ()
    staked = _is_unclear(run[0])
    for past in range(min(len(run) - 1, MOST_PARTS), 0, -1) if staked else ():
        start, end = run[0].start, _end(run[:past])
        negated = reader.phrases.negated.search(reader.stance_words(text, start, end), start)
        if (
            reader.is_staked(text[start:end])
            and not negated
            and not _goes_on(reader, text, run[past])
            and (lines := _likely(reader, text, run[:past]))
        ):
            return run[:past], lines
    return run[:1], ()


def _goes_on(reader: StretchReader, text: str, behind: ClauseReading) -> bool:
    """Whether words say where somebody goes who was named before: "… two points to leave me alone and go to Sweden"."""
    clause = reader.clause_of(text, behind.start, behind.end)
    types = [token.type for token in clause.tokens]
    named = next((at for at, kind in enumerate(types) if kind in NAMES), 0)
    return named > 0 and types[named - 1] in MOTION and not clause.types & AMOUNTS


def _is_unclear(reading: ClauseReading) -> bool:
    if reading.error is None or reading.error.suggestions:
        return False
    return reading.error.key in UNCLEAR or reading.error.key == CHOICE


def _is_impossible(reading: ClauseReading) -> bool:
    """Whether it is half of an event, which is none by itself."""
    meanings = reading.orders.meanings if reading.orders is not None else ()
    return any(each.error is not None and not each.error.suggestions for each in meanings)


def _is_flawed(reader: StretchReader, reading: ClauseReading) -> bool:
    """Whether it is a unit that may be one to remove, beside no word that says so."""
    return reader.sheet.kind.name == ADJUSTMENTS and reading.orders is not None and reading.orders.is_flawed


def _run(reader: StretchReader, text: str, readings: Sequence[ClauseReading], at: int) -> tuple[int, int]:
    """Behind the last unclear part of a run that begins here, and behind what may go with it.

    A sentence goes on with the one before it only where it names no unit of its own.
    """
    past = beyond = at
    for index in range(at, len(readings)):
        reading = readings[index]
        between = text[readings[index - 1].end : reading.start] + text[reading.start : reading.end][:1] if index else ""
        goes_on = reader.sheet.kind.is_one_order_per_line or not reader.names_own(text, reading.start, reading.end)
        if index > at and MARK.search(between) and not goes_on:
            break
        flawed = _is_flawed(reader, reading)
        if flawed or _is_unclear(reading) or (reader.sheet.kind.is_one_order_per_line and _is_impossible(reading)):
            past = beyond = index + 1
        elif reading.fate not in QUIET or past == at:
            break
        else:
            beyond = index + 1
    return past, beyond


def _likely(reader: StretchReader, text: str, run: Sequence[ClauseReading]) -> tuple[str, ...]:
    kind = reader.sheet.kind
    if not run or not (kind.holds or kind.is_one_order_per_line or kind.takes_preferences or kind.name in LISTS):
        return ()
    start, end = run[0].start, _end(run)
    if kind.holds and not kind.numbers_in_front and _only_asks(reader, text, start, end):
        return ()
    for reading in run:
        if reading.fate is Fate.REASON and reader.places(text, reading.start, reading.end):
            text = blank(text, reading.start, reading.end)
    mark = FULL_STOP.search(text, end)
    sentence = reader.masked(text[: mark.start() if mark else len(text)], start)
    stays = reader.phrases.staying.search(sentence, start)
    apart = stays is not None and stays.start() >= end and any(reader.near(text, start, end))  # "warsw gal, mos stays"
    if stays is not None and not apart:
        return ()  # "Budapest sticks with Serbia, not Rumania"
    text = without_denied_goals(reader, text, start, end)
    clause = reader.clause_of(_with_near_words(reader, text, start, end), start, end)
    amends = reader.phrases.amending.search(text[:end].lower(), start) is not None
    clause = replace(clause, amends=amends, says_state=_says_state(reader, text[:end], start))
    negated = reader.phrases.negated.search(reader.stance_words(text, start, end), start) is not None
    if kind.is_one_order_per_line:
        return () if negated else likely_event(clause)
    if kind.takes_preferences:
        return likely_retreat(clause) if reader.memory.on_file and not negated else ()
    if kind.name == ADJUSTMENTS:
        corrected = _without_corrected_places(reader, text, start, end)
        clause = reader.clause_of(_with_near_words(reader, corrected, start, end), start, end)
        lines = likely_adjustments(clause) if clause.of("PLACE") or not negated else ()  # "not both fleets"
        if negated and len(lines) > 1:
            return ()  # "not the army in Armenia, but the fleet"
        whole = len(lines) == clause.due.removals or not any(_is_flawed(reader, reading) for reading in run)
        return lines if whole else ()
    if kind.name in LISTS:
        guess = reader.guess(text, start, end, is_sentence=len(run) > 1)
        return guess.lines if guess is not None and not guess.withdrawn and not negated else ()
    if negated and (len(run) == 1 or reader.phrases.leaving.search(text[:end].lower(), start)):
        return ()  # "doesn't go to Warsaw"; "doesn't stir, though Venice is looking at it"
    if reader.is_listing(text, start, end) and reader.phrases.negated.search(text[:end].lower(), start):
        return ()
    guess = reader.guess(text, start, end) if kind.numbers_in_front else None
    if guess is not None and all(can_support(clause, line) for line in guess.lines):
        return guess.lines if {*guess.lines} - {*reader.lines(reader.memory.on_file)} else ()
    if likely := LIKELY.get(kind.name):
        if not clause.types & AMOUNTS and "?" in text[end - 1 : end + 2]:
            return ()  # "how do I spend points on Austria?"
        paid = "POINTS" in clause.types or (kind.numbers_in_front and not reader.own_places(text[:end], start))
        points = any(token.type == "POINTS" for token in reader.scan(reader.line.body))
        staked = points and not clause.types & TOWARDS  # "the other on Switzerland"
        paid = paid and ("POINTS" in clause.types or staked)
        body = reader.line.body
        elsewhere = [*reader.scan(body[:start]), *reader.scan(body[end:])]
        return likely(clause, elsewhere) or (() if paid else likely_moves(clause))
    return without_excepted(reader, text, start, end, likely_moves(clause))


def _only_asks(reader: StretchReader, text: str, start: int, end: int) -> bool:
    """Whether words ask something and name no unit of the writer's: "who stands where? Can I build 2 fleets?"."""
    return "?" in text[start : end + 2] and not reader.own_places(text[:end], start)


def _says_state(reader: StretchReader, text: str, start: int) -> bool:
    """Whether words seem to take an order back or to leave it as it is, or say how a place is: "Warsaw was warmer"."""
    low, phrases = text.lower(), reader.phrases
    patterns = (phrases.cancel, phrases.cancelled, phrases.retract, phrases.keep_unit)
    if any(pattern.search(low, start) for pattern in patterns):
        return True
    places = [start + token.end_pos for token in reader.tokens(text, start, len(text)) if token.type == "PLACE"]
    return any(phrases.no_motion.match(low, first_word(text, past)) or low[past : past + 1] == "," for past in places)


def _without_corrected_places(reader: StretchReader, text: str, start: int, end: int) -> str:
    """ "A fleet at Rome, no hang on, Naples": without the places before the last words of correction."""
    every = reader.phrases.correction.finditer(text[:end].lower(), start)
    corrections = [match for match in every if reader.places(text, start, match.start())]  # "No army in Paris"
    for token in reader.tokens(text, start, corrections[-1].start()) if corrections else ():
        if token.type == "PLACE":
            text = blank(text, start + token.start_pos, start + token.end_pos)
    return blank(text, *corrections[-1].span()) if corrections else text


def _with_near_words(reader: StretchReader, text: str, start: int, end: int) -> str:
    """With the code of a place, the kind of unit or the verb for words much like one: "the fleat holds", "English
    Chanel", "Vienna suports Budapest".
    """
    known = reader.sheet.scanner.words.spelt
    nearness = ((NEAR_KIND, {"KIND"}), (NEAR_VERB, HELPS))
    of_ships = word_lists(reader.context.variant.language).carrying  # "boards" is no "boats"
    tokens = reader.tokens(text, start, end)
    plain = reader.plain(text, start, end)
    for at, token in enumerate(tokens):
        first, past = start + token.start_pos, start + token.end_pos
        helps = plain[first:past] != text[first:past] and plain[first:past].strip() == SUPPORTS  # "helfen", no "heeren"
        if token.type != "WORD" or not text[first:past].strip() or helps:
            continue
        of_name = takewhile(lambda other: other.type != "PLACE", tokens[at : at + MOST_OF_NAME])
        ends = [start + other.end_pos for other in of_name]  # "to Galica budapest to …" are two names
        if place := _near_place(reader, [text[first:each] for each in reversed(ends)]):
            word, near = place
        else:
            word = text[first:past].lower()
            names = (name for least, kinds in nearness for name in _near_words(word, known, kinds, least))
            near = next(names, "") if word not in of_ships else ""
        if near:
            text = text[:first] + near.ljust(len(word)) + text[first + len(word) :]
    return text


def _near_place(reader: StretchReader, names: Sequence[str]) -> tuple[str, str] | None:
    """The first of these words that is much like the name of one place, and its code."""
    for name in names:
        near = near_names(reader.sheet.names, name.lower(), NEARLY) if len(name) >= LONG_NAME else ()
        if len(near) == 1:
            return name, near[0]
    return None


def _near_words(word: str, known: Sequence[tuple[str, str]], kinds: Set[str], least: int) -> tuple[str, ...]:
    if len(word) < SHORTEST_KIND:
        return ()
    choices = [other for other, kind in known if kind in kinds and SHORTEST_KIND <= len(other) <= len(word)]
    return tuple(name for name, _ in similar_words(word, choices, least))


def _columns(text: str, run: Sequence[ClauseReading]) -> tuple[int, int]:
    """Where the first word of a run begins and its last one ends."""
    first, end = first_word(text, run[0].start, _end(run)), _end(run)
    return first, first + len(text[first:end].rstrip(" .,;!"))


def _end(run: Sequence[ClauseReading]) -> int:
    """A bracket ends before the sentence around it."""
    return max(reading.end for reading in run)


def _proposed(text: str, run: Sequence[ClauseReading], lines: tuple[str, ...]) -> Iterator[ClauseReading]:
    return _explained(run, OrderWarning("not-taken", *_columns(text, run), (), together(lines)))


def _explained(run: Sequence[ClauseReading], warning: OrderWarning) -> Iterator[ClauseReading]:
    """The readings of a run, of which the first that is not taken has the error."""
    error: OrderWarning | None = warning
    for reading in run:
        if reading.fate in QUIET:
            yield reading
        else:
            yield replace(reading, fate=Fate.NOT_TAKEN, orders=None, error=error)
            error = None
