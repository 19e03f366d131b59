"""Finds in a game master's sentences the orders that they enter for players, and changes of the position.

"Austria told me by phone that Vienna goes to Galicia" is FORCE, which is only proposed; "put the Turkish fleet in
Smyrna" is SETUP, which only shows what would change. The words that show that orders are entered are `[entering]` of
grammars/plain_questions/<language>.toml.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import islice

from msgspec.structs import replace

from gm.language.commands.blocks.position_edits import begins_edit
from gm.language.commands.command_line import is_in_capitals
from gm.language.commands.gm import PreviewRequest, SetupRequest
from gm.language.commands.in_words import named_powers, plain_questions
from gm.language.commands.in_words.calls_to_players import without_calls
from gm.language.commands.in_words.edits import EditsInWords, edits_in_words
from gm.language.commands.in_words.game_in_words import left_of_settings, settings_in_words
from gm.language.commands.in_words.left_out import GAP
from gm.language.commands.in_words.plain_questions import tables_of
from gm.language.commands.parser import setting_line
from gm.language.commands.requests import HelpRequest, LookupRequest, SetRequest
from gm.language.i18n.normalize import clean
from gm.language.letter.talk.small_talk import without_small_talk
from gm.language.lines.blocks import NumberedLine, number_lines
from gm.language.lines.letter_contents import LetterContents, LetterContext, LineError, RequestLine
from gm.language.lines.sentences import sentences_of
from gm.language.lines.spans import Fate
from gm.language.rendering.order_text import statement as written

Read = Callable[[Sequence[NumberedLine], LetterContext], LetterContents]
OUTSIDE = "orders-outside-block"
"""Key of the error of orders in a game master's own letter."""
MOST = 10
"""Most paragraphs that are read."""
SET = "set"
FORCE = "force"
OVERRULE = "overrule"
"""The row of commands about orders that the letter names."""
SETUP = "setup-line"
"""The row of SETUP."""
APART = ("FORCE", "OVERRULE", "ROLLBACK")
"""Commands whose sentence may name orders that are not entered for the open phase."""
LOOKS = (LookupRequest, HelpRequest, PreviewRequest)
"""Requests beside which a sentence of the same line may ask for something else."""
MOST_LINES = 200
MOST_OF_ORDERS = 1500
"""Characters of a paragraph that may enter orders: it is read once for each power. A position in JSON is longer."""


def read_gm_sentences(
    lines: Sequence[NumberedLine], reading: LetterContents, context: LetterContext, read: Read
) -> LetterContents:
    """A game master's letter with proposals of FORCE and SET, and with SETUP, in place of troubles about its lines.

    SETUP by itself changes nothing: its answer shows the position as it would be, and asks for YES.
    """
    reading = replace(reading, requests=tuple(each for each in reading.requests if not _is_edit(each, context)))
    reading = replace(
        reading,
        troubles=tuple(_with_settings(_with_entered(each, context, read), context) for each in reading.troubles),
    )
    reading = _with_setup_lines(lines[:MOST_LINES], reading, context)
    settled = {given.line for given in reading.requests if not isinstance(given.request, LOOKS)} | {
        trouble.line
        for trouble in reading.troubles
        if not (_is_vague(trouble) or _asks_how(trouble) or trouble.key == OUTSIDE)
    }
    setups = [given.request for given in reading.requests if isinstance(given.request, SetupRequest)]
    settled |= {number for setup in setups for number, _ in setup.lines}
    for paragraph in islice(_paragraphs(lines[:MOST_LINES], settled), MOST):
        text, numbers = " ".join(words for _, words in paragraph), {number for number, _ in paragraph}
        about = [trouble for trouble in reading.troubles if trouble.line in numbers and not _asks_how(trouble)]
        if any(_asks_how(trouble) for trouble in reading.troubles if trouble.line in numbers):
            text = " ".join(each.strip() for each in sentences_of(text) if not each.rstrip().endswith("?"))
        command, meant = _meant(text, about, context, read)
        kept = tuple(trouble for trouble in reading.troubles if trouble not in about)
        if command == SETUP and (edits := edits_in_words(text, context)).lines:
            reading = _with_edits(replace(reading, troubles=kept), paragraph, edits, context.variant.language)
            continue
        if not meant:
            continue
        first, whole = paragraph[0]
        left = _left_out(text, command, context, read)
        fields = (("commands", command), ("power", ""), ("left", left))
        end, key = len(whole), plain_questions.MEANT
        hint = LineError(first, whole, 0, end, key, fields, ("\n".join(meant),), obeyed=True)
        reading = replace(reading, troubles=(*kept, _with_entered(hint, context, read)))
    troubles = sorted(reading.troubles, key=lambda trouble: trouble.line)
    return replace(reading, troubles=tuple(troubles))


def _with_setup_lines(lines: Sequence[NumberedLine], reading: LetterContents, context: LetterContext) -> LetterContents:
    """Lines that stand in a SETUP are one, also without that word above them."""
    taken = {given.line for given in reading.requests} | {order.line for order in reading.orders}
    free = {span.line for span in reading.spans if span.fate in (Fate.TALK, Fate.NOT_TAKEN)} - taken
    edits = [(at, text) for at, text in lines if at in free and begins_edit(text.strip(), context.variant)]
    if not edits:
        return reading
    kept = tuple(trouble for trouble in reading.troubles if trouble.line not in dict(edits))
    return _with_edits(replace(reading, troubles=kept), edits, EditsInWords(), context.variant.language)


