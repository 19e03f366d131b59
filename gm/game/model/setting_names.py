"""How game masters write settings: keys of several words, other judges' names, a reason after the value."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

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
