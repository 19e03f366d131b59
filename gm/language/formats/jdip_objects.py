"""Saved games of jDip 1.6: its Java objects as XML, unpacked from gzip. Read only.

    <jsx …><object class="dip.world.World" id="i0">…
      <object field="position" class="dip.world.Position" id="i9"><array field="provArray" base="…$ProvinceData" …>
        <null/><object class="dip.world.Position$ProvinceData" …><object field="unit" class="dip.world.Unit" …>
          <reference field="owner" idref="i3"/>…

An object that was written before is a `reference` to its id. The entries of `provArray` are those of the map's
`provinces`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from gm.judge.board.board import Place
from gm.judge.model.variant import Variant
from gm.language.formats.jdip import dislodged_units, kind_code, phase_code
from gm.language.formats.saved_game import GameFormat, SavedGame, UnreadGameError, check_variant, checked, code_of
from gm.language.formats.xml_tree import XmlElement, parse_xml

PROGRAM = "jdip"
DETECT = re.compile(r"\s*(<\?xml[^>]{0,200}>\s*)?<jsx\b", re.IGNORECASE)
WRAPPERS = frozenset({"default", "declaredClass"})
"""Elements around the fields of one class; the fields are the object's own."""
SPRING_POSITION = "1000"
COASTS = frozenset({"nc", "sc", "ec", "wc"})


def _read(variant: Variant, own: Mapping[str, Any], text: str) -> SavedGame:
    objects = _Objects(parse_xml(text))
    check_variant(variant, PROGRAM, objects.variant())
    turns = sorted(objects.of("dip.world.TurnState"), key=lambda turn: _rank(objects.phase(turn)))
    if not turns:
        raise UnreadGameError("no-phase")
    document, assumed = _Turn(variant, objects, turns[-1], turns[-2] if len(turns) > 1 else None).document()
    document, destroyed = checked(document)
    return SavedGame(document, len(turns), (*assumed, *destroyed))


def _rank(phase: str) -> tuple[int, int]:
    return int(phase[1:-1]), ("SM", "SR", "FM", "FR", "WA").index(phase[0] + phase[-1])


class _Objects:
    """The objects of a file, by their ids."""

    def __init__(self, root: XmlElement) -> None:
        self.root = root
        self.by_id: dict[str, XmlElement] = {}
        self.by_class: dict[str, list[XmlElement]] = {}
        pending = [root]
        while pending:
            element = pending.pop()
            pending.extend(reversed(element.children))
            self.by_id.setdefault(element.get("id"), element)
            self.by_class.setdefault(element.get("class"), []).append(element)

    def of(self, name: str) -> list[XmlElement]:
        return self.by_class.get(name, [])

    def items(self, element: XmlElement | None) -> Iterator[XmlElement]:
        """The children, with those inside of wrappers; references replaced by what they mean."""
        for child in element.children if element is not None else ():
            if child.tag in WRAPPERS:
                yield from self.items(child)
            else:
                yield child

    def field(self, element: XmlElement | None, name: str) -> XmlElement | None:
        """The value of a field; None where it is null or missing."""
        value = next((child for child in self.items(element) if child.get("field") == name), None)
        return self.meant(value)

    def meant(self, element: XmlElement | None) -> XmlElement | None:
        if element is None or element.tag == "null":
            return None
        return self.by_id.get(element.get("idref")) if element.tag == "reference" else element

    def value(self, element: XmlElement | None, name: str) -> str:
        field = self.field(element, name)
        return field.get("value") if field is not None else ""

    def variant(self) -> str:
        return next((self.value(info, "variantName") for info in self.of("dip.world.World$VariantInfo")), "")

    def phase(self, turn: XmlElement) -> str:
        phase = self.field(turn, "phase")
        season = "spring" if self.value(self.field(phase, "seasonType"), "position") == SPRING_POSITION else "fall"
        year = self.value(self.field(phase, "yearType"), "year")
        return phase_code(season, year, self.value(self.field(phase, "phaseType"), "constName"))


class _Turn:
    """One turn as a document."""

    def __init__(self, variant: Variant, objects: _Objects, turn: XmlElement, before: XmlElement | None) -> None:
        self.variant, self.objects, self.turn = variant, objects, turn
        self.results = [
            result
            for listed in (turn, before)
            for each in objects.items(objects.field(listed, "resultList"))
            if (result := objects.meant(each)) is not None and result.get("class").endswith(".DislodgedResult")
        ]

    def document(self) -> tuple[dict[str, Any], tuple[str, ...]]:
        objects, position = self.objects, self.objects.field(self.turn, "position")
        places = [
            self.province(each) for each in objects.items(objects.field(objects.field(position, "map"), "provinces"))
        ]
        units: dict[str, list[str]] = {}
        centers: dict[str, list[str]] = {}
        driven: list[tuple[str, str, str]] = []
        for place, entry in zip(places, objects.items(objects.field(position, "provArray")), strict=False):
            data = objects.meant(entry)
            for name in ("unit", "dislodgedUnit"):
                unit = objects.field(data, name)
                if unit is not None and name == "unit":
                    units.setdefault(self.power(objects.field(unit, "owner")), []).append(self.unit(unit, place))
                elif unit is not None:
                    driven.append((self.power(objects.field(unit, "owner")), self.unit(unit, place), place))
            owner = objects.field(data, "SCOwner")
            if owner is not None:
                centers.setdefault(self.power(owner), []).append(place)
        dislodged, assumed = dislodged_units(self.variant, driven, units, self.driven_from)
        phase = objects.phase(self.turn)
        return {"phase": phase, "units": units, "centers": centers, "dislodged": dislodged}, assumed

    def driven_from(self, place: str) -> tuple[str, list[str] | None]:
        """Where the attacker of the unit in this province came from, and the retreats, None if they are not told."""
        objects = self.objects
        for result in self.results:
            source = objects.field(objects.field(result, "order"), "src")
            origin = objects.field(result, "dislodger")
            if origin is not None and self.location(source).partition("/")[0] == place:
                ends = objects.field(result, "retreatLocations")
                listed = [self.location(objects.meant(each)) for each in objects.items(ends)]
                return self.province(origin), listed if ends is not None else None
        raise UnreadGameError("no-attacker", place=place)

    def province(self, element: XmlElement | None) -> str:
        province = self.objects.meant(element)
        names = self.objects.items(self.objects.field(province, "shortNames"))
        short = next((meant.get("value") for name in names if (meant := self.objects.meant(name)) is not None), "")
        code = code_of(self.variant, short)
        return code if code in self.variant.start.board.provinces else self.objects.value(province, "fullName")

    def location(self, element: XmlElement | None) -> str:
        place = self.province(self.objects.field(element, "province"))
        return str(Place(place, self.coast(self.objects.field(element, "coast"))))

    def coast(self, element: XmlElement | None) -> str:
        coast = self.objects.value(element, "abbreviation")
        return coast if coast in COASTS else ""

    def power(self, element: XmlElement | None) -> str:
        names = self.objects.items(self.objects.field(element, "names"))
        return next((meant.get("value") for name in names if (meant := self.objects.meant(name)) is not None), "?")

    def unit(self, element: XmlElement, place: str) -> str:
        kind = self.objects.value(self.objects.field(element, "type"), "internalName")
        return f"{kind_code(self.variant, kind)} {Place(place, self.coast(self.objects.field(element, 'coast')))}"


FORMAT = GameFormat(PROGRAM, DETECT.match, _read)
