"""The relay client against a server with scripted faults, and the letters it sends as mail programs would see them."""

from __future__ import annotations

import base64
import email
import email.policy
import time
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from support.mail.dovecot import free_port
from support.mail.mail_samples import ADDRESS, REPLY, opened
from support.mail.smtp_sink import Sink

from gm.config import RelayConfig, load_section
from gm.errors import Deferred, GmError, Refused, RelayDown, TooLarge
from gm.game.model.records import LetterPart, OutboxRow, OutLetter, SenderVerdict
from gm.mail.outgoing import compose, smtp_relay
from gm.mail.outgoing.smtp_relay import RelayMailer

LETTER = OutLetter(
    cause="snapshot:1",
    kind="results",
    address="ann@players.test",
    to_name="Ann Lee",
    from_name="ostend game master",
    from_address=ADDRESS,
    reply_to=REPLY,
    subject="[ostend F1901M] Bounced in Burgundy",
    text="Bounced.\n\nRef: ostend F1901M\n",
    message_id="k7f3qm2xw9hd4tzp5sanb8vcye@example.org",
)
ROW = OutboxRow(1, LETTER, datetime(2026, 11, 20, 20, 0, 3, 500, tzinfo=UTC), "gm+bounce.abc@example.org")


def mailer(sink: Sink, **changes: object) -> RelayMailer:
    return RelayMailer(load_section(RelayConfig, {"host": "127.0.0.1", "port": sink.port, "timeout": 5} | changes))


def test_one_recipient_and_one_transaction_each_over_one_connection() -> None:
    with Sink() as sink:
        relay = mailer(sink)
        for name in ("ann", "bob", "cy"):
            relay.send(replace(ROW, letter=replace(LETTER, address=f"{name}@players.test")))
        relay.close()
    assert [letter.recipients for letter in sink.taken] == [[f"{name}@players.test"] for name in ("ann", "bob", "cy")]
    assert {letter.sender for letter in sink.taken} == {"gm+bounce.abc@example.org"}
    assert sink.connections == 1
    assert sink.taken[0].raw == compose.compose_letter(ROW)


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        ("connect:drop", RelayDown),
        ("connect:421 too busy", RelayDown),
        ("connect:554 go away", RelayDown),
        ("ehlo:drop", RelayDown),
        ("mail:421 shutting down", RelayDown),
        ("mail:drop", RelayDown),
        ("mail:450 not now", Deferred),
        ("mail:530 log in first", RelayDown),
        ("data:250 odd", Deferred),
        ("rcpt:421 shutting down", RelayDown),
        ("rcpt:450 mailbox busy", Deferred),
        ("rcpt:451 greylisted", Deferred),
        ("rcpt:550 no such user", Refused),
        ("rcpt:drop", RelayDown),
        ("data:451 not now", Deferred),
        ("data:554 no", Refused),
        ("data:drop", Deferred),
        ("dot:451 disk full", Deferred),
        ("dot:421 shutting down", RelayDown),
        ("dot:550 spam", Refused),
        ("dot:552 5.3.4 Error: message file too big", TooLarge),
        ("dot:554 5.3.4 too big", TooLarge),
        ("dot:552-5.7.0 content\r\n552 blocked", TooLarge),
        ("dot:552 5.2.2 mailbox full", Deferred),
        ("dot:552 Mailbox full", Deferred),
        ("dot:554 The inbox for ann is full", Deferred),
        ("dot:552 5.3.4 message size exceeds quota", TooLarge),
        ("rcpt:550 Quota exceeded", Deferred),
        ("rcpt:550 5.2.1 The account that you tried to reach is disabled", Refused),
        ("dot:554 5.7.1 Message rejected: your account is suspended", Deferred),
        ("rcpt:554 5.7.1 <ann@players.test>: Relay access denied", Deferred),
        ("rcpt:550 relay not permitted", Deferred),
        ("rcpt:550 5.4.5 Daily user sending limit exceeded", Deferred),
        ("dot:550 5.4.5 Daily user sending limit exceeded", Deferred),
        ("rcpt:554 5.7.1 <mx.example.org[192.0.2.7]>: Client host rejected: Access denied", Deferred),
        ("rcpt:554 5.7.1 Service unavailable; Client host [192.0.2.7] blocked using bl.test", Deferred),
        ("rcpt:550 5.7.1 you may not send to this domain", Deferred),
        ("rcpt:554 5.7.1 <ann@players.test>: Recipient address rejected: Access denied", Refused),
        ("rcpt:550 5.7.15 who knows", Refused),
        ("dot:550 5.7.1 this looks like spam", Refused),
        ("rcpt:504 5.5.2 <gm>: Helo command rejected: need fully-qualified hostname", Deferred),
        ("rcpt:550 5.1.1 <a@b>: Recipient address rejected: it said: 550 Sender address unknown", Refused),
        ("rcpt:553 5.1.3 mailbox name not allowed", Refused),
        ("rcpt:552 5.2.2 mailbox over quota", Deferred),
        ("rcpt:550 5.1.1 no relay of ours knows ann", Refused),
        ("dot:drop", Deferred),
        ("dot:what was that", Deferred),
        ("dot:keep-and-drop", Deferred),
    ],
)
def test_every_fault_has_its_meaning_and_the_next_letter_goes(fault: str, kind: type[GmError]) -> None:
    with Sink(fault) as sink:
        relay = mailer(sink)
        with pytest.raises(kind) as caught:
            relay.send(ROW)
        assert type(caught.value) is kind
        assert "\n" not in str(caught.value)
        if isinstance(caught.value, Refused):
            assert caught.value.recipient == fault.startswith("rcpt")
        relay.send(ROW)
        relay.close()
    assert sink.taken[-1].raw == compose.compose_letter(ROW)


