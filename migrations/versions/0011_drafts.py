"""Sheets may be drafts."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("sheet") as batch:
        batch.add_column(sa.Column("preliminary", sa.Boolean(), nullable=False, server_default=sa.false()))
    with op.batch_alter_table("sheet") as batch:
        batch.alter_column("preliminary", server_default=None)


def downgrade() -> None:
    with op.batch_alter_table("sheet") as batch:
        batch.drop_column("preliminary")
