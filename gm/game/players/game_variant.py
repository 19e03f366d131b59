"""The variant of a game that has not begun: by CREATE, by a line `variant: locarno` below it, by SET variant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from gm.errors import GmError
from gm.game.identity.sender import may_create_games
from gm.game.model.choose_setting import VARIANT, SettingError, all_settings, split_reason, with_setting
from gm.game.model.letter_report import Note
from gm.game.model.loaded_game import power_named
from gm.game.model.observer_records import EJECTED
from gm.game.model.recipient import variant_of
from gm.game.model.records import LEAGUE, Applicant, ApplicantState, Game, GameState, Seat
from gm.game.model.reply_addresses import slug
from gm.game.model.services import Services
from gm.game.players.people import is_valid_address
from gm.game.session.session import LetterSession
from gm.judge.model.variant import Variant
from gm.language.commands.command_line import is_in_capitals
from gm.language.commands.players import InviteRequest
from gm.language.commands.requests import CreateRequest, SeatPlayerRequest, SetRequest, TimeZoneRequest
from gm.language.dates.time_zones import named_zone, near_zones
from gm.language.i18n.guess_language import is_common_word
from gm.language.i18n.normalize import clean
from gm.language.lines.letter_contents import LetterContents, Request, RequestLine


def variant_called(services: Services, name: str) -> str | None:
    """The id of a variant by id or title, ignoring case and accents; the library's first if none is named."""
    ids = services.variant_ids
    wanted = slug(clean(name).text)
    if not wanted or wanted in ids:
        return wanted or ids[0]
    return next((variant for variant in ids if _title(services, variant) == wanted), None)


def _title(services: Services, variant: str) -> str:
    """ "" for a variant whose files are broken, so that the others are still found."""
    try:
        return slug(clean(services.variant(variant, {}).title).text)
    except GmError:
        return ""


def with_variant_line(reading: LetterContents) -> LetterContents:
    """The letter with a line `variant: …` below CREATE as a part of CREATE, so that seats are read with it."""
    requests: list[RequestLine] = []
    creates: int | None = None
    for given in reading.requests:
        request = given.request
        if isinstance(request, CreateRequest):
            creates = len(requests)
        elif isinstance(request, SetRequest) and request.key == VARIANT and creates is not None:
            create = requests[creates].request
            assert isinstance(create, CreateRequest)
            requests[creates] = replace(requests[creates], request=replace(create, variant=request.value))
        requests.append(given)
    return replace(reading, requests=tuple(requests))


def change_variant(session: LetterSession, request: SetRequest, line: int) -> None:
    """SET variant: the seats become those of the variant. Whoever sits where it has no seat goes on the list."""
    services, game = session.services, session.game
    name = variant_called(services, request.value) if request.value else None
    if name is None:
        known = ", ".join(services.variant_ids)
        session.note("unknown-variant", done=False, line=line, name=request.value[:40], variants=known)
    elif game.state is not GameState.FORMING:
        session.note("variant-begun", done=False, line=line, variant=session.loaded_game.variant.title)
    elif name == game.variant:
        session.note("variant-same", line=line, variant=session.loaded_game.variant.title)
    else:
        variant = services.variant(name, {})
        kept, dropped = _settings(replace(game, variant=name, settings=()), variant, game.settings)
        session.save(kept)
        listed = _change_seats(session, [power.name for power in variant.powers])
        session.reload_game()
        note = session.note("variant-now", line=line, headline=True, variant=variant.title, n=str(len(variant.powers)))
        session.insert("new-game")
        if listed:
            session.note("variant-listed", line=line, name=", ".join(listed))
        if dropped:
            session.note("variant-dropped", line=line, variant=variant.title, name=", ".join(dropped))
        session.log(f"SET variant {name}", note)


def _settings(game: Game, variant: Variant, chosen: Iterable[tuple[str, str]]) -> tuple[Game, tuple[str, ...]]:
    """The game with the settings that this variant allows, and the keys of the others."""
    dropped: list[str] = []
    for key, value in chosen:
        if key == LEAGUE:
            game = replace(game, settings=(*game.settings, (key, value)))
            continue
        changed = with_setting(game, variant, key, value) if key in all_settings(variant) else None
        if changed is None or isinstance(changed, SettingError):
            dropped.append(key)
        else:
            game = changed
    return game, tuple(dropped)