def test_a_repeat_after_an_unknown_outcome_has_the_same_bytes() -> None:
    with Sink("dot:keep-and-drop") as sink:
        relay = mailer(sink)
        with pytest.raises(Deferred):
            relay.send(ROW)
        relay.send(ROW)
        relay.close()
    first, second = sink.taken
    assert first.raw == second.raw
    assert b"Message-ID: <k7f3qm2xw9hd4tzp5sanb8vcye@example.org>\r\n" in second.raw


@pytest.mark.parametrize(("stage", "kind"), [("rcpt", RelayDown), ("dot", Deferred)])
def test_a_relay_that_answers_too_slowly_is_left(
    stage: str, kind: type[GmError], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each piece comes in time, the whole answer never."""
    monkeypatch.setattr(smtp_relay, "LETTER_SECONDS", 0.5)
    with Sink(f"{stage}:dribble") as sink:
        relay = mailer(sink)
        with pytest.raises(kind):
            relay.send(ROW)
        monkeypatch.setattr(smtp_relay, "LETTER_SECONDS", 60)
        relay.send(ROW)
        relay.close()


def test_a_connection_the_relay_has_cut_is_replaced() -> None:
    with Sink() as sink:
        relay = mailer(sink)
        relay.send(ROW)
        sink.hang_up()
        relay.send(ROW)
        relay.close()
    assert (len(sink.taken), sink.connections) == (2, 2)


def test_the_null_sender_and_a_relay_that_does_not_like_it() -> None:
    answer = replace(ROW, envelope_from="")
    with Sink() as sink:
        relay = mailer(sink)
        relay.send(answer)
        sink.plan = ["mail:550 no null sender here"]
        relay.send(answer)
        relay.close()
    assert [letter.sender for letter in sink.taken] == ["", ADDRESS]


NAMED = ROW.envelope_from


@pytest.mark.parametrize(
    "fault",
    [
        "mail:553 not yours",
        "mail:550 5.7.1 Sender address rejected: not owned by user gm",
        "mail:550 5.1.8 no such domain",
        "mail:501 5.1.7 odd",
        "rcpt:553 5.7.1 <gm+bounce.abc@example.org>: Sender address rejected: not owned by user gm",
        "rcpt:550 5.7.60 SMTP; Client does not have permissions to send as this sender",
        "dot:554 5.2.252 SendAsDenied; gm@example.org not allowed to send as gm+bounce.abc@example.org",
    ],
)
def test_a_relay_that_takes_letters_from_the_mailbox_alone(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Letters go, by the plain address from then on; an hour later the one that names the letter is tried again.

    Postfix says of the sender what it has to say when it hears the recipient, Exchange when it has the letter.
    """
    with Sink(fault) as sink:
        relay = mailer(sink)
        relay.send(ROW)
        relay.send(ROW)
        assert [letter.sender for letter in sink.taken] == [ADDRESS, ADDRESS]
        assert len([command for command in sink.commands if command.upper().startswith("MAIL")]) == 3
        later = time.monotonic() + smtp_relay.PLAIN_SECONDS
        monkeypatch.setattr(time, "monotonic", lambda: later)
        relay.send(ROW)
        relay.close()
    assert sink.taken[-1].sender == NAMED


@pytest.mark.parametrize(
    "fault", ["550 go away", "554 5.3.0 something is wrong", "550 5.7.15 who knows", "550 5.7.1 blocked", "552 full"]
)
def test_a_relay_that_refuses_one_letter_at_its_beginning_sets_no_rule(fault: str) -> None:
    with Sink(f"mail:{fault}") as sink:
        relay = mailer(sink)
        relay.send(ROW)
        relay.send(ROW)
        relay.close()
    assert [letter.sender for letter in sink.taken] == [ADDRESS, NAMED]


@pytest.mark.parametrize("code", ["553", "550 5.7.1", "552"])
def test_a_relay_that_takes_no_address_of_ours_gets_no_letters(code: str) -> None:
    """It has heard of no letter and of no reader yet: they wait, and nobody is marked."""
    with Sink(f"mail:{code} not your address", f"mail:{code} nor this one") as sink:
        relay = mailer(sink)
        with pytest.raises(RelayDown, match=f"sender address: {code} nor this one"):
            relay.send(ROW)
        relay.close()


@pytest.mark.parametrize("stage", ["rcpt", "dot"])
def test_a_late_refusal_of_the_sender_marks_no_recipient_as_unreachable(stage: str) -> None:
    """The letter waits, and the next is offered: the refusal may have been about this one alone."""
    refusal = f"{stage}:553 5.7.1 <gm@example.org>: Sender address rejected: not owned by user x"
    with Sink(refusal, refusal) as sink:
        relay = mailer(sink)
        with pytest.raises(Deferred, match="not owned by user x"):
            relay.send(ROW)
        relay.send(ROW)
        relay.close()
    assert [letter.sender for letter in sink.taken] == [NAMED]


def test_any_yes_is_a_yes() -> None:
    """Only the first digit tells; taken for a no, the same letter would leave again and again."""
    with Sink("mail:251 well", "rcpt:252 will try", "dot:200 fine") as sink:
        relay = mailer(sink)
        relay.send(ROW)
        relay.close()


def test_a_relay_that_looks_into_letters_before_it_says_yes_gets_each_once() -> None:
    with Sink("dot:delay 2.5") as sink:
        relay = mailer(sink, timeout=1)
        relay.send(ROW)
        relay.send(ROW)
        relay.close()
    assert (len(sink.taken), sink.connections) == (2, 1)


@pytest.mark.parametrize(
    "fault",
    [
        "mail:530 log in first",
        "mail:553 not your address",
        "mail:drop",
        "rcpt:553 5.7.1 <gm@example.org>: Sender address rejected: not owned by user x",
        "rcpt:554 5.7.1 <op@example.org>: Relay access denied",
    ],
)
def test_the_doctor_sees_a_relay_that_refuses_our_sender(fault: str) -> None:
    with Sink(fault) as sink:
        relay = mailer(sink)
        with pytest.raises(RelayDown):
            relay.check(ADDRESS, "op@example.org")
        sink.plan = ["rcpt:450 4.2.0 greylisted"]
        relay.check(ADDRESS, "op@example.org")
        relay.check(ADDRESS)
        relay.send(ROW)
        relay.close()
    assert len(sink.taken) == 1


def test_a_relay_error_is_one_line() -> None:
    with Sink(
        "auth:535 5.7.8 wrong", "auth:334 eyJzdGF0dXMiOiI0MDAifQ==", capabilities=("AUTH PLAIN XOAUTH2",)
    ) as sink:
        wrong: list[tuple[str, dict[str, object]]] = [
            ("does not accept user gm", {"user": "gm", "password": "x"}),
            ("STARTTLS", {"security": "starttls"}),
            ("cannot be reached|does not speak TLS", {"security": "tls"}),
            ("cannot be reached", {"port": free_port()}),
            ("is not found", {"host": "no-such-host.invalid"}),
            ("is not found", {"host": "a" * 300}),
            ("plain ASCII", {"user": "gm", "password": "pässword"}),
            ("plain ASCII", {"user": "gmä", "token_command": "echo x"}),
            ("gave no token", {"user": "gm", "token_command": "exit 1"}),
        ]
        for expected, changes in wrong:
            with pytest.raises(RelayDown, match=expected) as caught:
                mailer(sink, **changes).check()
            assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("fault", "offered", "changes", "error"),
    [
        ("connect:554 5.7.1 no service for you", "", {}, "takes no letters: 554 5.7.1 no service for you"),
        ("", "STARTTLS", {"security": "starttls"}, "takes no letters: 250 OK"),  # it offers, and then does not begin
        ("", "SIZE 1", {"security": "starttls"}, "cannot be used as set: STARTTLS extension not supported"),
        ("", "SIZE 1", {"user": "gm", "password": "x"}, "cannot be used as set: SMTP AUTH extension not supported"),
        ("connect:drop", "", {}, "broke off: "),
    ],
)
def test_a_relay_that_answers_is_not_reported_as_unreachable(
    fault: str, offered: str, changes: dict[str, object], error: str
) -> None:
    with Sink(*[fault] * bool(fault), capabilities=(offered,) * bool(offered)) as sink:
        with pytest.raises(RelayDown) as caught:
            mailer(sink, **changes).check()
        assert str(caught.value).startswith(f"the relay 127.0.0.1 port {sink.port} {error}")


