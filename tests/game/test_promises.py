"""Attempts to break the game master's promises at the desk: faults in the middle, copies, early and double ticks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from datetime import datetime, timedelta
from typing import Any

import pytest
from msgspec.structs import replace
from support.dialogue import DeskStage, Player, read
from support.paths import STARTED
from support.promises_model import DUE, say, sheet_lines, snapshots

from gm.errors import Unavailable
from gm.game.clock import clock
from gm.game.intake import inbox
from gm.game.model.ports import Store, Transaction
from gm.game.model.records import InboxRow, InboxState, Letter, OutLetter, Snapshot
from gm.game.turns import resolve


class Fault(Exception):
    pass


class BreakingOutbox:
    """An outbox that fails at the n-th letter queued, and remembers the ids of those before."""

    def __init__(self, outbox: Any, after: int, seen: list[str]) -> None:
        self._outbox, self._after, self._seen = outbox, after, seen

    def __getattr__(self, name: str) -> Any:
        return getattr(self._outbox, name)

    def add(self, letter: OutLetter, now: datetime) -> bool:
        if len(self._seen) >= self._after:
            raise Fault("the disk is full")
        self._seen.append(letter.message_id)
        return bool(self._outbox.add(letter, now))


class View:
    """A store's view with another outbox."""

    def __init__(self, store: Store, outbox: BreakingOutbox) -> None:
        self._store, self.outbox = store, outbox

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


def breaking(stage: DeskStage, after: int, seen: list[str]) -> Transaction:
    @contextmanager
    def transaction() -> Iterator[Any]:
        with stage.transaction() as store:
            yield View(store, BreakingOutbox(store.outbox, after, seen))

    return transaction


# ---- 1: a letter that was taken is never lost


def test_a_letter_that_raises_is_set_aside_whole_and_stops_no_other(player: Player, stage: DeskStage) -> None:
    player.may_shunt = True
    sound = stage.services

    def opened(row: InboxRow) -> Letter:
        if b"poison" in row.raw:
            raise RuntimeError("a header nobody thought of")
        return sound.open_letter(row)

    stage.services = replace(sound, open_letter=opened)
    say(player, "luc", "A Par - Bur\npoison", "Hold: yes\n")
    say(player, "tom", "A Mun - Ruh")
    with stage.transaction() as store:
        rows = [store.inbox.get(number) for number in (2, 3)]
    assert [row.state for row in rows] == [InboxState.SHUNTED, InboxState.DONE]
    assert "a header nobody thought of" in rows[0].error
    assert b"A Par - Bur" in rows[0].raw
    assert sheet_lines(stage, "Germany") == ("A Mun - Ruh",)
    (regret,) = player.boxes["luc@example.org"]
    assert "could not be read" in regret.text


def test_a_letter_that_kills_the_process_is_given_up_after_three_tries(player: Player, stage: DeskStage) -> None:
    player.may_shunt = True
    sound = stage.services

    def opened(row: InboxRow) -> Letter:
        if b"bomb" in row.raw:
            raise KeyboardInterrupt
        return sound.open_letter(row)

    deadly = replace(sound, open_letter=opened)
    say(player, "luc", "bomb", "Hold: yes\n")
    for _ in range(3):
        with pytest.raises(KeyboardInterrupt):
            inbox.read_some(deadly, stage.transaction, most=1)
        with stage.transaction() as store:
            assert store.inbox.get(2).state is InboxState.NEW
    stage.services = replace(sound, open_letter=sound.open_letter)
    with pytest.raises(KeyboardInterrupt):
        inbox.read_some(deadly, stage.transaction, most=1)  # the regret opens it once more
    with stage.transaction() as store:
        assert store.inbox.get(2).state is InboxState.SHUNTED
    say(player, "tom", "A Mun - Ruh")
    assert sheet_lines(stage, "Germany") == ("A Mun - Ruh",)


