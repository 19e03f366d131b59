"""Press under another name, paid press, delayed press."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("press", schema=None) as batch_op:
        batch_op.add_column(sa.Column("name", sa.Text(), nullable=False, server_default=""))
        batch_op.add_column(sa.Column("turn", sa.Text(), nullable=False, server_default=""))
        batch_op.add_column(sa.Column("cost", sa.Integer(), nullable=False, server_default="0"))
        batch_op.add_column(sa.Column("held_until", sa.DateTime(timezone=True), nullable=True))
    with op.batch_alter_table("press", schema=None) as batch_op:
        for column in ("name", "turn", "cost"):
            batch_op.alter_column(column, server_default=None)


def downgrade() -> None:
    with op.batch_alter_table("press", schema=None) as batch_op:
        for column in ("held_until", "cost", "turn", "name"):
            batch_op.drop_column(column)
