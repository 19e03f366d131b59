"""Orders in the subject of a letter whose body has none: "Subject: A Vie-Gal, A Bud-Ser", "(see subject)"."""

from __future__ import annotations

import re

from msgspec.structs import replace

from gm.game.identity.references import find_thread
from gm.game.model.records import Letter
from gm.game.session.session import LetterSession
from gm.language.commands.press_or_orders import looks_like_orders
from gm.language.commands.requests import PressRequest
from gm.language.letter.letter_reader import read_letter
from gm.language.lines.letter_contents import LetterContents, LetterContext

TAGS = re.compile(r"^(?:\s*(?:\w{2,4}\s?:|\[[^]]*\]))+\s*")
"""What precedes the words of a subject: "Re: [lisbon S1880M]"."""


def with_subject(
    session: LetterSession, letter: Letter, reading: LetterContents, context: LetterContext
) -> LetterContents:
    """The contents of the body, with the orders of the subject where the body has neither orders nor press."""
    untaken = any(not trouble.obeyed for trouble in reading.troubles)
    press = any(isinstance(given.request, PressRequest) for given in reading.requests)
    words = TAGS.sub("", letter.subject).strip()
    if reading.orders or untaken or press or not words or not session.plays or _is_ours(session, letter, words):
        return reading
    if not looks_like_orders(((0, words),), context):
        return reading
    orders = read_letter(((0, words),), context)
    if orders.requests or not all(trouble.obeyed or trouble.suggestions for trouble in orders.troubles):
        return reading
    return replace(reading, orders=orders.orders, troubles=(*orders.troubles, *reading.troubles))


def _is_ours(session: LetterSession, letter: Letter, words: str) -> bool:
    """Whether the subject is still that of the letter of ours that this one answers."""
    thread = find_thread(session.store, letter)
    return thread is not None and TAGS.sub("", thread.subject).strip() == words