def test_letters_read_in_a_run_stand_or_fall_each_by_itself(player: Player, stage: DeskStage) -> None:
    sound = stage.services

    def opened(row: InboxRow) -> Letter:
        if b"bomb" in row.raw:
            raise KeyboardInterrupt
        return sound.open_letter(row)

    say(player, "luc", "A Par - Bur", "Hold: yes\n")
    say(player, "luc", "bomb", "Hold: yes\n")
    say(player, "tom", "A Mun - Ruh", "Hold: yes\n")
    with pytest.raises(KeyboardInterrupt):
        inbox.read_some(replace(sound, open_letter=opened), stage.transaction)
    assert sheet_lines(stage, "France") == ("A Par - Bur",)
    assert sheet_lines(stage, "Germany") == ()
    with stage.transaction() as store:
        rows = [store.inbox.get(number) for number in (2, 3, 4)]
    assert [row.state for row in rows] == [InboxState.DONE, InboxState.NEW, InboxState.NEW]
    assert [row.tries for row in rows] == [1, 1, 0]
    player.settle()
    assert sheet_lines(stage, "Germany") == ("A Mun - Ruh",)


def _read_while_the_store_fails(stage: DeskStage) -> None:
    """Read a letter; the second transaction, in which it would be handled, cannot be opened."""
    opens = 0

    @contextmanager
    def failing() -> Iterator[Store]:
        nonlocal opens
        opens += 1
        if opens == 2:
            raise Unavailable("the database went away")
        with stage.transaction() as store:
            yield store

    with pytest.raises(Unavailable):
        inbox.read_some(stage.services, failing, most=1)


def test_an_unavailable_store_shunts_nothing(player: Player, stage: DeskStage) -> None:
    say(player, "luc", "A Par - Bur", "Hold: yes\n")
    _read_while_the_store_fails(stage)
    player.settle()
    assert sheet_lines(stage, "France") == ("A Par - Bur",)
    assert len(player.boxes["luc@example.org"]) == 1


def test_a_failing_store_does_not_count_as_a_try_of_a_letter(player: Player, stage: DeskStage) -> None:
    say(player, "luc", "A Par - Bur", "Hold: yes\n")
    for _ in range(5):
        _read_while_the_store_fails(stage)
    player.settle()
    assert sheet_lines(stage, "France") == ("A Par - Bur",)


# ---- 2: orders are applied once or not at all, and echoed


def test_no_orders_without_their_answer(player: Player, stage: DeskStage) -> None:
    player.may_shunt = True
    say(player, "luc", "A Par - Bur", "Hold: yes\n")
    assert inbox.read_some(stage.services, breaking(stage, 0, []), most=1)
    assert sheet_lines(stage, "France") == ()
    with stage.transaction() as store:
        assert store.inbox.get(2).state is InboxState.SHUNTED
        assert "the disk is full" in store.inbox.get(2).error


def test_a_letter_that_comes_three_times_counts_once(player: Player, stage: DeskStage) -> None:
    say(player, "luc", "A Par - Bur\nPRESS TO Germany\nonce\nENDPRESS", "Copies: 3\n")
    assert len(player.boxes["luc@example.org"]) == 1
    assert len(player.boxes["tom@example.org"]) == 1


def test_press_that_comes_by_two_ways_goes_out_once(player: Player, stage: DeskStage) -> None:
    for header in ("X-Way: one", "X-Way: two"):
        say(player, "luc", f"PRESS TO Germany\nonce\nENDPRESS\n\n-- \n{header}", "Message-ID: <same@mail.example>\n")
    assert len(player.boxes["tom@example.org"]) == 1


def test_a_letter_read_by_two_nodes_is_done_by_one(player: Player, stage: DeskStage) -> None:
    say(player, "luc", "A Par - Bur", "Hold: yes\n")
    with stage.transaction() as store:
        store.inbox.close(2, InboxState.DONE)
    assert not inbox.read_some(stage.services, stage.transaction, most=1)
    player.settle()
    assert not player.boxes["luc@example.org"]


