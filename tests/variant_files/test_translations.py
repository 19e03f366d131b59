"""Names of a board in another language: variants/<id>/names.<language>.toml."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from support.paths import VARIANTS

from gm.language.i18n.localized_variant import localized
from gm.language.i18n.place_names import powers, words
from gm.language.orders.parsing.order_context import place_names
from gm.variant_files.library import Library, builtin_library
from gm.variant_files.toml_source import VariantError

SHELF = VARIANTS
FAULTS = [
    ('Boh = "Böhmen"', 'Bih = "Böhmen"', ["provinces.Bih", "no such province"]),
    ('Boh = "Böhmen"', 'Boh = ["Böhmen", "Galizien"]', ["'Galizien'", "already", "Gal", "Boh"]),
    ('Boh = "Böhmen"', 'Boh = [" "]', ["provinces.Boh", "must be a name"]),
    ('Boh = "Böhmen"', "Boh = 3", ["provinces.Boh", "list of texts"]),
    ("Turkey = [", "Tukey = [", ["powers.Tukey", "no such power"]),
    ('F = "Flotte"', 'W = "Staffel"', ["kinds.W", "no such kind"]),
    ("[powers]", "[pwers]", ["pwers", "known are"]),
    ("[powers]", 'like = "nowhere"\n\n[powers]', ["like", "nowhere/names.de.toml"]),
    ("[powers]", 'special = ["one"]\n\n[powers]', ["special", "which are 0"]),
    ("[powers]", "[powers", ["not valid TOML"]),
]


@pytest.mark.parametrize(("old", "new", "parts"), FAULTS)
def test_an_error_is_reported_in_one_line(tmp_path: Path, old: str, new: str, parts: list[str]) -> None:
    shutil.copytree(SHELF / "standard", tmp_path / "mine")
    path = tmp_path / "mine" / "names.de.toml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(VariantError) as raised:
        Library([tmp_path]).checked("mine")
    line = str(raised.value)
    assert "\n" not in line
    assert str(path) in line
    for part in parts:
        assert part in line


def test_another_language_is_one_more_file(tmp_path: Path) -> None:
    shutil.copytree(SHELF / "standard", tmp_path / "mine")
    names = '[provinces]\nENG = ["La Manche", "man", "lam"]\n[powers]\nGermany = ["Allemagne", "allemand"]\n'
    (tmp_path / "mine" / "names.fr.toml").write_text(names, encoding="utf-8")
    variant = Library([tmp_path]).checked("mine")
    french = localized(variant, "fr")
    province_names = place_names(french.start.board, french)
    assert province_names.find(("la", "manche")) == province_names.find(("man",)) == ("ENG",)
    assert province_names.find(("english", "channel")) == ("ENG",)
    assert powers(french.powers)["allemagne"] == "Germany"
    assert place_names(variant.start.board, variant).find(("manche",)) == ()


@pytest.mark.parametrize("name", builtin_library().ids())
def test_every_name_means_its_province(name: str) -> None:
    """A name that is another province's code as well means that one too, second: the order decides."""
    variant = builtin_library().checked(name)
    for language, named in variant.translations.items():
        translated = localized(variant, language)
        province_names = place_names(translated.start.board, translated)
        for code, called in named.provinces.items():
            for spelling in (called.name, *called.aliases):
                codes = province_names.find(words(spelling))
                assert codes[:1] == (code,), (language, spelling, codes)
                assert codes[1:] in ((), (province_names.codes.get(spelling.lower()),)), (language, spelling, codes)


@pytest.mark.parametrize("name", builtin_library().ids())
def test_our_variants_have_german_names_for_all(name: str) -> None:
    variant = builtin_library().variant(name)
    german = variant.translations["de"]
    assert {power.name for power in variant.powers} <= german.powers.keys()
    assert {setting.key for setting in variant.settings if setting.meaning} <= german.settings.keys()
    assert len(german.special) == len(variant.special)
    lacking = [code for code in variant.start.board.provinces if code not in german.provinces]
    assert all(variant.start.board.provinces[code].name.split()[0] in INVENTED for code in lacking), lacking


INVENTED = {"Off-board", "Hir", "Hon", "Kar", "Sak"}
"""Names that are the same in every language: boxes, and islands that the map's author named after nothing."""
