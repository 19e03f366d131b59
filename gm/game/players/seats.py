"""What a game master does about seats: APPROVE, REFUSE, INVITE, EJECT, DUMMY, REVIVE, HANDOVER.

An invitation and a hand-over are questions: the seat is taken by the YES of the address they went to.
"""

from __future__ import annotations

from msgspec.structs import replace

from gm.game.letters.question import slip
from gm.game.model.letter_report import Note
from gm.game.model.loaded_game import power_named
from gm.game.model.records import MASTER, Applicant, ApplicantState, Game, GameState, Person, Seat
from gm.game.orders import gm_orders as hand
from gm.game.players import joining as entering
from gm.game.players import people as people
from gm.game.players import power_assignment as casting
from gm.game.players.people import good, known_or_new
from gm.game.session import confirmation_requests as pleas
from gm.game.session import no_seat
from gm.game.session import notices as news
from gm.game.session import seat_changes as chairs
from gm.game.session.handler import Handlers, RequestHandler
from gm.game.session.no_seat import at, sit
from gm.game.session.session import LetterSession
from gm.language.commands import players as ask
from gm.language.i18n.catalogue import Catalogue
from gm.language.rendering.views import Block, BulletsView, ParagraphView, SectionView

INVITE = "invite"
HANDOVER = "handover"


def approve(sitting: LetterSession, request: ask.ApproveRequest, line: int) -> None:
    entry = _entry(sitting, request.who, line)
    power = _power(sitting, request.power, line) if request.power else ""
    if entry is None or power is None:
        return
    person = sitting.store.people.get(entry.person)
    if sitting.table.running or power:
        wanted = power or entry.power
        seat = entering.sit_down(replace(sitting, person=person), wanted, entry.wish)
        sitting.lay()
        if seat is None:
            free = ", ".join(one.power for one in chairs.vacant(sitting.table))
            key = "approve-taken" if free else "approve-none"
            sitting.note(key, done=False, line=line, power=wanted or "-", free=free, name=person.name)
            return
        note = sitting.note("seated", line=line, power=seat.power, name=person.name, address=person.addresses[0])
    else:
        _list(sitting, person, entry.wish)
        note = sitting.note("approved", line=line, name=person.name, left=str(_left(sitting)))
        _tell_person(sitting, person, "you-are-in" if entry.wish else "you-are-in-open", line, wish=entry.wish)
    sitting.log(f"APPROVE {person.addresses[0]}", note)


def refuse(sitting: LetterSession, request: ask.RefuseRequest, line: int) -> None:
    entry = _entry(sitting, request.who, line)
    if entry is None:
        return
    person = sitting.store.people.get(entry.person)
    sitting.store.games.drop_entry(sitting.game.id, person.id)
    note = sitting.note("refused-entry", line=line, name=person.name)
    _tell_person(sitting, person, "you-are-not-in", line)
    sitting.log(f"REFUSE {person.addresses[0]}", note)


def invite(sitting: LetterSession, request: ask.InviteRequest, line: int) -> None:
    power = _power(sitting, request.power, line) if request.power else ""
    if power is None:
        return
    store, address = sitting.store, request.address.lower()
    person = store.people.by_address(address)
    free = [seat.power for seat in chairs.vacant(sitting.table)]
    if sitting.game.state is GameState.ENDED:
        sitting.note("game-over", done=False, line=line, what="INVITE")
    elif not good(sitting.office, address):
        sitting.note("bad-address", done=False, line=line, address=address[:80])
    elif not power and person is not None and entering.plays(sitting.table, person.id):
        sitting.note("invite-plays", done=False, line=line, address=address)
    elif not free or (power and power not in free):
        key = "invite-taken" if free else "invite-none"
        sitting.note(key, done=False, line=line, power=power or "-", free=", ".join(free))
    else:
        _send(sitting, address, request.name, power, _spoken(sitting, person), line)


def _spoken(sitting: LetterSession, person: Person | None) -> str:
    """His own language, else the game's."""
    return (person.language if person else "") or sitting.table.settings.language


def _send(sitting: LetterSession, address: str, name: str, power: str, language: str, line: int) -> None:
    office, game, variant = sitting.office, sitting.game, sitting.table.variant
    catalogue = office.letters.catalogue(language, variant)
    fields = {"master": sitting.person.name, "title": variant.title, "as": catalogue.say("invite.any")}
    if power:
        fields["as"] = catalogue.say("invite.power", power=power)
    said = {"power": power, "name": people.tidy(name)}
    sections = _about_game(sitting, catalogue, power)
    if not pleas.ask(
        office,
        sitting.store,
        INVITE,
        address,
        said,
        matter=power,
        game=game,
        fields=fields,
        sections=sections,
        language=language,
    ):
        sitting.note("invited-before", done=False, line=line, address=address)
        return
    note = sitting.note("invited", line=line, address=address)
    sitting.log(f"INVITE {address} {power}".strip(), note)


