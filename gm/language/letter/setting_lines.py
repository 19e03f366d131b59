"""Reads lines about settings: a game master's "moves: Mondays 21:00", and SET in the letters of players."""

from __future__ import annotations

import re

from gm.language.commands import parser as commands
from gm.language.commands import requests
from gm.language.commands.command_line import is_in_capitals
from gm.language.commands.in_words import plain_questions
from gm.language.commands.in_words.game_in_words import settings_in_words
from gm.language.letter.held_lines import HeldLineReader
from gm.language.lines.lines import LetterLine, skip_columns
from gm.language.orders.line_reader import LONGEST_LINE
from gm.language.orders.parsing.order_context import place_names
from gm.language.prose.phrases.prose_phrases import phrases_of

SET = re.compile(r"set\s+", re.IGNORECASE)
SET_PRESS = re.compile(r"(?:press\W*)?(?:no\s?)?(?:gr[ae]y|anon(?:ymous)?)", re.IGNORECASE)
UNSIGNED = "press-unsigned press"
"""Commands for a player's own choice of grey press, and of press where a game has no grey one."""


class SettingLineReader(HeldLineReader, kw_only=True):
    """`creating`: below CREATE; `listing`: no empty line has followed yet."""

    creating: bool = False
    listing: bool = False

    def understands(self, body: str) -> bool:
        """Whether it holds orders, perhaps behind words that only look like a condition."""
        pieces = self.sheet.pieces(body[:LONGEST_LINE]) if self.sheet is not None else ()
        aside = phrases_of(self.context.variant).asides.match(body.lower().lstrip())
        return aside is not None or any(piece.node is not None for piece in pieces)

    def sets_no_setting(self, setting: requests.SetRequest, line: LetterLine) -> bool:
        """Whether SET in small letters speaks of a province: "set Vienna back where it was"."""
        names = place_names(self.context.position.board, self.context.variant)
        key = setting.key.lower()
        return not is_in_capitals(line.body) and key not in self.context.plain_settings and bool(names.find((key,)))

    def set_by_player(self, setting: requests.SetRequest, line: LetterLine, at: int) -> int:
        """SET before an order, or before a setting, which only a game master may change."""
        match = SET.match(line.body)
        behind = match.end() if match else 0
        if behind and self.understands(line.body[behind:]):
            self.held.append(skip_columns(line, behind))
            return at + 1
        self.flush()
        known, press = self.context.plain_settings, SET_PRESS.fullmatch(line.body[behind:].strip(" .!"))
        if press or (known and not setting.value and setting.key not in known):
            self.tell(line, "command-unclear", word="SET", commands=UNSIGNED if press else "", power="")
        else:
            self.take(line, setting)
        return at + 1

    def set_several(self, line: LetterLine) -> bool:
        """ "SET WAIT, LANG de": several requests of a player behind one SET."""
        match = SET.match(line.body) if "," in line.body else None
        words = line.body[match.end() :].split(",") if match else []
        several = [commands.read_command(word.strip(), self.context.variant) for word in words if word.strip()]
        given = [each.request for each in several if each is not None and each.request is not None]
        if (
            not given
            or len(given) < len(words)
            or not all(plain_questions.may_ask(each, self.context) for each in given)
        ):
            return False
        self.flush()
        for request in given:
            self.take(line, request)
        return True

    def entry(self, line: LetterLine) -> bool:
        """A game master's "moves: Mondays 21:00" or "Turkey: Deniz Kaya <deniz@example.org>" in any letter.

        Before the game begins also "variant locarno", as below CREATE.
        """
        key, colon, value = commands.setting_line(line.body.strip(), self.context.variant).partition(":")
        plain = commands.setting_key(key).lower() in self.context.plain_settings
        bare = self.context.forming and not colon and not self._is_meant_otherwise(line)
        seats = bool(colon) and "@" in value and not self._wants_new_game(line)
        return (bare or bool(colon and plain) or seats) and self.setting(line)

    def _wants_new_game(self, line: LetterLine) -> bool:
        """Whether a colon stands behind the wish for a game: "New game please: Standard, invite anna@example.org"."""
        questions = plain_questions.read_questions(line.body, self.context, line.text)
        return any("create" in question.commands for question in questions)

    def _is_meant_otherwise(self, line: LetterLine) -> bool:
        """Whether a sentence stands for another command than SET: "start now, please"; or for another value: "joining
        should be open, but ask me first".
        """
        key, _, value = commands.setting_line(line.body.strip(), self.context.variant).partition(" ")
        settings = settings_in_words(line.body, (self.context.variant.language,))
        if any(_means_else(setting, commands.setting_key(key).lower(), value) for setting in settings):
            return True
        questions = plain_questions.read_questions(line.body, self.context, line.text)
        return any(question.line and question.commands[0] != "set" for question in questions)

    def setting(self, line: LetterLine) -> bool:
        """`key: value` and `KEY value` below CREATE; up to the first empty line, and for the words every game knows,
        also `key value`.

        With an address behind it, it is a player for a seat: "Turkey: Deniz Kaya <deniz@example.org>".
        """
        setting = commands.setting_line(SET.sub("", line.body.strip(), count=1), self.context.variant)
        if self.creating and self._settings_in_words(line, setting):
            return True
        key, colon, value = setting.partition(":")
        if not colon or len(key.split()) > 3 or key.strip()[-1:].isdigit():
            key, _, value = setting.partition(" ")
            known = key.lower() in self.context.plain_settings and len(value.split()) <= commands.SETTING_WORDS
            if not (self.listing or known or is_in_capitals(key)):
                return False
        if not value.strip():
            return False
        self.flush()
        seat = commands.read_command(f"SEAT {line.body.strip()}", self.context.variant) if "@" in value else None
        self.take(
            line,
            (seat and seat.request) or requests.SetRequest(commands.setting_key(key), commands.without_courtesy(value)),
        )
        return True

    def _settings_in_words(self, line: LetterLine, setting: str) -> bool:
        """ "No maps please" below CREATE."""
        known = setting.partition(" ")[0].lower() in self.context.plain_settings
        meant = () if ":" in setting or known else settings_in_words(line.body, (self.context.variant.language,))
        if meant:
            self.flush()
        for key, _, value in (words.partition(": ") for words in meant):
            self.take(line, requests.SetRequest(key, value))
        return bool(meant)


def _means_else(setting: str, key: str, value: str) -> bool:
    """Whether a line "key: value" gives this key another value than the one that was read."""
    meant, _, wanted = setting.partition(": ")
    return meant == key and wanted not in value.lower().split()[:1]
