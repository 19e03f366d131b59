"""People may ask for a letter when a game looks for players; a seat may be open to substitutes."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

COLUMNS = (("person", "openings"), ("seat", "open"))


def upgrade() -> None:
    for table, column in COLUMNS:
        with op.batch_alter_table(table) as batch:
            batch.add_column(sa.Column(column, sa.Boolean(), nullable=False, server_default=sa.false()))
        with op.batch_alter_table(table) as batch:
            batch.alter_column(column, server_default=None)


def downgrade() -> None:
    for table, column in COLUMNS:
        with op.batch_alter_table(table) as batch:
            batch.drop_column(column)
