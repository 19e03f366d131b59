"""Bounced addresses, and when the clock looks at a game; indexes for both."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
AT_ONCE = "1970-01-01 00:00:00.000000+00:00"

branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "bounced",
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("score", sa.Float(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("unreachable", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("address", name=op.f("pk_bounced")),
    )
    with op.batch_alter_table("outbox", schema=None) as batch_op:
        batch_op.create_index("ix_outbox_envelope_from", ["envelope_from"], unique=False)
    with op.batch_alter_table("game", schema=None) as batch_op:
        at_once = sa.Column("look_at", sa.DateTime(timezone=True), nullable=False, server_default=AT_ONCE)
        batch_op.add_column(at_once)
    with op.batch_alter_table("game", schema=None) as batch_op:
        batch_op.alter_column("look_at", server_default=None)
        batch_op.create_index("ix_game_look", ["state", "look_at"], unique=False)


def downgrade() -> None:
    with op.batch_alter_table("game", schema=None) as batch_op:
        batch_op.drop_index("ix_game_look")
        batch_op.drop_column("look_at")
    with op.batch_alter_table("outbox", schema=None) as batch_op:
        batch_op.drop_index("ix_outbox_envelope_from")
    op.drop_table("bounced")