# ---- 3: no deadline fires twice or early, and none while a letter from before it is unread


def test_a_tick_early_twice_and_late_resolves_once(player: Player, stage: DeskStage) -> None:
    stage.go_to(DUE - timedelta(seconds=1))
    assert clock.tick(stage.services, stage.transaction, None) == 0
    stage.go_to(DUE + timedelta(hours=30))
    assert clock.tick(stage.services, stage.transaction, None) == 1
    assert clock.tick(stage.services, stage.transaction, None) == 0
    assert snapshots(stage) == 2


def test_a_letter_from_before_the_deadline_is_read_first(player: Player, stage: DeskStage) -> None:
    stage.go_to(DUE - timedelta(minutes=1))
    say(player, "luc", "A Par - Bur", "Hold: yes\n")
    stage.go_to(DUE + timedelta(hours=3))
    say(player, "luc", "A Par - Pic", "Hold: yes\n")
    assert clock.tick(stage.services, stage.transaction, None) == 1
    player.settle()
    texts = [letter.text for letter in player.boxes["luc@example.org"]]
    results = next(text for text in texts if "Movement results" in text)
    assert "A Par - Bur" in results
    assert "A Par - Pic" not in results
    assert any("too late" in text for text in texts)


def test_no_deadline_before_the_mailbox_was_polled_after_it(player: Player, stage: DeskStage) -> None:
    stage.go_to(DUE + timedelta(minutes=5))
    assert clock.tick(stage.services, stage.transaction, DUE - timedelta(seconds=1)) == 0
    assert clock.tick(stage.services, stage.transaction, DUE) == 1


def test_a_letter_that_slips_in_during_the_tick_is_not_passed_over(player: Player, stage: DeskStage) -> None:
    stage.go_to(DUE - timedelta(minutes=1))
    say(player, "luc", "A Par - Bur", "Hold: yes\n")
    stage.go_to(DUE)
    with stage.transaction() as store:
        late = store.inbox.get(2)
        store.inbox.close(2, InboxState.DONE)
    opens = 0

    @contextmanager
    def slipping() -> Iterator[Store]:
        nonlocal opens
        opens += 1
        with stage.transaction() as store:
            if opens == 3:  # after the desk saw that nothing is unread
                store.inbox.accept(replace(late, content_key="slipped in"))
            yield store

    clock.tick(stage.services, slipping, None)
    clock.tick(stage.services, stage.transaction, None)
    player.settle()
    results = next(box for box in player.boxes["luc@example.org"] if "Movement results" in box.text)
    assert "A Par - Bur" in results.text


def test_downtime_resolves_one_phase_and_not_the_next(player: Player, stage: DeskStage) -> None:
    stage.go_to(DUE + timedelta(days=20))
    assert clock.tick(stage.services, stage.transaction, None) == 1
    with stage.transaction() as store:
        game = store.games.by_name("ostend")
    assert game is not None
    assert game.phase == "F1901M"
    assert game.due_at is not None
    assert game.due_at > stage.now()


