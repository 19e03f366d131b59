"""Letters record the signature that proved their sender, so that it proves only one letter."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("inbox") as batch:
        batch.add_column(sa.Column("signature", sa.Text(), nullable=False, server_default=""))
    with op.batch_alter_table("inbox") as batch:
        batch.alter_column("signature", server_default=None)
        batch.create_index("ix_inbox_signature", ["signature"])


def downgrade() -> None:
    with op.batch_alter_table("inbox") as batch:
        batch.drop_index("ix_inbox_signature")
        batch.drop_column("signature")
