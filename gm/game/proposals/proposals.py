"""YES and NO to the orders and commands that we proposed for lines we did not take.

A line has a proposal if exactly one order line would be obeyed in its place, and nothing else of the letter orders the
same unit differently. A YES takes all proposals of the letter, once, while their phase is open and no later letter of
the seat had orders.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain

from msgspec.structs import replace

from gm.game.letters.question import first_words, shown_words
from gm.game.model.letter_report import Note
from gm.game.model.proposals import Proposals, code_of_part, find_proposals, is_undone
from gm.game.model.recipient import Recipient
from gm.game.model.records import Question
from gm.game.phase.sheets import load_draft
from gm.game.proposals.corrected_values import correct_values
from gm.game.proposals.matters import kind_of, matter_of, matters_of, read_back, read_lines
from gm.game.proposals.proposal_replies import ProposalsReply, latest_proposals, open_questions
from gm.game.proposals.settled_lines import lines_left
from gm.game.proposals.words_beside_yes import orders_all, without_dropped, words_in_the_way
from gm.game.session import notices
from gm.game.session.open_lines import open_line
from gm.game.session.session import TROUBLES_SHOWN, LetterSession
from gm.game.views.help import help_fields
from gm.judge.model.orders import Slot, Statement, WholeSetStatement
from gm.judge.model.sheets import ProblemEffect
from gm.judge.model.variant import PHASE
from gm.language.commands.deadlines import AbsenceRequest
from gm.language.commands.in_words import plain_questions
from gm.language.commands.in_words.left_out import GAP
from gm.language.commands.in_words.own_absence import about_deadline
from gm.language.commands.players import ResignRequest
from gm.language.commands.requests import ClearRequest
from gm.language.letter.other_phases import AHEAD
from gm.language.lines.letter_contents import LetterContents, LineError, OrderLine, only_asks
from gm.language.rendering.order_text import statement as written

NOT_AFFIRMED = frozenset(
    {"conditional", "condition-unclear"}
    | {f"not-taken-{stance}" for stance in ("alternative", "later", "negated", "fallback", "cancel")}
)
"""Errors of lines that do not say what the writer wants now."""
TOO_MANY = "not-taken-too-many"
"""Key of lines of which not all can count."""
HARMLESS = (ProblemEffect.WARN, ProblemEffect.SEAL)
"""Effects of problems with which an order counts."""
WITH_MORE = "proposals-with-more"
"""Key of the note that words beside a YES need a correction, so that nothing is taken yet."""
AGAIN, WHICH, REFUSES = "proposals-again", "proposals-which", "proposals-refuses"
"""Keys of the notes that a YES may mean proposals of an earlier letter, or several; and that a NO may."""


# ---- making proposals


def with_own_commands(session: LetterSession, reading: LetterContents) -> LetterContents:
    """Hints at commands that hold the writer's own values are commands that a YES takes."""
    if not any(trouble.key in plain_questions.KEYS for trouble in reading.troubles):
        return reading
    reader = Recipient.of(session.services, session.store, session.game, session.seat, session.language)
    complete = (_complete(session, reader, trouble) for trouble in reading.troubles)
    return replace(reading, troubles=tuple(complete))


def _complete(session: LetterSession, reader: Recipient, trouble: LineError) -> LineError:
    if trouble.key not in plain_questions.KEYS:
        return trouble
    shown, forms = help_fields.suggest_forms(reader, session.loaded_game.position, trouble)
    if shown.key != plain_questions.KEY and not plain_questions.DENIABLE.isdisjoint(_commands_of(trouble)):
        usual = (reader.say("proposals.extend-usual"),)
        return replace(trouble, key=plain_questions.UNTIL_WHEN, suggestions=usual, obeyed=True)
    if shown.key != plain_questions.KEY or len(forms) != 1:
        return trouble
    meant = read_back(session, forms) if "\n" not in forms[0] else LetterContents()
    if meant.orders or meant.troubles or len(meant.requests) != 1:
        return trouble
    fields = trouble.fields
    if isinstance(meant.requests[0].request if meant.requests else None, AbsenceRequest):
        left = GAP.join(about_deadline(trouble.text, session.language))
        fields = (*(field for field in fields if field[0] != "left"), ("left", left))
    return replace(trouble, key=plain_questions.MEANT, suggestions=forms, fields=fields)


