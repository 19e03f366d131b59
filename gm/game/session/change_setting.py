"""SET: the game master changes a setting of a game."""

from __future__ import annotations

from gm.game.model import settings
from gm.game.model.letter_report import Note
from gm.game.model.records import GameState
from gm.game.model.setting_choices import Anonymity
from gm.game.model.setting_names import parted
from gm.game.session import notices as news
from gm.game.session.session import LetterSession
from gm.language.commands.requests import SetRequest
from gm.language.rendering import plain_text as layout


def choose(sitting: LetterSession, request: SetRequest, line: int) -> None:
    """SET key value: a setting of the game, or one of the variant's own before the game has begun."""
    game, variant = sitting.game, sitting.table.variant
    if (asked := settings.named(variant, request.key)) and not request.value:
        value = settings.in_force(game, variant, asked)
        sitting.note("set-to-what", done=False, line=line, key=asked, value=value)
        return
    said, why = parted(request.value)
    changed = settings.choose(game, variant, request.key, said)
    if isinstance(changed, settings.SettingTrouble):
        sitting.faulty = True
        sitting.notes.append(Note(changed.key, changed.fields, done=False, line=line))
        return
    key, value = changed.settings[-1]
    begun, rule = game.state is not GameState.FORMING, settings.is_rule(variant, key)
    opens = game.state is GameState.ENDED and (key, value) == ("anonymous", Anonymity.NO)
    mine = key in settings.FIXED
    if begun and not opens and (mine or any(setting.key == key and setting.lasting for setting in variant.settings)):
        sitting.note("fixed-anonymous" if mine else "fixed-setting", done=False, line=line, key=key)
        return
    if begun and rule and settings.in_force(game, variant, key) == value:
        sitting.note("rule-as-it-was", line=line, key=key, value=value)
        return
    if begun and rule and not why:
        sitting.note("rule-without-reason", done=False, line=line, key=key, value=value)
        return
    why = layout.header(sitting.office.post.hide(why), REASON_MOST)
    hidden = sitting.table.anonymous
    sitting.save(changed)
    about = (("key", key), ("value", value), *((("why", why),) if why else ()))
    note = sitting.note("set-because" if why else "set", line=line, **dict(about))
    sitting.log(f"SET {key} {value}" + (f" because {why}" if why else ""), note)
    if game.state is GameState.RUNNING:
        news.add(sitting, Note("desk.rule-changed" if rule else note.key, about, headline=True))
    elif opens and hidden:
        news.add(sitting, Note("desk.names-opened", headline=True))


REASON_MOST = 300
