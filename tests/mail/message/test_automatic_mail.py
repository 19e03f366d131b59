"""Who wrote it, by the headers: machines that are never answered, and what our own mail server says of From."""

from __future__ import annotations

import pytest
from support.mail.mail_samples import ADDRESS, REPLY, TOKEN, opened, simple

from gm.game.model.records import SenderVerdict

DELAYED = "delivery delayed"
VERP = f"gm+bounce.{TOKEN}@example.org"


def why(raw: bytes, envelope_from: str = "ann@players.test") -> str:
    letter = opened(raw, envelope_from)
    assert (letter.verdict is SenderVerdict.IGNORE) == bool(letter.why)
    return letter.why


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({"Auto-Submitted": "auto-replied"}, "automatic reply"),
        ({"Auto-Submitted": "auto-replied (vacation); x=y"}, "automatic reply"),
        ({"Auto-Submitted": "Auto-Generated"}, "automatic reply"),
        ({"Auto-Submitted": "(by hand) no"}, ""),
        ({"Auto-Submitted": "no"}, ""),
        ({"X-Autoreply": "yes"}, "automatic reply"),
        ({"X-Autorespond": "yes"}, "automatic reply"),
        ({"Precedence": "bulk"}, "mailing list"),
        ({"Precedence": "junk"}, "mailing list"),
        ({"Precedence": "auto_reply"}, "automatic reply"),
        ({"Precedence": "first-class"}, ""),
        ({"List-Id": "Players <players.list.test>"}, "mailing list"),
        ({"List-Unsubscribe": "<mailto:x@y>"}, ""),
        ({"X-Auto-Response-Suppress": "All"}, ""),
        ({"Return-Path": "<>"}, "empty return path"),
        ({"Return-Path": "<ann@players.test>"}, ""),
        ({"From": "Mail Delivery System <MAILER-DAEMON@players.test>"}, "bounce"),
        ({"From": "postmaster@players.test"}, "bounce"),
        ({"From": "Mr Post Master <master@players.test>"}, ""),
        ({"From": "no-reply@players.test"}, "no-reply sender"),
        ({"From": ADDRESS}, ""),
        ({"From": ADDRESS, "To": ADDRESS}, "our own letter"),
        ({"From": ADDRESS, "Message-ID": f"<{TOKEN}@example.org>"}, "our own letter"),
        ({"From": f"x <{REPLY.upper()}>", "To": ADDRESS}, "our own letter"),
        ({"X-Loop": ADDRESS}, "our own letter"),
        ({"X-Loop": "somebody@else.test"}, ""),
        ({"X-Failed-Recipients": "x@y.test"}, "bounce"),
        ({"Subject": "Automatic reply: [ostend S1901M]"}, "automatic reply"),
        ({"Subject": "=?utf-8?q?Abwesenheitsnotiz=3A_Urlaub?="}, "automatic reply"),
        ({"Subject": "Réponse automatique : [ostend]"}, "automatic reply"),
        ({"Subject": "Out of Office"}, "automatic reply"),
        ({"Subject": "Re: Automatic reply: [ostend S1901M]"}, ""),
        ({"Subject": "Automatische Antwort: [ostend S1901M]"}, "automatic reply"),
        ({"Subject": "Automatische Abwesenheitsmeldung"}, "automatic reply"),
        ({"Subject": "Abwesend: [ostend S1901M]"}, "automatic reply"),
        ({"Subject": "Abwesend vom 3. bis 9. April"}, ""),
        ({"Subject": "Out of office next week"}, ""),
        ({"Subject": "Out of Office: [ostend S1901M]"}, "automatic reply"),
        ({"Subject": "Ann Lee/ACME is out of the office (returning 12.03.2026)"}, "automatic reply"),
        ({"Subject": "AUTO: Ann Lee ist außer Haus (Rückkehr am 12.03.2026)"}, "automatic reply"),
        ({"Subject": "away from my mail"}, "automatic reply"),
        ({"Subject": "Undeliverable guns at Burgundy"}, ""),
        ({"X-Autoresponder": "yes"}, "automatic reply"),
        ({"Precedence": "auto-reply"}, "automatic reply"),
        ({"Subject": "Automatic replying guns to Burgundy"}, ""),
        ({"Content-Type": "text/calendar; method=REPLY"}, "calendar reply"),
        ({"Content-Type": "text/calendar; method=REQUEST"}, ""),
        ({"Delivered-To": "Autoresponder"}, "automatic reply"),
    ],
)
def test_signs_of_machines(headers: dict[str, str], expected: str) -> None:
    assert why(simple(**headers)) == expected


