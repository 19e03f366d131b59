"""Rules of the house: settings that every variant has, what each changes, and what they leave as it is."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.paths import VARIANTS
from support.shipped import LIBRARY

from gm.judge.model.variant import Variant
from gm.variant_files.house_rules import HOUSE_RULES
from gm.variant_files.library import Library
from gm.variant_files.toml_source import VariantError

SHELF = LIBRARY


@pytest.mark.parametrize("name", SHELF.ids())
def test_every_variant_has_them_and_its_own_rules_are_the_defaults(name: str) -> None:
    variant = SHELF.variant(name)
    settings = {setting.key: setting for setting in variant.settings if not setting.fixed}
    assert list(settings) == list(HOUSE_RULES)
    assert settings["victory"].default == str(variant.victory)
    plain = SHELF.variant(name, {key: setting.default for key, setting in settings.items()})
    assert (plain.victory, plain.build_rule, plain.rulebook) == (variant.victory, variant.build_rule, variant.rulebook)


def test_variants_that_differ_in_them_share_their_board() -> None:
    plain = SHELF.variant("youngstown", {"omsk_fleets": "false"})
    other = SHELF.variant("youngstown", {"victory": "30", "omsk_fleets": "false", "build_rule": "any"})
    assert other.start is plain.start
    assert (other.victory, other.build_rule.name, plain.victory) == (30, "any", 37)
    assert other.options == {"omsk_fleets": "false", "victory": "30", "build_rule": "any"}
    assert SHELF.variant("youngstown", {"victory": "30", "omsk_fleets": "false", "build_rule": "any"}) is other


@pytest.mark.parametrize(
    ("options", "read"),
    [
        ({"victory": "20 centres"}, {"victory": "20"}),
        ({"victory": "+07"}, {"victory": "7"}),
        ({"victory": "variant"}, {"victory": "18"}),
        ({"build_rule": "Any Centre"}, {"build_rule": "any"}),
        ({"build_rule": "one_home"}, {"build_rule": "one-home"}),
        ({"build_rule": "anywhere"}, {"build_rule": "any"}),
        ({"convoy_route": "REQUIRED"}, {"convoy_route": "required"}),
        ({"last_year": "1907"}, {"last_year": "1907"}),
        ({"last_year": "never"}, {"last_year": "none"}),
        ({"last_year": "0"}, {"last_year": "none"}),
    ],
)
def test_values_as_people_write_them(options: dict[str, str], read: dict[str, str]) -> None:
    assert SHELF.variant("standard", options).options == read


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"victory": "0"}, "the setting victory is a whole number from 1 to 34, not '0'"),
        ({"victory": "35"}, "the setting victory is a whole number from 1 to 34, not '35'"),
        ({"victory": "18 or 19 of them"}, "the setting victory is a whole number"),
        ({"build_rule": "moon"}, "the setting build_rule is home or one-home or any, not 'moon'"),
        ({"last_year": "1900"}, "the setting last_year is none or a whole number from 1901 to 2000, not '1900'"),
        ({"last_year": "soon"}, "the setting last_year is none or a whole number from 1901 to 2000, not 'soon'"),
        ({"convoy_route": "maybe"}, "the setting convoy_route is optional or required, not 'maybe'"),
    ],
)
def test_values_that_make_no_sense(options: dict[str, str], error: str) -> None:
    with pytest.raises(VariantError, match=error):
        SHELF.variant("standard", options)


def test_a_variant_with_a_last_year_of_its_own_may_have_another_but_keeps_one() -> None:
    assert "Fall 1900" in " ".join(SHELF.variant("fin-de-siecle").special_lines("en"))
    later = SHELF.variant("fin-de-siecle", {"last_year": "1890", "end_1900": "most-centres"})
    assert "Herbst 1890" in " ".join(later.special_lines("de"))
    with pytest.raises(VariantError, match="last_year is a whole number from 1879 to 1978, not 'none'"):
        SHELF.variant("fin-de-siecle", {"last_year": "none"})


def test_the_special_rules_name_the_victory_number() -> None:
    def lines(variant: Variant, language: str) -> str:
        return " ".join(variant.special_lines(language))

    for name, number in (("europe-1933", 25), ("fin-de-siecle", 39), ("youngstown", 37)):
        variant, other = SHELF.variant(name), SHELF.variant(name, {"victory": "31"})
        for language in ("en", "de"):
            assert f"{number} " in lines(variant, language)
            assert "31 " in lines(other, language)
            assert "{" not in lines(other, language)


def test_no_variant_may_name_a_setting_like_them(tmp_path: Path) -> None:
    home = tmp_path / "mine"
    home.mkdir()
    text = '[settings.victory]\ndefault = "1"\nlow = 1\nhigh = 3\nmeaning = "goal"\n'
    home.joinpath("variant.toml").write_text(f'title = "Mine"\nlike = "standard"\n{text}', encoding="utf-8")
    (tmp_path / "standard").symlink_to(VARIANTS / "standard")
    with pytest.raises(VariantError, match=r"settings\.victory.* is a setting that every variant has"):
        Library([tmp_path]).variant("mine")
