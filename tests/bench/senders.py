"""Who posts letters, and a relay that takes them, in processes of their own: nothing of `gm` is imported here, because
each new process would have to import it too.
"""

from __future__ import annotations

import os
import smtplib
import threading
import time
from typing import TypeAlias

from aiosmtpd.controller import Controller

Post: TypeAlias = tuple[str, str, bytes]
"""Sender, recipient, bytes."""
SENDERS = 4
"""Connections to each server that post letters."""


def post_some(port: int, posted: list[Post]) -> None:
    with smtplib.SMTP("127.0.0.1", port, timeout=300) as client:
        for sender, recipient, raw in posted:
            client.sendmail(sender, [recipient], raw)


def post_all(port: int, posted: list[Post]) -> None:
    threads = [threading.Thread(target=post_some, args=(port, posted[at::SENDERS])) for at in range(SENDERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


class Sink:
    async def handle_DATA(self, server: object, session: object, envelope: object) -> str:  # noqa: N802
        return "250 OK"


def take_letters(port: int) -> None:
    """The relay: until its parent ends."""
    controller = Controller(Sink(), "127.0.0.1", port)
    controller.start()
    while os.getppid() != 1:
        time.sleep(1)
