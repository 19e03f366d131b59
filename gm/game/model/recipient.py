"""The recipient of a letter: seat, language, time zone; and the envelope of letters to them.

Subjects, threads and reply addresses are made only here. A reply's tag and its last line ("Ref: ostend S1902M k7f3…")
name the phase the reply is *for*.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from msgspec import Struct
from msgspec.structs import replace

from gm.game.model.map_attachment import AttachedMap, chart_part, content_id
from gm.game.model.observer_records import OBSERVER, OBSERVER_SEATS, OBSERVERS
from gm.game.model.ports import Store
from gm.game.model.records import MASTER, Game, LetterPart, OutLetter, Person, Seat
from gm.game.model.services import Services
from gm.game.model.settings import GameSettings, language_of
from gm.game.model.unsigned_names import is_unsigned
from gm.judge.model.variant import Variant
from gm.kept_property import kept_property
from gm.language.dates import dates
from gm.language.i18n.catalogue import Catalogue
from gm.language.rendering import plain_text
from gm.language.rendering.views import ButtonView, LetterFrameView, View

REFERENCES_MOST = 10
REPLIED = re.compile(
    r"^(?:\s*(?:re|aw|antw|antwort|sv|vs|rif|odp|ynt|r\u00e9f?)(?:\[\d{1,3}\])?\s?[:\uff1a])+", re.IGNORECASE
)
"""What mail programs of several languages write before the subject of a reply."""


class Recipient(Struct, frozen=True, dict=True):
    """The holder of a seat, with everything that letters to them depend on."""

    services: Services
    store: Store
    game: Game
    seat: Seat
    person: Person
    variant: Variant
    settings: GameSettings
    catalogue: Catalogue
    now: datetime

    @classmethod
    def of(cls, services: Services, store: Store, game: Game, seat: Seat, language: str = "") -> Recipient:
        """`language`: not the person's own, but that of the letter to be answered.

        Raises ValueError if nobody holds the seat.
        """
        if seat.person is None:
            raise ValueError(f"nobody holds the seat of {seat.power} in {game.name}")
        person = store.people.get(seat.person)
        person = replace(person, language=language or person.language)
        variant = variant_of(services, game)
        settings = GameSettings.of(game, variant, services.zone)
        catalogue = services.letters.catalogue(language_of(person, game), variant)
        return cls(services, store, game, seat, person, variant, settings, catalogue, store.now())

    @classmethod
    def observing(cls, services: Services, store: Store, game: Game, person: Person | None = None) -> Recipient:
        """A reader without a seat, who sees public information, in the time zone and language of `person`, else in
        the game's. Raises GmError if the game's files or settings are broken.
        """
        variant = variant_of(services, game)
        settings = GameSettings.of(game, variant, services.zone)
        person = person or Person(0, "", (), settings.zone.key, settings.language)
        catalogue = services.letters.catalogue(language_of(person, game), variant)
        seat = Seat(0, game.id, OBSERVER)
        return cls(services, store, game, seat, person, variant, settings, catalogue, store.now())

    # ---- who

    @kept_property
    def power(self) -> str | None:
        """The reader's power; None for a game master, who sees everything; "" for an observer."""
        if self.seat.power in OBSERVER_SEATS:
            return ""
        return None if self.seat.power == MASTER else self.seat.power

    @property
    def observes(self) -> bool:
        return self.seat.power in OBSERVER_SEATS

    @property
    def anonymous(self) -> bool:
        """Whether only game masters may know who plays what now."""
        return self.settings.anonymous.hides(self.game.state)

    @property
    def role(self) -> str:
        if self.power:
            return self.called(self.power)
        return self.say("role.observer" if self.observes else "role.master")

    @kept_property
    def of_several(self) -> bool:
        """Whether the reader plays more than one power, so that every letter names its power."""
        mine = (seat for seat in self.store.games.seats(self.game.id) if seat.person == self.person.id)
        return bool(self.power) and sum(seat.power != MASTER for seat in mine) > 1

    def is_mine(self, power: str) -> bool:
        return power == self.power

    def hue(self, power: str) -> int:
        """The number of a power's colour in the HTML part, from 1; 0 for none."""
        names = self.variant.seated_by_name
        return names.index(power) + 1 if power in names else 0

    # ---- words

    def say(self, key: str, /, **fields: object) -> str:
        return self.catalogue.say(key, **fields)

    def choose(self, key: str, choice: str, **fields: object) -> str:
        """The sentence for a choice (`key.choice`), or the one for all others (`key.else`)."""
        return self.catalogue.choose(key, choice, **fields)

    def called(self, name: str) -> str:
        """The name of a power, a province or a kind of unit in the reader's language."""
        return self.catalogue.called(name)

    def named_in_press(self, name: str) -> str:
        """A writer or addressee of press; an unsigned one is somebody."""
        if is_unsigned(name):
            return self.say("role.somebody")
        own = {MASTER: "role.master", OBSERVERS: "role.observers"}
        return self.say(own[name]) if name in own else self.called(name)

    def every(self, items: Iterable[str]) -> str:
        return self.catalogue.every(items)

    def either(self, items: Iterable[str]) -> str:
        return self.catalogue.either(items)

    # ---- phases and times

    def season(self, phase: str) -> str:
        """ "Spring 1901"; "" where the variant has no such phase."""
        fields = self._phase(phase)
        return self.say("phase.short", **fields) if fields else ""

    def phase_words(self, key: str, phase: str, **fields: object) -> str:
        """A sentence about a phase, by the phase's letter; it may name {season} and {year}."""
        return self.choose(key, phase[-1:], **{"season": "", "year": "", **self._phase(phase), **fields})

    def _phase(self, phase: str) -> dict[str, str]:
        fields = self._phases.get(phase)
        if fields is None:
            fields = self._phases[phase] = self._read_phase(phase)
        return fields

    @kept_property
    def _phases(self) -> dict[str, dict[str, str]]:
        """Season and year of the phases that a letter names. Kept only for speed."""
        return {}

    def _read_phase(self, phase: str) -> dict[str, str]:
        try:
            year, at = self.variant.phase_at(phase)
        except ValueError:
            return {}
        return {"season": self.catalogue.season(self.variant.calendar[at].season), "year": str(year)}

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.person.zone)

    def when(self, instant: datetime) -> str:
        """ "Sunday 15 March, 19:00 Lisbon time, in 2 d 5 h"."""
        return dates.format_date_and_span(instant, self.zone, self.now, self.catalogue)

    def hour(self, instant: datetime, *, zone: bool = False) -> str:
        """ "Sun 15 March, 19:00"; with `zone` the time zone is added, for the first line of a table."""
        hour = dates.format_short_date(instant, self.zone, self.now, self.catalogue)
        if not zone:
            return hour
        return self.say("ahead.zone", hour=hour, zone=dates.zone_words(instant, self.zone, self.catalogue))

    def due(self) -> str:
        """When the open phase is due, or why it has no deadline."""
        return (
            self.when(self.game.due_at) if self.game.due_at else no_deadline_words(self.catalogue, self.game, self.when)
        )

    # ---- the envelope

    @property
    def reply_to(self) -> str:
        return self.services.post.reply_address(self.game.name, self.seat)

    def ref(self, *about: str) -> str:
        """The last line of every letter. `about`: a phase, or "press" and a channel."""
        words = [self.game.name, *(about or (self.game.phase,)), self.services.post.token(self.seat)]
        return "Ref: " + " ".join(word for word in words if word)

    def subject(self, words: str, phase: str | None = None) -> str:
        """Tagged with the phase a reply is for (None: the one now open)."""
        tag = " ".join(word for word in (self.game.name, self.game.phase if phase is None else phase) if word)
        if self.of_several and not words.startswith(f"{self.role}:"):
            words = f"{self.role}: {words}"
        return f"[{tag}] {words}"

    def button(self, label: str, subject: str, body: str, ref: str = "") -> ButtonView:
        return ButtonView(label, self.reply_to, reply_subject(subject), f"{body}\n\n{ref or self.ref()}")

    def foot(self) -> tuple[str, ...]:
        secret = self.say("foot.master") if self.power is None else self.say("foot.seat", power=self.power)
        if self.observes:
            return (self.say("foot.observer"),)
        return (self.say("foot.words-maps" if self.services.map_wait else "foot.words"), secret)

    def frame(
        self, subject: str, title: str, lead: str, *, act: bool = False, button: ButtonView | None = None
    ) -> LetterFrameView:
        crumbs = (self.game.name, self.season(self.game.phase), self.role)
        return LetterFrameView(
            subject=subject,
            title=title,
            lead=lead,
            crumbs=tuple(crumb for crumb in crumbs if crumb),
            button=button,
            act=act,
            foot=self.foot(),
            ref=self.ref(),
            country=self.say("frame.country", power=self.power) if self.of_several else "",
        )

    def cause(self, what: str) -> str:
        return f"{what}:seat {self.seat.id}"

    def letter(
        self,
        kind: str,
        view: View,
        cause: str,
        *,
        references: Sequence[str] = (),
        channel: str = "",
        from_name: str = "",
        automatic: str = "auto-generated",
        expires_at: datetime | None = None,
        enclosed: AttachedMap | None = None,
        chart: AttachedMap | None = None,
        awaited: AttachedMap | None = None,
        parts: Sequence[LetterPart] = (),
    ) -> OutLetter:
        """Renders and addresses a letter. `cause` must differ by seat (`self.cause`): a person may hold two.

        `awaited` is the last picture of its parts.
        """
        address = self.person.addresses[0]
        message_id = self.services.post.message_id(cause, kind, address)
        if enclosed is not None:
            view = replace(view, frame=replace(view.frame, map=enclosed.shown_in(message_id)))
        if chart is not None:
            view = replace(
                view, frame=replace(view.frame, chart=replace(chart.view, cid=content_id(message_id, "chart")))
            )
            parts = (*parts, chart_part(message_id, chart))
        waits_for = enclosed or awaited
        rendered = self.services.letters.render(kind, view, self.catalogue.language)
        sender = from_name or self.say("from.master", game=self.game.name)
        return OutLetter(
            cause=cause,
            kind=kind,
            address=address,
            to_name=plain_text.header(self.person.name, 80),
            from_name=plain_text.header(sender, 80),
            from_address=self.services.post.game_address(self.game.name),
            reply_to=self.reply_to,
            subject=rendered.subject,
            text=rendered.text,
            html=rendered.html,
            message_id=message_id,
            references=shorten_references(references),
            automatic=automatic,
            game=self.game.id,
            seat=self.seat.id,
            phase=self.game.phase,
            channel=channel,
            expires_at=expires_at,
            parts=tuple(parts),
            picture=waits_for.picture if waits_for else 0,
            picture_name=enclosed.view.name if enclosed else "",
            picture_until=waits_for.until if waits_for else None,
        )


