"""Borders between provinces in words (Seismic): "#1 ends at Por and Gas, #2 at WES and Por".

A border is given as its number and end provinces, "1:Por:Gas"; "1::" is a loop without ends.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from gm.language.i18n.catalogue import Catalogue


def _parts(border: str) -> tuple[str, list[str]]:
    number, *codes = border.split(":")
    return number, [code for code in codes if code]


def ends(catalogue: Catalogue, borders: Sequence[str]) -> str:
    parts = []
    for at, border in enumerate(borders):
        number, codes = _parts(border)
        key = ("first" if at == 0 else "further") if codes else "loop"
        parts.append(
            catalogue.say(f"border.{key}", n=number, one=codes[0] if codes else "", two=codes[-1] if codes else "")
        )
    return ", ".join(parts)


def only_ends(catalogue: Catalogue, borders: Sequence[str]) -> str:
    """The ends of the first border, without its number."""
    _, codes = _parts(borders[0]) if borders else ("", [])
    return catalogue.say("border.ends", one=codes[0], two=codes[-1]) if codes else ""


def choices(catalogue: Catalogue, borders: Sequence[str]) -> str:
    return ", ".join(
        catalogue.say("border.choice", n=number, ends="–".join(codes)) for number, codes in map(_parts, borders)
    )


def numbers(catalogue: Catalogue, borders: Sequence[str]) -> str:
    return catalogue.either(catalogue.say("border.number", n=_parts(border)[0]) for border in borders)


FORMS: Mapping[str, Callable[[Catalogue, Sequence[str]], str]] = {
    "ends": ends,
    "only": only_ends,
    "choices": choices,
    "numbers": numbers,
}
"""The fields by which a sentence may name borders."""
