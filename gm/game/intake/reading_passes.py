"""What a letter to a seat was read as, changed by what is known of its game, its writer and the people in it.

Each pass gets the contents that the passes above it have left: the order of `PASSES` is part of what they mean.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from gm.game.commands.calls_by_name import with_calls_to_master, with_calls_to_players, with_words_beside_commands
from gm.game.commands.plain_answers import with_plain_answers
from gm.game.commands.unread_moves import with_unread_moves
from gm.game.intake.orders_elsewhere import with_own_powers, without_other_game
from gm.game.model.records import Letter
from gm.game.orders.fallen_powers import without_orders_of_fallen
from gm.game.orders.late_words import with_late_words
from gm.game.orders.now_and_later import with_adjustments, with_builds_in_question, with_orders_for_now
from gm.game.orders.rejected_orders import with_rejected_orders
from gm.game.players.game_variant import without_faulty_creation
from gm.game.players.joining_in_words import with_joining
from gm.game.press.divided_announcements import with_divided_announcements
from gm.game.press.kept_from import with_words_kept_from
from gm.game.press.orders_for_others import with_orders_for_others
from gm.game.press.wishes_for_master import with_wishes_for_master
from gm.game.press.words_for_master import with_complaint, with_words_for_master
from gm.game.press.words_for_players import with_words_for_players
from gm.game.proposals.settled_lines import with_settled_lines
from gm.game.session.session import LetterSession
from gm.language.lines.letter_contents import LetterContents

Change: TypeAlias = Callable[[LetterSession, Letter, LetterContents], LetterContents]


class Pass(Struct, frozen=True):
    """`in_replies`: also where a reply answers proposals. `beside_orders`: also where the writer has said that a letter
    held as press is for the game master, and it has orders.
    """

    change: Change
    in_replies: bool = False
    beside_orders: bool = True


def with_passes(
    session: LetterSession, letter: Letter, reading: LetterContents, *, is_reply: bool, was_held: bool
) -> LetterContents:
    """No pass sees the words of press: they have their readers, and their manner, and go to nobody besides."""
    letter = replace(letter, lines=reading.outside_press(letter.lines))
    for each in PASSES:
        if (each.in_replies or not is_reply) and (each.beside_orders or not (was_held and reading.orders)):
            reading = each.change(session, letter, reading)
    return reading


def _of_contents(change: Callable[[LetterSession, LetterContents], LetterContents]) -> Change:
    return lambda session, _, reading: change(session, reading)


def _with_joining(session: LetterSession, letter: Letter, reading: LetterContents) -> LetterContents:
    return with_joining(session.services, session.store, letter, reading, besides=session.game.name)


PASSES = (
    # Orders for another game leave first: everything below would take them for mistakes in this one.
    Pass(_of_contents(without_other_game)),
    Pass(_of_contents(with_own_powers)),
    # Settles which phase the letter is for, `late_for`; the passes about orders ask for it.
    Pass(_of_contents(with_late_words)),
    # A CREATE with faults takes the requests behind it away, also a JOIN that words stand for.
    Pass(_with_joining, in_replies=True),
    Pass(_of_contents(without_faulty_creation), in_replies=True),
    # What is said of a later phase may be an order of the open one, or be for adjustments that are open now: proposals
    # are made here, and `with_rejected_orders` takes back those that the sentence itself calls wrong.
    Pass(_of_contents(with_orders_for_now), in_replies=True),
    Pass(_of_contents(with_adjustments), in_replies=True),
    # A YES takes what its answer showed: what must go for a build is asked before.
    Pass(_of_contents(with_builds_in_question)),
    Pass(_of_contents(with_rejected_orders), in_replies=True),
    # It quotes words as they stand, so no pass about orders has to judge what it adds.
    Pass(with_unread_moves, in_replies=True),
    # After all that finds fault with orders.
    Pass(_of_contents(with_settled_lines), in_replies=True),
    Pass(_of_contents(without_orders_of_fallen), in_replies=True),
    # From here on words for people. A complaint decides about the whole letter: the others look for its key.
    Pass(with_complaint),
    # Words for players are none for the game master, and a question in them is not answered.
    Pass(with_words_for_players, beside_orders=False),
    # What no proposal of press holds, and all that stands beside a YES, stays among the writer's orders without this.
    Pass(with_orders_for_others, in_replies=True),
    # Words that nobody may read are no words for players either; also those beside a YES.
    Pass(with_words_kept_from, in_replies=True),
    # What a game master says to all must not hold what is for fewer.
    Pass(_of_contents(with_divided_announcements)),
    # What is answered is not passed on to the game master by the passes below.
    Pass(with_plain_answers),
    # A letter that is the game master's as a whole, before sentences that call them by name.
    Pass(with_words_for_master),
    Pass(with_calls_to_master),
    # A sentence that the game master is proposed to get is not a player's as well.
    Pass(with_calls_to_players, beside_orders=False),
    # Beside a game master's commands words for players stand in lines of their own.
    Pass(with_words_beside_commands, beside_orders=False),
    # Wishes speak to nobody: only what none of the passes above has proposed to somebody is for the game master.
    Pass(with_wishes_for_master),
)
