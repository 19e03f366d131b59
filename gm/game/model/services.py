"""`Services`: what stays the same while the server runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from datetime import timedelta

from msgspec import Struct

from gm.game.model.ports import Opener
from gm.game.model.records import InboxRow, TextAttachment
from gm.game.model.reply_addresses import ReplyAddresses
from gm.judge.model.variant import Variant
from gm.language.rendering.templates import LetterTemplates


class Services(Struct, frozen=True):
    """`variant` composes a variant by id and the game master's options, cached; KeyError for an unknown id.

    `masters` are lower-case addresses that may create games; `trust_from`: a proven From may act for its seat.
    `operators` are the addresses that alarms go to.
    `registration`: whoever confirms his address may become known here.
    `map_wait`: so long a letter waits for its map; zero: letters have none.
    `outage`: when nobody was at work for longer than that, deadlines are moved; zero: never.
    `headers` gives the names and values in the head of a letter, as they came; `attached` the files of text with it.
    `reading` gives, for the length of a block, what says whether it is ours to read letters, and still is: one node at
    a time does.
    """

    variant: Callable[[str, Mapping[str, str]], Variant]
    variant_ids: tuple[str, ...]
    post: ReplyAddresses
    letters: LetterTemplates
    open_letter: Opener
    headers: Callable[[InboxRow], tuple[tuple[str, str], ...]] = lambda row: ()
    attached: Callable[[InboxRow], tuple[TextAttachment, ...]] = lambda row: ()
    masters: frozenset[str] = frozenset()
    operators: tuple[str, ...] = ()
    trust_from: bool = True
    zone: str = "UTC"
    registration: bool = True
    map_wait: timedelta = timedelta(0)
    outage: timedelta = timedelta(0)
    reading: Callable[[], AbstractContextManager[Callable[[], bool]]] = lambda: nullcontext(lambda: True)