def test_the_null_sender_of_the_envelope_counts_and_an_unknown_one_does_not() -> None:
    assert why(simple(), "<>") == "empty return path"
    assert why(simple(), "") == ""


def test_a_loop_is_seen_by_its_hops() -> None:
    hops = "Received: from a by b; Fri, 20 Nov 2026 10:00:00 +0000\r\n"
    assert why((hops * 30).encode() + simple()) == ""
    assert why((hops * 31).encode() + simple()) == "mail loop"


def report(action: str, kind: str = "delivery-status", to: str = VERP) -> bytes:
    head = (
        f"From: Mail Delivery System <MAILER-DAEMON@relay.test>\r\nTo: {to}\r\nSubject: Undelivered Mail\r\n"
        "Auto-Submitted: auto-replied\r\nMIME-Version: 1.0\r\n"
        f'Content-Type: multipart/report; report-type={kind}; boundary="b"\r\n\r\n'
    )
    status = f"Reporting-MTA: dns; relay.test\r\n\r\nFinal-Recipient: rfc822; x@y.test\r\n{action}Status: 5.1.1\r\n"
    return (
        head
        + "--b\r\nContent-Type: text/plain\r\n\r\nA Par - Bur\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\n"
        f"{status}\r\n--b\r\nContent-Type: message/rfc822\r\n\r\nSubject: x\r\n\r\nA Mar - Spa\r\n--b--\r\n"
    ).encode()


@pytest.mark.parametrize(
    ("raw", "expected", "bounce_of"),
    [
        (report("Action: failed\r\n"), "bounce", VERP),
        (report("action: Failed\r\n"), "bounce", VERP),
        (report(""), "bounce", VERP),
        (report("Action: delayed\r\n"), "delivery delayed", ""),
        (report("Action: relayed\r\n"), "delivery report", ""),
        (report("Action: delivered\r\n"), "delivery report", ""),
        (report("", kind="disposition-notification"), "read receipt", ""),
        (report("", kind="feedback-report"), "complaint report", ""),
        (report("Action: failed\r\n", to="other@example.org"), "bounce", ""),
        (report("Action: failed\r\n", to=VERP.replace("gm+", "evil+")), "bounce", ""),
        (simple(From="MAILER-DAEMON@qmail.test", To=VERP, body="Hi. This is the qmail-send program."), "bounce", VERP),
        (simple(From="MAILER-DAEMON@old.test", To=VERP, Subject="Warning: could not send message"), DELAYED, ""),
        (
            simple(
                From="mailer-daemon@corp.test",
                To=VERP,
                Subject="Delivery Status Notification (Delay)",
                Return_Path="<>",
            ),
            DELAYED,
            "",
        ),
        (simple(From="system@corp.test", To=VERP, Subject="Undeliverable: results", Return_Path="<>"), "bounce", VERP),
        (
            simple(From="system@corp.test", To=VERP, Subject="Unzustellbar: Ergebnisse", Return_Path="<>"),
            "bounce",
            VERP,
        ),
        (simple(From="luc@corp.test", To=VERP, Subject="Undeliverable: results"), "", ""),
        (simple(To=VERP, **{"Auto-Submitted": "auto-replied"}), "automatic reply", ""),
        (simple(To=VERP, Subject="Automatic reply: away"), "automatic reply", ""),
        (simple(To=VERP), "", ""),
    ],
)
def test_bounces_name_our_letter_and_nothing_else_does(raw: bytes, expected: str, bounce_of: str) -> None:
    letter = opened(raw)
    assert (letter.why, letter.bounce_of) == (expected, bounce_of)


@pytest.mark.parametrize(
    ("action", "soft"),
    [
        ("Action: failed\r\n", False),
        ("Action: failed\r\nStatus: 4.2.2\r\nX-Was: ", True),
        ("Action: failed\r\nStatus: 5.7.1\r\nX-Was: ", False),
        ("Action: failed\r\nStatus: 5.2.2\r\nX-Was: ", True),
        ("Action: failed\r\nStatus: 5.2.2\r\n\r\nFinal-Recipient: rfc822; z@y.test\r\nStatus: 5.1.1\r\nX: ", False),
        ("Action: failed\r\nStatus: 4.4.7\r\n\r\nFinal-Recipient: rfc822; z@y.test\r\nAction: failed\r\n", False),
    ],
)
def test_a_delivery_given_up_for_what_may_pass_is_soft(action: str, soft: bool) -> None:
    assert opened(report(action)).bounce_soft is soft


