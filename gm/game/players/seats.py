"""Handlers of APPROVE, REFUSE, INVITE, EJECT, DUMMY, REVIVE and HANDOVER.

An invitation and a hand-over take effect when their address answers YES.
"""

from __future__ import annotations

import json
import re

from msgspec.structs import replace

from gm.game.letters.question import queue_plain_notice
from gm.game.model.letter_report import Note
from gm.game.model.loaded_game import power_named
from gm.game.model.records import INVITE, MASTER, Applicant, ApplicantState, Game, GameState, Person, Seat
from gm.game.players import joining, people, power_assignment
from gm.game.players.people import find_or_add_person, is_valid_address
from gm.game.session import confirmation_requests, no_seat, notices, seat_changes
from gm.game.session.no_seat import session_in_game, session_without_game
from gm.game.session.session import Handlers, LetterSession
from gm.language.commands import parser, players
from gm.language.commands.preferences import example_of_wishes, wish_in_letter
from gm.language.dates.schedule_words import format_schedule
from gm.language.i18n.catalogue import Catalogue
from gm.language.i18n.joining_words import AND
from gm.language.i18n.localized_variant import localized
from gm.language.i18n.normalize import clean
from gm.language.letter.talk.consent_words import only_agrees, refusal
from gm.language.rendering.views import Block, BulletsView, ParagraphView, QuotedWordsView, SectionView

HANDOVER = "handover"
WORDS_MOST = 2000
"""Characters of an answer that are passed on."""
BETWEEN_NAMES = re.compile(rf"\s*[,;&]\s*|\s+(?:{AND})\s+", re.IGNORECASE)


def approve(session: LetterSession, request: players.ApproveRequest, line: int) -> None:
    for part in _each(session, request.who):
        who, named = (part, request.power) if request.power else _with_power(session, part)
        power = _find_power(session, named, line) if named else ""
        if power is not None and (entry := _find_applicant(session, who, line)) is not None:
            _let_in(session, entry, power, line)


def _with_power(session: LetterSession, words: str) -> tuple[str, str]:
    """A person of a list, and the power they get: "Luc to France"; "" for none."""
    for language in session.languages:
        variant = localized(session.loaded_game.variant, language)
        command = session.services.letters.catalogue(language).say("proposals.approve", who=words)
        meant = parser.read_command(clean(command).text, variant)
        if meant is not None and isinstance(meant.request, players.ApproveRequest) and meant.request.power:
            return meant.request.who, meant.request.power
    return players.person_meant(words), ""


def _let_in(session: LetterSession, entry: Applicant, power: str, line: int) -> None:
    """Give an applicant the power, or a place on the list before the start."""
    person = session.store.people.get(entry.person)
    if session.loaded_game.running or power:
        wanted = power or entry.power
        seat = joining.sit_down(replace(session, person=person), wanted, entry.wish)
        session.reload_game()
        if seat is None:
            free = ", ".join(vacant.power for vacant in session.loaded_game.vacant_seats)
            key = "approve-taken" if free else "approve-none"
            session.note(key, done=False, line=line, power=wanted or "-", free=free, name=person.name)
            return
        note = session.note("seated", line=line, power=seat.power, name=person.name, address=person.addresses[0])
    else:
        _list(session, person, entry.wish)
        note = session.note("approved", line=line, name=person.name, left=str(_left(session)))
        _tell_person(session, person, "you-are-in" if entry.wish else "you-are-in-open", line, wish=entry.wish)
    session.log(f"APPROVE {person.addresses[0]}", note)


def refuse(session: LetterSession, request: players.RefuseRequest, line: int) -> None:
    for who in _each(session, request.who):
        if _withdraw_invitation(session, who, line):
            continue
        if (entry := _find_applicant(session, who, line)) is not None:
            _turn_away(session, entry, line)


def _withdraw_invitation(session: LetterSession, who: str, line: int) -> bool:
    """Whether somebody of this address or name was invited and has not answered yet: a later YES gives no seat."""
    asked = (each for each in session.store.turns.questions_of(session.game.id, INVITE) if not each.answered)
    invited = [(question, json.loads(question.payload)) for question in asked]
    wanted = _plain(who)
    meant = [(question.code, about["address"]) for question, about in invited
        if wanted in (about["address"], _plain(about["name"]))]  # fmt: skip
    for code, _ in meant:
        session.store.turns.mark_answered(code)
    for address in dict.fromkeys(address for _, address in meant):
        note = session.note("invite-withdrawn", line=line, address=address)
        session.log(f"REFUSE {address}", note)
    return bool(meant)


