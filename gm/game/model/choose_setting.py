"""Looks up a game's settings by any of their names, and changes them (SET).

Every game has the settings of `GameSettings` and those of its variant. Game masters write keys of several words, names
of other judges, and a reason after the value.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from msgspec import Struct
from msgspec.structs import replace

from gm.game.model.letter_report import Note
from gm.game.model.recipient import Recipient
from gm.game.model.records import Game
from gm.game.model.setting_types import (
    EVERYWHERE,
    SCHEDULE,
    UNSIGNED,
    UTC,
    InvalidValue,
    PressMode,
    ReadContext,
    choice_fields,
)
from gm.game.model.settings import GameSetting, GameSettings, default_value, game_settings, schedule_key, stored_value
from gm.judge.model.variant import Setting, Variant
from gm.language.dates.date_words import DateError
from gm.language.dates.schedule import parse_schedule
from gm.language.dates.schedule_words import format_schedule
from gm.language.dates.time_zones import find_zone
from gm.language.i18n.catalogue import Catalogue, languages
from gm.language.i18n.similar_words import similar_words
from gm.language.i18n.vocabulary import vocabulary_of

AnySetting = GameSetting[Any] | Setting
VARIANT = "variant"
"""What SET and the lines below CREATE call the variant, though it is no setting."""
SIMILAR_LEAST, SHOWN_MOST, SHORT_WORD = 65, 3, 2
"""How similar (of 100) names are that a misspelt one may mean, how many are shown, and words that say too little."""


class SettingError(Struct, frozen=True):
    """Why a setting was not changed. `key` names a sentence of the catalogue, `fields` fill it."""

    key: str
    fields: tuple[tuple[str, str], ...] = ()


class SettingView(Struct, frozen=True):
    """A setting of a game; `meaning` is in the reader's language."""

    key: str
    value: str
    default: str
    meaning: str


def all_settings(variant: Variant) -> Mapping[str, AnySetting]:
    """All settings by key, in the order of listings."""
    settings: tuple[AnySetting, ...] = (*game_settings(), *variant.settings)
    return {setting.key: setting for setting in settings}


def setting_named(variant: Variant, name: str) -> AnySetting | None:
    """Accepts any of its names: "convoy route", "dp.reveal"."""
    return all_settings(variant).get(_find_key(variant, name, "")[0])


def is_rule(setting: AnySetting) -> bool:
    """Whether it is a rule of the game: changing it in a running game needs a reason."""
    return isinstance(setting, Setting) or setting.is_rule


def value_in_force(game: Game, setting: AnySetting) -> str:
    return dict(game.settings).get(setting.key) or setting.default


def with_setting(
    game: Game, variant: Variant, name: str, value: str, now: datetime | None = None
) -> Game | SettingError:
    """Sets a setting. `now`: dates may be in words.

    Key and value are normalized: "time zone berlin" is stored as zone Europe/Berlin. They may be in any language of
    letters.
    """
    changed = _change(game, variant, name, value, now)
    if not isinstance(changed, SettingError):
        return changed
    for language in languages():
        _, key, *words = vocabulary_of(language).english(f"SET {name} {value}").split(maxsplit=2)
        other = _change(game, variant, key, "".join(words), now)
        if not isinstance(other, SettingError):
            return other
    return changed


def _change(game: Game, variant: Variant, name: str, value: str, now: datetime | None) -> Game | SettingError:
    key, value = _find_key(variant, name, value)
    setting = all_settings(variant).get(key)
    if isinstance(setting, Setting):
        stored = _read_option(setting, value)
    elif sentence := unsupported_setting(key, value):
        return SettingError(f"setting.elsewhere.{sentence}", (("key", name),))
    elif setting is None:
        return _unknown(key, all_settings(variant))
    else:
        stored = _read_value(game, variant, setting, value, now)
    if isinstance(stored, SettingError):
        return stored
    others = tuple((other, kept) for other, kept in game.settings if other != key)
    return replace(game, settings=(*others, (key, stored)))


def _unknown(key: str, settings: Mapping[str, AnySetting]) -> SettingError:
    """With settings of a similar name, and those that have a word of it."""
    similar = [name for name, _ in similar_words(key, (*settings, VARIANT), SIMILAR_LEAST, SHOWN_MOST)]
    words = {word for word in key.split("_") if len(word) > SHORT_WORD}
    sharing = [name for name in settings if words & set(name.split("_"))]
    near = list(dict.fromkeys((*similar, *sharing)))[:SHOWN_MOST]
    if not near:
        return SettingError("setting.trouble.key", (("key", key),))
    return SettingError("setting.trouble.key-near", (("key", key), ("near", ", ".join(near))))