def test_a_returned_text_without_a_status_code_is_soft() -> None:
    letter = opened(simple(From="MAILER-DAEMON@qmail.test", To=VERP, body="Hi. This is the qmail-send program."))
    assert (letter.bounce_of, letter.bounce_soft) == (VERP, True)


@pytest.mark.parametrize(
    ("reason", "soft"),
    [
        ("Sorry, no mailbox here by that name. (#5.1.1)", False),
        ("192.0.2.5 does not like recipient.\nRemote host said: 550 5.1.1 <x@y.test>: unknown\nGiving up.", False),
        ("host mx.y.test[192.0.2.5] said: 550-5.1.1 The account does not exist", False),
        ("I'm not going to try again; this message has been in the queue too long. (#4.4.1)", True),
        ("host mx.y.test[192.0.2.5] said: 552 5.2.2 mailbox full", True),
        ("CNAME lookup failed temporarily. (#4.4.3)", True),
        ("It is 192.0.2.5 5.1.1.2, v5.1.1, (5.1.1) or mail#15.1.1 that does not want it", True),
        ("It did not work.\n\n--- Below this line is a copy of the message.\n\nHe said (#5.1.1).", True),
        ("It did not work.\n------ This is a copy of your message, including all headers. ------\n#5.1.1", True),
        ("It did not work.\n\nReceived: from a by b\nSubject: 550 5.1.1 is our number", True),
    ],
)
def test_a_returned_text_for_people_may_name_a_status(reason: str, soft: bool) -> None:
    """As qmail's, which have no part for programs; what the copy of our own letter says is none."""
    text = f"Hi. This is the qmail-send program at mx.y.test.\n\n<x@y.test>:\n{reason}\n"
    letter = opened(simple(From="MAILER-DAEMON@mx.y.test", To=VERP, Subject="failure notice", body=text), "<>")
    assert (letter.bounce_of, letter.bounce_soft) == (VERP, soft)


def test_a_bounce_is_found_by_the_envelope_too() -> None:
    letter = opened(report("Action: failed\r\n", to="ann@players.test"), "<>", (VERP,))
    assert letter.bounce_of == VERP


HEADERS_OF_SERVERS = [
    # Gmail
    "dkim=pass header.i=@players.test header.s=20230601 header.b=QbC1dEf2; spf=pass (google.com: domain of "
    "ann@players.test designates 192.0.2.5 as permitted sender) smtp.mailfrom=ann@players.test; "
    "dmarc=pass (p=NONE sp=QUARANTINE dis=NONE) header.from=players.test",
    # Microsoft
    "spf=pass (sender IP is 192.0.2.5) smtp.mailfrom=players.test; dkim=pass (signature was verified) "
    "header.d=players.test;dmarc=pass action=none header.from=players.test;compauth=pass reason=100",
    # OpenDMARC
    "dmarc=pass (p=reject dis=none) header.from=players.test",
    # rspamd
    'dkim=pass header.d=players.test header.s=s1 header.b="Ab/Cd+1="; dmarc=pass (policy=none) '
    "header.from=players.test; spf=pass (mx.example.org: domain of ann@players.test designates 192.0.2.5 as "
    "permitted sender) smtp.mailfrom=ann@players.test",
    # Fastmail
    "x-csa=none; x-me-sender=none; x-ptr=pass smtp.helo=mail.players.test policy.ptr=mail.players.test; "
    "dkim=pass (2048-bit rsa key sha256) header.d=players.test header.i=@players.test header.b=Xy/1 "
    "header.a=rsa-sha256 header.s=fm1 x-bits=2048; bimi=skipped (DMARC Policy is not at enforcement); "
    "dmarc=pass policy.published-domain-policy=none policy.applied-disposition=none "
    "policy.evaluated-disposition=none (p=none,has-list-id=yes,d=none,d.eval=none) policy.policy-from=p "
    "header.from=players.test; iprev=pass smtp.remote-ip=192.0.2.5 (mail.players.test)",
    # Yahoo, Proton, iCloud, Stalwart
    "dkim=pass header.i=@players.test header.s=s2048; spf=pass smtp.mailfrom=players.test; "
    "dmarc=pass(p=REJECT) header.from=players.test;",
    "dmarc=pass (p=none dis=none) header.from=players.test; spf=pass smtp.mailfrom=players.test; arc=none "
    "smtp.remote-ip=192.0.2.5; dkim=pass (Good signature) header.d=players.test header.a=rsa-sha256",
    "bimi=none; dmarc=pass header.from=players.test; dkim=pass (2048-bit key) header.d=players.test "
    "header.i=@players.test header.b=aBcD; spf=pass (mx.example.org: domain of ann@players.test) "
    "smtp.mailfrom=ann@players.test",
    "dkim=pass header.d=players.test header.s=rsa header.b=AbCd; spf=pass smtp.mailfrom=ann@players.test; "
    "iprev=pass policy.iprev=2001:db8::5; dmarc=pass header.from=players.test policy.dmarc=none",
    # Exim
    "iprev=pass (mail.players.test) smtp.remote-ip=192.0.2.5; spf=pass smtp.mailfrom=players.test; "
    "dkim=pass header.d=players.test header.s=s1 header.a=rsa-sha256; dmarc=pass header.from=players.test; arc=none",
]

