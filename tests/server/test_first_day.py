"""An operator's first day: from `gm init` on a terminal to `gm doctor` without a fault, on a real Dovecot and Postfix.

DNS, and the provider's relay that signs, are servers of the test.
"""

from __future__ import annotations

import os
import smtplib
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import imapclient
import pytest
from support.mail.dns_server import DnsServer
from support.mail.dovecot import Dovecot, free_port
from support.mail.mail_samples import until
from support.mail.postfix import Postfix
from support.mail.signed_letters import key_record
from support.mail.signing_relay import SigningRelay
from support.mail.smtp_sink import Sink
from support.processes.terminal import Terminal
from support.processes.warm_process import WarmProcess, run, run_cold

from gm.server.operators.init import Answers, initialise

DOMAIN = "games.example.org"
RECORDS = {
    DOMAIN: "v=spf1 ip4:192.0.2.7 -all",
    f"_dmarc.{DOMAIN}": "v=DMARC1; p=quarantine",
    f"s1._domainkey.{DOMAIN}": key_record().decode(),
}
Start = Callable[..., subprocess.CompletedProcess[bytes]]
PLUS = "recipient_delimiter = +\nlda_original_recipient_header = X-Original-To"


@pytest.fixture
def dns() -> Iterator[DnsServer]:
    with DnsServer(dict(RECORDS)) as server:
        yield server


@pytest.fixture
def dovecot() -> Iterator[Dovecot]:
    with Dovecot(PLUS) as server:
        yield server


def gm(dns: DnsServer, *words: str) -> tuple[str, ...]:
    return (sys.executable, "-c", dns.command, *words)


def doctor(dns: DnsServer, config: Path, wait: int = 60, start: Start = run) -> dict[str, tuple[bool, str]]:
    """Its findings by what they are about."""
    done = start(dns.command, "-c", str(config), "doctor", "--wait", str(wait))
    assert done.stderr == b""
    lines = [line.split(None, 1) for line in done.stdout.decode().splitlines()]
    checks = {rest[:10].strip(): (mark == "ok", rest[11:]) for mark, rest in lines}
    assert done.returncode == (0 if all(good for good, _ in checks.values()) else 1)
    return checks


@contextmanager
def serving(dns: DnsServer, config: Path) -> Iterator[None]:
    with Path(os.devnull).open("r+b") as nothing:
        server = WarmProcess(dns.command, ("-c", str(config), "serve"), streams=(nothing, nothing, nothing))
    try:
        yield
    finally:
        server.terminate()
        server.wait()


def mailbox(dovecot: Dovecot) -> imapclient.IMAPClient:
    client = imapclient.IMAPClient("127.0.0.1", dovecot.port, ssl=False, timeout=30)
    client.login(dovecot.user, dovecot.password)
    return client


def letters_left(dovecot: Dovecot) -> int:
    with mailbox(dovecot) as client:
        folders = [name for _, _, name in client.list_folders()]
        return sum(int(client.select_folder(name, readonly=True)[b"EXISTS"]) for name in folders)


def write_config(folder: Path, dovecot: Dovecot, relay: SigningRelay) -> Path:
    login = {"user": dovecot.user, "password": dovecot.password}
    answers: Answers = {
        "": {"address": f"gm@{DOMAIN}", "masters": ("ruth@example.net",)},
        "imap": {"host": "127.0.0.1", "port": dovecot.port, "security": "none", **login},
        "relay": {"host": "127.0.0.1", "port": relay.port, "security": "none"},
    }
    list(initialise(folder, answers, force=True))
    return folder / "gm.toml"


