"""Handlers of REGISTER, ALSO, I AM ALSO, ADDRESS, NAME, LANG, TZ, TOKEN NEW and RECORD.

A person gets another address when a letter from it, or a code sent to it, confirms it; never one that belongs to
somebody else. The answer to a request is the same whether the address is free or not.
"""

from __future__ import annotations

import re
from zoneinfo import ZoneInfo

from msgspec.structs import replace

from gm.game.letters.question import queue_plain_notice
from gm.game.model.conduct_records import PlayingRecord
from gm.game.model.letter_report import Note
from gm.game.model.ports import Store
from gm.game.model.records import GameState, Person
from gm.game.model.services import Services
from gm.game.model.setting_types import UTC
from gm.game.session import confirmation_requests, notices
from gm.game.session.no_seat import session_in_game
from gm.game.session.session import Handlers, LetterSession
from gm.language.commands import players
from gm.language.commands.observers import StopRequest
from gm.language.commands.requests import TimeZoneRequest
from gm.language.dates.time_zones import named_zone, near_zones
from gm.language.i18n.catalogue import language_named

ADDRESS = re.compile(r"[^@\s<>,;:\"()\\]{1,64}@[^@\s<>,;:\"()\\]{1,190}")
NAME_MOST = 80


def tidy_name(name: str) -> str:
    """The name in one line; "" for one that holds an address, which the other players would read."""
    return "" if "@" in name else " ".join(name.split())[:NAME_MOST]


def is_valid_address(services: Services, address: str) -> bool:
    """Whether this may be a person's address: none of this server, and with a dot in the host unless ours has none."""
    whole = bool(ADDRESS.fullmatch(address)) and ("." in address.rpartition("@")[2] or "." not in services.post.domain)
    return whole and not address.endswith(".") and not services.post.ours(address)


def find_or_add_person(store: Store, address: str, name: str, zone: str, language: str = "") -> Person:
    """The person with this address. A new one gets the name, or the part before the @.

    A person without a language is written to in that of the game.
    """
    known = store.people.by_address(address)
    if known is not None:
        return known
    known_zone = named_zone(zone, UTC) or UTC
    name = tidy_name(name) or address.partition("@")[0]
    return store.people.add(Person(0, name, (address,), known_zone.key, language))


ALSO = "also"
CLAIM = "claim"
FIRST = "first"
ADDRESSES_MOST = 8


def register(session: LetterSession, request: players.RegisterRequest, line: int) -> None:
    name, address = session.person.name, session.person.addresses[0]
    session.note("registered-before", line=line, headline=True, name=name, address=address)


def add_address(session: LetterSession, request: players.AlsoRequest | players.IAmAlsoRequest, line: int) -> None:
    """I AM ALSO from a known address means the same as ALSO."""
    _ask(session, request.address.lower(), line)


def sort_addresses(session: LetterSession, request: players.AddressesRequest, line: int) -> None:
    """Sorts known addresses in this order, before the others; new ones are asked to confirm."""
    person = session.person
    wanted = tuple(dict.fromkeys(address.lower() for address in request.addresses))
    mine = tuple(address for address in wanted if address in person.addresses)
    if mine and mine[0] == wanted[0]:
        _save(session, replace(person, addresses=tuple(dict.fromkeys((*mine, *person.addresses)))))
    for address in wanted:
        if address not in person.addresses:
            _ask(session, address, line, first=address == wanted[0])
    known = session.person.addresses
    session.note("addresses", line=line, first=known[0], others=", ".join(known[1:]) or "-")


def remove_address(session: LetterSession, request: players.RemoveAddressRequest, line: int) -> None:
    person, gone = session.person, request.address.lower()
    rest = tuple(address for address in person.addresses if address != gone)
    if rest == person.addresses:
        session.note("address-not-yours", done=False, line=line, address=gone[:80])
    elif not rest:
        session.note("address-last", done=False, line=line, address=gone)
    else:
        _save(session, replace(person, addresses=rest))
        session.note("address-removed", line=line, address=gone, first=rest[0])
        note = Note("desk.address-given-up", (("address", gone),))
        queue_plain_notice(
            session.services, session.store, replace(person, addresses=(gone,)), None, note, _cause(session, line)
        )


def set_language(session: LetterSession, request: players.LanguageRequest, line: int) -> None:
    code = language_named(request.language)
    if not code:
        known = ", ".join(session.services.letters.languages)
        session.note("unknown-language", done=False, line=line, language=request.language[:40], known=known)
        return
    _save(session, replace(session.person, language=code))
    session.note("language", line=line, headline=True)


def set_name(session: LetterSession, request: players.NameRequest, line: int) -> None:
    """The game masters of the person's games are told."""
    old, new = session.person.name, tidy_name(request.name)
    if not new:
        session.note("name-what", done=False, line=line, name=old)
        return
    _save(session, replace(session.person, name=new))
    session.note("named", line=line, headline=True, name=new)
    tell_new_name(session, session.person, old, line)


def tell_new_name(session: LetterSession, person: Person, old: str, line: int) -> None:
    """Tells the game masters of the person's games, apart from the writer of the letter."""
    for number in dict.fromkeys(seat.game for seat in session.store.games.seats_of(person.id)):
        game = session.store.games.get(number)
        if old != person.name and game.state is not GameState.ENDED:
            note = Note("desk.renamed", (("old", old), ("name", person.name)))
            notices.tell_gms(session_in_game(session, game), note, f"{_cause(session, line)}:{number}")


