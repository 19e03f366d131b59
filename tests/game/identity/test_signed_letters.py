"""A letter that its domain signed needs no question, and acts once, for whom it was written to."""

from __future__ import annotations

from email.utils import format_datetime

import pytest
from game.test_promises import sheet_lines
from msgspec.structs import replace
from support.dialogue import DeskStage, Player, read
from support.mail.signed_letters import GMAIL, OUTLOOK, DnsDouble, key_record, sign
from support.services import POST

from gm.mail.incoming.received import Received
from gm.mail.message.dkim_signatures import prove_by_signature

LUC = "luc@example.org"
NAME = "s1._domainkey.example.org"


@pytest.fixture
def dns(stage: DeskStage) -> DnsDouble:
    dns = DnsDouble({NAME: key_record()})
    keys = dns.keys()
    stage.services = replace(
        stage.services,
        prove=lambda row, letter: prove_by_signature(
            row, letter, keys, POST.ours, lambda address: bool(POST.games((address,)))
        ),
    )
    return dns


def written(stage: DeskStage, *lines: str, to: str = "gm@gm.example", subject: str = "[ostend S1901M]") -> bytes:
    head = {
        "From": f"Luc <{LUC}>",
        "To": to,
        "Subject": subject,
        "Date": format_datetime(stage.now()),
        "Message-ID": f"<{lines[0].replace(' ', '')}@example.org>",
        "MIME-Version": "1.0",
        "Content-Type": "text/plain",
    }
    return ("".join(f"{name}: {value}\r\n" for name, value in head.items()) + "\r\n" + "\r\n".join(lines)).encode()


def post(player: Player, raw: bytes, *envelope_to: str) -> None:
    stage = player.stage
    stage.post(Received(raw, stage.now(), "test", "x@relay.example", envelope_to))  # type: ignore[attr-defined]
    player.settle()


@pytest.mark.parametrize("headers", [GMAIL, OUTLOOK])
def test_a_signed_letter_acts_without_a_question(
    player: Player, stage: DeskStage, dns: DnsDouble, headers: tuple[str, ...]
) -> None:
    post(player, sign(written(stage, "A Par - Bur"), "example.org", headers))
    assert sheet_lines(stage, "France") == ("A Par - Bur",)
    assert len(player.boxes[LUC]) == 1


def test_one_that_is_not_signed_or_while_dns_is_away_is_asked_about(
    player: Player, stage: DeskStage, dns: DnsDouble
) -> None:
    post(player, written(stage, "A Par - Bur"))
    dns.records[NAME] = None
    post(player, sign(written(stage, "A Par - Pic"), "example.org"))
    assert sheet_lines(stage, "France") == ()
    assert len(player.boxes[LUC]) == 2


def test_a_signed_letter_that_is_sent_again_does_not_act(player: Player, stage: DeskStage, dns: DnsDouble) -> None:
    raw = sign(written(stage, "A Par - Bur"), "example.org", OUTLOOK)
    post(player, raw)
    post(player, sign(written(stage, "A Par - Pic"), "example.org", OUTLOOK))
    assert sheet_lines(stage, "France") == ("A Par - Pic",)
    # the recipient of Outlook's letters is not signed, blanks do not count
    post(player, raw.replace(b"A Par - Bur", b"A  Par - Bur"))
    post(player, raw.replace(b"To: gm@gm.example", b"To: gm+ostend@gm.example"))
    assert sheet_lines(stage, "France") == ("A Par - Pic",)


def test_it_does_not_act_for_another_game_or_seat(player: Player, stage: DeskStage, dns: DnsDouble) -> None:
    post(player, sign(written(stage, "A Par - Bur", subject="orders"), "example.org"), "gm+kiel@gm.example")
    post(player, sign(written(stage, "A Par - Pic", to="tom@example.org"), "example.org"), "gm@gm.example")
    assert sheet_lines(stage, "France") == ()


def test_the_game_master_reads_what_proved_it(player: Player, stage: DeskStage, dns: DnsDouble) -> None:
    post(player, sign(written(stage, "A Par - Bur"), "example.org"))
    _, blocks = read(">> Ruth <ruth@example.org>\nTo: ostend GM\n\nDEBUG <APar-Bur@example.org>\n")
    player.play(blocks)
    assert "a DKIM signature of example.org" in " ".join(player.got["ruth@example.org"][-1].text.split())


def test_a_letter_is_read_again_after_a_process_ended(player: Player, stage: DeskStage, dns: DnsDouble) -> None:
    """Its own fingerprint is no sign of another."""
    raw = sign(written(stage, "A Par - Bur"), "example.org")
    with stage.transaction() as store:
        row, _ = store.inbox.accept(_row(raw, stage))
        assert store.inbox.claim_signature(row.id, stage.services.prove(row, stage.services.open_letter(row)).signature)
    player.settle()
    assert sheet_lines(stage, "France") == ("A Par - Bur",)


def _row(raw: bytes, stage: DeskStage):  # type: ignore[no-untyped-def]
    from gm.game.model.records import InboxRow

    return InboxRow(0, "test", "key", stage.now(), raw)
