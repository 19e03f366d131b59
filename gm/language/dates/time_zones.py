"""Finds time zones by name or city: "Europe/Berlin", "europe/berlin", "Berlin", "New York", "Wien".

grammars/zones.toml has the names that IANA lacks. Short names that stand for several zones ("CST", "IST", "BST") are
not accepted. Letters name a zone by its city.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from difflib import get_close_matches
from functools import cache, lru_cache
from zoneinfo import ZoneInfo, available_timezones

from gm import resources
from gm.language.i18n.normalize import clean
from gm.language.i18n.vocabulary import spellings

PLAIN = frozenset({"UTC", "GMT"})
LONGEST = 60
TIME = re.compile(r"(?:_(?:standard|summer|daylight|local))?_(?:sommer|orts)?(?:time|zeit)$")
"""What may follow the name of a zone: "Vienna time", "Wiener Zeit"."""
UMLAUTS = {"ä": "ae", "ö": "oe", "ü": "ue"}


def named_zone(text: str, home: ZoneInfo | None = None) -> ZoneInfo | None:
    """As `find_zone`, where nothing but a zone can stand: also "Vienna time", "MEZ", "Graz, Austria", "US Eastern"."""
    wanted = TIME.sub("", _folded(re.split("[,(]", text, maxsplit=1)[0]))
    for name in (wanted, wanted.removesuffix("er")):
        if key := _other_names("names").get(name):
            return ZoneInfo(key)
        if zone := find_zone(name, home):
            return zone
    return None


def find_zone(text: str, home: ZoneInfo | None = None) -> ZoneInfo | None:
    """The zone with that name or city, ignoring case; None if there is none, or several that differ.

    `home` wins among cities of the same name.
    """
    wanted = _folded(text)
    if not wanted or len(wanted) > LONGEST:
        return None
    if key := _keys().get(wanted) or _other_names("cities").get(wanted):
        return ZoneInfo(key)
    keys = _cities().get(wanted, ())
    if home is not None and home.key in keys:
        return home
    if not keys or len({_offsets(key) for key in keys}) > 1:
        return None
    return ZoneInfo(keys[0])


@lru_cache(maxsize=256)
def near_zones(text: str) -> tuple[str, ...]:
    """Names of zones similar to the text, best first, as suggestions. Cached only for speed: odd words come again."""
    wanted = _folded(text)[:LONGEST].rpartition("/")[2]
    near = [_cities()[city][0] for city in get_close_matches(wanted, _cities(), cutoff=0.78)]
    others = _other_names("cities")
    near = near or [others[name] for name in get_close_matches(wanted, others, cutoff=0.78)]
    return tuple(dict.fromkeys(near))


def _folded(text: str) -> str:
    words = " ".join(text[: 2 * LONGEST].split())
    return "_".join(clean(words).text.lower().split()) if words.isprintable() else ""


@cache
def _other_names(kind: str) -> Mapping[str, str]:
    """Folded names of a table of grammars/zones.toml -> keys."""
    table = resources.read_table(resources.folder("grammars") / "zones.toml")[kind]
    return {
        _folded(spelling): key
        for key, names in table.items()
        for name in names
        for spelling in spellings(name, UMLAUTS)
    }


def city(zone: ZoneInfo) -> str:
    """ "New York" for America/New_York; "" for zones that are no place, like UTC and Etc/GMT+5."""
    if zone.key.startswith("Etc/") or zone.key.upper() == zone.key or zone.key[-1].isdigit():
        return ""
    return zone.key.rpartition("/")[2].replace("_", " ")


@cache
def _keys() -> Mapping[str, str]:
    usable = (key for key in available_timezones() if not key.startswith(("posix", "right", "SystemV", "Factory")))
    return {key.lower(): key for key in usable if key != "localtime" and ("/" in key or _is_place(key))}


def _is_place(key: str) -> bool:
    return key in PLAIN or (key.upper() != key and not key[-1].isdigit())


@cache
def _cities() -> Mapping[str, tuple[str, ...]]:
    """Zones by city, shortest names first: longer ones are older spellings."""
    cities: dict[str, list[str]] = {}
    for key in sorted(_keys().values(), key=lambda key: (key.count("/"), len(key), key)):
        if city(ZoneInfo(key)):
            cities.setdefault(key.rpartition("/")[2].lower(), []).append(key)
    return {name: tuple(keys) for name, keys in cities.items()}


@cache
def _offsets(key: str) -> tuple[timedelta | None, ...]:
    months = (datetime(2026, month, 1, tzinfo=UTC) for month in range(1, 13))
    return tuple(month.astimezone(ZoneInfo(key)).utcoffset() for month in months)
