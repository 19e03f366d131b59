"""Sentences that ask for something in a letter of which other words were taken, and what becomes of each.

A sentence asks if it ends with a question mark or begins with a plea. Each has one fate: what can be looked up is
looked up; a command is shown as in a line of its own; what awaits no answer is passed over; the rest is quoted in the
answer. Words of orders, requests and press, reasons, and words that the answer quotes anyhow have their fate already.
A sentence that asks nothing but means words to another player or an absence is shown as a command as well.

grammars/plain_questions/<language>.toml has the words, in the table `asking`: patterns of sentences in small letters
without accents. `pleas` begin a sentence that asks. `chat` awaits no answer. `done` is done where the letter has orders
or requests: "please change my orders". `greets` and `master` begin a letter to the game master.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import groupby
from typing import TypeAlias

from msgspec import Struct

from gm.judge.model.variant import Power
from gm.language.commands import parser as commands
from gm.language.commands import requests
from gm.language.commands.command_line import written_words
from gm.language.commands.in_words import named_powers, plain_questions
from gm.language.commands.table import row_of
from gm.language.i18n.normalize import clean
from gm.language.letter.order_lines import OrderLineReader
from gm.language.lines.letter_contents import LetterContext, LineError
from gm.language.lines.lines import LetterLine, read_line
from gm.language.lines.sentences import sentences_of
from gm.language.lines.spans import Fate, LetterSpan
from gm.language.lines.trouble_keys import ASK_FOR_NOTHING
from gm.language.lines.trouble_keys import QUESTION as IN_QUESTION
from gm.language.prose.phrases.prose_phrases import phrases_of

MOST = 20
"""Asking sentences of a letter that are looked at."""
SHORTEST = 3
"""Words of a question to a person: "Deal?" and "Or stay?" are asked of nobody."""
SPOKEN = frozenset({Fate.TALK, Fate.REASON, Fate.NOT_TAKEN})
"""Fates of words that may belong to what a sentence asks."""
TALK, BESIDE, OTHER = "tbo"
"""Marks of letters of talk, of other words that a sentence may have, and of those that it may not."""
STRETCH = re.compile(f"{TALK}+")
NUMBER = re.compile(r"\d")
LETTERS = re.compile(r"[^\W_]+")
FRONT = re.compile(r"(?:(?!@)[\W_])*(?:(?:and|und|but|aber|also|auch|oh|ps|p\.s)\b[\W_]*)*", re.IGNORECASE)
"""What stands before a plea, and is no part of a question."""
QUESTION = re.compile(r"\?[?!\s\"')\]]*$")


GREETED_MOST = 30
"""Characters of a name behind a greeting."""
WISHES = frozenset(
    {"press", "press-all", "press-unsigned", "absence", "ready", "vote", "vote-concede", "vote-none", "resign"}
)
"""Rows of commands that a sentence may mean without a question or a plea."""
EXTENSION = "extend-ask"
"""The row of a wish that is shown where a sentence asks nothing and means none of these."""


Read: TypeAlias = Callable[[str], tuple[plain_questions.PlainQuestion, ...]]
"""Reads what words of a letter ask for."""


class AskingSentence(Struct, frozen=True):
    """`line` has the whole sentence, or only `words` of it where the rest orders something. `written` are these with
    all their letters. `asks`: whether it ends with a question mark or begins with a plea.
    """

    line: LetterLine
    words: str
    written: str
    asks: bool


class AskingWords(Struct, frozen=True):
    pleas: re.Pattern[str]
    chat: re.Pattern[str]
    done: re.Pattern[str]
    greets: re.Pattern[str]
    master: re.Pattern[str]


def close_questions(reader: OrderLineReader, lines: Mapping[int, str], apart: Collection[int]) -> tuple[str, ...]:
    """Gives each asking sentence its fate, and returns those that stay unanswered, as written.

    `apart`: numbers of lines that are words to others, drafts or quotes.
    """
    context = reader.context
    if not context.power or reader.prose > plain_questions.MOST_TALK:
        return ()
    if all(span.fate not in SPOKEN for span in reader.spans):
        return ()  # only for speed: signs between orders say nothing
    words, heeded = asking_words(context.variant.language), bool(reader.orders or reader.requests or reader.later)
    left: list[str] = []
    spans = [span for span in reader.spans if span.fate not in (Fate.PRESS, Fate.NOT_READ)]
    sentences = tuple(_spoken(spans, lines, words.pleas, apart))
    read = cache(lambda words: plain_questions.read_questions(words, context))  # only for speed: twice for most words
    for sentence in (sentence for sentence in sentences if not sentence.asks):
        _take_back_ready(reader, sentence, lines, read)
        _show_wish(reader, sentence, read)
    for sentence in (sentence for sentence in sentences if sentence.asks):
        low = sentence.words.lower()
        if _is_answered(reader, sentence, read):
            continue
        if words.chat.search(low) or (heeded and words.done.search(low)) or _is_for_players(low, context):
            continue
        if QUESTION.search(low) is None or len(low.split()) >= SHORTEST:
            left.append(sentence.written)
    return tuple(left)


def _take_back_ready(reader: OrderLineReader, sentence: AskingSentence, lines: Mapping[int, str], read: Read) -> None:
    """ "I'm not ready after all" beside orders or a place's name: WAIT does no harm, and its lack may cost a turn."""
    _, _, behind = lines.get(sentence.line.number, "").partition(sentence.written or "\n")
    if plain_questions.only_exclaims(sentence.words.lower(), behind, reader.context.variant.language):
        return
    if any(isinstance(given.request, requests.WaitRequest) for given in reader.requests):
        return
    asked = plain_questions.requests_of(read(sentence.words))
    for request in (request for request in asked if isinstance(request, requests.WaitRequest)):
        reader.take(sentence.line, request)


