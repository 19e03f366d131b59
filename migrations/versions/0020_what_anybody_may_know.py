"""What was announced of each game, and events for the site's feeds and the webhook.

Games that exist already have no event of their past.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("game", sa.Column("news", sa.Boolean(), nullable=False, server_default=sa.true()))
    op.create_index("ix_game_news", "game", ["news"])
    op.create_table(
        "announced",
        sa.Column("game", sa.Integer(), nullable=False),
        sa.Column("facts", sa.Text(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("published", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["game.id"], name=op.f("fk_announced_game")),
        sa.PrimaryKeyConstraint("game", name=op.f("pk_announced")),
    )
    op.execute("INSERT INTO announced (game, facts, revision, published) SELECT id, '', 0, 0 FROM game")
    op.create_table(
        "public_event",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("phase", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("waiting", sa.Boolean(), nullable=False),
        sa.Column("not_before", sa.DateTime(timezone=True), nullable=True),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("last_error", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["game.id"], name=op.f("fk_public_event_game")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_public_event")),
    )
    op.create_index("ix_public_event_game", "public_event", ["game"])
    op.create_index("ix_public_event_waiting", "public_event", ["waiting", "id"])


def downgrade() -> None:
    op.drop_table("public_event")
    op.drop_table("announced")
    op.drop_index("ix_game_news", "game")
    op.execute("ALTER TABLE game DROP COLUMN news")