def test_from_init_to_doctor_with_a_mailbox(tmp_path: Path, dns: DnsServer, dovecot: Dovecot) -> None:
    """Wrong answers are seen at once, and corrected."""
    with SigningRelay(dovecot.hand_over, DOMAIN) as relay, Terminal(*gm(dns, "init", "--folder", str(tmp_path))) as tty:
        tty.answer("players write to", "gm at games")
        tty.answer("is not an email address", f"GM@{DOMAIN}")
        tty.answer("Your own address", "ruth@example.net")
        tty.answer("Time zone", "Berlni")
        tty.answer("did you mean Europe/Berlin?", "Berlin")
        tty.answer("Your choice")
        tty.answer(f"IMAP server [imap.{DOMAIN}]", "127.0.0.1")
        tty.answer("Port [993]", str(dovecot.port))
        tty.answer("Security", "none")
        tty.answer(f"User [gm@{DOMAIN}]", "gm")
        tty.answer("Password", "sesame")
        tty.answer("is imap.password right?")  # "Correct it now? [Y/n]": Enter
        tty.answer("IMAP server [127.0.0.1]")
        tty.answer(f"Port [{dovecot.port}]")
        tty.answer("Security (tls, starttls, none) [none]")
        tty.answer("User [gm]")
        tty.answer("Password (Enter: as before)", "secret")
        tty.await_words("ok: gm on 127.0.0.1 can be read")
        tty.answer("SMTP server (relay)", "127.0.0.1")
        tty.answer("Port [465]", str(relay.port))
        tty.answer("Security", "none")
        tty.answer("User (- for none) [gm]", "-")
        tty.await_words(f"ok: 127.0.0.1 port {relay.port} takes letters")
        assert tty.finish() == 0, tty.text
        assert "sesame" not in tty.text
        assert "gm doctor" in tty.text
        checks = doctor(dns, tmp_path / "gm.toml", start=run_cold)
    assert {what for what, (good, _) in checks.items() if not good} == set(), checks
    assert {"mailbox", "relay", "delivery", "plus", "SPF", "DKIM", "DMARC", "dns", "queues"} <= set(checks)
    assert f"s1._domainkey.{DOMAIN}" in checks["DKIM"][1]
    assert letters_left(dovecot) == 0
    assert 'zone = "Europe/Berlin"' in (tmp_path / "gm.toml").read_text(encoding="utf-8")


def test_from_init_to_doctor_behind_postfix(tmp_path: Path, dns: DnsServer) -> None:
    lmtp = free_port()
    with ExitStack() as stack:
        outside = stack.enter_context(Sink())
        postfix = stack.enter_context(Postfix(lmtp, outside.port))

        def hand_on(raw: bytes, recipient: str) -> None:
            with smtplib.SMTP("127.0.0.1", postfix.port, timeout=60) as client:
                client.sendmail(f"gm@{DOMAIN}", [recipient], raw)

        relay = stack.enter_context(SigningRelay(hand_on, DOMAIN))
        words = ("init", "--folder", str(tmp_path), "--zone", "Europe/Berlin", "--address", f"gm@{DOMAIN}")
        with Terminal(*gm(dns, *words)) as tty:
            tty.answer("Your own address", "ruth@example.net")
            tty.answer("Your choice", "lmtp")
            tty.answer("Port [8025]", str(lmtp))
            tty.answer(f"Does all mail of {DOMAIN} come to gm", "y")
            tty.answer("SMTP server (relay) [127.0.0.1]", "")
            tty.answer("Port [25]", str(relay.port))
            tty.answer("Security", "none")
            tty.answer("User (- for none) [-]")
            assert tty.finish() == 0, tty.text
        config = tmp_path / "gm.toml"
        assert "start `gm serve`" in doctor(dns, config)["delivery"][1]
        stack.enter_context(serving(dns, config))
        until(lambda: "letters are taken" in doctor(dns, config, 0)["listen"][1])
        checks = doctor(dns, config)
        assert {what for what, (good, _) in checks.items() if not good} == set(), checks
        assert {"listen", "relay", "delivery", "plus", "SPF", "DKIM", "DMARC"} <= set(checks)


