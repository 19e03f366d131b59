"""Absences, pauses, locked phases, and the heartbeat."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

GAME = ("held", "paused_at", "paused_until", "locked", "forbearance")


def upgrade() -> None:
    op.create_table(
        "absence",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game", sa.Integer(), nullable=False),
        sa.Column("person", sa.Integer(), nullable=False),
        sa.Column("power", sa.Text(), nullable=False),
        sa.Column("begins", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ends", sa.DateTime(timezone=True), nullable=False),
        sa.Column("year", sa.Integer(), nullable=False),
        sa.Column("granted", sa.Boolean(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["game.id"], name=op.f("fk_absence_game_game")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_absence")),
    )
    with op.batch_alter_table("absence", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_absence_game"), ["game"], unique=False)
        batch_op.create_index(batch_op.f("ix_absence_person"), ["person"], unique=False)
    op.create_table(
        "pulse",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("felt_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_pulse")),
    )
    with op.batch_alter_table("game", schema=None) as batch_op:
        batch_op.add_column(sa.Column("held", sa.Integer(), nullable=False, server_default="0"))
        batch_op.add_column(sa.Column("paused_at", sa.DateTime(timezone=True), nullable=True))
        batch_op.add_column(sa.Column("paused_until", sa.DateTime(timezone=True), nullable=True))
        batch_op.add_column(sa.Column("locked", sa.Boolean(), nullable=False, server_default=sa.false()))
        batch_op.add_column(sa.Column("forbearance", sa.Text(), nullable=False, server_default="[]"))
    with op.batch_alter_table("game", schema=None) as batch_op:
        for column in ("held", "locked", "forbearance"):
            batch_op.alter_column(column, server_default=None)


def downgrade() -> None:
    with op.batch_alter_table("game", schema=None) as batch_op:
        for column in reversed(GAME):
            batch_op.drop_column(column)
    op.drop_table("pulse")
    op.drop_table("absence")
