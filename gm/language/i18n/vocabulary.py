"""The words of another language: grammars/vocabulary/<language>.toml. English letters need none.

    closing = ["ende"]                alone on its line it ends a block of free text, as ENDPRESS does
    letters = { "ä" = "ae" }          how a letter is also written
    small = ["von", "der"]            words that may be left out of names
    common = ["servus", "suche"]      more words than `TALK` and `FILLER` that show the language of a letter
    consent = ["klar"]                first words of an answer to a question that mean YES
    endings = { "er" = ["en"] }       other endings of the first word of a name of several words
    seas = { "meer" = "see" }         patterns in cleaned names -> what these are called as well
    reasons = ["weil"]                the reason for a command begins with such a word and is free text

    [orders]                          a terminal of the grammars -> more words for it, on every sheet that has it
    HOLD = ["hält", "halten"]
    [orders.retreats]                 … on the sheets of one grammar

    [commands]                        English commands -> what a line begins with instead
    "PRESS TO" = ["presse an"]
    [behind]                          … -> tables for the words behind them
    "PRESS TO" = ["parties", ":"]     up to a colon: free text stands behind it
    POLL = ["?", "polling"]           behind the last question mark: free text stands before it
    [sentences]                       … -> verbs that end a sentence, which is then no such command
    DEADLINE = ["verschieben"]
    [tables.parties]                  a table: the written words -> English ones
    alle = "all"

    [edits]                           what lines of SETUP begin with -> English words; tables.edits: words behind them
    [conditions]                      words of conditions ("leer") -> English ones
    [forms]                           commands of grammars/commands -> how the manual writes their first lines
    [pages]                           pages of the manual -> the line that asks for them
    [seasons]                         the season letter of a phase ("F26") -> that of English ones
    [heading]                         words of headings ("Befehle für Frühjahr 1901") -> English ones

English words always work as well: other words are left as they stand. Accents may be left out, or written as in
`letters`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from msgspec import Struct, field

from gm import resources
from gm.language.i18n.normalize import clean

ENGLISH = "en"
SETUP = "SETUP"
COLON, QUESTION = MARKS = ":", "?"
LONGEST = 400
"""Characters of a line that are looked at: no command is longer."""


class Phrases:
    """Phrases of a language -> English. The longest one wins; case and accents do not matter."""

    def __init__(self, entries: Mapping[str, str], letters: Mapping[str, str]) -> None:
        self._english = {
            spelling: english for phrase, english in entries.items() for spelling in spellings(phrase, letters)
        }
        every = "|".join(
            re.escape(phrase).replace(r"\ ", r"\s+") for phrase in sorted(self._english, key=len, reverse=True)
        )
        self._pattern = re.compile(rf"(?<!\w)(?:{every})(?!\w)" if every else r"(?!)", re.IGNORECASE)

    @property
    def words(self) -> frozenset[str]:
        """The phrases of one word, in capitals."""
        return frozenset(phrase.upper() for phrase in self._english if phrase.isalpha())

    @property
    def own_words(self) -> frozenset[str]:
        """Those of `words` that English does not have with the same meaning ("DEBUG")."""
        return frozenset(word for word in self.words if self._english[word.lower()].upper() != word)

    def opening(self, text: str) -> tuple[str, int] | None:
        """The English for the beginning of a line, and the column where the rest begins."""
        match = self._pattern.match(text)
        return (self._meant(match), match.end()) if match else None

    def replaced(self, text: str) -> str:
        return self._pattern.sub(self._meant, text)

    def _meant(self, match: re.Match[str]) -> str:
        english = self._english[" ".join(match.group().lower().split())]
        return english.upper() if match.group().isupper() and len(match.group()) > 1 else english.lower()


NO_PHRASES = Phrases({}, {})


class Vocabulary(Struct, frozen=True, eq=False, dict=True):
    """One language's words. `orders` by grammar ("" for all of them), then by terminal."""

    letters: Mapping[str, str] = field(default_factory=dict)
    small: frozenset[str] = frozenset()
    orders: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    headings: Mapping[str, str] = field(default_factory=dict)
    commands: Phrases = NO_PHRASES
    behind: Mapping[str, tuple[Phrases, ...]] = field(default_factory=dict)
    openers: frozenset[str] = frozenset()
    asking: frozenset[str] = frozenset()
    edits: Phrases = NO_PHRASES
    conditions: Phrases = NO_PHRASES
    forms: Mapping[str, str] = field(default_factory=dict)
    pages: Mapping[str, str] = field(default_factory=dict)
    closing: frozenset[str] = frozenset()
    reasons: re.Pattern[str] = re.compile(r"(?!)")
    endings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    seas: tuple[tuple[re.Pattern[str], str], ...] = ()
    common: frozenset[str] = frozenset()
    consent: frozenset[str] = frozenset()
    sentences: Mapping[str, re.Pattern[str]] = field(default_factory=dict)
    season_letters: Mapping[str, str] = field(default_factory=dict)

    def declined(self, name: str) -> Iterator[str]:
        """A name of several words with its first word as it stands in a sentence: "in den Bottnischen Meerbusen"."""
        first, blank, rest = name.partition(" ")
        ending = next((ending for ending in self.endings if first.endswith(ending)), "")
        for other in self.endings.get(ending, ()) if blank and ending else ():
            yield f"{first.removesuffix(ending)}{other} {rest}"

    def also_called(self, name: str) -> Iterator[str]:
        """Other forms of a name in lower case: "Chilenische See" for "Chilenisches Meer"."""
        for pattern, other in self.seas:
            if (form := pattern.sub(other, name)) != name:
                yield form

    def english(self, line: str) -> str:
        """A line (cleaned by `normalize.clean`) with its command in English; other lines as they are."""
        opening = self.commands.opening(line[:LONGEST].lstrip())
        if opening is None or self._is_sentence(line, opening[0]):
            return line
        command, end = opening
        rest, mark, words = line.lstrip()[end:], "", ""
        if command.upper() in self.openers and not rest.startswith(":"):
            rest, mark, words = rest.partition(COLON)
        own = ""
        if command.upper() in self.asking:
            own, mark, rest = rest.rpartition(QUESTION)
            own, mark = own + mark, ""
        rest, why = self._reason(rest)
        for table in self.behind.get(command.upper(), ()):
            rest = table.replaced(rest)
        return f"{command}{own}{rest}{why}{mark}{words}"

    def _is_sentence(self, line: str, command: str) -> bool:
        """Whether a verb stands at the end, "Frist auf Dienstag verschieben", and is no part of a reason."""
        ends = self.sentences.get(command.upper())
        sentence = ends.match(line) if ends is not None else None
        return sentence is not None and self.reasons.search(sentence.group()) is None

    def _reason(self, rest: str) -> tuple[str, str]:
        """The command and its reason, which is read by people and not translated."""
        match = self.reasons.search(rest)
        return (rest[: match.start()], rest[match.start() :]) if match else (rest, "")

    @property
    def verbs(self) -> frozenset[str]:
        """The commands of one word, in capitals and cleaned."""
        return self.commands.words

    def edit(self, line: str) -> str:
        """A line of SETUP (cleaned) with its command in English."""
        opening = self.edits.opening(line.lstrip())
        if opening is None:
            return line
        verb, end = opening
        rest = line.lstrip()[end:]
        for table in self.behind.get(SETUP, ()):
            rest = table.replaced(rest)
        return verb + rest

    def closes(self, line: str) -> bool:
        return bool(self.closing) and line.strip(" .!").lower() in self.closing

    def words_for(self, grammar: str, terminal: str) -> tuple[str, ...]:
        return (*self.orders.get("", {}).get(terminal, ()), *self.orders.get(grammar, {}).get(terminal, ()))


