"""Reads DIARY: an entry beside it or below it, or a request about the notebook."""

from __future__ import annotations

import re

from gm.language.commands.command_line import CommandLine, is_in_capitals
from gm.language.commands.observers import DiaryRequest
from gm.language.commands.press_blocks import BlockReader, language
from gm.language.commands.press_or_orders import looks_like_orders
from gm.language.i18n.normalize import clean
from gm.language.i18n.vocabulary import tongue
from gm.language.lines import blocks
from gm.language.lines.lines import LetterLine

DELETED = re.compile(
    r"(?:delete|strike|remove)\s+(?:entry\s+)?(?:no\.?\s*|#\s*)?(?P<number>\d{1,5})[.]?$", re.IGNORECASE
)
OPENED = re.compile(r"(?:all|everybody|everyone|of all|opened)$", re.IGNORECASE)
END_DIARY = re.compile(r"\s*end\s*-?\s*(?:diary|notes?|notebook)\s*[.!]?\s*$", re.IGNORECASE)
END_BARE = re.compile(r"\s*end\s*-?\s*(?:diary|notes?|notebook|)\s*[.!]?\s*$", re.IGNORECASE)


def diary(reader: BlockReader, asked: CommandLine, line: LetterLine, at: int) -> int:
    """DIARY words; DIARY and lines up to END DIARY (or END, where no words stand beside it); DIARY alone."""
    words = asked.words.strip(" :")
    spoken = tongue(language(reader))
    if not is_in_capitals(line.body) and (words or spoken.english(line.body.strip().lower()).rstrip(".") != "diary"):
        return 0
    if deleted := DELETED.match(words):
        reader.take(line, DiaryRequest(delete=int(deleted["number"])))
        return at + 1
    if OPENED.match(words):
        reader.take(line, DiaryRequest(everybody=True))
        return at + 1
    end, closed = blocks.until(reader.lines, at + 1, END_DIARY if words else END_BARE, language=language(reader))
    if (
        closed
        and not words
        and not END_DIARY.match(spoken.english(clean(reader.lines[end][1]).text))
        and looks_like_orders(reader.lines[at + 1 : end], reader.context)
    ):
        reader.tell(line, "diary-unclosed")
        return end + 1
    below = reader.lines[at + 1 : end] if closed else ()
    first = blocks.after(line.text, "", word=True).lstrip(": ") if words else ""
    reader.take(line, DiaryRequest(blocks.text_of(below, first)))
    return end + 1 if closed else at + 1