def _commands_of(trouble: LineError) -> tuple[str, ...]:
    return tuple(dict(trouble.fields).get("commands", "").split())


def propose(session: LetterSession, reading: LetterContents) -> None:
    """Propose orders for the lines that the letter's writer must write again, and the commands that sentences mean."""
    late, known = bool(session.late_for) and bool(reading.orders), session.proposed
    if not (reading.troubles or known.waiting or known.offered or known.settled or late):
        return
    code = _code(session)
    if find_proposals(session.store, code) is not None:
        return
    proposals = _made_of(session, reading, code)
    requests = proposals.requests
    _close_replaced(session, requests)
    proposals = replace(proposals, requests=tuple(dict.fromkeys((*requests, *known.offered))))
    if not (proposals.lines or proposals.requests):
        if known.settled is not None:
            session.store.turns.add_question(_settled_by(session, known.settled))
        return
    session.store.turns.add_question(proposals.question(session.seat, session.row.id, session.store.now()))
    if proposals.lines or requests:
        known.made = replace(proposals, requests=requests)
    anew = (line for line in requests if known.waiting is None or line not in known.waiting.requests)
    leaving = tuple(line for line in anew if is_resignation(session, line))
    if leaving:
        tell_of_leaving(session, "wants-to-leave", _words_for(leaving, reading) or first_words(session.letter))


def is_resignation(session: LetterSession, command: str) -> bool:
    given = read_lines(session, command.split("\n")).requests
    return session.plays and any(isinstance(line.request, ResignRequest) for line in given)


def _words_for(commands: Sequence[str], reading: LetterContents) -> str:
    """The words of the letter for which these commands are proposed: the orders beside them are the player's secret."""
    meant = (trouble for trouble in reading.troubles if set(trouble.suggestions) & set(commands))
    words: list[str] = []
    for trouble in meant:
        marked = (trouble.marked or trouble.text).strip(" ,;")
        words += [marked] if not any(marked in other for other in words) else []
    return shown_words(" ".join(words))


def tell_of_leaving(session: LetterSession, key: str, words: str) -> None:
    """Tell the game masters what the letter says about a RESIGN that is proposed."""
    note = Note(f"desk.{key}", (("power", session.seat.power), ("words", words)))
    notices.tell_gms(session, note, session.cause(0))


def _made_of(session: LetterSession, reading: LetterContents, code: str) -> Proposals:
    """What the letter means, behind what has waited for a YES that its other words keep from counting."""
    lines, remaining = _orders_meant(session, reading) or ((), ())
    settles = tuple(open_line(trouble.text) for trouble in reading.troubles if _is_kept_ahead(trouble))
    requests = _requests_meant(session, reading)
    game = session.game
    proposals = Proposals(code, game.phase, lines, remaining, requests, settles, session.language, game.snapshot)
    waiting = session.proposed.waiting
    if waiting is None:
        return proposals
    if waiting.lines:
        anew = {
            matter_of(order) for order in (*reading.orders, *read_lines(session, (line for _, line in lines)).orders)
        }
        stay = [line for line in waiting.lines if anew.isdisjoint(map(matter_of, read_lines(session, line[1:]).orders))]
        if not count_together(session, (*stay, *lines)):
            stay = []
        settled = set(session.proposed.still_open) - set(waiting.remaining)
        open_lines = remaining if lines or remaining else session.draft(session.author).questions
        lines, remaining = (*stay, *lines), tuple(line for line in open_lines if line not in settled)
    old = _not_replaced(session, waiting.requests, proposals.requests)
    requests = tuple(dict.fromkeys((*old, *proposals.requests)))
    settles = (*waiting.settles, *settles)
    return replace(proposals, lines=lines, remaining=remaining, requests=requests, settles=settles)


def _close_replaced(session: LetterSession, commands: Sequence[str]) -> None:
    for question in open_questions(session) if commands else ():
        proposals = Proposals.of(question)
        if not proposals.lines and not _not_replaced(session, proposals.requests, commands):
            session.store.turns.mark_answered(question.code)


