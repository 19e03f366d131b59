"""Access tokens for IMAP and SMTP, printed fresh by a command of the operator's, and said by XOAUTH2 or OAUTHBEARER."""

from __future__ import annotations

import subprocess
from collections.abc import Collection
from itertools import chain, repeat
from typing import Protocol

from gm.errors import GmError

SECONDS = 30


class SaslAnswer(Protocol):
    """What is said next; None: before anything was asked."""

    def __call__(self, challenge: bytes | None = None, /) -> str: ...


def token(command: str) -> str:
    """The last line the command prints. GmError, in one line, when there is none."""
    try:
        done = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise GmError(f"token_command: `{command}` did not end within {SECONDS} s") from None
    except (OSError, UnicodeDecodeError) as error:
        raise GmError(f"token_command: `{command}` cannot be run ({error})") from None
    lines = done.stdout.split()
    if done.returncode or not lines:
        said = " ".join(done.stderr.split())[:200] or "it said nothing"
        raise GmError(f"token_command: `{command}` gave no token (exit {done.returncode}: {said})")
    return lines[-1]


def sasl(offered: Collection[str], user: str, access_token: str) -> tuple[str, SaslAnswer]:
    """A mechanism, one that is offered where it can be, and what answers each challenge in it.

    A refusal is a challenge too (it says why), and wants an answer of a form of its own before the server says no.
    """
    if "OAUTHBEARER" in offered and "XOAUTH2" not in offered:  # RFC 7628
        name = user.replace("=", "=3D").replace(",", "=2C")
        mechanism, opening, closing = "OAUTHBEARER", f"n,a={name},\x01auth=Bearer {access_token}\x01\x01", "\x01"
    else:
        mechanism, opening, closing = "XOAUTH2", f"user={user}\x01auth=Bearer {access_token}\x01\x01", ""
    said = chain((opening,), repeat(closing))
    return mechanism, lambda challenge=None: next(said)
