"""Each player may choose whether answers to orders come with a picture of them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("wishes", sa.Column("order_maps", sa.Boolean(), nullable=False, server_default=sa.true()))


def downgrade() -> None:
    op.execute("ALTER TABLE wishes DROP COLUMN order_maps")
