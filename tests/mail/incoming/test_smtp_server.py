"""The embedded server by real sockets: 250 only after the commit, one LMTP reply for each recipient, bounded memory."""

from __future__ import annotations

import asyncio
import contextlib
import smtplib
import socket
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import Literal

import pytest
from support.mail.mail_samples import ADDRESS, REPLY, opened, simple, until

from gm.config import ListenConfig
from gm.errors import GmError, Unavailable
from gm.mail.incoming.received import Received
from gm.mail.incoming.smtp_server import SmtpServer


class Store:
    def __init__(self) -> None:
        self.letters: list[Received] = []
        self.commits: list[int] = []
        self.poison = b""
        self.entangled = False
        self.fault: Exception | None = None
        self.gate = threading.Event()
        self.gate.set()

    def accept(self, *letters: Received) -> None:
        self.gate.wait(20)
        if self.fault is not None:
            raise self.fault
        if self.poison and any(self.poison in letter.raw for letter in letters):
            raise ValueError("a letter of its own kind")
        if self.entangled and len(letters) > 1:
            raise Unavailable("two transactions waited for each other, one was given up")
        self.commits.append(len(letters))
        self.letters += letters

    def known(self, address: str) -> bool:
        if isinstance(self.fault, Unavailable):
            raise self.fault
        return address.startswith("gm") and address.endswith("@example.org")


@pytest.fixture
def store() -> Store:
    return Store()


@pytest.fixture(params=["smtp", "lmtp"])
def server(request: pytest.FixtureRequest, store: Store) -> Iterator[SmtpServer]:
    yield from started(ListenConfig(port=0, protocol=request.param), store)


@pytest.fixture
def lmtp(store: Store) -> Iterator[SmtpServer]:
    yield from started(ListenConfig(port=0, protocol="lmtp"), store)


@pytest.fixture
def smtp(store: Store) -> Iterator[SmtpServer]:
    yield from started(ListenConfig(port=0, protocol="smtp"), store)


def started(settings: ListenConfig, store: Store) -> Iterator[SmtpServer]:
    server = SmtpServer(settings, store.accept, store.known, max_bytes=100_000)
    server.start()
    try:
        yield server
    finally:
        server.stop()


def client(server: SmtpServer) -> smtplib.SMTP:
    kind = smtplib.LMTP if server._settings.protocol == "lmtp" else smtplib.SMTP
    return kind("127.0.0.1", server.port, timeout=20)


class Talk:
    """A dialogue typed by hand."""

    def __init__(self, server: SmtpServer, greeting: str) -> None:
        self.socket = socket.create_connection(("127.0.0.1", server.port), 20)
        self.lines = self.socket.makefile("rb")
        self.read()
        self(greeting)

    def __call__(self, line: str) -> str:
        self.socket.sendall(f"{line}\r\n".encode())
        return self.read()

    def read(self) -> str:
        while True:
            line = self.lines.readline().decode()
            if line[3:4] != "-":
                return line.strip()

    def close(self) -> None:
        self.lines.close()
        self.socket.close()

    def __enter__(self) -> Talk:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def test_a_letter_is_kept_with_its_envelope(server: SmtpServer, store: Store) -> None:
    with client(server) as connection:
        connection.sendmail("ann@players.test", [REPLY.upper()], simple())
    (letter,) = store.letters
    assert letter.raw == simple()
    assert letter.envelope_from == "ann@players.test"
    assert letter.envelope_to == (REPLY,)
    assert letter.account == server._settings.protocol


def test_the_null_sender_is_recognized(server: SmtpServer, store: Store) -> None:
    with client(server) as connection:
        connection.sendmail("", [ADDRESS], simple())
    assert store.letters[0].envelope_from == "<>"


def test_250_comes_only_after_the_commit(server: SmtpServer, store: Store) -> None:
    store.gate.clear()
    answers: list[object] = []

    def send() -> None:
        with client(server) as connection:
            answers.append(connection.sendmail("ann@players.test", [ADDRESS], simple()))

    sender = threading.Thread(target=send)
    sender.start()
    time.sleep(0.2)
    assert answers == []
    assert store.letters == []
    store.gate.set()
    sender.join(20)
    assert answers == [{}]
    assert len(store.letters) == 1


