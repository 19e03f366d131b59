"""Databases that earlier versions wrote (`data/README.md`), read as values that name no classes."""

from __future__ import annotations

import hashlib
import json
import lzma
import tempfile
from collections.abc import Mapping
from contextlib import closing
from datetime import datetime
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any

from msgspec import Struct
from sqlalchemy import select
from support.paths import TESTS

from gm.judge.board.planar_board import PlanarBoard
from gm.judge.model.position import Position
from gm.judge.model.struct_fields import contents
from gm.judge.model.variant import Variant
from gm.language.formats import stored_values as codec
from gm.language.formats.json_borders import borders_to_json
from gm.language.rendering import order_text as write
from gm.store.database import Database
from gm.store.schema.tables import metadata

DATA = TESTS / "store" / "data"
DATABASES = sorted(path.name.removesuffix(".database.xz") for path in DATA.glob("*.database.xz"))
BACKUPS = sorted(path.name.removesuffix(".backup.gz") for path in DATA.glob("*.backup.gz"))
LETTERS = {"text", "html", "raw"}
"""Columns so large that their digest is enough."""


def unpacked(name: str, folder: Path) -> Path:
    """A copy of the database, to be worked on."""
    path = folder / "gm.sqlite"
    path.write_bytes(lzma.decompress((DATA / f"{name}.database.xz").read_bytes()))
    return path


def upgraded(name: str, folder: Path) -> Path:
    """A copy in this version's form. It is upgraded once for each process of tests."""
    path = folder / "gm.sqlite"
    path.write_bytes(_upgraded(name))
    return path


@cache
def _upgraded(name: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = unpacked(name, Path(folder))
        with closing(Database(path)) as database:
            database.upgrade()
        return path.read_bytes()


def expected(name: str) -> Any:
    """What the version that wrote the database read from it."""
    return json.loads(lzma.decompress((DATA / f"{name}.values.json.xz").read_bytes()))


def values(database: Database, variants: Mapping[int, Variant]) -> dict[str, Any]:
    """By the name of the table: its columns, and its rows with every stored document decoded."""
    tables: dict[str, Any] = {}
    with database.write_connection() as connection:
        for table in metadata.sorted_tables:
            rows = connection.execute(select(table).order_by(*table.primary_key)).mappings().all()
            columns = [column.name for column in table.columns]
            tables[table.name] = {
                "columns": columns,
                "rows": [[_cell(table.name, name, row, variants) for name in columns] for row in rows],
            }
    return tables


def _cell(table: str, column: str, row: Mapping[str, Any], variants: Mapping[int, Variant]) -> Any:
    value = row[column]
    if table == "snapshot" and column == "position":
        return plain(codec.position_from_text(value, variants[row["game"]]))
    if table == "snapshot" and column == "events":
        return plain(codec.events_from_text(value))
    if table == "snapshot" and column == "book":
        return plain(codec.book_from_text(value)) if value else ""
    if table in ("inbox", "outbox") and column in LETTERS:
        raw = value if isinstance(value, bytes) else value.encode()
        return [len(raw), hashlib.sha256(raw).hexdigest()[:16]]
    return plain(value)


BEHIND_AUDIENCE = ("bought", "gone")
"""Fields of an order's result that stood last when the files were written, behind its audience."""


def plain(value: Any) -> Any:
    """The contents of a value, whatever its class and its fields are called; statements with their canonical text."""
    if isinstance(value, Position):
        return [plain(part) for name, part in contents(value).items() if name != "board"] + _borders(value)
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, bytes):
        return hashlib.sha256(value).hexdigest()
    if isinstance(value, Mapping):
        return [[plain(key), plain(content)] for key, content in value.items()]
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, Struct):
        parts = contents(value)
        return _words(value) + [plain(parts[name]) for name in sorted(parts, key=BEHIND_AUDIENCE.__contains__)]
    if isinstance(value, tuple | list):
        return [plain(part) for part in value]
    return value


def _words(value: Struct) -> list[str]:
    """A statement as a sheet holds it; nothing for another value, or for one that has no words of its own."""
    words = write.statement(value) if hasattr(value, "slot") else ""  # type: ignore[arg-type]
    return [words] if words and words != repr(value) else []


def _borders(position: Position) -> list[Any]:
    board = position.board
    return [borders_to_json(board), sorted(board.stranded)] if isinstance(board, PlanarBoard) else []
