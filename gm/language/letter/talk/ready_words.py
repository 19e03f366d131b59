"""READY between words that only agree: "ready, all good", "The sheet is right as it stands. Ready."."""

from __future__ import annotations

from gm.language.commands import parser
from gm.language.commands.command_line import CommandLine
from gm.language.commands.requests import ReadyRequest
from gm.language.i18n.vocabulary import ENGLISH, vocabulary_of
from gm.language.letter.talk.consent_words import LONGEST, WORD, without_agreement
from gm.language.lines.letter_contents import LetterContext

READY = "READY"


def read_beside_agreement(text: str, context: LetterContext) -> CommandLine | None:
    """The command of a line, as `parser.read_in_letter` reads it; READY also with words that agree around it."""
    asked = parser.read_in_letter(text, context)
    if asked is not None or not context.power or "?" in text or len(text) > LONGEST:
        return asked
    vocabulary = vocabulary_of(context.variant.language)
    if all(vocabulary.english(word).upper() != READY for word in WORD.findall(text)):
        return None
    command = parser.read_command(without_agreement(text, (context.variant.language, ENGLISH)), context.variant)
    return command if command is not None and isinstance(command.request, ReadyRequest) else None
