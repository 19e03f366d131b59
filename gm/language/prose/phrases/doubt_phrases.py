"""Words that may change an order before them, although nothing more is understood: table `retract`."""

from __future__ import annotations

import re

from msgspec import Struct


class DoubtPhrases(Struct, frozen=True, kw_only=True):
    thinking_again: re.Pattern[str]
    """The beginning of a clause in which the writer thinks again, beside `correction`."""
    uncancelling: re.Pattern[str]
    """The beginning of a clause by which what was taken back is wanted after all."""
    mild: re.Pattern[str]
    """Words of `correction` in which the writer does not think again."""
    hesitating: re.Pattern[str]
    """All words of a pause between orders."""
    small_talk: re.Pattern[str]
    """Words of sentences that change nothing, with whatever words of correction they begin."""
    amounts: re.Pattern[str]
    """Words of what a build or points are to be."""
    telling: re.Pattern[str]
    """Words that tell somebody what to do: "you keep …"."""
    not_there: re.Pattern[str]
    """Words right before a place where nothing is to go."""
    unsettling: re.Pattern[str]
    """Words by which a writer may change an order before them, whatever else they say."""
    unconcerned: re.Pattern[str]
    """Words that change no order before them, although they are not understood."""
    denying: re.Pattern[str]
    """The words beside a unit that only say no to it: "Budapest better not"."""
    not_to_go: re.Pattern[str]
    """Behind a unit: it is not to move."""
    all_points: re.Pattern[str]
    """Words that an order takes all points: "all three on Austria"."""
    edited: re.Pattern[str]
    """The beginning of a line that changes the letter around it: "EDIT:"."""
    it_stays: re.Pattern[str]
    """Words that may mean an order as well as its unit."""
    one_there: re.Pattern[str]
    """A unit of a kind is wanted in the place named before."""
    disowning_below: re.Pattern[str]
    """Orders below are not to be read: "ignore what is under the line"."""
    choosing_version: re.Pattern[str]
    """One of several versions counts, or one order: "the first go was better"."""
    offering: re.Pattern[str]
    """The beginning of a question that offers another order: "Or should Vienna rather …?"."""
