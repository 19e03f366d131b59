"""A game that has not begun, as it will be, with the line that changes each thing. For its game masters."""

from __future__ import annotations

from gm.game.model.choose_setting import shown_settings
from gm.game.model.recipient import Recipient
from gm.game.model.records import GameState
from gm.judge.model.position import Position
from gm.language.dates.dates import format_date_and_span
from gm.language.rendering.views import ParagraphView, RowsView, RowView, SectionView

KEYS = ("zone", "moves", "retreats", "builds", "press", "anonymous", "language", "joining", "nmr", "start", "about")
"""The settings that are shown; SETTINGS shows all."""


def sections(reader: Recipient, position: Position | None, topic: str) -> tuple[SectionView, ...]:
    """() once the game has begun, and for anybody but a game master."""
    if reader.power is not None or reader.game.state is not GameState.FORMING:
        return ()
    variant = reader.variant
    title = reader.say("forming-game.variant", title=variant.title, n=len(variant.powers))
    views = {view.key: view for view in shown_settings(reader)}
    rows = [RowView(f"SET variant {variant.id}", title)]
    rows += [RowView(f"SET {key} {views[key].value}", views[key].meaning) for key in KEYS if key in views]
    rows.append(RowView("TERMINATE", reader.say("forming-game.terminate")))
    due = reader.settings.due(variant.phase_name(variant.start), reader.now)
    first = reader.say("forming-game.no-deadline")
    if due:
        when = format_date_and_span(due, reader.settings.zone, reader.now, reader.catalogue)
        first = reader.say("forming-game.first", when=when)
    blocks = (ParagraphView(reader.say("forming-game.how")), RowsView(tuple(rows)), ParagraphView(first))
    return (SectionView(reader.say("forming-game.title"), blocks),)