def _find_key(variant: Variant, name: str, value: str) -> tuple[str, str]:
    """The key for a name, and the value without words that belong to the name."""
    settings = all_settings(variant).values()
    keys = {re.sub(r"[.\s-]", "_", name): setting.key for setting in settings for name in (*setting.names, setting.key)}
    phrases = {
        phrase: (setting.key, value) for setting in variant.settings for phrase, value in setting.phrases.items()
    }
    key, value = split_key(name, value, keys, phrases)
    return keys.get(key, key), value


def _read_value(
    game: Game, variant: Variant, setting: GameSetting[Any], value: str, now: datetime | None
) -> str | SettingError:
    zone = find_zone(stored_value(game, GameSettings.zone)) or UTC
    before = dict(game.settings).get(setting.key, "")
    try:
        read = setting.kind.read(value, ReadContext(zone, before, now=now))
    except InvalidValue as error:
        fields = (("key", setting.key), ("value", value), *error.fields)
        return SettingError(error.key, fields)
    if choices := _limited_choices(variant, setting, read):
        fields = (("key", setting.key), ("variant", variant.title), ("choices", ", ".join(choices)))
        return SettingError("setting.trouble.own-press", fields)
    return setting.kind.write(read) if setting.kind.write is not None else value


def _limited_choices(variant: Variant, setting: GameSetting[Any], value: object) -> tuple[str, ...]:
    """The allowed values if the variant's own press rules forbid this one; () if they allow it."""
    press = variant.press
    if setting.free_press and not press.free and value is not True:
        return ("yes",)
    if not isinstance(value, PressMode):
        return ()
    modes = [mode for mode in PressMode if press.free or mode in EVERYWHERE]
    modes = [mode for mode in modes if press.unsigned or mode not in UNSIGNED]
    return () if value in modes else tuple(modes)


def _read_option(setting: Setting, value: str) -> str | SettingError:
    stored = setting.parse(value)
    if stored is not None:
        return stored
    fields = (("key", setting.key), ("value", value))
    if not setting.numeric:
        return SettingError("setting.trouble.choice", (*fields, *choice_fields(setting.choices)))
    example = str(setting.low) if setting.default in setting.choices else setting.default
    limits = (("low", str(setting.low)), ("high", str(setting.high)), ("example", example))
    return SettingError("setting.trouble.number", (*fields, *limits))


def value_words(key: str, value: str, zone: ZoneInfo, catalogue: Catalogue) -> str:
    """A value as a reader of that language writes it: schedules in words; others are the same in all languages."""
    kind = next((setting.kind for setting in game_settings() if setting.key == key), None)
    schedule = parse_schedule(value, zone) if kind is SCHEDULE else None
    if schedule is None or isinstance(schedule, DateError):
        return value
    return format_schedule(schedule, zone, catalogue)


def note_fields(reader: Recipient, note: Note) -> dict[str, str]:
    """The fields of a note; the value of a setting is in the reader's words."""
    fields = dict(note.fields)
    if "key" in fields and "value" in fields:
        fields["value"] = value_words(fields["key"], fields["value"], reader.settings.zone, reader.catalogue)
    return fields


def shown_settings(reader: Recipient) -> tuple[SettingView, ...]:
    """Every setting with its present value, in the reader's language."""
    return setting_views(reader.game, reader.variant, reader.catalogue, reader.settings.zone.key)


def setting_views(game: Game, variant: Variant, catalogue: Catalogue, zone: str = "") -> tuple[SettingView, ...]:
    """Every setting with its present value. `zone` is the one in force without a choice: the server's."""
    chosen = dict(game.settings)
    home = ZoneInfo(zone) if zone else UTC
    views = []
    for setting in all_settings(variant).values():
        key, default = setting.key, setting.default
        if zone and key == GameSettings.zone.key:
            default = zone
        elif isinstance(setting, GameSetting):
            default = _own_hours(variant, key) or default_value(setting, variant)
        meaning = setting_meaning(variant, setting, catalogue)
        value, default = (value_words(key, words, home, catalogue) for words in (chosen.get(key, default), default))
        views.append(SettingView(key, value, default, meaning))
    return tuple(views)


