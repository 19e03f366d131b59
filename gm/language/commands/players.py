"""Requests about people and seats: REGISTER, JOIN, PREFER, RESIGN, INVITE, ADDRESS and the like.

Which game and which power are meant is often known only later: such words are kept as written (`words`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import ClassVar

from gm.language.commands.command_line import (
    ADDRESS,
    MASTER,
    ParsedLine,
    RequestReaders,
    is_in_capitals,
    power_of,
    power_or_capitals,
)
from gm.language.commands.preferences import listed_preferences
from gm.language.commands.requests import SeatPlayerRequest
from gm.language.i18n.joining_words import AND_ALSO
from gm.language.lines.letter_contents import Request

# ---- anybody, with a seat or without


class RegisterRequest(Request, frozen=True):
    """REGISTER [name], or with lines like "Name: …" below it up to END. `zone` and `language` as written."""

    name: str = ""
    zone: str = ""
    language: str = ""


BESIDE = "~~"
"""Stands before words about others in a line of JOIN that is kept."""


class JoinRequest(Request, frozen=True):
    """JOIN [game] [power or preferences]. `of_others`: what sentences beside it say of somebody else."""

    words: str = ""
    of_others: str = ""

    @property
    def line(self) -> str:
        """A line that is read as this request."""
        return f"JOIN {self.words}" + (f" {BESIDE} {self.of_others}" if self.of_others else "")


class PreferRequest(Request, frozen=True):
    """PREFER [game] E[FGR]*: which powers, best first."""

    words: str = ""


class TakeoverRequest(Request, frozen=True):
    """TAKEOVER [game] power: an empty seat of a running game."""

    words: str = ""


class ResignRequest(Request, frozen=True):
    """RESIGN [game]; "" = the seat the letter is from."""

    words: str = ""


class AlsoRequest(Request, frozen=True):
    """ALSO address: another address of the writer."""

    address: str


class IAmAlsoRequest(Request, frozen=True):
    """I AM ALSO address, from a new address of somebody who is registered with the other one."""

    address: str


class AddressesRequest(Request, frozen=True):
    """ADDRESS a, b: the writer's addresses in this order; letters go to the first. None = list them."""

    addresses: tuple[str, ...] = ()


class RemoveAddressRequest(Request, frozen=True):
    address: str


class NewTokenRequest(Request, frozen=True):
    """TOKEN NEW: another reply address for the seat."""


class LanguageRequest(Request, frozen=True):
    """LANG de, LANG German; as written."""

    language: str


class NameRequest(Request, frozen=True):
    """NAME Irina Sokolova."""

    AS_WRITTEN: ClassVar[Mapping[str, str]] = {"name": "name"}

    name: str


class NotifyRequest(Request, frozen=True):
    """NOTIFY GAMES [off]: a letter when a game looks for players."""

    off: bool = False


class RecordRequest(Request, frozen=True):
    """RECORD: what is counted of the writer in all their games."""


class WhoRequest(Request, frozen=True):
    """WHO [game]: who plays."""

    words: str = ""


# ---- game masters


class InviteRequest(Request, frozen=True):
    """INVITE Irina Sokolova <irina@example.org>, luc@example.org [to Russia]; `power` "" = any.

    `names` are those of the `addresses`, "" for none.
    """

    AS_WRITTEN: ClassVar[Mapping[str, str]] = {"names": "names"}

    addresses: tuple[str, ...]
    names: tuple[str, ...]
    power: str = ""


class ApproveRequest(Request, frozen=True):
    """APPROVE irina@example.org [to Russia]: an applicant, by address or name, gets a seat; or a list of such words."""

    AS_WRITTEN: ClassVar[Mapping[str, str]] = {"who": "who"}

    who: str
    power: str = ""


class RefuseRequest(Request, frozen=True):
    AS_WRITTEN: ClassVar[Mapping[str, str]] = {"who": "who"}

    who: str


class RenameRequest(Request, frozen=True):
    """RENAME France: Irina Sokolova, or the player's present name before the colon. `name` "" = none was written."""

    AS_WRITTEN: ClassVar[Mapping[str, str]] = {"who": "who", "name": "name"}

    who: str
    name: str


