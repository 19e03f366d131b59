"""Alembic runs this for `gm.store.schema_version`, which owns the connection and its transaction."""

from __future__ import annotations

from typing import Literal

from alembic import context
from sqlalchemy.types import TypeDecorator

from gm.store.schema.tables import metadata


def plain_type(kind: str, item: object, _autogenerating: object) -> str | Literal[False]:
    """Migrations use the database's own types, so that they stay valid when ours change."""
    return f"sa.{item.impl!r}" if kind == "type" and isinstance(item, TypeDecorator) else False


context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,  # SQLite alters a table by recreating it
    compare_type=True,
    render_item=plain_type,
)
context.run_migrations()
