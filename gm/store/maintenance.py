"""Operators' work on the whole store: figures, backup, restore, shunted letters, retention, erasing a person."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Collection, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, select

from gm.errors import GmError
from gm.game.intake.bounces import release_address
from gm.game.model.records import InboxRow, InboxState
from gm.store import schema_version
from gm.store.database import Database
from gm.store.queries.row_mapping import record
from gm.store.queries.statistics import StoreFigures, figures
from gm.store.schema import tables as t

if TYPE_CHECKING:
    from gm.store.upkeep.backup_file import WholeBackup
    from gm.store.upkeep.erasure import Erasure
    from gm.store.upkeep.letters_of import LetterTrace


class StoreMaintenance:
    """Works beside a running server, except `restore`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def figures(self) -> StoreFigures:
        now = self._database.now()
        with self._database.read_connection() as connection:
            return figures(connection, now)

    def back_up(self, path: Path, version: str, secret: str | None) -> int:
        """Write everything to a file that only its owner can read; returns the number of lines.

        Raises GmError where something else than an earlier backup is there.
        """
        from gm.store.upkeep.backup_file import new_backup

        lines = 0
        with (
            new_backup(path, self._database.own_files) as file,
            gzip.open(file, "wt", encoding="ascii", newline="\n") as text,
        ):
            for line in self._dump_lines(version, secret):
                text.write(line + "\n")
                lines += 1
        return lines

    def _dump_lines(self, version: str, secret: str | None) -> Iterator[str]:
        from gm.store.upkeep import backup

        with self._database.read_connection() as connection:
            revision = schema_version.present(connection)
            at = datetime.now(UTC).isoformat(timespec="seconds")
            yield from backup.dump(connection, {"gm": version, "schema": revision, "at": at, "secret": secret})

    def restore(self, path: Path, *, force: bool = False) -> tuple[int, str | None]:
        """Fill the database from a backup, all or nothing; returns the number of rows and the secret."""
        from gm.store.upkeep.backup_file import whole_backup

        with whole_backup(path) as backup:
            return self.fill(backup, force=force), backup.head.get("secret")

    def fill(self, backup: WholeBackup, *, force: bool = False) -> int:
        """The tables get the form of the backup's version, are filled, and migrated; returns the number of rows."""
        from gm.store.nodes import rights
        from gm.store.schema import migrations  # alembic, which `gm tick` does not need
        from gm.store.upkeep.backup import clear, is_empty, load, lock_tables

        name = self._database.name
        with self._database.write_connection() as connection, backup.faults_named():
            if not rights.claim_alone(connection):
                raise GmError(f"database {name} is in use by a running `gm serve`: stop every node first")
            migrations.upgrade(connection, name)
            lock_tables(connection)
            if not is_empty(connection):
                if not force:
                    raise GmError(f"database {name} is not empty; --force replaces all that is in it")
                clear(connection)
            migrations.downgrade(connection, backup.version)
            rows = load(connection, backup.lines)
            migrations.upgrade(connection, name)
            return rows

    def shunted(self) -> tuple[InboxRow, ...]:
        query = select(t.inbox).where(t.inbox.c.state == InboxState.SHUNTED).order_by(t.inbox.c.id)
        with self._database.read_connection() as connection:
            return tuple(record(InboxRow, row) for row in connection.execute(query).mappings())

    def letters_of(self, address: str) -> tuple[LetterTrace, ...]:
        from gm.store.upkeep.letters_of import letters_of

        with self._database.read_connection() as connection:
            return letters_of(connection, address)

    def taken(self, content_key: str) -> bytes | None:
        """The bytes of a letter that has come in, by its content key; None if it has not, or is no longer kept."""
        query = select(t.inbox.c.raw).where(t.inbox.c.content_key == content_key)
        with self._database.read_connection() as connection:
            row = connection.execute(query).first()
        return bytes(row[0]) if row is not None else None

    def retry(self, letter: int) -> bool:
        """Mark a shunted letter as unread; returns False when it is not shunted."""
        with self._database.transaction() as store:
            try:
                row = store.inbox.get(letter)
            except KeyError:
                return False
            if row.state is InboxState.SHUNTED:
                store.inbox.close(letter, InboxState.NEW)
            return row.state is InboxState.SHUNTED

    def send_again(self, address: str, days: int) -> tuple[int, tuple[str, ...]]:
        """Send what was given up in the last days or waits for another attempt, to one address or ("") to all.

        What was kept for them goes too. Returns the number without it, and the addresses that letters were kept for.
        """
        with self._database.transaction() as store:
            now = store.now()
            addresses = store.outbox.queue_again(address, now - timedelta(days=days), now)
            asked = dict.fromkeys([*addresses, *([address.lower()] if address else [])])
            return len(addresses), tuple(each for each in asked if release_address(store, each))

    def delete_old(self, delete: Callable[[Connection, datetime], int], days: int) -> int:
        """`delete` is a function of `gm.store.upkeep.retention`; returns the number of rows."""
        before = self._database.now() - timedelta(days=days)
        with self._database.write_connection() as connection:
            return delete(connection, before)

    def erase(self, address: str, ordinary: Collection[str] = (), *, try_only: bool = False) -> Erasure | None:
        """See `gm.store.upkeep.erasure`. `try_only`: everything stays."""
        from gm.store.upkeep import erasure

        with self._database.write_connection() as connection:
            erased = erasure.erase(connection, address, ordinary)
            if try_only:
                connection.rollback()
        if erased is not None and not try_only:
            self._database.overwrite_free_pages()
        return erased