def test_a_turn_is_of_one_instant_though_its_node_hung(
    player: Player, stage: DeskStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else letters between two instants would count for one phase by the one and for the other by the other."""
    made = resolve._snapshot

    def hanging(*given: Any, **named: Any) -> Snapshot:
        stage._clock.clock += timedelta(minutes=30)
        return made(*given, **named)

    monkeypatch.setattr(resolve, "_snapshot", hanging)
    stage.go_to(DUE)
    assert clock.tick(stage.services, stage.transaction, None) == 1
    with stage.transaction() as store:
        game = store.games.by_name("ostend")
        assert game is not None
        assert store.turns.snapshot(game.snapshot).at == game.opened_at == DUE + timedelta(minutes=30)


def test_a_phase_that_waits_for_another_node_s_reading_is_looked_at_once_a_tick(
    player: Player, stage: DeskStage
) -> None:
    """Not again and again with all locks of its game, nor is it told as resolved."""
    say(player, "luc", "A Par - Bur")
    stage.go_to(DUE)
    busy, looks = replace(stage.services, reading=lambda: nullcontext(lambda: False)), 0

    @contextmanager
    def counting() -> Iterator[Store]:
        nonlocal looks
        looks += 1
        with stage.transaction() as store:
            yield store

    with stage.transaction() as store:
        game = store.games.by_name("ostend")
        assert game is not None
        store.inbox.accept(InboxRow(0, "lmtp", "unread", DUE - timedelta(hours=1), b"From: luc@example.org\n\nSHOW\n"))
    assert clock.tick(busy, counting, None) == 0
    assert looks < 12


def test_a_game_that_cannot_be_resolved_stops_no_other(
    player: Player, stage: DeskStage, capsys: pytest.CaptureFixture[str]
) -> None:
    other = (
        STARTED.read_text(encoding="utf-8").replace("ostend", "calais").replace("2026-03-02 10:00", "2026-03-02 11:00")
    )
    player.play(read(other)[1])
    with stage.transaction() as store:
        game = store.games.by_name("ostend")
        assert game
        store.games.save(replace(game, variant="lost"))
    stage.go_to(DUE)
    assert clock.tick(stage.services, stage.transaction, None) == 1
    assert "could not be seen to" in capsys.readouterr().out
    player.settle()
    for reader in ("op@example.org", "ruth@example.org"):
        (alarm,) = [letter for letter in player.boxes[reader] if letter.kind == "alarm"]
        assert "ostend" in alarm.text


def test_an_unresolvable_game_is_reported_once_per_error(
    player: Player, stage: DeskStage, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not at each tick, and not of what was in the orders."""

    def broken(*given: object) -> None:
        raise ValueError(f"A Par - Bur {stage.now()}")

    def broken_otherwise(*given: object) -> None:
        raise LookupError

    def ticks() -> list[int]:
        for _ in range(5):
            stage.go_to(stage.now() + timedelta(seconds=5))
            assert clock.tick(stage.services, stage.transaction, None) == 0
        player.settle()
        letters = (sum(box.kind == "alarm" for box in player.boxes[f"{who}@example.org"]) for who in ("op", "ruth"))
        return [capsys.readouterr().out.count("could not be seen to"), *letters]

    stage.go_to(DUE)
    with monkeypatch.context() as patch:
        patch.setattr(resolve, "resolve_open_phase", broken)
        assert ticks() == [1, 1, 1]
        stage.go_to(DUE + timedelta(days=1))
        assert ticks() == [1, 2, 1]
        patch.setattr(resolve, "resolve_open_phase", broken_otherwise)
        assert ticks() == [1, 3, 2]
    assert "Par" not in "".join(box.text for box in player.boxes["op@example.org"])
    assert clock.tick(stage.services, stage.transaction, None) == 1


def test_without_an_operator_the_log_is_not_filled_either(
    player: Player, stage: DeskStage, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resolve, "resolve_open_phase", lambda *given: 1 / 0)
    services = replace(stage.services, operators=())
    stage.go_to(DUE)
    for _ in range(5):
        assert clock.tick(services, stage.transaction, None) == 0
    assert capsys.readouterr().out.count("could not be seen to") == 1


# ---- 4: results and their letters are one commit; a repeat keeps its Message-ID


def test_results_without_all_their_letters_are_no_results(player: Player, stage: DeskStage) -> None:
    stage.go_to(DUE)
    seen: list[str] = []
    before = snapshots(stage)
    assert clock.tick(stage.services, breaking(stage, 4, seen), None) == 0
    assert len(seen) == 4
    assert snapshots(stage) == before
    player.settle()
    letters = [letter for box in player.boxes.values() for letter in box if letter.kind == "results"]
    assert len(letters) == 8
    assert set(seen) <= {letter.message_id for letter in letters}
