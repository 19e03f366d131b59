"""A relay as providers run it: it signs with DKIM, and hands the letter to `deliver`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from support.mail.dovecot import free_port
from support.mail.signed_letters import OUTLOOK, sign


class SigningRelay:
    """`refuse`: what it says to recipients whose address has this in it. `domain` "": it does not sign."""

    def __init__(self, deliver: Callable[[bytes, str], None], domain: str, refuse: tuple[str, str] = ("", "")) -> None:
        self._deliver, self._domain, self._refuse = deliver, domain, refuse
        self.port = free_port()
        self._controller = Controller(self, hostname="127.0.0.1", port=self.port)

    def __enter__(self) -> SigningRelay:
        self._controller.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._controller.stop()

    async def handle_RCPT(  # noqa: N802 (aiosmtpd's name)
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        mark, answer = self._refuse
        if mark and mark in address:
            return answer
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        raw = envelope.original_content or b""
        signed = sign(raw, self._domain, OUTLOOK) if self._domain else raw
        for recipient in envelope.rcpt_tos:
            await asyncio.to_thread(self._deliver, signed, recipient)
        return "250 OK"
