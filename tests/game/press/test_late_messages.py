"""A message that is read after the deadline of a turn that nobody could resolve yet."""

from __future__ import annotations

from datetime import timedelta

from support.twin_games import GAME, MASTERS, Stage, Twins

from gm.game.clock import clock
from gm.game.model.records import MASTER
from gm.game.model.services import Services
from gm.judge.model.variant import Variant
from gm.mail.incoming.received import Received
from gm.variant_files.library import Library


def begun(services: Services, variant: Variant) -> Stage:
    stage = Stage(services)
    seats = "\n".join(
        f"SEAT {power.name}: {power.name} Player <{Twins.address(power.name)}>" for power in variant.powers
    )
    stage.write(MASTERS, "gm@gm.example", f"CREATE {GAME} {variant.id}\nzone: UTC\nreminder: no\n{seats}\nSTART")
    stage.write(MASTERS, stage.seat_address(MASTER), "PROCESS")
    return stage


def test_a_late_message_is_returned_unsent_and_unpaid(services: Services, library: Library) -> None:
    stage = begun(services, library.variant("fin-de-siecle"))
    due = stage.game().due_at
    assert due is not None
    stage.go_to(due + timedelta(minutes=3))
    spain, seat = Twins.address("Spain"), stage.seat_address("Spain")
    head = f"From: {spain}\r\nTo: {seat}\r\nSubject: orders\r\nMessage-ID: <late@example.org>\r\n"
    stage.post(Received(f"{head}\r\nmessage Mexico: Sail at once.\r\n".encode(), stage.now(), "test", spain, (seat,)))

    clock.tick(stage.services, stage.transaction, due - timedelta(minutes=1))  # the mailbox may hold earlier letters
    while clock.send(stage.transaction, stage.recorder, stage.services):
        pass
    answer = " ".join(stage.recorder.sent[spain][-1].row.letter.text.split())
    assert "Your message came after the deadline of this turn, so it was not sent and no dip was charged." in answer
    assert "YOUR MESSAGE, UNSENT Sail at once." in answer
    assert stage.game().phase == "S1880M"

    stage.settle()
    assert stage.game().phase == "F1880M"
    assert not any("Sail at once" in sent.text() for sent in stage.recorder.sent[Twins.address("Mexico")])
    stage.write(spain, seat, "SHOW")
    assert "0 spent or set aside, 4 left" in " ".join(stage.recorder.sent[spain][-1].row.letter.text.split())
