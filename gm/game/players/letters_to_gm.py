"""PRESS TO GM of somebody without a seat: the words go to the game masters of a game, or to those of the server.

The reply of a game master goes to the writer, who is named with the address that they have proven.
"""

from __future__ import annotations

from collections.abc import Sequence

from gm.game.identity.sender import named_games
from gm.game.letters.question import language_about, queue_plain_notice
from gm.game.model.letter_report import Note
from gm.game.model.loaded_game import load_game
from gm.game.model.records import MASTER, Game, Person
from gm.game.session.session import Handlers, LetterSession
from gm.language.commands.requests import PressRequest
from gm.language.rendering.views import QuotedWordsView, SectionView

DAILY_MOST = 3
"""Letters of one person to the game masters of one game in a day."""
CHARACTERS_MOST = 8000


def write_to_gm(session: LetterSession, request: PressRequest, line: int) -> None:
    if request.everyone or request.to[0].split()[:1] != [MASTER]:
        session.note("asked-whom", done=False, line=line)
        return
    names = _words_behind_gm(request) or tuple(named_games(session.services, session.letter))
    game = session.store.games.by_name(names[0]) if names else _only_application(session)
    if names and game is None:
        session.note("asked-no-game", done=False, line=line, name=names[0][:40])
        return
    readers = _game_masters(session, game)
    if not readers:
        session.note("asked-nobody", done=False, line=line)
    elif not _send(session, game, readers, request.text[:CHARACTERS_MOST]):
        session.note("asked-enough", done=False, line=line, most=str(DAILY_MOST))
    elif game is not None:
        session.note("asked-game", line=line, headline=True, game=game.name)
    else:
        session.note("asked-server", line=line, headline=True)


def pass_on_reply(session: LetterSession, game: Game, words: str) -> bool:
    """Pass an invited person's words on to the game masters who invited them; False where nobody gets them."""
    readers = _game_masters(session, game)
    return bool(readers) and _send(session, game, readers, words[:CHARACTERS_MOST])


def _words_behind_gm(request: PressRequest) -> tuple[str, ...]:
    """What names the game: "GM ostend", "GM of ostend", "GM, ostend"."""
    words = " ".join(request.to).lower().split()[1:]
    return tuple(word for word in words if word not in ("of", "in", "von", "from"))


def _only_application(session: LetterSession) -> Game | None:
    """The game on whose list the writer is, if it is the only one."""
    games = {entry.game for entry in session.store.games.applications_of(session.person.id)}
    return session.store.games.get(games.pop()) if len(games) == 1 else None


def _game_masters(session: LetterSession, game: Game | None) -> tuple[Person, ...]:
    """Those of the game, else whoever may create games on this server."""
    people = session.store.people
    if game is not None:
        seats = load_game(session.services, session.store, game).masters
        return tuple(people.get(seat.person) for seat in seats if seat.person is not None)
    masters = sorted(session.services.masters)
    return tuple(people.by_address(address) or Person(0, "", (address,), session.services.zone) for address in masters)


def _send(session: LetterSession, game: Game | None, readers: Sequence[Person], words: str) -> bool:
    """False where the writer has written often enough that day."""
    day, person = session.store.now().date().isoformat(), session.person
    writer = person.id or session.services.post.code("asked", person.addresses[0])[:8]
    for number in range(1, DAILY_MOST + 1):
        cause = f"asked:{game.id if game else 0}:{writer}:{day}:{number}"
        if sum(_queue(session, game, reader, words, cause) for reader in readers):
            return True
    return False


def _queue(session: LetterSession, game: Game | None, reader: Person, words: str, cause: str) -> bool:
    services, store, writer = session.services, session.store, session.person
    name = writer.name or writer.addresses[0].partition("@")[0]
    catalogue = services.letters.catalogue(language_about(store, reader, game))
    section = SectionView(catalogue.say("letter-to-gm.words", name=name), (QuotedWordsView(words),))
    note = Note("desk.letter-to-gm", (("name", name), ("address", writer.addresses[0])))
    return queue_plain_notice(services, store, reader, game, note, cause, (section,), writer.addresses[0])


HANDLERS: Handlers = {(PressRequest, "stranger"): write_to_gm}
