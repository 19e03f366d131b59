"""`gm deliver`: a mail server pipes one letter to us and reads the exit code (sysexits.h, Postfix pipe(8)).

0: the letter is stored. 75: try again later, also for any fault of ours. 65: standard input holds no letter.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from gm.errors import GmError
from gm.mail.incoming.received import Accept, Received, envelope_sender, headers_only, present

OK = 0
DATA_ERROR = 65
TRY_AGAIN = 75
RECIPIENT_VARIABLES = ("ORIGINAL_RECIPIENT", "X_ORIGINAL_TO", "RECIPIENT", "DELIVERED_TO")


def deliver(
    raw: bytes,
    environment: Mapping[str, str],
    recipients: Sequence[str],
    accept: Accept,
    max_bytes: int = 1_000_000,
    now: Callable[[], datetime] = present,
) -> int:
    """`recipients` come from the command line; Postfix local(8) gives them in the environment instead."""
    if not raw.strip():
        print("gm deliver: no letter on standard input", file=sys.stderr)
        return DATA_ERROR
    to = [*recipients, *(environment.get(name, "") for name in RECIPIENT_VARIABLES)]
    letter = Received(
        raw=raw if len(raw) <= max_bytes else headers_only(raw),
        received_at=now(),
        account="pipe",
        envelope_from=_sender(raw, environment),
        envelope_to=tuple(dict.fromkeys(address.lower() for address in to if "@" in address)),
    )
    try:
        accept(letter)
    except GmError as error:
        print(f"gm deliver: {error}", file=sys.stderr)
        return TRY_AGAIN
    except Exception as error:  # whatever went wrong, the mail server must keep the letter
        print(f"gm deliver: {type(error).__name__}: {error}", file=sys.stderr)
        return TRY_AGAIN
    return OK


def _sender(raw: bytes, environment: Mapping[str, str]) -> str:
    """SENDER is empty for bounces; without it the mailbox line ("From ann@example.org Fri …") or the headers tell."""
    if "SENDER" in environment:
        sender = environment["SENDER"].strip()
        return "<>" if sender.upper() in ("", "<>", "MAILER-DAEMON") else sender
    if raw.startswith(b"From "):
        words = raw[:500].split(None, 2)
        sender = words[1].decode("ascii", "replace") if len(words) > 1 else ""
        return "<>" if sender.upper() == "MAILER-DAEMON" else sender
    return envelope_sender(raw)
