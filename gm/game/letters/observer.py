"""Letters to observers: the welcome, and that the game has started."""

from __future__ import annotations

from gm.game.letters.welcome import who_plays_section
from gm.game.model import mail_preferences
from gm.game.model.observer_records import MONITOR
from gm.game.model.ports import Store
from gm.game.model.recipient import Recipient
from gm.game.model.records import Game, OutLetter, Seat
from gm.game.model.services import Services
from gm.game.views import overviews
from gm.language.rendering.views import LetterView, ParagraphView, RowsView, RowView, SectionView

WORDS = ("status", "history", "summary", "map", "press-gm", "help", "stop")


def render_observer_welcome(services: Services, store: Store, game: Game, chair: Seat) -> OutLetter:
    """The first letter to an observer; replies to it come from the observer seat."""
    reader = Recipient.of(services, store, game, chair)
    return _letter(reader, "observing.lead", f"observing:{chair.generation}:{chair.power}")


def render_game_begun(services: Services, store: Store, game: Game, chair: Seat) -> OutLetter:
    return _letter(Recipient.of(services, store, game, chair), "observing.begun", f"begun:{game.snapshot}")


def _letter(reader: Recipient, key: str, cause: str) -> OutLetter:
    name = mail_preferences.mail_choices_of(reader.store, reader.seat).name
    title = reader.say("observing.title", game=reader.game.name)
    subject = reader.subject(title)
    phase = reader.game.phase
    following = reader.phase_words("phase.due", phase, due=reader.due()) if phase else ""
    lead = reader.say(key, game=reader.game.name, variant=reader.variant.title, name=name, next=following).strip()
    if reader.seat.power == MONITOR:
        gets = "observing.gets-results"
    else:
        gets = "observing.gets-press" if reader.settings.observer_press else "observing.gets"
    maps = bool(reader.services.map_wait)
    rows = tuple(
        RowView(reader.say(f"observing.word.{word}"), reader.say(f"observing.means.{word}"))
        for word in WORDS
        if maps or word != "map"
    )
    what = SectionView(reader.say("observing.what"), (ParagraphView(reader.say(gets)), RowsView(rows)))
    here = (who_plays_section(reader), *overviews.observers(reader))
    view = LetterView(reader.frame(subject, title, lead), (what, *here))
    return reader.letter("welcome", view, reader.cause(cause))
