"""Questions in plain words that one sentence answers: "How many centres do I need to win?", "Which power am I?".

`[[answers]]` of grammars/plain_questions/<language>.toml has the questions:

    [[answers]]
    key = "win"                     the function of `ANSWERS` that fills the sentence desk.asked-win
    said = ["how many centres"]
    who = ["player"]                whose questions these are; absent: everybody's

Other questions stand for commands that look something up (`gm.language.commands.in_words.plain_questions`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import timedelta
from functools import lru_cache
from itertools import islice, starmap

from msgspec import Struct
from msgspec.structs import replace

from gm.game.commands import absence_answers, control_answers, turn_answers
from gm.game.commands.perform import role_of
from gm.game.letters.reply_limits import own_words
from gm.game.model.letter_report import Note
from gm.game.model.records import Letter
from gm.game.model.unsigned_names import is_unsigned
from gm.game.press.addressing import names_of_people
from gm.game.session.session import LetterSession
from gm.game.views import maps
from gm.game.views.public.game_list import language_name
from gm.judge.board.board import Province, Use, locations
from gm.judge.mechanics.dips.paid_press import PaidPress
from gm.judge.model.calendar import census_by_retreat, early_census, following_step
from gm.judge.model.events import CentresCounted
from gm.judge.model.position import Unit
from gm.judge.model.press import ReleaseTime
from gm.judge.model.sheets import Budget
from gm.language.commands.command_line import written_words
from gm.language.commands.in_words import named_powers, plain_questions
from gm.language.commands.requests import DeadlineRequest, LookupRequest
from gm.language.commands.table import ROLES
from gm.language.dates.time_zones import city, named_zone
from gm.language.i18n.kept_patterns import compiled
from gm.language.i18n.localized_variant import localized
from gm.language.i18n.needed_words import PatternIndex
from gm.language.i18n.normalize import clean
from gm.language.i18n.place_names import words
from gm.language.i18n.vocabulary import ENGLISH
from gm.language.lines.letter_contents import LetterContents, LineError
from gm.language.lines.sentences import sentences_of
from gm.language.lines.trouble_keys import ASK_FOR_NOTHING, NOT_TAKEN, QUESTION
from gm.language.orders.parsing.order_context import place_names
from gm.language.orders.phase_names import earlier_phase

ANSWERS_MOST = 3
"""Most sentences with answers in one letter."""
MOST_SENTENCES = 30
SENTENCE_SEARCHED = 300
"""Characters of a sentence that are searched."""
LONGEST_NAME = 40
FEWEST_ASKED = 3
"""Words of a question that may ask for something."""
SENTENCES_KEPT = 1024
SUPPOSED = "asked-what-if"
"""The answer to a question what would come of others' orders: it orders nothing."""

VOTES = {
    (True, True): "asked-votes-shown-all",
    (True, False): "asked-votes-shown-most",
    (False, True): "asked-votes-secret-all",
    (False, False): "asked-votes-secret-most",
}
"""What is said of votes, by whether all see them, and whether all players must agree."""
HELD_MOST = timedelta(days=1)
"""Press that waits longer goes with the results."""
NOT_DONE = frozenset({"asked-press-ban", "asked-press-read", "asked-reminders", "observers-listen", "asked-pause"})
"""Answers to wishes with which nothing is done."""
LOOKED_UP = {
    "asked-time": DeadlineRequest(),
    "asked-why": LookupRequest("history"),
    "asked-own-orders": LookupRequest("show"),
}
"""What a question that is answered would look up as well."""
Fields = Mapping[str, str]
Answer = Callable[[LetterSession, Fields], tuple[str, Fields] | None]
"""From the named groups of the question to the key of a sentence and its fields; None where there is no answer."""


class _Question(Struct, frozen=True):
    key: str
    pattern: re.Pattern[str]
    who: tuple[str, ...]


