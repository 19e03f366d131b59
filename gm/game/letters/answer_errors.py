"""What an answer says was not understood: the writer's lines with marks, and a sentence for each error."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from functools import partial

from msgspec.structs import replace

from gm.game.letters.question import shown_words
from gm.game.model.letter_report import LetterReport, SheetReport
from gm.game.model.recipient import Recipient
from gm.game.views.help import help_fields
from gm.game.views.mechanics import moving_borders
from gm.game.views.orders import sheet as sheet_views
from gm.game.views.turns.turn_events import sorted_units
from gm.judge.model.position import Position
from gm.judge.model.sheets import Problem, ProblemEffect
from gm.language.commands.in_words import plain_questions
from gm.language.i18n.normalize import clean
from gm.language.lines.letter_contents import LineError
from gm.language.lines.trouble_keys import ALTERNATIVE, NAMED_IN_PASSING, NOT_TAKEN, PROPOSED, WHICH_TAKEN_BACK
from gm.language.rendering import error_sentences, plain_text
from gm.language.rendering.views import LineErrorView, QuotedLineView, RowView

LINES_SHOWN = 200
"""Characters of a line with an error that are shown, if the error itself is not longer."""
MARKED_SHOWN = 800
"""The same of a long error: what it names must not go unmentioned."""
MOST_BEFORE = 100
"""Of these before the error, with the rest of the word that stands there."""
LONGEST_BEFORE = 150
"""Of these before the error, with the rest of a long word."""
SENTENCE_END = re.compile(r"[.!?;]\s+")
DOTS = "…"
TOGETHER = frozenset({NAMED_IN_PASSING, NOT_TAKEN, PROPOSED})
"""Keys of errors whose sentence is the same for all words, so that those without suggestions are one part."""


def line_errors(
    reader: Recipient, position: Position | None, report: LetterReport, subject: str
) -> tuple[LineErrorView, ...]:
    """Line errors, lines not obeyed first, then problems of the sheets, numbered together."""
    lines = report.proposals.lines if report.proposals is not None else ()
    proposed = {called for power, line in lines for called in (line, f"{power}: {line}")}
    proposed |= set("\n".join(report.proposals.requests).splitlines()) if report.proposals is not None else set()
    troubles = (trouble for trouble in report.troubles if not (report.came_from and _is_about_addresses(trouble)))
    with_own = map(partial(_with_own_unit, reader, position), map(partial(_of_sheet, reader, position), troubles))
    ordered = sorted(
        map(_without_choice, map(partial(_without_proposals, proposed), with_own)),
        key=lambda error: (error.obeyed, error.line),
    )
    errors = [
        _error(reader, position, number, alike, subject, *help_fields.suggest_forms(reader, position, alike[0]))
        for number, alike in enumerate(_alike(ordered), 1)
    ]
    known = {quote.text.strip().lower() for error in errors for quote in error.quotes}
    for sheet in report.sheets:
        for problem in shown_problems(reader, sheet):
            error = sheet_views.problem_view(reader, len(errors) + 1, problem, sheet.rejected)
            if problem.together or not {quote.text.lower() for quote in error.quotes} & known:
                errors.append(error)
    return tuple(errors)


def unanswered(reader: Recipient, report: LetterReport) -> str:
    """The sentences that nothing in the answer is about, in one; "" where errors are about them, or there are none."""
    quoted = [_plain(trouble.marked or trouble.text) for trouble in report.troubles]
    left = [words for words in report.unanswered if not any(_plain(words) in text for text in quoted)]
    if not left:
        return ""
    key = "answer.unanswered" if any(words.endswith("?") for words in left) else "answer.not-followed"
    key = "answer.unanswered-master" if reader.power is None and not reader.observes else key
    return reader.say(key, words=shown_words(" ".join(left)))


def _is_about_addresses(trouble: LineError) -> bool:
    """A hint at ALSO, which the answer to a letter from another address names anyhow."""
    return trouble.key == plain_questions.KEY and dict(trouble.fields).get("commands", "").split()[:1] == ["also"]


def _plain(words: str) -> str:
    return " ".join(clean(words).text.lower().split())


def _alike(errors: Sequence[LineError]) -> list[tuple[LineError, ...]]:
    """Each error by itself, but those of which the same is said together, names in passing last."""
    alike: dict[tuple[str, int], list[LineError]] = {}
    for number, error in enumerate(errors, 1):
        joins = error.key in TOGETHER and not error.suggestions
        alike.setdefault((error.key, 0 if joins else number), []).append(error)
    return [tuple(group) for (key, _), group in sorted(alike.items(), key=lambda item: item[0][0] == NAMED_IN_PASSING)]


def _without_proposals(proposed: Collection[str], trouble: LineError) -> LineError:
    """Proposals stand below all lines, once."""
    only = trouble.suggestions[0].split("\n") if len(trouble.suggestions) == 1 else [""]
    if not set(only) <= set(proposed):
        return trouble
    return replace(trouble, suggestions=(), key=PROPOSED if trouble.key == NOT_TAKEN else trouble.key)


def _of_sheet(reader: Recipient, position: Position | None, trouble: LineError) -> LineError:
    """With the key of a sentence that only this kind of sheet has: `conditional-moving_borders`."""
    key = f"{trouble.key}-{reader.variant.step(position).grammar}" if position is not None else ""
    return replace(trouble, key=key) if f"trouble.{key}" in reader.catalogue else trouble


def _with_own_unit(reader: Recipient, position: Position | None, trouble: LineError) -> LineError:
    """Where no order is named to take back, the example names a unit of the reader's."""
    units = sorted_units(position.units_of(reader.power or "")) if position is not None else ()
    if trouble.key != WHICH_TAKEN_BACK or not units:
        return trouble
    return replace(trouble, fields=(*trouble.fields, ("own", str(units[0]))))


