"""Points are known to their payer and the game master, for ever: shown by games that differ in one player's points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace
from support import scripted_players as player
from support.twin_games import GAME, Twins

from gm.game.clock import announcements
from gm.game.model.ports import Store
from gm.game.model.public_events import PublicEventKind
from gm.game.model.records import Snapshot
from gm.game.model.reply_addresses import ReplyAddresses
from gm.game.model.services import Services
from gm.game.views.public import game_news
from gm.game.views.public.game_list import ListedGame
from gm.game.views.public.public_past import PublicPast
from gm.game.views.turns import turn_events
from gm.judge.model.events import visible
from gm.judge.model.orders import Allocate, Entry, Hold, Statement, WholeSetStatement
from gm.judge.model.position import Position
from gm.judge.model.sheets import Submissions
from gm.judge.model.variant import Variant
from gm.judge.movement.movement_step import MovementStep
from gm.variant_files.library import Library

SEEDS = 10
TURNS = 21
"""Movement phases for each seed: more than 200 in all."""
LONGEST = 7
"""Movement phases of one game."""
TRIES = 4


@pytest.fixture(scope="module")
def locarno(library: Library) -> Variant:
    return library.variant("locarno")


def other_points(
    variant: Variant, position: Position, book: Submissions, power: str, dice: Random
) -> Sequence[Statement] | None:
    """Another way to spend, or not to spend, that gives everybody else's eyes the same turn."""
    step = variant.step(position)
    assert isinstance(step, MovementStep)
    own = tuple(entry.statement for entry in book.entries(power))
    orders = tuple(statement for statement in own if not isinstance(statement, WholeSetStatement))
    wanted = public(variant, position, book)
    for points in _candidates(variant, position, book, own, power, dice):
        lines = (*orders, *points)
        if set(lines) != set(own) and public(variant, position, _with(book, power, lines)) == wanted:
            return lines
    return None


def _candidates(
    variant: Variant, position: Position, book: Submissions, own: tuple[Statement, ...], power: str, dice: Random
) -> Iterator[tuple[Statement, ...]]:
    """Others drawn by lot; fewer of the same; and holds bought from units that nobody else orders."""
    for _ in range(TRIES):
        drawn = player.orders(variant, position, dice).entries(power)
        yield tuple(entry.statement for entry in drawn if isinstance(entry.statement, WholeSetStatement))
    mine = [statement for statement in own if isinstance(statement, Allocate)]
    courted = {e.statement.minor for sheet in book.sheets.values() for e in sheet if isinstance(e.statement, Allocate)}
    idle = [unit for minor in variant.minors if minor.name not in courted for unit in position.units_of(minor.name)]
    for less in range(len(mine) + 1):
        kept = dice.sample(mine, len(mine) - less)
        for purse in variant.step(position).budgets(position, variant, power):
            left = purse.amount - sum(allocation.points for allocation in kept)
            for unit in dice.sample(idle, min(len(idle), 1)) if left > 0 else ():
                yield (*kept, Allocate(left, unit.power, Hold(player.ref(unit))))
        yield tuple(kept)


def _with(book: Submissions, power: str, lines: Sequence[Statement]) -> Submissions:
    return replace(book, sheets={**book.sheets, (power, power): tuple(Entry(line) for line in lines)})


def public(variant: Variant, position: Position, book: Submissions) -> object:
    turn = variant.step(position).resolve(position, variant, book)
    return turn.position.units, visible(turn.events, None)


@pytest.mark.parametrize("seed", range(SEEDS))
def test_nobody_else_s_letters_show_anybody_s_points(services: Services, locarno: Variant, seed: int) -> None:
    turns = differing = game = 0
    while turns < TURNS:
        twins = Twins(services, seed + 1000 * game, locarno)
        twins.play(min(LONGEST, TURNS - turns), other_points)
        assert twins.leaks() == []
        turns, differing, game = turns + twins.turns, differing + twins.differing, game + 1
    assert differing >= turns // 2, "the two runs hardly differ"


# ---- and the test itself finds what leaks


def a_short_game(services: Services, variant: Variant) -> list[str]:
    twins = Twins(services, 3, variant)
    twins.play(3, other_points)
    assert twins.differing
    return twins.leaks()


def test_the_program_as_it_is_leaks_nothing(services: Services, locarno: Variant) -> None:
    assert a_short_game(services, locarno) == []


def test_events_for_the_game_master_in_everybody_s_letter_are_found(
    services: Services, locarno: Variant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turn_events, "visible", lambda events, power: tuple(events))
    assert any("results" in leak for leak in a_short_game(services, locarno))


def test_ids_that_count_letters_are_found(
    services: Services, locarno: Variant, monkeypatch: pytest.MonkeyPatch
) -> None:
    def counted(self: ReplyAddresses, cause: str, kind: str, address: str) -> str:
        return f"{cause.replace(':', '.').replace(' ', '')}.{kind}.{address.partition('@')[0]}@{self.domain}"

    monkeypatch.setattr(ReplyAddresses, "message_id", counted)
    assert a_short_game(services, locarno)


def test_a_leak_in_the_letters_of_others_is_detected(
    services: Services, locarno: Variant, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A section whose title counts what stands on all sheets."""
    from gm.game.views.mechanics import diplomacy_points as points

    honest = points.budget_sections

    def leaky(reader, position):  # type: ignore[no-untyped-def]
        sheets = reader.store.turns.sheets(reader.game.id, reader.game.snapshot)
        before = [sheet for snapshot in reader.store.turns.snapshots(reader.game.id)
                  for sheet in reader.store.turns.sheets(reader.game.id, snapshot.id)]  # fmt: skip
        lines = sum(len(line.text) for sheet in (*sheets, *before) for line in sheet.lines)
        sections = honest(reader, position)
        return tuple(replace(section, title=f"{section.title} {lines}") for section in sections)

    monkeypatch.setattr(points, "budget_sections", leaky)
    assert a_short_game(services, locarno)


def test_events_that_count_what_stands_on_sheets_are_found(
    services: Services, locarno: Variant, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the webhook, the feeds and the JSON."""
    honest = announcements.event_words
    document = game_news.game_document

    def written(store: Store, game: int) -> int:
        sheets = (sheet for each in store.turns.snapshots(game) for sheet in store.turns.sheets(game, each.id))
        return sum(len(line.text) for sheet in sheets for line in sheet.lines)

    def leaky(listed: ListedGame, kind: PublicEventKind, snapshot: Snapshot | None) -> tuple[str, str]:
        title, text = honest(listed, kind, snapshot)
        return title, f"{text} {written(listed.reader.store, listed.game.id)}"

    def leaky_document(listed: ListedGame, past: PublicPast) -> dict[str, Any]:
        return document(listed, past) | {"written": written(listed.reader.store, listed.game.id)}

    monkeypatch.setattr(announcements, "event_words", leaky)
    monkeypatch.setattr(game_news, "game_document", leaky_document)
    leaks = a_short_game(services, locarno)
    assert any(leak.startswith("the webhook:") for leak in leaks)
    assert {f"the public site: games/{GAME}.{ending}" for ending in ("json", "xml")} <= set(leaks)