def test_letters_that_come_during_a_commit_share_the_next(server: SmtpServer, store: Store) -> None:
    store.gate.clear()
    answers = sending(server, [simple(f"letter {number}") for number in range(4)])
    store.gate.set()
    assert [answer.get(timeout=20) for answer in answers] == [{}] * 4
    assert len(store.letters) == 4
    assert store.commits == [1, 3]


def test_a_letter_that_cannot_be_kept_takes_no_other_with_it(server: SmtpServer, store: Store) -> None:
    store.gate.clear()
    store.poison = b"letter 2"
    answers = sending(server, [simple(f"letter {number}") for number in range(4)])
    store.gate.set()
    results = [answer.get(timeout=20) for answer in answers]
    assert [answer == {} for answer in results] == [True, True, False, True]
    assert len(store.letters) == 3


def test_letters_whose_commits_waited_for_each_other_are_kept_one_by_one(server: SmtpServer, store: Store) -> None:
    store.gate.clear()
    store.entangled = True
    answers = sending(server, [simple(f"letter {number}") for number in range(4)])
    store.gate.set()
    assert [answer.get(timeout=20) for answer in answers] == [{}] * 4
    assert store.commits == [1] * 4


def test_letters_wait_once_for_a_store_that_is_away(store: Store) -> None:
    tries: list[int] = []

    def away(*letters: Received) -> None:
        tries.append(len(letters))
        store.gate.wait(20)
        raise Unavailable("away")

    store.gate.clear()
    server = SmtpServer(ListenConfig(port=0, protocol="smtp"), away, store.known, max_bytes=100_000)
    server.start()
    answers = sending(server, [simple(f"letter {number}") for number in range(4)])
    store.gate.set()
    results = [answer.get(timeout=20) for answer in answers]
    server.stop()
    assert [error.smtp_code for error in results if isinstance(error, smtplib.SMTPDataError)] == [451] * 4
    assert tries == [1, 3, 1]


def _under_way(server: SmtpServer, letters: int) -> bool:
    return len(server._handler._busy) >= letters


def sending(server: SmtpServer, letters: list[bytes]) -> list[SimpleQueue[object]]:
    """Each over a connection of its own, all under way when it returns; what became of each."""
    answers: list[SimpleQueue[object]] = [SimpleQueue() for _ in letters]

    def send(letter: bytes, answer: SimpleQueue[object]) -> None:
        with client(server) as connection:
            try:
                answer.put(connection.sendmail("ann@players.test", [ADDRESS], letter))
            except smtplib.SMTPException as error:
                answer.put(error)

    for number, pair in enumerate(zip(letters, answers, strict=True), 1):
        threading.Thread(target=send, args=pair, daemon=True).start()
        until(partial(_under_way, server, number))
    return answers


@pytest.mark.parametrize("fault", [Unavailable("locked"), RuntimeError("a fault\nof ours"), ValueError()])
def test_without_a_commit_it_is_451(server: SmtpServer, store: Store, fault: Exception) -> None:
    with client(server) as connection:
        connection.ehlo_or_helo_if_needed()
        connection.mail("ann@players.test")
        code, _ = connection.rcpt(ADDRESS)
        if isinstance(fault, Unavailable):
            store.fault = fault
            assert connection.rcpt(ADDRESS)[0] == 451
        assert code == 250
        store.fault = fault
        assert connection.data(simple())[0] == 451
    assert store.letters == []


def test_unknown_recipients_are_refused_at_once(server: SmtpServer, store: Store) -> None:
    with client(server) as connection:
        refused = connection.sendmail("ann@players.test", ["nobody@example.org", ADDRESS], simple())
    assert {address: code for address, (code, _) in refused.items()} == {"nobody@example.org": 550}
    assert store.letters[0].envelope_to == (ADDRESS,)