def _not_replaced(session: LetterSession, old: Sequence[str], new: Sequence[str]) -> tuple[str, ...]:
    """The older commands that do not differ from newer ones in their values alone: a day, a name, a number."""
    kinds = set(map(partial(_kinds, session), new)) - {()}
    return tuple(command for command in old if command in new or _kinds(session, command) not in kinds)


def _kinds(session: LetterSession, command: str) -> tuple[tuple[object, ...], ...]:
    return tuple(kind_of(given.request) for given in read_lines(session, command.split("\n")).requests)


def _requests_meant(session: LetterSession, reading: LetterContents) -> tuple[str, ...]:
    """The commands that are the only suggestion for a line."""
    shown = (each for each in reading.troubles[:TROUBLES_SHOWN] if not (session.late_for and _is_kept_ahead(each)))
    only = (trouble.suggestions[0] for trouble in shown if len(trouble.suggestions) == 1)
    return tuple(dict.fromkeys(chain.from_iterable(_commands_in(session, lines) for lines in only)))


def _commands_in(session: LetterSession, suggestion: str) -> tuple[str, ...]:
    """The suggestion, if it is a command; of one with orders, the lines that take others back: "CLEAR A Par"."""
    lines = suggestion.split("\n")
    reading = read_lines(session, lines)
    if _is_request(reading):
        return (suggestion,)
    if reading.troubles or not reading.orders or not _only_clears(reading):
        return ()
    return tuple(line for line in lines if _is_request(read_lines(session, (line,))))


def _only_clears(reading: LetterContents) -> bool:
    return all(isinstance(given.request, ClearRequest) for given in reading.requests)


def _is_kept_ahead(trouble: LineError) -> bool:
    """Whether a proposed command keeps the line for a later phase."""
    return trouble.key == AHEAD and bool(trouble.suggestions)


def _is_request(reading: LetterContents) -> bool:
    return bool(reading.requests) and not (reading.orders or reading.troubles)


def _orders_meant(
    session: LetterSession, reading: LetterContents
) -> tuple[tuple[tuple[str, str], ...], tuple[str, ...]] | None:
    """The proposed order lines, and the lines that still need a correction then; None where no orders are taken."""
    if session.late_for:
        return _meant_now(session, reading)
    untaken = [trouble for trouble in reading.troubles[:TROUBLES_SHOWN] if not trouble.obeyed]
    if not untaken or not session.plays or session.closed or not session.loaded_game.running:
        return None
    meant = [(trouble, _orders_for(session, trouble)) for trouble in untaken]
    clashing = _clashing(reading.orders, [orders for _, orders in meant])
    proposed = {
        id(trouble): orders for trouble, orders in meant if orders and not set(map(matter_of, orders)) & clashing
    }
    lines = tuple(_lines(session, reading.orders, tuple(chain.from_iterable(proposed.values()))))
    if not count_together(session, lines):
        impossible = [replace(each, key=TOO_MANY) if id(each) in proposed else each for each in session.troubles]
        session.troubles, lines, proposed = impossible, (), {}
    settled = {open_line(trouble.text) for trouble in untaken} - {
        open_line(trouble.text) for trouble in untaken if id(trouble) not in proposed and not _is_kept_ahead(trouble)
    }
    return lines, tuple(line for line in session.draft(session.author).questions if line not in settled)


def _meant_now(
    session: LetterSession, reading: LetterContents
) -> tuple[tuple[tuple[str, str], ...], tuple[str, ...]] | None:
    """The orders of a letter for an earlier phase, where all of them can be read for the open one."""
    game, variant = session.game, session.loaded_game.variant
    if not session.plays or session.closed or not session.loaded_game.running or session.late_for == game.phase:
        return None
    if not PHASE.fullmatch(session.late_for) or variant.phase_at(session.late_for) > variant.phase_at(game.phase):
        return None
    unread = [trouble for trouble in reading.troubles if not (trouble.obeyed or only_asks(trouble))]
    if unread or not reading.orders:
        return None
    if {order.statement for order in reading.orders} <= {*session.context.on_file()}:
        session.keeps_orders = True
        return None
    draft = session.draft(session.author)
    still_open = draft.questions
    draft.letter = session.row.id
    draft.questions = tuple(dict.fromkeys((*still_open, *(open_line(order.text) for order in reading.orders))))
    return tuple(_lines(session, (), reading.orders)), still_open


