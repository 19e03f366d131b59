"""The lines of a letter, each with what became of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from gm.game.model.letter_report import Note
from gm.language.i18n.catalogue import Catalogue
from gm.language.lines.letter_contents import LineError
from gm.language.rendering import error_sentences, plain_text
from gm.language.rendering.views import RowView

LINE_MOST = 120


def outcome_rows(lines: Mapping[int, str], notes: Iterable[Note], render: Callable[[Note], str]) -> tuple[RowView, ...]:
    """One row for each line with notes, in the order of the letter; what was refused is marked."""
    outcomes: dict[int, list[Note]] = {}
    for note in notes:
        if note.line in lines:
            outcomes.setdefault(note.line, []).append(note)
    return tuple(
        RowView(
            plain_text.header(lines[line], LINE_MOST),
            " ".join(dict.fromkeys(map(render, written))),
            "" if all(note.done for note in written) else "bad",
        )
        for line, written in sorted(outcomes.items())
    )


def error_rows(errors: Iterable[LineError], catalogue: Catalogue) -> tuple[RowView, ...]:
    """The lines that were not understood, and why."""
    return tuple(
        RowView(plain_text.header(error.text, LINE_MOST), error_sentences.sentence(catalogue, error), "bad")
        for error in errors
        if not error.obeyed
    )
