"""What people write around orders, in one language: grammars/prose/<language>.toml.

Each entry is a regular expression over a clause in lower case, without accents. English phrases work in every language.

    padding                 words that say nothing of an order
    signs."-"               an order in other words -> the sign for it
    phone                   signs of a hurried hand -> signs of orders of the same length
    alike                   words that make a unit do what the one before does
    no_motion               words before "to" that move no unit: "listens to"
    inverted                a place before the verb to which the unit behind the verb goes: "into Venice marches Rome"
    keep, hold_all, hold_rest
                            what happens to the other units; `alike` (of `hold_rest`): what the unit before does;
                            `firmly`: they hold, whatever is on file; `valid`: what is on file counts
    cancel, retract         what takes an order back: one on file or in the letter; one said just before; with
                            `letter` all of the letter
    correction              the order behind these words replaces the one before
    ordinals                what counts orders of the letter: "the last two" is the slice "-2:"
    old                     the words behind are an order that no longer counts
    negated, hedge, question, alternative, condition, reported, later      why an order does not count now
    request, request_end    (of `question`) how a question begins or ends that is none; `board`: one about the map
    next                    (of `later`) words for the movement phase after the open one
    governing               (of `reported`) behind words not understood: what follows is no order of its own
    player                  (of `reported`) what another player should do: so do the words behind it
    asides                  (of `condition`) no conditions: "if I counted right"
    fallback                an order for the case that the one before is impossible; with `nothing`, behind no order:
                            what is wished if a question is answered with no
    reason                  why the order before is given, or (`manner`) how
    pronouns                words for the last order ("supports it"), for its goal ("goes there"), and for the unit
                            named last ("which holds")
    infinitives             `clauses`: ends of clauses that depend on the one before; `intending`: words that make
                            such a clause the writer's will
    shore                   words behind a sea for the coast at it: "the North Sea side"
    columns                 what stands above the columns of a table of orders
    tables                  the same of columns of orders that no longer count, and of units that support the others
    choosing                `headings` of options, and sentences that say which of them counts; `numbers`: which
                            one a word in them means; -1 is the last
    joints                  words between clauses, and between sentences; prepositions at the end of a line
    directions              `words` of the compass behind a verb, and what stands around the place that they mean
    options                 words about what a setting of a variant adds, by its key
    telltale                words that show that a line is in this language
    to_master               (in a reply to a player) words that ask the game master for something; with `players` words
                            of a sentence that speaks to the player

`headings` of a table are whole lines that say so of the lines below them. `{power}` is the name of any power. The
table `parts` names what else may stand in braces; its entries may hold those above them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from gm.judge.model.variant import Variant
from gm.language.i18n.kept_patterns import compiled
from gm.language.i18n.normalize import clean
from gm.language.i18n.place_names import powers
from gm.language.prose.phrases.doubt_phrases import DoubtPhrases
from gm.language.prose.phrases.pattern_tables import PATTERNS, SPOKEN_OF
from gm.language.prose.phrases.phrase_tables import entries_at, label_pattern, phrase_tables, whole_line, whole_words
from gm.language.prose.phrases.sheet_phrases import Sign, Signs

BRACED = re.compile(r"\{([a-z_]+)\}")
MOST_OPTIONS = 4
"""Options that have a number in the phrases."""
SHORTEST_NAME = 3
"""The shortest name of a power in an address: shorter ones are also other words. Longer beginnings of a name are often
somebody's own: "Hallo Frank".
"""


class ProsePhrases(DoubtPhrases, frozen=True, kw_only=True):
    """`signs` and `phone` are patterns with replacements; the other patterns are searched in a clause."""

    padding: re.Pattern[str]
    signs: Signs
    phone: Signs
    keep: re.Pattern[str]
    as_before: re.Pattern[str]
    """What stands beside units whose orders on file stay: "as before"."""
    earlier_turn: re.Pattern[str]
    """Words that want the orders of another turn: "same as in spring"."""
    as_earlier: re.Pattern[str]
    """Words that begin from earlier orders, of this turn or another one: "as yesterday, only …"."""
    rest_of_earlier_turn: re.Pattern[str]
    keep_unit: re.Pattern[str]
    keep_replied: re.Pattern[str]
    stay_replied: re.Pattern[str]
    """A whole reply below a unit that stays where it is."""
    keep_standing: re.Pattern[str]
    """Words that keep the order of a unit named before them, and without one mean a hold."""
    keep_or_hold: re.Pattern[str]
    former: re.Pattern[str]
    compared: re.Pattern[str]
    keep_sentence: re.Pattern[str]
    """Of several units, in a sentence of its own: "everything about Vienna and Budapest stands"."""
    keep_everything: re.Pattern[str]
    """Where orders are on file; else all units hold."""
    hold_all: re.Pattern[str]
    hold_rest: re.Pattern[str]
    others_valid: re.Pattern[str]
    """Orders on file that count: "the others stand"."""
    others_hold: re.Pattern[str]
    """They hold whatever is on file for them: "the others stay" leaves that open."""
    others_alike: re.Pattern[str]
    """The other units do what the one before does."""
    alike: re.Pattern[str]
    """A unit beside these words does what the one before does."""
    no_motion: re.Pattern[str]
    inverted: re.Pattern[str]
    """A place before the verb to which the unit behind it goes."""
    others: re.Pattern[str]
    """The units that a letter has not named."""
    every: re.Pattern[str]
    """All units, before those that are excepted."""
    quantity: re.Pattern[str]
    """Several units without a name, as the subject of a clause."""
    exception: re.Pattern[str]
    excepted: re.Pattern[str]
    """Beside units, or as a heading of them: words for all are not about these."""
    even: re.Pattern[str]
    """Words of denial that confirm what is said of all units: "nobody moves, not even Vienna"."""
    whole_power: re.Pattern[str]
    in_power: re.Pattern[str]
    including: re.Pattern[str]
    """Beside a power that the writer controls: its units do the same as theirs."""
    cancel: re.Pattern[str]
    cancelled: re.Pattern[str]
    undone: re.Pattern[str]
    """Behind words that count out orders of the letter: "the last line is a joke"."""
    cancel_what: re.Pattern[str]
    replacing: re.Pattern[str]
    cancel_all: re.Pattern[str]
    cancel_before: re.Pattern[str]
    """Among words for all orders: those of earlier letters."""
    cancel_part: re.Pattern[str]
    """Behind words for all orders: only some of them are meant."""
    waved_aside: re.Pattern[str]
    """Words that take back the order of a unit, but may leave several alone: "forget the fleets, they are fine"."""
    of_mail: re.Pattern[str]
    """What letters have beside orders: who says to ignore it takes nothing back."""
    of_talk: re.Pattern[str]
    """Questions and remarks: "ignore that" behind words about them takes no order back."""
    these: re.Pattern[str]
    """In a heading: it speaks of the lines below it."""
    marking: re.Pattern[str]
    """How the writer marks what no longer counts: "struck through"."""
    retract: re.Pattern[str]
    retract_letter: re.Pattern[str]
    restoring: re.Pattern[str]
    """A sentence that goes back from the orders of the letter to those of earlier ones."""
    doubt_letter: re.Pattern[str]
    correction: re.Pattern[str]
    and_more: re.Pattern[str]
    """Words before a build that is added to others."""
    one_more: re.Pattern[str]
    """The same, anywhere beside the build."""
    rather_than: re.Pattern[str]
    """Words between a new build and the one in whose place it comes."""
    cancel_listed: re.Pattern[str]
    """Words for orders that a bracket lists: "cancel these two (…)"."""
    apology: re.Pattern[str]
    """Words of correction that take nothing back by themselves."""
    swapped: re.Pattern[str]
    """The two orders before are meant the other way round."""
    swapped_orders: re.Pattern[str]
    swapped_lines: re.Pattern[str]
    """With the numbers of two lines of the letter."""
    mistaken: re.Pattern[str]
    preferring: re.Pattern[str]
    """Beside a place alone: it may be another goal of the order before."""
    joke: re.Pattern[str]
    """What makes words of retraction doubt all of the letter."""
    instead: re.Pattern[str]
    """At the end of words that replace the order before."""
    ordinals: tuple[tuple[int, int | None, re.Pattern[str]], ...]
    """Which of the letter's orders the words count out, as a slice."""
    old: re.Pattern[str]
    this_one: re.Pattern[str]
    """Behind a negation: what stands below or beside, not the order before it."""
    counterpart: re.Pattern[str]
    """Heads the new orders where old ones stand above: "Before: … After: …"."""
    old_and_new: re.Pattern[str]
    """A heading: the lines below it put both side by side."""
    becomes: re.Pattern[str]
    """Between an old order and the new one."""
    trading: re.Pattern[str]
    traded_for: re.Pattern[str]
    """Before an order, and between it and the other one that takes its place: "replace … with …"."""
    intended: re.Pattern[str]
    """Before an order that the writer only had in mind."""
    infinitive: re.Pattern[str]
    """At the end of a clause that depends on the words before its comma, as in German."""
    intending: re.Pattern[str]
    """Before that comma: the writer wants what follows."""
    rival: re.Pattern[str]
    """Before a unit that does not do what the one before it does."""
    negated: re.Pattern[str]
    denied_goal: re.Pattern[str]
    """Directly before a place to which the unit does not go."""
    refused: re.Pattern[str]
    """Beside quoted orders: they are not wanted."""
    elsewhere: re.Pattern[str]
    """Beside a negation: the unit goes, but not there, or not so."""
    staying: re.Pattern[str]
    """Beside a unit: its order on file stays."""
    rewritten: re.Pattern[str]
    """A whole sentence, with x for places, that says which goal was written and which was meant."""
    amending: re.Pattern[str]
    """Beside an order of the letter: it names another goal for its unit."""
    wording: re.Pattern[str]
    """Words around two goals of which only one is meant: "in line 4", "where I wrote"."""
    spared: re.Pattern[str]
    """Beside the goal of an order on file: it may be taken back."""
    leaving: re.Pattern[str]
    """Beside a negation: the unit holds."""
    hedge: re.Pattern[str]
    examples: re.Pattern[str]
    """Short for "for example", with dots that end no sentence."""
    undecided: re.Pattern[str]
    """Below several versions of the orders: none of them counts yet."""
    second_thoughts: re.Pattern[str]
    """A whole sentence that doubts the order before it: "let me think about it"."""
    open_choice: re.Pattern[str]
    left_to_us: re.Pattern[str]
    either: re.Pattern[str]
    """Beside two orders of a unit: any of the two will do."""
    alternative: re.Pattern[str]
    fallback: re.Pattern[str]
    if_not: re.Pattern[str]
    """Words of a fallback that answer the writer's own question, where no order stands before them."""
    condition: re.Pattern[str]
    limits: re.Pattern[str]
    """Conditions of the order before, in a sentence of their own."""
    departing: re.Pattern[str]
    """Beside a condition: without it the order of a sentence before counts."""
    asides: re.Pattern[str]
    """What begins like a condition and is none: "if I counted right"."""
    reason: re.Pattern[str]
    reason_first: re.Pattern[str]
    manner: re.Pattern[str]
    """How a whole order is carried out."""
    therefore: re.Pattern[str]
    """Behind words of others these begin the writer's own order."""
    otherwise: re.Pattern[str]
    """Before what others would do instead, these give a reason."""
    objecting: re.Pattern[str]
    """Behind an order these leave in doubt whether it counts."""
    request: re.Pattern[str]
    """What asks the game master for something, and is no question: "could you change Vienna to Galicia?"."""
    request_end: re.Pattern[str]
    about_board: re.Pattern[str]
    plan_of_others: re.Pattern[str]
    """Words before a bracket with orders that somebody else thought of: "the French proposal (Mun - Bur)"."""
    reported: re.Pattern[str]
    addressed: re.Pattern[str]
    greeting: re.Pattern[str]
    greets_master: re.Pattern[str]
    of_greeted: re.Pattern[str]
    """Units and bargains of the person greeted, who is another player then: "your fleet", "between the two of us"."""
    bargain: re.Pattern[str]
    """Words of a question to another player about what both do: "can we agree that neither of us …?"."""
    promise: re.Pattern[str]
    """The beginning of the sentence behind it that says what the writer does for that: "then I'd order …"."""
    governing: re.Pattern[str]
    """Behind words that are not understood, these say that the sentence is about orders, not one itself."""
    complement: re.Pattern[str]
    """Behind words of report: what the others do, so that the words are not about the orders before."""
    changing: re.Pattern[str]
    """Words that change one of several: the others stay."""
    more_points: re.Pattern[str]
    """Points that come on top of those for the same order."""
    adding: re.Pattern[str]
    """Words of points that come on top of those on file: "the spare point"."""
    revising: re.Pattern[str]
    """Words of a second thought about one bid of several: "actually"."""
    whole_set: re.Pattern[str]
    """Words that say that these points or bids are all, whatever is on file."""
    only: re.Pattern[str]
    """Words that mean the same of powers that have nothing on file: "only 2 on Rumania", "instead"."""
    player: re.Pattern[str]
    """Words that tell another player what to do."""
    later: re.Pattern[str]
    speaker: re.Pattern[str]
    """Beginnings of clauses about the writer, that of themselves order nothing."""
    next_moves: re.Pattern[str]
    """Words for the movement phase after the open one."""
    if_builds: re.Pattern[str]
    """Conditions of builds to come: "if I get builds"."""
    no_builds: re.Pattern[str]
    """Words that want no build, whenever it comes."""
    of_event: re.Pattern[str]
    """Words that a sentence is about a seismic event: "for the earthquake"."""
    if_dislodged: re.Pattern[str]
    """Conditions of retreats to come: "if Ruhr gets dislodged"."""
    it: re.Pattern[str]
    refers: re.Pattern[str]
    """Words for units that were named before."""
    one_of_two: re.Pattern[str]
    other_of_two: re.Pattern[str]
    of_it: re.Pattern[str]
    """The beginning of a sentence about the unit that was spoken of."""
    sent_on: re.Pattern[str]
    """A whole sentence, with x for places, that sends this unit somewhere."""
    for_good: re.Pattern[str]
    """Words of such a sentence that leave no doubt that the order before is to go."""
    subject: re.Pattern[str]
    """The unit that was spoken of, at the beginning of a clause."""
    there: re.Pattern[str]
    that_unit: re.Pattern[str]
    possessive: re.Pattern[str]
    """Before a unit of somebody or some place that was named before."""
    mutual: re.Pattern[str]
    """Of two units: each does it for the other."""
    verb_first: re.Pattern[str]
    """A verb of support before the unit that supports: German "dann unterstützt Wien Budapest"."""
    origin: re.Pattern[str]
    """The province that the unit before leaves."""
    apposition: re.Pattern[str]
    subordinate: re.Pattern[str]
    passing: re.Pattern[str]
    """The first words of what a unit is called between commas."""
    carried: re.Pattern[str]
    """A verb of somebody who brings the unit that was spoken of somewhere."""
    relative: re.Pattern[str]
    columns: re.Pattern[str]
    old_column: re.Pattern[str]
    backing_column: re.Pattern[str]
    remark_column: re.Pattern[str]
    empty_cell: re.Pattern[str]
    """What stands in a cell that says nothing."""
    header_label: re.Pattern[str]
    """Before a colon in the header of a letter: "Game", "Power"."""
    date_label: re.Pattern[str]
    """Of these, those before a date that is no phase's."""
    direction: re.Pattern[str]
    """Where a unit goes, by the compass."""
    meaning: re.Pattern[str]
    """Around the place that a direction means: "I mean", "that is"."""
    joints: re.Pattern[str]
    breaks: re.Pattern[str]
    then: re.Pattern[str]
    """A joint that stands between a unit alone and what it does as well: "Berlin then moves up to Kiel"."""
    remark: re.Pattern[str]
    """Negated words that say nothing of an order: "(don't laugh)"."""
    preposition: re.Pattern[str]
    """At the end of a line."""
    to_master: re.Pattern[str]
    """In a reply to a player: this sentence is meant for the game master."""
    to_players: re.Pattern[str]
    """In a reply to a player: what this sentence says of orders is meant for the player."""
    version: re.Pattern[str]
    """Names of one of several sets of orders, at the beginning of a heading: "Rev. B"."""
    replaces_version: re.Pattern[str]
    """Behind such a name and before that of another one."""
    old_version: re.Pattern[str]
    discarded_version: re.Pattern[str]
    valid_version: re.Pattern[str]
    fresh_version: re.Pattern[str]
    """The beginning of a heading of new orders, whatever it says of older ones."""
    states_of_version: re.Pattern[str]
    option_name: re.Pattern[str]
    """A line that heads an option with a name of its own: "Plan Lemon:"."""
    option_heading: re.Pattern[str]
    chosen_option: re.Pattern[str]
    option_unnamed: re.Pattern[str]
    option_past: re.Pattern[str]
    option_verb: re.Pattern[str]
    """The words before the name of the option that counts."""
    option_kind: re.Pattern[str]
    """Directly behind the name these make a sentence of the line."""
    option_numbers: tuple[tuple[int, re.Pattern[str]], ...]
    """Which option a word means, from 1; -1 is the last."""
    options: tuple[tuple[str, re.Pattern[str]], ...]
    shore: re.Pattern[str]
    """Behind a sea, in a word with it or not: the coast at it."""
    speaks_of_orders: re.Pattern[str]
    """Whether a line takes something back or is about all orders: it need not name any unit."""
    labels: tuple[tuple[str, re.Pattern[str]], ...]
    """As `sections`, for a heading with a colon inside a line."""
    sections: tuple[tuple[str, re.Pattern[str]], ...]
    """What a heading says of the lines below it: "" (they count), "old", "hedge" … -> the whole heading."""