class EjectRequest(Request, frozen=True):
    """EJECT France: its player loses the seat; also by the player's name or address."""

    AS_WRITTEN: ClassVar[Mapping[str, str]] = {"who": "who"}

    who: str


class DummyRequest(Request, frozen=True):
    """DUMMY France: nobody plays the power, and no player is wanted."""

    power: str


class ReviveRequest(Request, frozen=True):
    power: str


class HandOverRequest(Request, frozen=True):
    """HANDOVER address: another person becomes game master in the writer's place after saying YES."""

    address: str


# ---- one function per rule that is more than a class

NO_GAMES = frozenset(
    {"me", "us", "in", "forces", "the", "our", "your", "my", "hands", "them", "up", "him", "her", "with"}
)
"""Words that follow "join" in talk."""
RENAMED = re.compile(r"\s*[:=]\s*|\s+(?:to|in|as|into)\s+", re.IGNORECASE)
GAME = re.compile(r"\??[a-z][a-z0-9-]{1,15}[.,:;]?", re.IGNORECASE)
PERSON = re.compile(
    r"[<(]?(?:mailto:)?(?P<address>[^\s<>(),;:\"]+@[^\s<>(),;\"]*[^\s<>(),;\".])[>)]?(?:\s*\((?P<behind>[^()@]{1,80})\))?"
)
"""An address in a list, with the name that may stand behind it in brackets."""
BETWEEN_PEOPLE = re.compile(rf"^[\s.,;/&+]*(?:(?:{AND_ALSO})\b)?[\s,;]*", re.IGNORECASE)
TO_POWER = re.compile(r"\s+(?:to|as|for)\s+(?P<power>[^@]+)$", re.IGNORECASE)
TO_EACH = re.compile(r"\s(?:to|as|for)\s", re.IGNORECASE)
FROM = re.compile(r"(?:from|the game|game|of)\s+", re.IGNORECASE)
CODE_MOST = 3
"""Length of a language code."""
WHO_WORDS = frozenset({"plays", "game", "players", "is playing", "plays what", "plays?"})


def _with_address(request_of: Callable[[ParsedLine, str], Request]) -> Callable[[ParsedLine], Request | None]:
    """A reader whose words hold an address. Without one, and with a first word in small letters, it is talk."""

    def read(line: ParsedLine) -> Request | None:
        words = line.argument
        return request_of(line, words) if "@" in words or is_in_capitals(line.text) else None

    return read


def _join(line: ParsedLine) -> Request | None:
    words, _, of_others = (part.strip() for part in line.argument.partition(BESIDE))
    first, _, rest = words.partition(" ")
    plain = bool(GAME.fullmatch(first)) and first.lower() not in NO_GAMES
    short = plain and (not rest.strip() or not listed_preferences(rest, line.variant).unknown)
    return JoinRequest(words.lstrip("?"), of_others) if is_in_capitals(line.text) or short else None


def _prefer(line: ParsedLine) -> Request | None:
    words = line.argument
    sure = is_in_capitals(line.text) or (words and not listed_preferences(words, line.variant).unknown)
    return PreferRequest(words) if sure else None


def _takeover(line: ParsedLine) -> Request | None:
    sure = is_in_capitals(line.text) or line.text.lower().startswith("takeover")
    return TakeoverRequest(line.argument) if sure else None


def _resign(line: ParsedLine) -> Request | None:
    words = FROM.sub("", line.argument, count=1)
    return ResignRequest(words) if is_in_capitals(line.text) or not words else None


def _invite(line: ParsedLine, words: str) -> Request:
    written, power = split_power(line, words)
    people = split_people(written) or (split_address(written),)
    return InviteRequest(tuple(address for address, _ in people), tuple(name for _, name in people), power)


def split_power(line: ParsedLine, words: str) -> tuple[str, str]:
    """Splits "irina@example.org to Russia"; "" where no power is named."""
    to = TO_POWER.search(words)
    return (words[: to.start()], power_of(line, to["power"].strip(" ."))) if to else (words, "")


