"""A mail server that misbehaves as told: a relay for the outbox to talk to. Faults as in Postfix smtp-sink(1).

A plan is a list of faults, one for each transaction; when it is used up all goes well. A fault is "stage:reply",
"stage:drop", "stage:delay SECONDS" (then all goes well), "stage:dribble" (an answer without end), "stage:dribbling
REPLY" (byte for byte), "dot:keep REPLY" or "data:cut" (the line, in the midst of the letter), the stage one of
connect, ehlo, auth, mail, rcpt, data (before the 354), dot (after the letter), other (any other line).
`refusals` counts the 5xx said.
"""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from dataclasses import dataclass, field


@dataclass
class Taken:
    sender: str
    recipients: list[str] = field(default_factory=list)
    raw: bytes = b""


class Sink:
    def __init__(self, *plan: str, capabilities: tuple[str, ...] = ()) -> None:
        self.plan = list(plan)
        self.capabilities = capabilities
        self.taken: list[Taken] = []
        self.connections = 0
        self.refusals = 0
        self.commands: list[str] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        self._open: list[socket.socket] = []

    def __enter__(self) -> Sink:
        threading.Thread(target=self._serve, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        for connection in (self._listener, *self._open):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
            connection.close()

    def hang_up(self) -> None:
        """Cut every connection, as a relay does to idle ones."""
        for connection in self._open:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def _serve(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            self._open.append(client)
            threading.Thread(target=self._talk, args=(client,), daemon=True).start()

    def _talk(self, client: socket.socket) -> None:
        with contextlib.suppress(OSError, EOFError), client.makefile("rb") as lines:
            self._say(client, "connect", "220 sink")
            taken = Taken("")
            while line := lines.readline():
                word = line[:4].decode("ascii", "replace").upper().strip()
                self.commands.append(line.decode("utf-8", "replace").strip())
                if word == "EHLO":
                    self._say(
                        client, "ehlo", "\r\n".join(["250-sink", *(f"250-{c}" for c in self.capabilities), "250 OK"])
                    )
                elif word == "AUTH":
                    self._say(client, "auth", "235 2.7.0 in")
                elif word == "MAIL":
                    taken = Taken(_address(line))
                    self._say(client, "mail", "250 OK")
                elif word == "RCPT":
                    taken.recipients.append(_address(line))
                    self._say(client, "rcpt", "250 OK")
                elif word == "DATA":
                    if self._say(client, "data", "354 go on"):
                        taken.raw = _letter(lines)
                        self._say(client, "dot", "250 kept", taken)
                elif word == "QUIT":
                    client.sendall(b"221 bye\r\n")
                    return
                else:
                    self._say(client, "other", "250 OK")

    def _say(self, client: socket.socket, stage: str, good: str, taken: Taken | None = None) -> bool:
        fault = self.plan[0] if self.plan and self.plan[0].startswith(f"{stage}:") else ""
        if fault:
            self.plan.pop(0)
        reply = fault.partition(":")[2]
        if reply.startswith("delay"):
            time.sleep(float(reply.split()[1]))
        if reply.startswith("cut"):  # while the letter comes
            client.sendall(b"354 go on\r\n")
            client.recv(1)
            client.shutdown(socket.SHUT_RDWR)
            raise EOFError
        while reply == "dribble":  # until the line is cut
            client.sendall(b"250-")
            time.sleep(0.05)
        if taken is not None and (not fault or reply.startswith(("delay", "keep"))):
            self.taken.append(taken)  # before it is said, so that whoever hears it finds it here
        if not fault or reply.startswith("delay"):
            client.sendall(f"{good}\r\n".encode("latin-1"))
            return True
        if reply.startswith("dribbling "):
            for byte in f"{reply.partition(' ')[2]}\r\n".encode("latin-1"):
                client.sendall(bytes((byte,)))
            return True
        self.refusals += reply.startswith("5")
        if reply.endswith("drop"):
            client.shutdown(socket.SHUT_RDWR)
            raise EOFError
        client.sendall(f"{reply.removeprefix('keep ')}\r\n".encode("latin-1"))
        return False


def _address(line: bytes) -> str:
    return line.decode().partition("<")[2].partition(">")[0]


def _letter(lines: object) -> bytes:
    raw = b""
    while (line := lines.readline()) != b".\r\n":  # type: ignore[attr-defined]
        if not line:
            raise EOFError
        raw += line[1:] if line.startswith(b".") else line
    return raw
