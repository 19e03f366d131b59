"""Finds in plain words what a new game is to be: "a game of Locarno for my club, Sundays at 9pm Vienna time"."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from zoneinfo import ZoneInfo

from msgspec import Struct
from msgspec.structs import replace

from gm.judge.model.variant import Variant
from gm.language.commands.command_line import written_words
from gm.language.commands.in_words.left_out import beside_spans
from gm.language.commands.in_words.plain_questions import read_table, tables_of, with_date_words
from gm.language.commands.in_words.seats import invited_in_words, people_in_words
from gm.language.dates.date_words import DateError
from gm.language.dates.schedule import EveryDays, Weekly, parse_schedule
from gm.language.dates.time_zones import named_zone
from gm.language.i18n.joining_words import AND, BUT
from gm.language.i18n.normalize import clean
from gm.language.i18n.vocabulary import ENGLISH, vocabulary_of
from gm.language.lines.sentences import SENTENCE_BREAK

WORDS_MOST, PHRASE_MOST = 120, 10
AT = "at"
"""The group of a pattern with the words of the setting, where these are not the whole match."""
CLAUSE = re.compile(rf"[,;]+\s+(?:(?:{AND}|{BUT}) )?|\s(?:{AND}|{BUT})\s")
FEWEST_WORDS = 3
"""Words of a clause without a number that may say what a game is to be."""
JOINING = "joining:"
VARIANT = "variant"
"""What stands for the variant itself in `Variant.described`."""
NAME = r"(?P<name>[a-z][a-z0-9-]{1,15})\b"
QUOTED = re.compile(r"(?<!\w)[\"'](?P<name>[a-z][a-z0-9 -]{1,15})[\"'](?!\w)")
ZONE = re.compile(r"\b(?:zone|zeitzone)\s*:?\s+(?P<before>[a-z/_]+)|\b(?P<behind>[a-z]+(?: [a-z]+)?) (?:time|zeit)\b")
DAY = re.compile(r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|daily\b|every\b|weekly\b")
BEGINS = re.compile(r"(?:mon|tue|wed|thu|fri|sat|sun|daily|every|each|weekdays|weekly|once|twice|\d)")


class GameInWords(Struct, frozen=True):
    """What was found; "" and None for what was not. `zone` is a key; `settings` and `people` are lines to stand below
    CREATE. `left` are words that say something else.
    """

    name: str = ""
    variant: str = ""
    zone: str = ""
    moves: Weekly | EveryDays | None = None
    settings: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    left: str = ""


def read_game(
    lines: Sequence[str], languages: Sequence[str], variants: Sequence[Variant], home: ZoneInfo
) -> GameInWords:
    """`languages` in which the words may be. `home`: the writer's zone."""
    game = _read(lines, languages, variants, home)
    chosen = next((variant for variant in variants if variant.id == game.variant), variants[0])
    sentences = tuple(sentence for line in lines for sentence in SENTENCE_BREAK.split(line) if sentence.strip())
    people = tuple(row for sentence in sentences if "@" in sentence for row in _people(sentence, chosen))
    clauses = (clause.strip(" ,;.!-") for sentence in sentences for clause in CLAUSE.split(sentence))
    left = [clause for clause in clauses if _says_something(clause, languages)]
    left = [clause for clause in left if _read((clause,), languages, variants, home) == GameInWords()]
    left = [
        clause
        for clause in left
        if not ("@" in clause and people) and not (game.moves and _names_day(clause, languages))
    ]
    if len(people) >= len(chosen.powers) and not any(line.startswith(JOINING) for line in game.settings):
        game = replace(game, settings=(*game.settings, f"{JOINING} closed"))  # a stranger would take a friend's seat
    return replace(game, people=people, left=" … ".join(left))


def _people(sentence: str, variant: Variant) -> tuple[str, ...]:
    return people_in_words(sentence, variant) or invited_in_words(sentence, variant.language)


def _names_day(clause: str, languages: Sequence[str]) -> bool:
    words = (vocabulary_of(each).english(f"SET {clean(clause).text.lower()}").split()[1:] for each in languages)
    return any(DAY.match(word) for line in words for word in line)


def changed_by(game: GameInWords, later: GameInWords) -> GameInWords:
    """What a letter says of a game, with what a later one changes."""
    keys = {line.partition(":")[0] for line in later.settings}
    settings = (*(line for line in game.settings if line.partition(":")[0] not in keys), *later.settings)
    return GameInWords(
        later.name or game.name,
        later.variant or game.variant,
        later.zone or game.zone,
        later.moves or game.moves,
        settings,
        (*game.people, *later.people),
        later.left,
    )


def _says_something(clause: str, languages: Sequence[str]) -> bool:
    """Whether a clause may say what a game is to be, besides that one is wanted."""
    words = clean(clause).text.lower()
    enough = len(words.split()) >= FEWEST_WORDS or "@" in words or any(map(str.isdigit, words))
    return enough and re.search("|".join(p for t in tables_of("naming", *languages) for p in t["small"]), words) is None


