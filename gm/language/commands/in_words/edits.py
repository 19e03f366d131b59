"""Reads a game master's sentences about the position as lines of SETUP: "Put the Turkish fleet in Smyrna".

The table `[edits]` of grammars/plain_questions/<language>.toml has the sentences, as regular expressions with groups:

    moves      `unit` stands at `to` from now on; `at`: where it is now, if the sentence says that
    becomes    `unit` is of `kind`
    comes      a new `unit` (whose, and its kind) at `to`, or one at each of several
    goes       `unit` is removed
    owned      `place` belongs to `power`
    more       behind another sentence: the same of another `unit` or `place`, "and Edinburgh to the Norwegian Sea"
    there      words for the place that was named last
    same       words for a unit like the one before
    too        words at the end of such a clause that say nothing more
    several    `units`, in the plural, and how one of them is called
    small      words to be left out of units and places

A clause behind a sentence needs no verb of its own: "put a Turkish fleet in Smyrna and an Italian army in Rome".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from gm.judge.gm_changes.dislodge_edits import TakeUnit
from gm.judge.gm_changes.position_edits import Edit
from gm.judge.model.position import Unit
from gm.language.commands.blocks.position_edits import EditNames, EditTrouble, read_edit, written
from gm.language.commands.in_words.left_out import beside_spans
from gm.language.commands.in_words.plain_questions import LINE_MOST, tables_of
from gm.language.i18n.joining_words import AND, AND_ALSO, PLEASE
from gm.language.i18n.normalize import clean
from gm.language.lines.letter_contents import LetterContext

Words = Mapping[str, str]
BETWEEN_PLACES = re.compile(rf",\s*(?:{AND})\s+|,|\s(?:{AND})\s", re.IGNORECASE)
"""Between places that belong to the same power."""
BETWEEN_CLAUSES = re.compile(rf"\s*,\s*(?:(?:{AND_ALSO})\s+)?|\s+(?:{AND_ALSO})\s+", re.IGNORECASE)
END_OF_CLAUSE = re.compile(rf"[.;!?](?=\s|$)|,|\s+(?:{AND_ALSO})\s|\s+(?:{PLEASE})(?=[.!]*\s*$)|\s*$", re.IGNORECASE)


SHARED = {"comes": ("to",), "becomes": ("unit",)}
"""What may be all that a clause behind a sentence says anew, by kind of sentence."""


class EditsInWords(NamedTuple):
    """Lines of SETUP; `left`: the words that they leave out."""

    lines: tuple[str, ...] = ()
    left: str = ""


class _Sentence(NamedTuple):
    """A sentence of `kind` between two columns of the line. `verb`: what stands before its groups."""

    start: int
    end: int
    kind: str
    words: Words
    verb: str = ""


class _Table(NamedTuple):
    """`[edits]` of a language: (what a sentence says, its pattern) of whole sentences and of clauses behind one."""

    sentences: tuple[tuple[str, re.Pattern[str]], ...]
    more: tuple[tuple[str, re.Pattern[str]], ...]
    there: re.Pattern[str]
    same: re.Pattern[str]
    too: re.Pattern[str]
    small: re.Pattern[str]
    several: Mapping[str, str]

    def groups(self, match: re.Match[str]) -> Words:
        return {name: self.bare(value or "") for name, value in match.groupdict().items()}

    def bare(self, text: str) -> str:
        """Without small words, and without plurals."""
        return " ".join(self.several.get(word.lower(), word) for word in self.small.sub(" ", text).split())


def edits_in_words(text: str, context: LetterContext) -> EditsInWords:
    """Lines of SETUP; none where one of the sentences is not clear."""
    cleaned = clean(text[:LINE_MOST])
    lines: list[str] = []
    sentences = _sentences(cleaned.text, context)
    there = [table.there for table in _tables(context.variant.language)]
    for _, _, kind, words, _ in sentences:
        if lines and any(pattern.fullmatch(words.get("to", "").lower()) for pattern in there):
            words = {**words, "to": lines[-1].split()[2]}  # "remove Tri and give Italy a fleet there"
        made = tuple(READERS[kind](words, context))
        if not made:
            return EditsInWords()
        lines += made
    spans = [(cleaned.column(each.start), cleaned.column(each.end)) for each in sentences]
    return EditsInWords(tuple(lines), beside_spans(text, spans) if lines else "")


@lru_cache(maxsize=8)
def _tables(language: str) -> tuple[_Table, ...]:
    return tuple(
        _Table(
            tuple((kind, _pattern(sentence)) for kind in READERS for sentence in table.get(kind, ())),
            tuple((kind, _pattern(clause)) for kind in READERS for clause in table["more"].get(kind, ())),
            _pattern(table["there"]),
            _pattern(table["same"]),
            _pattern(rf"(?:{table['too']})+$"),
            _pattern(rf"\b(?:{table['small']})\b"),
            table["several"],
        )
        for table in tables_of("edits", language)
    )


def _pattern(words: str) -> re.Pattern[str]:
    return re.compile(words, re.IGNORECASE)


def _sentences(line: str, context: LetterContext) -> list[_Sentence]:
    """What the sentences of the line say, in their order, each place of the line once."""
    known: list[_Sentence] = []
    tables = _tables(context.variant.language)
    for table in tables:
        for kind, pattern in table.sentences:
            for match in pattern.finditer(line):
                if _is_free(match.start(), match.end(), known):
                    verb = line[match.start() : min(match.start(name) for name in match.groupdict() if match[name])]
                    known.append(_Sentence(match.start(), match.end(), kind, table.groups(match), verb))
    for table in tables:
        for sentence in tuple(known):
            known += _more(line, sentence, known, table, context)
    return sorted(known)


def _is_free(start: int, end: int, known: Sequence[_Sentence]) -> bool:
    return not any(sentence.start < end and start < sentence.end for sentence in known)


def _more(
    line: str, sentence: _Sentence, known: Sequence[_Sentence], table: _Table, context: LetterContext
) -> Iterator[_Sentence]:
    """The clauses behind a sentence that say the same of another unit or place."""
    while (gap := BETWEEN_CLAUSES.match(line, sentence.end)) is not None:
        close = END_OF_CLAUSE.search(line, gap.end())
        end = close.start() if close else len(line)
        words = _of_clause(table.too.sub("", line[gap.end() : end].strip()), sentence, table, context)
        if words is None or not _is_free(gap.end(), end, known):
            return
        sentence = sentence._replace(start=gap.end(), end=end, words=words)
        yield sentence


def _of_clause(clause: str, before: _Sentence, table: _Table, context: LetterContext) -> Words | None:
    """The words of a clause without a verb, if it says what the sentence before it says."""
    whole = f"{before.verb}{clause}"
    matches = (pattern.fullmatch(whole) for kind, pattern in table.sentences if kind == before.kind and before.verb)
    behind = (pattern.fullmatch(clause) for kind, pattern in table.more if kind == before.kind)
    words = [table.groups(match) for match in (*matches, *behind) if match is not None]
    words = [{**each, "unit": before.words["unit"]} if _is_same(each, table) else each for each in words]
    for name in SHARED.get(before.kind, ()):  # "an army in Rome and Naples"
        words.append({**before.words, name: table.bare(clause)})
    return next((each for each in words if any(READERS[before.kind](each, context))), None)


def _is_same(words: Words, table: _Table) -> bool:
    return "unit" in words and table.same.fullmatch(words["unit"]) is not None


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
    whole = _unit(words["unit"], context)
    named = (whole,) if whole is not None else [_unit(unit, context) for unit in BETWEEN_CLAUSES.split(words["unit"])]
    units = [unit for unit in named if unit is not None]
    if len(units) == len(named):
        yield from _written([f"KILL {unit.kind} {unit.at.province} {unit.power}" for unit in units], context)


def _owned(words: Words, context: LetterContext) -> Iterator[str]:
    places = [place.strip() for place in BETWEEN_PLACES.split(words["place"]) if place.strip()]
    yield from _written([f"OWN {place} {words['power']}" for place in places], context)


READERS: Mapping[str, Callable[[Words, LetterContext], Iterator[str]]] = {
    "comes": _comes,
    "moves": _moves,
    "becomes": _becomes,
    "goes": _goes,
    "owned": _owned,
}
