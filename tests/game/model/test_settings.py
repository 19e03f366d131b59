"""A game's settings: every key with its default, its meaning, and one sentence for a value that makes no sense."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from msgspec.structs import replace
from support.shipped import LIBRARY

from gm.errors import GmError
from gm.game.model.choose_setting import SettingError, setting_views, split_reason, with_setting
from gm.game.model.records import Game, GameState
from gm.game.model.setting_types import Anonymity, PressMode
from gm.game.model.settings import GameSettings, game_settings
from gm.judge.mechanics.dips.paid_press import PaidPress
from gm.judge.mechanics.influence.minor_power_press import ENVOYS
from gm.judge.model.position import Position
from gm.judge.model.variant import FREE_PRESS, Press, Setting, Variant
from gm.judge.steps.build_rules import AT_HOME
from gm.language.i18n.catalogue import load
from gm.resources import folder
from gm.variant_files.house_rules import BUILD_PHRASES

WORDS = load(folder("templates") / "sentences", "en")
OWN = (
    Setting("wings", "no", "air wings", choices=("yes", "no")),
    Setting("points", "3", "points a turn", low=1, high=9, names=("dp.cap_per_order",)),
    Setting(
        "build_rule",
        "home",
        "",
        ("home", "one-home", "any"),
        fixed=False,
        phrases=BUILD_PHRASES,
        spellings={"anywhere": "any"},
    ),
)
VARIANT = Variant("some", "Some", (), {}, (), Position(1901, 0, None, (), {}), 18, FREE_PRESS, AT_HOME, settings=OWN)  # type: ignore[arg-type]
GAME = Game(1, "ostend", "some")


def chosen(key: str, value: str, game: Game = GAME) -> Game:
    made = with_setting(game, VARIANT, key, value)
    assert isinstance(made, Game), made
    return made


def test_the_defaults() -> None:
    settings = GameSettings.of(GAME, VARIANT, "Europe/Berlin")
    assert settings.zone == ZoneInfo("Europe/Berlin")
    assert str(settings.moves) == "Sundays 20:00 Europe/Berlin"
    assert (str(settings.retreats), str(settings.builds)) == ("48 h", "48 h")
    assert (settings.reminder, settings.grace) == (timedelta(hours=36), timedelta())
    assert (settings.press, settings.empty_seats, settings.language) == (PressMode.WHITE, False, "en")


def test_every_setting_has_a_meaning_and_names_of_its_own() -> None:
    keys = [row.key for row in game_settings()]
    names = [name for row in game_settings() for name in {*row.names, row.key}]
    assert len(names) == len(set(names))
    rows = setting_views(GAME, VARIANT, WORDS)
    assert [row.key for row in rows] == [*keys, "wings", "points", "build_rule"]
    assert all(row.meaning and row.value == row.default for row in rows)


def test_the_table_shows_what_was_chosen() -> None:
    rows = {row.key: row for row in setting_views(chosen("press", "no"), VARIANT, WORDS)}
    assert (rows["press"].value, rows["press"].default) == ("none", "white")
    assert rows["moves"].value == rows["moves"].default


@pytest.mark.parametrize(
    ("key", "value", "kept"),
    [
        ("moves", "Tue,  Thu 20:00", ("moves", "Tue, Thu 20:00")),
        ("Movement", "3 d", ("moves", "3 d")),
        ("retreats", "none", ("retreats", "none")),
        ("time zone", "berlin", ("zone", "Europe/Berlin")),
        ("TZ", "america/new_york", ("zone", "America/New_York")),
        ("reminder", "24", ("reminder", "24")),
        ("reminder", "2 days", ("reminder", "2 days")),
        ("grace", "10 min", ("grace", "10 min")),
        ("press", "OFF", ("press", "none")),
        ("press", "yes", ("press", "white")),
        ("press", "White/Grey", ("press", "both")),
        ("press", "anonymous", ("press", "grey")),
        ("late press", "no", ("press_late", "no")),
        ("gunboat", "TRUE", ("anonymous", "yes")),
        ("anonymous", "Always", ("anonymous", "always")),
        ("drafts", "no", ("preliminary_used_on_nmr", "no")),
        ("nmr", "GM", ("nmr", "gm")),
        ("proxies", "on", ("proxy", "yes")),
        ("empty-seats", "yes", ("empty_seats", "yes")),
        ("wings", "YES", ("wings", "yes")),
        ("points", "07", ("points", "7")),
        ("points", "7 points", ("points", "7")),
        ("points", "default", ("points", "3")),
        ("dp.cap_per_order", "2", ("points", "2")),
        ("DP", "cap per order: 2", ("points", "2")),
        ("POINTS", "=5", ("points", "5")),
        ("points", "to 5", ("points", "5")),
        ("build", "rule any", ("build_rule", "any")),
        ("build-rule", "= One Home", ("build_rule", "one-home")),
        ("builds", "anywhere", ("build_rule", "any")),
        ("ANY", "CENTRE builds", ("build_rule", "any")),
        ("builds", "24 h", ("builds", "24 h")),
        ("timing.retreats", "24 h", ("retreats", "24 h")),
        ("timing", "3 d", ("moves", "3 d")),
        ("slot", "Sat 20:00", ("moves", "Sat 20:00")),
        ("press", "late no", ("press_late", "no")),
        ("illegal", "orders: HOLD", ("illegal_orders", "hold")),
    ],
)
def test_a_choice_is_kept_tidied(key: str, value: str, kept: tuple[str, str]) -> None:
    game = chosen(key, value)
    assert game.settings == (kept,)
    GameSettings.of(game, VARIANT)


@pytest.mark.parametrize("kept", ["yes", "no", "off"])
def test_words_kept_by_older_games_are_read(kept: str) -> None:
    settings = GameSettings.of(replace(GAME, settings=(("press", kept),)), VARIANT)
    assert settings.press is (PressMode.WHITE if kept == "yes" else PressMode.NONE)


@pytest.mark.parametrize(
    ("press", "key", "value", "choices"),
    [
        (PaidPress(), "press", "grey", "none, white"),
        (PaidPress(), "press", "public", "none, white"),
        (PaidPress(), "partial", "no", "yes"),
        (ENVOYS, "press", "both", "none, public, white"),
    ],
)
def test_letters_with_rules_of_their_own_refuse_others(press: Press, key: str, value: str, choices: str) -> None:
    variant = replace(VARIANT, press=press)
    trouble = with_setting(GAME, variant, key, value)
    assert isinstance(trouble, SettingError)
    sentence = WORDS.say(trouble.key, **dict(trouble.fields))
    assert sentence.startswith(f"{key}: letters in Some have rules of their own")
    assert sentence.endswith(f"What goes here: {choices}.")
    for choice in choices.split(", "):
        assert isinstance(with_setting(GAME, variant, key, choice), Game)


@pytest.mark.parametrize(
    ("before", "value", "kept"),
    [
        ("", "shown", "shown sticky"),
        ("", "phase", "hidden phase"),
        ("shown", "phase", "shown phase"),
        ("shown phase", "HIDDEN", "hidden phase"),
        ("shown phase", "sticky", "shown sticky"),
        ("shown phase", "hidden and sticky", "hidden sticky"),
        ("hidden sticky", "phase, shown", "shown phase"),
        ("hidden sticky", "shown/phase", "shown phase"),
    ],
)
def test_visibility_and_duration_of_votes_are_separate_settings(before: str, value: str, kept: str) -> None:
    game = replace(GAME, settings=(("draw_votes", before),)) if before else GAME
    changed = chosen("draw_votes", value, game)
    assert changed.settings == (("draw_votes", kept),)
    law = GameSettings.of(changed, VARIANT).draw_votes
    assert f"{law}" == kept


def test_the_last_choice_counts() -> None:
    game = chosen("press", "yes", chosen("grace", "5", chosen("press", "no")))
    assert game.settings == (("grace", "5"), ("press", "white"))


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("colour", "red", "“colour” is not a setting. SETTINGS in a reply lists them."),
        ("moves", "whenever", "“whenever” is not a schedule."),
        ("moves", "", "“” is not a schedule."),
        ("moves", "Sundays 25:00", "There is no hour “25:00”."),
        ("zone", "Berln", "zone: “Berln” is not a time zone we know."),
        ("zone", "CST", "zone: “CST” is not a time zone we know."),
        ("reminder", "soon", "reminder: “soon” is not a length of time"),
        ("reminder", "400", "reminder: “400” is not a length of time"),
        ("reminder", "-5", "reminder: “-5” is not a length of time"),
        ("grace", "5 parsecs", "grace: “5 parsecs” is not a length of time"),
        ("press", "maybe", "press: “maybe” is not one of the choices: none, public, white, grey, both."),
        ("language", "Klingonisch", "language: “Klingonisch” is not a language."),
        ("wings", "maybe", "wings: “maybe” is not one of the choices: yes, no."),
        ("points", "10", "points: “10” is not a whole number from 1 to 9."),
        ("dp.reveal", "yes", "“dp.reveal” is for variants with Diplomacy Points"),
        ("press", "fake", "Fake press is not supported"),
        ("fake press", "yes", "Fake press is not supported"),
        ("postal", "yes", "There is no setting “postal”: a letter that"),
        ("draw_votes", "maybe", "draw_votes: “maybe” is not understood. Write hidden or shown, phase or sticky"),
        ("draw votes", "phase sticky", "draw_votes: “phase sticky” is not understood."),
        ("draw_votes", "hidden, shown", "draw_votes: “hidden, shown” is not understood."),
        ("draw_votes", "", "draw_votes: “” is not understood."),
        (
            "build_rule",
            "moon",
            "build_rule: “moon” is not one of the choices: home, one-home, any. Write for instance SET",
        ),
        ("points", "²", "points: “²” is not a whole number from 1 to 9."),
        ("points", "9" * 5000, "points: “999"),
    ],
)
def test_a_value_that_makes_no_sense_is_refused_in_one_sentence(key: str, value: str, expected: str) -> None:
    trouble = with_setting(GAME, VARIANT, key, value)
    assert isinstance(trouble, SettingError)
    assert WORDS.say(trouble.key, **dict(trouble.fields)).startswith(expected)


def test_a_stored_value_that_makes_no_sense_names_game_and_key() -> None:
    broken = replace(GAME, settings=(("moves", "whenever"),))
    with pytest.raises(GmError, match="game ostend: the setting moves = 'whenever' makes no sense; SET moves mends it"):
        GameSettings.of(broken, VARIANT)


def test_each_kind_of_phase_has_its_schedule() -> None:
    game = chosen("builds", "Thursdays 20:00", chosen("zone", "Europe/Berlin"))
    settings = GameSettings.of(game, VARIANT)
    opened = datetime(2026, 3, 8, 19, 0, tzinfo=UTC)
    assert settings.due("S1901M", opened) == datetime(2026, 3, 15, 19, 0, tzinfo=UTC)
    assert settings.due("S1901R", opened) == datetime(2026, 3, 10, 19, 0, tzinfo=UTC)
    assert settings.due("W1901A", opened) == datetime(2026, 3, 12, 19, 0, tzinfo=UTC)
    assert settings.due("S1901S", opened) == settings.due("W1901A", opened)
    assert settings.due("S1901X", opened) == settings.due("S1901M", opened)
    assert GameSettings.of(chosen("moves", "none"), VARIANT).due("F1901M", opened) is None


def test_a_variant_has_hours_of_its_own_until_the_game_master_chooses() -> None:
    hasty = replace(VARIANT, hours={"SM": "72 h", "FM": "60 h", "R": "12 h"})
    opened = datetime(2026, 3, 2, 8, tzinfo=UTC)
    settings = GameSettings.of(GAME, hasty)
    due = [settings.due(phase, opened) for phase in ("S1901M", "F1901M", "F1901R")]
    assert due == [opened + timedelta(hours=hours) for hours in (72, 60, 12)]
    chosen = GameSettings.of(replace(GAME, settings=(("moves", "24 h"),)), hasty)
    due = [chosen.due(phase, opened) for phase in ("S1901M", "F1901M", "F1901R")]
    assert due == [opened + timedelta(hours=hours) for hours in (24, 24, 12)]
    shown = {row.key: row.value for row in setting_views(GAME, hasty, WORDS)}
    names = {step.season[0]: step.season for step in VARIANT.calendar}
    assert shown["retreats"] == "12 h"
    assert "72 h" in shown["moves"]
    assert all(f"{names[letter]} " in shown["moves"] for letter in "S" if letter in names)


@pytest.mark.parametrize(
    ("text", "value", "why"),
    [
        ("20 because we agreed", "20", "we agreed"),
        ("required, since all of you know it", "required", "all of you know it"),
        ("Sat 20:00 because of the holidays", "Sat 20:00", "the holidays"),
        ("any (reason: more blood)", "any", "more blood"),
        ("20 weil ihr es wollt", "20", "weil ihr es wollt"),
        ("any, wegen der Tradition", "any", "wegen der Tradition"),
        ("Sundays 20:00", "Sundays 20:00", ""),
        ("because", "because", ""),
    ],
)
def test_a_reason_behind_a_value(text: str, value: str, why: str) -> None:
    assert split_reason(text) == (value, why)


def test_setting_names_of_other_programs_are_known() -> None:
    locarno = LIBRARY.variant("locarno")
    for key, value in (("dp.overspend", "reject"), ("dp.cap_per_order", "2"), ("dp.reveal", "true")):
        assert isinstance(with_setting(GAME, locarno, key, value), Game)


def test_a_variant_whose_letters_hide_names_hides_them_unless_the_game_says_otherwise() -> None:
    variant = replace(VARIANT, press=PaidPress())
    assert GameSettings.of(GAME, variant).anonymous is Anonymity.YES
    assert GameSettings.of(GAME, VARIANT).anonymous is Anonymity.NO
    open_game = replace(GAME, settings=(("anonymous", "false"),))
    assert GameSettings.of(open_game, variant).anonymous is Anonymity.NO
    shown = {row.key: row for row in setting_views(GAME, variant, WORDS)}
    assert (shown["anonymous"].value, shown["anonymous"].default) == ("yes", "yes")


@pytest.mark.parametrize(
    ("mode", "hidden"),
    [(Anonymity.NO, ""), (Anonymity.YES, "forming running"), (Anonymity.ALWAYS, "forming running ended")],
)
def test_how_long_names_are_hidden(mode: Anonymity, hidden: str) -> None:
    assert [state.value for state in GameState if mode.hides(state)] == hidden.split()


@pytest.mark.parametrize("variant", [*LIBRARY.ids()])
def test_no_setting_of_a_variant_has_the_name_of_one_that_all_games_have(variant: str) -> None:
    """It would stand in its place in the stored game, which could then not be read."""
    everywhere = {name for setting in game_settings() for name in (setting.key, *setting.names)}
    own = {name for setting in LIBRARY.variant(variant, {}).settings for name in (setting.key, *setting.names)}
    assert not own & everywhere