def _lines(
    session: LetterSession, taken: Sequence[OrderLine], proposed: Sequence[OrderLine]
) -> Iterator[tuple[str, str]]:
    """The proposed orders with their power, each once; of a set that a letter replaces as a whole, those taken, too."""
    whole = {order.statement.slot[0] for order in proposed if isinstance(order.statement, WholeSetStatement)}
    known = {(matter_of(order), order.statement) for order in taken if order.statement.slot[0] not in whole}
    stands = [order for order in taken if order.statement.slot[0] in whole] if proposed else []
    for order in dict.fromkeys((*stands, *proposed)):
        if (matter_of(order), order.statement) not in known:
            known.add((matter_of(order), order.statement))
            yield order.power, written(order.statement, session.loaded_game.step.letter)


def _orders_for(session: LetterSession, trouble: LineError) -> tuple[OrderLine, ...]:
    """The orders of the line's only suggestion; () where it is more or less than orders."""
    if len(trouble.suggestions) != 1 or trouble.key in NOT_AFFIRMED:
        return ()
    reading = read_lines(session, trouble.suggestions[0].split("\n"))
    taken = _only_clears(reading) and all(trouble.obeyed for trouble in reading.troubles)
    return reading.orders if taken else ()


def count_together(session: LetterSession, lines: Sequence[tuple[str, str]]) -> bool:
    """Whether no order of the writer's sheet would be refused only because of the others: two removals where one is
    due, or more points than there are.
    """
    orders = [order.statement for power, line in lines if not power for order in read_lines(session, (line,)).orders]
    refused = _refused_of(session, orders) if len(orders) > 1 else set()
    return not refused or refused <= set().union(*(_refused_of(session, (order,)) for order in orders))


def _refused_of(session: LetterSession, orders: Sequence[Statement]) -> set[Statement | None]:
    """None stands for all of them."""
    draft = load_draft(session.store, session.loaded_game, session.author, session.author)
    for order in orders:
        draft.put(order)
    draft.settle()
    problems = (each for each in draft.report().problems if each.effect not in HARMLESS or each.together)
    return {each.statement for each in problems if each.statement is None or each.statement in orders}


def _clashing(taken: Sequence[OrderLine], proposed: Sequence[Sequence[OrderLine]]) -> set[tuple[str, Slot]]:
    """What the letter's orders and proposals order in more than one way."""
    ways: dict[tuple[str, Slot], set[Statement]] = {}
    for order in (*taken, *chain.from_iterable(proposed)):
        ways.setdefault(matter_of(order), set()).add(order.statement)
    return {about for about, statements in ways.items() if len(statements) > 1}


# ---- answering them