def with_plain_answers(session: LetterSession, letter: Letter, reading: LetterContents) -> LetterContents:
    """Notes the answers, and takes these questions from what stays unanswered or is named in passing."""
    if not reading.spoken(letter.lines):
        return reading
    keys: set[str] = set()
    answered: list[str] = []
    for sentence in islice(sentences_of(own_words(letter)), MOST_SENTENCES):
        if len(answered) < ANSWERS_MOST and (note := _answer(session, sentence.strip())) is not None:
            key, fields = note
            if all((known.key, known.fields) != (f"desk.{key}", tuple(fields.items())) for known in session.notes):
                done = key not in NOT_DONE
                session.notes.append(Note(f"desk.{key}", tuple(fields.items()), done, headline=True))
            keys.add(key)
            answered.append(" ".join(sentence.split()))
    if not answered:
        return reading
    whole, supposed = " ".join(answered), " ".join(answered) if SUPPOSED in keys else ""
    troubles = tuple(
        trouble
        for trouble in reading.troubles
        if not (trouble.key in QUIET and _is_about(session, trouble, whole, answered))
        and not (trouble.key == QUESTION and " ".join(trouble.marked.split()) in supposed)
    )
    again = tuple(request for key, request in LOOKED_UP.items() if key in keys)
    return replace(
        reading,
        requests=tuple(given for given in reading.requests if given.request not in again),
        troubles=troubles,
        unanswered=(
            *(left for left in reading.unanswered if " ".join(left.split()) not in whole),
            *(_other_questions(session, letter, reading, answered) if session.master else ()),
        ),
    )


def _other_questions(
    session: LetterSession, letter: Letter, reading: LetterContents, answered: Sequence[str]
) -> Iterator[str]:
    """A game master's questions beside answered ones that nothing answers, nor quotes."""
    known = " ".join((*answered, *reading.unanswered, *(trouble.text for trouble in reading.troubles)))
    for sentence in sentences_of(own_words(letter)):
        words = " ".join(sentence.split())
        asks = words.endswith("?") and words not in known and len(words.split()) >= FEWEST_ASKED
        if asks and not plain_questions.read_questions(words, session.context, words):
            yield words


def _is_about(session: LetterSession, trouble: LineError, whole: str, answered: Sequence[str]) -> bool:
    """Whether a remark is about answered sentences and proposes no order, or shows a command for one of them with
    others around it, which do not ask for it.
    """
    marked = " ".join(trouble.marked.split())
    if trouble.key not in plain_questions.KEYS:
        return marked in whole and not trouble.suggestions
    rest = marked
    for sentence in answered:
        rest = rest.replace(sentence, " ")
    return marked in whole or (rest != marked and not _asks_again(session, trouble, rest))


def _asks_again(session: LetterSession, trouble: LineError, words: str) -> bool:
    commands = set(dict(trouble.fields).get("commands", "").split())
    asked = (plain_questions.read_questions(words, context) for _, context in session.contexts)
    return any(commands & set(question.commands) for questions in asked for question in questions)


def is_answered(session: LetterSession, sentence: str) -> bool:
    return _answer(session, sentence.strip()) is not None


QUIET = (*ASK_FOR_NOTHING, *plain_questions.KEYS, QUESTION, NOT_TAKEN)
"""Keys of remarks on words that are no order where they ask what is answered."""


def _answer(session: LetterSession, sentence: str) -> tuple[str, Fields] | None:
    cleaned = clean(sentence[:SENTENCE_SEARCHED]).text
    low, role = cleaned.lower(), role_of(session)
    for language in session.languages:
        powers = localized(session.loaded_game.variant, language).powers
        for question in _fitting(low, language, tuple(named_powers.called(powers))):
            match = question.pattern.search(low) if role in question.who else None
            if match is None:
                continue
            groups = {name: cleaned[slice(*match.span(name))] for name in match.groupdict() if match[name]}
            fields = {name: written_words(sentence, value.strip(" .,;:!?")) for name, value in groups.items()}
            fields["about"] = sentence
            if (answer := ANSWERS[question.key](session, fields)) is not None:
                session.hear_for_once(language)
                return answer
    return None


@lru_cache(maxsize=SENTENCES_KEPT)
def _fitting(low: str, language: str, names: tuple[str, ...]) -> tuple[_Question, ...]:
    """The questions whose pattern fits a sentence. The last are kept, only for speed: letters repeat each other's."""
    return _index(language, names).fitting(low)


