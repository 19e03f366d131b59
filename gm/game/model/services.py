"""`Services`: the configuration and functions that stay the same while the server runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from datetime import timedelta

from msgspec import Struct

from gm.game.model.ports import Opener
from gm.game.model.records import InboxRow, Letter, TextAttachment
from gm.game.model.reply_addresses import ReplyAddresses
from gm.judge.model.variant import Variant
from gm.language.rendering.templates import LetterTemplates


class Services(Struct, frozen=True):
    """`variant` returns a variant by id and options, cached; raises KeyError for an unknown id.

    `prove` returns the letter with `proven` if a signature proves its sender; it may wait for DNS, so it is called
    outside of transactions.
    `masters` are lower-case addresses that may create games.
    `operators` are the addresses that alarms go to.
    `registration`: anybody who confirms their address may register.
    `map_wait` is how long a letter waits for its map; zero: letters have none.
    `outage`: deadlines move if no server worked for longer than that; zero: never.
    `webhook_wait`: how long a public event waits for its page before the webhook gets it; None: there is no webhook.
    `headers` returns the names and values of a letter's headers; `attached` its text files, `quoted` what it quotes.
    `reading` opens a block and returns a function that says whether this node may read letters; one node at a time may.
    """

    variant: Callable[[str, Mapping[str, str]], Variant]
    variant_ids: tuple[str, ...]
    post: ReplyAddresses
    letters: LetterTemplates
    open_letter: Opener
    headers: Callable[[InboxRow], tuple[tuple[str, str], ...]] = lambda row: ()
    prove: Callable[[InboxRow, Letter], Letter] = lambda row, letter: letter
    attached: Callable[[InboxRow], tuple[TextAttachment, ...]] = lambda row: ()
    quoted: Callable[[InboxRow], str] = lambda row: ""
    masters: frozenset[str] = frozenset()
    operators: tuple[str, ...] = ()
    zone: str = "UTC"
    registration: bool = True
    map_wait: timedelta = timedelta(0)
    outage: timedelta = timedelta(0)
    webhook_wait: timedelta | None = None
    reading: Callable[[], AbstractContextManager[Callable[[], bool]]] = lambda: nullcontext(lambda: True)
