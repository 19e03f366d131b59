"""The poller against a real Dovecot and against pymap: nothing lost, nothing taken twice, whatever others do."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from imapclient import IMAPClient
from support.mail.dovecot import Dovecot, free_port
from support.mail.mail_samples import REPLY, opened, simple, until
from support.paths import ROOT

from gm.config import ImapConfig, load_section
from gm.errors import GmError, Unavailable
from gm.mail.incoming.imap_connection import FetchedBatch, ImapMailbox
from gm.mail.incoming.imap_poller import ImapPoller
from gm.mail.incoming.received import Received, content_key

Start = Callable[[ImapPoller], ImapPoller]


class Keeper:
    """Stands for the inbox: one letter per content key, and a switch for the database's bad days."""

    def __init__(self) -> None:
        self.kept: dict[str, Received] = {}
        self.calls = 0
        self.away = False

    def __call__(self, received: Received) -> None:
        self.calls += 1
        if self.away:
            raise Unavailable("the database is locked")
        self.kept.setdefault(content_key(received), received)

    @property
    def subjects(self) -> list[str]:
        return sorted(opened(value.raw).subject for value in self.kept.values())


@pytest.fixture(scope="module")
def dovecot(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dovecot]:
    with Dovecot() as server:
        yield server


@pytest.fixture
def empty(dovecot: Dovecot) -> Dovecot:
    with session(dovecot) as client:
        for folder in ("INBOX", "Processed"):
            if client.folder_exists(folder):
                client.select_folder(folder)
                client.delete_messages(client.search(["ALL"]))
                client.expunge()
    return dovecot


def settings(server: Dovecot, **changes: object) -> ImapConfig:
    values: dict[str, object] = {
        "host": "127.0.0.1",
        "port": server.port,
        "security": "none",
        "user": server.user,
        "password": server.password,
        "poll_seconds": 30,
    }
    return load_section(ImapConfig, values | changes)


def session(server: Dovecot) -> IMAPClient:
    client = IMAPClient("127.0.0.1", server.port, ssl=False, timeout=20)
    client.login(server.user, server.password)
    return client


def append(server: Dovecot, *mails: bytes) -> None:
    with session(server) as client:
        for raw in mails:
            client.append("INBOX", raw)


def count(server: Dovecot, folder: str) -> int:
    with session(server) as client:
        return int(client.folder_status(folder, ["MESSAGES"])[b"MESSAGES"])


@pytest.fixture
def start() -> Iterator[Start]:
    started: list[ImapPoller] = []

    def begin(poller: ImapPoller) -> ImapPoller:
        poller.start()
        started.append(poller)
        return poller

    yield begin
    for poller in started:
        poller.stop()


def test_one_poll_takes_everything_and_moves_it(empty: Dovecot) -> None:
    keeper = Keeper()
    append(empty, *(simple(subject=f"s{number}", number=number) for number in range(5)))
    poller = ImapPoller(settings(empty), keeper)
    before = datetime.now(UTC)
    polled = poller.poll_once()
    assert before <= polled <= datetime.now(UTC)
    assert keeper.subjects == ["s0", "s1", "s2", "s3", "s4"]
    assert (count(empty, "INBOX"), count(empty, "Processed")) == (0, 5)
    assert ImapPoller(settings(empty), keeper).poll_once() >= polled
    assert keeper.calls == 5


def test_the_moment_of_arrival_is_the_servers(empty: Dovecot) -> None:
    arrived = datetime(2026, 11, 1, 12, 30, tzinfo=UTC)
    with session(empty) as client:
        client.normalise_times = False
        client.append("INBOX", simple(Date="Thu, 01 Jan 2099 00:00:00 +0000"), msg_time=arrived)
        client.append("INBOX", simple(number=2), msg_time=datetime.now(UTC) + timedelta(days=3))
    keeper = Keeper()
    ImapPoller(settings(empty), keeper).poll_once()
    first, second = keeper.kept.values()
    assert first.received_at == arrived
    assert second.received_at <= datetime.now(UTC)


