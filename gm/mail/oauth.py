"""XOAUTH2 for IMAP and SMTP: a command of the operator's prints a fresh access token."""

from __future__ import annotations

import subprocess

from gm.desk.errors import GmError

SECONDS = 30


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


def sasl(user: str, access_token: str) -> str:
    return f"user={user}\x01auth=Bearer {access_token}\x01\x01"