def _turn_away(session: LetterSession, entry: Applicant, line: int) -> None:
    person = session.store.people.get(entry.person)
    session.store.games.remove_applicant(session.game.id, person.id)
    note = session.note("refused-entry", line=line, name=person.name)
    _tell_person(session, person, "you-are-not-in", line)
    session.log(f"REFUSE {person.addresses[0]}", note)


def invite(session: LetterSession, request: players.InviteRequest, line: int) -> None:
    power = _find_power(session, request.power, line) if request.power else ""
    if power is not None:
        for address, name in zip(request.addresses, request.names, strict=True):
            _invite_person(session, address.lower(), name, power, line)


def _invite_person(session: LetterSession, address: str, name: str, power: str, line: int) -> None:
    if may_invite(session, address, power, line):
        _send(session, address, name, power, _spoken(session, session.store.people.by_address(address)), line)


def may_invite(session: LetterSession, address: str, power: str, line: int) -> bool:
    """Whether this address can be invited, to this power or any (""); else a note says why not."""
    person = session.store.people.by_address(address)
    free = [seat.power for seat in session.loaded_game.vacant_seats]
    if session.game.state is GameState.ENDED:
        session.note("game-over", done=False, line=line, what="INVITE")
    elif not is_valid_address(session.services, address):
        session.note("bad-address", done=False, line=line, address=address[:80])
    elif not power and person is not None and session.loaded_game.plays(person.id):
        session.note("invite-plays", done=False, line=line, address=address)
    elif not free or (power and power not in free):
        key = "invite-taken" if free else "invite-none"
        session.note(key, done=False, line=line, power=power or "-", free=", ".join(free))
    else:
        return True
    return False


def _spoken(session: LetterSession, person: Person | None) -> str:
    """The person's language, else the game's."""
    return (person.language if person else "") or session.loaded_game.settings.language


def _send(session: LetterSession, address: str, name: str, power: str, language: str, line: int) -> None:
    services, game, variant = session.services, session.game, session.loaded_game.variant
    catalogue = services.letters.catalogue(language, variant)
    fields = {"master": session.person.name, "title": variant.title, "as": catalogue.say("invite.any")}
    if power:
        fields["as"] = catalogue.say("invite.power", power=power)
    payload = {"power": power, "name": people.tidy_name(name)}
    sections = _about_game(session, catalogue, power)
    if not confirmation_requests.ask_for_confirmation(
        services,
        session.store,
        INVITE,
        address,
        payload,
        matter=power,
        game=game,
        fields=fields,
        sections=sections,
        language=language,
    ):
        session.note("invited-before", done=False, line=line, address=address)
        return
    note = session.note("invited", line=line, address=address)
    session.log(f"INVITE {address} {power}".strip(), note)


def _about_game(session: LetterSession, catalogue: Catalogue, power: str) -> tuple[SectionView, ...]:
    """What an invited person has to know about the game. `power`: the seat offered, "" for any."""
    settings, variant, position = (
        session.loaded_game.settings,
        session.loaded_game.variant,
        session.loaded_game.position,
    )
    running = session.loaded_game.running
    state = "running" if running else "forming-seat" if power else "forming"
    own = (QuotedWordsView(settings.about),) if settings.about else ()
    moves = format_schedule(settings.moves, None, catalogue)
    blocks: list[Block] = [
        *own,
        ParagraphView(catalogue.say("invite.mail")),
        ParagraphView(catalogue.say("invite.week", moves=moves, n=len(variant.powers))),
        ParagraphView(catalogue.say(f"invite.{state}", phase=variant.phase_name(position) if running else "")),
    ]
    about = SectionView(catalogue.say("invite.about"), tuple(blocks))
    if not variant.special:
        return (about,)
    title = catalogue.say("welcome.special", variant=variant.title)
    return (about, SectionView(title, (BulletsView(variant.special_lines(catalogue.language)[:3]),)))