def split_address(text: str) -> tuple[str, str]:
    """Splits "Irina Sokolova <irina@example.org>" into (address, name).

    A text without an address is returned as the address, so that it is refused.
    """
    match = ADDRESS.search(text.strip())
    if match is None:
        return text.strip(), ""
    return match[1].lower(), text[: match.start()].strip(" \t\"'<,:")


def split_people(text: str) -> tuple[tuple[str, str], ...]:
    """Splits "Irina Sokolova <irina@example.org>, luc@example.org (Luc)" into (address, name) of each person."""
    people: list[tuple[str, str]] = []
    past = 0
    for match in PERSON.finditer(text):
        before = BETWEEN_PEOPLE.sub("", text[past : match.start()]).strip(" \t\"'.:")
        people.append((match["address"].lower(), before or (match["behind"] or "").strip()))
        past = match.end()
    return tuple(dict(reversed(people)).items())[::-1]


def _approve(line: ParsedLine, words: str) -> Request:
    """A list of people stays as written: each may have a power of their own."""
    if max(len(PERSON.findall(words)), len(TO_EACH.findall(words))) > 1:
        return ApproveRequest(words.strip())
    person, power = split_power(line, words)
    return ApproveRequest(person_meant(person), power)


def person_meant(text: str) -> str:
    """An address where there is one, else the words."""
    return split_address(text)[0] if "@" in text else text.strip()


def _eject(line: ParsedLine) -> Request | None:
    words = line.argument
    if "@" in words:
        return EjectRequest(person_meant(words))
    power = power_or_capitals(line, words)
    return None if power is None else EjectRequest(power)


def _rename(line: ParsedLine) -> Request | None:
    parts = RENAMED.split(line.argument, maxsplit=1)
    who = person_meant(parts[0]) if "@" in parts[0] else power_of(line, parts[0])
    return RenameRequest(who, parts[1].strip(" .\"'") if len(parts) > 1 else "")


def _hand_over(line: ParsedLine, words: str) -> Request:
    return HandOverRequest(split_address(re.sub(r"^(the game )?to\s+", "", words))[0])


def _i_am_also(line: ParsedLine) -> Request | None:
    named = split_people(line.argument)
    return IAmAlsoRequest(named[0][0]) if named else None


def _addresses(line: ParsedLine, words: str) -> Request:
    return AddressesRequest(tuple(split_address(address)[0] for address in re.split(r"[,;\s]+", words) if address))


def _name(line: ParsedLine) -> Request | None:
    """In small letters only as a field of a form: "Name: Luc Marchand"."""
    return NameRequest(line.argument) if is_in_capitals(line.text) or line.text[4:].lstrip().startswith(":") else None


def _language(line: ParsedLine) -> Request | None:
    words = line.argument
    return (
        LanguageRequest(words) if is_in_capitals(line.text) or (words.isalpha() and len(words) <= CODE_MOST) else None
    )


def _who(line: ParsedLine) -> Request | None:
    words = line.argument.lower()
    if words in WHO_WORDS or not words:
        return WhoRequest()
    return WhoRequest(line.argument) if is_in_capitals(line.text) else None


def _notify(line: ParsedLine) -> Request | None:
    words = line.argument.lower()
    return NotifyRequest(words in NEVER) if not words or words in (*NEVER, "on") else None


NEVER = frozenset({"off", "no", "stop", "never"})
READERS: RequestReaders = {
    "join": _join,
    "enrol": lambda line: JoinRequest(line.argument.split()[0]),  # ?ostend password: the password is ignored
    "prefer": _prefer,
    "takeover": _takeover,
    "resign": _resign,
    "invite": _with_address(_invite),
    "approve": _with_address(_approve),
    "refuse": _with_address(lambda line, words: RefuseRequest(person_meant(words))),
    "eject": _eject,
    "rename": _rename,
    "co_master": _with_address(lambda line, words: SeatPlayerRequest(MASTER, *split_address(words))),
    "hand_over": _with_address(_hand_over),
    "also": _with_address(lambda line, words: AlsoRequest(person_meant(words))),
    "i_am_also": _i_am_also,
    "address": _with_address(_addresses),
    "remove_address": _with_address(lambda line, words: RemoveAddressRequest(person_meant(words))),
    "language": _language,
    "name": _name,
    "who": _who,
    "notify": _notify,
}
