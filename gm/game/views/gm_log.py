"""Sections of the game master log: all acts for game masters, public acts for players.

`PUBLIC` lists the commands that players are told about. Acts on a player's sheet are announced after their phase:
before that, they would reveal who has orders on file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from enum import Enum, auto

from gm.game.model.letter_report import render_note_text
from gm.game.model.recipient import Recipient
from gm.game.model.records import GmAct
from gm.language.rendering import plain_text
from gm.language.rendering.views import BulletsView, ParagraphView, SectionView

Sections = tuple[SectionView, ...]
START_ACT = "START"
"""The act that starts a game. Earlier acts are not announced: players see their effect in SETTINGS."""
TEXT_LIMIT = 160
"""Shown characters of an act's text."""


class ActAnnouncement(Enum):
    """How players are told of an act: its first line, its kind, or its kind after the phase."""

    WRITTEN = auto()
    KIND = auto()
    KIND_AFTERWARDS = auto()


PUBLIC: Mapping[str, ActAnnouncement] = {
    **dict.fromkeys(("ROLLBACK", "REDO", "OVERRULE", "CORRECT RESULT"), ActAnnouncement.WRITTEN),
    **dict.fromkeys(("DEADLINE", "EXTEND", "PAUSE", "RESUME", "LOCK", "UNLOCK"), ActAnnouncement.WRITTEN),
    **dict.fromkeys(("PROCESS", "SET", "CIVIL DISORDER", "EXCLUDE", "REVIVE"), ActAnnouncement.WRITTEN),
    **dict.fromkeys(("CLOSE", "POLL", "CLOSE POLL"), ActAnnouncement.WRITTEN),
    "SETUP": ActAnnouncement.KIND,
    **dict.fromkeys(("FORCE", "STRIKE", "AS"), ActAnnouncement.KIND_AFTERWARDS),
}
"""Acts not listed here, such as those on seats and addresses, are not announced."""


def sections_for_gm(reader: Recipient, count: int) -> Sections:
    """The last `count` acts (0: all) with their authors and outcomes."""
    acts = reader.store.turns.gm_acts(reader.game.id) if reader.power is None else ()
    if not acts:
        return (SectionView(reader.say("ledger.title"), (ParagraphView(reader.say("ledger.empty")),)),)
    last = acts[-count:] if count else acts
    items = tuple(
        reader.say(
            "ledger.act",
            when=reader.hour(act.at),
            who=plain_text.header(reader.store.people.get(act.person).name, 60),
            text=_shorten(act.text),
            outcome=_shorten(render_note_text(reader.catalogue, act.outcome)),
        )
        for act in last
    )
    more = (
        (ParagraphView(reader.say("ledger.more", n=len(acts) - len(last), all=len(acts))),)
        if len(last) < len(acts)
        else ()
    )
    return (SectionView(reader.say("ledger.title"), (BulletsView(items), *more)),)


def sections_for_players(reader: Recipient, since: datetime | None = None) -> Sections:
    """Public acts since the start of the game, or since `since`."""
    every = reader.store.turns.gm_acts(reader.game.id)
    began = next((at for at, act in enumerate(every) if act.text == START_ACT), 0)
    acts = (act for act in every[began:] if since is None or act.at >= since)
    items = tuple(_announcements(reader, acts))
    return (SectionView(reader.say("ledger.public"), (BulletsView(items),)),) if items else ()


def _announcements(reader: Recipient, acts: Iterator[GmAct]) -> Iterator[str]:
    for act in acts:
        word = _public_command(act.text)
        telling = PUBLIC.get(word)
        opened = reader.game.opened_at
        if telling is None or (telling is ActAnnouncement.KIND_AFTERWARDS and (opened is None or act.at >= opened)):
            continue
        when, kind = reader.hour(act.at), f"ledger.kind.{word.lower().replace(' ', '-')}"
        if telling is ActAnnouncement.WRITTEN:
            text = _shorten(reader.services.post.hide(act.text.partition("\n")[0]))
            yield reader.say("ledger.written", when=when, text=text)
        else:
            yield reader.say("ledger.of-kind", when=when, kind=reader.say(kind))


def _public_command(text: str) -> str:
    """The longest command of `PUBLIC` that the text begins with, or ""."""
    begins = (word for word in PUBLIC if text == word or text.startswith((f"{word} ", f"{word}\n")))
    return max(begins, key=len, default="")


def _shorten(text: str) -> str:
    whole = plain_text.header(" / ".join(part.strip() for part in text.split("\n") if part.strip()), 2 * TEXT_LIMIT)
    return whole if len(whole) <= TEXT_LIMIT else whole[:TEXT_LIMIT].rstrip() + " …"
