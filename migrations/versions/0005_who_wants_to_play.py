"""Applicants, and powers without a player."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "entry",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game", sa.Integer(), nullable=False),
        sa.Column("person", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("wish", sa.Text(), nullable=False),
        sa.Column("power", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["game.id"], name=op.f("fk_entry_game")),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name=op.f("fk_entry_person")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_entry")),
        sa.UniqueConstraint("game", "person", name=op.f("uq_entry_game_person")),
    )
    with op.batch_alter_table("entry", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_entry_person"), ["person"], unique=False)
    with op.batch_alter_table("seat", schema=None) as batch_op:
        batch_op.add_column(sa.Column("dummy", sa.Boolean(), nullable=False, server_default=sa.false()))
    with op.batch_alter_table("seat", schema=None) as batch_op:
        batch_op.alter_column("dummy", server_default=None)


def downgrade() -> None:
    with op.batch_alter_table("seat", schema=None) as batch_op:
        batch_op.drop_column("dummy")
    op.drop_table("entry")
