"""Splits a line into tokens, by the names of a board and the words of a grammar. Linear in the length of the line.

Token types are the terminals of grammars/*.lark. A PLACE has a `WrittenPlace` (the provinces it may mean, and its
coast), a NATION the power, a KIND the code of the unit's kind. Words without meaning (FILLER) and all brackets are left
out; TALK, IF and WORD (unknown) are kept, but no grammar takes them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple

from lark.common import LexerConf
from lark.lexer import Lexer

from gm.judge.board.board import Board, Place
from gm.judge.model.variant import Variant
from gm.language.i18n.place_names import LONGEST_NAME, SMALL, PlaceNames, ordered_powers, power_of_people, powers, words
from gm.language.orders.parsing.code_words import is_other_sea, is_written_code
from gm.language.orders.parsing.grammar_words import GrammarWords

RAW = re.compile(
    r"(?P<word>[^\W_]+(?:'[^\W_]+)*'?)|(?P<arrow>[-=~]*>[->=~]*|[-=~]+)|(?P<sep>[;,.&|:!])"
    r"|(?P<plus>\+)|(?P<open>[(\[{])|(?P<close>[)\]}])|(?P<other>[^\s_/\"'*\\])"
)
NUMBERED = re.compile(r"\s*#\s?([0-9]{1,2})(?![\w'])")
LEADS_TO_PLACE = frozenset({"KIND", "ARROW", "TO", "FROM", "OF"})
"""After one of these a word that is both a province and a keyword is the province."""
PREPOSITIONS = frozenset({"FROM", "TO", "OF", "BY", "WITH"})
"""Words that are no code before the name of a province, in small letters."""
POINTS = frozenset({"POINTS", "IPS", "BID"})
GOES_TO = frozenset({"ARROW", "TO"})
"""Behind one of these stands a goal, of whose name one word may do."""
HELPS = frozenset({"SUPPORT", "CONVOY"})
SPELT_SHORT = HELPS | {"HOLD"}
"""What a unit does, where a single letter says so."""
ACTS_OF_UNIT = HELPS | {"TO", "MOVE"}
UNIT_BEGINS = frozenset({"", "SEP", *HELPS})
"""Directly behind one of these a unit is named."""
GOES_ON = frozenset({"TO", "MOVE", "HOLD", *HELPS})
ARROWS = tuple("-=>")
MEMO, SCANNED, SCANNED_LETTERS = 8192, 2048, 100_000
"""So many words with what they mean, and so many lines with their tokens, of so many letters, are remembered."""
WHOLE = 3
"""Words of so many letters may end a name's first word with a blank in between."""


class _Token(NamedTuple):
    type: str
    value: Any
    start_pos: int
    end_pos: int


class Token(_Token):
    """A token for Lark's parser, without lines and columns: a third of the cost of Lark's own."""

    __slots__ = ()
    line = column = end_line = end_column = None

    @property
    def span(self) -> tuple[int, int]:
        return self.start_pos, self.end_pos


class WrittenPlace(NamedTuple):
    """A place as written. `coast` is two letters ("nc") or ""; `number` says which of several units there ("NAT#2")."""

    text: str
    start: int
    end: int
    provinces: tuple[str, ...]
    coast: str = ""
    number: int = 0


class TokenizedLexer(Lexer):
    """Passes tokens that were made before on to Lark."""

    def __init__(self, lexer_conf: LexerConf) -> None:
        pass

    def lex(self, lexer_state: Any, parser_state: Any = None) -> Iterator[Any]:
        yield from lexer_state


class RawToken(NamedTuple):
    kind: str
    text: str
    start: int
    end: int


LAST = RawToken("", "", -1, -1)
"""Stands behind the last token of a line."""


class WordMeaning(NamedTuple):
    """A word in its context: type and value of its token; no type: unknown.

    `opens`: a longer name of a province may begin here, `opens_power`: one of a power.
    """

    opens: bool
    opens_power: bool
    kind: str
    value: Any


