"""Answers about the last turns: "Why did my move to Vienna bounce?", "What were my orders last turn?".

Only what the asker may see of a turn is told (`TurnSteps`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice

from gm.game.model.recipient import Recipient
from gm.game.session.session import LetterSession
from gm.game.views import maps
from gm.game.views.turns.turn_events import TurnView, is_good, outcome_with_reason, shown_order
from gm.game.views.turns.turn_summary import attack_sentence
from gm.judge.model.events import Dislodgement, OrderResult
from gm.judge.model.orders import Move
from gm.language.i18n.localized_variant import localized
from gm.language.i18n.place_names import words
from gm.language.orders.parsing.order_context import place_names
from gm.language.orders.phase_names import earlier_phase

Fields = Mapping[str, str]
Told = tuple[str, Fields] | None
TURNS_BACK = 4
"""Phases in which a reason is looked for: a move stands before retreats and builds."""
MOST_ORDERS = 4
MOST_WORDS = 4
"""Words of a place's name."""
SHORTEST = 3


def reason(session: LetterSession, fields: Fields) -> Told:
    """What became of the orders that a question asks about, and why: those of the places that it names, the asker's
    own before others'; without such a place, the asker's that failed.
    """
    places = set(_places(session, fields["about"]))
    for scene in _turns(session):
        results = list(_asked(scene, places))
        if results:
            listed = "; ".join(_with_reason(scene, phase, result) for phase, result in results[:MOST_ORDERS])
            return "asked-why", {"phase": _called(scene, results[0][0]), "orders": listed}
    return None


def own_orders(session: LetterSession, fields: Fields) -> Told:
    """The asker's orders of the last phase in which they gave any, or of one that they name."""
    season = fields.get("phase", "")
    named = earlier_phase(season, session.context.variant, session.context.position) if season else ""
    for scene in _turns(session, all_turns=bool(named)):
        own = [result for result in scene.own if result.given]
        if own and named in ("", scene.snapshot.resolved):
            phase = scene.snapshot.resolved
            orders = "; ".join(_with_reason(scene, phase, result) for result in own)
            return "asked-own-orders", {"phase": _called(scene, phase), "orders": orders}
    return None


def _turns(session: LetterSession, *, all_turns: bool = False) -> Iterator[TurnView]:
    if session.seat.person is None:
        return
    reader = Recipient.of(session.services, session.store, session.game, session.seat, session.language)
    snapshots = (each for each in maps.snapshots_back(session.store, session.game) if each.resolved)
    yield from (TurnView.of(reader, each) for each in islice(snapshots, None if all_turns else TURNS_BACK))


def _asked(scene: TurnView, places: set[str]) -> Iterator[tuple[str, OrderResult]]:
    bad = [(phase, result) for phase, result in scene.results if not is_good(result)]
    mine = [(phase, result) for phase, result in bad if scene.reader.is_mine(result.power)]
    if not places:
        yield from mine
        return
    own = [each for each in mine if places & _touched(each[1])]
    yield from own or (each for each in bad if places & _touched(each[1]))


def _touched(result: OrderResult) -> set[str]:
    """The provinces of an ordered unit and of the end of its move."""
    at = {result.unit.at.province} if result.unit is not None else set()
    return at | ({result.order.to.province} if isinstance(result.order, Move) else set())


def _called(scene: TurnView, phase: str) -> str:
    return scene.reader.phase_words("phase.said", phase)


def _with_reason(scene: TurnView, phase: str, result: OrderResult) -> str:
    return f"{shown_order(scene.reader, result, phase)}: {_outcome(scene, phase, result)}"


def _outcome(scene: TurnView, phase: str, result: OrderResult) -> str:
    outcome = outcome_with_reason(scene.reader, result, phase)
    driven = next((each for each in scene.all(Dislodgement) if each.unit == result.unit), None)
    if driven is None or result.dislodged_by is None:
        return outcome
    return f"{outcome}, {attack_sentence(scene, driven, result)}"


def _places(session: LetterSession, text: str) -> Iterator[str]:
    """The provinces that a sentence names in full, or by a code in capitals."""
    board, named = session.loaded_game.position.board, words(text)
    for code in board.provinces:
        if len(code) >= SHORTEST and (code in text.split() or code in text.replace("?", " ").split()):
            yield code
    for language in session.languages:
        names = place_names(board, localized(session.loaded_game.variant, language))
        for at in range(len(named)):
            for length in range(1, MOST_WORDS):
                yield from names.written_apart(named[at : at + length])