def test_a_running_server_may_take_the_letters_first(tmp_path: Path, dns: DnsServer, dovecot: Dovecot) -> None:
    with SigningRelay(dovecot.hand_over, DOMAIN) as relay:
        config = write_config(tmp_path, dovecot, relay)
        text = config.read_text(encoding="utf-8").replace("[imap]", "[imap]\npoll_seconds = 0.2")
        config.write_text(text, encoding="utf-8")
        with serving(dns, config):
            until(lambda: folder_exists(dovecot, "Processed"))
            checks = doctor(dns, config)
    assert {what for what, (good, _) in checks.items() if not good} == set(), checks
    assert {"delivery", "plus", "DKIM"} <= set(checks)
    assert letters_left(dovecot) == 0


def folder_exists(dovecot: Dovecot, folder: str) -> bool:
    with mailbox(dovecot) as client:
        return bool(client.folder_exists(folder))


def into_junk(dovecot: Dovecot) -> Callable[[bytes, str], None]:
    def deliver(raw: bytes, recipient: str) -> None:
        with mailbox(dovecot) as client:
            if not client.folder_exists("Junk"):
                client.create_folder("Junk")
            client.append("Junk", raw)

    return deliver


def without_plus(dovecot: Dovecot) -> Callable[[bytes, str], None]:
    return lambda raw, recipient: dovecot.hand_over(raw, recipient) if "+" not in recipient else None


def test_a_provider_without_plus_addresses(tmp_path: Path, dns: DnsServer, dovecot: Dovecot) -> None:
    """It may lose the letters, or refuse them; replies without such addresses still find their game."""
    with SigningRelay(without_plus(dovecot), DOMAIN) as relay:
        checks = doctor(dns, write_config(tmp_path, dovecot, relay), 4)
        assert checks["delivery"][0]
        assert not checks["plus"][0]
        assert "away after 4 s" in checks["plus"][1]
    with SigningRelay(dovecot.hand_over, DOMAIN, ("+", "550 5.1.1 no such user")) as relay:
        checks = doctor(dns, write_config(tmp_path, dovecot, relay))
        assert checks["delivery"][0]
        assert "550 5.1.1 no such user" in checks["plus"][1]
        assert 'addresses = "plain"' in checks["plus"][1]
    assert letters_left(dovecot) == 0


@pytest.mark.parametrize(
    ("domain", "records", "words"),
    [
        ("", {}, "without a signature"),
        ("relay.example", {"s1._domainkey.relay.example": key_record().decode()}, "signed for relay.example only"),
        (DOMAIN, {f"s1._domainkey.{DOMAIN}": ""}, f"there is no key at s1._domainkey.{DOMAIN}"),
        (DOMAIN, {f"s1._domainkey.{DOMAIN}": key_record("other").decode()}, "does not fit the key"),
    ],
)
def test_signatures_that_do_not_count(
    tmp_path: Path, dns: DnsServer, dovecot: Dovecot, domain: str, records: dict[str, str], words: str
) -> None:
    dns.records |= records
    with SigningRelay(dovecot.hand_over, domain) as relay:
        good, text = doctor(dns, write_config(tmp_path, dovecot, relay))["DKIM"]
    assert (good, words in text) == (False, True), text


def test_letters_that_do_not_arrive_or_are_taken_for_spam(tmp_path: Path, dns: DnsServer, dovecot: Dovecot) -> None:
    """A letter of an earlier run that came too late is removed by the next."""
    late: list[tuple[bytes, str]] = []
    with SigningRelay(lambda raw, recipient: late.append((raw, recipient)), DOMAIN) as relay:
        checks = doctor(dns, write_config(tmp_path, dovecot, relay), 2)
    assert "did not arrive within 2 s" in checks["delivery"][1]
    assert "plus" not in checks
    for raw, recipient in late:
        dovecot.hand_over(raw, recipient)
    with SigningRelay(into_junk(dovecot), DOMAIN) as relay:
        checks = doctor(dns, write_config(tmp_path, dovecot, relay))
    assert not checks["delivery"][0]
    assert "lay in Junk" in checks["delivery"][1]
    assert letters_left(dovecot) == 0
