"""What a game master's answer shows of turns that were not taken, and of the difference that an act of his made."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from gm.game.model.former_part import StateBefore
from gm.game.model.letter_report import AnswerInsert
from gm.game.model.recipient import Recipient
from gm.game.views import history as annals
from gm.game.views import preview as corrections
from gm.game.views.turn_events import TurnView, leg_sections
from gm.judge.model.position import Position
from gm.language.formats import stored_values as codec
from gm.language.rendering.views import ParagraphView, RowsView, RowView, SectionView

Sections = tuple[SectionView, ...]


def _preview(reader: Recipient, position: Position | None, insert: AnswerInsert) -> Sections:
    """Orders with their outcomes, and the position after them."""
    if insert.turn is None:
        return ()
    scene = TurnView.of(reader, insert.turn)
    found: list[SectionView] = []
    for leg in scene.legs:
        told = annals.past(reader, leg)
        found += told if not leg.phase else (*told, *leg_sections(scene, leg))
    after, snapshot = scene.after, insert.turn
    if after.ended is not None:
        ahead = reader.say("preview.over", winners=reader.every(after.ended.winners) or reader.say("corrected.none"))
    else:
        ahead = reader.say("preview.next", phase=reader.phase_words("phase.said", snapshot.phase))
    title = reader.say("preview.after")
    board = annals.standing(reader, after)
    return (*found, SectionView(title, (ParagraphView(ahead), *board.blocks)))


def _difference(reader: Recipient, position: Position | None, insert: AnswerInsert) -> Sections:
    """What an act has made different."""
    if insert.former is None or position is None:
        return ()
    return corrections.sections(reader, insert.former, StateBefore(position, reader.game.due_at))


def _edits(reader: Recipient, position: Position | None, insert: AnswerInsert) -> Sections:
    """The lines of a SETUP as they were read, and what they would make different (`turn` None: they cannot)."""
    rows = tuple(RowView(line) for line in insert.topic.split("\n") if line)
    read = (SectionView(reader.say("edit.lines"), (RowsView(rows),)),) if rows else ()
    if insert.former is None or insert.turn is None:
        return read
    would = codec.position_from_text(insert.turn.position, reader.variant)
    different = corrections.sections(reader, insert.former, StateBefore(would, insert.former.due))
    return (*read, *(replace(one, title=reader.say("edit.would")) for one in different))


SHOWN: Mapping[str, Callable[[Recipient, Position | None, AnswerInsert], Sections]] = {
    "preview": _preview,
    "difference": _difference,
    "edits": _edits,
}
