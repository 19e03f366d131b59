"""Addresses and ids: secret reply addresses, message ids, bounce addresses. All are HMACs of one secret.

A reply address identifies its seat and contains no counter or date:

    plus:    gm+ostend.k7f3qm2xw9hd4tzp5sanb8vcye@example.org         (one mailbox; `mailbox+game.token`)
    domain:  ostend+france.k7f3qm2xw9hd4tzp5sanb8vcye@gm.example.org  (catch-all; `game+seat.token`)
    plain:   gm@example.org                                            (no plus-addresses: the Ref line has the token)

The token is 128 bits in base32 without 0, 1, l and o, so that it survives reading aloud and lower-casing. The local
part keeps below 64 octets: a mailbox of at most 20, a game's name of at most 16. A `Ref:` line in the body
("Ref: ostend S1902M k7f3…") carries the same token where a mail program loses the address.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from msgspec import Struct

from gm.game.model.records import Seat

ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789"
PAIRS = tuple(low + high for high in ALPHABET for low in ALPHABET)
"""A token is written from its lowest bits on, ten at a time."""
TOKEN_LENGTH = 26
TOKEN = re.compile(rf"[{ALPHABET}]{{{TOKEN_LENGTH}}}")
SECRET = re.compile(rf"(?<![a-z0-9]){TOKEN.pattern}(?![a-z0-9])", re.IGNORECASE)
GAME_NAME_MOST = 16
GAME_NAME = re.compile(r"[a-z][a-z0-9-]{1,15}")
MAILBOX_MOST = 20


class ReplyKey(Struct, frozen=True):
    """A game's name and a token from an address or a Ref line, not verified yet."""

    game: str
    token: str


class ReplyAddresses(Struct, frozen=True):
    """`address` is the mailbox, lower case; `catch_all` and `plain` choose the form of reply addresses."""

    address: str
    secret: bytes
    catch_all: bool = False
    plain: bool = False

    def __repr__(self) -> str:
        """Hides the secret from logs and tracebacks."""
        return f"Post({self.address!r})"

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        return [("address", self.address)]

    @property
    def mailbox(self) -> str:
        return self.address.rpartition("@")[0]

    @property
    def domain(self) -> str:
        return self.address.rpartition("@")[2]

    def token(self, seat: Seat) -> str:
        return _seat_token(self.secret, seat.id, seat.generation)

    def reply_address(self, game: str, seat: Seat) -> str:
        if self.plain:
            return self.address
        if self.catch_all:
            return f"{game}+{slug(seat.power)}.{self.token(seat)}@{self.domain}"
        return f"{self.mailbox}+{game}.{self.token(seat)}@{self.domain}"

    def game_address(self, game: str) -> str:
        """The From address of a game's letters; a letter to it does not prove its sender."""
        return f"{game}@{self.domain}" if self.catch_all else self.address

    def matches(self, seat: Seat, token: str) -> bool:
        return hmac.compare_digest(self.token(seat), token)

    def keys(self, addresses: Iterable[str], ref: tuple[str, ...] = ()) -> tuple[ReplyKey, ...]:
        """The reply keys in these addresses, then the one of the Ref line; without duplicates."""
        keys_of_letter: dict[ReplyKey, None] = {}
        for address in addresses:
            local, _, domain = address.lower().rpartition("@")
            if domain == self.domain and (key := self._key(local)):
                keys_of_letter[key] = None
        if len(ref) >= 2 and TOKEN.fullmatch(ref[-1]) and GAME_NAME.fullmatch(ref[0]):
            keys_of_letter[ReplyKey(ref[0], ref[-1])] = None
        return tuple(keys_of_letter)

    def hide(self, words: str) -> str:
        """Removes tokens from words that are passed on; the writer may have pasted one of our letters."""
        return SECRET.sub("…", words)

    def games(self, addresses: Iterable[str]) -> tuple[str, ...]:
        """The games named in these addresses, whether their tokens are valid or not."""
        names: dict[str, None] = {}
        for address in addresses:
            local = address.lower().rpartition("@")[0]
            head, _, tail = local.partition("+")
            name = (head if self.catch_all else tail).partition(".")[0]
            if self.ours(address) and address.lower() != self.address and GAME_NAME.fullmatch(name):
                names[name] = None
        return tuple(names)

    def ours(self, address: str) -> bool:
        """Whether the address belongs to this server, and so never to a player."""
        local, _, domain = address.lower().rpartition("@")
        return domain == self.domain and (self.catch_all or local.partition("+")[0] == self.mailbox)

    def message_id(self, cause: str, kind: str, address: str) -> str:
        """Stable for the same letter, without <>; all have the same length."""
        return f"{self._digest('letter', cause, kind, address)}@{self.domain}"

    def bounce_address(self, message_id: str) -> str:
        """The envelope sender of a letter: a bounce to it identifies the letter and cannot be forged.

        Without plus-addresses it is the mailbox, and a bounce identifies nothing.
        """
        if self.plain:
            return self.address
        return f"{self.mailbox}+bounce.{self._digest('bounce', message_id)}@{self.domain}"

    def code(self, *words: str) -> str:
        """A secret in the form of a token, for a question we ask."""
        return self._digest("code", *words)

    def _key(self, local: str) -> ReplyKey | None:
        head, _, token = local.rpartition(".")
        if not TOKEN.fullmatch(token):
            return None
        game = head.partition("+")[0] if self.catch_all else head.partition("+")[2]
        return ReplyKey(game, token) if GAME_NAME.fullmatch(game) else None

    def _digest(self, *words: str) -> str:
        return _digest(self.secret, words)


@lru_cache(maxsize=4096)
def _seat_token(secret: bytes, seat: int, generation: int) -> str:
    """Cached only for speed: finding a letter's seat takes the tokens of all seats of its game."""
    return _digest(secret, ("seat", str(seat), str(generation)))


def _digest(secret: bytes, words: tuple[str, ...]) -> str:
    keyed = _keyed(secret).copy()
    keyed.update("\x00".join(words).encode())
    number = int.from_bytes(keyed.digest()[:17], "big") >> 6
    return "".join([PAIRS[(number >> shift) & 1023] for shift in range(0, 130, 10)])


@lru_cache(maxsize=16)
def _keyed(secret: bytes) -> hmac.HMAC:
    return hmac.new(secret, digestmod="sha256")


def slug(power: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", power.lower()).strip("-")