def no_deadline_words(
    catalogue: Catalogue, game: Game, format_date: Callable[[datetime], str], plain: str = "due.none"
) -> str:
    """The words for a phase without a deadline."""
    if game.paused_until is not None:
        return catalogue.say("due.paused-until", until=format_date(game.paused_until))
    return catalogue.say("due.paused" if game.paused_at else plain)


def variant_of(services: Services, game: Game) -> Variant:
    return services.variant(game.variant, variant_options(services.variant, game))


def variant_options(variants: Callable[[str, Mapping[str, str]], Variant], game: Game) -> dict[str, str]:
    """The game's settings that the variant defines."""
    own = variants(game.variant, {}).setting_keys
    return {key: value for key, value in game.settings if key in own}


def shorten_references(references: Sequence[str]) -> tuple[str, ...]:
    """Drops duplicates, and the middle of a long list: mail programs break on long References headers."""
    each = tuple(dict.fromkeys(reference for reference in references if reference))
    return each if len(each) <= REFERENCES_MOST else (each[0], *each[1 - REFERENCES_MOST :])


def is_reply_subject(subject: str) -> bool:
    return REPLIED.match(subject) is not None


def reply_subject(subject: str) -> str:
    """The subject with exactly one "Re:"."""
    return f"Re: {REPLIED.sub('', subject).strip()}"
