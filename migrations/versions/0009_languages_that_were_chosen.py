"""Clears the language of people who never chose one."""

from __future__ import annotations

from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("UPDATE person SET language = '' WHERE language = 'en'")


def downgrade() -> None:
    op.execute("UPDATE person SET language = 'en' WHERE language = ''")
