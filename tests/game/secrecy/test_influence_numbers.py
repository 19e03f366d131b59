"""How many points lie in a box is secret after the bids, until the next Spring's numbers: shown by games that differ in
one player's bid for a minor power that nobody else bids for.
"""

from __future__ import annotations

from support import scripted_players as player
from support.twin_games import Twins

from gm.game.model.services import Services
from gm.judge.model.influence_boxes import BIDS
from gm.language.rendering import order_text
from gm.variant_files.library import Library

BIDDER = "Germany"
HIDDEN = "hidden_control: on\n"
ASKED = ("STATUS", "HISTORY", "SUMMARY\nRULES", "SHOW", "HELP")


def played(services: Services, library: Library, chosen: str) -> Twins:
    """The bids and the Spring of 1933, up to the moves of Fall."""
    options = dict(line.split(": ") for line in chosen.splitlines())
    twins = Twins(services, 3, library.variant("europe-1933", options), power=BIDDER, chosen=chosen, curious=True)
    while twins.runs[0].game().phase != "F1933M":
        position = twins.runs[0].position(twins.variant)
        letter = twins.variant.step(position).letter
        book = player.orders(twins.variant, position, twins.dice)
        for power in (each.name for each in twins.variant.powers if each.name != BIDDER):
            orders = [order_text.statement(entry.statement, letter) for entry in book.entries(power)]
            lines = ["bid Spain 3" if power == "France" else "bid none"] if letter == BIDS else orders
            twins._both(power, "\n".join([*lines, twins.dice.choice(ASKED)]))
        if letter == BIDS:
            for run, points in enumerate((4, 11)):
                twins.runs[run].write(*twins._from(run, BIDDER), f"bid Poland {points}")
        twins.look_on()
        due = twins.runs[0].game().due_at
        assert due is not None
        twins._forward(due - twins.runs[0].now())
    for power in (each.name for each in twins.variant.powers if each.name != BIDDER):
        twins._both(power, "STATUS\nHISTORY\nSUMMARY\nMISSING")
    return twins


def test_nobody_else_s_letters_show_them(services: Services, library: Library) -> None:
    twins = played(services, library, HIDDEN)
    assert twins.leaks() == []


def test_with_the_setting_everybody_s_letters_show_them(services: Services, library: Library) -> None:
    leaks = played(services, library, HIDDEN + "hidden_numbers_after_bids: true\n").leaks()
    assert all(any(leak.startswith(power.lower()) for leak in leaks) for power in ("England", "France", "Italy"))
