"""Letters made to cost: each is opened in a process with little memory, within seconds, and never raises."""

from __future__ import annotations

import base64
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.mail.mail_samples import opened, simple, survives
from support.paths import MAIL_LETTERS, ROOT, TESTS

from gm.mail.incoming import received
from gm.mail.message import charset, format_flowed, headers, html_to_lines, quotes

HEAD = b"From: ann@players.test\nTo: gm@example.org\nMessage-ID: <1@x>\n"
MEGABYTE = 1_000_000
TEXT = HEAD + b"Content-Type: text/plain; charset=utf-8\n\n"
PAGE = HEAD + b"Content-Type: text/html; charset=utf-8\n\n"


def nested(depth: int) -> bytes:
    opening = b"".join(
        b'Content-Type: multipart/mixed; boundary="b%d"\n\n--b%d\n' % (level, level) for level in range(depth)
    )
    return HEAD + opening + b"\nA Par - Bur\n"


def many_parts(count: int) -> bytes:
    return HEAD + b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--b\n\nx\n" * count + b"--b--\n"


HOSTILE = {
    "message id that crashes policy.default": HEAD.replace(b"<1@x>", b"<[a@b") + b"\nA Par - Bur\n",
    "20,000 encoded words": HEAD + b"Subject: " + b"=?utf-8?q?=C3=A4?= " * 20_000 + b"\n\nA Par - Bur\n",
    "20,000 addresses": HEAD.replace(b"gm@example.org", b"a@b.c, " * 20_000) + b"\nx\n",
    "5,000 brackets": HEAD.replace(b"gm@example.org", b"(" * 5_000 + b" a@b.c") + b"\nx\n",
    "endless header": HEAD + b"X-Long: " + b"x" * MEGABYTE + b"\n\nx\n",
    "100,000 headers": HEAD + b"X: y\n" * 100_000 + b"\nA Par - Bur\n",
    "100,000 folded lines": HEAD + b"X: y\n" + b" z\n" * 300_000 + b"\nA Par - Bur\n",
    "100,000 parameters": HEAD + b"Content-Type: text/plain" + b"; a=b" * 100_000 + b"\n\nx\n",
    "parameters of an inner part": HEAD
    + b"Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: multipart/mixed"
    + b';a="' * 200_000
    + b"\n\nx\n--b--\n",
    "2,000 nested multiparts": nested(2_000),
    "30,000 nested multiparts": nested(20_000),
    "100,000 parts": many_parts(100_000),
    "nested messages": HEAD + b"Content-Type: message/rfc822\n\n" * 30_000 + b"x",
    "attached letters of many parts": HEAD
    + b"Content-Type: multipart/mixed; boundary=b\n\n"
    + (b"--b\nContent-Type: message/rfc822\n\n" + many_parts(1_200)) * 95,
    "a returned header without end": TEXT + b"Received: x\n" + b"To: a@b.c\n x\n" * 60_000,
    "digest of digests": HEAD + b"Content-Type: multipart/digest; boundary=b\n\n" + b"--b\n\n" * 100_000,
    "boundary that is everywhere": HEAD + b"Content-Type: multipart/mixed; boundary=-\n\n" + b"---\n" * 250_000,
    "boundary of blanks": HEAD
    + b"Content-Type: multipart/mixed; boundary=b\n\n"
    + (b"--b" + b" " * 5_000 + b"x\n") * 180,
    "rot13": HEAD + b"Content-Type: text/plain; charset=rot13\n\n" + b"x" * MEGABYTE,
    "punycode": HEAD + b"Content-Type: text/plain; charset=punycode\n\n" + b"x" * MEGABYTE,
    "idna": HEAD + b"Content-Type: text/plain; charset=idna\n\n" + b"x." * 400_000,
    "raw 8-bit From": HEAD.replace(b"ann@", b"\xe4\xff <ann@").replace(b"test\n", b"test>\n") + b"\nx\n",
    "bad base64": HEAD + b"Content-Transfer-Encoding: base64\n\n" + b"=A=B" * 200_000,
    "quoted-printable of equals": HEAD + b"Content-Transfer-Encoding: quoted-printable\n\n" + b"=" * MEGABYTE,
    "base64 of zeros": HEAD + b"Content-Transfer-Encoding: base64\n\n" + base64.encodebytes(bytes(700_000)),
    "one line of On": TEXT + b"On " * 33_000,
    "ten lines of On": TEXT + (b"On " * 30_000 + b"\n") * 10,
    "200 kB of blanks": TEXT + b" " * 200_000,
    "blanks and a word": TEXT + (b" " * 1_000 + b"x\n") * 900,
    "a megabyte of newlines": TEXT + b"\n" * MEGABYTE,
    "5,000 lines On Mon wrote": TEXT + b"On Mon 10:00 x@y wrote\n" * 5_000,
    "5,000 attributions": TEXT + b"On Mon 20 Nov 2026 10:00 x@y wrote:\n" * 20_000,
    "attributions apart": TEXT + b"On Mon wrote:\n\n\n\n\n\n\n\n\n" * 40_000,
    "50,000 From lines": TEXT + b"From: x\n" * 50_000,
    "From lines and labels": TEXT + b"From: x@y\nTo: y\n" * 50_000,
    "quote marks": TEXT + b">" * MEGABYTE,
    "lines of quote marks": TEXT + b"> " * 100 + b"\n" * 9_000,
    "rules": TEXT + b"_" * 500_000 + b"\n" + b"-" * 499_000,
    "lines of rules": TEXT + (b"-" * 70 + b"\n") * 14_000,
    "dashes and words": TEXT + b"--- a --- b --- c ---\n" * 40_000,
    "Ref lines": TEXT + b"Ref: ostend S1901M\n" * 50_000,
    "Ref with blanks": TEXT + b"Ref:" + b" " * 900_000 + b"x",
    "sent from my": TEXT + b"Sent from my iPhone\n" * 45_000,
    "disclaimers": TEXT + b"This message is confidential\n" * 30_000,
    "disclaimers that are none": TEXT + b"This message is for the king and his horse\n" * 22_000,
    "disclaimers and quotes": TEXT + b"Confidential\n\n> x\n" * 50_000,
    "initials": TEXT + b"Abc> x\n" * 120_000,
    "attributions with words after": TEXT + b"On 20.11.26 09:00 a@b wrote; and then\n" * 25_000,
    "attributions on one line": TEXT + b"On 20.11.26 09:00 a@b wrote: x\n" * 30_000,
    "labels without sender": TEXT + b"To: x\nDate: 20.11.26\n" * 45_000,
    "senders with strays": TEXT + b"From: x\nstray\n" * 60_000,
    "dashes with dates": TEXT + b"--- On 20.11.2026 09:00 x wrot ---\n" * 25_000,
    "phones": TEXT + b"Sent from my pigeon of the mobil and hand\n" * 22_000,
    "a page that calls itself plain": TEXT + b"<html>" + b"<div>" * 150_000,
    "flowed": HEAD + b"Content-Type: text/plain; format=flowed\n\n" + b"x \n" * 300_000,
    "flowed one paragraph of quotes": HEAD + b"Content-Type: text/plain; format=flowed\n\n" + b"> x \n" * 180_000,
    "pgp headers without end": TEXT + b"-----BEGIN PGP SIGNED MESSAGE-----\n" * 25_000,
    "bold": PAGE + b"<b>x</b>" * 110_000,
    "20,000 nested div": PAGE + b"<div>" * 20_000 + b"A Par - Bur",
    "180,000 nested div": PAGE + b"<div>" * 180_000,
    "nested lists": PAGE + b"<ul><li>" * 100_000,
    "nested tables": PAGE + b"<table><tr><td>" * 60_000,
    "nested blockquotes": PAGE + b"<blockquote>" * 700 + b"<p>x</p>" * 120_000,
    "paragraphs": PAGE + b"<p>" * 300_000,
    "attributes": PAGE + b"<div " + b" ".join(b"a%d=1" % number for number in range(80_000)) + b">x",
    "quoted attributes": PAGE + b"<div " + b" ".join(b"a%d='>'" % number for number in range(60_000)) + b">x",
    "tags without end": PAGE + b"<div " * 180_000,
    "quotes without end": PAGE + b'<div a="' * 100_000,
    "comments without end": PAGE + b"<!--" * 240_000,
    "scripts without end": PAGE + b"<script" * 130_000,
    "formatting that multiplies": PAGE
    + b"".join(b"<b a=%d>" % number for number in range(20_000))
    + b"<p>x</p>" * 20_000,
    "other formatting that multiplies": PAGE
    + b"".join(b"<ins a=%d><font size=%d>" % (number, number) for number in range(790))
    + b"<p>x" * 120_000,
    "less-than signs": PAGE + b"<" * 900_000,
    "entities": PAGE + b"&amp;" * 190_000,
    "line breaks": PAGE + b"<br>" * 240_000,
    "data URI": PAGE + b'<img src="data:image/png;base64,' + b"A" * 900_000 + b'">A Par - Bur',
    "style that hides": PAGE + b'<p style="' + b"display" * 100_000 + b'">A Par - Bur</p>',
    "anchors": PAGE + b"<a href=x>y" * 80_000,
    "select": PAGE + b"<select><option>" * 55_000,
    "frameset and plaintext": PAGE + b"<frameset><plaintext>" * 40_000,
    "zeros": bytes(MEGABYTE),
    "high bytes": b"\xff" * MEGABYTE,
    "carriage returns": b"\r" * MEGABYTE,
    "colons": b":" * MEGABYTE,
    "authentication results": HEAD + b"Authentication-Results: mx.example.org; " + b'("' * 4_000 + b"\n\nx",
    "received": HEAD + b"Received: from x\n" * 50_000 + b"\nx",
    "delivery status": HEAD
    + b"Content-Type: multipart/report; boundary=b\n\n--b\nContent-Type: message/delivery-status\n\n"
    + b"Action: delayed\n" * 50_000,
}

