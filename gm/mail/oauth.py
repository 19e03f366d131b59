"""OAuth access tokens for IMAP and SMTP (`token_command`), sent by XOAUTH2 or OAUTHBEARER."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Collection
from itertools import chain, repeat

from gm.errors import GmError

SECONDS = 30


def read_token(command: str) -> str:
    """Run the command; returns the last word it prints. Raises GmError when there is none."""
    try:
        done = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise GmError(f"token_command: `{command}` did not end within {SECONDS} s") from None
    except (OSError, UnicodeDecodeError) as error:
        raise GmError(f"token_command: `{command}` cannot be run ({error})") from None
    lines = done.stdout.split()
    if done.returncode or not lines:
        reason = " ".join(done.stderr.split())[:200] or "no message"
        raise GmError(f"token_command: `{command}` gave no token (exit {done.returncode}: {reason})")
    return lines[-1]


def sasl_login(offered: Collection[str], user: str, access_token: str) -> tuple[str, Callable[..., str]]:
    """The SASL mechanism to use, and a function that answers each challenge of the server.

    A server that refuses first sends the reason as a challenge, which needs an answer too.
    """
    if "OAUTHBEARER" in offered and "XOAUTH2" not in offered:  # RFC 7628
        name = user.replace("=", "=3D").replace(",", "=2C")
        mechanism, opening, closing = "OAUTHBEARER", f"n,a={name},\x01auth=Bearer {access_token}\x01\x01", "\x01"
    else:
        mechanism, opening, closing = "XOAUTH2", f"user={user}\x01auth=Bearer {access_token}\x01\x01", ""
    answers = chain((opening,), repeat(closing))
    return mechanism, lambda challenge=None: next(answers)