def _change_seats(session: LetterSession, powers: list[str]) -> tuple[str, ...]:
    """Make the seats those of `powers`; the names of people who have lost theirs and are on the list now."""
    games, seats = session.store.games, session.loaded_game.power_seats
    spare = [seat for seat in seats if seat.power not in powers]
    lacking = [power for power in powers if power not in {seat.power for seat in seats}]
    listed = [seat.person for seat in spare if seat.person is not None]
    for seat in spare:
        games.save_seat(replace(seat, power=EJECTED, person=None, dummy=False, generation=seat.generation + 1))
    for power in lacking:
        games.add_seat(Seat(0, session.game.id, power))
    for person in listed:
        now = session.store.now()
        games.save_applicant(Applicant(session.game.id, person, ApplicantState.APPROVED, now))
    return tuple(session.store.people.get(person).name for person in listed)


def creation_faults(session: LetterSession, reading: LetterContents) -> Iterator[Note]:
    """What is wrong with the lines below CREATE. A game is made only of a letter without any such line."""
    game: Game | None = None
    for given in reading.requests:
        request, line = given.request, given.line
        if isinstance(request, CreateRequest):
            name = variant_called(session.services, request.variant)
            game = Game(0, request.game or "new", name or session.services.variant_ids[0])
            if name is None:
                known = ", ".join(session.services.variant_ids)
                at = next((other.line for other in reading.requests if _names_variant(other.request)), line)
                yield _fault("desk.unknown-variant", at, name=request.variant[:40], variants=known)
        elif isinstance(request, SetRequest) and game is not None and request.key not in (VARIANT, LEAGUE):
            variant = variant_of(session.services, game)
            changed = with_setting(game, variant, request.key, split_reason(request.value)[0], session.store.now())
            if isinstance(changed, SettingError):
                yield Note(changed.key, changed.fields, done=False, line=line)
            else:
                game = changed
        elif game is not None:
            yield from _person_faults(session, variant_of(session.services, game), request, line)


def without_faulty_creation(session: LetterSession, reading: LetterContents) -> LetterContents:
    """A letter about another game without its CREATE and what stands below, if a line of that is not understood."""
    at = next((at for at, given in enumerate(reading.requests) if isinstance(given.request, CreateRequest)), None)
    if at is None or not may_create_games(session.services, session.person):
        return reading
    reading, creation = with_variant_line(reading), reading.requests[at]
    if only_talks_of_creating(session.services, creation):
        session.note("create-how", done=False, line=creation.line)
        return replace(reading, requests=(*reading.requests[:at], *reading.requests[at + 1 :]))
    unread = [trouble for trouble in reading.troubles if trouble.line > creation.line and not trouble.obeyed]
    faults = tuple(creation_faults(session, reading))
    if not faults and not unread:
        return reading
    session.note("nothing-created", done=False, headline=True, n=str(len(faults) + len(unread)))
    session.notes += faults
    return replace(reading, requests=reading.requests[:at])


def only_talks_of_creating(services: Services, creation: RequestLine) -> bool:
    """Whether "Create a game for us" only asks how: "a" is no name."""
    request = creation.request
    common = isinstance(request, CreateRequest) and is_common_word(request.game, services.letters.languages)
    return common and not is_in_capitals(creation.text)


def _names_variant(request: Request) -> bool:
    return isinstance(request, SetRequest) and request.key == VARIANT


def _person_faults(session: LetterSession, variant: Variant, request: Request, line: int) -> Iterator[Note]:
    """Faults of a line that names a power, an address or a time zone."""
    if isinstance(request, TimeZoneRequest) and named_zone(request.zone) is None:
        near = ", ".join(near_zones(request.zone)) or "Europe/Berlin"
        yield _fault("desk.unknown-zone", line, zone=request.zone[:40], near=near)
    if isinstance(request, SeatPlayerRequest | InviteRequest):
        if request.power and power_named(variant, request.power) is None:
            powers = ", ".join(variant.seated)
            yield _fault("desk.unknown-power", line, name=request.power[:40], powers=powers)
        addresses = request.addresses if isinstance(request, InviteRequest) else (request.address,)
        for address in addresses:
            if address.strip() and not is_valid_address(session.services, address.strip().lower()):
                yield _fault("desk.bad-address", line, address=address[:80])


def _fault(key: str, line: int, **fields: str) -> Note:
    return Note(key, tuple(fields.items()), done=False, line=line)
