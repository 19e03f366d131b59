"""House rules: settings that every variant has, and what each changes in a composed variant.

They leave the map alone, so that variants which differ in them share one board and its caches.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from gm.judge.model.variant import Setting, Variant
from gm.judge.steps.build_rules import AT_HOME, BUILD_RULES
from gm.judge.steps.centre_ownership import last_year, with_last_year

OPTIONAL, REQUIRED = ROUTES = ("optional", "required")
NO_LAST_YEAR = "none"
LONGEST_GAME = 99
"""Years from the first to the latest last one."""
ROUTE_SPELLINGS = {"no": OPTIONAL, "yes": REQUIRED, "on": REQUIRED, "off": OPTIONAL, "needed": REQUIRED}
PLACE_SPELLINGS = {
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
    return replace(variant, rulebook=variant.rulebook.with_named_routes()) if value == REQUIRED else variant


def _last_year(variant: Variant, value: str) -> Variant:
    year = 0 if value == NO_LAST_YEAR else int(value)
    return replace(variant, calendar=tuple(with_last_year(step, year) for step in variant.calendar))


HOUSE_RULES: Mapping[str, Callable[[Variant, str], Variant]] = {
    "victory": _victory,
    "build_rule": _build_rule,
    "convoy_route": _convoy_route,
    "last_year": _last_year,
}


def house_settings(variant: Variant) -> tuple[Setting, ...]:
    """The variant's own rules are the defaults."""
    centres = sum(province.centre for province in variant.start.board.provinces.values())
    return (
        Setting(
            "victory", str(variant.victory), "", low=1, high=centres, fixed=False,
            names=("centres", "centers", "victory_centres", "victory_centers", "win", "solo"),
        ),
        Setting(
            "build_rule", AT_HOME.name, "", tuple(BUILD_RULES), fixed=False, spellings=PLACE_SPELLINGS,
            names=("build_rules", "builds_in", "build_in", "build_places"), phrases=BUILD_PHRASES,
        ),
        Setting(
            "convoy_route", OPTIONAL, "", ROUTES, fixed=False, spellings=ROUTE_SPELLINGS,
            names=("convoy_routes", "convoys", "route", "routes"),
        ),
        _last_year_setting(variant),
    )  # fmt: skip


def _last_year_setting(variant: Variant) -> Setting:
    """A variant that has a last year of its own keeps having one."""
    own, first = last_year(variant), variant.start.year
    return Setting(
        "last_year", str(own) if own else NO_LAST_YEAR, "", () if own else (NO_LAST_YEAR,),
        low=first, high=first + LONGEST_GAME, fixed=False,
        spellings={} if own else dict.fromkeys(("no", "off", "never", "0", "open"), NO_LAST_YEAR),
        names=("final_year", "end_year", "game_end_year", "ends_after", "ends_in", "end_date", "ged", "year_limit"),
    )  # fmt: skip


def apply_house_rules(variant: Variant, options: Mapping[str, str]) -> Variant:
    """The variant with these house rules; the values must be valid."""
    for key, value in options.items():
        variant = HOUSE_RULES[key](variant, value)
    return replace(variant, options={**variant.options, **options})
