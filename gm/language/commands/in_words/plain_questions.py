"""Recognizes commands in plain sentences, so that they are not ignored.

"When is the deadline?" is answered. To "I'll be away next week" the answer shows the command, or proposes it: no
sentence changes anything before a YES. grammars/plain_questions/<language>.toml has the sentences, as regular
expressions:

    [[asks]]
    line = "DEADLINE"               the command that the sentence stands for: one that only looks something up
    said = ["when is the deadline"]

    [[means]]
    commands = ["absence"]          rows of grammars/commands: the first that the writer may use is shown
    said = ["be away"]
    who = ["player"]                whose sentences these are; absent: everybody's
    unless = ["\\bnot\\b"]           words in the same sentence with which it does not stand for the command
    key = "undo-what"               what the answer says, where that is not how a command is written
    line = "RESIGN"                 where the sentence says all of it: the line that a YES takes. {when} in it is the
                                    group `(?P<when>…)` of the pattern, as written; {power} is the
                                    first power that the line names

    [topics.builds]                 questions about a page of the manual, HELP BUILDS: `said` are whole ones,
    named = ["removals?"]           `named` and `done` stand for {named} and {done} in the patterns of
    done = ["build"]                [topics.frames]

    [[settings]]                    of a new game: read by gm/language/commands/in_words/game_in_words.py
    line = "joining: open"
    said = ["anybody may join"]

    [[answers]]                     questions that one sentence answers: gm/game/commands/plain_answers.py
    [lobby], [[public_answers]]     words of people without a seat: gm/game/intake/lobby_words.py
    [addressing], [complaints]      letters for players and the game master: gm/game/press/words_for_*.py
    [restricting]                   who may read words for players: gm/game/press/limited_readers.py
    [substitutes]                   who plays for somebody for some time: gm/game/press/wishes_for_master.py
    [late]                          orders that come too late: gm/game/orders/late_words.py
    [pleading]                      what is asked for then: gm/game/press/wishes_for_master.py
    [consent], [named_answers]       words beside YES and NO: gm/language/letter/talk
    [taken_back]                    words behind a request that take it back: in_words/taken_back.py
    [poll_answers]                  answers to a poll: gm/game/votes/poll_answers.py
    [persons]                       words for somebody who is spoken of: gm/game/commands/definite.py
    [sooner]                        days of the week that are before the deadline: gm/game/commands/definite.py
    [rejecting]                     orders that are named to be rejected: gm/game/orders/rejected_orders.py
    [now]                           parts of sentences about the open phase: gm/game/orders.now_and_later.py
    [supposing]                     words that ask what would come of something, or (`asks`) how it is done
    [denying]                       words that there is no more time: sentences that do not mean EXTEND; exclamations
    [choosing], [small_talk]        answers to "press or orders?", and letters that only thank

The group `open` is a word for the kind of phase that is open: "the deadline of the retreats".
`{power}` is the name of any power, `{powers}` a list of some; `[dates]` and `[words]` have others. English sentences
are known in every language.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from itertools import chain, islice
from typing import Any
from zoneinfo import ZoneInfo

from msgspec import Struct
from msgspec.structs import replace

from gm import resources
from gm.language.commands import parser
from gm.language.commands.command_line import CommandLine, written_words
from gm.language.commands.in_words.calls_to_players import is_for_player
from gm.language.commands.in_words.left_out import GAP, beside_spans
from gm.language.commands.in_words.named_powers import any_name, called
from gm.language.commands.requests import HelpRequest, SetRequest
from gm.language.commands.table import ROLES, Command, limits_of, row_of, table
from gm.language.dates.date_words import DateError
from gm.language.dates.schedule import parse_schedule
from gm.language.i18n.joining_words import AND
from gm.language.i18n.kept_patterns import compiled
from gm.language.i18n.needed_words import PatternIndex
from gm.language.i18n.normalize import clean
from gm.language.i18n.vocabulary import ENGLISH, vocabulary_of
from gm.language.lines.letter_contents import LetterContext, Request
from gm.language.lines.lines import KINDS
from gm.language.lines.sentences import sentence_at, sentences_of
from gm.language.orders.phase_names import earlier_phase

LINE_MOST = 1000
"""Most characters of a line that are searched."""
LINES_KEPT = 1024
KEY = "said-plainly"
"""Key of the hint at a command."""
MEANT = "meant-plainly"
"""Key of the hint at a complete command, which a YES takes."""
WITH_REASON = "meant-with-reason"
"""Key of the hint at a command without the reason that stands behind it."""
FOR_ALL = "meant-for-all"
"""Key of the hint at a command that is about everybody, where the writer names one power."""
FOR_A_TIME = "meant-for-a-time"
"""Key of the hint at a new player of a seat, where the sentence means some weeks only."""
HOW = "how-"
"""How the keys begin of what is said to a game master who asks how something is done."""
HOW_WRITTEN = f"{HOW}written"
"""Key of the forms of commands for that."""
UNTIL_WHEN = "meant-until-when"
"""Key of the hint at a later deadline, where the sentence does not say which."""
BESIDE = "request-beside"
"""Key of the error of a command in one line with other things."""
OPEN_ONLY = "meant-open-phase-only"
"""Key of the hint at a later deadline, where the sentence is about phases that are not open as well."""
HINTS = (KEY, MEANT, WITH_REASON, FOR_ALL, FOR_A_TIME, UNTIL_WHEN, OPEN_ONLY)
KEYS = (KEY, "command-unclear")
"""Keys of hints that show how a command is written."""
MOST_TALK = 40
"""With more lines of talk a letter gets no hints."""
DATE_WORDS = ("date", "word", "number", "unit", "phase")
"""What stands for the words of `[dates]` in patterns, in the order in which they stand in each other."""
POWERS = rf"{{power}}(?:(?:,? ?(?:(?:{AND}) |& ?)| ?[,/+] ?){{power}})*"
"""What `{powers}` stands for."""
POLL = "poll"
"""The row of a question to the players: what stands behind it is what they are asked, and nothing that is wanted."""
DENIABLE = frozenset(("extend", "extend-ask"))
"""Rows that a sentence does not mean where it denies them: `[denying]` of grammars/plain_questions."""
MOST_HINTS = 3
"""Most hints for one letter."""
MOST_WHOLE = 12
"""The same, with hints at whole commands."""
CLOCK = frozenset(("ExtendRequest", "DeadlineRequest", "PauseRequest", "ResumeRequest"))
"""Requests of which one is meant: "Luc asked for one more day, so give everybody 24 hours more"."""
OPENS_PHASE = frozenset(("RollbackRequest", "RedoRequest", "ProcessRequest"))
"""Requests behind which those of `CLOCK` are done, and so proposed."""
STARTS = "StartRequest"
"""The request behind whose setting and seats it is done."""
ONCE = frozenset(("RollbackRequest", "EndGameRequest", "PollRequest"))
"""Requests of which a line means one, the first in the file: "go back to spring" is no ROLLBACK of the last phase."""


class PlainQuestion(Struct, frozen=True):
    """`request`: what the sentence asks for; else `commands` are rows to hint at. `power`: a power it names.
    `line`: the whole command, where the sentence says all of it; `left` are words of it that no command is about.
    `sentence`: the key of what the answer says of it, where that is something else.
    """

    request: Request | None = None
    commands: tuple[str, ...] = ()
    power: str = ""
    line: str = ""
    left: str = ""
    sentence: str = ""

    @property
    def key(self) -> str:
        return self.sentence or (MEANT if self.line else KEY)

    @property
    def suggestions(self) -> tuple[str, ...]:
        return (self.line,) if self.line else ()

    @property
    def fields(self) -> tuple[tuple[str, str], ...]:
        """What fills the sentence of its `key`."""
        return ("commands", " ".join(self.commands)), ("power", self.power), ("left", self.left)


class _Sense(Struct, frozen=True):
    pattern: re.Pattern[str]
    line: str = ""
    commands: tuple[str, ...] = ()
    who: tuple[str, ...] = ROLES
    sentence: str = ""
    unless: re.Pattern[str] | None = None


def read_questions(text: str, context: LetterContext, whole: str = "") -> tuple[PlainQuestion, ...]:
    """The commands that a line may stand for, each kind of request once, or each whole command; () for talk.

    `whole`: the line with all its letters.
    """
    cleaned = clean(text.strip()[:LINE_MOST]).text
    line, variant = cleaned.lower(), context.variant
    opening = next(iter(sentences_of(line)), "")
    if only_exclaims(opening, line[len(opening) :], variant.language):
        line = line[len(opening) :].rjust(len(line))
    names = called(variant.powers)
    fitting = _fitting(line, variant.language, tuple(names))
    if not fitting:
        return ()
    denied = _denied(line, variant.language)
    matches = [(sense, match) for sense in fitting for match in _matches(sense, line, denied)]
    if context.master:
        own = [each for each in matches if not is_for_player(line, each[1].end() - 1, each[0].commands, context)]
        matches = list(_without_asked_how(own, line))
    asked = min((match.start() for sense, match in matches if POLL in sense.commands), default=len(line))
    matches = [(sense, match) for sense, match in matches if POLL in sense.commands or match.start() < asked]
    if not matches:
        return ()
    known, power_name = rows_by_name(), any_name(tuple(names))
    meant: dict[object, PlainQuestion] = {}
    whole_lines: dict[object, PlainQuestion] = {}
    spans: dict[object, list[tuple[int, int]]] = {}
    looked_up: list[tuple[int, int]] = []
    for sense, match in matches:
        name = power_name.search(match.group()) or power_name.search(line)
        named = names[name.group()] if name else ""
        groups = {"power": named} | _groups(match, cleaned, whole or text)
        if "phase" in groups:
            season = _without_endings(groups["phase"], variant.language)
            groups["phase"] = earlier_phase(season, variant, context.position) or ""
        question = _question_of(sense, groups, context)
        if question is not None:
            question = _as_shown(question, line, match, context)
            same = known[question.commands[0]].request if question.commands else question
            looked_up += [match.span()] if question.request is not None else []
            looked_up += [_sentence_span(line, match)] if question.sentence.startswith(HOW) else []
            if question.commands and context.master and _supposes(line, match, variant.language):
                continue
            if question.line:
                about = CLOCK if same in CLOCK else same if same in ONCE else question.line
                spans.setdefault(about, []).append(match.span())
                whole_lines.setdefault(about, replace(question, power=named))
            meant.setdefault(same, replace(question, power=named))
    settled = {known[question.commands[0]].request for question in whole_lines.values()}
    taken = tuple(chain.from_iterable(spans[about] for about in whole_lines))
    beside = beside_spans(cleaned, sorted((*taken, *looked_up))).split(GAP) if taken else ()
    left = GAP.join(written_words(whole or text, part) for part in beside)
    first = next(iter(whole_lines), None)
    whole_lines |= {first: replace(whole_lines[first], left=left)} if first is not None else {}
    ordered = sorted(whole_lines.values(), key=lambda each: _when_done(known[each.commands[0]].request))
    return (*ordered, *(question for same, question in meant.items() if same not in settled))


def earlier_phase_named(text: str, context: LetterContext) -> str:
    """The phase before the open one that a text names ("in spring"); "" where it names none, or the open season."""
    line, variant = clean(text[:LINE_MOST]).text.lower(), context.variant
    for language in dict.fromkeys((variant.language, ENGLISH)):
        content = read_table(language)
        pattern = with_words(r"\b(?:in|for|during|im|fur|fuer|vom) (?P<phase>{phase})", content)
        for match in re.finditer(pattern, line):
            named = _without_endings(match["phase"], language)
            phase = earlier_phase(named, variant, context.position) or ""
            if phase and (phase[0], phase[-1]) != _open_season(context):
                return phase
    return ""


def _when_done(request: str) -> int:
    """Where a request stands among others of its letter: 0 before them, 1, or 2 behind them."""
    return 0 if request in OPENS_PHASE else 2 if request == STARTS else 1


def _open_season(context: LetterContext) -> tuple[str, str]:
    name = context.variant.phase_name(context.position)
    return name[0], name[-1]


def _without_endings(phase: str, language: str) -> str:
    """The words of a phase without what is joined to a season: "Frühjahrszug" (`endings` of `[dates]`)."""
    endings = read_table(language).get("dates", {}).get("endings", "")
    return re.sub(rf"(?<=\w)(?:{endings})\b", "", phase, flags=re.IGNORECASE) if endings else phase


def _matches(sense: _Sense, line: str, denied: Sequence[tuple[int, int]]) -> Iterator[re.Match[str]]:
    """The first match, but all of a pattern with the names of a command: "Anna gets England, Dirk gets Turkey".

    `denied`: where the line says that there is no more time.
    """
    matches = sense.pattern.finditer(line)
    if not DENIABLE.isdisjoint(sense.commands):
        matches = (match for match in matches if not any(start <= match.start() < end for start, end in denied))
    if (unless := sense.unless) is not None:
        matches = (match for match in matches if unless.search(_sentence_of(line, match)) is None)
    return islice(matches, MOST_WHOLE if "{" in sense.line else 1)


def _without_asked_how(
    matches: Sequence[tuple[_Sense, re.Match[str]]], line: str
) -> Iterator[tuple[_Sense, re.Match[str]]]:
    """Of a sentence that asks how something is done only that, the first in the file; unless it says all of it, "may I
    extend by two days?"."""
    asked: dict[str, _Sense] = {}
    own = ((sense, match) for sense, match in matches if not sense.sentence.startswith(HOW))
    whole = {_sentence_of(line, match) for sense, match in own if "{" in sense.line or sense.sentence}
    for sense, match in matches:
        if sense.sentence.startswith(HOW) and _sentence_of(line, match) not in whole:
            asked.setdefault(_sentence_of(line, match), sense)
    for sense, match in matches:
        how = asked.get(_sentence_of(line, match)) if asked else None
        if how is sense or (how is None and not sense.sentence.startswith(HOW)):
            yield sense, match