def _about_game(sitting: LetterSession, catalogue: Catalogue, power: str) -> tuple[SectionView, ...]:
    """Half a page on what it is to play here. `power`: the invitation is for that seat; "": for any."""
    settings, variant, position = sitting.table.settings, sitting.table.variant, sitting.table.position
    running = sitting.table.running
    state = "running" if running else "forming-seat" if power else "forming"
    blocks: list[Block] = [
        ParagraphView(catalogue.say("invite.mail")),
        ParagraphView(catalogue.say("invite.week", moves=settings.moves, n=len(variant.powers))),
        ParagraphView(catalogue.say(f"invite.{state}", phase=variant.phase_name(position) if running else "")),
    ]
    about = SectionView(catalogue.say("invite.about"), tuple(blocks))
    if not variant.special:
        return (about,)
    title = catalogue.say("welcome.special", variant=variant.title)
    return (about, SectionView(title, (BulletsView(variant.told(catalogue.language)[:3]),)))


def eject(sitting: LetterSession, request: ask.EjectRequest, line: int) -> None:
    """A power's player, or all the powers that somebody plays here."""
    power = power_named(sitting.table.variant, request.who)
    seats = [seat for seat in sitting.table.power_seats if seat.person is not None and seat.power == power]
    if power is None:
        person = _named(sitting, request.who, [seat.person for seat in sitting.table.power_seats if seat.person])
        seats = [seat for seat in sitting.table.power_seats if person is not None and seat.person == person.id]
    if not seats:
        powers = ", ".join(seat.power for seat in sitting.table.power_seats if seat.person is not None) or "-"
        sitting.note("eject-whom", done=False, line=line, name=request.who[:60] or "-", powers=powers)
        return
    for seat in seats:
        chairs.change(sitting, seat, None, chairs.EJECTED)
        note = sitting.note("ejected", line=line, headline=True, power=seat.power)
        sitting.log(f"EJECT {seat.power}", note)


def dummy(sitting: LetterSession, request: ask.DummyRequest, line: int) -> None:
    seat = _seat(sitting, request.power, line)
    if seat is None:
        return
    if seat.dummy:
        sitting.note("dummy-before", line=line, power=seat.power)
        return
    chairs.change(sitting, seat, None, chairs.EJECTED, dummy=True)
    note = sitting.note("seat-dummy", line=line, headline=True, power=seat.power)
    sitting.log(f"DUMMY {seat.power}", note)


def revive(sitting: LetterSession, request: ask.ReviveRequest, line: int) -> None:
    seat = _seat(sitting, request.power, line)
    if seat is None:
        return
    if not seat.dummy:
        sitting.note("no-dummy", done=False, line=line, power=seat.power)
        return
    sitting.store.games.save_seat(replace(seat, dummy=False))
    sitting.lay()
    note = sitting.note("revived", line=line, headline=True, power=seat.power)
    sitting.log(f"REVIVE {seat.power}", note)
    if sitting.table.running:
        news.add(sitting, Note("desk.revived", (("power", seat.power),)))


def hand_over(sitting: LetterSession, request: ask.HandOverRequest, line: int) -> None:
    address = request.address.lower()
    person = sitting.store.people.by_address(address)
    if not good(sitting.office, address):
        sitting.note("bad-address", done=False, line=line, address=address[:80])
        return
    if person is not None and any(seat.person == person.id for seat in sitting.table.masters):
        sitting.note("handover-master", done=False, line=line, address=address)
        return
    said = {"chair": str(sitting.seat.id), "person": str(sitting.person.id)}
    fields = {"title": sitting.table.variant.title, "master": sitting.person.name}
    language = _spoken(sitting, person)
    if not pleas.ask(
        sitting.office, sitting.store, HANDOVER, address, said, game=sitting.game, fields=fields, language=language
    ):
        sitting.note("invited-before", done=False, line=line, address=address)
        return
    note = sitting.note("handover-asked", line=line, headline=True, address=address)
    sitting.log(f"HANDOVER {address}", note)


# ---- the answers


def _called(plea: pleas.ConfirmationRequest) -> str:
    """What a newcomer calls himself below his YES, so that he is introduced by it; "" where he does not say."""
    asked = (given.request for given in no_seat.read_anywhere(plea.office, plea.letter).requests)
    return next((people.tidy(request.name) for request in asked if isinstance(request, ask.NameRequest)), "")


def accepted(plea: pleas.ConfirmationRequest) -> LetterSession:
    """YES to an invitation: the seat, or a place on the list."""
    game = plea.store.games.lock(plea.question.game)
    name = _called(plea) or plea.said["name"]
    person = known_or_new(plea.store, plea.address, name, _zone(plea, game))
    sitting = sit(plea.office, plea.store, plea.row, plea.letter, person)
    there, power = at(sitting, game), plea.said["power"]
    if game.state is GameState.ENDED:
        sitting.note("join-over", done=False, game=game.name)
        return sitting
    free = [seat.power for seat in chairs.vacant(there.table)]
    if there.table.running or power in free:
        seat = entering.sit_down(there, power if power in free else "", "")
        if seat is None:
            sitting.note("takeover-none", done=False, game=game.name)
            return sitting
        there.lay()
        if not there.table.running:
            sitting.note("you-play", headline=True, power=seat.power, game=game.name)
    else:
        _list(there, person, "")
        sitting.note("you-are-in-open", headline=True, game=game.name, title=there.table.variant.title)
    told = Note("desk.invite-accepted", (("name", person.name), ("address", plea.address), ("left", str(_left(there)))))
    news.tell_masters(there, told, f"accepted:{plea.question.code}")
    news.tell(there)
    return sitting


