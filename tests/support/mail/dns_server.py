"""A name server for TXT records on a port of this machine, and the command `gm` as a process that asks it."""

from __future__ import annotations

import contextlib
import socket
import threading

import dns.flags
import dns.message
import dns.rcode
import dns.rrset

COMMAND = """
import dns.resolver, sys
resolver = dns.resolver.default_resolver = dns.resolver.Resolver(configure=False)
resolver.nameservers, resolver.port = ["127.0.0.1"], {port}
from gm.__main__ import main
main(prog_name="gm")
"""


class DnsServer:
    """Answers from `records` (name → text); other names do not exist. A context manager."""

    def __init__(self, records: dict[str, str]) -> None:
        self.records = records
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(("127.0.0.1", 0))
        self.port = int(self._socket.getsockname()[1])
        self._thread = threading.Thread(target=self._serve, daemon=True)

    @property
    def command(self) -> str:
        """For `python -c`."""
        return COMMAND.format(port=self.port)

    def __enter__(self) -> DnsServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """The thread ends first: one that waits repeats its call after a signal, on the number of a newer socket."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._socket.close()

    def _serve(self) -> None:
        raw, peer = self._socket.recvfrom(4096)
        while raw:
            self._socket.sendto(self._answer(raw), peer)
            raw, peer = self._socket.recvfrom(4096)

    def _answer(self, raw: bytes) -> bytes:
        query = dns.message.from_wire(raw)
        response = dns.message.make_response(query)
        response.flags |= dns.flags.RA
        name = query.question[0].name.to_text().rstrip(".").lower()
        if name in self.records:
            text = self.records[name]
            pieces = " ".join(f'"{text[n : n + 200]}"' for n in range(0, len(text) or 1, 200))
            response.answer.append(dns.rrset.from_text(query.question[0].name, 60, "IN", "TXT", pieces))
        else:
            response.set_rcode(dns.rcode.NXDOMAIN)
        return response.to_wire()
