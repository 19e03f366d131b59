"""A NO that says what is wrong: "no, 20:00 of course" is the proposed command with another time."""

from __future__ import annotations

import re

from msgspec.structs import replace

from gm.game.model.proposals import Proposals
from gm.game.proposals.proposal_replies import ProposalsReply
from gm.game.session.session import LetterSession
from gm.language.letter.letter_reader import read_letter
from gm.language.letter.talk.consent_words import gives_thanks, only_agrees
from gm.language.lines.blocks import number_lines
from gm.language.lines.letter_contents import LetterContents

TIME = re.compile(r"\b(?:[01]?\d|2[0-3])[:.][0-5]\d\b")
DIGIT = re.compile(r"\d")
WORDS = re.compile(r"\w{2,}")


def correct_values(
    session: LetterSession, reply: ProposalsReply, proposals: Proposals, reading: LetterContents
) -> None:
    """Propose the refused command with the time that stands beside the NO; name other numbers that are not read."""
    words = " ".join(text for number, text in reply.rest.lines if number == reply.line).strip(" ,.;:!–-")
    if not WORDS.search(words) or reading.orders or reading.requests or reading.troubles or reading.unanswered:
        return
    languages = session.languages
    if gives_thanks(words, languages) or only_agrees(words, languages):
        return
    command = _with_time(session, proposals, words) if only_agrees(TIME.sub("", words), languages) else ""
    if command:
        session.proposed.waiting = replace(proposals, requests=(command,), settles=())
    elif DIGIT.search(words):
        session.note("proposals-words-left", headline=True, words=words)


def _with_time(session: LetterSession, proposals: Proposals, words: str) -> str:
    """The only refused command, if it has one time and the words have another; "" for others."""
    times = TIME.findall(words)
    if len(times) != 1 or proposals.lines or len(proposals.requests) != 1:
        return ""
    command = proposals.requests[0]
    if len(TIME.findall(command)) != 1:
        return ""
    corrected = TIME.sub(times[0].replace(".", ":"), command)
    reading = read_letter(number_lines(corrected), session.context)
    return corrected if reading.requests and not (reading.orders or reading.troubles) else ""
