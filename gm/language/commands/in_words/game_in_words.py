"""Finds in plain words what a new game is to be: "a game of Locarno for my club, Sundays at 9pm Vienna time"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from zoneinfo import ZoneInfo

from msgspec import Struct
from msgspec.structs import replace

from gm.judge.model.variant import Variant
from gm.language.commands.command_line import written_words
from gm.language.commands.in_words.left_out import beside_spans
from gm.language.commands.in_words.plain_questions import is_schedule, read_table, tables_of, with_words
from gm.language.commands.in_words.seats import ADDRESS, invited_in_words, people_in_words
from gm.language.dates.date_words import DateError
from gm.language.dates.schedule import EveryDays, Weekly, parse_schedule
from gm.language.dates.time_zones import named_zone
from gm.language.i18n.joining_words import AND, BUT
from gm.language.i18n.localized_variant import localized
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
ZONE_LINE = "zone: "
OPPOSITES = {"on": "off", "yes": "no", "true": "false"}
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
    lines: Sequence[str], languages: Sequence[str], variants: Sequence[Variant], home: ZoneInfo, known: str = ""
) -> GameInWords:
    """`languages` in which the words may be. `home`: the writer's zone. `known`: the variant that an earlier letter
    named.
    """
    game = _read(lines, languages, variants, home, known)
    chosen = next((variant for variant in variants if variant.id == (game.variant or known)), variants[0])
    sentences = tuple(sentence for line in lines for sentence in SENTENCE_BREAK.split(line) if sentence.strip())
    people = tuple(row for sentence in sentences if "@" in sentence for row in _people(sentence, chosen, languages))
    left: list[str] = []
    for sentence in sentences:
        whole = _settled(sentence, languages)
        clauses = [clause.strip(" ,;.!-") for clause in CLAUSE.split(sentence)]
        for clause, behind in zip(clauses, (*clauses[1:], ""), strict=True):
            person = people and ("@" in clause or ADDRESS.fullmatch(behind))  # "Luc Marchand, luc@example.org"
            read = _read((clause,), languages, variants, home, known)
            if clause and any(_overlap(clean(sentence).text.lower(), clean(clause).text.lower(), whole)):
                continue
            if not person and _says_something(clause, languages) and not _is_read(clause, read, game, languages):
                left.append(clause)
    if len(people) >= len(chosen.powers) and not any(line.startswith(JOINING) for line in game.settings):
        game = replace(game, settings=(*game.settings, f"{JOINING} closed"))  # a stranger would take a friend's seat
    return replace(game, people=people, left=" … ".join(left))


def _settled(sentence: str, languages: Sequence[str]) -> list[tuple[int, int]]:
    """Where settings stand in a sentence as a whole, also in several clauses: "retreats and builds 24 hours"."""
    text = clean(sentence).text.lower()
    if _exception(text, languages):
        return []
    matches = (_first_match(patterns, text) for _, patterns in _settings(tuple(languages)))
    return [match.span() for match in matches if match is not None and CLAUSE.search(match.group())]


def _overlap(sentence: str, clause: str, spans: Sequence[tuple[int, int]]) -> Iterator[bool]:
    """Whether each of the spans of a sentence touches a clause of it."""
    start = sentence.find(clause)
    return (first < start + len(clause) and start < past for first, past in spans)


def _people(sentence: str, variant: Variant, languages: Sequence[str]) -> tuple[str, ...]:
    readings = (people_in_words(sentence, localized(variant, language)) for language in languages)
    return next(filter(None, readings), ()) or invited_in_words(sentence, variant.language)


def _is_read(clause: str, read: GameInWords, game: GameInWords, languages: Sequence[str]) -> bool:
    """Whether the lines of the game hold all that a clause says. `read`: what they hold of it."""
    words = clean(clause).text.lower()
    if _exception(words, languages):
        return False
    if game.name and game.name in words.split() and len(words.split()) <= FEWEST_WORDS:
        return True  # "New game Harbour", a subject
    if game.moves is not None and (_names_day(clause, languages) or _is_as_often(words, game.moves, languages)):
        return True
    return read != GameInWords() and not (_lasts(words, languages) and not read.settings and read.moves is None)


def _exception(words: str, languages: Sequence[str]) -> bool:
    """Whether words make an exception that no setting includes: "no press except in winter"."""
    spans = [
        match.span()
        for _, patterns in _settings(tuple(languages))
        if (match := _first_match(patterns, words)) is not None
    ]
    exceptions = re.finditer("|".join(table["except"] for table in tables_of("naming", *languages)), words)
    return any(not any(start <= match.start() < end for start, end in spans) for match in exceptions)


def _is_as_often(words: str, moves: Weekly | EveryDays, languages: Sequence[str]) -> bool:
    """Whether words only count the days on which moves are due: "twice a week"."""
    often = (
        table["often"].get(str(len(moves.slots)))
        for table in tables_of("naming", *languages)
        if isinstance(moves, Weekly)
    )
    return any(re.search(pattern, words) for pattern in often if pattern)


def _lasts(words: str, languages: Sequence[str]) -> bool:
    """Whether words say how long something takes."""
    files = (read_table(language) for language in languages)
    return any(re.search(with_words(r"\b{number} ?{unit}\b", file), words) for file in files)


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


def _read(
    lines: Sequence[str], languages: Sequence[str], variants: Sequence[Variant], home: ZoneInfo, known: str
) -> GameInWords:
    text = " ".join(" ".join(clean(line).text for line in lines).lower().split()[:WORDS_MOST])
    variant, options = _variant(text, languages, variants, known)
    schedules = (_schedule(text, language, home) for language in languages)
    moves = next((schedule for schedule in schedules if schedule is not None), None)
    meant = settings_in_words(text, languages)
    named = next((ZoneInfo(line.removeprefix(ZONE_LINE)) for line in meant if line.startswith(ZONE_LINE)), None)
    zone = moves.zone if moves is not None else home
    if zone.key == home.key:
        zone = named or _zone(text, languages) or home
    settings = (*options, *(line for line in meant if not line.startswith(ZONE_LINE)))
    return GameInWords(_name(text, languages), variant, "" if zone.key == home.key else zone.key, moves, settings)


def settings_in_words(text: str, languages: Sequence[str]) -> tuple[str, ...]:
    """Lines "key: value" that words about a new game mean: "no maps please" is "order_maps: no"."""
    line = clean(text).text.lower()
    matches = ((setting, _first_match(patterns, line)) for setting, patterns in _settings(tuple(languages)))
    filled = (_filled(setting, match.groupdict(), languages) for setting, match in matches if match is not None)
    meant = [setting for setting in filled if setting]
    return tuple({setting.partition(":")[0]: setting for setting in reversed(meant)}.values())[::-1]


def _filled(setting: str, groups: Mapping[str, str], languages: Sequence[str]) -> str:
    """The line with the words of a text, a span of time as schedules have it: "retreats: one day" for "ein Tag"; ""
    where they name no zone.
    """
    if "zone" in groups:
        zone = _zone_of(groups["zone"])
        return f"{ZONE_LINE}{zone.key}" if zone is not None else ""
    key, colon, value = setting.format_map(groups).partition(": ")
    if "unit" not in groups:
        return f"{key}{colon}{value}"
    readings = (vocabulary_of(each).english(f"SET {value}").removeprefix("SET ") for each in languages)
    return f"{key}{colon}{next((words for words in readings if is_schedule(words)), value)}"


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
        (row["line"], tuple(re.compile(with_words(pattern, file)) for pattern in row["said"]))
        for file in files
        for row in file.get("settings", ())
    )


def _variant(
    text: str, languages: Sequence[str], variants: Sequence[Variant], known: str
) -> tuple[str, tuple[str, ...]]:
    """The id of the variant that is named or, by one variant more than by others, described; and its settings.

    Words that only describe a setting are about the `known` variant, which they do not name.
    """
    named = [variant for variant in variants if _first_of(text, variant.id.replace("-", " "))]
    meant = {variant: _described(text, languages, variant) for variant in named[-1:] or variants}
    lengths = {variant: sum(map(len, phrases.values())) for variant, phrases in meant.items()}
    most = max(lengths.values(), default=0)
    best = named[-1:] or [variant for variant, length in lengths.items() if 0 < length == most]
    if known and not named and not any(VARIANT in meant[variant] for variant in best):
        best = [variant for variant in variants if variant.id == known]
    if len(best) != 1:
        return "", ()
    options = tuple(line.replace(" ", ": ", 1) for line in meant[best[0]] if line != VARIANT)
    return "" if best[0].id == known and not named else best[0].id, options


def _described(text: str, languages: Sequence[str], variant: Variant) -> Mapping[str, str]:
    """The longest phrase of each kind by which the text describes a variant; "" for an option that it wants without."""
    known = variant.translations
    tables = (variant.described, *(known[language].described for language in languages if language in known))
    phrases = ((phrase, kind) for table in tables for kind, listed in table.items() for phrase in listed)
    wanted: dict[str, str] = {}
    without: dict[str, str] = {}
    for phrase, kind in sorted(phrases, key=_length):
        match = _first_of(text, phrase)
        if match is not None and _is_denied(text[: match.start()], languages):
            key, _, value = kind.partition(" ")
            wanted.pop(kind, None)
            without |= {f"{key} {OPPOSITES[value]}": ""} if value in OPPOSITES else {}
        elif match is not None:
            wanted[kind] = phrase
    return wanted | without


def _length(pair: tuple[str, str]) -> int:
    return len(pair[0])


def _is_denied(before: str, languages: Sequence[str]) -> bool:
    """Whether the words before a phrase say that it is not wanted."""
    words = "|".join(table["without"] for table in tables_of("naming", *languages))
    return re.search(rf"\b(?:{words})(?: \w+)? $", before) is not None


def _first_of(text: str, phrase: str) -> re.Match[str] | None:
    """Where words begin like those of a phrase: "beweglichen Grenzen" like "bewegliche Grenze"."""
    words = clean(phrase).text.lower().split()
    return re.search(r"\b" + r"\w*[\s-]+".join(map(re.escape, words)), text)


def _name(text: str, languages: Sequence[str]) -> str:
    match = next((match for pattern in _naming(tuple(languages)) if (match := pattern.search(text)) is not None), None)
    return re.sub(r"\s+", "-", match["name"].strip()) if match is not None else ""


@lru_cache(maxsize=8)
def _naming(languages: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    """The patterns of `[naming]` of grammars/plain_questions, and a name in quotation marks."""
    rows = tables_of("naming", *languages)
    return (*(re.compile(pattern.replace("{name}", NAME)) for table in rows for pattern in table["said"]), QUOTED)


def _zone(text: str, languages: Sequence[str]) -> ZoneInfo | None:
    """The zone that words name behind "zone", before "time", or where their writer lives."""
    for match in ZONE.finditer(text):
        words = (match["before"] or match["behind"]).split()
        for start in range(len(words)):
            if zone := named_zone(" ".join(words[start:])):
                return zone
    lives = (re.search(pattern, text) for table in tables_of("naming", *languages) for pattern in table["lives"])
    return next((zone for match in lives if match is not None and (zone := _zone_of(match["zone"]))), None)


def _zone_of(words: str) -> ZoneInfo | None:
    """The zone that the first words name, as many as can be."""
    parts = words.split()
    return next((zone for end in range(len(parts), 0, -1) if (zone := named_zone(" ".join(parts[:end])))), None)


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
