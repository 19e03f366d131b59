"""OVERRULE: carries out the decrees of a letter together, before its other acts that end or open a phase."""

from __future__ import annotations

from gm.game.model.letter_report import Note
from gm.game.session.session import LetterSession
from gm.game.turns import resolve


def finish_pending(session: LetterSession) -> None:
    """Carry out the decrees and store the sheets of the letter so far."""
    enact_overrules(session)
    session.flush()


def enact_overrules(session: LetterSession) -> None:
    """Resolve again with all decrees of a letter, so that everybody gets one letter.

    Decrees that contradict each other or earlier ones are refused together.
    """
    words, session.decrees = tuple(session.decrees), []
    last = session.loaded_game.snapshot
    if not words or last is None:
        return
    faults = resolve.decree_faults(session.store, session.loaded_game, last, [word.decree for word in words])
    for fault in faults:
        places, reach = ", ".join(fault.places), ", ".join(fault.reach)
        fields = (("places", places), ("reach", reach))
        session.notes.append(Note(f"problem.{fault.key}", fields, done=False, line=words[0].line))
    if faults:
        return
    for word in words:
        unit, outcome = str(word.decree.unit), word.decree.outcome.value
        note = session.note("overruled", line=word.line, headline=True, unit=unit, outcome=outcome, phase=last.resolved)
        session.log(f"{word.text}\n{word.reason}".strip(), note)
    session.flush()
    given = [(word.decree, word.reason) for word in words]
    session.reload_game(resolve.overrule_results(session.services, session.store, session.game, given))
