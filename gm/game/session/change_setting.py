"""SET: the game master changes a setting of a game."""

from __future__ import annotations

from gm.game.model import settings
from gm.game.model.letter_report import Note
from gm.game.model.records import GameState
from gm.game.model.setting_choices import Anonymity
from gm.game.model.setting_names import parted
from gm.game.session import notices
from gm.game.session.session import LetterSession
from gm.language.commands.requests import SetRequest
from gm.language.rendering import plain_text


def change_setting(session: LetterSession, request: SetRequest, line: int) -> None:
    """SET key value: a setting of the game, or one of the variant's own before the game has begun."""
    game, variant = session.game, session.loaded_game.variant
    if (asked := settings.named(variant, request.key)) and not request.value:
        value = settings.in_force(game, variant, asked)
        session.note("set-to-what", done=False, line=line, key=asked, value=value)
        return
    said, why = parted(request.value)
    changed = settings.choose(game, variant, request.key, said)
    if isinstance(changed, settings.SettingTrouble):
        session.faulty = True
        session.notes.append(Note(changed.key, changed.fields, done=False, line=line))
        return
    key, value = changed.settings[-1]
    begun, rule = game.state is not GameState.FORMING, settings.is_rule(variant, key)
    opens = game.state is GameState.ENDED and (key, value) == ("anonymous", Anonymity.NO)
    mine = key in settings.FIXED
    if begun and not opens and (mine or any(setting.key == key and setting.lasting for setting in variant.settings)):
        session.note("fixed-anonymous" if mine else "fixed-setting", done=False, line=line, key=key)
        return
    if begun and rule and settings.in_force(game, variant, key) == value:
        session.note("rule-as-it-was", line=line, key=key, value=value)
        return
    if begun and rule and not why:
        session.note("rule-without-reason", done=False, line=line, key=key, value=value)
        return
    why = plain_text.header(session.services.post.hide(why), REASON_MOST)
    hidden = session.loaded_game.anonymous
    session.save(changed)
    about = (("key", key), ("value", value), *((("why", why),) if why else ()))
    note = session.note("set-because" if why else "set", line=line, **dict(about))
    session.log(f"SET {key} {value}" + (f" because {why}" if why else ""), note)
    if game.state is GameState.RUNNING:
        notices.add_notice(session, Note("desk.rule-changed" if rule else note.key, about, headline=True))
    elif opens and hidden:
        notices.add_notice(session, Note("desk.names-opened", headline=True))


REASON_MOST = 300
