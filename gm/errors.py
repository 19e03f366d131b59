"""The exceptions of gm, and `one_line`.

GmError            anything one clear line describes
  Deferred         sending failed for now: try again later
  Refused          sending failed for good
    TooLarge       because of its size alone
  RelayDown        the relay itself is away: pause all sending
  Unavailable      the store cannot be reached or written: nothing was kept
  ConfigError      gm.toml or the environment holds a wrong setting
"""

from __future__ import annotations

import re


class GmError(Exception):
    """Its text is one line and says what to do."""


class Deferred(GmError):
    pass


class Refused(GmError):
    """`recipient`: the address is refused, not the letter."""

    def __init__(self, answer: str, *, recipient: bool = False) -> None:
        super().__init__(answer)
        self.recipient = recipient


class TooLarge(Refused):
    pass


class RelayDown(GmError):
    pass


class Unavailable(GmError):
    pass


class ConfigError(GmError):
    """Its text says which setting is wrong and what would be right."""


BYTES = re.compile(r"""(?<!\w)b(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")""")
BYTES_LIST = re.compile(rf"\[({BYTES.pattern}(?:, {BYTES.pattern})*)\]")


def _words_of_bytes(match: re.Match[str]) -> str:
    from ast import literal_eval

    try:
        words = literal_eval(match[0])
    except (SyntaxError, ValueError):
        return match[0]
    return words.decode("utf-8", "replace") if isinstance(words, bytes) else match[0]


def one_line(reason: object) -> str:
    """An exception or a server's answer on one line of at most 300 characters.

    imaplib writes answers into its errors as Python's literals of bytes, alone or in a list: they are read back.
    """
    text = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
    text = BYTES_LIST.sub(lambda match: match[1], text) if "b'" in text or 'b"' in text else text
    text = BYTES.sub(_words_of_bytes, text)
    fallback = type(reason).__name__ if isinstance(reason, Exception) else ""
    return " ".join(text.split())[:300] or fallback