def _is_answered(reader: OrderLineReader, sentence: AskingSentence, read: Read) -> bool:
    """Whether the sentence stands for a lookup, which is taken, or for a command, which is shown."""
    line, context = sentence.line, reader.context
    taken = [given.request for given in reader.requests]
    asked = commands.read_command(sentence.words.strip(" ?!.,;"), context.variant)
    if asked is not None and asked.request is not None and row_of(asked.kind).private:
        questions: tuple[plain_questions.PlainQuestion, ...] = (plain_questions.PlainQuestion(asked.request),)
    else:
        questions = plain_questions.read_questions(line.body, context, line.text)
    for request in plain_questions.requests_of(questions):
        if request not in taken and plain_questions.may_ask(request, context):
            reader.take(line, request)
    if any(question.request is not None for question in questions):
        reader.troubles = [each for each in reader.troubles if not _is_named_in(each, sentence)]
    meant = [question for question in questions if question.commands]
    reader.hint(line, [question for question in meant if question.commands[0] not in WISHES])
    if any(question.commands[0] in WISHES for question in meant):
        _show_wish(reader, sentence, read)
    return bool(questions)


def _is_named_in(trouble: LineError, sentence: AskingSentence) -> bool:
    """Whether a place is only named in a question that is answered: "how do I get control of Poland?"."""
    asks = trouble.key == IN_QUESTION and not trouble.suggestions
    return (asks or trouble.key in ASK_FOR_NOTHING) and _marked(trouble) in sentence.line.text


def _show_wish(reader: OrderLineReader, sentence: AskingSentence, read: Read) -> None:
    """Words to another player or an absence, in a letter that is about something else.

    Where a clause is shown already, the rest of the sentence is, or else all of it in place of the clause.
    """
    keys = (*plain_questions.HINTS, *ASK_FOR_NOTHING)
    shown = {trouble: _marked(trouble) for trouble in reader.troubles if trouble.key in keys}
    whole = FRONT.sub("", sentence.line.text, count=1).strip()
    inside = {trouble: words for trouble, words in shown.items() if words in whole}
    if any(_marked(trouble) in whole for trouble in reader.troubles if trouble.key == "other-power"):
        return  # the name heads an order, and speaks to nobody
    if NUMBER.search(whole) is None and any(_takes_along(trouble, whole) for trouble in reader.troubles):
        return
    rest = whole
    for words in inside.values():
        rest = rest.replace(words, " ")
    for words in dict.fromkeys((" ".join(rest.split()), whole)):
        meant = [question for question in read(words) if question.commands]
        wishes = [question for question in meant if question.commands[0] in WISHES]
        wishes += [question for question in meant if question.commands[0] == EXTENSION and not sentence.asks]
        if wishes:
            if words == whole:
                reader.troubles = [trouble for trouble in reader.troubles if trouble not in inside]
            reader.hint(read_line(sentence.line.number, words), wishes[:1])
            return


def _takes_along(trouble: LineError, words: str) -> bool:
    """Whether a wish for a later deadline has these words behind it as its reason."""
    fields = dict(trouble.fields)
    asks = trouble.key in plain_questions.HINTS and EXTENSION in fields.get("commands", "").split()
    return asks and bool(trouble.suggestions) and words in fields.get("left", "")


def _marked(trouble: LineError) -> str:
    return trouble.marked.strip(" ,.;:-")


def _is_for_players(low: str, context: LetterContext) -> bool:
    return (
        phrases_of(context.variant).addressed.match(low) is not None
        or _vocative(context.variant.powers).search(low) is not None
    )