def setting_meaning(variant: Variant, setting: AnySetting, catalogue: Catalogue) -> str:
    translation = variant.translations.get(catalogue.language)
    translated = translation.settings if translation is not None else {}
    return translated.get(setting.key, setting.meaning) or catalogue.say(f"setting.{setting.key}")


def _own_hours(variant: Variant, key: str) -> str:
    """The variant's own schedules, in words: "72 h", or "Spring 72 h; Fall 60 h"."""
    names = {step.season[0]: step.season for step in variant.calendar}
    seasons: dict[str, list[str]] = {}
    for letters, text in variant.hours.items():
        if schedule_key(letters) == key:
            seasons.setdefault(text, []).extend([names[letters[0]]] if letters[1:] and letters[0] in names else [])
    if len(seasons) < 2:
        return "".join(seasons)
    return "; ".join(" ".join((*phases, text)) for text, phases in seasons.items())


def without_irrelevant(views: Iterable[SettingView], variant: Variant) -> tuple[SettingView, ...]:
    """Drops settings that have no effect with the present value of another setting."""
    by_key = {view.key: view for view in views}
    needless = {
        setting.key
        for setting in variant.settings
        if setting.needs and by_key[setting.needs[0]].value != setting.needs[1]
    }
    return tuple(view for view in by_key.values() if view.key not in needless)


# ---- how game masters write settings

MOST_WORDS = 3
"""How many words at the beginning of a value may belong to the key."""
FAMILY = "timing"
"""May precede the keys of schedules: "timing.retreats"."""
AFTER_PHRASE = frozenset({"", "build", "builds"})
"""Words that may follow a phrase that means both key and value, like "any centre"."""
UNSUPPORTED_SETTINGS: Mapping[str, str] = {
    **dict.fromkeys(("postal", "postal_press"), "postal"),
    **dict.fromkeys(("dp_cap_per_order", "dp_overspend", "dp_reveal"), "points"),
    **dict.fromkeys(("press_fake", "press_faked", "fake", "fakes", "fake_press"), "fake"),
}
"""Settings or values of other judges that do not exist here -> the key of the sentence that says so."""
REASON = re.compile(
    r"[\s,;.(]+(?:(?:because(?: of)?|since|denn|(?:reason|grund)\s*[:=])\s*|(?=(?:weil|wegen)\s))(?P<why>\S.*)",
    re.IGNORECASE,
)
"""German "weil" and "wegen" stay part of the reason: its word order depends on them."""


def split_reason(value: str) -> tuple[str, str]:
    """Splits "20 because we agreed" into the value and the reason ("" if there is none)."""
    match = REASON.search(value)
    return (value, "") if match is None else (value[: match.start()], match["why"].rstrip(" )"))


def split_key(key: str, value: str, known: Collection[str], phrases: Mapping[str, tuple[str, str]]) -> tuple[str, str]:
    """Moves words of the key from the value to the key ("empty", "seats: yes"); returns key and value.

    The longest key wins. `phrases` are words that mean both a key and its value.
    """
    key_words, words = _words(key), value.split()
    key_words = key_words[1:] if key_words[:1] == [FAMILY] else key_words
    for count in range(min(MOST_WORDS, len(words)), -1, -1):
        whole = "_".join((*key_words, *(part for word in words[:count] for part in _words(word))))
        rest = " ".join(words[count:])
        if whole in phrases and rest.lower() in AFTER_PHRASE:
            return phrases[whole]
        if whole in known and count < max(1, len(words)):
            return whole, _without_equals(rest)
    return "_".join(key_words) or FAMILY, _without_equals(" ".join(words))


def _words(text: str) -> list[str]:
    return [part for part in re.split(r"[\s_.:=-]+", text.lower()) if part]


def _without_equals(value: str) -> str:
    """Removes the "=" of "= 20" and the "to" of "to 20"."""
    return re.sub(r"^(?:[:=]+\s*|(?:to|auf)\s+)+", "", value, flags=re.IGNORECASE)


def unsupported_setting(key: str, value: str) -> str:
    """The sentence in `UNSUPPORTED_SETTINGS` for this setting or value; "" for others."""
    both = "_".join(_words(f"{key} {value}"))
    return UNSUPPORTED_SETTINGS.get(both) or UNSUPPORTED_SETTINGS.get(key, "")