def eject(session: LetterSession, request: players.EjectRequest, line: int) -> None:
    """Empties the seat of a power, or all seats of a person; or takes the invitation of somebody without one back."""
    power, taken = power_named(session.loaded_game.variant, request.who), session.loaded_game.taken_seats
    seats = [seat for seat in taken if seat.power == power]
    if power is None:
        person = find_person(session, request.who, [seat.person for seat in taken if seat.person])
        seats = [seat for seat in taken if person is not None and seat.person == person.id]
    if not seats and _withdraw_invitation(session, request.who, line):
        return
    if not seats:
        powers = ", ".join(seat.power for seat in taken) or "-"
        session.note("eject-whom", done=False, line=line, name=request.who[:60] or "-", powers=powers)
        return
    for seat in seats:
        seat_changes.change_holder(session, seat, None, seat_changes.EJECTED)
        note = session.note("ejected", line=line, headline=True, power=seat.power)
        session.log(f"EJECT {seat.power}", note)


def rename(session: LetterSession, request: players.RenameRequest, line: int) -> None:
    """Puts a player's name right, who is told: the name is theirs in all games."""
    power, store = power_named(session.loaded_game.variant, request.who), session.store
    taken = session.loaded_game.taken_seats
    people_here = [seat.person for seat in taken if seat.person and power in (None, seat.power)]
    asking = [entry.person for entry in store.games.applicants(session.game.id)] if power is None else []
    each = [*people_here, *asking]
    person = store.people.get(each[0]) if power and len(each) == 1 else find_person(session, request.who, each)
    name = people.tidy_name(request.name)
    if person is None:
        listed = ", ".join(dict.fromkeys(store.people.get(number).name for number in each)) or "-"
        session.note("rename-whom", done=False, line=line, name=request.who[:60] or "-", listed=listed)
    elif not name:
        session.note("rename-how", done=False, line=line, name=person.name)
    else:
        old, person = person.name, replace(person, name=name)
        store.people.save(person)
        note = session.note("renamed", line=line, headline=True, old=old, name=name)
        session.log(f"RENAME {old}: {name}", note)
        people.tell_new_name(session, person, old, line)
        if old != name:
            _tell_person(session, person, "renamed-you", line, name=name)


def dummy(session: LetterSession, request: players.DummyRequest, line: int) -> None:
    seat = _find_seat(session, request.power, line)
    if seat is None:
        return
    if seat.dummy:
        session.note("dummy-before", line=line, power=seat.power)
        return
    seat_changes.change_holder(session, seat, None, seat_changes.EJECTED, dummy=True)
    note = session.note("seat-dummy", line=line, headline=True, power=seat.power)
    session.log(f"DUMMY {seat.power}", note)


def revive(session: LetterSession, request: players.ReviveRequest, line: int) -> None:
    seat = _find_seat(session, request.power, line)
    if seat is None:
        return
    if not seat.dummy:
        session.note("no-dummy", done=False, line=line, power=seat.power)
        return
    session.store.games.save_seat(replace(seat, dummy=False))
    session.reload_game()
    session.news.opened = True
    note = session.note("revived", line=line, headline=True, power=seat.power)
    session.log(f"REVIVE {seat.power}", note)
    if session.loaded_game.running:
        notices.add_notice(session, Note("desk.revived", (("power", seat.power),)))


def hand_over(session: LetterSession, request: players.HandOverRequest, line: int) -> None:
    address = request.address.lower()
    person = session.store.people.by_address(address)
    if not is_valid_address(session.services, address):
        session.note("bad-address", done=False, line=line, address=address[:80])
        return
    if person is not None and any(seat.person == person.id for seat in session.loaded_game.masters):
        session.note("handover-master", done=False, line=line, address=address)
        return
    payload = {"chair": str(session.seat.id), "person": str(session.person.id)}
    fields = {"title": session.loaded_game.variant.title, "master": session.person.name}
    language = _spoken(session, person)
    if not confirmation_requests.ask_for_confirmation(
        session.services, session.store, HANDOVER, address, payload, game=session.game, fields=fields, language=language
    ):
        session.note("invited-before", done=False, line=line, address=address)
        return
    note = session.note("handover-asked", line=line, headline=True, address=address)
    session.log(f"HANDOVER {address}", note)


# ---- the answers