def test_a_letter_stays_unseen_and_in_place_while_the_store_is_away(empty: Dovecot) -> None:
    keeper = Keeper()
    keeper.away = True
    append(empty, simple())
    poller = ImapPoller(settings(empty), keeper)
    with pytest.raises(GmError, match="database is locked"):
        poller.poll_once()
    assert poller.polled_until is None
    with session(empty) as client:
        client.select_folder("INBOX", readonly=True)
        (uid,) = client.search(["ALL"])
        assert b"\\Seen" not in client.get_flags([uid])[uid]
    keeper.away = False
    poller.poll_once()
    assert len(keeper.kept) == 1
    assert count(empty, "INBOX") == 0


def test_idle_brings_a_letter_long_before_the_next_poll(empty: Dovecot, start: Start) -> None:
    keeper = Keeper()
    poller = start(ImapPoller(settings(empty, poll_seconds=3600), keeper))
    until(lambda: poller.polled_until)
    first = poller.polled_until
    empty.deliver(simple(subject="hint"))
    until(lambda: keeper.subjects == ["hint"])
    until(lambda: poller.polled_until != first)
    assert count(empty, "INBOX") == 0


@pytest.mark.parametrize("idle", [True, False])
def test_a_deadline_need_not_wait_for_the_next_poll(empty: Dovecot, start: Start, idle: bool) -> None:
    poller = start(ImapPoller(settings(empty, idle=idle, poll_seconds=3600), Keeper()))
    until(lambda: poller.polled_until)
    for _ in range(2):
        deadline = datetime.now(UTC)
        poller.hurry()
        until(lambda: poller.polled_until and poller.polled_until >= deadline)  # noqa: B023


def test_without_idle_the_poll_finds_what_another_session_appended(empty: Dovecot, start: Start) -> None:
    keeper = Keeper()
    poller = start(ImapPoller(settings(empty, idle=False, poll_seconds=0.2), keeper))
    until(lambda: poller.polled_until)
    with session(empty) as client:
        for number in range(50):
            client.append("INBOX", simple(subject=f"{number:02}", number=number))
    until(lambda: len(keeper.kept) == 50)
    until(lambda: count(empty, "INBOX") == 0)
    assert keeper.calls == 50


def test_mails_that_are_read_or_taken_away_by_others_do_no_harm(empty: Dovecot, start: Start) -> None:
    keeper = Keeper()
    with session(empty) as client:
        for number in range(20):
            client.append("INBOX", simple(subject=f"{number:02}", number=number), flags=[b"\\Seen"])
        client.select_folder("INBOX")
        uids = client.search(["ALL"])
        client.delete_messages(uids[:5])
        client.expunge()
    poller = ImapPoller(settings(empty), keeper)
    poller.poll_once()
    assert keeper.subjects == [f"{number:02}" for number in range(5, 20)]


def test_another_client_that_moves_mails_during_a_poll(empty: Dovecot) -> None:
    keeper = Keeper()
    append(empty, *(simple(subject=str(number), number=number) for number in range(6)))

    def accept(received: Received) -> None:
        keeper(received)
        if keeper.calls == 1:
            with session(empty) as client:
                client.select_folder("INBOX")
                client.move(client.search(["SUBJECT", "3"]), "Processed")

    ImapPoller(settings(empty), accept).poll_once()
    assert keeper.subjects == ["0", "1", "2", "4", "5"]
    assert count(empty, "INBOX") == 0


def test_over_the_cap_only_headers_are_fetched(empty: Dovecot) -> None:
    keeper = Keeper()
    with session(empty) as client:
        client.append("INBOX", simple(subject="big", body="x" * 70 + "\r\n" + "y" * 500_000))
    ImapPoller(settings(empty), keeper, max_bytes=100_000).poll_once()
    (received,) = keeper.kept.values()
    assert len(received.raw) < 5_000
    letter = opened(received.raw)
    assert (letter.refused, letter.sender, letter.subject) == ("too large", "ann@players.test", "big")
    assert count(empty, "INBOX") == 0


