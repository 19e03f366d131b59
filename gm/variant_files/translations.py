"""names.<language>.toml of a variant's folder: names of provinces, powers and units in a language.

    [provinces]
    Mun = "München"
    TYS = ["Tyrrhenisches Meer", "tyr"]     its name, then what else it is called there
    [powers]
    Germany = ["Deutschland", "deutsch"]    minor powers as well
    [kinds]
    A = "Armee"
    [settings]
    bid_hours = "…"                         what a setting of the variant's own means
    [described]
    summary = "…"                           its line in lists of variants
    variant = ["bewegliche Grenze"]         what people call it; or "wings on", a line of SET, where they mean that, too

`special = ["…"]` translates the lines of variant.toml. `like = "standard"` takes over the names of another variant
for whatever this one has, too.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from gm.judge.model.variant import LocalName, Translation, Variant
from gm.language.i18n.place_names import words
from gm.variant_files.toml_source import TomlSource

FILE = "names.{}.toml"
SUMMARY = "summary"
KEYS = ("like", "special", "provinces", "powers", "kinds", "settings", "described")


def read_translations(home: Path, variant: Variant) -> Mapping[str, Translation]:
    """By language; names of unknown things are skipped. VariantError for a name that two provinces have."""
    return dict(_read(home, file, variant) for file in sorted(home.glob(FILE.format("*"))))


def check_translations(home: Path, variants: Sequence[Variant]) -> None:
    """VariantError for a name of something that none of these has: the variant, composed with each choice."""
    for file in sorted(home.glob(FILE.format("*"))):
        _check_known(TomlSource.open(file), variants)


def _read(home: Path, file: Path, variant: Variant) -> tuple[str, Translation]:
    language = file.name.split(".")[1]
    source = TomlSource.open(file)
    source.check_keys(KEYS)
    below = _open_like(source, home, file.name)
    provinces = _read_names(below, source, "provinces", variant.start.board.provinces)
    _check_unique(source, provinces)
    return language, Translation(
        provinces,
        _read_names(below, source, "powers", variant.nations),
        _read_names(below, source, "kinds", variant.kinds),
        {key: source.text(f"settings.{key}") for key in source.names("settings")},
        source.strings("special"),
        source.text(f"described.{SUMMARY}", " ").strip(),
        read_described(source),
    )


def read_described(source: TomlSource) -> Mapping[str, tuple[str, ...]]:
    """What people call the variant, by "variant" or the line of a setting."""
    return {key: source.strings(f"described.{key}") for key in source.names("described") if key != SUMMARY}


def _open_like(source: TomlSource, home: Path, file: str) -> TomlSource | None:
    """The other variant's file that `like` names."""
    name = source.text("like", " ").strip()
    if not name:
        return None
    if not (home.parent / name / file).is_file():
        raise source.wrong("like", f"there is no {name}/{file}", name)
    return TomlSource.open(home.parent / name / file)


def _check_known(source: TomlSource, variants: Sequence[Variant]) -> None:
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


def _read_names(
    below: TomlSource | None, source: TomlSource, table: str, known: Collection[str]
) -> Mapping[str, LocalName]:
    names: dict[str, LocalName] = {}
    for file in (below, source) if below is not None else (source,):
        for key in file.names(table):
            name, *aliases = file.texts(f"{table}.{key}") or ("",)
            if not name.strip():
                raise file.wrong(f"{table}.{key}", "must be a name, or a list of names")
            if key in known:
                names[key] = LocalName(name, tuple(aliases))
    return names


def _check_unique(source: TomlSource, provinces: Mapping[str, LocalName]) -> None:
    owners: dict[str, str] = {}
    for code, called in provinces.items():
        for name in (called.name, *called.aliases):
            other = owners.setdefault(" ".join(words(name)), code)
            if other != code:
                raise source.wrong(f"provinces.{code}", f"{name!r} is what {other} is called already", name)
