"""Checks of `gm check` on top of composing a variant: mistakes in files that can be used all the same.

They don't stop a running game. VariantError for the first mistake.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from gm.judge.board.board import AIR, GROUND, LAND, Use
from gm.judge.model.variant import NAMED_IN_SPECIAL, Minor, Power, Translation, Variant
from gm.language.commands.addressees import EVERYONE, MASTERS
from gm.language.commands.parser import EMPTY_SEAT
from gm.language.i18n.catalogue import FALLBACK, Catalogue, load
from gm.language.i18n.place_names import words
from gm.language.lines.lines import SEASONS
from gm.resources import folder
from gm.variant_files.compose import STEPS, map_file_names, open_variant_toml
from gm.variant_files.map import GROUNDS
from gm.variant_files.rules import FILE
from gm.variant_files.setting_choices import apply_settings
from gm.variant_files.toml_source import TomlSource, VariantError
from gm.variant_files.translations import FILE as TONGUE
from gm.variant_files.translations import SUMMARY, read_described

LINES = 5
"""Most lines of `special`, which the first letter to a player shows."""
CENTRES = ("home", "colonies", "yards", "centres")
LAYERS = (GROUND, AIR)
LEAST = {"strength": 0, "cost": 1, "reach": 1}
ROLES = (MASTERS | EVERYONE | EMPTY_SEAT) - {"", "-", "m"}
"""Words that mean somebody else, or nobody, wherever a power may be named. "m" is allowed: an initial."""
DESCRIBED = "variant"
"""What stands for the variant itself in `described`."""
BREAKS = frozenset({"Cc", "Zl", "Zp"})
"""Unicode categories of characters that end a line or control a terminal."""


def check_variant(home: Path, variants: Sequence[Variant]) -> None:
    """`variants`: the variant in this folder, composed with each choice of each setting."""
    written = open_variant_toml(home)
    _check_like(written)
    written.number("rank", 0)
    sources = [apply_settings(written, variant.settings, variant.options) for variant in variants]
    for source, variant in zip(sources, variants, strict=True):
        for check in (_check_powers, _check_centres, _check_kinds, _check_calendar):
            check(source, variant)
        _check_special(source, variant.special)
    _check_described(written, variants[0])
    _check_map(sources, variants)
    for variant in variants:
        for language, spoken in variant.translations.items():
            _check_translation(TomlSource.open(home / TONGUE.format(language)), spoken, variant)


def find_warnings(home: Path, variant: Variant) -> Iterator[str]:
    """Messages about what may be intended."""
    source = apply_settings(open_variant_toml(home), variant.settings, variant.options)
    for name in source.names("powers"):
        if not any(source.strings(f"powers.{name}.{key}") for key in ("home", "yards")):
            what = f"is missing or empty, and {name} builds nowhere unless build_rule is any"
            yield str(source.wrong(f"powers.{name}.home", what))
    if not (home / "README.md").is_file():
        yield f"{home / 'README.md'}: is missing; it says what the variant is and where its facts come from"


def _check_special(source: TomlSource, lines: Sequence[str]) -> None:
    """Checks `special` of variant.toml or of a translation: number of lines, no other fields."""
    if len(lines) > LINES:
        raise source.wrong("special", f"has {len(lines)} lines, and there is room for {LINES}")
    for line in lines:
        _check_line(source, "special", line)
        left = re.sub(rf"{{({'|'.join(NAMED_IN_SPECIAL)})}}", "", line)
        if "{" in left or "}" in left:
            known = " and ".join(f"{{{key}}}" for key in NAMED_IN_SPECIAL)
            raise source.wrong("special", f"writes {known} alone in braces, not {_braced(left)!r}", _braced(left))


def _check_described(source: TomlSource, variant: Variant) -> None:
    """Checks that descriptions are of the variant, or of a value that a setting of its own may have."""
    _check_line(source, "described", source.text(f"described.{SUMMARY}", " "))
    settings = {setting.key: setting for setting in variant.settings}
    for line in read_described(source):
        key, _, value = line.partition(" ")
        if line != DESCRIBED and (key not in settings or settings[key].parse(value) is None):
            raise source.wrong("described", f'has "{DESCRIBED}" and lines of settings, and {line!r} is neither', line)


def _check_line(source: TomlSource, key: str, text: str) -> None:
    """Checks that a name or a line has no line break or control character."""
    bad = next((character for character in text if unicodedata.category(character) in BREAKS), "")
    if bad:
        raise source.wrong(key, f"holds a line break or another control character, {bad!r}")


def _check_unique(source: TomlSource, spellings: Iterable[tuple[str, str, str]], owners: dict[str, str]) -> None:
    """Checks that no two powers share a spelling. `spellings` are (power, key, spelling); `owners` is filled."""
    for name, key, spelling in spellings:
        _check_line(source, key, spelling)
        name_words = " ".join(words(spelling))
        if name_words in ROLES:
            raise source.wrong(key, f"{spelling!r} means somebody else wherever a power is named", spelling)
        if name_words and owners.setdefault(name_words, name) != name:
            raise source.wrong(key, f"{spelling!r} is what {owners[name_words]} is called already", spelling)


def _braced(text: str) -> str:
    at = min(index for index in (text.find("{"), text.find("}")) if index >= 0)
    return text[at : text.find("}", at) + 1] or text[at:]


def _check_like(source: TomlSource) -> None:
    name = source.text("like", " ").strip()
    if not name:
        return
    home = source.path.parent
    if (home.parent / name).resolve() == home.resolve():
        raise source.wrong("like", "is this folder itself")
    below = TomlSource.open(home.parent / name / source.path.name)
    if below.get("like") is not None:
        raise source.wrong("like", f"{name} is itself like another variant; name one that stands by itself")


def _check_powers(source: TomlSource, variant: Variant) -> None:
    """Checks names first, then adjectives, then aliases: the error names the key of the later use."""
    _check_line(source, "title", variant.title)
    nations = _nations(variant)
    for key, nation in nations:
        if not words(nation.name):
            raise source.wrong(key, "is no name: it has neither a letter nor a digit that orders could name it by")
    _check_unique(source, _spellings(nations), {})
    seen: dict[str, str] = {}
    for power in variant.powers:
        key = f"powers.{power.name}.letter"
        if not power.letter.isalpha():
            raise source.wrong(key, f"{power.letter!r} is no letter", power.letter)
        if seen.setdefault(power.letter.upper(), power.name) != power.name:
            raise source.wrong(key, f"{power.letter!r} is the letter of {seen[power.letter.upper()]} as well")


def _nations(variant: Variant) -> tuple[tuple[str, Power | Minor], ...]:
    """(table in variant.toml, power)."""
    powers = [(f"powers.{power.name}", power) for power in variant.powers]
    return (*powers, *((f"minors.{minor.name}", minor) for minor in variant.minors))


def _spellings(nations: Sequence[tuple[str, Power | Minor]]) -> Iterator[tuple[str, str, str]]:
    yield from ((nation.name, key, nation.name) for key, nation in nations)
    yield from ((nation.name, f"{key}.adjective", nation.adjective) for key, nation in nations)
    yield from ((nation.name, f"{key}.aliases", alias) for key, nation in nations for alias in nation.aliases)


def _check_centres(source: TomlSource, variant: Variant) -> None:
    for table in ("powers", "minors"):
        for name in source.names(table):
            for what in CENTRES:
                key = f"{table}.{name}.{what}"
                twice = [code for code, times in Counter(source.strings(key)).items() if times > 1]
                if twice:
                    raise source.wrong(key, f"names {twice[0]} twice", twice[0])
            both = set(source.strings(f"{table}.{name}.home")) & set(source.strings(f"{table}.{name}.colonies"))
            if both:
                raise source.wrong(f"{table}.{name}.colonies", f"{min(both)} is a home, where its power builds")


def _check_kinds(source: TomlSource, variant: Variant) -> None:
    owners: dict[str, str] = {}
    for code in source.names("kinds"):
        key, kind = f"kinds.{code}", variant.kinds[code]
        _check_line(source, f"{key}.name", kind.name)
        if owners.setdefault(kind.name.casefold(), code) != code:
            raise source.wrong(f"{key}.name", f"{kind.name!r} is what {owners[kind.name.casefold()]} is called already")
        for what, least in LEAST.items():
            if source.number(f"{key}.{what}", least) < least:
                raise source.wrong(f"{key}.{what}", f"must be {least} or more")
        if kind.layer not in LAYERS:
            raise source.wrong(f"{key}.layer", f"must be {' or '.join(LAYERS)}")
        for layer in source.names(f"{key}.support"):
            if layer not in LAYERS:
                raise source.wrong(f"{key}.support.{layer}", f"is no layer; there are {', '.join(LAYERS)}")
            if source.number(f"{key}.support.{layer}") < 0:
                raise source.wrong(f"{key}.support.{layer}", "must be 0 or more")


@lru_cache(maxsize=1)
def _sentences() -> Catalogue:
    return load(folder("templates") / "sentences", FALLBACK)


def _check_calendar(source: TomlSource, variant: Variant) -> None:
    """Checks that letters can name the seasons, and that no two steps have the same phase code."""
    seasons = [name for name in map(str.capitalize, SEASONS) if f"season.{name}" in _sentences()]
    rules = source.path.with_name(FILE)

    def wrong(what: str, season: str) -> VariantError:
        return VariantError(f"{rules}: calendar: {what}") if rules.is_file() else source.wrong("calendar", what, season)

    names = {step: name for name, step in STEPS.items()}
    seen: dict[tuple[str, str], str] = {}
    for step in variant.calendar:
        if step.season not in seasons:
            raise wrong(f"no season {step.season!r}; there are {', '.join(seasons)}", step.season)
        line = f"{names.get(type(step), type(step).__name__)} {step.season}"
        phase = (step.letter, step.season[0]) if step.letter else (line, "")
        if seen.get(phase) == line:
            raise wrong(f"{line!r} stands twice", line)
        if phase in seen:
            raise wrong(f"the phases of {seen[phase]!r} and {line!r} would have one name", line)
        seen[phase] = line


def _check_map(sources: Iterable[TomlSource], variants: Iterable[Variant]) -> None:
    """Checks names, and that a border leads into every province where units may stand."""
    files = dict.fromkeys(source.path.parent / name for source in sources for name in map_file_names(source))
    keys: dict[str, tuple[TomlSource, str]] = {}
    for file in files:
        source = TomlSource.open(file)
        for ground in GROUNDS:
            for code in source.names(ground):
                key = f"{ground}.{code}"
                keys.setdefault(code, (source, key))
                for text in (source.text(f"{key}.name"), *source.strings(f"{key}.aliases")):
                    _check_line(source, key, text)
    for variant in variants:
        board = variant.start.board
        joined = {border.start.province for border in board.borders}
        joined |= {border.end.province for border in board.borders}
        for code, province in board.provinces.items():
            if province.slots and code not in joined:
                source, key = keys[code]
                raise source.wrong(key, f"no border leads to {code}, nor from it")


def _check_translation(source: TomlSource, spoken: Translation, variant: Variant) -> None:
    """Checks names.<language>.toml. English names stay usable in that language."""
    _check_special(source, spoken.special)
    _check_described(source, variant)
    for table, entries in (("provinces", spoken.provinces), ("kinds", spoken.kinds)):
        for key, called in entries.items():
            for text in (called.name, *called.aliases):
                _check_line(source, f"{table}.{key}", text)
    owners = {" ".join(words(spelling)): name for name, _, spelling in _spellings(_nations(variant))}
    powers = spoken.powers.items()
    _check_unique(source, ((name, f"powers.{name}", called.name) for name, called in powers), owners)
    aliases = ((name, f"powers.{name}", alias) for name, called in powers for alias in called.aliases)
    _check_unique(source, aliases, owners)


def summary(variant: Variant) -> str:
    board = variant.start.board
    playable = [p for p in board.provinces.values() if p.slots]
    walked = [b for b in board.borders if Use.MOVE in b.uses]
    on_foot = sum(b.start.slot == LAND for b in walked) // 2
    centres = sum(p.centre for p in playable)
    awake = sum(not minor.dormant for minor in variant.minors)
    minors = f" and {awake} minor ones" if awake else ""
    return (
        f"{variant.id}: clean. {variant.title}: "
        f"{len(variant.powers)} powers{minors}, {len(variant.start.units)} units; "
        f"{len(playable)} provinces and {len(board.provinces) - len(playable)} impassable, {centres} supply centres; "
        f"{on_foot} borders for armies, {len(walked) // 2 - on_foot} for fleets; {variant.victory} centres win."
    )
