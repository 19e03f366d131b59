"""Reads a game master's sentences about the position as lines of SETUP: "Put the Turkish fleet in Smyrna".

The table `[edits]` of grammars/plain_questions/<language>.toml has the sentences, as regular expressions with groups:

    moves      `unit` stands at `to` from now on; `at`: where it is now, if the sentence says that
    becomes    `unit` is of `kind`
    comes      a new `unit` (whose, and its kind) at `to`, or one at each of several
    goes       `unit` is removed
    owned      `place` belongs to `power`
    more       behind `moves`: another `unit` that stands `to` somewhere, "and Edinburgh to the Norwegian Sea"
    there      words for the place that was named last
    small      words to be left out of units and places
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache

from gm.judge.gm_changes.dislodge_edits import TakeUnit
from gm.judge.gm_changes.position_edits import Edit
from gm.judge.model.position import Unit
from gm.language.commands.blocks.position_edits import EditNames, EditTrouble, read_edit, written
from gm.language.commands.in_words.plain_questions import LINE_MOST, tables_of
from gm.language.i18n.joining_words import AND
from gm.language.i18n.normalize import clean
from gm.language.lines.letter_contents import LetterContext

Words = Mapping[str, str]
MOVES = "moves"
BETWEEN_PLACES = re.compile(rf",\s*(?:{AND})\s+|,|\s(?:{AND})\s", re.IGNORECASE)
"""Between places that belong to the same power."""


def edits_in_words(text: str, context: LetterContext) -> tuple[str, ...]:
    """Lines of SETUP; () where one of the sentences is not clear."""
    line = clean(text[:LINE_MOST]).text
    lines: list[str] = []
    there = re.compile("|".join(table["there"] for table in tables_of("edits", context.variant.language)))
    for kind, words in _sentences(line, context):
        if lines and there.fullmatch(words.get("to", "").lower()):  # "remove Tri and give Italy a fleet there"
            words = {**words, "to": lines[-1].split()[2]}
        made = tuple(READERS[kind](words, context))
        if not made:
            return ()
        lines += made
    return tuple(lines)


@lru_cache(maxsize=8)
def _patterns(language: str) -> tuple[tuple[str, re.Pattern[str], re.Pattern[str]], ...]:
    """(what a sentence says, its pattern, words to leave out)."""
    tables = tables_of("edits", language)
    return tuple(
        (kind, re.compile(sentence, re.IGNORECASE), re.compile(rf"\b(?:{table['small']})\b", re.IGNORECASE))
        for table in tables
        for kind in READERS
        for sentence in table.get(kind, ())
    )


def _sentences(line: str, context: LetterContext) -> list[tuple[str, Words]]:
    """What the sentences of the line say, in their order, each place of the line once."""
    known: dict[int, tuple[int, str, Words]] = {}
    for kind, pattern, small in _patterns(context.variant.language):
        for match in pattern.finditer(line):
            if not any(start < match.end() and match.start() < end for start, (end, _, _) in known.items()):
                known[match.start()] = (match.end(), kind, _groups(match, small))
                known |= _more(line, match.end(), context) if kind == MOVES else {}
    return [(kind, words) for _, (_, kind, words) in sorted(known.items(), key=lambda pair: pair[0])]


def _groups(match: re.Match[str], small: re.Pattern[str]) -> Words:
    return {name: " ".join(small.sub(" ", value or "").split()) for name, value in match.groupdict().items()}


def _more(line: str, at: int, context: LetterContext) -> Mapping[int, tuple[int, str, Words]]:
    """Other units that stand somewhere else from now on, without a verb of their own."""
    more: dict[int, tuple[int, str, Words]] = {}
    for pattern, small in _continuations(context.variant.language):
        while (match := pattern.match(line, at)) is not None:
            words = _groups(match, small)
            if _unit(words["unit"], context) is None:
                break
            more[at] = (match.end(), MOVES, words)
            at = match.end()
    return more


@lru_cache(maxsize=8)
def _continuations(language: str) -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    return tuple(
        (re.compile(more, re.IGNORECASE), re.compile(rf"\b(?:{table['small']})\b", re.IGNORECASE))
        for table in tables_of("edits", language)
        for more in table.get("more", ())
    )


def _edit(line: str, context: LetterContext) -> Edit | None:
    edit = read_edit(line, context.variant, context.position)
    return None if isinstance(edit, EditTrouble) else edit


def _unit(words: str, context: LetterContext) -> Unit | None:
    """The unit on the board that is meant, if it is only one: "Turkish fleet Ankara", "Italian fleet"."""
    taken = _edit(f"KILL {words}", context)
    place, power, kind = "", "", ""
    if isinstance(taken, TakeUnit):
        place, power, kind = taken.province, taken.power, taken.kind
    else:
        names = EditNames(context.variant, context.position)
        power, rest = names.parted(words.split())
        named = names.kind(rest[0]) if len(rest) == 1 else None
        if not power or named is None:
            return None
        kind = named.code
    wanted = (place, power, kind)
    units = [unit for unit in context.position.units if _fits((unit.at.province, unit.power, unit.kind), wanted)]
    return units[0] if len(units) == 1 else None


def _fits(unit: Sequence[str], wanted: Sequence[str]) -> bool:
    """Whether each word is as wanted, or any word will do ("")."""
    return all(want in ("", word) for word, want in zip(unit, wanted, strict=True))


def _written(lines: Sequence[str], context: LetterContext) -> Iterator[str]:
    """The lines as they are written; none where one is no edit."""
    edits = [edit for line in lines if (edit := _edit(line, context)) is not None]
    if len(edits) == len(lines):
        yield from (written(edit, context.variant) for edit in edits)


def _moves(words: Words, context: LetterContext) -> Iterator[str]:
    unit = _unit(words["unit"], context)
    if unit is None and words.get("at"):
        kind = words["unit"].rpartition(" ")[2]  # "Hannah's fleet": whose it is, the place says
        unit = _unit(f"{kind} {words['at']}", context)
    if unit is not None:
        gone = f"KILL {unit.kind} {unit.at.province} {unit.power}"
        yield from _written((gone, f"UNIT {unit.kind} {words['to']} {unit.power}"), context)


def _becomes(words: Words, context: LetterContext) -> Iterator[str]:
    unit = _unit(words["unit"], context)
    if unit is not None:
        gone = f"KILL {unit.kind} {unit.at.province} {unit.power}"
        yield from _written((gone, f"UNIT {words['kind']} {unit.at.province} {unit.power}"), context)


def _comes(words: Words, context: LetterContext) -> Iterator[str]:
    power, kind = EditNames(context.variant, context.position).parted(
        f"{words['unit']} {words.get('kind', '')}".split()
    )
    places = [place.strip() for place in BETWEEN_PLACES.split(words["to"]) if place.strip()]
    yield from _written([f"UNIT {' '.join(kind)} {place} {power}" for place in places], context)


def _goes(words: Words, context: LetterContext) -> Iterator[str]:
    unit = _unit(words["unit"], context)
    if unit is not None:
        yield from _written((f"KILL {unit.kind} {unit.at.province} {unit.power}",), context)


def _owned(words: Words, context: LetterContext) -> Iterator[str]:
    places = [place.strip() for place in BETWEEN_PLACES.split(words["place"]) if place.strip()]
    yield from _written([f"OWN {place} {words['power']}" for place in places], context)


READERS: Mapping[str, Callable[[Words, LetterContext], Iterator[str]]] = {
    "comes": _comes,
    MOVES: _moves,
    "becomes": _becomes,
    "goes": _goes,
    "owned": _owned,
}
