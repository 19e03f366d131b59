"""Players' statements at the end of a game, and the time they have for them; press that the end opens."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "statement",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("person", sa.Integer(), nullable=False),
        sa.Column("power", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("words", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["game.id"], name=op.f("fk_statement_game")),
        sa.ForeignKeyConstraint(["seat"], ["seat.id"], name=op.f("fk_statement_seat")),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name=op.f("fk_statement_person")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_statement")),
    )
    op.create_index("ix_statement_game", "statement", ["game"])
    op.create_table(
        "statement_round",
        sa.Column("game", sa.Integer(), nullable=False),
        sa.Column("snapshot", sa.Integer(), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["game"], ["game.id"], name=op.f("fk_statement_round_game")),
        sa.PrimaryKeyConstraint("game", name=op.f("pk_statement_round")),
    )
    op.create_index("ix_statement_round_due", "statement_round", ["closed_at", "ends_at"])
    op.add_column("press", sa.Column("opens", sa.Boolean(), nullable=False, server_default=sa.false()))


def downgrade() -> None:
    op.execute("ALTER TABLE press DROP COLUMN opens")
    op.drop_table("statement_round")
    op.drop_table("statement")
