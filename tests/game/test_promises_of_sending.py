"""Letters leave once, and the same to the byte when they are sent again, whatever the relay does."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from msgspec.structs import replace
from structlog.testing import capture_logs
from support.dialogue import DeskStage, Player
from support.promises_model import say

from gm.errors import Deferred, Refused, RelayDown
from gm.game.clock import clock
from gm.game.intake import inbox
from gm.game.model import map_attachment
from gm.game.model.ports import Store
from gm.game.model.records import OutboxRow, OutboxState, OutLetter


def test_a_letter_sent_again_keeps_its_message_id(player: Player, stage: DeskStage) -> None:
    say(player, "luc", "SHOW", "Hold: yes\n")
    inbox.read_some(stage.services, stage.transaction, most=1)
    stage.relay.fail["luc@example.org"] = Deferred("busy")
    assert stage.collect() == []
    with stage.transaction() as store:
        waiting = [row for row in store.outbox.all() if row.state is OutboxState.QUEUED]
    assert [row.tries for row in waiting] == [1]
    stage.go_to(stage.now() + timedelta(minutes=1))
    assert [letter.message_id for letter in stage.collect()] == [waiting[0].letter.message_id]


def test_a_letter_that_is_greylisted_for_hours_is_offered_seldom_and_leaves_once(
    player: Player, stage: DeskStage
) -> None:
    say(player, "luc", "SHOW", "Hold: yes\n")
    inbox.read_some(stage.services, stage.transaction, most=1)
    offered: list[datetime] = []
    for _ in range(12 * 60):
        stage.relay.fail["luc@example.org"] = Deferred("450 4.2.0 greylisted")
        assert stage.collect() == []
        if "luc@example.org" not in stage.relay.fail:
            offered.append(stage.now())
        stage.go_to(stage.now() + timedelta(minutes=1))
    assert 5 <= len(offered) <= 12
    stage.relay.fail.clear()
    stage.go_to(offered[-1] + timedelta(hours=4))
    assert len(stage.collect()) == 1
    stage.go_to(stage.now() + timedelta(days=6))
    assert stage.collect() == []


def test_a_letter_that_we_cannot_send_by_a_fault_of_ours_fills_no_log(
    player: Player, stage: DeskStage, capsys: pytest.CaptureFixture[str]
) -> None:
    say(player, "luc", "SHOW", "Hold: yes\n")
    inbox.read_some(stage.services, stage.transaction, most=1)
    for error, times in ((ValueError("odd"), 1), (ValueError("odd"), 0), (LookupError("odd"), 1)):
        stage.relay.fail["luc@example.org"] = error
        assert stage.collect() == []
        assert capsys.readouterr().out.count("could not be sent") == times
        stage.go_to(stage.now() + timedelta(hours=4))
    assert len(stage.collect()) == 1


def test_a_refused_letter_is_not_sent_again_and_others_go(player: Player, stage: DeskStage) -> None:
    stage.relay.fail["luc@example.org"] = Refused("550 no such user")
    for who in ("luc", "tom"):
        say(player, who, "SHOW", "Hold: yes\n")
    player.settle()
    assert not player.boxes["luc@example.org"]
    assert len(player.boxes["tom@example.org"]) == 1
    assert "come back from luc@example.org" in player.boxes["ruth@example.org"][0].text
    stage.go_to(stage.now() + timedelta(days=1))
    assert stage.collect() == []


def test_a_relay_that_is_down_keeps_every_letter(player: Player, stage: DeskStage) -> None:
    say(player, "luc", "SHOW", "Hold: yes\n")
    inbox.read_some(stage.services, stage.transaction, most=1)
    stage.relay.fail["luc@example.org"] = RelayDown("connection refused")
    with pytest.raises(RelayDown):
        stage.collect()
    stage.go_to(stage.now() + clock.RELAY_REST)
    assert len(stage.collect()) == 1


ALL = ("luc", "tom", "ruth", "emma")


def queue_for_all(stage: DeskStage, cause: str) -> None:
    with stage.transaction() as store:
        for name in ALL:
            letter = OutLetter(cause, "results", f"{name}@example.org", "", "", "gm@x", "gm@x", "results", "so it went")
            store.outbox.add(replace(letter, message_id=f"{cause}.{name}@x"), stage.now())


def refuse_all(stage: DeskStage, *answers: str) -> None:
    stage.relay.fail = {f"{name}@example.org": Deferred(answer) for name, answer in zip(ALL, answers, strict=True)}


def test_while_the_relay_refuses_every_letter_one_probes_for_all(player: Player, stage: DeskStage) -> None:
    """The backoff of each grows to hours meanwhile; they leave when the relay has taken the one."""
    answers = [f"554 5.7.1 <{name}@example.org>: Relay access denied" for name in ALL]
    queue_for_all(stage, "first")
    offered: list[int] = []
    for _ in range(60 * 8):
        refuse_all(stage, *answers)
        assert stage.collect() == []
        offered.append(len(ALL) - len(stage.relay.fail))
        stage.go_to(stage.now() + timedelta(minutes=1))
    assert all(sum(offered[minute : minute + 2]) for minute in range(len(offered) - 1))
    assert sum(offered) < 60 * 8 / 2 + 8 * len(ALL)
    stage.relay.fail.clear()
    letters = stage.collect()
    stage.go_to(stage.now() + timedelta(minutes=1))
    letters += stage.collect()
    assert len(letters) == len(ALL)


def test_letters_refused_for_reasons_of_their_own_keep_their_backoff(player: Player, stage: DeskStage) -> None:
    queue_for_all(stage, "first")
    answers = ("450 4.2.0 greylisted", "452 4.2.2 mailbox full", "450 4.2.1 not now", "451 4.7.1 greylisted")
    for _ in range(12):
        refuse_all(stage, *answers)
        stage.collect()
        stage.go_to(stage.now() + timedelta(minutes=10))
    with stage.transaction() as store:
        waiting = [row.letter.not_before for row in store.outbox.all() if row.state is OutboxState.QUEUED]
    assert len(waiting) == len(ALL)
    assert all(moment is not None and moment > stage.now() + timedelta(minutes=2) for moment in waiting)


def test_each_kind_of_answer_is_logged_once_while_it_lasts(player: Player, stage: DeskStage) -> None:
    cut = "the relay broke off"
    with capture_logs() as logs:

        def logged() -> list[str]:
            errors = [line["error"] for line in logs if line["event"] == "the relay postpones letters"]
            logs.clear()
            return errors

        queue_for_all(stage, "first")
        answers = ["554 5.7.1 <luc>: denied", "554 5.7.1 <tom>: denied", "451 4.3.0 later", "451 4.3.0 later"]
        refuse_all(stage, *answers)
        stage.collect()
        assert logged() == [answers[0], answers[2]]
        stage.go_to(stage.now() + timedelta(minutes=2))
        refuse_all(stage, *answers[:3], cut)
        stage.collect()
        assert logged() == [cut]
        stage.relay.fail.clear()
        stage.go_to(stage.now() + timedelta(hours=5))
        assert len(stage.collect()) == len(ALL)
        queue_for_all(stage, "second")
        refuse_all(stage, *[cut] * len(ALL))
        stage.collect()
        assert logged() == [cut]
        stage.go_to(stage.now() + timedelta(days=5))
        refuse_all(stage, *[cut] * len(ALL))
        stage.collect()
        assert [line["event"] for line in logs] == ["a letter was given up"] * len(ALL)


def test_a_letter_that_breaks_the_connection_delays_no_other(player: Player, stage: DeskStage) -> None:
    for who in ("luc", "tom"):
        say(player, who, "SHOW", "Hold: yes\n")
    while inbox.read_some(stage.services, stage.transaction):
        pass
    for _ in range(3):
        stage.relay.fail["luc@example.org"] = RelayDown("421 over this one")
        with pytest.raises(RelayDown):
            stage.collect()
        stage.relay.fail["luc@example.org"] = RelayDown("421 over this one")
        assert "tom@example.org" in {letter.address for letter in stage.collect()}
        say(player, "tom", "SHOW again", "Hold: yes\n")
        while inbox.read_some(stage.services, stage.transaction):
            pass
        stage.go_to(stage.now() + clock.RELAY_REST)
    stage.relay.fail.clear()
    assert "luc@example.org" in {letter.address for letter in stage.collect()}


def test_a_letter_that_was_sent_is_not_sent_again_because_of_the_next_one(
    player: Player, stage: DeskStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    say(player, "luc", "SHOW", "Hold: yes\n")
    say(player, "tom", "SHOW", "Hold: yes\n")
    while inbox.read_some(stage.services, stage.transaction):
        pass
    decide, fine = map_attachment.decide_map, [True]

    def decided(store: Store, row: OutboxRow) -> OutboxRow:
        if fine:
            fine.pop()
            return decide(store, row)
        raise ValueError("nothing to be drawn from")

    monkeypatch.setattr(map_attachment, "decide_map", decided)
    with pytest.raises(ValueError, match="nothing to be drawn"):
        clock.send(stage.transaction, stage.relay, stage.services, most=5)
    monkeypatch.undo()
    stage.go_to(stage.now() + clock.RETRY.lease)
    while clock.send(stage.transaction, stage.relay, stage.services, most=5):
        pass
    assert len(stage.collect()) == 2


def test_a_letter_being_sent_is_not_sent_by_another_worker(player: Player, stage: DeskStage) -> None:
    """Not even by one that looks while the first waits for the relay's answer, nor before it has given up."""
    say(player, "luc", "SHOW", "Hold: yes\n")
    inbox.read_some(stage.services, stage.transaction, most=1)
    others: list[bool] = []

    class Slow:
        def send(self, row: OutboxRow) -> None:
            others.append(clock.send(stage.transaction, stage.relay, stage.services))
            raise SystemExit  # killed with the letter in hand

    with pytest.raises(SystemExit):
        clock.send(stage.transaction, Slow(), stage.services)
    assert others == [False]
    assert stage.collect() == []
    stage.go_to(stage.now() + clock.RETRY.lease)
    assert len(stage.collect()) == 1