def option_error(option: str) -> str:
    """The key of the error about a setting of the variant that is off in this game."""
    return f"option-off-{option}"


def option_off(variant: Variant, words: str) -> str:
    """The key of a setting that is off in this game, where words are about what it adds; else ""."""
    off = {key for key, choice in variant.chosen.items() if choice == "off"}
    options = phrases_of(variant).options if off else ()
    return next((key for key, pattern in options if key in off and pattern.search(words.lower())), "")


@lru_cache(maxsize=32)
def phrases_of(variant: Variant) -> ProsePhrases:
    """Cached only for speed: every line asks for them."""
    named = [name for name in powers(variant.powers) if len(name) >= SHORTEST_NAME]
    spelt = (spelling for power in variant.powers for spelling in (power.name, *power.aliases))
    own = {clean(spelling).text.lower() for spelling in spelt}  # Russia, though Russian begins with it
    short = own | {name for name in named if len(name) == SHORTEST_NAME}
    whole = [name for name in named if name in short or not any(_begins(name, other) for other in named)]
    return _phrases(variant.language, tuple(sorted(whole)))


def _begins(name: str, other: str) -> bool:
    return name != other and other.startswith(name) and not other[len(name) :].startswith(" ")


@lru_cache(maxsize=32)
def _phrases(language: str, called: tuple[str, ...]) -> ProsePhrases:
    tables = phrase_tables(language)
    names = "(?:" + "|".join(re.escape(clean(name).text.lower()) for name in called) + ")"
    filled = [(table, _parts(table, names)) for table in tables]

    def words(*path: str) -> list[str]:
        return [_filled(entry, parts) for table, parts in filled for entry in entries_at(table, path)]

    def pattern(*path: str) -> re.Pattern[str]:
        return whole_words(words(*path))

    def replacements(name: str) -> Iterator[Sign]:
        for table in tables:
            for sign, entries in table.get(name, {}).items():
                if isinstance(entries, str):
                    yield Sign(compiled(clean(sign).text), entries)
                else:
                    yield Sign(whole_words([clean(entry).text for entry in entries]), sign)

    tags = ("old", "negated", "hedge", "question", "alternative", "reported", "later")
    headings = {"": [*words("old", "new"), *words("later", "now")], **{tag: words(tag, "headings") for tag in tags}}
    return ProsePhrases(
        **{name: pattern(*path) for name, path in PATTERNS.items()},
        signs=Signs(replacements("signs")),
        phone=Signs(replacements("phone")),
        ordinals=tuple(_ordinals(tables)),
        option_numbers=tuple(
            (number, pattern("choosing", "numbers", str(number))) for number in (*range(1, MOST_OPTIONS + 1), -1)
        ),
        options=tuple((key, pattern("options", key)) for key in sorted({*tables[0].get("options", {})})),
        shore=compiled(rf"(?:{'|'.join(words('shore'))})(?!\w)"),
        rival=compiled(r",?\s*" + pattern("old", "rival").pattern),
        speaks_of_orders=whole_words([entry for path in SPOKEN_OF for entry in words(*path)]),
        labels=tuple((tag, label_pattern(entries)) for tag, entries in headings.items()),
        sections=tuple((tag, whole_line(entries)) for tag, entries in headings.items()),
    )


def _parts(table: Mapping[str, Any], names: str) -> dict[str, str]:
    """What stands in braces in the phrases of a language."""
    parts = {"power": names}
    for name in table.get("parts", {}):
        parts[name] = "(?:" + "|".join(_filled(entry, parts) for entry in entries_at(table, ("parts", name))) + ")"
    return parts


def _filled(entry: str, parts: Mapping[str, str]) -> str:
    return BRACED.sub(lambda match: parts[match[1]], entry)


def _ordinals(tables: Sequence[Mapping[str, Any]]) -> Iterator[tuple[int, int | None, re.Pattern[str]]]:
    for table in tables:
        words = table.get("ordinals", {})
        before, behind = (whole_words(entries_at(words, (name,))).pattern for name in ("before", "behind"))
        for columns, entries in words.get("slices", {}).items():
            first, past = (int(part) if part else None for part in columns.split(":"))
            number = whole_words([clean(entry).text for entry in entries]).pattern
            yield first or 0, past, compiled(rf"(?:{before}\s*)*{number}(?:\s*{behind})*")
