"""names.<language>.toml of a variant's folder: what the board and the players' countries are called in a language.

    [provinces]
    Mun = "München"
    TYS = ["Tyrrhenisches Meer", "tyr"]     its name, then what else it is called there
    [powers]
    Germany = ["Deutschland", "deutsch"]    minor powers as well
    [kinds]
    A = "Armee"
    [settings]
    bid_hours = "…"                         what a setting of the variant's own means

`special = ["…"]` are the lines of variant.toml, in that language. `like = "standard"` takes the names of another
variant as far as there is such a thing in this one.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from gm.judge.model.variant import LocalName, Translation, Variant
from gm.language.i18n.place_names import words
from gm.variant_files.toml_source import TomlSource

FILE = "names.{}.toml"
KEYS = ("like", "special", "provinces", "powers", "kinds", "settings")


def read_tongues(home: Path, variant: Variant) -> Mapping[str, Translation]:
    """By language, as far as the variant has such things. VariantError for a name that two provinces have."""
    return dict(_read(home, file, variant) for file in sorted(home.glob(FILE.format("*"))))


def check_tongues(home: Path, variants: Sequence[Variant]) -> None:
    """VariantError for what is in none of these: the variant, composed with each choice that there is."""
    for file in sorted(home.glob(FILE.format("*"))):
        _known(TomlSource.open(file), variants)


def _read(home: Path, file: Path, variant: Variant) -> tuple[str, Translation]:
    language = file.name.split(".")[1]
    source = TomlSource.open(file)
    source.only(KEYS)
    below = _below(source, home, file.name)
    provinces = _called(below, source, "provinces", variant.start.board.provinces)
    _each_once(source, provinces)
    return language, Translation(
        language,
        provinces,
        _called(below, source, "powers", variant.nations),
        _called(below, source, "kinds", variant.kinds),
        {key: source.text(f"settings.{key}") for key in source.names("settings")},
        source.strings("special"),
    )


def _below(source: TomlSource, home: Path, file: str) -> TomlSource | None:
    """The names that this file takes from another variant's."""
    name = source.text("like", " ").strip()
    if not name:
        return None
    if not (home.parent / name / file).is_file():
        raise source.wrong("like", f"there is no {name}/{file}", name)
    return TomlSource.open(home.parent / name / file)


def _known(source: TomlSource, variants: Sequence[Variant]) -> None:
    first = variants[0]
    tables: Mapping[str, tuple[Collection[str], str]] = {
        "provinces": (
            {code for variant in variants for code in variant.start.board.provinces},
            "no such province on the map",
        ),
        "powers": ({name for variant in variants for name in variant.nations}, "no such power in this variant"),
        "kinds": ({code for variant in variants for code in variant.kinds}, "no such kind of unit in this variant"),
        "settings": ({setting.key for setting in first.settings}, "no such setting of this variant's own"),
    }
    for table, (known, fault) in tables.items():
        for key in source.names(table):
            if key not in known:
                raise source.wrong(f"{table}.{key}", fault)
    if source.strings("special") and len(source.strings("special")) != len(first.special):
        raise source.wrong("special", f"has not as many lines as in variant.toml, which are {len(first.special)}")


def _called(
    below: TomlSource | None, source: TomlSource, table: str, known: Collection[str]
) -> Mapping[str, LocalName]:
    found: dict[str, LocalName] = {}
    for one in (below, source) if below is not None else (source,):
        for key in one.names(table):
            name, *aliases = one.texts(f"{table}.{key}") or ("",)
            if not name.strip():
                raise one.wrong(f"{table}.{key}", "must be a name, or a list of names")
            if key in known:
                found[key] = LocalName(name, tuple(aliases))
    return found


def _each_once(source: TomlSource, provinces: Mapping[str, LocalName]) -> None:
    owners: dict[str, str] = {}
    for code, called in provinces.items():
        for name in (called.name, *called.aliases):
            other = owners.setdefault(" ".join(words(name)), code)
            if other != code:
                raise source.wrong(f"provinces.{code}", f"{name!r} is what {other} is called already", name)