@lru_cache(maxsize=32)
def _index(language: str, names: tuple[str, ...]) -> PatternIndex[_Question]:
    return PatternIndex(_questions(language, names))


@lru_cache(maxsize=32)
def _questions(language: str, names: tuple[str, ...]) -> tuple[_Question, ...]:
    return tuple(_read(language, "|".join(map(re.escape, names))))


def _read(language: str, names: str) -> Iterator[_Question]:
    for known in dict.fromkeys((language, ENGLISH)):
        content = plain_questions.read_table(known)
        for row in content.get("answers", ()):
            dated = (plain_questions.with_words(pattern, content) for pattern in row["said"])
            patterns = (pattern.replace("{power}", rf"(?P<power>{names})\b") for pattern in dated)
            who = tuple(row.get("who", ROLES))
            yield from (_Question(row["key"], compiled(pattern), who) for pattern in patterns)


# ---- the answers


def _win(session: LetterSession, fields: Fields) -> tuple[str, Fields] | None:
    variant, position = session.loaded_game.variant, session.loaded_game.position
    if not session.plays:
        return "asked-win", {"n": str(variant.victory)}
    return "asked-win-own", {"n": str(variant.victory), "own": str(len(position.centres_of(session.author)))}


def _power(session: LetterSession, fields: Fields) -> tuple[str, Fields] | None:
    return ("asked-power", {"power": session.author}) if session.plays else None


def _missing(session: LetterSession, fields: Fields) -> tuple[str, Fields] | None:
    return "asked-missing", {}


def _observer_add(session: LetterSession, fields: Fields) -> tuple[str, Fields] | None:
    return "asked-observer-add", {"game": session.game.name}


def _languages(session: LetterSession, fields: Fields) -> tuple[str, Fields] | None:
    catalogue = session.services.letters.catalogue(session.language)
    names = [language_name(catalogue, code) for code in session.services.letters.languages]
    return "asked-languages", {"languages": catalogue.every(names)}


def _arrived(session: LetterSession, fields: Fields) -> tuple[str, Fields] | None:
    """Which version of the writer's sheet is on file before this letter."""
    if not (session.plays and session.loaded_game.running):
        return None
    sheet = session.draft(session.author).before
    if sheet is None or not sheet.lines:
        return "asked-arrived-none", {"phase": session.game.phase}
    return "asked-arrived", {"phase": session.game.phase, "n": str(sheet.version)}


def _count(session: LetterSession, fields: Fields) -> tuple[str, Fields] | None:
    """How many centres and units the writer has, and what of it is to be built or removed now."""
    loaded_game, power = session.loaded_game, session.author
    if not (session.plays and loaded_game.running):
        return None
    position, variant = loaded_game.position, loaded_game.variant
    if retreats := census_by_retreat(variant, position, power):
        return "asked-retreats", {"counts": "; ".join(starmap(_after_retreat, retreats))}
    turn = early_census(variant, position)
    for count in turn.events if turn is not None else ():
        if isinstance(count, CentresCounted) and count.power == power:
            fields = {"centres": str(len(count.centres)), "units": str(count.units), "n": f"{count.builds:+d}"}
            return "asked-count-early", fields
    due = loaded_game.step.missing(position, variant, power, ())
    counts = {"centres": str(len(position.centres_of(power))), "units": str(len(position.units_of(power)))}
    if due.builds or due.removals:
        key = "asked-builds" if due.builds else "asked-removals"
        return key, {**counts, "n": str(due.builds or due.removals)}
    if loaded_game.step.letter == "A":
        return "nothing-due", counts
    return "asked-count", counts


def _after_retreat(unit: Unit, province: str, count: CentresCounted) -> str:
    """ "A Tri - Bud: 5, +2", in signs that every language has."""
    end = f"- {province}" if province else "D"
    return f"{unit} {end}: {len(count.centres)}, {count.builds:+d}"