def _supposes(line: str, match: re.Match[str], language: str) -> bool:
    """Whether a sentence asks what would come of something, and does not want it: "what if I extend the deadline?"."""
    sentence = _sentence_of(line, match).strip()
    return compiled_patterns("supposing", language)["said"].match(sentence) is not None


def _sentence_of(line: str, match: re.Match[str]) -> str:
    """The sentence with the last word of a match, which may end behind a full stop."""
    words = match.group().rstrip(" .,;:!?")
    return sentence_at(line, match.start() + max(len(words) - 1, 0))


def _sentence_span(line: str, match: re.Match[str]) -> tuple[int, int]:
    sentence = _sentence_of(line, match)
    start = line.rfind(sentence, 0, match.end() + len(sentence))
    return start, start + len(sentence)


def _as_shown(question: PlainQuestion, line: str, match: re.Match[str], context: LetterContext) -> PlainQuestion:
    """What cannot be undone is shown and not proposed where the sentence asks how or whether it can be done."""
    if not question.line or not any(rows_by_name()[name].for_good for name in question.commands):
        return question
    asks = compiled_patterns("supposing", context.variant.language)["asks"]
    if asks.match(_sentence_of(line, match).strip()) is None:
        return question
    return replace(question, line="", sentence=HOW_WRITTEN)