def notify(session: LetterSession, request: players.NotifyRequest, line: int) -> None:
    _save(session, replace(session.person, openings=not request.off))
    session.note("notify-off" if request.off else "notify-on", line=line, headline=True)


def stop_notices(session: LetterSession, request: StopRequest, line: int) -> None:
    """STOP of somebody without a seat."""
    notify(session, players.NotifyRequest(True), line)


def renew_token(session: LetterSession, request: players.NewTokenRequest, line: int) -> None:
    """The answer comes from the new reply address; letters to the old one are rejected."""
    seat = replace(session.seat, generation=session.seat.generation + 1)
    session.store.games.save_seat(seat)
    session.seat = seat
    session.reload_game()
    session.note("token-new", line=line, headline=True)


# ---- one more address


def _ask(session: LetterSession, address: str, line: int, *, first: bool = False) -> None:
    person = session.person
    if not is_valid_address(session.services, address):
        session.note("bad-address", done=False, line=line, address=address[:80])
    elif address in person.addresses:
        session.note("address-yours", line=line, address=address)
    elif len(person.addresses) >= ADDRESSES_MOST:
        session.note("address-too-many", done=False, line=line, most=str(ADDRESSES_MOST))
    else:
        if session.store.people.by_address(address) is None:
            _ask_new(session.services, session.store, person, address, first=first)
        session.note("also-asked", line=line, headline=True, address=address)


def _ask_new(services: Services, store: Store, person: Person, address: str, *, first: bool) -> None:
    payload, matter = {"person": str(person.id), FIRST: "1" if first else ""}, str(person.id)
    fields = {"owner": person.addresses[0]}
    confirmation_requests.ask_for_confirmation(
        services, store, ALSO, address, payload, matter=matter, fields=fields, language=person.language
    )


def confirm_address(plea: confirmation_requests.ConfirmationRequest) -> None:
    """The new address confirms that it belongs to the person: both addresses are told."""
    person = plea.store.people.get(int(plea.payload["person"]))
    if plea.store.people.by_address(plea.address) is not None or not person.addresses:
        return
    order = (plea.address, *person.addresses) if plea.payload[FIRST] else (*person.addresses, plea.address)
    plea.store.people.save(replace(person, addresses=order))
    for key, to in (("address-added", person.addresses[0]), ("address-confirmed", plea.address)):
        note = Note(f"desk.{key}", (("address", plea.address), ("first", order[0])))
        reader = replace(person, addresses=(to,))
        queue_plain_notice(plea.services, plea.store, reader, None, note, f"{key}:{plea.question.code}")


def claimed(plea: confirmation_requests.ConfirmationRequest) -> None:
    """The old address confirms I AM ALSO; now the new one is asked."""
    person = plea.store.people.by_address(plea.address)
    if person is not None and plea.store.people.by_address(plea.payload["new"]) is None:
        _ask_new(plea.services, plea.store, person, plea.payload["new"], first=False)


def claim(session: LetterSession, request: players.IAmAlsoRequest, sender: str) -> None:
    """I AM ALSO from an unknown address: the person it names is asked at the address of record, where there is one."""
    person = session.store.people.by_address(request.address)
    if person is not None and is_valid_address(session.services, sender):
        payload = {"new": sender}
        services, store = session.services, session.store
        confirmation_requests.ask_for_confirmation(
            services, store, CLAIM, person.addresses[0], payload, fields=payload, language=person.language
        )


def _save(session: LetterSession, person: Person) -> None:
    session.person = person
    session.store.people.save(person)


def _cause(session: LetterSession, line: int) -> str:
    return f"person:{session.row.id}:{line}"


def set_time_zone(session: LetterSession, request: TimeZoneRequest, line: int) -> None:
    zone = named_zone(request.zone, ZoneInfo(session.person.zone))
    if zone is None:
        near = ", ".join(near_zones(request.zone)) or "Europe/Berlin"
        session.note("unknown-zone", done=False, line=line, zone=request.zone[:40], near=near)
        return
    _save(session, replace(session.person, zone=zone.key))
    session.note("zone", line=line, headline=True, zone=zone.key)


def tell_record(session: LetterSession, request: players.RecordRequest, line: int) -> None:
    """What is counted of the writer."""
    fields = PlayingRecord.of(session.store.conduct.of(session.person.id)).fields if session.person.id else ()
    key = "desk.record" if fields else "desk.record-empty"
    session.notes.append(Note(key, fields, line=line, headline=True))


HANDLERS: Handlers = {
    players.RegisterRequest: register,
    players.AlsoRequest: add_address,
    players.IAmAlsoRequest: add_address,
    players.AddressesRequest: sort_addresses,
    players.RemoveAddressRequest: remove_address,
    players.LanguageRequest: set_language,
    players.NameRequest: set_name,
    players.NotifyRequest: notify,
    players.NewTokenRequest: renew_token,
    players.RecordRequest: tell_record,
    (StopRequest, "stranger"): stop_notices,
    TimeZoneRequest: set_time_zone,
}
