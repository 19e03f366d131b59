"""House rules: settings that every variant has, and what each changes in a composed one.

They change values of the Variant and nothing on its map, so that variants which differ in them share one board, with
all that is remembered of it. What they mean is the catalogue's to say.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from gm.judge.model.variant import Setting, Variant
from gm.judge.steps.build_rules import AT_HOME, BUILD_RULES

OPTIONAL, REQUIRED = ROUTES = ("optional", "required")
CALLED_ROUTES = {"no": OPTIONAL, "yes": REQUIRED, "on": REQUIRED, "off": OPTIONAL, "needed": REQUIRED}
CALLED_PLACES = {
    **dict.fromkeys(("home centres", "home centers", "homes", "home only", "own home", "normal"), "home"),
    **dict.fromkeys(("one", "one home centre", "one home center", "any with home", "with a home"), "one-home"),
    **dict.fromkeys(("anywhere", "all", "any centre", "any center", "any owned", "owned", "chaos", "any sc"), "any"),
}

BUILD_PHRASES = {
    f"{which}{word}": rule
    for which, rule in (("any_", "any"), ("one_", "one-home"), ("home_", "home"))
    for word in ("centre", "center", "centres", "centers", "sc", "scs")
} | {
    f"{build}_{where}": rule
    for build in ("build", "builds")
    for where, rule in (("anywhere", "any"), ("any", "any"), ("home", "home"), ("one_home", "one-home"))
}
"""What older judges set without a value: "SET ANY CENTRE"."""


def _victory(variant: Variant, value: str) -> Variant:
    return replace(variant, victory=int(value))


def _build_rule(variant: Variant, value: str) -> Variant:
    return replace(variant, build_rule=BUILD_RULES[value])


def _convoy_route(variant: Variant, value: str) -> Variant:
    return replace(variant, edition=variant.edition.with_named_routes()) if value == REQUIRED else variant


HOUSE_RULES: Mapping[str, Callable[[Variant, str], Variant]] = {
    "victory": _victory,
    "build_rule": _build_rule,
    "convoy_route": _convoy_route,
}


def settings(variant: Variant) -> tuple[Setting, ...]:
    """Those of this variant: its own rules are the defaults."""
    centres = sum(province.centre for province in variant.start.board.provinces.values())
    return (
        Setting(
            "victory", str(variant.victory), "", low=1, high=centres, fixed=False,
            names=("centres", "centers", "victory_centres", "victory_centers", "win", "solo"),
        ),
        Setting(
            "build_rule", AT_HOME.name, "", tuple(BUILD_RULES), fixed=False, spellings=CALLED_PLACES,
            names=("build_rules", "builds_in", "build_in", "build_places"), phrases=BUILD_PHRASES,
        ),
        Setting(
            "convoy_route", OPTIONAL, "", ROUTES, fixed=False, spellings=CALLED_ROUTES,
            names=("convoy_routes", "convoys", "route", "routes"),
        ),
    )  # fmt: skip


def ruled(variant: Variant, options: Mapping[str, str]) -> Variant:
    """The variant with these house rules, which are values that its settings take."""
    for key, value in options.items():
        variant = HOUSE_RULES[key](variant, value)
    return replace(variant, options={**variant.options, **options})
