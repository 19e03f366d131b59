"""ABSENCES: the section of an answer that lists announced absences."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from gm.game.model.loaded_game import load_game
from gm.game.model.recipient import Recipient
from gm.game.phase import absences
from gm.language.rendering.views import BulletsView, ParagraphView, SectionView


def sections(reader: Recipient, *, always: bool = True) -> tuple[SectionView, ...]:
    """Return () if nobody is away, unless `always`. Anonymous games show neither other players nor their days."""
    loaded_game = load_game(reader.services, reader.store, reader.game)
    items: list[str] = []
    for absence in absences.current_absences(reader.store, loaded_game):
        mine = absence.person == reader.person.id
        if not absence.granted and reader.power is not None and not mine:
            continue
        if not mine and absences.is_hidden(loaded_game, reader.seat.power):
            hidden = reader.say("absence.someone")
            items += [hidden] if hidden not in items else []
            continue
        key = "yours" if mine else "of"
        zone = ZoneInfo(reader.store.people.get(absence.person).zone)
        sentence = reader.say(
            f"absence.{key}", power=absence.power, **absences.first_and_last_day(reader.catalogue, absence, zone)
        )
        items.append(sentence if absence.granted else f"{sentence} {reader.say('absence.asked')}")
    title = reader.say("absence.title")
    if not items:
        return (
            (SectionView(title, (ParagraphView(reader.say("absence.nobody")), *_allowance(reader))),) if always else ()
        )
    moves = ParagraphView(reader.say("absence.moves"))
    return (SectionView(title, (BulletsView(tuple(items)), moves, *(_allowance(reader) if always else ()))),)


def _allowance(reader: Recipient) -> tuple[ParagraphView, ...]:
    loaded_game = load_game(reader.services, reader.store, reader.game)
    if not reader.power or loaded_game.settings.absence != "auto":
        return ()
    left = absences.days_left(reader.store, loaded_game, reader.person.id)
    return (ParagraphView(reader.say("absence.allowance", n=left, left=left)),)
