"""The decrees of a letter, carried out together: before anything else in it that ends a phase or opens another."""

from __future__ import annotations

from gm.game.model.letter_report import Note
from gm.game.session.session import LetterSession
from gm.game.turns import resolve


def check_overrules(session: LetterSession) -> None:
    """Everything the letter has said so far is done: decrees, and sheets stored."""
    enact_overrules(session)
    session.flush()


def enact_overrules(session: LetterSession) -> None:
    """Resolve anew with all the decrees of a letter together: everybody gets one letter, not one for each.

    Decrees that cannot be carried out together, or beside those that stand already, are refused together.
    """
    words, session.decrees = tuple(session.decrees), []
    last = session.loaded_game.snapshot
    if not words or last is None:
        return
    faults = resolve.decree_faults(session.store, session.loaded_game, last, [word.decree for word in words])
    for fault in faults:
        places, reach = ", ".join(fault.places), ", ".join(fault.reach)
        said = (("places", places), ("reach", reach))
        session.notes.append(Note(f"problem.{fault.key}", said, done=False, line=words[0].line))
    if faults:
        return
    for word in words:
        unit, outcome = resolve.unit_word(word.decree.unit), word.decree.outcome.value
        note = session.note("overruled", line=word.line, headline=True, unit=unit, outcome=outcome, phase=last.resolved)
        session.log(f"{word.text}\n{word.reason}".strip(), note)
    session.flush()
    given = [(word.decree, word.reason) for word in words]
    session.lay(resolve.overrule_results(session.services, session.store, session.game, given))