def _points(session: LetterSession, fields: Fields) -> tuple[str, Fields] | None:
    """What the writer may spend in the open phase, or in the next that has something to spend.

    What another power has may be secret: only its centres are named.
    """
    loaded_game, power = session.loaded_game, session.author
    if not (session.plays and loaded_game.running):
        return None
    position, variant = loaded_game.position, loaded_game.variant
    other = names_of_people(session).get(fields["power"].lower(), "") if "power" in fields else power
    ahead = position
    for _ in (*variant.calendar, None):
        budgets = variant.step(ahead).budgets(ahead, variant, power)
        amounts = ", ".join(_amount(session, budget) for budget in budgets if budget.amount)
        if amounts and other != power:
            fields = {"power": other, "n": str(len(position.centres_of(other)))}
            return ("asked-points-other", fields) if other else None
        if amounts and ahead is position and "later" not in fields:
            return "asked-points", {"amounts": amounts}
        if amounts and ahead is not position:
            key = "asked-points-next" if "later" in fields else "asked-no-points"
            return key, {"amounts": amounts, "phase": variant.phase_name(ahead)}
        ahead = following_step(variant, ahead)
    return None


def _amount(session: LetterSession, budget: Budget) -> str:
    catalogue = session.services.letters.catalogue(session.language, session.loaded_game.variant)
    return catalogue.choose("points.amount", budget.name, n=budget.amount, name=budget.name)


def _intercepted(session: LetterSession, fields: Fields) -> tuple[str, Fields] | None:
    """When intercepted messages come."""
    press = session.loaded_game.variant.press
    if not (session.plays and isinstance(press, PaidPress)):
        return None
    return ("asked-intercepted-at-once" if press.copies_at_once else "asked-intercepted"), {}


def _neighbours(session: LetterSession, fields: Fields) -> tuple[str, Fields] | None:
    board = session.loaded_game.position.board
    area = _named(session, fields.get("place", ""))
    if area is None:
        return None
    reach = {end.place.province for at in area.locations for end in board.neighbours(at, Use.MOVE)}
    return "asked-neighbours", {"province": area.name, "places": ", ".join(sorted(reach)) or "-"}


def _reach(session: LetterSession, fields: Fields) -> tuple[str, Fields] | None:
    """Where the only unit in a province can move by itself; for an empty one what it borders on."""
    position, area = session.loaded_game.position, _named(session, fields.get("place", ""))
    units = [unit for unit in position.units if area is not None and unit.at.province == area.code]
    if len(units) != 1:
        return _neighbours(session, fields)
    kind, ends = session.loaded_game.variant.kinds[units[0].kind], position.board.neighbours(units[0].at, Use.MOVE)
    places = sorted({str(end.place) for end in ends if kind.stands(end.slot)})
    return "asked-reach", {"unit": str(units[0]), "places": ", ".join(places) or "-"}


def _adjacent(session: LetterSession, fields: Fields) -> tuple[str, Fields] | None:
    """Which units can move from one province to another."""
    variant, board = session.loaded_game.variant, session.loaded_game.position.board
    first, second = _named(session, fields.get("place", "")), _named(session, fields.get("other", ""))
    if first is None or second is None:
        return None
    moving = [
        kind.name
        for kind in variant.kinds.values()
        for at in locations(board, kind, first.code)
        if any(end.place.province == second.code and kind.stands(end.slot) for end in board.neighbours(at, Use.MOVE))
    ]
    key = "asked-adjacent" if moving else "asked-adjacent-none"
    return key, {"first": first.name, "second": second.name, "kinds": ", ".join(dict.fromkeys(moving))}


def _place(session: LetterSession, fields: Fields) -> tuple[str, Fields] | None:
    """What an abbreviation stands for."""
    province = _named(session, fields.get("place", ""))
    return ("asked-place", {"code": province.code, "name": province.name}) if province is not None else None


def _named(session: LetterSession, text: str) -> Province | None:
    """The only province of that name."""
    board, named = session.loaded_game.position.board, words(text)[:LONGEST_NAME]
    for language in session.languages:
        codes = place_names(board, localized(session.loaded_game.variant, language)).find(named) if named else ()
        if len(codes) == 1:
            return board.provinces[codes[0]]
    return None


def _time(session: LetterSession, fields: Fields) -> tuple[str, Fields] | None:
    """The deadline by the clocks of a place."""
    zone = named_zone(fields.get("place", ""))
    if zone is None or session.game.due_at is None:
        return None
    when = session.when(session.game.due_at, replace(session.person, zone=zone.key))
    return "asked-time", {"place": city(zone) or zone.key, "when": when}


