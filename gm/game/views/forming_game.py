"""A game that has not begun, with the line that changes each thing, and who was invited. For its game masters."""

from __future__ import annotations

import json

from gm.game.model.choose_setting import shown_settings
from gm.game.model.recipient import Recipient
from gm.game.model.records import INVITE, QUESTION_VALID_FOR, GameState, Question
from gm.judge.model.position import Position
from gm.language.dates.dates import format_date_and_span
from gm.language.rendering import plain_text
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


# ---- INVITED


def invitation_sections(reader: Recipient, position: Position | None, topic: str) -> tuple[SectionView, ...]:
    """INVITED: every invitation with its state, the newest of each address and power; () for anybody else."""
    if reader.power is not None:
        return ()
    asked = reader.store.turns.questions_of(reader.game.id, INVITE)
    newest = {(_about(question)["address"], _about(question)["power"]): question for question in asked}
    rows = tuple(_row(reader, question) for question in newest.values())
    blocks = (RowsView(rows),) if rows else (ParagraphView(reader.say("invited.nobody")),)
    return (SectionView(reader.say("invited.title"), blocks),)


def _about(question: Question) -> dict[str, str]:
    return dict(json.loads(question.payload))


def _row(reader: Recipient, question: Question) -> RowView:
    about = _about(question)
    name = plain_text.header(about.get("name", ""), 60)
    who = f"{name} <{about['address']}>" if name else about["address"]
    offered = reader.say("invited.power", power=about["power"]) if about["power"] else ""
    return RowView(who, " ".join(filter(None, (reader.say(f"invited.{_state(reader, question)}"), offered))))


def _state(reader: Recipient, question: Question) -> str:
    person = reader.store.people.by_address(_about(question)["address"])
    if question.answered:
        seats = reader.store.games.seats(reader.game.id)
        listed = {entry.person for entry in reader.store.games.applicants(reader.game.id)}
        here = listed | {seat.person for seat in seats if seat.person is not None}
        return "accepted" if person is not None and person.id in here else "answered"
    return "waits" if reader.now - question.at <= QUESTION_VALID_FOR else "lapsed"