def _with_entered(trouble: LineError, context: LetterContext, read: Read) -> LineError:
    """A hint at a whole command, and before it FORCE for orders that it leaves out: "Enter … and process"."""
    fields, left = dict(trouble.fields), str(dict(trouble.fields).get("left", ""))
    apart = any(suggestion.partition(" ")[0] in APART for suggestion in trouble.suggestions)
    if trouble.key != plain_questions.MEANT or not left or context.forming or apart:
        return trouble
    orders = entered_orders(left, context, read)
    if not orders:
        return trouble
    fields["left"] = _left_out(left, FORCE, context, read)
    suggestions = tuple("\n".join((*orders, suggestion)) for suggestion in trouble.suggestions)
    return replace(trouble, fields=tuple(fields.items()), suggestions=suggestions)


def _with_settings(trouble: LineError, context: LetterContext) -> LineError:
    """A hint at a whole command, and before it SET for what its line wants a game to be that has not begun."""
    fields, left = dict(trouble.fields), dict(trouble.fields).get("left", "")
    if not context.forming or trouble.key != plain_questions.MEANT or not left or not trouble.suggestions:
        return trouble
    lines = _wanted(left, context)
    if not lines:
        return trouble
    fields["left"] = left_of_settings(left, (context.variant.language,))
    suggestions = tuple("\n".join((*lines, suggestion)) for suggestion in trouble.suggestions)
    return replace(trouble, fields=tuple(fields.items()), suggestions=suggestions)


def _with_edits(
    reading: LetterContents, paragraph: Sequence[NumberedLine], edits: EditsInWords, language: str
) -> LetterContents:
    """The reading with SETUP for the edits of a paragraph, or for its own lines; they are no remarks then."""
    (first, whole), numbers = paragraph[0], {number for number, _ in paragraph}
    left = GAP.join(without_small_talk(edits.left.split(GAP), (language,)))
    setup = SetupRequest(tuple((first, edit) for edit in edits.lines) or tuple(paragraph), left)
    spans = tuple(replace(span, fate=Fate.COMMAND) if span.line in numbers else span for span in reading.spans)
    return replace(reading, requests=(*reading.requests, RequestLine(first, whole, setup)), spans=spans)


def _is_edit(given: RequestLine, context: LetterContext) -> bool:
    """Whether SET in small letters moves a unit: "set London to the North Sea"."""
    if not isinstance(given.request, SetRequest) or is_in_capitals(given.text):
        return False
    return given.request.key not in context.plain_settings and bool(edits_in_words(given.text, context).lines)


def _left_out(text: str, command: str, context: LetterContext, read: Read) -> str:
    """The words that the commands for a line leave out: sentences that enter no order, or clauses without a setting."""
    if command == SET:
        return left_of_settings(text, (context.variant.language,))
    if command == OVERRULE:
        questions = plain_questions.read_questions(text, context, text)
        return next((question.left for question in questions if question.line), "")
    if command != FORCE:
        return ""
    cues, named = _cues(context.variant.language, "entering"), context.variant.seated
    sentences = (sentence.strip() for sentence in sentences_of(text))
    others = (each for each in sentences if not cues.search(clean(each).text.lower()) and not _looks_up(each, context))
    left = [each for each in others if not any(_orders_of(power, each, context, read) for power in named)]
    cleaned = clean(text)
    limits = _limits(context.variant.language).finditer(cleaned.text.lower())
    limited = (text[cleaned.column(match.start()) : cleaned.column(match.end())].strip() for match in limits)
    return " … ".join((*left, *(each for each in limited if each not in " ".join(left))))


def _looks_up(sentence: str, context: LetterContext) -> bool:
    """Whether a sentence is answered by itself: "what would happen now?"."""
    return any(question.request is not None for question in plain_questions.read_questions(sentence, context, sentence))


@lru_cache(maxsize=8)
def _limits(language: str) -> re.Pattern[str]:
    """Words that limit when entered orders count: FORCE knows no such limit."""
    return re.compile("|".join(words for table in tables_of("entering", language) for words in table["limits"]))


def _meant(text: str, about: Sequence[LineError], context: LetterContext, read: Read) -> tuple[str, tuple[str, ...]]:
    """The row of grammars/commands that sentences are about, and their lines; none for talk.

    `about`: what is to be said of them otherwise.
    """
    if any(trouble.key == OUTSIDE for trouble in about) and (commands := _commands(text, context)):
        return OVERRULE, commands
    if not context.forming:
        if orders := entered_orders(text, context, read):
            return FORCE, orders
        if edits := edits_in_words(text, context).lines:
            return SETUP, edits
    return SET, () if any(not _is_of_settings(trouble) for trouble in about) else _wanted(text, context)


def _is_vague(trouble: LineError) -> bool:
    return trouble.key in plain_questions.HINTS and not trouble.suggestions