def _read(lines: Sequence[str], languages: Sequence[str], variants: Sequence[Variant], home: ZoneInfo) -> GameInWords:
    text = " ".join(" ".join(clean(line).text for line in lines).lower().split()[:WORDS_MOST])
    variant, options = _variant(text, languages, variants)
    schedules = (_schedule(text, language, home) for language in languages)
    moves = next((schedule for schedule in schedules if schedule is not None), None)
    zone = moves.zone if moves is not None else home
    if zone.key == home.key:
        zone = _zone(text) or home
    settings = (*options, *settings_in_words(text, languages))
    return GameInWords(_name(text, languages), variant, "" if zone.key == home.key else zone.key, moves, settings)


def settings_in_words(text: str, languages: Sequence[str]) -> tuple[str, ...]:
    """Lines "key: value" that words about a new game mean: "no maps please" is "order_maps: no"."""
    line = clean(text).text.lower()
    matches = ((setting, _first_match(patterns, line)) for setting, patterns in _settings(tuple(languages)))
    meant = [setting.format_map(match.groupdict()) for setting, match in matches if match is not None]
    return tuple({setting.partition(":")[0]: setting for setting in reversed(meant)}.values())[::-1]


def left_of_settings(text: str, languages: Sequence[str]) -> str:
    """The clauses of a text that no setting in it is about."""
    line = clean(text).text
    matches = (_first_match(patterns, line.lower()) for _, patterns in _settings(tuple(languages)))
    spans = [match.span(AT if AT in match.groupdict() else 0) for match in matches if match is not None]
    return written_words(text, beside_spans(line, spans)) if spans else ""


def _first_match(patterns: Sequence[re.Pattern[str]], line: str) -> re.Match[str] | None:
    return next((match for pattern in patterns if (match := pattern.search(line)) is not None), None)


@lru_cache(maxsize=8)
def _settings(languages: tuple[str, ...]) -> tuple[tuple[str, tuple[re.Pattern[str], ...]], ...]:
    """The rows `[[settings]]` of grammars/plain_questions, English ones as well."""
    files = (read_table(language) for language in dict.fromkeys((*languages, ENGLISH)))
    return tuple(
        (row["line"], tuple(re.compile(with_date_words(pattern, file)) for pattern in row["said"]))
        for file in files
        for row in file.get("settings", ())
    )


def _variant(text: str, languages: Sequence[str], variants: Sequence[Variant]) -> tuple[str, tuple[str, ...]]:
    """The id of the variant that is named or, by one variant more than by others, described; and its settings."""
    named = [variant for variant in variants if _holds(text, variant.id.replace("-", " "))]
    meant = {variant: _described(text, languages, variant) for variant in named[-1:] or variants}
    lengths = {variant: sum(map(len, phrases.values())) for variant, phrases in meant.items()}
    most = max(lengths.values(), default=0)
    best = named[-1:] or [variant for variant, length in lengths.items() if 0 < length == most]
    if len(best) != 1:
        return "", ()
    options = (line.partition(" ") for line in meant[best[0]] if line != VARIANT)
    return best[0].id, tuple(f"{key}: {value}" for key, _, value in options)


def _described(text: str, languages: Sequence[str], variant: Variant) -> Mapping[str, str]:
    """The longest phrase of each kind by which the text describes a variant."""
    known = variant.translations
    tables = (variant.described, *(known[language].described for language in languages if language in known))
    phrases = ((kind, phrase) for table in tables for kind, listed in table.items() for phrase in listed)
    held = sorted(((kind, phrase) for kind, phrase in phrases if _holds(text, phrase)), key=lambda pair: len(pair[1]))
    return dict(held)


def _holds(text: str, phrase: str) -> bool:
    """Whether words begin like those of a phrase: "beweglichen Grenzen" like "bewegliche Grenze"."""
    words = clean(phrase).text.lower().split()
    return re.search(r"\b" + r"\w*[\s-]+".join(map(re.escape, words)), text) is not None


def _name(text: str, languages: Sequence[str]) -> str:
    match = next((match for pattern in _naming(tuple(languages)) if (match := pattern.search(text)) is not None), None)
    return re.sub(r"\s+", "-", match["name"].strip()) if match is not None else ""


@lru_cache(maxsize=8)
def _naming(languages: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    """The patterns of `[naming]` of grammars/plain_questions, and a name in quotation marks."""
    rows = tables_of("naming", *languages)
    return (*(re.compile(pattern.replace("{name}", NAME)) for table in rows for pattern in table["said"]), QUOTED)


def _zone(text: str) -> ZoneInfo | None:
    for match in ZONE.finditer(text):
        words = (match["before"] or match["behind"]).split()
        for start in range(len(words)):
            if zone := named_zone(" ".join(words[start:])):
                return zone
    return None


def _schedule(text: str, language: str, home: ZoneInfo) -> Weekly | EveryDays | None:
    """The longest phrase that is weekly slots, or days apart."""
    words = vocabulary_of(language).english(f"SET {text}").removeprefix("SET").split()
    for start, word in enumerate(words):
        if not BEGINS.match(word):
            continue
        for end in range(min(len(words), start + PHRASE_MOST), start + 1, -1):
            schedule = parse_schedule(" ".join(words[start:end]).strip(" ,.;:!?"), home)
            if not isinstance(schedule, DateError) and isinstance(schedule, Weekly | EveryDays):
                return schedule
    return None