def test_a_new_uidvalidity_brings_no_letter_twice(empty: Dovecot, start: Start) -> None:
    """Letters that could not be moved are seen again under new UIDs; the content key knows them."""
    keeper = Keeper()
    poller = start(ImapPoller(settings(empty), keeper, pauses=(0.1,)))
    until(lambda: poller.polled_until)
    empty.deliver(simple(subject="once"))
    until(lambda: len(keeper.kept) == 1)
    until(lambda: count(empty, "INBOX") == 0)
    with session(empty) as client:
        client.select_folder("Processed")
        before = client.folder_status("Processed", ["UIDVALIDITY"])[b"UIDVALIDITY"]
    empty.stop()
    empty.forget_indexes()
    time.sleep(1.1)  # Dovecot's UIDVALIDITY counts seconds
    empty.start()
    with session(empty) as client:
        client.select_folder("Processed")
        assert client.folder_status("Processed", ["UIDVALIDITY"])[b"UIDVALIDITY"] != before
        client.move(client.search(["ALL"]), "INBOX")
    until(lambda: keeper.calls == 2)
    until(lambda: count(empty, "INBOX") == 0)
    assert len(keeper.kept) == 1


def test_it_comes_back_after_the_server_went_away(empty: Dovecot, start: Start) -> None:
    keeper = Keeper()
    poller = start(ImapPoller(settings(empty), keeper, pauses=(0.1,)))
    until(lambda: poller.polled_until)
    empty.stop()
    until(lambda: poller.problem)
    assert "\n" not in poller.problem
    guard = poller.polled_until
    empty.deliver(simple(subject="meanwhile"))
    empty.start()
    until(lambda: keeper.subjects == ["meanwhile"])
    until(lambda: poller.polled_until != guard)
    until(lambda: not poller.problem)  # a server that is still starting may break off once more


def test_a_settings_error_is_one_line(empty: Dovecot) -> None:
    wrong = {
        "is imap.password right": settings(empty, password="wrong"),
        "plain ASCII": settings(empty, password="pässword"),
        "cannot be reached": settings(empty, port=free_port()),
        "cannot be opened": settings(empty, folder="Nowhere"),
        "is not found": settings(empty, host="no-such-host.invalid"),
        "does not speak TLS|broke off|cannot be reached": settings(empty, security="tls"),
        "gave no token": settings(empty, password=None, token_command="echo gone >&2; exit 3"),
        "is the token of imap.token_command right|broke off": settings(empty, password=None, token_command="echo abc"),
    }
    for expected, config in wrong.items():
        with pytest.raises(GmError, match=expected) as caught:
            ImapPoller(config, Keeper()).poll_once()
        assert "\n" not in str(caught.value)
        assert str(caught.value).startswith(("imap: ", "token_command: "))


def test_a_namespace_with_a_prefix(tmp_path: Path) -> None:
    with Dovecot(prefix="INBOX.") as server:
        append(server, simple())
        keeper = Keeper()
        ImapPoller(settings(server), keeper).poll_once()
        assert len(keeper.kept) == 1
        assert (count(server, "INBOX"), count(server, "INBOX.Processed")) == (0, 1)


def test_the_lines_for_dovecot_bring_plus_addresses_to_the_one_mailbox() -> None:
    """deploy/dovecot/gm.conf as it stands: a letter that names its reply address nowhere but in its envelope."""
    example = ROOT / "deploy" / "dovecot" / "gm.conf"
    keeper = Keeper()
    with Dovecot(extra=example.read_text(encoding="utf-8")) as server:
        server.hand_over(f"X-Original-To: {REPLY}\r\n".encode() + simple(To="friends:;"), REPLY)
        ImapPoller(settings(server), keeper).poll_once()
        assert (count(server, "INBOX"), count(server, "Processed")) == (0, 1)
    (received,) = keeper.kept.values()
    assert opened(received.raw).delivered_to[0] == REPLY