PASS = "dmarc=pass (p=none) header.from=players.test"


@pytest.mark.parametrize(
    ("results", "proven", "failed"),
    [
        ((f"mx.example.org; {PASS}",), True, False),
        ((f"mx.example.org 1; spf=pass; dkim=pass header.d=players.test; {PASS}",), True, False),
        ((f"MX.Example.Org; {PASS}",), True, False),
        (("mx.example.org; dmarc=pass",), True, False),
        (("mx.example.org; dmarc=fail header.from=players.test",), False, True),
        (("mx.example.org; spf=pass; dkim=pass",), False, False),
        (("mx.example.org; none",), False, False),
        ((f"mx.example.org.evil.test; {PASS}",), False, False),
        ((f"mx.example.org@evil.test; {PASS}",), False, False),
        ((f"evil.test (mx.example.org); {PASS}",), False, False),
        ((PASS,), False, False),
        ((f"spf=pass; mx.example.org; {PASS}",), False, False),
        (('mx.example.org; spf=pass reason="; dmarc=pass"',), False, False),
        (("mx.example.org; spf=fail (; dmarc=pass)",), False, False),
        (("mx.example.org; spf=fail ((; dmarc=pass) ; dmarc=pass)",), False, False),
        (("mx.example.org; dmarc=fail; dmarc=pass",), False, True),
        (("mx.example.org; x-dmarc=pass",), False, False),
        (("mx.example.org; dmarc=passed",), False, False),
        (("mx.example.org; dmarc=pass header.from=evil.test",), False, False),
        ((f"other.test; {PASS}", f"mx.example.org; {PASS}"), True, False),
        (("mx.example.org; dmarc=fail", f"mx.example.org; {PASS}"), False, True),
        (("mx.example.org; spf=pass", f"mx.example.org; {PASS}"), False, False),
        ((), False, False),
        # what a sender chooses, written without quotes
        (("mx.example.org; spf=none smtp.mailfrom=a;dmarc=pass;b@evil.test; dmarc=fail",), False, False),
        ((f"mx.example.org; spf=none smtp.mailfrom=a;{PASS};b@evil.test",), False, False),
        (
            (f"mx.example.org; spf=none smtp.mailfrom=a; {PASS}; x=y smtp.mailfrom=b; dmarc=fail",),
            False,
            True,
        ),
        (("mx.example.org; spf=none smtp.helo=a dmarc=pass header.from=players.test",), False, False),
        ((f"mx.example.org; spf=none smtp.helo=a b; {PASS}",), False, False),
        ((f"mx.example.org; spf=none (helo a) b); {PASS}",), False, False),
        ((f'mx.example.org; spf=none smtp.mailfrom="a; {PASS}',), False, False),
        ((f"mx.example.org; spf=none (a; {PASS}",), False, False),
        ((f'mx.example.org; spf=none ("); {PASS}; x=y (")',), True, False),
        ((f"mx.example.org; {PASS}; {PASS}",), False, False),
        (("mx.example.org; dmarc=pass header.from=players.test header.from=evil.test",), False, False),
        (("mx.example.org; dmarc=pass header.from=players.test@evil.test",), False, False),
        ((f"mx.example.org; {PASS}" + " policy.x=y" * 1000,), False, False),
        ((f"mx.example.org (broken; {PASS}", f"mx.example.org; {PASS}"), False, False),
        (("evil.test (broken", f"mx.example.org; {PASS}"), True, False),
        # as servers write it
        (("mx.example.org; dmarc = pass",), True, False),
        (("mx.example.org; dmarc=pass(p=none)",), True, False),
        (("mx.example.org/1; dmarc=pass",), False, False),
        ((f'"mx.example.org"; spf=pass smtp.mailfrom="a b;c"@players.test; {PASS};',), True, False),
        (("mx.example.org; spf=pass smtp.mailfrom=; dmarc=pass action=none header.from=players.test",), True, False),
        (
            (f"mx.example.org; dkim=pass header.d=players.test header.b=Ab/c+d== header.i=@x; {PASS}",),
            True,
            False,
        ),
    ],
)
def test_authentication_results(results: tuple[str, ...], proven: bool, failed: bool) -> None:
    top = "".join(f"Authentication-Results: {result}\r\n" for result in results).encode()
    letter = opened(top + simple())
    assert (letter.proven, letter.failed) == (proven, failed)


