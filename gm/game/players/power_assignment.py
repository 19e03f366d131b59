"""Assigns powers to players so that the sum of preference ranks is least; ties are broken by lot.

A rank is the number of powers that somebody prefers. Ties: each pair of person and power gets a random number from one
seed, and the least sum of those numbers is taken. The seed is in the game master's log, so that the result can be
checked.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from gm.game.model.loaded_game import LoadedGame
from gm.game.model.ports import Store
from gm.game.model.records import Applicant, ApplicantState
from gm.game.session.seat_changes import assign_seat
from gm.game.session.session import LetterSession
from gm.language.commands.preferences import PowerPreference, read_preferences

LOT = 1 << 20


def approved(store: Store, loaded_game: LoadedGame) -> tuple[Applicant, ...]:
    return tuple(
        entry for entry in store.games.applicants(loaded_game.game.id) if entry.state is ApplicantState.APPROVED
    )


def places_left(store: Store, loaded_game: LoadedGame) -> int:
    """How many seats have neither a player nor an approved applicant; negative for too many applicants."""
    return len(loaded_game.vacant_seats) - len(approved(store, loaded_game))


def assign_powers(session: LetterSession) -> None:
    """Gives every approved person a seat. There must be a vacant seat for each."""
    loaded_game, store = session.loaded_game, session.store
    entries = approved(store, loaded_game)
    seats = [seat for seat in loaded_game.power_seats if seat.person is None and not seat.dummy]
    if not entries:
        return
    seed = session.services.post.code("lot", str(session.game.id))[:8]
    preferences = [read_preferences(entry.wish, loaded_game.variant) for entry in entries]
    dealt = deal_powers(preferences, [seat.power for seat in seats], seed)
    wishes: list[str] = []
    for entry, at in zip(entries, dealt, strict=True):
        assign_seat(session, seats[at], entry.person)
        store.games.remove_applicant(entry.game, entry.person)
        wishes.append(f"{seats[at].power}: {store.people.get(entry.person).name}")
    session.reload_game()
    note = session.note("cast", seats="; ".join(sorted(wishes)), seed=seed)
    session.log("START", note)


def deal_powers(wishes: Sequence[PowerPreference], powers: Sequence[str], seed: str) -> list[int]:
    """The index of the power for each wish."""
    lot = random.Random(seed)
    scale = LOT * (len(wishes) + 1)
    return cheapest_assignment([[wish.rank(power) * scale + lot.randrange(LOT) for power in powers] for wish in wishes])


def cheapest_assignment(costs: Sequence[Sequence[int]]) -> list[int]:
    """The cheapest way to give each row a column of its own; no more rows than columns.

    The Hungarian algorithm (Kuhn, Munkres) with potentials: O(rows · columns²).
    """
    columns = len(costs[0]) if costs else 0
    price_row, price_column = [0] * (len(costs) + 1), [0] * (columns + 1)
    holder, way = [0] * (columns + 1), [0] * (columns + 1)  # both count from 1; column 0 stands for "not yet"
    for row in range(1, len(costs) + 1):
        holder[0], at = row, 0
        least: list[int | None] = [None] * (columns + 1)
        done = [False] * (columns + 1)
        while holder[at]:
            done[at] = True
            at = _step(costs, (price_row, price_column), (holder, way), least, done, at)
        while at:
            holder[at] = holder[way[at]]
            at = way[at]
    column_of = {row - 1: column - 1 for column, row in enumerate(holder) if column and row}
    return [column_of[row] for row in range(len(costs))]


def _step(
    costs: Sequence[Sequence[int]],
    prices: tuple[list[int], list[int]],
    path: tuple[list[int], list[int]],
    least: list[int | None],
    done: list[bool],
    at: int,
) -> int:
    """Changes the potentials until one more column can be reached, and returns it."""
    (price_row, price_column), (holder, way) = prices, path
    row, best, goal = holder[at], -1, 0
    for column in range(1, len(holder)):
        if done[column]:
            continue
        cost = costs[row - 1][column - 1] - price_row[row] - price_column[column]
        known = least[column]
        if known is None or cost < known:
            least[column], way[column] = cost, at
            known = cost
        if best < 0 or known < best:
            best, goal = known, column
    for column in range(len(holder)):
        known = least[column]
        if done[column]:
            price_row[holder[column]] += best
            price_column[column] -= best
        elif known is not None:
            least[column] = known - best
    return goal