def test_an_access_token_opens_the_relay() -> None:
    with Sink(capabilities=("AUTH XOAUTH2",)) as sink:
        relay = mailer(sink, user="gm@example.org", token_command="echo the-token")
        relay.send(ROW)
        relay.close()
    assert len(sink.taken) == 1
    (command,) = [command for command in sink.commands if command.startswith("AUTH")]

    assert base64.b64decode(command.split()[2]) == b"user=gm@example.org\x01auth=Bearer the-token\x01\x01"


@pytest.mark.parametrize("mechanisms", ["XOAUTH2", "PLAIN OAUTHBEARER", "OAUTHBEARER XOAUTH2"])
def test_a_token_is_sent_by_a_mechanism_of_the_relay_and_its_refusal_is_one_line(mechanisms: str) -> None:
    refusal = ("auth:334 eyJzdGF0dXMiOiI0MDAifQ==", "other:535 5.7.8 token expired")
    with Sink(*refusal, capabilities=(f"AUTH {mechanisms}",)) as sink:
        relay = mailer(sink, user="gm@example.org", token_command="echo the-token")
        with pytest.raises(RelayDown, match=r"does not accept user gm@example\.org: 535 5\.7\.8 token expired"):
            relay.send(ROW)
        relay.send(ROW)
        relay.close()
    spoken = "XOAUTH2" if "XOAUTH2" in mechanisms else "OAUTHBEARER"
    at = [number for number, command in enumerate(sink.commands) if command.startswith("AUTH")]
    assert [sink.commands[number].split()[1] for number in at] == [spoken] * 2
    assert sink.commands[at[0] + 1] == ("" if spoken == "XOAUTH2" else "AQ==")