def _out(session: LetterSession, fields: Fields) -> tuple[str, Fields] | None:
    """Whether a power, or its player, still plays on."""
    position = session.loaded_game.position
    named = names_of_people(session)
    power = named.get(fields["who"].lower(), "") if "who" in fields else session.author if session.plays else ""
    if not power:
        return None
    units, centres = len(position.all_units_of(power)), len(position.centres_of(power))
    gone = "asked-out-you" if power == session.author else "asked-out"
    key = "asked-in" if units or centres else gone
    return key, {"power": power, "units": str(units), "centres": str(centres)}


def _results(session: LetterSession, fields: Fields) -> tuple[str, Fields] | None:
    """The results of the last phase once more; None before there are any."""
    every = [before.resolved for before in maps.snapshots_back(session.store, session.game) if before.resolved]
    season = fields.get("phase", "")
    named = earlier_phase(season, session.context.variant, session.context.position) if season else ""
    phase = named or next(iter(every), "")
    if phase not in every:
        return None
    session.insert("history", phase)
    return "asked-results", {"phase": phase}


def _press_read(session: LetterSession, fields: Fields) -> tuple[str, Fields] | None:
    """Of a game master who gets no copies."""
    return None if session.loaded_game.settings.press_copy else ("asked-press-read", {})


def _on_time(session: LetterSession, fields: Fields) -> tuple[str, Fields] | None:
    """That nobody need be there when a phase ends."""
    if not session.loaded_game.running or session.game.due_at is None:
        return None
    return "asked-on-time", {"when": session.when(session.game.due_at)}


def _votes(session: LetterSession, fields: Fields) -> tuple[str, Fields] | None:
    """How votes to end the game count, and who learns of them."""
    if not session.loaded_game.running:
        return None
    settings = session.loaded_game.settings
    return VOTES[settings.draw_votes.shown, settings.unanimous], {}


def _press_sent(session: LetterSession, fields: Fields) -> tuple[str, Fields] | None:
    """Letters of the writer's that still wait, and those that are out."""
    held = [row for row in session.store.turns.held_press(session.game.id) if row.sender == session.author]
    times = [row.held_until for row in held if row.held_until is not None]
    if not times:
        at_once = session.loaded_game.variant.press.release is ReleaseTime.AT_ONCE
        return ("asked-press-sent" if at_once else "asked-press-gone"), {}
    readers = dict.fromkeys(session.say("role.somebody") if is_unsigned(to) else to for row in held for to in row.to)
    powers, last, due = ", ".join(readers), max(times), session.game.due_at
    if due is None and last > session.store.now() + HELD_MOST:
        return "asked-press-waits-results", {"powers": powers}
    return "asked-press-waits", {"powers": powers, "when": session.when(min(last, due or last))}


def _always(key: str) -> Answer:
    return lambda session, fields: (key, {})


ANSWERS: Mapping[str, Answer] = {
    "win": _win,
    "power": _power,
    "missing": _missing,
    "arrived": _arrived,
    "machine": _always("asked-machine"),
    "languages": _languages,
    "count": _count,
    "points": _points,
    "neighbours": _neighbours,
    "reach": _reach,
    "intercepted": _intercepted,
    "own-secret": _always("asked-own-secret"),
    "adjacent": _adjacent,
    "place": _place,
    "out": _out,
    "results": _results,
    "on-time": _on_time,
    "pause": _always("asked-pause"),
    "reminders": _always("asked-reminders"),
    "observer-write": _always("observers-listen"),
    "observer-add": _observer_add,
    "orders-secret": _always("asked-orders-secret"),
    "press-ban": _always("asked-press-ban"),
    "press-read": _press_read,
    "press-sent": _press_sent,
    "votes": _votes,
    "what-if": _always(SUPPOSED),
    "builds-kept": _always("asked-builds-kept"),
    "time": _time,
    "control": control_answers.control,
    "why": turn_answers.reason,
    "own-orders": turn_answers.own_orders,
    "absence-days": absence_answers.other_days,
    "absence-left": absence_answers.days_left,
}