def _denied(line: str, language: str) -> tuple[tuple[int, int], ...]:
    """The sentences that say "no extension this time"; all up to one that refuses what they say: "I refuse it"."""
    denies = compiled_patterns("denying", language)
    spans: list[tuple[int, int]] = []
    at = 0
    for sentence in sentences_of(line) if denies["said"].search(line) or denies["refuses"].search(line) else ():
        past = at + len(sentence)
        if denies["refuses"].search(sentence):
            spans.append((0, past))
        elif denies["said"].search(sentence):
            spans.append((at, past))
        at = past
    return tuple(spans)


def only_exclaims(sentence: str, behind: str, language: str) -> bool:
    """Whether a sentence in small letters asks nobody to wait, as more words follow: "Wait. What happens if …?"."""
    if not any(map(str.isalnum, behind)):
        return False
    return compiled_patterns("denying", language)["exclaims"].fullmatch(sentence.strip(" .,!-")) is not None


@lru_cache(maxsize=1)
def rows_by_name() -> Mapping[str, Command]:
    return {row.name: row for row in table().commands}


def _groups(match: re.Match[str], cleaned: str, line: str) -> dict[str, str]:
    """The named groups of a pattern as the line has them."""
    words = ((name, cleaned[slice(*match.span(name))].strip(" .,;:!")) for name in match.groupdict())
    return {name: written_words(line, value) for name, value in words if value}


