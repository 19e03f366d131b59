"""Builds and removals in words: "a fleet in Marseilles and an army in Paris", "keep Con and Ank, lose the rest"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, zip_longest

from msgspec.structs import replace

from gm.judge.model.orders import Build, Disband, Slot, Waive
from gm.judge.model.position import Unit
from gm.judge.steps.build_rules import FULL
from gm.language.orders.parsing.lexer import Token
from gm.language.prose.guesses.clause import Clause
from gm.language.prose.guesses.denials import denies_another_kind, is_contrary
from gm.language.prose.guesses.guess import REFUSED, Guess
from gm.language.prose.guesses.plain_motion import built_in_words
from gm.language.prose.guesses.unit_lists import ListedUnits, listed_units, shared_out
from gm.language.prose.memory import province_of
from gm.language.prose.mentions import unit_called

VERBS = frozenset({"REMOVE", "KEEP"})
MARKS = frozenset({",", ";"})
"""Separators between parts of a sentence, and not of a list alone."""
BESIDE = frozenset({"OF", "FROM", "TO", "ON", "WITH", "NATION", "NO"})
"""Token types between a kind of unit and its place."""
BEHIND_KIND = BESIDE | {"PLACE", "SEP", "ALL", "EXCEPT", "BUILD", "REMOVE", "KEEP"}
"""Token types behind the letter of a kind."""


def guess_adjustments(clause: Clause) -> Guess | None:
    clause = shared_out(_without_articles(clause))
    due, types = clause.due, clause.types
    if any(token.value != clause.context.power for token in clause.of("NATION")):
        return None
    if due.builds and is_contrary(clause):
        return None
    if due.builds and types >= {"WAIVE", "PLACE"}:
        return _places_waived(clause)
    if due.builds and ("WAIVE" in types or ("NO" in types and not types & {"PLACE", "KIND"})):
        return _waived(clause, due.builds)
    if due.builds:
        if clause.replaces and {"REMOVE", "SEP"} <= types:
            return None  # "scrap the Brest fleet, an army there instead": each clause says something of its own
        if types & {*VERBS, "NO"}:
            return _other_kind_denied(clause) or _kind_exchanged(clause) or _changed(clause)
        if replaced := _in_its_place(clause) or _elsewhere(clause):
            return replaced
        guess = _other_kind(clause) or _built(clause, due.builds)
        return guess if guess is not None and (guess.certain or guess.whole) else built_in_words(clause) or guess
    if due.removals and not types & {"BUILD", "WAIVE", "NO"}:
        return _removed_instead(clause) or _removed(clause, due.removals)
    return None


def _waived(clause: Clause, due: int) -> Guess | None:
    """All builds that the orders leave, or as many as it says; "no builds" also takes back those on file."""
    on_file = [order.unit.at.province for order in clause.on_file(Build)]
    if clause.types & {"PLACE", "KIND"} or len(clause.of("NUMBER")) > 1:
        return None
    written = [order.unit.at.province for order in clause.written(Build)]
    if clause.types == {"NO", "EXCEPT"}:
        return None  # "I would waive Liverpool, but no."
    if "NO" in clause.types:
        return clause.guess([f"Waive {due}"], cancels=tuple(on_file)) if not written else None
    left = due - len({*on_file, *written})
    if left == due and clause.types <= {"WAIVE"}:
        return clause.guess(["Waive"])
    number = next((int(token.value) for token in clause.of("NUMBER")), left)
    return clause.guess([f"Waive {number}"]) if 0 < number <= left else None


def _changed(clause: Clause) -> Guess | None:
    """ "Keep Brest but drop the Marseilles army", "no army after all": what becomes of builds on file and in the
    letter.
    """
    if "BUILD" in clause.types and not _is_noun(clause):
        return None
    if not clause.types & VERBS and denies_another_kind(clause):
        return None  # "Naples is a fleet, and no army"
    if clause.types >= {"KEEP", "NO"}:  # "no fleet in Trieste, I keep the army in Vienna"
        clause = _removing(clause, "NO")
    behind = _with_no_behind(clause)
    orders = (*clause.on_file(Build), *clause.written(Build))
    return _taken_back(behind, orders, "REMOVE" if clause.of("NO") else "") if behind is not None else None


def _places_waived(clause: Clause) -> Guess | None:
    """ "I waive Liverpool and Edinburgh", "I waive the army in Liverpool": the builds there are taken back. None where
    other words stand beside: "London fleet, Liverpool waived".
    """
    kinds, places = clause.of("KIND"), clause.of("PLACE")
    alone = not kinds or (len(kinds) == len(places) == 1 and _beside_a_place(kinds[0], clause.tokens))
    if not alone or clause.replaces or clause.types & {"KEEP", "NO"}:
        return None
    return _changed(_removing(clause, "WAIVE"))


def _removing(clause: Clause, word: str) -> Clause:
    """With tokens of that type for words that remove a build."""
    tokens = [token._replace(type="REMOVE") if token.type == word else token for token in clause.tokens]
    return replace(clause, tokens=tokens)


def _is_noun(clause: Clause) -> bool:
    """Whether "build" is what the verb before it is about: "drop the Paris build", "no build in Paris"."""
    verbs, builds = clause.of(*VERBS, "NO"), clause.of("BUILD")
    in_front = verbs[0].start_pos < builds[0].start_pos
    return in_front and len(builds) == len(clause.of("PLACE")) == 1 and "SEP" not in clause.types


def _with_no_behind(clause: Clause) -> Clause | None:
    """ "Berlin yes, Munich no": only what stands before the "no"; None where "Berlin, Munich no" leaves it open."""
    parts: list[list[Token]] = [[]]
    for token in clause.tokens:
        if token.type == "SEP" and token.value in MARKS:
            parts.append([])
        elif token.type != "ARROW":  # a dash behind "no"
            parts[-1].append(token)
    if len(parts) == 1 or clause.types & VERBS or not any(_ends_in_no(part) for part in parts):
        return clause
    others = [part[-1] for part in parts if part and not _ends_in_no(part)]
    if any(token.type == "KIND" for part in parts if not _ends_in_no(part) for token in part):
        return None  # "…, a fleet in Kiel instead" is a build of its own
    if not all(token.type == "PLACE" and clause.text[token.end_pos :].startswith(" ") for token in others):
        return None
    return replace(clause, tokens=[token for part in parts if _ends_in_no(part) for token in part])


def _ends_in_no(part: Sequence[Token]) -> bool:
    return len(part) > 1 and part[-1].type == "NO"


def guess_taken_back(clause: Clause) -> Guess | None:
    """ "Forget the fleet", "Vienna after all not": the builds and removals that words name."""
    known = clause.types <= VERBS | BESIDE | {"BUILD", "PLACE", "KIND", "NO", "SEP"}
    builds, removals = clause.on_file(Build) + clause.written(Build), clause.on_file(Disband) + clause.written(Disband)
    return _taken_back(clause, (*builds, *removals), "REMOVE") if known else None


def _taken_back(clause: Clause, orders: Sequence[Build | Disband], first: str) -> Guess | None:
    """The orders named beside words for removing; `first` is the type of one that stands in front of all names."""
    gone: list[Build | Disband] = []
    named = False
    if _is_between(clause):
        return None
    again = {order.unit.at.province for order in clause.written(Build)}
    again |= {order.unit.at.province for order in clause.written(Disband)}
    replaced = [order for order in orders if order in clause.memory.on_file and order.unit.at.province in again]
    for verb, token in _names_with_verbs(clause, first):
        if token.type == "KIND" and _beside_a_place(token, clause.tokens):
            at = {order.unit.kind for place in clause.of("PLACE") for order in orders if _is_called(order, place)}
            if at and token.value not in at:
                return None  # "the Paris fleet", where an army is to be built
            continue
        here = [order for order in dict.fromkeys(orders) if order not in replaced and _is_called(order, token)]
        if verb and any(_is_called(order, token) for order in replaced):
            named = True  # "an army, not a fleet"
            continue
        if not verb or not here or (token.type == "KIND" and len(here) > 1 and not clause.is_plural(token)):
            return None
        named = True
        beside = {kind.value for kind in clause.of("KIND") if _beside_a_place(kind, clause.tokens)}
        alike = [order for order in here if order.unit.kind in beside]  # the fleet, and not the wing there
        gone += (alike or here) if verb == "REMOVE" else ()
    if not named:
        return None
    on_file = clause.memory.on_file
    cancels = tuple(order.unit.at.province for order in gone if order in on_file)
    withdrawn = tuple(order.slot for order in gone if order not in on_file)
    return Guess((), clause.is_known, cancels, withdrawn=withdrawn)


def _is_between(clause: Clause) -> bool:
    """Whether the only verb stands between names: "make the fleet a southern one, and drop Warsaw"."""
    verbs = clause.of(*VERBS)
    names = clause.of("PLACE", "KIND")
    return len(verbs) == 1 and bool(names) and names[0].start_pos < verbs[0].start_pos < names[-1].start_pos


def _is_called(order: Build | Disband, token: Token) -> bool:
    """Whether a place, or a kind of unit alone, names a build or a removal."""
    unit = order.unit
    return unit.kind == token.value if token.type == "KIND" else unit.at.province in token.value.provinces


def _kind_exchanged(clause: Clause) -> Guess | None:
    """ "An army, not a fleet": another kind of unit for the only build so far of the kind behind the "no"."""
    plain = [token for token in clause.tokens if token.type != "SEP"]
    old = [str(kind.value) for no, kind in pairwise(plain) if (no.type, kind.type) == ("NO", "KIND")]
    new = {str(token.value) for token in clause.of("KIND")} - {*old}
    units = {order.slot: order.unit for order in (*clause.on_file(Build), *clause.written(Build))}
    named = {code for token in clause.of("PLACE") for code in token.value.provinces}
    meant = [unit for unit in units.values() if [unit.kind] == old and (not named or unit.at.province in named)]
    known = clause.types <= {"KIND", "NO", "SEP", "PLACE", "OF", "NUMBER"}
    if len(meant) != 1 or len(new) != 1 or not known or not named <= {meant[0].at.province}:
        return None
    return clause.guess([f"Build {new.pop()} {meant[0].at.province}"])


def _other_kind_denied(clause: Clause) -> Guess | None:
    """ "Edinburgh is an army and no fleet": the build of the clause before once more."""
    kinds, last = clause.of("KIND"), clause.memory.latest
    alone = clause.types <= {"NO", "KIND", "SEP"} and len(kinds) == len(last) == 1
    if not alone or clause.is_plural(kinds[0]) or last[0].startswith(f"Build {kinds[0].value} "):
        return None
    return clause.guess(last) if last[0].startswith("Build ") else None


def _freed(clause: Clause) -> tuple[str, str]:
    """The verb and the unit of the build or removal that was taken back; "" where none was."""
    freed = clause.memory.freed
    verb, _, unit = freed.partition(" ")
    return (verb, unit) if unit and clause.legal(freed) == (freed,) else ("", "")


def _in_its_place(clause: Clause) -> Guess | None:
    """ "No fleet in Trieste, please; an army there too": another kind of unit for the build that was taken back."""
    verb, unit = _freed(clause)
    kinds = {str(token.value) for token in clause.of("KIND")}
    if not unit or len(kinds) != 1:
        return None
    home = province_of(unit)
    elsewhere = any(home not in token.value.provinces for token in clause.of("PLACE"))
    several = clause.of("ALL", "EXCEPT") or any(clause.is_plural(token) for token in clause.of("KIND"))
    if elsewhere or several or kinds == {unit[:1]} or any(str(token.value) != "1" for token in clause.of("NUMBER")):
        return None
    return clause.guess([clause.built(kinds.pop(), home, verb)])


def _elsewhere(clause: Clause) -> Guess | None:
    """ "Not Brest but Marseilles", "instead of the fleet in Brest rather one in Marseilles": a place alone behind the
    build that was taken back gets the same kind of unit.
    """
    verb, unit = _freed(clause)
    places = clause.of("PLACE")
    others = clause.types - {"PLACE", "NUMBER", "SEP", "OF", "BUILD", "EXCEPT"}
    if not unit or len(places) != 1 or others or any(str(token.value) != "1" for token in clause.of("NUMBER")):
        return None
    if _kind_on_file(clause, places[0]) or clause.memory.refused:
        return None  # "I waive Liverpool. London I build."; "… an army in Munich... wait, it is full, so Berlin"
    return clause.guess([f"{verb} {unit[:1]} {places[0].value.text}"])


def _without_articles(clause: Clause) -> Clause:
    """Without small letters that are kinds only where a unit is named: "make the fleet a south coast one"."""
    tokens = [
        token
        for before, token, after in zip([None, *clause.tokens], clause.tokens, [*clause.tokens[1:], None], strict=False)
        if token.type != "KIND"
        or not clause.text[token.start_pos : token.end_pos].islower()
        or token.end_pos > token.start_pos + 1
        or not ((before and before.type == "KIND") or (after and after.type not in BEHIND_KIND))
    ]
    return replace(clause, tokens=tokens)


def _other_kind(clause: Clause) -> Guess | None:
    """ "Make that a fleet instead", "change the army in Venice to a fleet": another kind of unit for a build so far."""
    kinds = [str(token.value) for token in clause.of("KIND")]
    builds = {order.slot: order.unit for order in (*clause.on_file(Build), *clause.written(Build))}
    named = {code for token in clause.of("PLACE") for code in token.value.provinces}
    meant = [unit for unit in builds.values() if unit.at.province in named] if named else list(builds.values())
    if len(kinds) == 2 and not named:  # "make the army a fleet"
        meant = [unit for unit in meant if unit.kind == kinds[0]]
    if len(meant) != 1 or clause.of("NUMBER", "ALL") or (named and clause.tokens[-1].type != "KIND"):
        return None
    old = meant[0].kind
    others = kinds[:-1]
    if not kinds or kinds[-1] == old or (others != [old] and (named or others)):
        return None
    is_clear = len(kinds) == 2 or clause.due.builds == 1 or clause.replaces or bool(named)
    if not is_clear and clause.due.builds > len(builds):
        return None  # "A fleet in Brest. The other one an army": which is asked
    return clause.guess([f"Build {kinds[-1]} {meant[0].at}"], certain=is_clear)


def _built(clause: Clause, due: int) -> Guess | None:
    listed = listed_units(clause) or _as_many_as_places(clause)
    heads = [token.type for token in clause.of("ALL", "KIND")]
    if listed is None or listed.excepted or (heads[:1] == ["ALL"] and heads.count("KIND") > 1):
        return None  # "all four: armies in Baghdad and Smyrna, fleets in …"
    if "BUILD" in clause.types and not clause.replaces:  # "London I build", of which the kind is on file
        units = ((kind or _kind_on_file(clause, place), place) for kind, place in listed.units)
        listed = listed._replace(units=tuple(units))
    written = clause.written(Build)
    gone = tuple(order.slot for order in written if clause.memory.freed.endswith(f" {order.unit}"))
    if clause.memory.corrects:  # "the other way round: army Smyrna, fleet Ankara"
        again = {code for _, place in listed.units for code in place.value.provinces}
        gone = tuple(order.slot for order in written if order.unit.at.province in again) or gone
    if clause.replaces and not gone and not clause.memory.freed:
        gone = _replaced(written, listed.units)
    before = len(written) - len(gone)
    if clause.memory.corrects or clause.replaces:  # "I build nothing … no, wait: army Rome"
        gone += tuple(order.slot for order in clause.written(Waive))
    lines = [f"Build {kind} {place.value.text}" for kind, place in listed.units]
    if listed.others:
        left = _left(clause, listed)
        counts = {int(token.value) for token in clause.of("NUMBER") if not clause.of("PLACE")}
        fits = before + len(lines) + len(left) <= due and counts <= {len(left)}  # "as many fleets as I can get"
        if not fits:
            return REFUSED if "ALL" in clause.types else None  # "two fleets were lost" wants none
        return clause.guess([*lines, *left])
    meant = any(kind for kind, _ in listed.units) or "BUILD" in clause.types
    kinds = [kind for kind, _ in listed.units]
    counts = {int(token.value) for token in clause.of("NUMBER")} - {1}
    meant = meant and all(count in (len(kinds), *map(kinds.count, kinds)) for count in counts)
    costs = clause.context.variant.kinds
    if before * FULL + sum(costs[kind].cost if kind else FULL for kind in kinds) > due * FULL:
        return REFUSED
    if all(kinds):
        guess = clause.guess_partly([(line, place) for line, (_, place) in zip(lines, listed.units, strict=True)],
            certain=meant and listed.is_sure)  # fmt: skip
    else:
        guess = clause.guess(lines, certain=meant and listed.is_sure)
    if guess is None or gone or not clause.replaces or clause.memory.freed:
        return replace(guess, withdrawn=gone) if guess is not None else None
    return _with_exchange(clause, guess, listed)


def _kind_on_file(clause: Clause, place: Token) -> str:
    """The kind of the build on file in a place, "" without one."""
    return next((order.unit.kind for order in clause.on_file(Build) if _is_called(order, place)), "")


def _with_exchange(clause: Clause, guess: Guess, listed: ListedUnits) -> Guess:
    """ "Rather a fleet in Naples", "no, build A Rom": the only other build on file goes; of several, which?"""
    again = {code for _, place in listed.units for code in place.value.provinces}
    again |= {order.unit.at.province for order in clause.written(Build)}
    on_file = [order.unit.at.province for order in clause.on_file(Build)]
    others = [province for province in on_file if province not in again]
    if len(others) < len(on_file) or len(listed.units) > 1:
        return guess  # "rather an army in Trieste", where a fleet is to be built
    return REFUSED if len(others) > 1 else replace(guess, cancels=(*guess.cancels, *others))


def _as_many_as_places(clause: Clause) -> ListedUnits | None:
    """ "Two armies": units of one kind without their places, in all home centres that are free."""
    numbers, kinds = clause.of("NUMBER"), clause.of("KIND")
    if len(numbers) != 1 or len(kinds) != 1 or not clause.types <= {"NUMBER", "KIND", "BUILD"}:
        return None
    return ListedUnits((), str(kinds[0].value))


def _left(clause: Clause, listed: ListedUnits) -> list[str]:
    """A unit of the kind for all others in each home centre that is free and not named."""
    named = {code for _, place in listed.units for code in place.value.provinces}
    named |= {order.unit.at.province for order in clause.written(Build)}
    homes = (code for code in clause.context.position.centres_of(clause.context.power) if code not in named)
    return [line for code in homes for line in clause.legal(f"Build {listed.others} {code}")]


def _replaced(written: Sequence[Build], units: Sequence[tuple[str, Token]]) -> tuple[Slot, ...]:
    """ "Put that fleet in Edinburgh instead": the only build of the letter, or the only one of that kind."""
    again = {code for _, place in units for code in place.value.provinces}
    others = [order for order in written if order.unit.at.province not in again]
    alike = [order for order in others if order.unit.kind in {kind for kind, _ in units}]
    single = others if len(others) == 1 else alike
    return tuple(order.slot for order in single) if len(single) == len(units) == 1 else ()


def _removed(clause: Clause, due: int) -> Guess | None:
    """The units behind words for it, or before them; of units to keep, the rest where as many must go."""
    if "EXCEPT" in clause.types:
        return _all_but(clause, due)
    groups = list(_groups(clause))
    if not all(verb for verb, _ in groups) and clause.types >= VERBS:
        return None
    removed = [unit for verb, units in groups if verb == "REMOVE" for unit in units]
    kept = [unit for verb, units in groups if verb == "KEEP" for unit in units]
    if any(not unit for unit in (*removed, *kept)) or not clause.types & VERBS:
        return None
    if "REMOVE" not in clause.types and kept:  # "everything else carries on: London and Wales"
        return _spared(clause, kept)
    if "REMOVE" in clause.types and not clause.types & {"PLACE", "KIND", "ALL"} and clause.it:
        removed = [unit for unit in clause.context.own_units if unit_called(unit) == clause.it]
    if "ALL" in clause.types:
        own = clause.context.own_units
        kept = kept or [unit for unit in own if unit.at.province in clause.memory.kept]
        if removed or not kept:
            return None
        removed = [unit for unit in own if unit not in kept]
    if any(int(token.value) != len(removed) for token in clause.of("NUMBER")):
        return None
    lines = [f"Remove {unit.kind} {unit.at.place}" for unit in dict.fromkeys(removed) if unit is not None]
    on_file = {order.unit.at.province for order in clause.on_file(Disband)}
    spared = tuple(unit.at.province for unit in kept if unit is not None and unit.at.province in on_file)
    return clause.guess(lines, cancels=spared) if 0 < len(lines) <= due else None


def _spared(clause: Clause, kept: Sequence[Unit | None]) -> Guess:
    """ "Norway stays after all": its removal, on file or in the letter, is taken back."""
    here = {unit.at.province for unit in kept if unit is not None}
    on_file = tuple(order.unit.at.province for order in clause.on_file(Disband) if order.unit.at.province in here)
    gone = tuple(order.slot for order in clause.written(Disband) if order.unit.at.province in here)
    return Guess((), clause.is_known, on_file, withdrawn=gone)


def _removed_instead(clause: Clause) -> Guess | None:
    """ "Instead of Norway the Skagerrak": a unit alone behind the removal that was taken back."""
    verb, unit = _freed(clause)
    places = clause.of("PLACE")
    if not unit or len(places) != 1 or clause.types & {"ALL", "EXCEPT", "NUMBER", "KEEP"}:
        return None
    other = _unit(clause, frozenset(places[0].value.provinces))
    if other is None or unit_called(other) == unit or any(kind.value != other.kind for kind in clause.of("KIND")):
        return None
    return clause.guess([f"{verb} {unit_called(other)}"])


def _all_but(clause: Clause, due: int) -> Guess | None:
    """ "Everything stays except Norway", "remove all but Norway": where as many must go as it says."""
    verbs = [token.type for token in clause.tokens if token.type in VERBS]
    at = next(at for at, token in enumerate(clause.tokens) if token.type == "EXCEPT")
    named = [_unit(clause, frozenset(token.value.provinces)) for token in clause.tokens[at:] if token.type == "PLACE"]
    before = [token for token in clause.tokens[:at] if token.type in ("PLACE", "KIND")]
    if before or not named or "ALL" not in clause.types or None in named:
        return None
    own = clause.context.own_units
    removed = named if verbs[:1] == ["KEEP"] else [unit for unit in own if unit not in named]
    lines = [f"Remove {unit.kind} {unit.at.place}" for unit in removed if unit is not None]
    return clause.guess(lines, certain=bool(verbs)) if len(lines) == due else None


def _groups(clause: Clause) -> Iterator[tuple[str, list[Unit | None]]]:
    """A word for keeping or removing with its units; None stands for a name that is no single unit of the writer's."""
    names = list(_names_with_verbs(clause))
    is_place = any(token.type == "PLACE" for _, token in names)
    for at, (verb, token) in enumerate(names):
        if token.type == "PLACE":
            unit = _unit(clause, frozenset(token.value.provinces))
            before = [other for _, other in names[max(0, at - 1) : at] if other.type == "KIND"]
            kinds = {other.value for other in before if _beside_a_place(other, clause.tokens)}
            yield verb, [unit if unit is None or kinds <= {unit.kind} else None]
        elif not _beside_a_place(token, clause.tokens):
            yield verb, _alike(clause, token) if is_place or len(names) == 1 else [None]