NURSERY = """
import os, resource, signal, sys, time, traceback
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from support.mail.mail_samples import opened, row
from gm.mail.incoming.received import Received, content_key

def kilobytes(what):
    # getrusage would count the memory of the process that this one was forked from.
    return int(next(line for line in open("/proc/self/status") if line.startswith(what)).split()[1])

def one(raw):
    at_first = kilobytes("VmRSS")
    resource.setrlimit(resource.RLIMIT_CPU, (20, 20))
    signal.alarm(60)
    started = time.process_time()
    letter = opened(raw, max_bytes=2_000_000)
    content_key(Received(raw, row(b"").received_at, "test"))
    took = time.process_time() - started
    assert sum(len(line) + 1 for _, line in letter.lines) <= 70_000, "too many words"
    assert len(letter.lines) <= 2_000 and all(len(line) <= 1_000 for _, line in letter.lines)
    # As of a process of its own: a fork does not count the pages of libraries until it uses them.
    return f"{took:.2f} {(alone + kilobytes('VmHWM') - at_first) // 1024}"

opened(b"From: a@b\\n\\nwarm")
alone = kilobytes("VmHWM")
for line in sys.stdin:
    path = Path(line.rstrip())
    child = os.fork()
    if child == 0:
        code = 1
        try:
            told = one(path.read_bytes())
            code = 0
        except BaseException:
            told = traceback.format_exc()
        path.with_suffix(".told").write_text(told)
        os._exit(code)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""
"""Opens each letter it is told of in a process of its own, which has read our program already."""


@pytest.fixture(scope="module")
def nursery() -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [sys.executable, "-c", NURSERY, str(TESTS)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    ) as process:
        yield process


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_letter_costs_little(name: str, nursery: subprocess.Popen[str], tmp_path: Path) -> None:
    """The allowance is 2 s and 200 MB: the process ends itself at ten times the first, the second is held exactly."""
    path = tmp_path / "letter.eml"
    path.write_bytes(HOSTILE[name])
    assert nursery.stdin is not None
    assert nursery.stdout is not None
    nursery.stdin.write(f"{path}\n")
    nursery.stdin.flush()
    code = int(nursery.stdout.readline())
    report = path.with_suffix(".told")
    assert code == 0, report.read_text() if report.exists() else f"it was ended by signal {-code}"
    _, megabytes = report.read_text().split()
    assert int(megabytes) < 200


def test_readable_parts_of_a_broken_letter_are_read() -> None:
    for name in ("message id that crashes policy.default", "100,000 headers", "data URI", "20,000 encoded words"):
        assert [line for _, line in opened(HOSTILE[name]).lines] == ["A Par - Bur"], name
    assert opened(HOSTILE["2,000 nested multiparts"]).refused == "too large"
    assert opened(HOSTILE["100,000 parts"]).refused == "too large"
    assert opened(HOSTILE["5,000 brackets"]).delivered_to == ("a@b.c",)


def test_over_the_size_cap_the_headers_are_still_read() -> None:
    letter = opened(simple(body="x" * 20_000, subject="big"), max_bytes=10_000)
    assert (letter.refused, letter.subject, letter.lines) == ("too large", "big", ())
    cut = received.headers_only(simple(body="x" * 20_000, subject="big"))
    assert len(cut) < 500
    assert opened(cut).refused == "too large"
    assert opened(cut).delivered_to == letter.delivered_to


def test_words_beyond_the_caps_are_counted() -> None:
    letter = opened(TEXT + b"A Par - Bur\n" * 2_500)
    assert len(letter.lines) == 2_000
    assert dict(letter.other_ignored) == {"beyond": 500}
    letter = opened(TEXT + b"word " * 1_000)
    assert " ".join(line for _, line in letter.lines).split() == ["word"] * 1_000
    assert {number for number, _ in letter.lines} == {1}


LETTERS = sorted(MAIL_LETTERS.glob("*.eml"))
SNIPPETS = [b"--", b"\n", b"\n\n", b"=?", b'"', b"<", b"(", b";", b"\0"]
LABELS = ["utf-8", "ascii", "latin-1", "gb2312", "utf-16", "utf-7", "hz", "big5", "x", "\0", "é"]
MORE = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@MORE
@given(st.binary(max_size=3_000))
def test_no_bytes_make_it_raise(raw: bytes) -> None:
    survives(raw)


@MORE
@given(st.sampled_from(LETTERS), st.data())
def test_no_mutation_of_a_letter_makes_it_raise(path: Path, data: st.DataObject) -> None:
    raw = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 6))):
        start = data.draw(st.integers(0, len(raw)))
        end = data.draw(st.integers(start, min(len(raw), start + 80)))
        raw[start:end] = data.draw(
            st.one_of(
                st.binary(max_size=20), st.sampled_from([b"--", b"\n", b"\n\n", b"=?", b'"', b"<", b"(", b";", b"\0"])
            )
        )
    survives(bytes(raw))


@MORE
@given(st.text(max_size=400))
def test_no_text_makes_a_part_of_it_raise(text: str) -> None:
    headers.parse_addresses(text)
    headers.decode_words(text)
    html_to_lines.html_to_lines(text)
    format_flowed.unflow(text.split("\n"), delete_space=True)
    lines = text.split("\n")
    assert len(quotes.cut_quotes(lines).kinds) == len(lines)


@MORE
@given(
    st.binary(max_size=200),
    st.sampled_from(["utf-8", "ascii", "latin-1", "gb2312", "utf-16", "utf-7", "hz", "big5", "x", "\0", "é"]),
)
def test_any_bytes_decode_in_any_charset(raw: bytes, label: str) -> None:
    charset.normalize_text(charset.decode(raw, label)).encode("utf-8")


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters=" \r\n>"), min_size=1, max_size=8), min_size=1))
def test_flowed_text_is_put_together_again(words: list[str]) -> None:
    long = [f"{'x' * 50} {word}" for word in words]
    assert format_flowed.unflow([*(f"{line} " for line in long[:-1]), long[-1]], delete_space=False) == [" ".join(long)]


def test_a_blank_typed_after_an_order_joins_no_lines() -> None:
    lines = ["A Par - Bur ", "A Mar - Spa ", "READY ", "", "> A Bel H ", "> A Hol H"]
    assert format_flowed.unflow(lines, delete_space=False) == lines