def _question_of(sense: _Sense, groups: Mapping[str, str], context: LetterContext) -> PlainQuestion | None:
    """None where the writer may not use the command."""
    if role_of(context) not in sense.who:
        return None
    if not sense.commands:
        asked = parser.read_command(sense.line, context.variant)
        request = asked.request if asked is not None else None
        return PlainQuestion(request) if request is not None and may_ask(request, context) else None
    known = rows_by_name()
    mine = tuple(name for name in sense.commands if role_of(context) in known[name].who)
    if not mine:
        return None
    return PlainQuestion(commands=mine, line=_whole_line(sense.line, groups, context), sentence=sense.sentence)


def _whole_line(line: str, groups: Mapping[str, str], context: LetterContext) -> str:
    """The command with the words of the sentence; "" where they make none that the writer may use."""
    fields = string.Formatter().parse(line)
    if not line or any(not groups.get(name) for _, name, _, _ in fields if name):
        return ""
    written = line.format_map(groups)
    asked = parser.read_command(clean(written).text, context.variant)
    if asked is None or not _may_use(asked, context):
        return ""
    if "open" in groups and _kind_of(groups["open"], context) != context.variant.step(context.position).letter:
        return ""
    if isinstance(asked.request, SetRequest) and "when" in groups and not is_schedule(asked.request.value):
        return ""
    return written if asked.request is not None or row_of(asked.kind).block else ""


