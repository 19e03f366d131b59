"""Counts per person: phases with and without orders, seats given up, games finished (RECORD)."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "conduct",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person", sa.Integer(), nullable=False),
        sa.Column("game", sa.Integer(), nullable=False),
        sa.Column("power", sa.Text(), nullable=False),
        sa.Column("phase", sa.Text(), nullable=False),
        sa.Column("deed", sa.String(16), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name=op.f("fk_conduct_person")),
        sa.ForeignKeyConstraint(["game"], ["game.id"], name=op.f("fk_conduct_game")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_conduct")),
    )
    op.create_index("ix_conduct_person", "conduct", ["person"])
    op.create_index("ix_conduct_game", "conduct", ["game"])


def downgrade() -> None:
    op.drop_table("conduct")
