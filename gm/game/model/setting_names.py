"""How game masters write a setting: keys of several words, the field's names for some, and a reason behind a value."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

MOST_WORDS = 3
"""Words of a key that may stand at the beginning of its value."""
FAMILY = "timing"
"""Before keys of schedules: "timing.retreats"."""
PHRASES: Mapping[str, tuple[str, str]] = {
    f"{which}{word}": ("build_rule", rule)
    for which, rule in (("any_", "any"), ("one_", "one-home"), ("home_", "home"))
    for word in ("centre", "center", "centres", "centers", "sc", "scs")
} | {
    f"{build}_{where}": ("build_rule", rule)
    for build in ("build", "builds")
    for where, rule in (("anywhere", "any"), ("any", "any"), ("home", "home"), ("one_home", "one-home"))
}
"""What older judges set without a value: "SET ANY CENTRE"."""
BUILDS = frozenset({"", "build", "builds"})
ELSEWHERE: Mapping[str, str] = {
    **dict.fromkeys(("postal", "postal_press"), "postal"),
    **dict.fromkeys(("dp_cap_per_order", "dp_overspend", "dp_reveal"), "points"),
    **dict.fromkeys(("press_fake", "press_faked", "fake", "fakes", "fake_press"), "fake"),
}
"""What the field calls settings, or values of them, and is none here, or not of this game: which sentence says so."""
BECAUSE = re.compile(
    r"[\s,;.(]+(?:(?:because(?: of)?|since|denn|(?:reason|grund)\s*[:=])\s*|(?=(?:weil|wegen)\s))(?P<why>\S.*)",
    re.IGNORECASE,
)
"""German "weil" and "wegen" stay with the reason, whose words they order."""


def parted(value: str) -> tuple[str, str]:
    """A value and the reason given for it, "" where there is none: "20 because we agreed"."""
    found = BECAUSE.search(value)
    return (value, "") if found is None else (value[: found.start()], found["why"].rstrip(" )"))


def whole_key(key: str, value: str, known: Collection[str]) -> tuple[str, str]:
    """A key whose last words came with the value ("empty", "seats: yes"), the longest that there is, and its value."""
    said = _words(key)
    words = value.split()
    said = said[1:] if said[:1] == [FAMILY] else said
    for count in range(min(MOST_WORDS, len(words)), -1, -1):
        whole = "_".join((*said, *(part for word in words[:count] for part in _words(word))))
        rest = " ".join(words[count:])
        if whole in PHRASES and rest.lower() in BUILDS:
            return PHRASES[whole]
        if whole in known and count < max(1, len(words)):
            return whole, _bare(rest)
    return "_".join(said) or FAMILY, _bare(" ".join(words))


def _words(text: str) -> list[str]:
    return [part for part in re.split(r"[\s_.:=-]+", text.lower()) if part]


def _bare(value: str) -> str:
    """ "= 20", "to 20"."""
    return re.sub(r"^(?:[:=]+\s*|(?:to|auf)\s+)+", "", value, flags=re.IGNORECASE)


def elsewhere(key: str, value: str) -> str:
    """The name of the sentence on such a setting, or such a value of one; "" for no such."""
    both = "_".join(_words(f"{key} {value}"))
    return next((ELSEWHERE[one] for one in (both, key) if one in ELSEWHERE), "")


ALIASES: Mapping[str, str] = {
    "proxies": "proxy",
    "proxy_orders": "proxy",
    "gunboat": "anonymous",
    "anonymity": "anonymous",
    "anonym": "anonymous",
    "anonymus": "anonymous",
    "anonimous": "anonymous",
    "annonymous": "anonymous",
    "move": "moves",
    "movement": "moves",
    "orders": "moves",
    "retreat": "retreats",
    "build": "builds",
    "adjustments": "builds",
    "adjust": "builds",
    "winter": "builds",
    "timezone": "zone",
    "time_zone": "zone",
    "tz": "zone",
    "reminders": "reminder",
    "lang": "language",
    "slot": "moves",
    "slots": "moves",
    "absences": "absence",
    "listed": "list",
    "minor_press": "press_minor_phases",
    "late_press": "press_late",
    "partial_press": "partial",
    "listing": "list",
    "timing": "moves",
    "illegal": "illegal_orders",
    "illegal_order": "illegal_orders",
    "impossible_orders": "illegal_orders",
    "votes": "draw_votes",
    "draws": "dias",
    "concessions": "concede",
    "concession": "concede",
    "max_absence": "absence_max",
    "wait": "wait_policy",
    "drafts": "preliminary_used_on_nmr",
    "preliminary": "preliminary_used_on_nmr",
    "prelim": "preliminary_used_on_nmr",
}
