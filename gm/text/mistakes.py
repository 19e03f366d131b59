"""A trouble -> one sentence, from templates/sentences/<language>/reading.toml.

`trouble.<key>` is the sentence. Fields that list places or units come as codes with blanks between ("Bre Spa/nc",
"A_Par"); here they become "Bre, Gas and Spa/nc". A sentence with such a list may have a twin
`<key>-none` for an empty one.
"""

from __future__ import annotations

from collections.abc import Mapping

from gm.text.catalogue import Catalogue
from gm.text.reading import Trouble

LISTS: Mapping[str, str] = {"reach": "and", "units": "and", "places": "or", "coasts": "or"}
"""Fields that are lists, and how the last item is joined."""
SHEETS = ("sheet", "now")
"""Fields that name a kind of sheet by its grammar."""


def sentence(catalogue: Catalogue, trouble: Trouble) -> str:
    fields: dict[str, str] = {"word": trouble.text[trouble.start : trouble.end].strip(), "line": trouble.text.strip()}
    fields |= dict(trouble.fields)
    key = f"trouble.{trouble.key}"
    empty = any(not value for name, value in trouble.fields if name in LISTS)
    if empty and f"{key}-none" in catalogue:
        key = f"{key}-none"
    for name in SHEETS:
        if name in fields and f"trouble-sheet.{fields[name]}" in catalogue:
            fields[name] = catalogue.say(f"trouble-sheet.{fields[name]}")
    for name, joint in LISTS.items():
        if name in fields:
            fields[name] = _listed(catalogue, fields[name].split(), joint)
    return catalogue.say(key, **fields)


def _listed(catalogue: Catalogue, items: list[str], joint: str) -> str:
    *first, last = [item.replace("_", " ") for item in items] or [""]
    return catalogue.say(f"trouble-list.{joint}", first=", ".join(first), last=last) if first else last