class Scanner:
    """Reads lines with the names of one variant's board and the words of one grammar."""

    def __init__(self, variant: Variant, board: Board, names: PlaceNames, vocabulary: GrammarWords) -> None:
        self.names = names
        self.words = vocabulary
        self.powers = powers(ordered_powers(variant))
        self.initials = {power.letter.lower(): power.name for power in variant.powers}
        self.kinds = {kind.code.lower(): kind.code for kind in variant.kinds.values()}
        self.kinds |= {kind.name.lower(): kind.code for kind in variant.kinds.values()}
        if variant.translation is not None:
            self.kinds |= {
                kind_name.name.lower(): code
                for code, kind_name in variant.translation.kinds.items()
                if code in variant.kinds
            }
        self.kinds_behind = tuple(
            word
            for word, (kind, code) in vocabulary.meaning.items()
            if (kind in POINTS or (kind == "KIND" and code in self.kinds.values())) and len(word) > WHOLE
        )
        """Words for units and points that German joins to a place: "Nordseeflotte", "Schwedenpunkt"."""
        self._others: dict[tuple[str, bool], tuple[str, tuple[str, ...]]] = {}
        self._known: dict[tuple[str, str, str, bool | None], WordMeaning] = {}
        self._scanned: dict[str, list[Token]] = {}
        self._letters = 0
        self.coasts = {code: area.coasts for code, area in board.provinces.items() if area.coasts}

    @cached_property
    def long_powers(self) -> Mapping[str, tuple[tuple[tuple[str, ...], str], ...]]:
        """Names of powers of several words, the longest first, by their first word."""
        names: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        for name in sorted(self.powers, key=len, reverse=True):
            if len(parts := words(name)) > 1 and parts[0] != "the":  # "the Netherlands" may be the province
                names.setdefault(name.split()[0], []).append((parts, self.powers[name]))
        return {first: tuple(longer) for first, longer in names.items()}

    def plain_places(self) -> Mapping[str, Place]:
        """Codes of provinces that mean just that, behind a letter that is a word too; also with a coast ("Spa/nc"): as
        on the map, in capitals and in small letters. One that may also be a power is the province but before a unit.
        """
        spoken = [initial for initial in self._name_letters() if initial in self.words.meaning]
        codes = [
            code
            for word, code in self.names.codes.items()
            if len(word) >= WHOLE and word.isalpha() and word.isascii() and self.names.exact(word) == (code,)
            and word not in self.words.meaning and word not in self.words.coast and word not in self.kinds
            and not (self.names.goes_on(word) and any(self.names.find((initial, word)) for initial in spoken))
        ]  # fmt: skip
        ashore = [Place(code, coast) for code in codes for coast in self.coasts.get(code, ())]
        plain = (*map(Place, codes), *filter(self._is_plain, ashore))
        return {word: place for place in plain for word in (str(place), str(place).upper(), str(place).lower())}

    def _is_plain(self, place: Place) -> bool:
        """Whether a coast behind a slash is that coast, whatever follows."""
        written, word = str(place), place.province.lower()
        if place.coast in self.words.sides or self.names.begin(word, place.coast):
            return False
        name = WrittenPlace(written, 0, len(written), (place.province,), place.coast)
        known = self.names.coast(place.province, place.coast, self.coasts[place.province])
        return known == place.coast and self.scan(written) == [Token("PLACE", name, 0, len(written))]

    def _name_letters(self) -> list[str]:
        """Letters that a name of several words may begin with."""
        return [word for word in self.names.openers if len(word) == 1 and word not in self.kinds]

    def opens(self, word: str, places: Iterable[Place]) -> bool:
        """Whether a name may begin with this letter and go on with the code of one of the places: "G LYO"."""
        word = word.lower()
        return word in self._name_letters() and any(self.names.find((word, place.province.lower())) for place in places)

    def closes(self, word: str) -> bool:
        """Whether a plain code before this word is all of a name, and means its province."""
        word = word.lower()
        kind, _ = self.words.meaning.get(word, ("", ""))
        if word in self.kinds or kind in ("KIND", "WAIVE"):
            return False
        return word not in self.names.letters if len(word) == 1 else bool(kind) and word not in self.names.inner

    def scan(self, text: str) -> list[Token]:
        """Cached only for speed: several readers scan a line, one soon after the other."""
        tokens = self._scanned.get(text)
        if tokens is None:
            if len(self._scanned) >= SCANNED or self._letters > SCANNED_LETTERS:
                self._scanned, self._letters = {}, 0
            self._letters += len(text)
            tokens = self._scanned[text] = self._tokens(text)
        return tokens.copy()

    def _tokens(self, text: str) -> list[Token]:
        raws = [tuple.__new__(RawToken, (match.lastgroup, match[0], *match.span())) for match in RAW.finditer(text)]
        tokens: list[Token] = []
        at, size = 0, len(raws)
        while at < size:
            at = self._next(text, raws, at, tokens)
        return tokens

    def _next(self, text: str, raws: list[RawToken], at: int, tokens: list[Token]) -> int:
        raw = raws[at]
        if raw.kind == "word":
            return self._word(text, raws, at, tokens)
        if raw.kind == "arrow":
            if tokens and tokens[-1].type == "ARROW":
                tokens[-1] = Token("ARROW", "-", tokens[-1].start_pos, raw.end)
            elif raw.text == "-" and (not tokens or (tokens[-1].type == "SEP" and tokens[-1].value != ".")):
                tokens.append(Token("MINUS", "-", raw.start, raw.end))
            else:
                tokens.append(Token("ARROW", "-", raw.start, raw.end))
        elif raw.kind == "sep":
            tokens.append(Token("SEP", raw.text, raw.start, raw.end))
        elif raw.kind == "plus":
            tokens.append(Token("PLUS" if not tokens or tokens[-1].type == "SEP" else "SEP", "+", raw.start, raw.end))
        elif raw.kind == "other":
            tokens.append(Token("WORD", raw.text, raw.start, raw.end))
        return at + 1

    def _word(self, text: str, raws: list[RawToken], at: int, tokens: list[Token]) -> int:
        raw = raws[at]
        _, after, beside, _ = raws[at + 1] if at + 1 < len(raws) else LAST
        apart = None if beside == raw.end else text[raw.end : beside].isspace()
        key = raw.text, tokens[-1].type if tokens else "", after, apart
        known = self._known.get(key)
        if known is None:
            known = self._learn(key, raws, at)
        if known.opens_power and (past := self._long_power(raws, at, tokens)):
            return past
        if known.opens and (past := self._long_name(text, raws, at, tokens)):
            return past
        if known.kind == "PLACE":
            return self._place(text, raws, at, at + 1, known.value, tokens)
        if not known.kind:
            return self._unknown(text, raws, at, tokens)
        if known.kind != "FILLER":
            tokens.append(Token(known.kind, known.value, raw.start, raw.end))
        if known.kind == "KIND" and text[raw.end : raw.end + 1] == "/":
            return self._late_coast(text, raws, at + 1, tokens)
        return at + 1

    def _learn(self, key: tuple[str, str, str, bool | None], raws: list[RawToken], at: int) -> WordMeaning:
        """What a word means behind a token of this type and before that text: beside it (None), with blanks, or not."""
        written, previous, after, apart = key
        word = written.lower().strip("'")
        initial = self._power_of_initial(word, previous, after.lower()) if apart and len(word) == 1 else ""
        known = ("NATION", initial) if initial else self._meaning(word, previous, after.lower())
        meaning = known or self.words.misspelt(word)
        if word.endswith("'s") and not meaning[0]:
            owner = self._meaning(word.removesuffix("'s"), previous, after.lower())
            meaning = owner if owner is not None and owner[0] in ("PLACE", "NATION") else meaning  # "Vienna's army"
        own, value = self.words.meaning.get(word, ("", ""))
        behind = self.words.meaning.get(after.lower(), ("", ""))[0]
        joins = own == "WITH" and after.isalnum() and behind not in GOES_ON  # "mit zwei Punkten", where Mit is a sea
        is_word = written.islower() or (after.isupper() and len(after) > len("AUS"))  # no code: "DIE FLOTTE AUS IZMIR"
        if own in PREPOSITIONS and is_word and (joins or self.names.find((after.lower(),))):
            meaning = own, value or word  # "die Flotte aus Izmir", where Aus is Austria
        is_article = (own, previous, meaning[0]) == ("FILLER", "OF", "PLACE") and is_word
        if is_article and behind not in GOES_ON:
            meaning = own, word  # "zwei von den sechs Punkten", where Den is Denmark
        if len(self._known) >= MEMO:
            self._known.clear()
        opens = word in self.names.openers and self._may_go_on(raws, at)
        return self._known.setdefault(key, WordMeaning(opens, word in self.long_powers, *meaning))

    def _late_coast(self, text: str, raws: list[RawToken], at: int, tokens: list[Token]) -> int:
        """ "STP F/sc": the coast behind the kind belongs to the place before it."""
        place = tokens[-2] if len(tokens) > 1 and tokens[-2].type == "PLACE" else None
        match = self.words.after_place.match(text, raws[at - 1].end)
        if place is None or match is None or place.value.coast:
            return at
        side = next(part for part in match.groups() if part)
        tokens[-2] = place._replace(value=place.value._replace(coast=self.words.sides[side.lower()] + "c"))
        while at < len(raws) and raws[at].start < match.end():
            at += 1
        return at

    def _meaning(self, word: str, previous: str, after: str) -> tuple[str, Any] | None:
        """A single word's token: its type and value; a PLACE has the provinces."""
        if word in self.kinds and len(word) == 1 and self._is_kind(after):
            return "FILLER", word
        provinces = self.names.exact(word)
        meaning, power = self.words.meaning.get(word), self._power(word)
        if meaning is None and not power and self._is_kind(after):  # "the Roman army": of Rome, and not of Rumania
            here = self.names.otherwise(word, people=True)
            provinces = tuple(dict.fromkeys((*here, *provinces)))
        act = self.words.meaning.get(after, ("",))[0]
        if provinces and power and (after in self.kinds or act in ("KIND", "WAIVE")):
            return "NATION", power
        # "Can - Han", "S Can": Canton, not a word of talk; but "unterstützt den Angriff" is no Denmark
        moves = (previous != "PLACE" and after[:1] in ARROWS) or previous in ("SUPPORT", "CONVOY")
        moves = moves and not (meaning and meaning[0] == "FILLER" and act == "MOVE")
        is_code = meaning is not None and is_written_code(word, meaning[0], previous, (after, act), self.names)
        if provinces and (meaning is None or is_code or (len(word) >= WHOLE and (previous in LEADS_TO_PLACE or moves))):
            return "PLACE", provinces
        plain = meaning is not None and meaning[0] == "PLAIN"
        if meaning is not None and not plain:
            kind, value = meaning
            known = kind != "KIND" or value in self.kinds.values()
            return ("SEP" if kind == "AND" else kind, value or word) if known else None
        if word in self.kinds:
            return "KIND", self.kinds[word]
        if word.isdigit():
            return "NUMBER", word
        heads = word in self.words.sides and previous in ("MOVE", "TO")  # "sails to the west": not Western …
        provinces = self.names.find((word,)) if len(word) >= WHOLE and not heads else ()
        moves |= previous in GOES_TO or (previous == "PLACE" and after in ",;.")  # "len bothnia"
        if not provinces and not heads and (moves or self._acts(after)):
            provinces = self.names.inside(word)
        if power and not (provinces and previous in LEADS_TO_PLACE and not self._is_kind(after)):
            return "NATION", power
        letter = len(after) == 1 and (previous == "KIND" or self.words.meaning.get(after, ("",))[0] in SPELT_SHORT)
        if provinces and (not plain or moves or previous == "ARROW" or letter):  # "Tries h"
            return "PLACE", provinces
        return None

    def _power_of_initial(self, letter: str, previous: str, after: str) -> str:
        """Whose letter this is, before a unit: "N A Del". A word of these orders is that word; a kind of unit is a
        power's where a unit begins and its own kind follows: "F A Par".
        """
        kind, _ = self.words.meaning.get(after, ("", ""))
        if letter not in self.initials or not (after in self.kinds or kind == "KIND"):
            return ""
        if letter in self.kinds:
            return self.initials[letter] if len(after) == 1 and previous in UNIT_BEGINS else ""
        own, _ = self.words.meaning.get(letter, ("TALK", ""))
        placeless = own in HELPS and previous in HELPS  # "S C A Pek": neither supports nor convoys a convoy
        return self.initials[letter] if own == "TALK" or placeless else ""

    def _acts(self, word: str) -> bool:
        """Whether a word behind a name makes it that of a unit: "Bothnia to Sweden", "the Channel fleet"."""
        return self._is_kind(word) or self.words.meaning.get(word, ("",))[0] in ACTS_OF_UNIT

    def _is_kind(self, word: str) -> bool:
        return len(word) > 1 and (word in self.kinds or self.words.meaning.get(word, ("",))[0] == "KIND")

    def _power(self, word: str) -> str:
        return self.powers.get(word) or self.powers.get(word.removesuffix("'s").removesuffix("s"), "")

    def _may_go_on(self, raws: list[RawToken], at: int) -> bool:
        """Fast check: whether a name of several words could begin here (`_long_name` decides)."""
        if at + 1 == len(raws):
            return False
        raw, following = raws[at], raws[at + 1]
        if len(raw.text) == 1 and raw.text.lower() in self.kinds:
            return False
        if following.kind == "word":
            word, behind = (each.text.lower().replace("'", "") for each in (raw, following))
            return (len(behind) > 1 or behind in self.names.letters) and self.names.may_begin(word, behind)
        return following.text in (".", "-") and following.start == raw.end

    def _long_name(self, text: str, raws: list[RawToken], at: int, tokens: list[Token]) -> int:
        """A name of several words that begins here: how far it goes, or 0."""
        phrase = [raws[at].text.lower().replace("'", "")]
        ends: list[tuple[int, tuple[str, ...]]] = []
        for ahead in range(at + 1, min(len(raws), at + 2 * LONGEST_NAME)):
            raw = raws[ahead]
            if raw.kind != "word":
                before = raws[ahead - 1]
                joins = raw.text in (".", "-") and (before.kind == "word" or (before.text, raw.text) == (".", "-"))
                if not joins or before.end != raw.start:
                    break
                continue
            if len(phrase) >= LONGEST_NAME:
                break
            phrase.append(raw.text.lower().replace("'", ""))
            dashed = raws[ahead - 1].text == "-"
            codes = self.names.find(phrase)
            is_goal = len(phrase[0]) == 1 and bool(tokens) and tokens[-1].type in GOES_TO  # "Can - S China Sea"
            if (phrase[0] in self.words.meaning and not is_goal) or (
                phrase[1] in self.words.meaning and self.names.exact(phrase[0])
            ):
                codes = self.names.written_apart(phrase)  # "Kyo to Fuji" begins in Kyoto, "in Mon" is no Inner Mongolia
            if codes and not (dashed and self._is_move(phrase)):
                ends.append((ahead + 1, codes))
        if not ends or (len(phrase[0]) == 1 and phrase[0] in self.kinds):
            return 0
        past, provinces = ends[-1]
        return self._place(text, raws, at, past, provinces, tokens)

    def _is_move(self, phrase: list[str]) -> bool:
        """Whether the dash before the last of these words may be that of a move: "Nor-Sea" may, "North-Sea" may not."""
        start, last = phrase[:-1], phrase[-1]
        if not (self.names.find((last,)) and self.names.find(start)):
            return False
        begin, end = self.names.exact(start[0]) if len(start) == 1 else (), self.names.exact(last)
        return bool(begin and end and begin != end) or not self.names.written_apart(phrase)

    def _long_power(self, raws: list[RawToken], at: int, tokens: list[Token]) -> int:
        """A power's name of several words that begins here: how far it goes, or 0. One that names a province, too, is
        the power before a unit only.
        """
        for name, power in self.long_powers.get(raws[at].text.lower().strip("'"), ()):
            past = _end_of_name(raws, at, name)
            if past and (self._begins_unit(raws, past) or not self.names.find(name)):
                tokens.append(Token("NATION", power, raws[at].start, raws[past - 1].end))
                return past
        return 0

    def _begins_unit(self, raws: list[RawToken], at: int) -> bool:
        word = next((raw.text.lower() for raw in raws[at:] if raw.kind != "close"), "")
        return word in self.kinds or self._is_kind(word)

    def _place(
        self, text: str, raws: list[RawToken], at: int, past: int, provinces: tuple[str, ...], tokens: list[Token]
    ) -> int:
        start, end = raws[at].start, raws[past - 1].end
        if is_other_sea(tokens, provinces):
            tokens[-2:] = [tokens[-2]._replace(type="WORD", value=text[tokens[-2].start_pos : end], end_pos=end)]
            return past
        coast = ""
        bare = end == len(text) or (past < len(raws) and raws[past].kind == "arrow" and raws[past].start > end)
        match = None if bare else self.words.after_place.match(text, end)
        if match and self._takes_coast(match, provinces):
            side = next(part for part in match.groups() if part)
            coast = self.words.sides[side.lower()] + "c"
            end = match.end()
            while past < len(raws) and raws[past].start < end:
                past += 1
        number = 0
        if past < len(raws) and raws[past].text == "#" and (which := NUMBERED.match(text, end)):
            number, end = int(which[1]), which.end()
            while past < len(raws) and raws[past].start < end:
                past += 1
        tokens.append(Token("PLACE", WrittenPlace(text[start:end], start, end, provinces, coast, number), start, end))
        return past

    def _takes_coast(self, match: re.Match[str], provinces: tuple[str, ...]) -> bool:
        """A bare "scs" behind a place is a coast only where the board has no such province."""
        bare = match.group().strip(" .,").lower()
        return bare not in self.names.codes or any(code in self.coasts for code in provinces)

    def _unknown(self, text: str, raws: list[RawToken], at: int, tokens: list[Token]) -> int:
        """An unknown word may still be "N0R", "AFin", "FNTH" or "stpnc"."""
        raw = raws[at]
        word = raw.text.lower().strip("'")
        mended = word.replace("0", "o")
        if mended != word and not word.isdigit() and (codes := self.names.find((mended,))):
            return self._place(text, raws, at, at + 1, codes, tokens)
        for ending in self.kinds_behind if mended.endswith(self.kinds_behind) else ():
            head = mended.removesuffix(ending)
            if len(head) > WHOLE and head != mended and (codes := self.names.find((head,))):
                cut = raw.end - len(ending)
                tokens.append(
                    Token("PLACE", WrittenPlace(text[raw.start : cut], raw.start, cut, codes), raw.start, cut)
                )
                meant, code = self.words.meaning[ending]
                tokens.append(Token(meant, code or ending, cut, raw.end))
                return at + 1
        power, codes = self._otherwise(raw.text, people=not (tokens and tokens[-1].type == "KIND"))
        if power:
            tokens.append(Token("NATION", power, raw.start, raw.end))
            return at + 1
        if codes:
            past = at + 2 if at + 1 < len(raws) and raws[at + 1].text == "." else at + 1
            more = past < len(raws) and raws[past].text.lower() in self.names.inner - SMALL
            return self._place(text, raws, at, past + 1 if more else at + 1, codes, tokens)  # "Blk. Sea"
        kind = self.kinds.get(word[0]) if word else None
        if kind and len(word) > WHOLE and (codes := self.names.exact(mended[1:])):
            tokens.append(Token("KIND", kind, raw.start, raw.start + 1))
            raws[at] = RawToken("word", raw.text[1:], raw.start + 1, raw.end)
            return self._place(text, raws, at, at + 1, codes, tokens)
        if len(word) > WHOLE + 1 and word[-1] in self.words.coast and word[-2] in self.words.sides:
            codes = self.names.exact(mended[:-2])
            if len(codes) == 1 and codes[0] in self.coasts:
                name = WrittenPlace(raw.text, raw.start, raw.end, codes, self.words.sides[word[-2]] + "c")
                tokens.append(Token("PLACE", name, raw.start, raw.end))
                return at + 1
        tokens.append(Token("WORD", raw.text, raw.start, raw.end))
        return at + 1

    def _otherwise(self, written: str, *, people: bool) -> tuple[str, tuple[str, ...]]:
        """The power, or else the province, with this other name, or with such people."""
        known = self._others.get((written, people))
        if known is None:
            if len(self._others) >= MEMO:
                self._others.clear()
            power = power_of_people(written, self.powers) if people else ""
            known = power, () if power else self.names.otherwise(written, people=people)
            self._others[written, people] = known
        return known


def _end_of_name(raws: list[RawToken], at: int, name: tuple[str, ...]) -> int:
    """Where a name of several words that begins here ends; 0 where it is not that name."""
    for word in name:
        while at < len(raws) and raws[at].text in ("-", "."):
            at += 1
        if at >= len(raws) or raws[at].text.lower().removesuffix("'s").rstrip("'") != word:
            return 0
        at += 1
    return at
