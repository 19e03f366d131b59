"""Errata and polls."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "erratum",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game", sa.Integer(), nullable=False),
        sa.Column("snapshot", sa.Integer(), nullable=False),
        sa.Column("resolved", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["game.id"], name=op.f("fk_erratum_game_game")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_erratum")),
    )
    op.create_index(op.f("ix_erratum_game"), "erratum", ["game"], unique=False)
    op.create_table(
        "poll",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("secret", sa.Boolean(), nullable=False),
        sa.Column("opened_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["game"], ["game.id"], name=op.f("fk_poll_game_game")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_poll")),
    )
    op.create_index(op.f("ix_poll_game"), "poll", ["game"], unique=False)
    op.create_table(
        "poll_vote",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("poll", sa.Integer(), nullable=False),
        sa.Column("power", sa.Text(), nullable=False),
        sa.Column("person", sa.Integer(), nullable=False),
        sa.Column("choice", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["poll"], ["poll.id"], name=op.f("fk_poll_vote_poll_poll")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_poll_vote")),
    )
    op.create_index(op.f("ix_poll_vote_poll"), "poll_vote", ["poll"], unique=False)


def downgrade() -> None:
    op.drop_table("poll_vote")
    op.drop_table("poll")
    op.drop_table("erratum")
