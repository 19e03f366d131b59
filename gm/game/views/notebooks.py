"""Notebook entries: a player's own, and everybody's after a game with open diaries."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gm.game.model.observer_records import NotebookEntry
from gm.game.model.recipient import Recipient
from gm.game.model.records import GameState
from gm.judge.model.position import Position
from gm.language.rendering import plain_text
from gm.language.rendering.views import Block, ParagraphView, QuotedWordsView, SectionView


def own_notebook(reader: Recipient, position: Position | None, topic: str) -> tuple[SectionView, ...]:
    mine = (reader.seat.id, reader.person.id)
    entries = [entry for entry in reader.store.observers.notebook(reader.game.id) if (entry.seat, entry.person) == mine]
    blocks = tuple(_blocks(reader, entries)) or (ParagraphView(reader.say("diary.empty")),)
    return (SectionView(reader.say("diary.title"), blocks, aside=reader.say("diary.secret")),)


def opened_notebooks(reader: Recipient, position: Position | None, topic: str) -> tuple[SectionView, ...]:
    """The opened notebooks of all powers; () while the game runs or without the setting `diaries`."""
    if reader.game.state is not GameState.ENDED or not reader.settings.diaries:
        return ()
    entries = [entry for entry in reader.store.observers.notebook(reader.game.id) if entry.opens and entry.words]
    if not entries:
        return (SectionView(reader.say("diary.all"), (ParagraphView(reader.say("diary.none-opened")),)),)
    return sections_by_power(reader, entries)


def sections_by_power(reader: Recipient, entries: Sequence[NotebookEntry]) -> tuple[SectionView, ...]:
    powers = sorted({entry.power for entry in entries})
    return tuple(
        SectionView(
            reader.say("diary.of", power=power),
            tuple(_blocks(reader, [entry for entry in entries if entry.power == power])),
        )
        for power in powers
    )


def _blocks(reader: Recipient, entries: Iterable[NotebookEntry]) -> Iterable[Block]:
    for entry in entries:
        if entry.words:
            fields = {"number": entry.number, "phase": entry.phase or "-", "when": reader.hour(entry.at)}
            yield ParagraphView(reader.say("diary.entry", **fields))
            yield QuotedWordsView(plain_text.printable(entry.words))