def _asks_how(trouble: LineError) -> bool:
    return trouble.key.startswith(plain_questions.HOW)


def _is_of_settings(trouble: LineError) -> bool:
    return _is_vague(trouble) and dict(trouble.fields).get("commands") == "set"


def _paragraphs(lines: Sequence[NumberedLine], settled: set[int]) -> Iterator[list[NumberedLine]]:
    """Lines of talk that follow each other."""
    paragraph: list[NumberedLine] = []
    for number, text in lines:
        if text.strip() and number not in settled and not text.lstrip().startswith(">"):
            paragraph.append((number, text.strip()))
        elif paragraph:
            yield paragraph
            paragraph = []
    if paragraph:
        yield paragraph


@lru_cache(maxsize=16)
def _cues(language: str, about: str) -> re.Pattern[str]:
    """The words of a table of grammars/plain_questions."""
    lists = [table["said"] for table in tables_of(about, language)]
    return re.compile("|".join("|".join(words) if isinstance(words, list) else words for words in lists) or r"(?!)")


def wants(text: str, language: str) -> bool:
    """Whether a sentence says that its writer wants something: "please", "we'd like"."""
    return _cues(language, "wanting").search(clean(text[: plain_questions.LINE_MOST]).text.lower()) is not None


def _commands(text: str, context: LetterContext) -> tuple[str, ...]:
    """The whole commands that a sentence about an order means: "Vienna to Galicia should succeed"."""
    questions = plain_questions.read_questions(text, context, text)
    return tuple(question.line for question in questions if question.line)


def _wanted(text: str, context: LetterContext) -> tuple[str, ...]:
    """Lines of SET for what the text wants the game to be: "no more maps, please"."""
    language, text = context.variant.language, without_calls(text, context)
    if not wants(text, language):
        return ()
    settings = [line.partition(": ") for line in settings_in_words(text, (language,))]
    changed = _changed(text, context)
    lines = tuple(f"SET {key} {value}" for key, _, value in settings)
    known = any(changed.startswith(f"SET {key} ") for key, _, _ in settings)
    return lines if known or not changed else (changed, *lines)


def _changed(text: str, context: LetterContext) -> str:
    """SET for "change the press to grey", where that is the name of a setting; "" for other sentences."""
    match = _cues(context.variant.language, "changing").search(clean(text[: plain_questions.LINE_MOST]).text.lower())
    if match is None:
        return ""
    words = next(filter(None, match.groups()[::2])), next(filter(None, match.groups()[1::2]))
    key, _, value = setting_line(f"{words[0]} {words[1]}", context.variant).partition(" ")
    return f"SET {key} {value}" if key in context.plain_settings else ""


def asks_again(text: str, context: LetterContext) -> bool:
    """Whether a sentence wants a phase to be resolved again: "redo the spring turn"."""
    words = clean(text[: plain_questions.LINE_MOST]).text.lower()
    return _cues(context.variant.language, "again").search(words) is not None


def entered_orders(text: str, context: LetterContext, read: Read, *, cued: bool = False) -> tuple[str, ...]:
    """Lines of FORCE for the orders in the text, of the powers that it names, else of the only one that it fits.

    `cued`: other words show that orders are entered; without words that report them, only clear ones are.
    """
    text = " ".join(each.strip() for each in sentences_of(text) if not _only_asks(each, context.variant.language))
    line = clean(text[: plain_questions.LINE_MOST]).text.lower()
    if not text or len(text) > MOST_OF_ORDERS:
        return ()
    reports = _cues(context.variant.language, "entering").search(line) is not None
    if not (cued or reports):
        return ()
    named = named_powers.powers_named(line, context.variant)
    meant = {
        power: _orders_of(power, text, context, read, clear=not reports) for power in named or context.variant.seated
    }
    orders = {power: lines for power, lines in meant.items() if lines}
    if not named and len(orders) > 1:
        return ()
    return tuple(f"FORCE {power}: {order}" for power, lines in orders.items() for order in lines)


def _only_asks(sentence: str, language: str) -> bool:
    """Whether a sentence asks, and is no polite wish that something be entered: "could you put that in?"."""
    if not sentence.rstrip().endswith("?"):
        return False
    low = clean(sentence).text.lower()
    return not any(re.search(words, low) for table in tables_of("entering", language) for words in table["wishes"])


def _orders_of(power: str, text: str, context: LetterContext, read: Read, *, clear: bool = False) -> tuple[str, ...]:
    """The orders of the text if it were this power's letter; unless `clear`, those as well that it only reports."""
    own = replace(context, power=power, master=False)
    reading = read(((1, text),), own)
    step = context.variant.step(context.position)
    lines = [written(order.statement, step.letter) for order in reading.orders if not order.power]
    reported = () if clear else reading.troubles
    only = [trouble.suggestions[0] for trouble in reported if len(trouble.suggestions) == 1]
    for suggestion in only:
        proposed = read(number_lines(suggestion), own)
        lines += (written(order.statement, step.letter) for order in proposed.orders if not proposed.troubles)
    return tuple(dict.fromkeys(lines))