@lru_cache(maxsize=32)
def _vocative(every: tuple[Power, ...]) -> re.Pattern[str]:
    """The name of a power that is spoken to: "Italy, are you with me?"."""
    names = "|".join(map(re.escape, named_powers.called(every))) or r"(?!)"
    return re.compile(rf"^(?:\w+ )?(?:{names})\s*[,:!]|, ?(?:{names})\s*\?")


# ---- the sentences


def _spoken(
    spans: Sequence[LetterSpan], lines: Mapping[int, str], pleas: re.Pattern[str], apart: Collection[int]
) -> Iterator[AskingSentence]:
    """The sentences of talk; where a sentence orders something, its stretches of talk. At most `MOST` that ask, and as
    many that do not.
    """
    text, marks, numbers = _joined(spans)
    at, left = 0, {True: MOST, False: MOST}
    for sentence in sentences_of(text):
        past = at + len(sentence)
        spoken = OTHER not in marks[at:past]
        stretches = [(start, text[start:end].strip()) for start, end in _talk(text, marks, at, past)]
        asking = [(start, words) for start, words in stretches if QUESTION.search(words) or pleas.match(words.lower())]
        if spoken:
            stretches = asking[:1] or [(at, sentence.strip())]
        for start, words in stretches:
            asks = (start, words) in asking
            if not left[asks] or numbers[start] in apart:
                continue
            left[asks] -= 1
            written = _as_written(words, numbers[start], lines)
            is_part = spoken and (start, words) != (at, sentence.strip())
            whole = _as_written(sentence.strip(), numbers[at], lines) if is_part else written
            yield AskingSentence(read_line(numbers[start], whole), words, written, asks)
        if not any(left.values()):
            return
        at = past


def _joined(spans: Sequence[LetterSpan]) -> tuple[str, str, list[int]]:
    """The words of a letter, with a mark and the line of each character; an empty line between paragraphs."""
    text, marks, numbers, last = "", "", [], 0
    for number, group in groupby(spans, key=lambda span: span.line):
        ends = "\n" * min(number - last, 2) if last else ""
        text, last = text + ends, number
        marks += TALK * len(ends)
        numbers += [number] * len(ends)
        for span in group:
            text += span.text
            marks += _marks(span)
            numbers += [number] * len(span.text)
    return text, marks, numbers


def _marks(span: LetterSpan) -> str:
    """`TALK` for letters of talk and for what is no letter of any word, else `BESIDE` or `OTHER`."""
    marks = TALK * len(span.text)
    if span.fate is Fate.TALK:
        return marks
    pieces, at, mark = [], 0, BESIDE if span.fate in SPOKEN else OTHER
    for letters in LETTERS.finditer(span.text):
        start, past = letters.span()
        pieces += [marks[at:start], mark * (past - start)]
        at = past
    return "".join([*pieces, marks[at:]])


def _talk(text: str, marks: str, at: int, past: int) -> Iterator[tuple[int, int]]:
    """The stretches of talk between two columns, with the marks behind them and without what stands before a plea."""
    for stretch in STRETCH.finditer(marks, at, past):
        yield _without_front(text, *stretch.span())


def _without_front(text: str, start: int, end: int) -> tuple[int, int]:
    front = FRONT.match(text, start, end)
    return (min(front.end(), end - 1) if front else start), end


def _as_written(words: str, number: int, lines: Mapping[int, str]) -> str:
    """Words that begin in this line, with all their letters, on one line."""
    pieces = enumerate(words.split("\n"), number)
    return " ".join(" ".join(written_words(lines.get(at, ""), piece) for at, piece in pieces).split())


@lru_cache(maxsize=8)
def asking_words(language: str) -> AskingWords:
    """The words of a language, and of English."""
    words = plain_questions.joined_patterns("asking", language)
    keys = ("pleas", "chat", "done", "greets", "master")
    return AskingWords(*(re.compile(words.get(key) or r"(?!)") for key in keys))


def behind_greeting(line: str, languages: Iterable[str]) -> str:
    """The line from behind "Dear Ruth," on; unchanged where it begins with no greeting of these languages."""
    cleaned = clean(line)
    greeting = _greeting(tuple(languages)).match(cleaned.text)
    return line[cleaned.column(greeting.end()) :] if greeting is not None else line


@lru_cache(maxsize=8)
def _greeting(languages: tuple[str, ...]) -> re.Pattern[str]:
    greets = "|".join(asking_words(language).greets.pattern for language in languages)
    return re.compile(rf"\W*(?:{greets})\b[^,!.]{{0,{GREETED_MOST}}}(?:[,!.]\s*|$)", re.IGNORECASE)
