"""Persons as they come to be known here."""

from __future__ import annotations

import re
from zoneinfo import ZoneInfo

from gm.game.model.ports import Store
from gm.game.model.records import Person
from gm.game.model.services import Services
from gm.language.dates.time_zones import find_zone

ADDRESS = re.compile(r"[^@\s<>,;:\"()\\]{1,64}@[^@\s<>,;:\"()\\]{1,190}")
NAME_MOST = 80


def tidy(name: str) -> str:
    return " ".join(name.split())[:NAME_MOST]


def good(office: Services, address: str) -> bool:
    """May this be a person's address? None of ours; and a host without a dot is one only where ours has none."""
    whole = bool(ADDRESS.fullmatch(address)) and ("." in address.rpartition("@")[2] or "." not in office.post.domain)
    return whole and not address.endswith(".") and not office.post.ours(address)


def known_or_new(store: Store, address: str, name: str, zone: str, language: str = "") -> Person:
    """A person keeps the name he is known by; a new one gets this, or what stands before the @.

    Whoever chose no language is written to in that of his game.
    """
    known = store.people.by_address(address)
    if known is not None:
        return known
    found = find_zone(zone, ZoneInfo("UTC"))
    return store.people.add(
        Person(0, tidy(name) or address.partition("@")[0], (address,), found.key if found else "UTC", language)
    )
