"""Who wrote a press letter, for PRESS LOG; which seats get a digest."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

WRITERS = "UPDATE press SET person = COALESCE((SELECT inbox.person FROM inbox WHERE inbox.id = press.inbox), 0)"


def upgrade() -> None:
    # with their defaults, so that SQLite need not make anew a table that others refer to
    op.add_column("press", sa.Column("person", sa.Integer(), nullable=False, server_default="0"))
    op.execute(WRITERS)
    op.add_column("wishes", sa.Column("digest", sa.String(16), nullable=False, server_default="none"))


def downgrade() -> None:
    op.execute("ALTER TABLE wishes DROP COLUMN digest")
    op.execute("ALTER TABLE press DROP COLUMN person")
