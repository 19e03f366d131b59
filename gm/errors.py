"""What can go wrong at a seam, as a tree.

GmError                 anything one clear line can be said about
├── Deferred            sending failed for now: try again later
├── Refused             sending failed for good
│   └── TooLarge        for its size alone
├── RelayDown           the relay itself is away: pause all sending
├── Unavailable         the store cannot be reached or written: nothing was taken
└── SettingsError       gm.toml or the environment says something that cannot be meant
"""

from __future__ import annotations


class GmError(Exception):
    """Its text is one line that says what to do."""


class Deferred(GmError):
    pass


class Refused(GmError):
    """`recipient`: it is the address that is refused, not the letter."""

    def __init__(self, said: str, *, recipient: bool = False) -> None:
        super().__init__(said)
        self.recipient = recipient


class TooLarge(Refused):
    pass


class RelayDown(GmError):
    pass


class Unavailable(GmError):
    pass


class ConfigError(GmError):
    """Its text says which setting is wrong and what would be right."""