def test_a_challenge_that_cannot_be_read_is_a_line() -> None:
    for changes in ({"password": "x"}, {"token_command": "echo the-token"}):
        with Sink("auth:334 speak", capabilities=("AUTH PLAIN XOAUTH2",)) as sink:
            with pytest.raises(RelayDown, match="cannot be used as set: its answer to AUTH") as caught:
                mailer(sink, user="gm", **changes).check()
            assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "address", ["", "nobody", "a b@c", "@x.test", "jürgen@players.test", "x@y.test>\r\nRCPT TO:<z@z.test"]
)
def test_an_address_mail_cannot_carry_fails_that_letter_alone(address: str) -> None:
    with Sink() as sink:
        relay = mailer(sink)
        with pytest.raises(Refused):
            relay.send(replace(ROW, letter=replace(LETTER, address=address)))
        relay.send(ROW)
        relay.close()
    assert [letter.recipients for letter in sink.taken] == [["ann@players.test"]]


# ---- what it looks like


def parsed(**changes: object) -> EmailMessage:
    raw = compose.compose_letter(replace(ROW, letter=replace(LETTER, **changes)))  # type: ignore[arg-type]
    check_lines(raw)
    return cast(EmailMessage, email.message_from_bytes(raw, policy=email.policy.default))


def check_lines(raw: bytes) -> None:
    raw.decode("ascii")
    assert raw.replace(b"\r\n", b"").count(b"\n") == raw.replace(b"\r\n", b"").count(b"\r") == 0
    for line in raw.split(b"\r\n"):
        assert len(line) <= 200
        assert not line.startswith(b"From ")
        assert line != b"."


@pytest.mark.parametrize(
    "subject",
    [
        "36 1901 Bre, and and left: S1901M] 36 no left: die S1901M] A no order 1901",
        "left: [ostend F – 36 die no Bre, have hinweg: Bre, left: 1901 order left: Bre, S1901M] Über Par – Über",
        "x" * 120,
        "é" * 90,
    ],
)
def test_a_long_subject_has_words_on_its_first_line(subject: str) -> None:
    raw = compose.compose_letter(replace(ROW, letter=replace(LETTER, subject=subject)))
    line = next(line for line in raw.split(b"\r\n") if line.startswith(b"Subject:"))
    assert line.removeprefix(b"Subject:").strip()
    assert parsed(subject=subject)["Subject"] == subject


