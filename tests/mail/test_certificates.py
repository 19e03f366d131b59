"""A server whose certificate nobody vouches for is told nothing: no user, no password, no letter."""

from __future__ import annotations

import socket
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from support.mail_server_fixtures import needs

from gm.config import ImapConfig, RelayConfig, load_section
from gm.errors import GmError
from gm.mail.incoming.imap_poller import ImapPoller
from gm.mail.outgoing.smtp_relay import RelayMailer

Greet = Callable[[socket.socket], None]


class Impostor:
    """Greets as told, then speaks TLS with a certificate of its own making, and keeps what it hears."""

    def __init__(self, folder: Path) -> None:
        key, certificate = str(folder / "key.pem"), str(folder / "certificate.pem")
        made = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
        program = needs("openssl", "openssl")
        subprocess.run([program, *made, "-keyout", key, "-out", certificate], check=True, capture_output=True)
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(certificate, key)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        self.heard = b""

    def serve(self, greet: Greet) -> int:
        threading.Thread(target=self._talk, args=(greet,), daemon=True).start()
        return self.port

    def close(self) -> None:
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _talk(self, greet: Greet) -> None:
        with suppress(OSError), self._listener.accept()[0] as client:
            greet(client)
            with self._context.wrap_socket(client, server_side=True) as secured:
                self.heard = secured.recv(1000)


@pytest.fixture
def impostor(tmp_path: Path) -> Iterator[Impostor]:
    made = Impostor(tmp_path)
    yield made
    made.close()


def at_once(client: socket.socket) -> None:
    """TLS from the first byte."""


def smtp(client: socket.socket) -> None:
    for answer in (b"220 impostor\r\n", b"250-impostor\r\n250 STARTTLS\r\n", b"220 go\r\n"):
        client.sendall(answer)
        if not answer.startswith(b"220 go"):
            client.recv(1000)


def imap(client: socket.socket) -> None:
    client.sendall(b"* OK [CAPABILITY IMAP4rev1 STARTTLS] impostor\r\n")
    while words := client.recv(1000).split():
        if words[1].upper() == b"CAPABILITY":
            client.sendall(b"* CAPABILITY IMAP4rev1 STARTTLS\r\n")
        client.sendall(words[0] + b" OK done\r\n")
        if words[1].upper() == b"STARTTLS":
            return


@pytest.mark.parametrize(("security", "greet"), [("tls", at_once), ("starttls", smtp)])
def test_a_relay_that_is_somebody_else(impostor: Impostor, security: str, greet: Greet) -> None:
    relay = load_section(
        RelayConfig,
        {"host": "localhost", "port": impostor.serve(greet), "security": security, "user": "gm", "password": "sesame"},
    )
    with pytest.raises(GmError, match=r"certificate we cannot trust: .*; a CA of your own .* SSL_CERT_FILE") as caught:
        RelayMailer(relay).check()
    assert "\n" not in str(caught.value)
    assert impostor.heard == b""


@pytest.mark.parametrize(("security", "greet"), [("tls", at_once), ("starttls", imap)])
def test_a_mailbox_that_is_somebody_elses(impostor: Impostor, security: str, greet: Greet) -> None:
    settings = load_section(
        ImapConfig,
        {"host": "localhost", "port": impostor.serve(greet), "security": security, "user": "gm", "password": "sesame"},
    )
    with pytest.raises(GmError, match=r"certificate we cannot trust: .*; a CA of your own .* SSL_CERT_FILE") as caught:
        ImapPoller(settings, lambda received: None).check()
    assert "\n" not in str(caught.value)
    assert impostor.heard == b""
