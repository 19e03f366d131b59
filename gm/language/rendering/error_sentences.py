"""A trouble -> one sentence, from templates/sentences/<language>/line_errors.toml.

`trouble.<key>` is the sentence, or that of the cause (order_outcomes.toml) where reading finds what the step would
find.
Fields that list places or units come as codes with blanks between ("Bre Spa/nc", "A_Par"); here they become "Bre, Gas
and Spa/nc". A sentence with such a list may have a twin `<key>-none` for an empty one.
"""

from __future__ import annotations

from collections.abc import Mapping

from gm.language.i18n.catalogue import Catalogue
from gm.language.i18n.normalize import clean
from gm.language.lines.letter_contents import LineError
from gm.language.rendering import border_words as stretches

LISTS: Mapping[str, str] = {"reach": "and", "units": "and", "places": "or", "coasts": "or"}
"""Fields that are lists, and how the last item is joined."""
GONE = "…"
MOST_QUOTED = 200
"""Characters of the writer's own words that a sentence repeats."""
SHEETS = ("sheet", "now")
"""Fields that name a kind of sheet by its grammar."""


def sentence(catalogue: Catalogue, trouble: LineError) -> str:
    fields: dict[str, str] = {"word": trouble.text[trouble.start : trouble.end].strip(), "line": trouble.text.strip()}
    asked = fields["word"]
    fields |= dict(trouble.fields)
    if fields["word"] == clean(asked).text:
        fields["word"] = asked  # with the accents that it was written with
    if len(fields["word"]) > MOST_QUOTED:
        fields["word"] = fields["word"][:MOST_QUOTED] + GONE
    key = _key(catalogue, trouble)
    borders = fields.get("borders", "").split()
    fields |= {name: told(catalogue, borders) for name, told in stretches.FORMS.items() if borders}
    for name in SHEETS:
        if name in fields and f"trouble-sheet.{fields[name]}" in catalogue:
            fields[name] = catalogue.say(f"trouble-sheet.{fields[name]}")
    for name, joint in LISTS.items():
        if name in fields:
            fields[name] = _listed(catalogue, fields[name].split(), joint)
    return catalogue.say(key, **fields)


def kind(catalogue: Catalogue, trouble: LineError) -> str:
    """The sentence without a word or a name of the line, for who must not read it."""
    names = ("word", "line", *stretches.FORMS, *(name for name, _ in trouble.fields))
    return catalogue.say(_key(catalogue, trouble), **dict.fromkeys(names, GONE))


def _key(catalogue: Catalogue, trouble: LineError) -> str:
    key = f"trouble.{trouble.key}"
    if key not in catalogue:
        key = f"cause.{trouble.key}"
    empty = any(not value for name, value in trouble.fields if name in LISTS)
    return f"{key}-none" if empty and f"{key}-none" in catalogue else key


def _listed(catalogue: Catalogue, items: list[str], joint: str) -> str:
    *first, last = [catalogue.called(item.replace("_", " ")) for item in items] or [""]
    return catalogue.say(f"trouble-list.{joint}", first=", ".join(first), last=last) if first else last