def _may_use(asked: CommandLine, context: LetterContext) -> bool:
    if asked.request is not None:
        return may_ask(asked.request, context)
    return role_of(context) in row_of(asked.kind).who


def _kind_of(word: str, context: LetterContext) -> str:
    """The letter of the kind of phases that a word like "retreats" names."""
    low = clean(word).text.lower()
    return KINDS.get(vocabulary_of(context.variant.language).headings.get(low, low), "")


def is_schedule(value: str) -> bool:
    return not isinstance(parse_schedule(value, ZoneInfo("UTC")), DateError)


def requests_of(questions: Sequence[PlainQuestion]) -> tuple[Request, ...]:
    """What the questions of a line look up; the manual as a whole only where there is nothing else."""
    asked = [question.request for question in questions if question.request is not None]
    return tuple(request for request in asked if request != HelpRequest()) or tuple(asked[:1])


def read_several_requests(text: str, context: LetterContext) -> tuple[Request, ...]:
    """Requests in one line with nothing else: "READY; STATUS"; none with `for_good`."""
    asked = [parser.read_command(piece, context.variant) for piece in text.split(";")]
    requests = tuple(line.request for line in asked if line is not None and line.request is not None)
    safe = all(line is not None and not row_of(line.kind).for_good for line in asked)
    return requests if safe and len(requests) == len(asked) > 1 else ()


def role_of(context: LetterContext) -> str:
    return "player" if context.power else "gm" if context.master else "observer"


def may_ask(request: Request, context: LetterContext) -> bool:
    return limits_of(request, role_of(context)) is not None


