"""Mail choices, names of observers, notebooks."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "wishes",
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("person", sa.Integer(), nullable=False),
        sa.Column("mail", sa.String(length=16), nullable=False),
        sa.Column("muted", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name=op.f("fk_wishes_person_person")),
        sa.ForeignKeyConstraint(["seat"], ["seat.id"], name=op.f("fk_wishes_seat_seat")),
        sa.PrimaryKeyConstraint("seat", "person", name=op.f("pk_wishes")),
    )
    op.create_table(
        "diary",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("person", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("power", sa.Text(), nullable=False),
        sa.Column("phase", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("words", sa.Text(), nullable=False),
        sa.Column("opens", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["game.id"], name=op.f("fk_diary_game_game")),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name=op.f("fk_diary_person_person")),
        sa.ForeignKeyConstraint(["seat"], ["seat.id"], name=op.f("fk_diary_seat_seat")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_diary")),
    )
    with op.batch_alter_table("diary", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_diary_game"), ["game"], unique=False)


def downgrade() -> None:
    op.drop_table("diary")
    op.drop_table("wishes")
