"""The relay client against relays with habits of their own: what real ones say, leave out, and break."""

from __future__ import annotations

import pytest
from mail.outgoing.test_smtp_relay import LETTER, ROW, mailer
from msgspec.structs import replace
from support.mail.smtp_sink import Sink

from gm.errors import Deferred, GmError, Refused, RelayDown, TooLarge
from gm.game.model.records import LetterPart

PICTURED = replace(ROW, letter=replace(LETTER, parts=(LetterPart("image/png", "map.png", bytes(9000), "map"),)))


@pytest.mark.parametrize(
    ("plan", "offered", "changes"),
    [
        (["ehlo:502 5.5.1 what is EHLO"], (), {}),
        (["ehlo:dribbling 250-sink\r\n250-PIPELINING\r\n250 SIZE 100000"], (), {}),
        (["rcpt:dribbling 250-first line\r\n250-second line\r\n250 third"], (), {}),
        (["dot:keep 250-2.0.0 kept\r\n250 as \xe9t\xe9 17"], (), {}),
        (["mail:250 \xff\xfe\x00 gut"], (), {}),
        ([], ("AUTH LOGIN",), {"user": "gm", "password": "x"}),
        ([], ("AUTH=LOGIN",), {"user": "gm", "password": "x"}),
        (["auth:535 5.7.8 not this way"], ("AUTH PLAIN LOGIN",), {"user": "gm", "password": "x"}),
        ([], ("SIZE",), {}),
        ([], ("SIZE 0",), {}),
        ([], ("SIZE 100000", "X-ODD \xe4", ""), {}),
    ],
)
def test_letters_go_all_the_same(plan: list[str], offered: tuple[str, ...], changes: dict[str, object]) -> None:
    with Sink(*plan, capabilities=offered) as sink:
        relay = mailer(sink, **changes)
        for _ in range(2):
            relay.send(ROW)
        relay.close()
    assert len(sink.taken) == 2


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        ("ehlo:421 4.3.2 too many connections", RelayDown),
        ("ehlo:250 " + "x" * 9000, RelayDown),
        ("rcpt:250 " + "x" * 9000, RelayDown),
        ("dot:250 " + "x" * 9000, Deferred),
        ("connect:", RelayDown),
        ("connect:\xff\xfe", RelayDown),
        ("rcpt:\xff\xfe", RelayDown),
        ("rcpt:550-5.1.1 \xe9\r\n550 kein sch\xf6ner Name", Refused),
        ("mail:354 what", Deferred),
        ("data:421 4.3.2 shutting down", RelayDown),
        ("data:cut in the letter", Deferred),
    ],
)
def test_a_relay_failure_is_one_line_and_the_letter_goes_later(fault: str, kind: type[GmError]) -> None:
    plan = [fault] if not fault.startswith("ehlo") else [fault, "other:502 nor that"]
    with Sink(*plan) as sink:
        relay = mailer(sink)
        with pytest.raises(kind) as caught:
            relay.send(ROW)
        assert type(caught.value) is kind
        assert "\n" not in str(caught.value)
        assert len(str(caught.value)) < 500
        relay.send(ROW)
        relay.close()
    assert len(sink.taken) == 1


@pytest.mark.parametrize("fault", ["220 go", "drop", "454 4.7.0 not just now", "220 go\r\nnoise"])
def test_tls_that_is_offered_and_broken_sends_nothing_in_the_clear(fault: str) -> None:
    with Sink(f"other:{fault}", capabilities=("STARTTLS",)) as sink:
        relay = mailer(sink, security="starttls", timeout=1)
        with pytest.raises(RelayDown) as caught:
            relay.send(ROW)
        assert "\n" not in str(caught.value)
        relay.close()
    assert not sink.taken
    assert not [command for command in sink.commands if command.startswith("MAIL")]


def test_a_letter_larger_than_the_relay_says_it_takes_is_not_begun() -> None:
    """Some cut the line over it, and with its map it would never leave."""
    with Sink(capabilities=("SIZE 5000",)) as sink:
        relay = mailer(sink)
        with pytest.raises(TooLarge, match="SIZE 5000"):
            relay.send(replace(PICTURED, pictured=True))
        relay.send(ROW)
        relay.close()
    assert len(sink.taken) == 1
    assert not [command for command in sink.commands if "map" in command]


@pytest.mark.parametrize("fault", ["mail:421 4.4.2 too many letters, connect again", "mail:drop"])
def test_a_connection_the_relay_ends_between_letters_is_replaced(fault: str) -> None:
    with Sink() as sink:
        relay = mailer(sink)
        relay.send(ROW)
        sink.plan.append(fault)
        relay.send(ROW)
        sink.plan += [fault, fault]
        with pytest.raises(RelayDown):
            relay.send(ROW)
        relay.close()
    assert (len(sink.taken), sink.connections) == (2, 3)
