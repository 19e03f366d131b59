"""Reads a game master's requests with lines below them: SETUP, IMPORT, CORRECT RESULT, TO France, OVERRIDE, POLL.

Each function takes the first line and returns the index of the line to continue from; 0 where it was no request.
"""

from __future__ import annotations

import re

from msgspec.structs import replace

from gm.judge.model.variant import Variant
from gm.language.commands import addressees, parser, requests
from gm.language.commands.blocks.press_blocks import BlockReader, act_as_power, language
from gm.language.commands.command_line import CommandLine, is_in_capitals, written_words
from gm.language.commands.deadlines import ExtendRequest, GrantRequest, PauseRequest
from gm.language.commands.gm import CorrectRequest, ImportRequest, PollRequest, SetupRequest
from gm.language.commands.in_words.limits import limit_in
from gm.language.commands.in_words.plain_questions import FOR_ALL
from gm.language.commands.in_words.reasons import asks_for_more
from gm.language.commands.in_words.taken_back import TAKEN_BACK, is_retracted_behind
from gm.language.commands.table import row_of
from gm.language.i18n.normalize import clean
from gm.language.i18n.place_names import power_key, powers
from gm.language.i18n.vocabulary import vocabulary_of
from gm.language.lines import blocks
from gm.language.lines.blocks import NumberedLine
from gm.language.lines.lines import LetterLine, read_line

END_SETUP = re.compile(r"\s*end\s*-?\s*(?:set-?up)?\s*[.!]?\s*$", re.IGNORECASE)
END_IMPORT = re.compile(r"\s*end\s*-?\s*(?:import)?\s*[.!]?\s*$", re.IGNORECASE)
END_NOTE = re.compile(r"\s*end\s*-?\s*(?:correct(?:ion)?|rule|result|erratum|note)?\s*[.!]?\s*$", re.IGNORECASE)
END_OFFICIAL = re.compile(r"\s*end\s*-?\s*(?:to|press|letter|message)?\s*[.!]?\s*$", re.IGNORECASE)
END_OVERRIDE = re.compile(r"\s*end\s*-?\s*(?:override.*|as)?\s*$", re.IGNORECASE)
CORRECT = re.compile(
    r"\s*(?:correct\w*(?:\s+(?:of|to))?(?:\s+the)?\s+results?|erratum|rule)\b(?:\s+(?:of|to|for)(?=\s+[A-Za-z]\d))?[\s:]*",
    re.IGNORECASE,
)
NAMED_PHASE = re.compile(r"([A-Za-z]\d{1,4}[A-Za-z])\b[\s:]*")
REPLACED = "REPLACE"
"""Put before the lines of OVERRIDE: empties the sheet first."""


def setup(reader: BlockReader, asked: CommandLine, line: LetterLine, at: int) -> int:
    """SETUP and the lines up to END, or consecutive lines that begin with SETUP.

    A block without END ends at its first empty line.
    """
    if not is_in_capitals(line.body):
        return 0
    if asked.words:
        edits, past = _one_by_one(reader, at)
    else:
        edits, past = _block(reader, at)
    if not edits and reader.context.master:
        reader.tell(line, "setup-empty")
        return past
    reader.take(line, SetupRequest(edits))
    return past


def _one_by_one(reader: BlockReader, at: int) -> tuple[tuple[NumberedLine, ...], int]:
    edits: list[NumberedLine] = []
    while at < len(reader.lines):
        number, text = reader.lines[at]
        asked = parser.read_command(read_line(number, text).body, reader.context.variant)
        if asked is None or asked.kind != "setup" or not asked.words:
            break
        edits.append((number, asked.words))
        at += 1
    return tuple(edits), at


def _block(reader: BlockReader, at: int) -> tuple[tuple[NumberedLine, ...], int]:
    end, closed = blocks.until(reader.lines, at + 1, END_SETUP, language=language(reader))
    if not closed:
        end = next((i for i in range(at + 1, len(reader.lines)) if not reader.lines[i][1].strip()), len(reader.lines))
    inside = reader.lines[at + 1 : end]
    edits = tuple((number, clean(text).text.strip()) for number, text in inside if text.strip())
    return edits, end + 1 if closed else end


def import_file(reader: BlockReader, asked: CommandLine, line: LetterLine, at: int) -> int:
    """IMPORT and the text of a file up to END or the end of the letter; without text the file is an attachment."""
    if not is_in_capitals(line.body):
        return 0
    end, _ = blocks.until(reader.lines, at + 1, END_IMPORT, language=language(reader))
    reader.take(line, ImportRequest(blocks.text_of(reader.lines[at + 1 : end])))
    return end + 1


