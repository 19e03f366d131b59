"""What was acknowledged outlives kill -9, and what was done together is there together or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, TextIO

import pytest
from support.processes.warm_process import WarmProcess
from support.stores.letter_taking_process import AT
from support.stores.migrated_database import migrate
from support.stores.postgresql import ready_postgresql

from gm.errors import Unavailable
from gm.game.model.records import InboxRow, InboxState
from gm.store.database import Database

TAKING = "import sys; from support.stores.letter_taking_process import main; main(sys.argv[1], int(sys.argv[2]))"
ROUNDS = 4


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_every_acknowledged_letter_is_there_after_a_kill(kind: str, tmp_path: Path) -> None:
    where = ready_postgresql() if kind == "postgresql" else str(tmp_path / "gm.sqlite")
    database = Database(where)
    migrate(database)
    database.close()
    lines: list[str] = []
    for number in range(ROUNDS):
        lines += killed_after(30 + 7 * number, where, first=number * 100_000)
    database = Database(where)
    with database.transaction() as store:
        answered = {row.letter.cause for row in store.outbox.all()}
        for line in lines:
            what, number = line.split()
            kept, new = store.inbox.accept(row_like(number))
            assert not new, f"letter {number} was taken and is lost"
            assert (kept.state is InboxState.DONE) == (f"inbox:{number}" in answered)
            assert what == "taken" or kept.state is InboxState.DONE
    database.close()


def killed_after(lines: int, where: str, first: int) -> list[str]:
    """What the child said before it was killed, in the midst of its work."""
    with taking(where, first) as (child, says, errors):
        output = [says.readline() for _ in range(lines)]
        child.kill()
        output += says.readlines()
        child.wait()
        errors.seek(0)
        assert errors.read() == b""
    return [line for line in output if line.endswith("\n")]


@contextmanager
def taking(where: str, first: int) -> Iterator[tuple[WarmProcess, TextIO, BinaryIO]]:
    """A process that takes letters, what it says, and its errors."""
    inward, outward = os.pipe()
    with Path(os.devnull).open("rb") as nothing, tempfile.TemporaryFile() as errors, os.fdopen(inward) as says:
        with os.fdopen(outward, "wb") as pipe:
            child = WarmProcess(TAKING, (where, str(first)), streams=(nothing, pipe, errors))
        try:
            yield child, says, errors
        finally:
            child.kill()
            child.wait()


def row_like(number: str) -> InboxRow:
    return InboxRow(0, "lmtp", f"key {number}", AT, b"")


def test_a_second_process_is_refused_in_one_line_and_let_in_after_a_kill(tmp_path: Path) -> None:
    where = tmp_path / "gm.sqlite"
    database = Database(where)
    migrate(database)
    database.close()
    with taking(str(where), 0) as (child, says, _):
        says.readline()
        with pytest.raises(Unavailable, match=rf"gm.sqlite is in use by process {child.pid}: stop") as refused:
            Database(where)
        assert "\n" not in str(refused.value)
        beside = Database(where, alone=False)
        with beside.transaction() as store:
            assert store.inbox.accept(row_like("from beside"))[1]
        beside.close()
    Database(where).close()


def test_one_process_cannot_open_its_own_database_twice(tmp_path: Path) -> None:
    database = Database(tmp_path / "gm.sqlite")
    with pytest.raises(Unavailable, match="in use"):
        Database(tmp_path / "gm.sqlite")
    database.close()
    Database(tmp_path / "gm.sqlite").close()
