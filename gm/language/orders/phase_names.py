"""Reads names of phases: "F1903M", "Fall 1903", "winter 03", "autumn 1903 retreats", "fall" for the next one."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from gm.judge.model.position import Position
from gm.judge.model.variant import PHASE, Step, Variant
from gm.language.i18n.place_names import words
from gm.language.i18n.vocabulary import vocabulary_of
from gm.language.lines.lines import AROUND, KINDS, SEASONS, SHORT_PHASE

MOVES = "M"
KINDS_NAMED = {**KINDS, **dict.fromkeys(("bids", "bid", "bidding"), "B")}
"""Words for kinds of phases -> letters of their steps."""
NEXT = frozenset({"next", "coming", "this"})
BESIDE_SEASON = frozenset({*AROUND, *NEXT, *KINDS_NAMED})


def read_phase(text: str, variant: Variant, position: Position) -> str | None:
    """The code of the phase; "" for one that is not in the calendar, None for words that name none."""
    code = PHASE.fullmatch(text.strip(" :.").upper())
    if code:
        return _known(code.group(), variant)
    season, year, kind = "", "", ""
    translated = vocabulary_of(variant.language).headings
    for word in (translated.get(word, word) for word in words(text)):
        if short := SHORT_PHASE.fullmatch(word):
            season = next(name for name, letter in SEASONS.items() if letter == short[1].upper())
            year = short[2]
        elif PHASE.fullmatch(word.upper()):
            return _known(word.upper(), variant)
        elif word.isdigit() and len(word) <= 4:
            year = word
        elif word in BESIDE_SEASON or any(word == step.season.lower() for step in variant.calendar):
            season = word if word in SEASONS or word not in BESIDE_SEASON else season
            kind = KINDS_NAMED.get(word, kind)
        else:
            return None
    if not season and not kind:
        return None
    at = _step(variant, season, kind)
    if at is None:
        return ""
    step = variant.calendar[at]
    when = _year(year, position, later=at > position.at)
    return f"{step.season[0]}{when}{step.letter}"


def earlier_phase(text: str, variant: Variant, position: Position) -> str | None:
    """Like `read_phase`, but the last such phase before the present one where no year is written: "the retreats"."""
    code = read_phase(text, variant, position)
    if not code or any(map(str.isdigit, text)):
        return code
    _, meant = variant.phase_at(code)
    seasons = {*SEASONS, *(step.season.lower() for step in variant.calendar)}
    translated = vocabulary_of(variant.language).headings
    named = any(translated.get(word, word) in seasons for word in words(text))
    letter = variant.calendar[meant].letter
    steps = [meant] if named else [at for at, step in enumerate(variant.calendar) if step.letter == letter]
    year, at = max((position.year - (at >= position.at), at) for at in steps)
    return variant.phase_name(replace(position, year=year, at=at))


def next_moves(variant: Variant, position: Position) -> str:
    """The code of the movement phase after the present one."""
    return next(coming_phases(variant, position, lambda step: step.letter == MOVES))


def coming_phases(variant: Variant, position: Position, fits: Callable[[Step], bool]) -> Iterator[str]:
    """The codes of the phases with such a step within a year after the present phase, the nearest first."""
    steps = [at for at, step in enumerate(variant.calendar) if step.letter and fits(step)]
    for year, at in sorted((position.year + (at <= position.at), at) for at in steps):
        yield variant.phase_name(replace(position, year=year, at=at))


def _known(code: str, variant: Variant) -> str:
    try:
        variant.phase_at(code)
    except ValueError:
        return ""
    return code


def _step(variant: Variant, season: str, kind: str) -> int | None:
    """Where the calendar has it: the movement phase where no kind is written and the season has one."""
    fitting = [
        at
        for at, step in enumerate(variant.calendar)
        if step.letter
        and (not season or season == step.season.lower() or SEASONS.get(season) == step.season[0])
        and kind in ("", step.letter)
    ]
    moves = (at for at in fitting if variant.calendar[at].letter == MOVES)
    return next(moves, next(iter(fitting), None))


def _year(written: str, position: Position, *, later: bool) -> int:
    """The first such year from the present on; with none written, when the phase comes next."""
    if not written:
        return position.year if later else position.year + 1
    if len(written) > 2:
        return int(written)
    century = position.year - position.year % 100
    return next(year for year in _years(century, int(written)) if year >= position.year)


def _years(century: int, two: int) -> Iterator[int]:
    yield from (century + two, century + 100 + two)
