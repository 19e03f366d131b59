"""People may ask for a letter when a game looks for players; a seat may be open to substitutes."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

COLUMNS = (("person", "openings"), ("seat", "open"))


def upgrade() -> None:
    for table, column in COLUMNS:  # with its default, so that SQLite need not make anew a table that others refer to
        op.add_column(table, sa.Column(column, sa.Boolean(), nullable=False, server_default=sa.false()))


def downgrade() -> None:
    for table, column in COLUMNS:
        op.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
