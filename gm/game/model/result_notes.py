"""CORRECT RESULT, RULE: a game master's note to results that were already sent.

The results don't change: the note is stored beside the snapshot, makes another version of it, and stands above the
results when they are sent again.
"""

from __future__ import annotations

from gm.game.model.poll_records import Erratum
from gm.game.model.ports import Store
from gm.game.model.records import Snapshot


def notes(store: Store, snapshot: Snapshot) -> tuple[Erratum, ...]:
    """Notes to this snapshot, oldest first."""
    return tuple(note for note in store.polls.errata(snapshot.game) if note.snapshot == snapshot.id)


def version(store: Store, snapshot: Snapshot) -> int:
    """The newest version of these results that was sent."""
    return snapshot.version + len(notes(store, snapshot))


def copy_notes(store: Store, old: Snapshot, new: Snapshot) -> None:
    """Copies the notes to another snapshot with the same results."""
    for note in notes(store, old):
        store.polls.add_erratum(Erratum(note.game, new.id, note.resolved, note.text, note.at))


def notes_of_phase(store: Store, game: int, phase: str) -> tuple[str, ...]:
    """The texts of all notes to the results of a phase, oldest first, without duplicates."""
    return tuple(dict.fromkeys(note.text for note in store.polls.errata(game) if note.resolved == phase))