def correct(reader: BlockReader, asked: CommandLine, line: LetterLine, at: int) -> int:
    """The note follows on the same line, or stands below up to END or the first empty line."""
    if not is_in_capitals(line.body):
        return 0
    phase, note = _of_phase(reader, line)
    end, closed = blocks.until(reader.lines, at + 1, END_NOTE, language=language(reader))
    past = end + 1
    if not closed:
        start = at + 1
        end = next((i for i in range(start, len(reader.lines)) if not reader.lines[i][1].strip()), len(reader.lines))
        past = end
    if note and not closed:
        end = past = at + 1
    text = blocks.text_of(reader.lines[at + 1 : end], note)
    reader.take(line, CorrectRequest(text, phase))
    return past


def _of_phase(reader: BlockReader, line: LetterLine) -> tuple[str, str]:
    """The phase named on the line, and the note that follows it, as written."""
    body = vocabulary_of(language(reader)).english(line.body)
    opened = CORRECT.match(body)
    note = body[opened.end() :].strip() if opened else ""
    named = NAMED_PHASE.match(note)
    phase = ""
    if named is not None and _is_phase(named[1], reader.context.variant):
        phase, note = named[1].upper(), note[named.end() :].strip()
    return phase, written_words(line.text, note)


def _is_phase(words: str, variant: Variant) -> bool:
    try:
        variant.phase_at(words)
    except ValueError:
        return False
    return True


def with_reason(reader: BlockReader, asked: CommandLine, line: LetterLine, at: int) -> int:
    """A request with a reason, which others read: keeps its accents.

    One that is limited to a power is proposed without the limit: a deadline is everybody's.
    """
    if not isinstance(asked.request, ExtendRequest | requests.DeadlineRequest | PauseRequest | GrantRequest):
        return 0
    if asks_for_more(asked.request, line.body, reader.context):
        return 0
    if asked.request == requests.DeadlineRequest():
        reader.take(line, asked.request)
        return at + 1
    if is_retracted_behind(line.text, reader.context.variant.language):
        reader.tell(line, TAKEN_BACK)
        return at + 1
    limit = None if isinstance(asked.request, GrantRequest) else limit_in(line.body, reader.context.variant)
    if limit is not None and reader.context.master:
        whole = (line.body[: limit.start()].strip(),)
        reader.tell(line, FOR_ALL, obeyed=True, suggestions=whole, commands=row_of(asked.kind).name, power="")
        return at + 1
    reader.take(line, replace(asked.request, written=line.text))
    return at + 1


def official(reader: BlockReader, asked: CommandLine, line: LetterLine, at: int) -> int:
    """TO France: a letter from the game master to one or several powers."""
    names, colon, first = asked.words.partition(":")
    to, everyone = addressees.read_addressees(names, reader.context)
    unknown = set(to) - set(reader.context.variant.seated)
    asks = all(addressees.powers_meant(name, reader.context) for name in unknown)
    if not reader.context.master or not is_in_capitals(line.body) or not asks:
        return 0
    if not (to or everyone) or (everyone and names.strip().lower() not in addressees.EVERYONE):
        return 0  # "TO ALL BUT Russia" is PRESS
    end, _ = blocks.until(reader.lines, at + 1, END_OFFICIAL, language=language(reader))
    text = blocks.text_of(reader.lines[at + 1 : end], blocks.after(line.text, ":") if colon and first.strip() else "")
    if not text:
        reader.tell(line, "press-empty")
    else:
        reader.take(line, requests.PressRequest(to, text, everyone))
    return end + 1


def poll(reader: BlockReader, asked: CommandLine, line: LetterLine, at: int) -> int:
    """POLL: keeps the accents of the question and its options."""
    if not isinstance(asked.request, PollRequest):
        return 0
    options = tuple(written_words(line.text, option) for option in asked.request.options)
    reader.take(line, replace(asked.request, text=written_words(line.text, asked.request.text), options=options))
    return at + 1


def override(reader: BlockReader, asked: CommandLine, line: LetterLine, at: int) -> int:
    """OVERRIDE France: the lines below replace its whole sheet."""
    name = asked.words.strip(" :=")
    power = powers(reader.context.variant.powers).get(power_key(name), name)
    if not is_in_capitals(line.body):
        return 0
    return act_as_power(reader, line, at, power, END_OVERRIDE, ((line.number, REPLACED),))
