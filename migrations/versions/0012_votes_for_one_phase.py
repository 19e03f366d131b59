"""Votes record whether all could see them and with which snapshot they lapsed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("vote") as batch:
        batch.add_column(sa.Column("shown", sa.Boolean(), nullable=False, server_default=sa.false()))
        batch.add_column(sa.Column("lapsed", sa.Integer(), nullable=False, server_default="0"))
    with op.batch_alter_table("vote") as batch:
        batch.alter_column("shown", server_default=None)
        batch.alter_column("lapsed", server_default=None)


def downgrade() -> None:
    with op.batch_alter_table("vote") as batch:
        batch.drop_column("lapsed")
        batch.drop_column("shown")