def _new_name(plea: confirmation_requests.ConfirmationRequest) -> str:
    """The name of a NAME command in the letter with YES; "" without one."""
    asked = (given.request for given in no_seat.read_without_game(plea.services, plea.letter).requests)
    return next((people.tidy_name(request.name) for request in asked if isinstance(request, players.NameRequest)), "")


def accept_invitation(plea: confirmation_requests.ConfirmationRequest) -> LetterSession:
    """YES to an invitation: gives a seat or a place on the list."""
    game = plea.store.games.lock(plea.question.game)
    name = _new_name(plea) or plea.payload["name"]
    person = find_or_add_person(plea.store, plea.address, name, _zone(plea, game))
    session = session_without_game(plea.services, plea.store, plea.row, plea.letter, person)
    there, power = session_in_game(session, game), plea.payload["power"]
    if game.state is GameState.ENDED:
        session.note("join-over", done=False, game=game.name.partition("~")[0])
        return session
    free = [seat.power for seat in there.loaded_game.vacant_seats]
    if there.loaded_game.running or power in free:
        seat = joining.sit_down(there, power if power in free else "", "")
        if seat is None:
            session.note("takeover-none", done=False, game=game.name)
            return session
        there.reload_game()
        if not there.loaded_game.running:
            session.note("you-play", headline=True, power=seat.power, game=game.name)
    else:
        words = "\n".join(words for _, words in plea.letter.lines)
        wish = wish_in_letter(words, localized(there.loaded_game.variant, there.language)).text
        _list(there, person, wish)
        key, title = "you-are-in" if wish else "you-are-in-open", there.loaded_game.variant.title
        likes = example_of_wishes(there.loaded_game.variant)
        session.note(key, headline=True, game=game.name, title=title, wish=wish, likes=likes)
    note = Note("desk.invite-accepted", (("name", person.name), ("address", plea.address), ("left", str(_left(there)))))
    notices.tell_gms(there, note, f"accepted:{plea.question.code}", _words_besides(plea))
    notices.send_notices(there)
    return session


def tell_declined(plea: confirmation_requests.ConfirmationRequest) -> None:
    game = plea.store.games.get(plea.question.game)
    there = session_in_game(
        session_without_game(plea.services, plea.store, plea.row, plea.letter, Person(0, "", (plea.address,))), game
    )
    note = Note(f"desk.{plea.question.kind}-declined", (("address", plea.address),))
    notices.tell_gms(there, note, f"declined:{plea.question.code}", _words_besides(plea))


def _words_besides(plea: confirmation_requests.ConfirmationRequest) -> str:
    """What a letter says besides YES, NO and commands; the game master may need it: "ask my friend Marek"."""
    reading = no_seat.read_without_game(plea.services, plea.letter)
    asking = {given.line for given in reading.requests}
    lines = tuple(line for line in plea.letter.lines if line[0] not in asking)
    words = "\n".join(text for _, text in lines).strip()
    languages = plea.services.letters.languages
    plain = only_agrees(words, languages) or refusal(words, languages) == len(words)
    return "" if plain else words[:WORDS_MOST]


def accept_hand_over(plea: confirmation_requests.ConfirmationRequest) -> LetterSession:
    """YES to a hand-over: gives the game master's seat, if it still belongs to the person who offered it."""
    game = plea.store.games.lock(plea.question.game)
    person = find_or_add_person(plea.store, plea.address, "", _zone(plea, game))
    session = session_without_game(plea.services, plea.store, plea.row, plea.letter, person)
    there = session_in_game(session, game)
    chair = next((seat for seat in there.loaded_game.masters if str(seat.id) == plea.payload["chair"]), None)
    if chair is None or str(chair.person) != plea.payload["person"]:
        session.note("handover-void", done=False, game=game.name)
        return session
    old = plea.store.people.get(int(plea.payload["person"]))
    chair = seat_changes.assign_seat(there, chair, person.id)
    there.reload_game()
    if there.game.snapshot:
        seat_changes.send_welcome(there, chair, inherits=False)
    else:
        there.news.introduced.add(chair.id)
    note = Note("desk.handed-over", (("name", person.name), ("game", game.name)))
    queue_plain_notice(there.services, there.store, old, game, note, f"handed:{plea.question.code}")
    there.log("HANDOVER", note)
    notices.add_notice(there, Note("desk.master-changed", (("name", person.name),)))
    notices.send_notices(there)
    return session


