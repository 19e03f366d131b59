"""Reads the names behind PRESS TO: powers, the game master, and players where it is no secret who plays what.

A player's name counts before no power's own name. Where both may be meant, as by the beginning of a power's name, a
name stays as written, and its writer is asked: a player chooses their name, and gets no press of others by it. Only
usual first names count before longer names of powers: Otto is no Ottoman. They are `persons` in [addressing] of
grammars/plain_questions/en.toml.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from gm.judge.model.variant import Variant
from gm.language.commands.command_line import MASTER, SEPARATORS, CommandLine
from gm.language.commands.in_words.plain_questions import compiled_patterns
from gm.language.i18n.place_names import ordered_powers, power_key, powers
from gm.language.lines.letter_contents import LetterContext

MASTERS = frozenset(
    {"gm", "m", "master", "the gm", "the master", "the game master", "game master", "gamemaster", "moderator", "mod"}
)
EVERYONE = frozenset({"all", "everyone", "everybody", "all players", "all powers", "public"})
BUT = re.compile(r"^(?P<all>all|everyone|everybody)\s+(?:but|except|save|without)\s+(?P<less>.+)$", re.IGNORECASE)
TOWARDS = re.compile(r"(?:to|for)\b\s*", re.IGNORECASE)
"""Before the names of those a message is for."""
ABBREVIATES = 3
"""Letters with which powers are usually abbreviated."""


def read_addressees(text: str, context: LetterContext) -> tuple[tuple[str, ...], bool]:
    """PRESS TO … -> (names, everyone). Names that are no power's, or may be several powers', are kept as written."""
    names = text.strip().strip(".").strip()
    if names.lower() in EVERYONE:
        return (), True
    but = BUT.match(names)
    if but:
        return _read_names(but["less"], context), True
    return _read_names(names, context), False


def message_readers(asked: CommandLine, context: LetterContext) -> tuple[tuple[str, ...], bool] | None:
    """(names, everyone) where a line opens a message; None for talk that begins with such a word.

    Behind "message" a colon makes names of what stands before it, whether they are known or not. All must be known
    without one, and behind words that also begin a sentence ("tell", "send to"), which need the colon besides.
    """
    if not context.variant.press.message_word or asked.kind not in ("message", "tell"):
        return None
    names, colon, _ = asked.words.lstrip(" :").partition(":")
    to, everyone = read_addressees(TOWARDS.sub("", names.strip(), count=1), context)
    sure = everyone or are_known_powers(names, context)
    if asked.kind == "tell":
        return (to, everyone) if sure and colon else None
    return (to, everyone) if sure or (to and colon) else None


def are_known_powers(text: str, context: LetterContext) -> bool:
    """Whether the text holds only names of powers, of their players or of the game master."""
    to, _ = read_addressees(TOWARDS.sub("", text.strip(), count=1), context)
    return bool(to) and set(to) <= set(context.variant.seated) | {MASTER}


def powers_meant(written: str, context: LetterContext) -> tuple[str, ...]:
    """All whom a name may mean that somebody in the game has, in small letters or not; () where no player has it."""
    key, people = power_key(written), context.people()
    if not key or means_power(written, context.variant):
        return ()
    persons = next((people[name] for name in people if power_key(name) == key), ())
    return tuple(dict.fromkeys((*persons, *also_meant(written, context.variant)))) if persons else ()


def means_power(written: str, variant: Variant) -> bool:
    """Whether a name is a power's own, whatever players are called."""
    return power_key(written) in _own_names(variant)


@lru_cache(maxsize=32)
def _own_names(variant: Variant) -> frozenset[str]:
    """Names that our own lines have for powers, in any language; they mean nobody else."""
    local = (called.name for each in variant.translations.values() for called in each.powers.values())
    names = (*variant.owners, *local)
    return frozenset(map(power_key, names))


@lru_cache(maxsize=1024)
def also_meant(written: str, variant: Variant) -> tuple[str, ...]:
    """The powers that a player's name may mean as well. Kept only for speed."""
    key, letters = power_key(written), _letters(variant)
    whole = {
        power_key(each): power.name for power in ordered_powers(variant) for each in (power.adjective, *power.aliases)
    }
    person = len(key) > ABBREVIATES and compiled_patterns("addressing")["persons"].fullmatch(key)
    listed = all(letter in letters for letter in key) and not written.strip().istitle()
    short = {} if person else powers(ordered_powers(variant))
    meant = whole.get(key) or short.get(key) or (letters.get(key) if len(key) == 1 else None)
    return (meant,) if meant else tuple(letters[letter] for letter in key) if listed else ()


def _letters(variant: Variant) -> Mapping[str, str]:
    return {power.letter.lower(): power.name for power in variant.powers} | {"m": MASTER}


def _read_names(text: str, context: LetterContext) -> tuple[str, ...]:
    called, letters = powers(ordered_powers(context.variant)), _letters(context.variant)
    names: dict[str, None] = {}
    for part in (part.strip() for part in SEPARATORS.split(text)):
        key = power_key(part)
        if not key:
            continue
        if key in MASTERS and not (key == "m" and letters.get("m") != MASTER):
            names[MASTER] = None
        elif meant := powers_meant(part, context):
            names[meant[0] if len(meant) == 1 else part] = None
        elif key in called and not (part.islower() and _other_list(key, called[key], letters)):
            names[called[key]] = None
        elif " " in part and all(_is_power(word, context) or word.lower() in MASTERS for word in part.split()):
            for word in part.split():
                names[called.get(word.lower(), MASTER)] = None
        elif key not in called and all(letter in letters for letter in key.replace(" ", "")):
            names |= dict.fromkeys(letters[letter] for letter in key.replace(" ", ""))
        else:
            names[part] = None
    return tuple(names)


def _is_power(word: str, context: LetterContext) -> bool:
    """Whether a word of several is a power's name and no player's: "Otto Frank" may be one person, or two."""
    return word.lower() in powers(ordered_powers(context.variant)) and not powers_meant(word, context)


def _other_list(key: str, name: str, letters: Mapping[str, str]) -> bool:
    """Whether a word is also a list of initials: "ger" is Germany, or three other powers."""
    return key != name.lower() and all(letter in letters for letter in key)