@pytest.mark.parametrize("without", ["MOVE", "MOVE UIDPLUS", "MOVE UIDPLUS IDLE NAMESPACE"])
def test_servers_that_can_do_less(tmp_path: Path, without: str) -> None:
    """Without UIDPLUS nothing is expunged: another client's deleted mails are not ours to remove."""
    every = "IMAP4rev1 SASL-IR LOGIN-REFERRALS ID ENABLE IDLE LITERAL+ MOVE UIDPLUS NAMESPACE"
    offered = " ".join(word for word in every.split() if word not in without.split())
    with Dovecot(extra=f"imap_capability = {offered}") as server:
        with session(server) as client:
            client.append("INBOX", simple(subject="theirs", number=9), flags=[b"\\Deleted"])
        append(server, simple(subject="mine"))
        keeper = Keeper()
        poller = ImapPoller(settings(server), keeper)
        poller.poll_once()
        poller.poll_once()
        assert keeper.subjects == ["mine"]
        assert keeper.calls == 1
        assert count(server, "Processed") == 1
        mailbox = ImapMailbox(settings(server))
        mailbox.open()
        with session(server) as client:
            client.delete_folder("Processed")
        mailbox.move_to_processed([1])  # theirs stands for any
        mailbox.close()
        assert (mailbox.unmoved, count(server, "Processed")) == ("", 1)
        assert count(server, "INBOX") == (0 if "UIDPLUS" not in without else 2)


def test_a_connection_cut_in_the_middle_of_anything(empty: Dovecot, start: Start) -> None:
    """Through a proxy that cuts after every few hundred bytes more than before; in the end all is here, once."""
    append(empty, *(simple(subject=str(number), number=number) for number in range(8)))
    keeper = Keeper()
    with Cutter(empty.port) as proxy:
        start(ImapPoller(settings(empty, port=proxy.port, idle=False, poll_seconds=0.2), keeper, pauses=(0.05,)))
        until(lambda: len(keeper.kept) == 8 and count(empty, "INBOX") == 0)
    assert proxy.cuts > 3
    assert keeper.subjects == [str(number) for number in range(8)]


def test_a_connection_cut_while_it_waits_in_idle(empty: Dovecot, start: Start) -> None:
    keeper = Keeper()
    with Cutter(empty.port, first=1 << 20) as proxy:
        poller = start(ImapPoller(settings(empty, port=proxy.port, poll_seconds=3600), keeper, pauses=(0.05,)))
        for number in range(3):
            until(lambda: poller.polled_until)
            proxy.cut()
            empty.deliver(simple(subject=f"after cut {number}", number=number))
            until(lambda: len(keeper.kept) == number + 1)  # noqa: B023
        until(lambda: count(empty, "INBOX") == 0)


def test_ten_thousand_letters_that_wait_are_taken_in_one_poll(empty: Dovecot) -> None:
    """Another client reads some of them meanwhile; every letter is taken, once, and the folder is empty."""
    keeper = Keeper()
    empty.deliver(*(simple(subject=f"{number:05}", number=number) for number in range(10_000)))
    with session(empty) as client:
        client.select_folder("INBOX")
        client.fetch(client.search(["ALL"])[::7], ["BODY[]"])
    ImapPoller(settings(empty), keeper).poll_once()
    assert (keeper.calls, len(keeper.kept)) == (10_000, 10_000)
    assert (count(empty, "INBOX"), count(empty, "Processed")) == (0, 10_000)


def test_large_letters_are_fetched_a_few_at_a_time(empty: Dovecot) -> None:
    empty.deliver(*(simple(number=number, body=("x" * 70 + "\r\n") * 12_000) for number in range(6)))
    mailbox = ImapMailbox(settings(empty))
    mailbox.open()
    try:
        uids = mailbox.new_uids()
        lot = mailbox.fetch(uids, 1_000_000, lambda: datetime.now(UTC))
        assert (lot.uid_count, len(lot.letters)) == (2, 2)
        small = mailbox.fetch(uids, 100_000, lambda: datetime.now(UTC))
        assert small.uid_count == 6
        assert all(len(letter.raw) < 1_000 for _, letter in small.letters)
    finally:
        mailbox.close()