def _zone(plea: confirmation_requests.ConfirmationRequest, game: Game) -> str:
    return dict(game.settings).get("zone", plea.services.zone)


# ---- who is meant


def _each(session: LetterSession, who: str) -> tuple[str, ...]:
    """The names of a list of applicants: "Hans and Bob"."""
    several = [part.strip(" .") for part in BETWEEN_NAMES.split(who)]
    everybody = [applicant.person for applicant in session.store.games.applicants(session.game.id)]
    if len(several) > 1 and find_person(session, who, everybody) is None:
        return tuple(part for part in several if part)
    return (who,)


def _find_applicant(session: LetterSession, who: str, line: int) -> Applicant | None:
    """Who asks to play comes before who is in already: of two called Hans, the one who waits is meant."""
    applicants = session.store.games.applicants(session.game.id)
    waiting = [applicant.person for applicant in applicants if applicant.state is ApplicantState.ASKED]
    person = find_person(session, who, waiting) or find_person(session, who, [entry.person for entry in applicants])
    entry = next((applicant for applicant in applicants if person is not None and applicant.person == person.id), None)
    if entry is None and not _plays_already(session, who, line):
        several = people_named(session, who, waiting)
        names = several or [session.store.people.get(number) for number in waiting]
        listed = ", ".join(f"{name.name} <{name.addresses[0]}>" for name in names if name.addresses)
        key = "several-entries" if several else "no-such-entry" if listed else "no-entries"
        session.note(key, done=False, line=line, name=who[:60] or "-", listed=listed)
    return entry


def _plays_already(session: LetterSession, who: str, line: int) -> bool:
    seats = {seat.person: seat.power for seat in session.loaded_game.power_seats if seat.person is not None}
    person = find_person(session, who, list(seats))
    if person is not None:
        session.note("entry-plays", line=line, name=person.name, power=seats[person.id])
    return person is not None


def find_person(session: LetterSession, who: str, among: list[int]) -> Person | None:
    """A person by address, name, or the unique beginning of a name."""
    fits = people_named(session, who, among)
    return fits[0] if len(fits) == 1 else None


def people_named(session: LetterSession, who: str, among: list[int]) -> list[Person]:
    """All who may be meant: those of the address, else of the name, else of a name that begins so."""
    wanted = _plain(who)
    each = [session.store.people.get(number) for number in dict.fromkeys(among)]
    fits = (
        [person for person in each if wanted in person.addresses],
        [person for person in each if _plain(person.name) == wanted],
        [person for person in each if wanted and _plain(person.name).startswith(wanted)],
    )
    return min(filter(None, fits), key=len, default=[])


def _plain(name: str) -> str:
    """A name for comparing: "Döring" is also written "Doring"."""
    return " ".join(clean(name).text.casefold().split())


def _find_power(session: LetterSession, name: str, line: int) -> str | None:
    power = power_named(session.loaded_game.variant, name)
    if power is None or power == MASTER:
        session.unknown_power(name, line)
        return None
    return power


def _find_seat(session: LetterSession, name: str, line: int) -> Seat | None:
    power = _find_power(session, name, line)
    return session.loaded_game.seat_of(power) if power else None


def _list(session: LetterSession, person: Person, wish: str) -> None:
    store = session.store
    store.games.save_applicant(Applicant(session.game.id, person.id, ApplicantState.APPROVED, store.now(), wish))


def _left(session: LetterSession) -> int:
    """The number of seats without a player or approved applicant."""
    return max(0, power_assignment.places_left(session.store, session.loaded_game))


def _tell_person(session: LetterSession, person: Person, key: str, line: int, **fields: str) -> None:
    variant = session.loaded_game.variant
    fields = {"game": session.game.name, "title": variant.title, "likes": example_of_wishes(variant)} | fields
    note = Note(f"desk.{key}", tuple(fields.items()))
    queue_plain_notice(session.services, session.store, person, session.game, note, session.cause(line))


HANDLERS: Handlers = {
    players.ApproveRequest: approve,
    players.RefuseRequest: refuse,
    players.InviteRequest: invite,
    players.EjectRequest: eject,
    players.RenameRequest: rename,
    players.DummyRequest: dummy,
    players.ReviveRequest: revive,
    players.HandOverRequest: hand_over,
}