def _names_with_verbs(clause: Clause, verb: str = "") -> Iterator[tuple[str, Token]]:
    """Each place or kind of unit with the type of its word for keeping or removing, which stands before it or behind:
    "remove Venice, Rome and Apulia stay"; "" where that is not clear. `verb`: one for all names without any.
    """
    verbs = clause.types & VERBS
    if len(verbs) < len(VERBS):
        yield from ((next(iter(verbs), verb), token) for token in clause.of("PLACE", "KIND"))
        return
    tokens = clause.of("PLACE", "KIND", "SEP", *VERBS)
    front = ""
    waiting: list[Token] = []
    for token, after in zip_longest(tokens, tokens[1:]):
        if token.type not in VERBS:
            waiting.append(token)
            continue
        ends = after is None or after.type == "SEP"
        begin = 0 if not front else _last_part(waiting) if ends else len(waiting)
        parts = (front, waiting[:begin]), (token.type, waiting[begin:])
        yield from ((own if begin >= 0 else "", name) for own, part in parts for name in part if name.type != "SEP")
        is_behind = begin < len(waiting) and any(name.type != "SEP" for name in waiting)
        front, waiting = "" if is_behind else token.type, []
    yield from ((front, name) for name in waiting if name.type != "SEP")


def _last_part(names: Sequence[Token]) -> int:
    """Where the names behind a comma begin, or without one those behind "and"; -1 where several commas leave it open,
    or nothing stands between the names.
    """
    marks = [at for at, token in enumerate(names[:-1]) if token.type == "SEP" and at]
    commas = [at for at in marks if names[at].value in MARKS]
    if names and names[-1].type == "SEP":
        return len(names)
    return (commas or marks)[-1] + 1 if marks and len(commas) < 2 else -1


def _beside_a_place(kind: Token, tokens: Sequence[Token]) -> bool:
    """Whether a kind of unit belongs to a place: "army Paris", "the fleet in Brest", but not "Paris, and the fleet"."""
    near = [token for token in tokens if token.type not in BESIDE]
    at = near.index(kind)
    return any(token.type == "PLACE" for token in near[max(0, at - 1) : at + 2])


def _unit(clause: Clause, provinces: frozenset[str]) -> Unit | None:
    here = [unit for unit in clause.context.own_units if unit.at.province in provinces]
    return here[0] if len(here) == 1 else None


def _alike(clause: Clause, token: Token) -> list[Unit | None]:
    """The only unit of a kind, or all of them where a number says so."""
    alike: list[Unit | None] = [unit for unit in clause.context.own_units if unit.kind == token.value]
    every = clause.is_plural(token) and "NUMBER" in clause.types
    return alike if len(alike) == 1 or every else [None]
