"""Names for writers of unsigned press: a new one for each letter that begins a conversation.

A name is "somebody" and an HMAC, which contains no counter or date. It is part of the letter's channel: a
reply reaches its writer without revealing them, and their answers there carry the same name. Two letters that a player
begins have two names, so that nobody can link them.
"""

from __future__ import annotations

from gm.game.model.ports import Store
from gm.game.model.services import Services

SOMEBODY = "somebody"
MARK = 10
"""The length of a mark: long enough that no two in a game are equal."""


def new_name(services: Services, *words: str) -> str:
    """`words` must be different for each letter."""
    return f"{SOMEBODY}.{services.post.code('unsigned', *words)[:MARK]}"


def is_unsigned(name: str) -> bool:
    return name.startswith(f"{SOMEBODY}.")


def without_mark(name: str) -> str:
    """The name without its mark, to compare letters that go out under different marks."""
    return SOMEBODY if is_unsigned(name) else name


def writer_of(store: Store, game: int, name: str) -> str:
    """The power that wrote under this name; "" if nobody did."""
    return next((row.sender for row in store.turns.press(game) if row.name == name), "")


def unsigned_names_of(store: Store, game: int, power: str) -> frozenset[str]:
    rows = store.turns.press(game)
    return frozenset(row.name for row in rows if row.sender == power and is_unsigned(row.name))
