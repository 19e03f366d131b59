"""A signature of the From domain proves the sender, if it covers enough, is of these days and meant for us."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from msgspec.structs import replace
from support.mail.mail_samples import ADDRESS, REPLY, TOKEN, opened, ours, row, simple
from support.mail.signed_letters import FASTMAIL, GMAIL, GMX, ICLOUD, OUTLOOK, YAHOO, DnsDouble, key_record, sign

from gm.game.model.records import Letter
from gm.mail.message.dkim_keys import DEBT_MOST, KEPT, MISSED, REPAID, DkimKeys
from gm.mail.message.dkim_signatures import prove_by_signature

NAME = "s1._domainkey.players.test"
OTHER = f"gm+kiel.{TOKEN[::-1]}@example.org"
PLAIN = {"MIME-Version": "1.0", "Content-Type": 'text/plain; charset="utf-8"'}
LETTER = simple(**PLAIN)


def names_game(address: str) -> bool:
    return address.partition("@")[0] != "gm"


def read(
    raw: bytes,
    dns: DnsDouble | None = None,
    envelope_to: tuple[str, ...] = (),
    received_at: datetime | None = None,
    keys: DkimKeys | None = None,
) -> Letter:
    dns = dns or DnsDouble({NAME: key_record()})
    stored = row(raw, "", envelope_to)
    stored = replace(stored, received_at=received_at or stored.received_at)
    return prove_by_signature(stored, opened(raw, "", envelope_to), keys or dns.keys(), ours, names_game)


@pytest.mark.parametrize("headers", [GMAIL, OUTLOOK, FASTMAIL, YAHOO, ICLOUD, GMX])
@pytest.mark.parametrize("canonical", [("relaxed", "relaxed"), ("relaxed", "simple"), ("simple", "simple")])
def test_a_signature_as_providers_make_it_proves_the_sender(
    headers: tuple[str, ...], canonical: tuple[str, str]
) -> None:
    letter = read(sign(LETTER, headers=headers, canonical=canonical))
    assert letter.proven
    assert letter.signature.startswith("players.test ")


def test_it_survives_what_mail_servers_do() -> None:
    raw = sign(LETTER)
    assert read(b"Received: from a by b\r\nDelivered-To: gm@example.org\r\n" + raw).proven
    assert read(raw.replace(b"\r\n", b"\n")).proven
    assert read(raw + b"\r\n\r\n\r\n").proven
    assert read(raw.replace(b"A Par - Bur", b"A Par  -\tBur ")).proven
    assert read(sign(sign(LETTER, "relay.test"))).proven
    assert read(sign(sign(LETTER), "relay.test")).proven


@pytest.mark.parametrize(
    "changed",
    [
        LETTER,
        sign(LETTER).replace(b"A Par - Bur", b"A Par - Pic"),
        sign(LETTER).replace(b"orders", b"status"),
        sign(LETTER).replace(b"ann@players.test>", b"bob@players.test>"),
        sign(LETTER).replace(b"2026", b"2027"),
        sign(LETTER) + b"A Mar - Spa\r\n",
        # headers that the signature does not cover, or that are there twice
        b"From: eve@players.test\r\n" + sign(LETTER),
        b"Subject: status\r\n" + sign(LETTER, headers=ICLOUD),
        b"To: gm+kiel.x@example.org\r\n" + sign(LETTER, headers=ICLOUD),
        b'Content-Type: multipart/mixed; boundary="b"\r\n' + sign(LETTER),
        sign(LETTER, headers=("from", "to", "subject")),
        sign(LETTER, headers=("from", "to", "date")),
        sign(LETTER, headers=("from", "date", "subject", "message-id")),
        # weak signatures
        sign(LETTER, length=True),
        sign(LETTER, algorithm="rsa-sha1"),
        sign(LETTER, key="rsa-512"),
        sign(LETTER, key="other"),
        # other domains
        sign(LETTER, "evil.test"),
        sign(LETTER, "players.test.evil.test"),
        sign(LETTER, "test"),
        sign(simple(From="Ann <ann@players.test>, Eve <eve@players.test>", **PLAIN)),
        sign(simple(From="ann@players.test <eve@evil.test>", **PLAIN)),
        # our reading of the letter is not the signature's
        sign(LETTER).replace(b"\r\n\r\n", b"\r\n" + b"X" * 101 + b":\r\n A Mar - Spa\r\n\r\n"),
        b"X-A: b\rFrom: bob@players.test\r\r\r\n" + sign(LETTER),
        b"X-A: b\0\r\n" + sign(LETTER),
        b"X: y\r\n" * 3000 + sign(LETTER),
        sign(simple(To=REPLY + ", a@b.test" * 900, **PLAIN)),
        b"X-A: b\r\n" * 9000 + sign(LETTER),
        # nonsense
        b"DKIM-Signature: v=1\r\n" + LETTER,
        b"DKIM-Signature: \xff\r\n" + LETTER,
        sign(LETTER).replace(b"b=", b"b=b="),
        sign(LETTER).replace(b"s=s1;", b"s=s1; s=s1;"),
        sign(LETTER).replace(b"bh=", b" " * 40 + b"bh="),
    ],
)
def test_any_defect_of_a_signature_proves_nothing(changed: bytes) -> None:
    dns = DnsDouble(
        {f"s1._domainkey.{domain}": key_record() for domain in ("players.test", "evil.test", "players.test.evil.test")}
    )
    letter = read(changed, dns)
    assert (letter.proven, letter.signature) == (False, "")


def test_an_old_signature_expires() -> None:
    """dkimpy compares with the clock of the machine, we with the arrival of the letter."""
    now = datetime.now(UTC)
    letter = simple(Date=format_datetime(now), **PLAIN)
    for hours, proven in ((1, True), (-1, False)):
        until = int((now + timedelta(hours=hours)).timestamp())
        assert read(sign(letter, until=until), received_at=now).proven is proven
    assert not read(sign(letter, until=0), received_at=now).proven


@pytest.mark.parametrize(
    ("record", "proven"),
    [
        (key_record(flags="t=s; "), True),
        (key_record(flags="h=sha1:sha256; s=email; n=a note; "), True),
        (key_record(flags="t=y; "), False),
        (key_record(flags="h=sha1; "), False),
        (key_record(flags="s=tlsrpt; "), False),
        (b"v=DKIM1; p=", False),
        (b"v=DKIM1; k=rsa; p=AAAA", False),
        (b"v=DKIM2; p=" + key_record().partition(b"p=")[2], False),
        (b"\xff\xfep=", False),
        (key_record() + b"; n=" + b"x" * 1_000, False),
    ],
)
def test_keys(record: bytes, proven: bool) -> None:
    assert read(sign(LETTER), DnsDouble({NAME: record})).proven is proven


def test_a_key_of_a_domain_alone_signs_for_no_other_below_it() -> None:
    raw = sign(LETTER, identity="@mail.players.test")
    assert read(raw).proven
    assert not read(raw, DnsDouble({NAME: key_record(flags="t=s; ")})).proven


@pytest.mark.parametrize(
    ("sender", "domain", "aligned"),
    [
        ("ann@players.test", "PLAYERS.test", True),
        ("ann@mail.players.test", "players.test", True),
        ("ann@players.test", "news.players.test", True),
        ("ann@a.players.co.uk", "b.players.co.uk", True),
        ("ann@players.co.uk", "other.co.uk", False),
        ("ann@players.co.uk", "co.uk", False),
        ("ann@alice.github.io", "bob.github.io", False),
        ("ann@alice.github.io", "github.io", False),
        ("ann@players.test", "aplayers.test", False),
        ("ann@müller.test", "xn--mller-kva.test", True),
    ],
)
def test_alignment_is_that_of_dmarc(sender: str, domain: str, aligned: bool) -> None:
    raw = sign(simple(From=sender, **PLAIN), domain)
    dns = DnsDouble({f"s1._domainkey.{domain.lower()}": key_record()})
    assert read(raw, dns).proven is aligned
    assert bool(dns.asked) is aligned


# ---- a letter that is sent again


@pytest.mark.parametrize(("days", "proven"), [(0, True), (2, True), (4, False), (30, False), (-0.5, True), (-2, False)])
def test_a_letter_is_of_these_days(days: float, proven: bool) -> None:
    received_at = datetime(2026, 11, 20, 10, tzinfo=UTC) + timedelta(days=days)
    assert read(sign(LETTER), received_at=received_at).proven is proven


@pytest.mark.parametrize("date", ["yesterday", "", "Fri, 99 Nov 2026 10:00 +0000", "Fri, 20 Nov 99999 10:00 +0000"])
def test_a_letter_without_a_date_proves_nothing(date: str) -> None:
    assert not read(sign(simple(Date=date, **PLAIN))).proven


@pytest.mark.parametrize("headers", [GMAIL, OUTLOOK])
def test_a_letter_proves_its_sender_to_those_it_was_written_to(headers: tuple[str, ...]) -> None:
    raw = sign(LETTER, headers=headers)
    assert read(raw, envelope_to=(REPLY,)).proven
    assert read(raw, envelope_to=(ADDRESS,)).proven  # the mailbox that the reply addresses belong to
    assert not read(raw, envelope_to=(OTHER,)).proven
    assert not read(f"Delivered-To: {OTHER}\r\n".encode() + raw).proven
    private = sign(simple(To="bob@players.test", **PLAIN), headers=headers)
    assert not read(private, envelope_to=(ADDRESS,)).proven
    assert not read(f"X-Original-To: {REPLY}\r\n".encode() + private).proven


def test_a_copy_counts_if_it_is_signed() -> None:
    raw = sign(simple(To="bob@players.test", Cc=REPLY, **PLAIN))
    assert read(raw, envelope_to=(REPLY,)).proven
    unsigned = sign(simple(To="bob@players.test", Cc=REPLY, **PLAIN), headers=ICLOUD)
    assert not read(unsigned, envelope_to=(REPLY,)).proven


def test_a_fingerprint_stays_whatever_is_changed_that_is_not_signed() -> None:
    raw = sign(LETTER, headers=YAHOO)
    again = raw.replace(b"<1@players.test>", b"<2@players.test>").replace(b"- Bur", b"-  Bur")
    assert read(again).proven
    assert read(again).signature == read(raw).signature
    assert read(sign(simple("A Par - Pic", **PLAIN))).signature != read(raw).signature


# ---- DNS


def test_dns_in_trouble_proves_nothing_and_is_left_alone_for_a_while() -> None:
    dns = DnsDouble({NAME: None})
    keys = dns.keys()
    assert not read(sign(LETTER), keys=keys).proven
    dns.records[NAME] = key_record()
    assert not read(sign(LETTER), keys=keys).proven
    assert dns.asked == [NAME]
    dns.clock += MISSED
    assert read(sign(LETTER), keys=keys).proven


def test_a_key_is_asked_for_once_an_hour() -> None:
    dns = DnsDouble({NAME: key_record()})
    keys = dns.keys()
    assert all(read(sign(LETTER), keys=keys).proven for _ in range(3))
    dns.clock += KEPT
    assert read(sign(LETTER), keys=keys).proven
    assert dns.asked == [NAME, NAME]


def test_slow_name_servers_take_a_tenth_of_the_time_at_most() -> None:
    """However many domains a flood names, letters go on being read."""
    dns = DnsDouble({})
    dns.seconds = 60
    keys = dns.keys()
    began = dns.clock
    for number in range(1_000):
        keys.record("s1", f"d{number}.test")
        dns.clock += 0.05
    assert (dns.clock - began) - 50 <= DEBT_MOST + REPAID * (dns.clock - began)


def test_one_letter_waits_no_longer_for_many_keys() -> None:
    dns = DnsDouble({})
    dns.seconds = 1
    raw = LETTER
    for number in range(3):
        raw = sign(raw).replace(b"s=s1;", b"s=s%d;" % number, 1)
    read(raw, dns)
    assert dns.clock - 1000 <= DEBT_MOST * (1 + REPAID)


def test_no_look_up_for_what_cannot_prove_anything() -> None:
    dns = DnsDouble({NAME: key_record()})
    read(LETTER, dns)
    read(sign(LETTER, "evil.test"), dns)
    read(sign(simple(**PLAIN, **{"Auto-Submitted": "auto-replied"})), dns)
    read(sign(LETTER, length=True), dns)
    read(sign(LETTER).replace(b"s=s1;", b"s=a b;"), dns)
    read(sign(LETTER).replace(b"s=s1;", b"s=" + b"x" * 300 + b";"), dns)
    assert dns.asked == []


def test_aligned_signatures_are_tried_a_few_times() -> None:
    dns = DnsDouble({f"s{number}._domainkey.players.test": b"" for number in range(9)})
    raw = LETTER
    for number in range(9):
        raw = sign(raw).replace(b"s=s1;", b"s=s%d;" % number, 1)
    read(raw, dns)
    assert len(dns.asked) == 3


@pytest.mark.parametrize(
    "body",
    [b" " * 900_000 + b"x", b"\r\n" * 450_000, b"x \r\n" * 200_000, (b" " * 5_000 + b"x\r\n") * 180, b"\r" * 900_000],
)
@pytest.mark.parametrize("canonical", [("relaxed", "relaxed"), ("simple", "simple")])
def test_no_body_is_slow(body: bytes, canonical: tuple[str, str]) -> None:
    """A hang guard: dkimpy's own patterns would take hours for the first."""
    head, _, _ = sign(LETTER, canonical=canonical).partition(b"\r\n\r\n")
    assert not read(head + b"\r\n\r\n" + body).proven


@pytest.mark.parametrize("blank", [b" ", b"\r\n "])
def test_no_signature_is_slow(blank: bytes) -> None:
    for mark in (b"; b=", b"; h=", b"; bh="):
        read(sign(LETTER).replace(mark, mark + blank * 1_300 + b"x", 1))
        read(sign(LETTER).replace(mark, mark + (blank * 16 + b"x") * 80, 1))