def test_headers_of_a_letter() -> None:
    message = parsed(references=tuple(f"{number:026}@example.org" for number in range(30)))
    assert message["From"] == "ostend game master <gm@example.org>"
    assert message["To"] == "Ann Lee <ann@players.test>"
    assert message["Reply-To"] == REPLY
    assert message["Message-ID"] == f"<{LETTER.message_id}>"
    assert message["Date"].datetime == datetime(2026, 11, 20, 20, 0, 3, tzinfo=UTC)
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["X-Auto-Response-Suppress"] == "All"
    assert message["In-Reply-To"] == f"<{29:026}@example.org>"
    kept = message["References"].split()
    assert kept == [f"<{number:026}@example.org>" for number in (0, *range(21, 30))]


def test_a_mail_program_may_offer_to_stop_the_letters_of_a_seat() -> None:
    wanted = f"<mailto:{REPLY}?subject=unsubscribe&body=STOP>"
    assert parsed(seat=3)["List-Unsubscribe"] == wanted
    assert parsed(seat=0)["List-Unsubscribe"] is None


def test_the_date_of_a_letter_kept_back_is_when_it_leaves() -> None:
    later = ROW.queued_at + timedelta(hours=5)
    assert parsed(not_before=later)["Date"].datetime == later.replace(microsecond=0)


def test_our_own_letters_are_ignored_when_they_come_back() -> None:
    letter = opened(compose.compose_letter(ROW))
    assert (letter.verdict, letter.why) == (SenderVerdict.IGNORE, "our own letter")
    assert letter.ref == ("ostend", "F1901M")


@pytest.mark.parametrize(
    "name", ["Jürgen, der Spielleiter", 'The "Great" <x@y.test>', "(a) b; c:", "李", "a\r\nBcc: x@y.test", ""]
)
def test_names_stay_names(name: str) -> None:
    message = parsed(to_name=name, from_name=name)
    assert [address.addr_spec for address in message["To"].addresses] == ["ann@players.test"]
    assert message["To"].addresses[0].display_name == " ".join(name.split())
    assert message["Bcc"] is None


def test_names_cannot_turn_the_line_round() -> None:
    assert parsed(subject="a\u202eb\u2066c\x00d\ne\u2028f")["Subject"] == "abc d ef"


def test_text_alone_is_one_part() -> None:
    message = parsed(text="Zürich – “x”\nFrom here\n.\n..\n-- \n" + "word " * 400)
    assert message.get_content_type() == "text/plain"
    assert message.get_content().replace("\r\n", "\n") == "Zürich – “x”\nFrom here\n.\n..\n-- \n" + "word " * 400 + "\n"


def test_html_pictures_and_attachments_stand_in_their_places() -> None:
    parts = (
        LetterPart("image/png", "map.png", b"\x89PNG" + bytes(1000), "map"),
        LetterPart("text/calendar; method=PUBLISH", "deadline.ics", b"BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n"),
    )
    message = parsed(html="<p>From me</p>\n<img src='cid:map'>", parts=parts)
    assert [part.get_content_type() for part in message.walk()] == [
        "multipart/mixed",
        "multipart/alternative",
        "text/plain",
        "multipart/related",
        "text/html",
        "image/png",
        "text/calendar",
    ]
    picture, calendar = list(message.walk())[-2:]
    assert picture["Content-ID"] == "<map>"
    assert picture.get_content_disposition() == "inline"
    assert picture.get_payload(decode=True) == parts[0].content
    assert calendar.get_payload(decode=True) == parts[1].content
    assert calendar["Content-Type"].params["method"] == "PUBLISH"
    assert [part.get_content_type() for part in parsed(html="<p>x</p>").walk()] == [
        "multipart/alternative",
        "text/plain",
        "text/html",
    ]


def test_the_same_row_makes_the_same_bytes() -> None:
    row = replace(ROW, letter=replace(LETTER, html="<p>x</p>", parts=(LetterPart("image/png", "a.png", b"x"),)))
    assert compose.compose_letter(row) == compose.compose_letter(row)


WORDS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=120)


@settings(max_examples=80, deadline=None)
@given(WORDS, WORDS, st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\0"), max_size=400))
def test_any_words_arrive_as_they_left(name: str, subject: str, text: str) -> None:
    message = parsed(to_name=name, from_name=name, subject=subject, text=text, html=f"<pre>{name}</pre>")
    body = message.get_body(("plain",))
    assert body is not None
    assert body.get_content().replace("\r\n", "\n") == text.rstrip("\n") + "\n"
    assert message["Subject"] == compose.clean_header(subject)
    assert [address.addr_spec for address in message["To"].addresses] == ["ann@players.test"]
