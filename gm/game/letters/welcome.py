"""Sections of the welcome letter: what to do, with examples from the reader's units; deadlines; who plays."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from gm.game.model.choose_setting import AnySetting, all_settings, is_rule, shown_settings, without_irrelevant
from gm.game.model.loaded_game import with_humans
from gm.game.model.recipient import Recipient
from gm.game.model.records import MASTER, Seat
from gm.game.model.setting_types import PressMode
from gm.game.model.settings import GameSetting, schedule_key
from gm.game.views.mechanics import diplomacy_points, influence, minor_power_tasks
from gm.game.views.orders.example_orders import _moves_of, examples, move_in_words
from gm.game.views.orders.task import Task, other_grammars
from gm.game.views.turns.turn_events import sorted_units
from gm.judge.model.position import Position
from gm.language.dates.schedule_words import format_schedule
from gm.language.rendering import order_text, plain_text
from gm.language.rendering.views import Block, BulletsView, ParagraphView, RowsView, RowView, SectionView, TableView


def welcome_lead(reader: Recipient, doing: Task | None) -> str:
    fields = {"game": reader.game.name, "variant": reader.variant.title}
    due = reader.due()
    following = reader.phase_words("phase.due", reader.game.phase, due=due)
    if reader.power is None:
        return reader.say("welcome.lead-master", **fields, next=following)
    if doing is not None:
        return reader.say("welcome.lead", **fields, power=reader.power, next=doing.sentence)
    return reader.say("welcome.lead-idle", **fields, power=reader.power, next=following)


def welcome_sections(reader: Recipient, position: Position, doing: Task | None) -> tuple[SectionView, ...]:
    special = special_sections(reader)
    if chosen := _chosen(reader):
        special = (*special, SectionView(reader.say("welcome.chosen"), (RowsView(chosen),)))
    week = SectionView(reader.say("welcome.week"), week_blocks(reader))
    play = _what_to_do(reader, position, doing) if reader.power else _what_a_master_does(reader)
    talk = (_to_talk(reader),) if reader.settings.press is not PressMode.NONE else ()
    words = SectionView(reader.say("welcome.words"), (RowsView(_words(reader)),))
    at_hand = (*diplomacy_points.budget_sections(reader, position), *minor_power_tasks.sections(reader, position))
    mine = tuple(section for section in at_hand if doing is None or section.title != doing.section.title)
    return (
        *play,
        *mine,
        *influence.sections(reader, position),
        *special,
        week,
        *talk,
        words,
        who_plays_section(reader),
    )


def special_sections(reader: Recipient) -> tuple[SectionView, ...]:
    """What is special about the variant."""
    lines = reader.variant.special_lines(reader.catalogue.language)
    title = reader.say("welcome.special", variant=reader.variant.title)
    return (SectionView(title, (BulletsView(lines),)),) if lines else ()


def _chosen(reader: Recipient) -> tuple[RowView, ...]:
    """The variant's own settings, and the common rules that the game master has changed."""
    settings = all_settings(reader.variant)
    own = {setting.key for setting in reader.variant.settings if setting.fixed}
    views = without_irrelevant(shown_settings(reader), reader.variant)
    return tuple(
        RowView(f"{view.key}: {view.value}", view.meaning)
        for view in views
        if view.key in own or (_is_in_welcome(settings[view.key]) and view.value != view.default)
    )


def _is_in_welcome(setting: AnySetting) -> bool:
    return is_rule(setting) or (isinstance(setting, GameSetting) and setting.in_welcome)


def _what_to_do(reader: Recipient, position: Position, doing: Task | None) -> tuple[SectionView, ...]:
    """A player who joins a running game may owe retreats or builds first."""
    units = position.units_of(reader.power or "")
    names = reader.every(map(str, sorted_units(units)))
    centres = len(position.centres_of(reader.power or ""))
    sentence = reader.say("welcome.you-have" if names else "welcome.no-units-yet", n=centres, units=names)
    have = SectionView(reader.say("welcome.units"), (ParagraphView(sentence),))
    if doing is None or doing.short:
        return (have, doing.section) if doing else (have,)
    letter = reader.variant.step(position).letter
    rows = tuple(RowView(order_text.statement(example, letter=letter)) for example in examples(reader, position))
    words = ParagraphView(reader.say("welcome.how", long=move_in_words(reader, position)))
    how: tuple[Block, ...] = (
        ParagraphView(reader.say("welcome.reply")),
        RowsView(rows),
        words,
        *other_grammars(reader, position),
    )
    return (have, SectionView(reader.say("welcome.do"), how))


def _what_a_master_does(reader: Recipient) -> tuple[SectionView, ...]:
    power = reader.variant.powers[0].name
    units = sorted_units(reader.variant.start.units_of(power) or reader.variant.start.units)[:1]
    moves = (move for unit in units for move in _moves_of(reader, reader.variant.start, unit))
    order = next((order_text.statement(move, letter="M") for move in moves), "")
    rows = tuple(
        RowView(reader.say(f"master.word.{key}", order=order), reader.say(f"master.meaning.{key}"))
        for key in MASTER_WORDS
        if order or "order" not in reader.catalogue.fields(f"master.word.{key}")
    )
    return (SectionView(reader.say("master.title"), (ParagraphView(reader.say("master.reply")), RowsView(rows))),)


MASTER_WORDS = ("missing", "deadline", "process", "force", "overrule", "announce", "help")


