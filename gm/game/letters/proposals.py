"""How proposals stand in answers and reminders: the orders, how to take them, and a button that does."""

from __future__ import annotations

from gm.game.model.proposals import Proposals
from gm.game.model.recipient import Recipient
from gm.language.rendering.views import ButtonView, ParagraphView, RowsView, RowView, SectionView

LONGEST_DEED = 50
"""Characters of a line that stands on the button."""


def proposals_section(reader: Recipient, proposals: Proposals) -> SectionView:
    orders = (f"{reader.called(power)}: {line}" if power else line for power, line in proposals.lines)
    requests = "\n".join(proposals.requests).splitlines()
    rows = RowsView(tuple(map(RowView, (*orders, *requests))))
    lead, how = reader.say("proposals.lines"), reader.say("proposals.how", n=_count(proposals))
    return SectionView(reader.say("proposals.title"), (ParagraphView(lead), rows, ParagraphView(how)))


def _count(proposals: Proposals) -> int:
    return len(proposals.lines) + len(proposals.requests)


def proposals_button(reader: Recipient, proposals: Proposals, subject: str) -> ButtonView:
    words = reader.say("proposals.yes", code=proposals.code.upper())
    deeds = (*(line for _, line in proposals.lines), *proposals.requests)
    deed = deeds[0].partition("\n")[0]
    label = reader.say("proposals.button-deed", deed=deed) if len(deeds) == 1 and len(deed) <= LONGEST_DEED else ""
    return reader.button(label or reader.say("proposals.button", n=_count(proposals)), subject, words)
