"""The game masters' ledger: every act with what came of it, for themselves; for players those that changed the game.

`PUBLIC` says which acts players read of, by the words that an act's text begins with. Acts on a player's sheet are
told when their phase is over: before, they would tell who has orders on file.
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
STARTED = "START"
"""The act with which a game begins; what was chosen before it stands among the settings."""
LONGEST = 160
"""Characters of an act's text that are shown."""


class ActAnnouncement(Enum):
    """How players are told of an act: as it was written (its first line), by its kind alone, or so when it is over."""

    WRITTEN = auto()
    KIND = auto()
    KIND_AFTERWARDS = auto()


PUBLIC: Mapping[str, ActAnnouncement] = {
    "ROLLBACK": ActAnnouncement.WRITTEN,
    "REDO": ActAnnouncement.WRITTEN,
    "OVERRULE": ActAnnouncement.WRITTEN,
    "CORRECT RESULT": ActAnnouncement.WRITTEN,
    "SETUP": ActAnnouncement.KIND,
    **dict.fromkeys(("DEADLINE", "EXTEND", "PAUSE", "RESUME", "LOCK", "UNLOCK"), ActAnnouncement.WRITTEN),
    "PROCESS": ActAnnouncement.WRITTEN,
    "SET": ActAnnouncement.WRITTEN,
    "CIVIL DISORDER": ActAnnouncement.WRITTEN,
    "EXCLUDE": ActAnnouncement.WRITTEN,
    "REVIVE": ActAnnouncement.WRITTEN,
    "CLOSE": ActAnnouncement.WRITTEN,
    "POLL": ActAnnouncement.WRITTEN,
    "CLOSE POLL": ActAnnouncement.WRITTEN,
    "FORCE": ActAnnouncement.KIND_AFTERWARDS,
    "STRIKE": ActAnnouncement.KIND_AFTERWARDS,
    "AS": ActAnnouncement.KIND_AFTERWARDS,
}
"""What is not named here (seats and addresses above all) stays among the game masters."""


def of_masters(reader: Recipient, count: int) -> Sections:
    """The last acts with whose they were and what came of them."""
    acts = reader.store.turns.gm_acts(reader.game.id) if reader.power is None else ()
    if not acts:
        return (SectionView(reader.say("ledger.title"), (ParagraphView(reader.say("ledger.empty")),)),)
    last = acts[-count:] if count else acts
    items = tuple(
        reader.say(
            "ledger.act",
            when=reader.hour(act.at),
            who=plain_text.header(reader.store.people.get(act.person).name, 60),
            text=_line(act.text),
            outcome=_line(render_note_text(reader.catalogue, act.outcome)),
        )
        for act in last
    )
    more = (
        (ParagraphView(reader.say("ledger.more", n=len(acts) - len(last), all=len(acts))),)
        if len(last) < len(acts)
        else ()
    )
    return (SectionView(reader.say("ledger.title"), (BulletsView(items), *more)),)


def of_players(reader: Recipient, since: datetime | None = None) -> Sections:
    """Acts that changed the running game, from an instant on."""
    every = reader.store.turns.gm_acts(reader.game.id)
    began = next((at for at, act in enumerate(every) if act.text == STARTED), 0)
    acts = (act for act in every[began:] if since is None or act.at >= since)
    items = tuple(_told(reader, acts))
    return (SectionView(reader.say("ledger.public"), (BulletsView(items),)),) if items else ()


def _told(reader: Recipient, acts: Iterator[GmAct]) -> Iterator[str]:
    for act in acts:
        word = _word(act.text)
        telling = PUBLIC.get(word)
        opened = reader.game.opened_at
        if telling is None or (telling is ActAnnouncement.KIND_AFTERWARDS and (opened is None or act.at >= opened)):
            continue
        when, kind = reader.hour(act.at), f"ledger.kind.{word.lower().replace(' ', '-')}"
        if telling is ActAnnouncement.WRITTEN:
            text = _line(reader.services.post.hide(act.text.partition("\n")[0]))
            yield reader.say("ledger.written", when=when, text=text)
        else:
            yield reader.say("ledger.of-kind", when=when, kind=reader.say(kind))


def _word(text: str) -> str:
    """The longest word of `PUBLIC` that the text begins with."""
    begins = (word for word in PUBLIC if text == word or text.startswith((f"{word} ", f"{word}\n")))
    return max(begins, key=len, default="")


def _line(text: str) -> str:
    whole = plain_text.header(" / ".join(part.strip() for part in text.split("\n") if part.strip()), 2 * LONGEST)
    return whole if len(whole) <= LONGEST else whole[:LONGEST].rstrip() + " …"