def week_blocks(reader: Recipient) -> tuple[Block, ...]:
    """The deadlines of the week, and which may come sooner."""
    blocks: list[Block] = []
    written = {row.key: row.value for row in shown_settings(reader)}
    variant, phase = reader.variant, reader.game.phase
    year = variant.phase_at(phase)[0] if phase else variant.start.year
    letters = [step.letter for step in variant.phases_of_year(year)]
    rows = [
        (reader.choose("ahead.label", letter, season="", year="").strip(), _hours(reader, letter, written))
        for letter in dict.fromkeys(letters)
    ]
    if rows:
        blocks += [TableView(tuple(rows)), ParagraphView(reader.say("welcome.zone", zone=reader.settings.zone.key))]
    ahead, due = reader.settings.reminder, reader.game.due_at
    hours = int(ahead.total_seconds() // 3600)
    key = "welcome.reminder" if due is None or due - reader.now > ahead else "welcome.reminder-half"
    early = reader.say(f"welcome.early.{reader.settings.wait_policy}")
    remind = reader.say(key, n=hours) if hours else reader.say("welcome.no-reminder")
    blocks.append(ParagraphView(f"{early} {remind}"))
    return tuple(blocks)


def _hours(reader: Recipient, letter: str, written: Mapping[str, str]) -> str:
    """The deadline of a kind of phase, by the settings."""
    own = reader.settings.hours.get(letter)
    return (
        format_schedule(own, reader.settings.zone, reader.catalogue)
        if own is not None
        else written[schedule_key(letter)]
    )


def _to_talk(reader: Recipient) -> SectionView:
    opened = (ParagraphView(reader.say("welcome.press-opened")),) if reader.settings.press_opened else ()
    return SectionView(reader.say("welcome.talk"), (*_how_to_talk(reader), *opened))


def _how_to_talk(reader: Recipient) -> tuple[Block, ...]:
    others = [power for power in reader.variant.seated if power != reader.power]
    press = reader.variant.press
    if press.message_word and len(others) > 1:
        how = ParagraphView(reader.say("welcome.message-how", **press.terms))
        line = RowView(reader.say("welcome.message-line", word=press.message_word, one=others[0], two=others[1]))
        return (how, RowsView((line,)), ParagraphView(reader.say("welcome.message-free")))
    lines = (
        reader.say("welcome.press-line", power=others[0] if others else "GM"),
        reader.say("welcome.press-words"),
        reader.say("welcome.press-end"),
    )
    minors = next((minor.name for minor in reader.variant.minors if minor.homes), "")
    below = (ParagraphView(reader.say("welcome.talk-minors", minor=minors)),) if minors else ()
    how = ParagraphView(reader.say("welcome.talk-how"))
    if reader.settings.press is PressMode.PUBLIC:
        lines, how = (
            (reader.say("welcome.broadcast-line"), *lines[1:]),
            ParagraphView(reader.say("welcome.talk-public")),
        )
    elif reader.settings.press is PressMode.GREY:
        below = (ParagraphView(reader.say("welcome.talk-unsigned")), *below)
    elif reader.settings.press is PressMode.BOTH:
        below = (ParagraphView(reader.say("welcome.talk-may-hide")), *below)
    return (how, RowsView(tuple(map(RowView, lines))), *below)


def _words(reader: Recipient) -> tuple[RowView, ...]:
    keys = ("rules", "help", "status", "show", "history", "tz", "lang")
    means = {"show": "show-master"} if reader.power is None else {}
    return tuple(
        RowView(reader.say(f"word-for.{key}"), reader.say(f"word-means.{means.get(key, key)}")) for key in keys
    )


def who_plays_section(reader: Recipient) -> SectionView:
    """Every seat with its player's name, the reader's own marked; game masters last.

    Where nobody may learn who plays what, only that somebody does; a game master reads the names all the same.
    """
    hidden = reader.anonymous and reader.power is not None
    rows: list[tuple[str, str]] = []
    seats = sorted(reader.store.games.seats(reader.game.id), key=lambda seat: (seat.power == MASTER, seat.power))
    for seat in seats:
        name = reader.say("seat.dummy" if seat.dummy else "seat.empty")
        if seat.person is not None:
            secret = hidden and seat.power != MASTER and seat.person != reader.person.id
            name = plain_text.header(reader.store.people.get(seat.person).name, 60)
            name = reader.say("seat.hidden") if secret else name
            if reader.power is None and _unreachable(reader, seat.person):
                name = reader.say("seat.unreachable", name=name)
        if seat.id == reader.seat.id:
            name = reader.say("seat.you", name=name)
        if seat.power == MASTER:
            label = name if seat.id == reader.seat.id else reader.say("seat.master", name=name)
            rows.append((reader.say("role.master-label"), label))
        else:
            rows.append((reader.called(seat.power), name))
    return SectionView(reader.say("welcome.who"), (TableView(tuple(rows)), *_doubles(reader, seats), *_masked(reader)))


def _masked(reader: Recipient) -> tuple[ParagraphView, ...]:
    """How long the game is anonymous, if it is."""
    who = "master" if reader.power is None else "player"
    return (ParagraphView(reader.say(f"seat.masked-{reader.settings.anonymous}-{who}")),) if reader.anonymous else ()


def _unreachable(reader: Recipient, person: int) -> bool:
    address = next(iter(reader.store.people.get(person).addresses), "")
    known = reader.store.bounces.of(address)
    return known is not None and known.unreachable


def _doubles(reader: Recipient, seats: Collection[Seat]) -> tuple[ParagraphView, ...]:
    """Powers that share a player, if that is public."""
    if not (reader.anonymous and reader.variant.press.doubles_public):
        return ()
    together = with_humans(reader.variant.start, seats).humans
    return tuple(ParagraphView(reader.say("seat.together", powers=reader.every(powers))) for powers in together)
