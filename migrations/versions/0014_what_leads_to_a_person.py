"""Letters record who wrote them; former names and addresses are kept until the person is erased."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "known_as",
        sa.Column("person", sa.Integer(), nullable=False),
        sa.Column("word", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name=op.f("fk_known_as_person")),
        sa.PrimaryKeyConstraint("person", "word", name=op.f("pk_known_as")),
    )
    with op.batch_alter_table("inbox") as batch:
        batch.add_column(sa.Column("person", sa.Integer(), nullable=True))
        batch.create_index("ix_inbox_person", ["person"])


def downgrade() -> None:
    with op.batch_alter_table("inbox") as batch:
        batch.drop_index("ix_inbox_person")
        batch.drop_column("person")
    op.drop_table("known_as")