def test_a_letter_that_nobody_can_fetch_stops_no_other(empty: Dovecot, monkeypatch: pytest.MonkeyPatch) -> None:
    keeper = Keeper()
    append(empty, *(simple(subject=str(number), number=number) for number in range(9)))
    fetch = ImapMailbox.fetch

    def broken(self: ImapMailbox, uids: Sequence[int], *rest: Any) -> FetchedBatch:
        if bad in uids:
            raise ValueError("what the server says of it cannot be read")
        return fetch(self, uids, *rest)

    mailbox = ImapMailbox(settings(empty))
    mailbox.open()
    bad = mailbox.new_uids()[5]
    mailbox.close()
    monkeypatch.setattr(ImapMailbox, "fetch", broken)
    poller = ImapPoller(settings(empty), keeper)
    with pytest.raises(GmError, match="cannot be read"):
        poller.poll_once()
    assert keeper.subjects == ["0", "1", "2", "3", "4", "6", "7", "8"]
    assert poller.polled_until is None
    assert count(empty, "INBOX") == 1


def test_a_letter_that_the_server_does_not_give_out_is_not_passed_over(
    empty: Dovecot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Broken on its disk: it answers OK and sends nothing. No deadline may fire as if all had been read."""
    keeper = Keeper()
    append(empty, *(simple(subject=str(number), number=number) for number in range(4)))
    raw = ImapMailbox._fetch_raw

    def broken(self: ImapMailbox, uids: Sequence[int], part: str) -> dict[int, bytes]:
        return {uid: words for uid, words in raw(self, uids, part).items() if b"Subject: 2" not in words}

    monkeypatch.setattr(ImapMailbox, "_fetch_raw", broken)
    poller = ImapPoller(settings(empty), keeper)
    with pytest.raises(GmError, match="does not give out"):
        poller.poll_once()
    assert keeper.subjects == ["0", "1", "3"]
    monkeypatch.setattr(ImapMailbox, "_fetch_raw", raw)
    assert poller.poll_once()
    assert keeper.subjects == ["0", "1", "2", "3"]


def test_the_watchdog_cuts_a_server_that_has_fallen_silent(empty: Dovecot, start: Start) -> None:
    keeper = Keeper()
    with Cutter(empty.port, first=900, silent=True) as proxy:
        poller = start(
            ImapPoller(
                settings(empty, port=proxy.port, idle=False, poll_seconds=0.2),
                keeper,
                pauses=(0.05,),
                watchdog_seconds=1.0,
            )
        )
        until(lambda: proxy.cuts >= 1)
        proxy.limit = 1 << 30
        empty.deliver(simple(subject="after"))
        until(lambda: keeper.subjects == ["after"])
        until(lambda: poller.problem == "")


class Cutter:
    """A proxy that lets `limit` bytes pass from the server, then cuts (or falls silent); each time a bit more."""

    def __init__(self, target: int, first: int = 300, silent: bool = False) -> None:
        self.target, self.limit, self.silent, self.cuts = target, first, silent, 0
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        self._open: list[socket.socket] = []
        self._ended = threading.Event()

    def __enter__(self) -> Cutter:
        threading.Thread(target=self._serve, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        for connection in (self._listener, *self._open):
            _shut(connection)

    def cut(self) -> None:
        """Every connection, now."""
        while self._open:
            _shut(self._open.pop())

    def _serve(self) -> None:
        while not self._ended.is_set():
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            server = socket.create_connection(("127.0.0.1", self.target))
            self._open += [client, server]
            threading.Thread(target=self._pump, args=(client, server, None), daemon=True).start()
            threading.Thread(target=self._pump, args=(server, client, self.limit), daemon=True).start()
            self.limit += 150

    def _pump(self, source: socket.socket, target: socket.socket, limit: int | None) -> None:
        try:
            while data := source.recv(64 if limit is not None else 4096):
                target.sendall(data)
                if limit is not None:
                    limit -= len(data)
                    if limit < 0:
                        self.cuts += 1
                        if self.silent:
                            self._ended.wait(60)
                        break
        except OSError:
            pass
        for connection in (source, target):
            _shut(connection)


def _shut(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
    connection.close()