def _without_choice(trouble: LineError) -> LineError:
    """Possibilities of which none can be listed are no choice."""
    return replace(trouble, key=NOT_TAKEN) if trouble.key == ALTERNATIVE and not trouble.suggestions else trouble


def _error(
    reader: Recipient,
    position: Position | None,
    number: int,
    alike: Sequence[LineError],
    subject: str,
    first: LineError,
    forms: tuple[str, ...],
) -> LineErrorView:
    """A view of errors that say the same, as the `first` says it; `forms` are requests that the line may mean."""
    lines = (*first.suggestions, *forms)
    seas = moving_borders.coasts_meant(reader, position, lines) if len(lines) > 1 else ""
    return LineErrorView(
        number=number,
        title=reader.choose("fault", first.key),
        quotes=_quotes(alike),
        sentence=f"{error_sentences.sentence(reader.catalogue, first)} {seas}".strip(),
        suggestions=tuple(RowView(line) for text in lines for line in text.split("\n")),
        choices=tuple(reader.button(line.partition("\n")[0], subject, line) for line in lines),
    )


def _quotes(errors: Sequence[LineError]) -> tuple[QuotedLineView, ...]:
    """The lines with errors, each once with all its marks."""
    marks: dict[tuple[int, str], list[tuple[int, int]]] = {}
    for error in errors:
        shown, start, end = _window(plain_text.visible(error.text), error.start, error.end)
        marks.setdefault((error.line, shown), []).append((start, end))
    return tuple(QuotedLineView(shown, tuple(_apart(spans))) for (_, shown), spans in marks.items())


def _apart(spans: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """In order, without the columns that an earlier one marks."""
    past = 0
    for start, end in sorted(spans):
        if end > past:
            yield max(start, past), end
            past = end


def _window(text: str, start: int, end: int) -> tuple[str, int, int]:
    """Cut a long line to the sentences around the error, with dots where words are left out; returns text, start and
    end.
    """
    if len(text) <= LINES_SHOWN:
        return text, start, end
    first = max((match.end() for match in SENTENCE_END.finditer(text, 0, start)), default=0)
    if start - first > MOST_BEFORE:
        first = max(text.rfind(" ", first, start - MOST_BEFORE) + 1, start - LONGEST_BEFORE)
    behind = SENTENCE_END.search(text, max(end - 1, 0))
    past = behind.end() if behind else len(text)
    most = min(max(LINES_SHOWN, end - first), MARKED_SHOWN)
    if past - first > most:
        past = max(text.rfind(" ", 0, first + most + 1), start + 1)
    before = f"{DOTS} " if first else ""
    cut = before + text[first:past].rstrip() + (f" {DOTS}" if past < len(text) else "")
    at = len(before) - first
    return cut, start + at, min(end + at, len(cut))


def shown_problems(reader: Recipient, report: SheetReport) -> tuple[Problem, ...]:
    """The problems of a sheet; players do not see those of lines that a game master forced."""
    if reader.power is None or report.after is None:
        return report.problems
    forced = {line.slot for line in report.after.lines if line.forced}
    return tuple(
        problem
        for problem in report.problems
        if problem.statement is None or problem.effect is ProblemEffect.SEAL or problem.statement.slot not in forced
    )
