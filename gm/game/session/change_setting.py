"""SET: the game master changes a setting of a game."""

from __future__ import annotations

from gm.game.model.choose_setting import (
    SettingError,
    all_settings,
    is_rule,
    setting_named,
    split_reason,
    value_in_force,
    with_setting,
)
from gm.game.model.letter_report import Note
from gm.game.model.records import GameState
from gm.game.model.setting_types import WORDS, Anonymity
from gm.game.model.settings import GameSetting
from gm.game.session import notices
from gm.game.session.session import LetterSession
from gm.language.commands.command_line import words_as_written
from gm.language.commands.requests import SetRequest
from gm.language.rendering import plain_text

REASON_MOST = 300


def change_setting(session: LetterSession, request: SetRequest, line: int) -> None:
    """SET key value: a setting of the game, or one of the variant's own before the game has begun."""
    game, variant = session.game, session.loaded_game.variant
    setting = setting_named(variant, request.key)
    if setting is not None and not request.value:
        value = value_in_force(game, setting)
        session.note("set-to-what", done=False, line=line, key=setting.key, value=value)
        return
    free = isinstance(setting, GameSetting) and setting.kind is WORDS
    typed, why = (request.written or request.value, "") if free else split_reason(request.value)
    why = words_as_written(request.written, why)
    changed = with_setting(game, variant, request.key, typed, session.store.now())
    if isinstance(changed, SettingError):
        session.has_errors = True
        session.notes.append(Note(changed.key, _as_typed(changed, request), done=False, line=line))
        return
    key, value = changed.settings[-1]
    setting = all_settings(variant)[key]
    begun, rule = game.state is not GameState.FORMING, is_rule(setting)
    opens = game.state is GameState.ENDED and (key, value) == ("anonymous", Anonymity.NO)
    if begun and setting.fixed and not opens:
        sentence = "fixed-anonymous" if isinstance(setting, GameSetting) else "fixed-setting"
        session.note(sentence, done=False, line=line, key=key)
        return
    if begun and rule and value_in_force(game, setting) == value:
        session.note("rule-as-it-was", line=line, key=key, value=value)
        return
    if begun and rule and not why:
        session.note("rule-without-reason", done=False, line=line, key=key, value=value)
        return
    why = plain_text.header(why, REASON_MOST)
    hidden = session.loaded_game.anonymous
    session.save(changed)
    about = (("key", key), ("value", value.rstrip(".")), *((("why", why),) if why else ()))
    note = session.note("set-because" if why else "set", line=line, **dict(about))
    session.log(f"SET {key} {value}" + (f" because {why}" if why else ""), note)
    if game.state is GameState.RUNNING:
        notices.add_notice(session, Note("desk.rule-changed" if rule else note.key, about, headline=True))
    elif opens and hidden:
        notices.add_notice(session, Note("desk.names-opened", headline=True))


def _as_typed(error: SettingError, request: SetRequest) -> tuple[tuple[str, str], ...]:
    """The fields of an error, which quote the whole value in the writer's own words."""
    own = split_reason(request.written)[0]
    whole = " ".join(request.value.split()).lower()
    return tuple((name, own if own and words.lower() == whole else words) for name, words in error.fields)