def declined(plea: pleas.ConfirmationRequest) -> None:
    game = plea.store.games.get(plea.question.game)
    there = at(sit(plea.office, plea.store, plea.row, plea.letter, Person(0, "", (plea.address,))), game)
    told = Note(f"desk.{plea.question.kind}-declined", (("address", plea.address),))
    news.tell_masters(there, told, f"declined:{plea.question.code}")


def took_over(plea: pleas.ConfirmationRequest) -> LetterSession:
    """YES to a hand-over: the chair, if whoever offered it still sits in it."""
    game = plea.store.games.lock(plea.question.game)
    person = known_or_new(plea.store, plea.address, "", _zone(plea, game))
    sitting = sit(plea.office, plea.store, plea.row, plea.letter, person)
    there = at(sitting, game)
    chair = next((seat for seat in there.table.masters if str(seat.id) == plea.said["chair"]), None)
    if chair is None or str(chair.person) != plea.said["person"]:
        sitting.note("handover-void", done=False, game=game.name)
        return sitting
    old = plea.store.people.get(int(plea.said["person"]))
    chair = chairs.hand_over(there, chair, person.id)
    there.lay()
    if there.game.snapshot:
        chairs.greet(there, chair, inherits=False)
    else:
        there.introduced.add(chair.id)
    note = Note("desk.handed-over", (("name", person.name), ("game", game.name)))
    slip(there.office, there.store, old, game, note, f"handed:{plea.question.code}")
    there.log("HANDOVER", note)
    news.add(there, Note("desk.master-changed", (("name", person.name),)))
    news.tell(there)
    return sitting


def _zone(plea: pleas.ConfirmationRequest, game: Game) -> str:
    return dict(game.settings).get("zone", plea.office.zone)


# ---- who is meant


def _entry(sitting: LetterSession, who: str, line: int) -> Applicant | None:
    entries = sitting.store.games.entries(sitting.game.id)
    person = _named(sitting, who, [one.person for one in entries])
    entry = next((one for one in entries if person is not None and one.person == person.id), None)
    if entry is None:
        names = [sitting.store.people.get(one.person) for one in entries]
        listed = ", ".join(f"{name.name} <{name.addresses[0]}>" for name in names if name.addresses)
        key = "no-such-entry" if listed else "no-entries"
        sitting.note(key, done=False, line=line, name=who[:60] or "-", listed=listed)
    return entry


def _named(sitting: LetterSession, who: str, among: list[int]) -> Person | None:
    """By address, else by name, else by the beginning of a name that only one has."""
    wanted = " ".join(who.lower().split())
    each = [sitting.store.people.get(one) for one in dict.fromkeys(among)]
    for fits in (
        [one for one in each if wanted in one.addresses],
        [one for one in each if one.name.lower() == wanted],
        [one for one in each if wanted and one.name.lower().startswith(wanted)],
    ):
        if len(fits) == 1:
            return fits[0]
    return None


def _power(sitting: LetterSession, name: str, line: int) -> str | None:
    power = power_named(sitting.table.variant, name)
    if power is None or power == MASTER:
        hand.unknown_power(sitting, name, line)
        return None
    return power


def _seat(sitting: LetterSession, name: str, line: int) -> Seat | None:
    power = _power(sitting, name, line)
    return sitting.table.seat_of(power) if power else None


def _list(sitting: LetterSession, person: Person, wish: str) -> None:
    store = sitting.store
    store.games.keep_entry(Applicant(sitting.game.id, person.id, ApplicantState.APPROVED, store.now(), wish))


def _left(sitting: LetterSession) -> int:
    """Powers that nobody is there for yet."""
    return max(0, len(chairs.vacant(sitting.table)) - len(casting.approved(sitting.store, sitting.table)))


def _tell_person(sitting: LetterSession, person: Person, key: str, line: int, **said: str) -> None:
    fields = {"game": sitting.game.name, "title": sitting.table.variant.title} | said
    note = Note(f"desk.{key}", tuple(fields.items()))
    slip(sitting.office, sitting.store, person, sitting.game, note, f"act:{sitting.row.id}:{line}")


HANDLERS: Handlers = {
    ask.ApproveRequest: RequestHandler(approve, most=30),
    ask.RefuseRequest: RequestHandler(refuse, final=True, most=30),
    ask.InviteRequest: RequestHandler(invite, most=30),
    ask.EjectRequest: RequestHandler(eject, final=True, most=10),
    ask.DummyRequest: RequestHandler(dummy, final=True, most=20),
    ask.ReviveRequest: RequestHandler(revive, most=20),
    ask.HandOverRequest: RequestHandler(hand_over, final=True, most=1),
}
