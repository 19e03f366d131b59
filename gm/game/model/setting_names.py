"""How game masters write settings: keys of several words, other judges' names, a reason after the value."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

MOST_WORDS = 3
"""Words of a key that may stand at the beginning of its value."""
FAMILY = "timing"
"""Before keys of schedules: "timing.retreats"."""
AFTER_PHRASE = frozenset({"", "build", "builds"})
"""What may follow a phrase that is key and value in one, like "any centre"."""
UNSUPPORTED_SETTINGS: Mapping[str, str] = {
    **dict.fromkeys(("postal", "postal_press"), "postal"),
    **dict.fromkeys(("dp_cap_per_order", "dp_overspend", "dp_reveal"), "points"),
    **dict.fromkeys(("press_fake", "press_faked", "fake", "fakes", "fake_press"), "fake"),
}
"""Settings, or values of them, that other judges have and this game does not -> the sentence that says so."""
REASON = re.compile(
    r"[\s,;.(]+(?:(?:because(?: of)?|since|denn|(?:reason|grund)\s*[:=])\s*|(?=(?:weil|wegen)\s))(?P<why>\S.*)",
    re.IGNORECASE,
)
"""German "weil" and "wegen" stay with the reason, whose words they order."""


def split_reason(value: str) -> tuple[str, str]:
    """A value and the reason given for it, "" where there is none: "20 because we agreed"."""
    match = REASON.search(value)
    return (value, "") if match is None else (value[: match.start()], match["why"].rstrip(" )"))


def split_key(key: str, value: str, known: Collection[str], phrases: Mapping[str, tuple[str, str]]) -> tuple[str, str]:
    """A key whose last words came with the value ("empty", "seats: yes"), and the rest of the value.

    The longest key wins. `phrases` are words that mean a key and its value in one.
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
    """ "= 20", "to 20"."""
    return re.sub(r"^(?:[:=]+\s*|(?:to|auf)\s+)+", "", value, flags=re.IGNORECASE)


def unsupported_setting(key: str, value: str) -> str:
    """The name in ELSEWHERE of such a setting, or such a value of one; "" for others."""
    both = "_".join(_words(f"{key} {value}"))
    return UNSUPPORTED_SETTINGS.get(both) or UNSUPPORTED_SETTINGS.get(key, "")
