"""What a game master's answer shows of turns that were not taken, and of the difference that an act of his made."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from gm.game.model.former_part import Former
from gm.game.model.letter_report import Insert
from gm.game.model.recipient import Reader
from gm.game.views import history as annals
from gm.game.views import preview as corrections
from gm.game.views.turn_events import Scene, leg_sections
from gm.judge.model.position import Position
from gm.language.formats import stored_values as codec
from gm.language.rendering.views import Para, Row, Rows, Section

Sections = tuple[Section, ...]


def _preview(reader: Reader, position: Position | None, insert: Insert) -> Sections:
    """Orders with their outcomes, and the position after them."""
    if insert.turn is None:
        return ()
    scene = Scene.of(reader, insert.turn)
    found: list[Section] = []
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
    return (*found, Section(title, (Para(ahead), *board.blocks)))


def _difference(reader: Reader, position: Position | None, insert: Insert) -> Sections:
    """What an act has made different."""
    if insert.former is None or position is None:
        return ()
    return corrections.sections(reader, insert.former, Former(position, reader.game.due_at))


def _edits(reader: Reader, position: Position | None, insert: Insert) -> Sections:
    """The lines of a SETUP as they were read, and what they would make different (`turn` None: they cannot)."""
    rows = tuple(Row(line) for line in insert.topic.split("\n") if line)
    read = (Section(reader.say("edit.lines"), (Rows(rows),)),) if rows else ()
    if insert.former is None or insert.turn is None:
        return read
    would = codec.position_from_text(insert.turn.position, reader.variant)
    different = corrections.sections(reader, insert.former, Former(would, insert.former.due))
    return (*read, *(replace(one, title=reader.say("edit.would")) for one in different))


SHOWN: Mapping[str, Callable[[Reader, Position | None, Insert], Sections]] = {
    "preview": _preview,
    "difference": _difference,
    "edits": _edits,
}
