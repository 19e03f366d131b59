"""Answers to "Who controls Poland?": what the asker may know of who controls which minor power."""

from __future__ import annotations

from collections.abc import Mapping

from gm.game.session.session import LetterSession
from gm.judge.model.influence_boxes import VisibleBox
from gm.language.i18n.localized_variant import local_names
from gm.language.i18n.normalize import clean

Fields = Mapping[str, str]


def control(session: LetterSession, fields: Fields) -> tuple[str, Fields] | None:
    """Of the minor powers that the question names, or of all; with secret control, of those that the asker controls."""
    variant, position = session.loaded_game.variant, session.loaded_game.position
    rules = variant.influence
    if rules is None or not session.loaded_game.running:
        return None
    boxes = rules.seen(position, variant, session.author or None, master=session.master)
    low = clean(fields["about"]).text.lower()
    named = [box for box in boxes if clean(_called(session, box.minor)).text.lower() in low or box.minor.lower() in low]
    if "place" in fields and not named:
        return None  # "Who owns Vienna?"
    if rules.hidden and not session.master:
        own = [_members(session, box) for box in boxes if box.control]
        return ("asked-control-own" if own else "asked-control-secret"), {"control": "; ".join(own)}
    return "asked-control", {"control": "; ".join(_members(session, box) for box in named or boxes)}


def _members(session: LetterSession, box: VisibleBox) -> str:
    """ "Poland: Germany and Russia"; those of a coalition whose names are secret are only counted."""
    names = [_called(session, power) for power in box.control]
    hidden = box.members - len(names)
    if hidden > 0:
        names.append(session.say("control.others", n=str(hidden)))
    return f"{_called(session, box.minor)}: {', '.join(names) or session.say('control.nobody')}"


def _called(session: LetterSession, name: str) -> str:
    return local_names(session.loaded_game.variant, session.language).get(name, name)