@pytest.mark.parametrize(("relays", "taken"), [(("192.0.2.7",), False), (("192.0.2.7", "127.0.0.0/8"), True)])
@pytest.mark.parametrize("protocol", ["smtp", "lmtp"])
def test_only_named_servers_deliver_where_relays_are_named(
    protocol: Literal["smtp", "lmtp"], relays: tuple[str, ...], taken: bool, store: Store
) -> None:
    settings = ListenConfig(port=0, protocol=protocol, relays=relays)
    greeting = "LHLO x" if protocol == "lmtp" else "EHLO x"
    with contextlib.contextmanager(started)(settings, store) as server, Talk(server, greeting) as talk:
        talk("MAIL FROM:<ann@players.test>")
        assert talk(f"RCPT TO:<{REPLY}>").startswith("250" if taken else "554 5.7.1")


def test_a_recipient_decided_by_its_address_needs_no_query(store: Store) -> None:
    asked: list[str] = []

    def known(address: str) -> bool:
        asked.append(address)
        return store.known(address)

    settled = {"nobody@example.org": False, ADDRESS: True}
    server = SmtpServer(ListenConfig(port=0, protocol="smtp"), store.accept, known, 100_000, cached=settled.get)
    server.start()
    with client(server) as connection:
        refused = connection.sendmail("ann@players.test", [*settled, REPLY, "else@example.org"], simple())
    server.stop()
    assert set(refused) == {"nobody@example.org", "else@example.org"}
    assert asked == [REPLY.lower(), "else@example.org"]
    assert store.letters[0].envelope_to == (ADDRESS, REPLY.lower())


def test_lmtp_replies_once_for_each_recipient_it_took(lmtp: SmtpServer, store: Store) -> None:
    for body, fault, expected in (("x", None, "250"), ("x", Unavailable("away"), "451"), ("y" * 200_000, None, "250")):
        with Talk(lmtp, "LHLO me") as talk:
            assert talk("MAIL FROM:<ann@players.test>").startswith("250")
            assert talk(f"RCPT TO:<{ADDRESS}>").startswith("250")
            assert talk("RCPT TO:<nobody@example.org>").startswith("550")
            assert talk(f"RCPT TO:<{REPLY}>").startswith("250")
            assert talk("DATA").startswith("354")
            store.fault = fault
            talk.socket.sendall(f"Subject: x\r\n\r\n{body}\r\n.\r\n".encode())
            assert [talk.read()[:3], talk.read()[:3]] == [expected, expected]
            store.fault = None
            assert talk("NOOP").startswith("250")
    assert [letter.envelope_to for letter in store.letters] == [(ADDRESS, REPLY)] * 2


def test_smtp_replies_once(smtp: SmtpServer) -> None:
    with Talk(smtp, "EHLO me") as talk:
        talk("MAIL FROM:<ann@players.test>")
        talk(f"RCPT TO:<{ADDRESS}>")
        talk(f"RCPT TO:<{REPLY}>")
        talk("DATA")
        assert talk("x\r\n.").startswith("250")
        assert talk("NOOP").startswith("250")
        assert talk("DATA").startswith("503")


def test_the_size_limit_is_announced_and_kept(smtp: SmtpServer, store: Store) -> None:
    with client(smtp) as connection:
        connection.ehlo()
        assert connection.esmtp_features["size"] == "100000"
        with pytest.raises(smtplib.SMTPSenderRefused) as caught:
            connection.sendmail("ann@players.test", [ADDRESS], b"x" * 100_001)
        assert caught.value.smtp_code == 552
    with client(smtp) as connection:
        connection.ehlo()
        connection.mail("ann@players.test")
        connection.rcpt(ADDRESS)
        assert connection.data(b"x" * 150_000)[0] == 552
        assert connection.mail("ann@players.test")[0] == 250
    assert store.letters == []


def test_by_lmtp_a_large_letter_is_kept_without_its_body(lmtp: SmtpServer, store: Store) -> None:
    """The mail server before us would send a bounce, to whoever is said to have written it."""
    with client(lmtp) as connection:
        connection.sendmail("ann@players.test", [ADDRESS], simple(subject="big", body=("x" * 70 + "\r\n") * 20_000))
    (kept,) = store.letters
    letter = opened(kept.raw)
    assert (letter.refused, letter.sender, letter.subject) == ("too large", "ann@players.test", "big")
    assert len(kept.raw) < 1_000