PLAIN = Vocabulary()


@lru_cache(maxsize=64)
def vocabulary_of(language: str) -> Vocabulary:
    """The vocabulary of a language; the empty English one where it has no file."""
    file = resources.folder("grammars") / "vocabulary" / f"{language}.toml"
    if not language.isalpha() or not file.is_file():
        return PLAIN
    return read(resources.read_table(file))


def read(table: Mapping[str, Any]) -> Vocabulary:
    letters = table.get("letters", {})
    tables = {name: Phrases(entries, letters) for name, entries in table.get("tables", {}).items()}
    commands = {phrase: command for command, phrases in table.get("commands", {}).items() for phrase in phrases}
    headings, behind = table.get("heading", {}), table.get("behind", {})
    reasons = [spelling for word in table.get("reasons", ()) for spelling in spellings(word, letters)]
    return Vocabulary(
        letters,
        frozenset(spelling for word in table.get("small", ()) for spelling in spellings(word, letters)),
        dict(_orders(table.get("orders", {}), letters)),
        {spelling: english for word, english in headings.items() for spelling in spellings(word, letters)},
        Phrases(commands, letters),
        {command: tuple(tables[name] for name in names if name not in MARKS) for command, names in behind.items()},
        frozenset(command for command, names in behind.items() if COLON in names),
        frozenset(command for command, names in behind.items() if QUESTION in names),
        Phrases(table.get("edits", {}), letters),
        Phrases(table.get("conditions", {}), letters),
        dict(table.get("forms", {})),
        dict(table.get("pages", {})),
        frozenset(table.get("closing", ())),
        re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, reasons))})(?!\w)" if reasons else r"(?!)", re.IGNORECASE),
        seas=tuple((re.compile(rf"\b{form}\b"), other) for form, other in table.get("seas", {}).items()),
        endings={ending: tuple(others) for ending, others in table.get("endings", {}).items()},
        common=frozenset(spelling for word in table.get("common", ()) for spelling in spellings(word, letters)),
        sentences={command: _ending(verbs, letters) for command, verbs in table.get("sentences", {}).items()},
        consent=frozenset(spelling for word in table.get("consent", ()) for spelling in spellings(word, letters)),
        season_letters=dict(table.get("seasons", {})),
    )


def _ending(verbs: Iterable[str], letters: Mapping[str, str]) -> re.Pattern[str]:
    """A sentence with such a verb at its end. A full stop behind a number is one of a date."""
    every = "|".join(map(re.escape, _every(verbs, letters)))
    return re.compile(rf"(?:[^.!?]|(?<=\d)\.|\.(?!\s))*(?<!\w)(?:{every})(?=\s*(?:[.!?,;]|$))", re.IGNORECASE)


def _orders(
    table: Mapping[str, Any], letters: Mapping[str, str]
) -> Iterator[tuple[str, Mapping[str, tuple[str, ...]]]]:
    everywhere = {terminal: words for terminal, words in table.items() if isinstance(words, list)}
    own = {grammar: words for grammar, words in table.items() if isinstance(words, dict)}
    for grammar, terminals in {"": everywhere, **own}.items():
        yield grammar, {terminal: _every(words, letters) for terminal, words in terminals.items()}


def _every(words: Iterable[str], letters: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(spelling for word in words for spelling in spellings(word, letters)))


def spellings(text: str, letters: Mapping[str, str]) -> tuple[str, ...]:
    """The cleaned text, and the text with special letters spelled out: "hält" is "halt" and "haelt"."""
    lower = text.lower()
    out = lower
    for letter, instead in letters.items():
        out = out.replace(letter, instead)
    return tuple(dict.fromkeys((clean(lower).text, clean(out).text)))
