"""Letters to a person about a game he has no seat in (any more), from its game master: they carry no secret."""

from __future__ import annotations

from msgspec.structs import replace

from gm.game.letters.question import loose, spoken_to
from gm.game.model.letter_report import Note
from gm.game.model.ports import Store
from gm.game.model.records import Game, Person
from gm.game.model.services import Services
from gm.game.model.settings import language_of
from gm.language.rendering import plain_text as layout
from gm.language.rendering.views import LetterFrameView, LetterView


def slip(office: Services, store: Store, person: Person, game: Game | None, note: Note, cause: str) -> None:
    """Queue it; `slip.<key>` is its subject. Nobody without an address gets one."""
    if not person.addresses:
        return
    person = replace(person, language=language_of(person, game) if game is not None else spoken_to(store, person))
    catalogue = office.letters.catalogue(
        person.language, office.variant(game.variant, {}) if game is not None else None
    )
    own = f"slip.{note.key.rpartition('.')[2]}"
    title = catalogue.say(own if own in catalogue else "slip.else", **dict(note.fields))
    frame = LetterFrameView(
        subject=f"[{game.name}] {title}" if game else title,
        title=title,
        lead=catalogue.say(note.key, **dict(note.fields)),
        crumbs=(game.name,) if game else (),
        foot=(catalogue.say("plain.foot"),),
        ref=f"Ref: {office.post.mailbox}",
    )
    letter = loose(office, person, "plain", LetterView(frame, ()), cause, ())
    letter = replace(letter, automatic="auto-generated")
    if game is not None:
        sender = layout.header(catalogue.say("from.master", game=game.name), 80)
        letter = replace(letter, from_name=sender, from_address=office.post.game_address(game.name), game=game.id)
    store.outbox.add(letter, store.now())