def test_lines_of_any_length_and_dots(server: SmtpServer, store: Store) -> None:
    raw = b"Subject: x\r\n\r\n.\r\n..\r\n.x\r\n" + b"y" * 65_535 + b"\r\n" + b"." * 30_000 + b"\r\nlone\nfeeds\r\n"
    with client(server) as connection:
        connection.ehlo_or_helo_if_needed()
        connection.mail("ann@players.test")
        connection.rcpt(ADDRESS)
        connection.putcmd("data")
        assert connection.getreply()[0] == 354
        connection.send(
            b"".join(b"." * line.startswith(b".") + line for line in raw.splitlines(keepends=True)) + b".\r\n"
        )
        assert connection.getreply()[0] == 250
    assert store.letters[0].raw.replace(b"\n..\n", b"\n.\n") == raw.replace(b"\n..\n", b"\n.\n")


def test_a_bare_line_feed_does_not_end_a_letter(server: SmtpServer, store: Store) -> None:
    """SMTP smuggling: LF.LF or LF.CRLF inside a letter must not start another one."""
    with Talk(server, "LHLO me" if server._settings.protocol == "lmtp" else "EHLO me") as talk:
        talk("MAIL FROM:<ann@players.test>")
        talk(f"RCPT TO:<{ADDRESS}>")
        talk("DATA")
        hidden = f"one\n.\nMAIL FROM:<gm@example.org>\nRCPT TO:<{ADDRESS}>\nDATA\ntwo\n.\r\nthree\r\n.\r\n"
        talk.socket.sendall(hidden.encode())
        assert talk.read().startswith("250")
        assert talk("NOOP").startswith("250")
    assert len(store.letters) == 1
    assert b"three" in store.letters[0].raw


def test_a_letter_that_runs_in_circles_is_refused(smtp: SmtpServer, store: Store) -> None:
    hops = b"Received: from a by b; Fri, 20 Nov 2026 10:00:00 +0000\r\n"
    with client(smtp) as connection:
        connection.sendmail("ann@players.test", [ADDRESS], hops * 30 + simple())
        connection.mail("ann@players.test")
        connection.rcpt(ADDRESS)
        assert connection.data(hops * 31 + simple())[0] == 554
    assert len(store.letters) == 1


def test_by_lmtp_a_letter_that_runs_in_circles_is_taken_and_ignored(lmtp: SmtpServer, store: Store) -> None:
    hops = b"Received: from a by b; Fri, 20 Nov 2026 10:00:00 +0000\r\n"
    with client(lmtp) as connection:
        connection.sendmail("ann@players.test", [ADDRESS], hops * 31 + simple())
    (kept,) = store.letters
    assert opened(kept.raw).why == "mail loop"


def test_a_connection_cut_before_the_dot_leaves_nothing(server: SmtpServer, store: Store) -> None:
    for ending in ("half a letter", "half a letter\r\n", "half\r\n."):
        talk = Talk(server, "LHLO me" if server._settings.protocol == "lmtp" else "EHLO me")
        talk("MAIL FROM:<ann@players.test>")
        talk(f"RCPT TO:<{ADDRESS}>")
        talk("DATA")
        talk.socket.sendall(ending.encode())
        talk.close()
    with client(server) as connection:
        connection.sendmail("ann@players.test", [ADDRESS], simple())
    assert len(store.letters) == 1


def test_connections_without_a_letter_leave_nothing_open(server: SmtpServer) -> None:
    for _ in range(30):
        socket.create_connection(("127.0.0.1", server.port), 20).close()
    loop = server._loop
    assert loop is not None
    until(lambda: not asyncio.all_tasks(loop))
    with client(server) as connection:
        assert connection.noop()[0] == 250


def flood(target: socket.socket) -> None:
    for _ in range(100):
        target.sendall(b"x" * 100_000)
        time.sleep(0.002)


