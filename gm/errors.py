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


def one_line(reason: object) -> str:
    """An exception or a server's answer on one line of at most 300 characters."""
    text = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
    fallback = type(reason).__name__ if isinstance(reason, Exception) else ""
    return " ".join(text.split())[:300] or fallback
