"""How proposals stand in answers and reminders: the orders, how to take them, and a button that does."""

from __future__ import annotations

from gm.game.model.proposals import Proposals
from gm.game.model.recipient import Recipient
from gm.language.rendering.views import ButtonView, ParagraphView, RowsView, RowView, SectionView


def proposals_section(reader: Recipient, proposals: Proposals) -> SectionView:
    lines = (f"{reader.called(power)}: {line}" if power else line for power, line in proposals.lines)
    rows = RowsView(tuple(map(RowView, lines)))
    lead, how = reader.say("proposals.lines"), reader.say("proposals.how", n=len(proposals.lines))
    return SectionView(reader.say("proposals.title"), (ParagraphView(lead), rows, ParagraphView(how)))


def proposals_button(reader: Recipient, proposals: Proposals, subject: str) -> ButtonView:
    words = reader.say("proposals.yes", code=proposals.code.upper())
    return reader.button(reader.say("proposals.button", n=len(proposals.lines)), subject, words)