def test_a_flood_without_end_is_cut_off(server: SmtpServer, store: Store) -> None:
    with Talk(server, "LHLO me" if server._settings.protocol == "lmtp" else "EHLO me") as talk:
        talk("MAIL FROM:<ann@players.test>")
        talk(f"RCPT TO:<{ADDRESS}>")
        talk("DATA")
        with pytest.raises(OSError):  # noqa: PT011  # reset or broken pipe, as the system likes
            flood(talk.socket)
    assert store.letters == []


def test_many_at_once(server: SmtpServer, store: Store) -> None:
    def send(number: int) -> None:
        with client(server) as connection:
            for letter in range(5):
                connection.sendmail("ann@players.test", [ADDRESS], simple(number=100 * number + letter))

    senders = [threading.Thread(target=send, args=(number,)) for number in range(8)]
    for sender in senders:
        sender.start()
    for sender in senders:
        sender.join(60)
    assert len({letter.raw for letter in store.letters}) == 40


def test_stopping_finishes_what_is_being_committed(smtp: SmtpServer, store: Store) -> None:
    store.gate.clear()
    with Talk(smtp, "EHLO me") as talk:
        talk("MAIL FROM:<ann@players.test>")
        talk(f"RCPT TO:<{ADDRESS}>")
        talk("DATA")
        talk.socket.sendall(b"x\r\n.\r\n")
        time.sleep(0.2)
        stopper = threading.Thread(target=smtp.stop)
        stopper.start()
        store.gate.set()
        stopper.join(20)
        reply = talk.read()
    assert not stopper.is_alive()
    assert len(store.letters) == 1
    assert reply.startswith("250") or reply == ""


def test_a_port_that_only_root_may_take_is_called_so(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    async def bind(_: SmtpServer) -> None:
        raise PermissionError(13, "permission denied")

    monkeypatch.setattr(SmtpServer, "_bind", bind)
    server = SmtpServer(ListenConfig(host="0.0.0.0", port=25, protocol="smtp"), store.accept, store.known, 100_000)
    with pytest.raises(GmError, match=r"port 25 .*only root takes ports below 1024: .* by LMTP") as caught:
        server.start()
    assert "another gm" not in str(caught.value)


def test_a_busy_port_is_one_clear_line(smtp: SmtpServer, store: Store) -> None:
    other = SmtpServer(ListenConfig(port=smtp.port, protocol="smtp"), store.accept, store.known, 100_000)
    with pytest.raises(GmError, match=f"cannot listen on 127.0.0.1 port {smtp.port}") as caught:
        other.start()
    assert "\n" not in str(caught.value)
    nowhere = SmtpServer(ListenConfig(host="no-such-host.invalid", port=0), store.accept, store.known, 100_000)
    with pytest.raises(GmError, match="cannot listen"):
        nowhere.start()


def test_it_can_start_again_after_it_stopped(store: Store) -> None:
    server = SmtpServer(ListenConfig(port=0, protocol="smtp"), store.accept, store.known, 100_000)
    for _ in range(2):
        server.start()
        with client(server) as connection:
            connection.sendmail("ann@players.test", [ADDRESS], simple())
        server.stop()
        server.stop()
    assert len(store.letters) == 2


def test_lmtp_on_a_unix_socket(tmp_path: Path, store: Store) -> None:
    path = tmp_path / "lmtp.sock"
    settings = ListenConfig(socket=str(path), protocol="lmtp")
    server = SmtpServer(settings, store.accept, store.known, 100_000)
    server.start()
    try:
        with smtplib.LMTP(str(path)) as connection:
            connection.sendmail("ann@players.test", [ADDRESS], simple())
        with pytest.raises(GmError, match="another program listens"):
            SmtpServer(settings, store.accept, store.known, 100_000).start()
        assert path.exists()
    finally:
        server.stop()
    assert len(store.letters) == 1
    assert not path.exists()
    with contextlib.closing(socket.socket(socket.AF_UNIX)) as dead:
        dead.bind(str(path))
    server = SmtpServer(settings, store.accept, store.known, 100_000)
    server.start()
    until(path.exists)
    server.stop()
    elsewhere = SmtpServer(ListenConfig(socket=str(tmp_path / "no" / "where")), store.accept, store.known, 100_000)
    with pytest.raises(GmError, match="cannot listen on"):
        elsewhere.start()
