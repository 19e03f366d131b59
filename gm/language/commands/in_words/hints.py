"""Hints in an answer at the commands that a line of words may mean, and those that other lines make needless."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from gm.language.commands.in_words.plain_questions import (
    BESIDE,
    CLOCK,
    HINTS,
    MOST_HINTS,
    MOST_WHOLE,
    read_questions,
    rows_by_name,
)
from gm.language.commands.table import rows_of
from gm.language.i18n.normalize import clean
from gm.language.lines.letter_contents import LetterContext, LineError, RequestLine
from gm.language.lines.trouble_keys import ASK_FOR_NOTHING


def with_hints(troubles: Sequence[LineError], context: LetterContext) -> list[LineError]:
    """With the command in place of "named in passing", where such a sentence stands for one: "I want to drop out"."""
    return [_hint_for(trouble, context) or trouble for trouble in troubles]


def _hint_for(trouble: LineError, context: LetterContext) -> LineError | None:
    if trouble.key not in ASK_FOR_NOTHING or trouble.suggestions:
        return None
    words = trouble.marked or trouble.text
    hint = next((question for question in read_questions(words, context, trouble.text) if question.commands), None)
    if hint is None:
        return None
    return replace(trouble, key=hint.key, fields=hint.fields, suggestions=hint.suggestions, obeyed=True)


def without_needless_hints(troubles: Sequence[LineError], requests: Sequence[RequestLine]) -> list[LineError]:
    """Drops hints at commands that the letter has as well, repeated hints, and those beyond `MOST`."""
    if not any(trouble.key in HINTS for trouble in troubles):
        return list(troubles)
    proposed = [trouble.text for trouble in troubles if trouble.key in HINTS and trouble.suggestions]
    troubles = [each for each in troubles if not (each.key == BESIDE and _is_proposed(each, proposed))]
    asked = {row.name for request in requests for row in rows_of(request.request)}
    known = rows_by_name()
    kept: list[LineError] = []
    hinted: set[tuple[str, ...]] = set()
    for trouble in troubles:
        first = dict(trouble.fields).get("commands", "").partition(" ")[0]
        row = known.get(first) if trouble.key in HINTS else None
        if row is None:
            kept.append(trouble)
            continue
        about = trouble.marked if dict(trouble.fields).get("power") else ""
        whole = ("clock",) if row.request in CLOCK and trouble.suggestions else (row.name, *trouble.suggestions)
        hint = (*whole, about)
        if (
            row.name not in asked
            and not any(_is_part(trouble, shown) for shown in kept)
            and hint not in hinted
            and len(hinted) < (MOST_WHOLE if trouble.suggestions else MOST_HINTS)
        ):
            hinted.add(hint)
            kept.append(trouble)
    return kept


def _is_part(trouble: LineError, shown: LineError) -> bool:
    """Whether a hint at the same commands is shown already, for a whole sentence with these words in it."""
    alike = shown.key == trouble.key and shown.suggestions == trouble.suggestions and shown.line == trouble.line
    commands = dict(shown.fields).get("commands") == dict(trouble.fields).get("commands")
    return alike and commands and bool(trouble.marked.strip()) and trouble.marked.strip() in shown.text


def _is_proposed(trouble: LineError, proposed: Sequence[str]) -> bool:
    return any(clean(dict(trouble.fields).get("word", "")).text in clean(text).text for text in proposed)