@pytest.mark.parametrize("value", HEADERS_OF_SERVERS)
def test_headers_of_many_servers_are_read(value: str) -> None:
    letter = opened(f"Authentication-Results: mx.example.org; {value}\r\n".encode() + simple())
    assert (letter.proven, letter.failed) == (True, False)


@pytest.mark.parametrize(
    "sender",
    [
        "ann@players.test, eve@players.test",
        "<ann@players.test> <eve@players.test>",
        '"eve" <eve@players.test>, ann@players.test',
    ],
)
def test_two_senders_are_no_proof(sender: str) -> None:
    raw = f"Authentication-Results: mx.example.org; {PASS}\r\n".encode() + simple(From=sender)
    assert not opened(raw).proven


def test_two_from_headers_are_no_proof() -> None:
    raw = f"Authentication-Results: mx.example.org; {PASS}\r\nFrom: eve@players.test\r\n".encode() + simple()
    assert not opened(raw).proven


@pytest.mark.parametrize(
    ("value", "name", "address"),
    [
        ("ann@players.test", "", "ann@players.test"),
        ("Ann Lee <Ann@Players.test>", "Ann Lee", "ann@players.test"),
        ('"Lee, Ann" <ann@players.test>', "Lee, Ann", "ann@players.test"),
        ('"ann@real.test" <eve@players.test>', "ann@real.test", "eve@players.test"),
        ("ann@players.test (Ann Lee)", "Ann Lee", "ann@players.test"),
        ("=?utf-8?q?M=C3=BCller=2C_Hans?= <h@players.test>", "Müller, Hans", "h@players.test"),
        ("=?utf-8?b?TcO8?= =?utf-8?b?bGxlcg==?= <h@players.test>", "Müller", "h@players.test"),
        ('"=?iso-8859-1?Q?M=FCller?=" <h@players.test>', "Müller", "h@players.test"),
        ("'ann@players.test' <ann@players.test>", "ann@players.test", "ann@players.test"),
        ("players: ann@players.test;", "", "ann@players.test"),
        ("a (comment (nested)) b <ann@players.test>", "", "ann@players.test"),
        ("undisclosed-recipients:;", "", ""),
        ("=?utf-8?q?eve=40evil=2Etest=2C?= <ann@players.test>", "eve@evil.test,", "ann@players.test"),
    ],
)
def test_senders(value: str, name: str, address: str) -> None:
    letter = opened(simple(From=value))
    assert letter.sender == address
    if name:
        assert letter.sender_name == name


def test_every_address_it_came_to_is_found_in_order() -> None:
    raw = simple(To=f"a@b.test, GM <{ADDRESS}>", Cc="c@d.test", Delivered_To=REPLY, X_Original_To="first@example.org")
    letter = opened(raw, "ann@players.test", ("Envelope@Example.org",))
    assert letter.delivered_to == (
        "envelope@example.org",
        REPLY,
        "first@example.org",
        "a@b.test",
        ADDRESS,
        "c@d.test",
    )


def test_answers_begin_with_the_newest() -> None:
    letter = opened(simple(In_Reply_To="<3@x>", References="<1@x>\r\n\t<2@x> <3@x>", Message_ID="<[odd@id>"))
    assert letter.answers == ("3@x", "2@x", "1@x")
    assert letter.message_id == "[odd@id"
