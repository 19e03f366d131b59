"""Renders a `LineError` as one sentence, from templates/sentences/<language>/line_errors.toml.

`trouble.<key>` is the sentence; where reading finds what a step would find, `cause.<key>` of order_outcomes.toml is.
Fields that list places or units hold codes separated by blanks ("Bre Spa/nc", "A_Par") and become "Bre, Gas and
Spa/nc". A sentence with such a list may have a twin `<key>-none` for an empty list.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from gm.language.i18n.catalogue import Catalogue
from gm.language.i18n.normalize import clean
from gm.language.lines.letter_contents import LineError
from gm.language.rendering import border_words

LISTS: Mapping[str, Callable[[Catalogue, list[str]], str]] = {
    **dict.fromkeys(("reach", "units"), Catalogue.every),
    **dict.fromkeys(("places", "coasts"), Catalogue.either),
}
"""Fields that are lists, with how their items are joined."""
GONE = "…"
MOST_QUOTED = 200
"""Characters of the player's words that a sentence quotes."""
TWINS = ("sooner", "own")
"""Fields for which a sentence may have a twin."""
SHEETS = ("sheet", "now")
"""Fields that name a kind of sheet."""


def sentence(catalogue: Catalogue, trouble: LineError) -> str:
    fields: dict[str, str] = {"word": trouble.marked.strip(), "line": trouble.text.strip()}
    typed = fields["word"]
    fields |= dict(trouble.fields)
    if fields["word"] == clean(typed).text:
        fields["word"] = typed  # with its accents
    for name in ("word", "left"):
        if len(fields.get(name, "")) > MOST_QUOTED:
            fields[name] = fields[name][:MOST_QUOTED] + GONE
    key = _key(catalogue, trouble)
    borders = fields.get("borders", "").split()
    fields |= {name: render(catalogue, borders) for name, render in border_words.FORMS.items() if borders}
    for name in SHEETS:
        if name in fields and f"trouble-sheet.{fields[name]}" in catalogue:
            fields[name] = catalogue.say(f"trouble-sheet.{fields[name]}")
    for name, join in LISTS.items():
        if name in fields:
            fields[name] = join(catalogue, [item.replace("_", " ") for item in fields[name].split()])
    return catalogue.say(key, **fields)


def kind(catalogue: Catalogue, trouble: LineError) -> str:
    """The sentence without words or names from the line, for readers who must not see them."""
    names = ("word", "line", *border_words.FORMS, *(name for name, _ in trouble.fields))
    return catalogue.say(_key(catalogue, trouble), **dict.fromkeys(names, GONE))


def _key(catalogue: Catalogue, trouble: LineError) -> str:
    key = f"trouble.{trouble.key}"
    if key not in catalogue:
        key = f"cause.{trouble.key}"
    for twin in TWINS:
        if dict(trouble.fields).get(twin) and f"{key}-{twin}" in catalogue:
            return f"{key}-{twin}"
    if dict(trouble.fields).get("left") and f"{key}-part" in catalogue:
        return f"{key}-part"
    empty = any(not value for name, value in trouble.fields if name in LISTS)
    return f"{key}-none" if empty and f"{key}-none" in catalogue else key
