"""Letters wait for a map, which is drawn once for all of them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "picture",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("snapshot", sa.Integer(), nullable=False),
        sa.Column("audience", sa.Text(), nullable=False),
        sa.Column("form", sa.Text(), nullable=False),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("leased_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("error", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_picture")),
        sa.UniqueConstraint("snapshot", "audience", "form", name=op.f("uq_picture_snapshot_audience_form")),
    )
    with op.batch_alter_table("picture", schema=None) as batch_op:
        batch_op.create_index("ix_picture_next", ["made_at", "id"], unique=False)
    with op.batch_alter_table("outbox", schema=None) as batch_op:
        batch_op.add_column(sa.Column("picture", sa.Integer(), nullable=False, server_default="0"))
        batch_op.add_column(sa.Column("picture_name", sa.Text(), nullable=False, server_default=""))
        batch_op.add_column(sa.Column("picture_until", sa.DateTime(timezone=True), nullable=True))
        batch_op.add_column(sa.Column("pictured", sa.Boolean(), nullable=True))
    with op.batch_alter_table("outbox", schema=None) as batch_op:
        for column in ("picture", "picture_name"):
            batch_op.alter_column(column, server_default=None)


def downgrade() -> None:
    with op.batch_alter_table("outbox", schema=None) as batch_op:
        for column in ("pictured", "picture_until", "picture_name", "picture"):
            batch_op.drop_column(column)
    op.drop_table("picture")
