"""Settings of a variant's own, [settings] in variant.toml, and the tables that a choice merges over the file.

[settings.omsk_fleets]
default = "true"
choices = ["true", "false"]              or low and high; or files = "boxes-*.toml": a choice per file of the folder
meaning = "whether fleets may use the coast of Omsk"
needs = "other=value"                    left out of letters if that other setting has another value
also = ["icebreakers"]                   other names of it
[settings.omsk_fleets.when.false]        "*": any value; "*" in a text is then that value
without = ["icebreakers"]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from gm.judge.model.variant import Setting
from gm.variant_files.house_rules import HOUSE_RULES
from gm.variant_files.toml_source import TomlSource, VariantError

SETTING_KEYS = ("default", "meaning", "choices", "files", "low", "high", "needs", "also", "when")
ANY = "*"
UNCHANGED = ("rank", "settings")
"""Keys of variant.toml that no setting changes."""


def read_settings(source: TomlSource, keys: tuple[str, ...]) -> tuple[Setting, ...]:
    """`keys` are those that variant.toml may hold."""
    for name in source.names("settings"):
        if name in HOUSE_RULES:
            raise source.wrong(f"settings.{name}", "is a setting that every variant has")
    return tuple(_setting(source, name, keys) for name in source.names("settings"))


def _setting(source: TomlSource, name: str, keys: tuple[str, ...]) -> Setting:
    key = f"settings.{name}"
    source.check_keys(SETTING_KEYS, key)
    choices = (*source.strings(f"{key}.choices"), *_files(source, f"{key}.files"))
    low, high = source.number(f"{key}.low", 0), source.number(f"{key}.high", 0)
    setting = Setting(
        name,
        source.text(f"{key}.default"),
        source.text(f"{key}.meaning"),
        choices,
        low,
        high,
        _needs(source, key),
        source.strings(f"{key}.also"),
    )
    if choices and setting.default not in choices:
        raise source.wrong(f"{key}.default", f"is none of {', '.join(choices)}")
    if not choices and setting.parse(setting.default) is None:
        raise source.wrong(f"{key}.default", f"is no whole number from {low} to {high}")
    for value in source.names(f"{key}.when"):
        if value != ANY and setting.parse(value) != value:
            raise source.wrong(f"{key}.when.{value}", "is a value that nobody can choose")
        source.check_keys([name for name in keys if name not in UNCHANGED], f"{key}.when.{value}")
    return setting


def _needs(source: TomlSource, key: str) -> tuple[str, str] | None:
    """ "wings=on": the setting and its value."""
    if "needs" not in source.names(key):
        return None
    other, equals, value = source.text(f"{key}.needs").partition("=")
    if not equals or other not in source.names("settings"):
        raise source.wrong(f"{key}.needs", "must be another setting, = and its value")
    return other, value


def _files(source: TomlSource, key: str) -> tuple[str, ...]:
    """The part that "*" matches in the names of files in the same folder."""
    pattern = source.text(key, " ").strip()
    if not pattern:
        return ()
    before, star, after = pattern.partition(ANY)
    if not star or ANY in after or "/" in pattern:
        raise source.wrong(key, "must be a file's name with one *")
    choices = sorted(path.name.removeprefix(before).removesuffix(after) for path in source.path.parent.glob(pattern))
    if not choices:
        raise source.wrong(key, f"there is no file {pattern} here")
    return tuple(choices)


def read_options(name: str, settings: tuple[Setting, ...], options: Mapping[str, str]) -> Mapping[str, str]:
    """The options with tidied values. VariantError for an unknown setting or value."""
    known = {setting.key: setting for setting in settings}
    values: dict[str, str] = {}
    for key, value in options.items():
        if key not in known:
            every = ", ".join(dict.fromkeys((*known, *HOUSE_RULES)))
            raise VariantError(f"{name}: no setting {key!r}; there are {every}")
        choice = known[key].parse(value)
        if choice is None:
            raise VariantError(f"{name}: the setting {key} is {_range(known[key])}, not {value!r}")
        values[key] = choice
    return values


def _range(setting: Setting) -> str:
    numbers = (f"a whole number from {setting.low} to {setting.high}",) if setting.numeric else ()
    return " or ".join((*setting.choices, *numbers))


def apply_settings(source: TomlSource, settings: tuple[Setting, ...], options: Mapping[str, str]) -> TomlSource:
    """variant.toml with these choices; defaults count as chosen."""
    for setting in settings:
        value = options.get(setting.key, setting.default)
        for when in (ANY, value):
            if when in source.names(f"settings.{setting.key}.when"):
                source = source.with_table(f"settings.{setting.key}.when.{when}", value)
    return source


def single_choices(settings: tuple[Setting, ...]) -> Iterator[Mapping[str, str]]:
    """Each value of each setting (the ends of a range), one at a time: for checking a variant's files."""
    for setting in settings:
        ends = (str(setting.low), str(setting.high)) if setting.numeric else ()
        for value in (*setting.choices, *ends):
            yield {setting.key: value}