def answer_proposals(session: LetterSession, reply: ProposalsReply, reading: LetterContents) -> LetterContents:
    """`reading`, the rest of the letter, with the proposed orders before it if a YES takes them."""
    question = reply.question
    reading = without_dropped(session, reply, reading) if reply.yes else reading
    if key := _obstacle(session, reply, reading):
        if key == WITH_MORE and orders_all(session, Proposals.of(question), reading):
            _settle_by_orders(session, question, reading)
            return reading
        if key in (WITH_MORE, AGAIN):
            _keep_waiting(session, question)
        if key in (WHICH, REFUSES):
            session.proposed.listed = tuple(map(Proposals.of, reply.unsure))
        old = Proposals.of(question).phase if question.seat == session.seat.id else ""
        words = shown_words(words_in_the_way(session, reply, reading)) if key == WITH_MORE else ""
        session.note(key, done=False, headline=True, phase=old, now=session.game.phase, words=words)
        return reading
    if session.closed and Proposals.of(question).lines:
        session.note_once("locked-orders", headline=True, phase=session.game.phase)
        return reading
    session.store.turns.mark_answered(question.code)
    proposals = Proposals.of(question)
    if not reply.yes:
        if proposals.lines:
            session.draft(session.author).questions = ()
        session.note("proposals-declined" if proposals.lines else "requests-declined", headline=True)
        if any(is_resignation(session, line) for line in proposals.requests):
            tell_of_leaving(session, "stays-after-all", first_words(session.letter))
        correct_values(session, reply, proposals, reading)
        return reading
    session.proposed.settled = question
    session.proposed.still_open = proposals.remaining
    if proposals.settles:
        draft = session.draft(session.author)
        draft.questions = tuple(line for line in draft.questions if line not in proposals.settles)
    lines = (*(line for _, line in proposals.lines), *"\n".join(proposals.requests).splitlines())
    taken = read_back(session, lines, proposals.language)
    own = set(map(matter_of, reading.orders))
    taken = replace(taken, orders=tuple(order for order in taken.orders if matter_of(order) not in own))
    _list_others(session, question, taken)
    orders = [order.statement for order in (*taken.orders, *reading.orders) if not order.power]
    if orders:
        places = session.draft(session.author).places()
        left = lines_left(session, session.author, proposals.remaining, orders, places)
        session.proposed.still_open = tuple(left)
    return replace(
        reading,
        orders=(*taken.orders, *reading.orders),
        requests=(*taken.requests, *reading.requests),
        troubles=(*taken.troubles, *reading.troubles),
    )


def _list_others(session: LetterSession, question: Question, taken: LetterContents) -> None:
    """Show what else waits when a YES takes the newest: "yes, send both" must not lose the first of two letters."""
    waiting = [Proposals.of(each) for each in open_questions(session) if each.code != question.code]
    same, commands = set(matters_of(taken)), [each for each in waiting if not each.lines]
    others = [each for each in commands if not set(matters_of(_read_commands(session, each))) <= same]
    if others:
        session.proposed.listed = tuple(others)
        session.note("proposals-others-wait", headline=True)


def _read_commands(session: LetterSession, proposals: Proposals) -> LetterContents:
    return read_back(session, "\n".join(proposals.requests).splitlines(), proposals.language)


def _keep_waiting(session: LetterSession, question: Question) -> None:
    """The proposals wait for the YES to this letter, together with what its own words mean."""
    session.store.turns.mark_answered(question.code)
    session.proposed.waiting = Proposals.of(question)
    if session.proposed.waiting.lines:
        draft = session.draft(session.author)
        session.proposed.still_open, draft.letter = draft.questions, session.row.id


def _settle_by_orders(session: LetterSession, question: Question, reading: LetterContents) -> None:
    """The letter has orders of its own about all that was proposed: nothing of it waits any more."""
    session.store.turns.mark_answered(question.code)
    draft = session.draft(session.author)
    orders = [order.statement for order in reading.orders if not order.power]
    left = lines_left(session, session.author, draft.questions, orders, draft.places())
    session.proposed.still_open = tuple(left)


def _settled_by(session: LetterSession, question: Question) -> Question:
    """The same, answered, under the code of the letter that takes it: so a second YES finds it."""
    return replace(question, code=_code(session), inbox=session.row.id, answered=True)


def _code(session: LetterSession) -> str:
    return code_of_part(session.services, session.store, session.row.id, session.seat.id)


def _obstacle(session: LetterSession, reply: ProposalsReply, reading: LetterContents) -> str:
    """The key of the sentence that says why nothing is taken, or ""."""
    question = reply.question
    if reply.unsure and not reply.yes:
        return REFUSES
    if reply.unsure:
        return AGAIN if len(reply.unsure) == 1 else WHICH
    if question.seat != session.seat.id:
        return "proposals-not-yours"
    if question.answered:
        return "proposals-answered"
    if session.late_for or Proposals.of(question).phase != session.game.phase:
        return "proposals-late"
    if is_undone(session.store, question):
        return "proposals-undone"
    if Proposals.of(question).lines and ((latest := latest_proposals(session)) is None or latest.code != question.code):
        return "proposals-superseded"
    if reply.yes and words_in_the_way(session, reply, reading):
        return WITH_MORE
    return ""