@lru_cache(maxsize=LINES_KEPT)
def _fitting(line: str, language: str, names: tuple[str, ...]) -> tuple[_Sense, ...]:
    """The senses whose pattern fits a line. The last lines are kept, only for speed: letters repeat each other's."""
    return _index(language, names).fitting(line)


@lru_cache(maxsize=32)
def _index(language: str, names: tuple[str, ...]) -> PatternIndex[_Sense]:
    return PatternIndex(senses(language, names))


@lru_cache(maxsize=32)
def senses(language: str, names: tuple[str, ...]) -> tuple[_Sense, ...]:
    """The sentences of a language and of English; `names` are those of powers."""
    return tuple(sense for known in dict.fromkeys((language, ENGLISH)) for sense in _read(known, names))


@lru_cache(maxsize=8)
def read_table(language: str) -> Mapping[str, Any]:
    """The file of a language; empty where it has none. Cached only for speed: lines of questions ask for it."""
    file = resources.folder("grammars") / "plain_questions" / f"{language}.toml"
    return resources.read_table(file) if language.isalpha() and file.is_file() else {}


def tables_of(name: str, *languages: str) -> list[Any]:
    """What the files of these languages and of English have under a name, each file once."""
    files = (read_table(language) for language in dict.fromkeys((*languages, ENGLISH)))
    return [content[name] for content in files if name in content]


def with_words(pattern: str, content: Mapping[str, Any]) -> str:
    """The pattern with the words of `[words]` and `[dates]` of its file."""
    words = content.get("words", {}) | {word: content.get("dates", {}).get(word, "(?!)") for word in DATE_WORDS}
    return reduce(lambda known, word: known.replace(f"{{{word}}}", words[word]), words, pattern)


def joined_patterns(name: str, *languages: str) -> Mapping[str, str]:
    """Each key of a table with its patterns in these languages and English as one."""
    tables = tables_of(name, *languages)
    keys = dict.fromkeys(key for table in tables for key in table)
    return {key: "|".join(pattern for table in tables for pattern in table.get(key, ())) for key in keys}


@lru_cache(maxsize=128)
def compiled_patterns(name: str, *languages: str) -> Mapping[str, re.Pattern[str]]:
    return {key: re.compile(pattern) for key, pattern in joined_patterns(name, *languages).items()}


def _topics(content: Mapping[str, Any]) -> Iterator[tuple[str, list[str]]]:
    """The commands for pages of the manual, with the questions about each."""
    topics = dict(content.get("topics", {}))
    frames = topics.pop("frames", {})
    for page, words in topics.items():
        patterns = list(words.get("said", ()))
        for kind in frames:
            every = "|".join(words.get(kind, ()))
            patterns += (frame.replace(f"{{{kind}}}", f"(?:{every})") for frame in frames[kind] if every)
        yield f"HELP {page.upper()}", patterns


def _read(language: str, called: tuple[str, ...]) -> Iterator[_Sense]:
    content = read_table(language)
    names = "|".join(re.escape(clean(name).text.lower()) for name in called)
    for page, questions in _topics(content):
        words = "|".join(f"(?:{pattern})" for pattern in questions)
        yield _Sense(compiled(words.replace("{power}", rf"(?:{names})\b")), page)
    for row in (*content.get("asks", ()), *content.get("means", ())):
        line, patterns = row.get("line", ""), row["said"]
        unless = re.compile(with_words("|".join(row["unless"]), content)) if "unless" in row else None
        if "{" not in line:  # a group may stand in one pattern only
            patterns = ("|".join(f"(?:{pattern})" for pattern in patterns),)
        for pattern in patterns:
            words = with_words(pattern, content).replace("{powers}", POWERS)
            named = compiled(words.replace("{power}", rf"(?:{names})\b"))
            commands, who = tuple(row.get("commands", ())), tuple(row.get("who", ROLES))
            yield _Sense(named, line, commands, who, row.get("key", ""), unless)
