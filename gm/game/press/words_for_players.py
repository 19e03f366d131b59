"""Letters that are plainly meant for other players: "Dear Luc, …", "Please tell Germany: …", "To all except Italy: …".

Their words are proposed as PRESS TO, which a YES sends, and nothing in them is stored as an order. The rest of the
letter is read as if they did not stand in it. Words for several readers, each their own, are divided. A game
master's letter that asks for nothing else is proposed as TO. `[addressing]` of grammars/plain_questions/<language>.toml
has the words around the names; players are known by their powers and, where the game is not anonymous, by their names.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import groupby

from msgspec import Struct
from msgspec.structs import replace

from gm.game.model.records import MASTER, Letter
from gm.game.model.setting_types import UNSIGNED, PressMode
from gm.game.press.addressing import (
    QUOTES,
    AddressForms,
    forms_of,
    is_unsigned,
    may_hide_writer,
    names_of_everybody,
    power_names,
    powers_of_shared,
    readers_of,
)
from gm.game.press.divided_words import PartForReaders, divide_by_readers
from gm.game.press.replies_for_fewer import find_contradiction
from gm.game.press.words_for_master import COMPLAINT, FOR_MASTER, FOR_PLAYERS, press_to_master, without_calls
from gm.game.press.words_not_for_readers import without_others
from gm.game.session.session import LetterSession
from gm.judge.model.press import Message
from gm.judge.model.sheets import Problem
from gm.language.commands.command_line import is_in_capitals, written_words
from gm.language.commands.press_for_several import press_lines
from gm.language.commands.press_or_orders import gives_own_orders
from gm.language.i18n.localized_variant import local_names
from gm.language.i18n.normalize import clean
from gm.language.letter.letter_reader import read_letter
from gm.language.letter.own_orders_behind import own_orders_behind
from gm.language.lines.blocks import NumberedLine, number_lines
from gm.language.lines.letter_contents import LetterContents, LineError, only_asks
from gm.language.lines.sentences import sentences_of
from gm.language.lines.spans import Fate
from gm.language.lines.trouble_keys import ASK_FOR_NOTHING, NOT_TAKEN
from gm.language.rendering.order_text import statement as written

OFFICIAL = "official"
"""The row of a game master's letters to players."""
IN_BRACKETS = re.compile(r"\s*(?:\([^()]*\)|\[[^\[\]]*\])[\s.]*")
"""A line that stands in brackets as a whole."""
CLOSED = re.compile(rf"[{QUOTES}](?P<words>.*\w.*?)[{QUOTES}](?!\w)(?P<behind>[\s,.;]+\w.*)", re.DOTALL)
"""Quoted words with others behind them."""
LINE_SEARCHED = 500
"""Characters of a line that are searched for names."""
MOST_LINES = 200
MOST_ADDRESSES = 6
"""Most addresses of a letter that are looked for in what the others leave of it: it is read anew for each."""


class AddressedWords(Struct, frozen=True):
    """`to` are powers. `before` are the lines of the letter that stand above the words, `after` those below them.
    `way`: the form of the address, a name of `AddressForms`, and `forms` all of its language. `own`: orders of the
    writer's own that end the line, which nothing keeps apart from the words. `behind`: what stands behind quoted words,
    the first of `after`.
    """

    way: str
    forms: AddressForms
    to: tuple[str, ...]
    line: NumberedLine
    words: str
    before: tuple[NumberedLine, ...]
    after: tuple[NumberedLine, ...]
    own: str = ""
    unsigned: bool = False
    behind: str = ""


def with_words_for_players(
    session: LetterSession, letter: Letter, reading: LetterContents, most: int = MOST_ADDRESSES
) -> LetterContents:
    """The contents with that proposal in place of what its words would be otherwise. `most`: so many of them."""
    if not may_be_for_players(session, reading):
        return reading
    addressed = _find(session, letter, reading)
    if addressed is None:
        return _with_unsaid(session, letter, reading)
    rest = (*addressed.before, *addressed.after)
    others = [power for power in session.loaded_game.variant.seated if power != session.author]
    everybody = len(addressed.to) == len(others)
    if session.master and (everybody or any(words.strip() for _, words in rest)):
        return reading  # an announcement, or commands beside the words
    own = LetterContents()
    if any(words.strip() for _, words in rest):
        readings = [read_letter(rest, context) for _, context in session.contexts]
        own = max(readings, key=lambda each: len(each.orders) + len(each.requests))
    own = own.with_press_of(reading)
    key = FOR_PLAYERS if len(own.orders) == len(reading.orders) else f"{FOR_PLAYERS}-orders"
    questions = _questions(session, addressed, FOR_PLAYERS if addressed.own else key)
    questions += _own_orders(session, addressed) if addressed.own else ()
    if addressed.behind and not (own.orders or own.troubles or own.requests):
        questions += _left_out(addressed, addressed.behind)
    below = replace(letter, lines=rest)
    left = sum(len(words) for _, words in rest)
    if most > 1 and len(rest) < MOST_LINES and left < sum(len(words) for _, words in letter.lines):
        own = with_words_for_players(session, below, own, most - 1)
    return replace(own, troubles=(*questions, *own.troubles))


def _with_unsaid(session: LetterSession, letter: Letter, reading: LetterContents) -> LetterContents:
    """With a question about the first sentence like "ask Tom whether …", which holds no words to send."""
    shown = {trouble.line for trouble in reading.troubles if not _says_nothing_else(trouble)}
    lines = [(number, text) for number, text in reading.spoken(letter.lines[:MOST_LINES]) if number not in shown]
    if not any(_may_address(session, text) for _, text in lines):
        return reading
    named = names_of_everybody(session)
    for number, text in lines:
        cleaned = clean(text[:LINE_SEARCHED]).text
        for language in session.languages:
            forms = forms_of(language, tuple(named))
            match = forms.unsaid.search(without_calls(session, cleaned.lower()))
            to = readers_of(session, forms, named, match) if match is not None else ()
            if match is not None and to:
                sentence = sentences_of(written_words(text, cleaned[match.start() :].strip()))[0].strip()
                question = unclear(to, number, sentence)
                left = tuple(words for words in reading.unanswered if words.strip() not in text)
                others = (each for each in reading.troubles if each.line != number or each.marked not in sentence)
                return replace(reading, troubles=(*others, question), unanswered=left)
    return reading


def _says_nothing_else(trouble: LineError) -> bool:
    """Whether a remark is about names in passing, or shows the form of PRESS TO."""
    return (
        only_asks(trouble)
        or trouble.key in ASK_FOR_NOTHING
        or "press" in dict(trouble.fields).get("commands", "").split()
    )


def unclear(to: tuple[str, ...], number: int, text: str) -> LineError:
    """Words for players that go to nobody before it is certain who may read what."""
    names = ", ".join(name.title() if name.islower() else name for name in to)  # one that several have is no power's
    return LineError(number, text, 0, len(text), f"{FOR_PLAYERS}-unclear", (("powers", names),), (), obeyed=True)


def _questions(session: LetterSession, addressed: AddressedWords, key: str) -> tuple[LineError, ...]:
    """A proposal of PRESS TO for the readers of each part of the words; none where it is unclear who reads what."""
    number, text = addressed.line
    to, words, unsigned = addressed.to, addressed.words, addressed.unsigned
    parts = divide_by_readers(session, addressed.forms, addressed.way, to, words, unsigned=unsigned)
    hides = not any(part.unsigned for part in parts) and may_hide_writer(session, _around(addressed))
    if hides or not parts or any(find_contradiction(session, frozenset(part.to), part.words) for part in parts):
        return (unclear(addressed.to, number, " ".join((_around(addressed) if hides else _whole(addressed)).split())),)
    divided = [without_others(session, part.words, frozenset(part.to)) for part in parts]
    left = " ".join(" ".join(others.split()) for _, others in divided if others)
    questions = tuple(
        question_for(session, replace(part, words=rest), number, rest.partition("\n")[0] if at else text, key)
        for at, (part, (rest, _)) in enumerate(zip(parts, divided, strict=True))
    )
    return (*questions, *_left_out(addressed, left))


def _left_out(addressed: AddressedWords, left: str) -> tuple[LineError, ...]:
    """What is said of sentences that no proposal holds, as they are hardly for these readers."""
    number, fields = addressed.line[0], (("powers", ", ".join(addressed.to)),)
    return (LineError(number, left, 0, len(left), f"{FOR_PLAYERS}-left", fields, (), obeyed=True),) if left else ()


def _around(addressed: AddressedWords) -> str:
    """The words with the lines next to them."""
    above = [words for _, words in addressed.before if words.strip()][-1:]
    below = [words for _, words in addressed.after if words.strip()][:1]
    return "\n".join((*above, _whole(addressed), *below))


def _whole(addressed: AddressedWords) -> str:
    return "\n".join((addressed.line[1], *addressed.words.split("\n")[1:]))


def question_for(session: LetterSession, part: PartForReaders, number: int, shown: str, key: str) -> LineError:
    """A proposal of PRESS TO for one part of the words, or why they may not be sent."""
    if shared := next((name for name in part.to if name not in (*session.loaded_game.variant.seated, MASTER)), ""):
        return _which(session, part, number, shown, shared)
    fields: tuple[tuple[str, str], ...] = (("powers", ", ".join(_readers_shown(session, part))),)
    offered: tuple[str, ...] = (press_for(session, part),)
    if part.to == (MASTER,):
        key = f"{FOR_MASTER}-part"
    elif why := _obstacle(session, part):
        key, fields, offered = f"{FOR_PLAYERS}-not-now", (*fields, ("why", why)), ()
    elif forced := _entered(session, part):
        key, offered = f"{FOR_PLAYERS}-or-entered", (forced, *offered)
    elif cost := price_of(session, part):
        key, fields = f"{FOR_PLAYERS}-priced", (*fields, ("cost", str(cost)))
    return LineError(number, shown, 0, len(shown), key, fields, offered, obeyed=True)


def _which(session: LetterSession, part: PartForReaders, number: int, shown: str, name: str) -> LineError:
    """The question which of the players of that name is meant, with the press for each below it."""
    meant = powers_of_shared(session, name)
    every = (replace(part, to=tuple(power if each == name else each for each in part.to)) for power in meant)
    offered = tuple(press_for(session, each) for each in every if len(set(each.to)) == len(part.to))
    fields = (("name", name.title()), ("powers", ", ".join(meant)))
    return LineError(number, shown, 0, len(shown), f"{FOR_PLAYERS}-which", fields, offered, obeyed=True)


def _obstacle(session: LetterSession, part: PartForReaders) -> str:
    """The sentence that says why the words may not be sent so; "" if they may."""
    if part.unsigned and (session.master or session.loaded_game.settings.press not in UNSIGNED):
        return session.say("desk.press-none-unsigned")
    if not set(part.to) - _empty_seats(session):
        return session.say("desk.press-nobody", powers=", ".join(part.to))
    problem = problem_of(session, part)
    if problem is None:
        return ""
    places = zip(("one", "two", "three"), (*problem.places, "", "", ""), strict=False)
    return session.say(f"problem.{problem.key}", **dict(places))


def _empty_seats(session: LetterSession) -> frozenset[str]:
    """The powers that nobody plays in a game that has begun."""
    return session.loaded_game.unplayed if session.loaded_game.begun else frozenset()


def _readers_shown(session: LetterSession, part: PartForReaders) -> tuple[str, ...]:
    """Words to everybody reach those who play; whom a letter names, and who reads nothing, is told when it is sent."""
    empty = _empty_seats(session) if is_for_everybody(session, part.to) else ()
    return tuple(power for power in part.to if power not in empty)


def is_for_everybody(session: LetterSession, to: Sequence[str]) -> bool:
    return len(to) == len(session.loaded_game.variant.seated) - 1


def _entered(session: LetterSession, part: PartForReaders) -> str:
    """The lines by which a game master enters the words as orders of the one power that they address; "" for others."""
    if not session.master or len(part.to) > 1 or part.unsigned:
        return ""
    (power,) = part.to
    own = session.loaded_game.context(power, language=session.language)
    reading = read_letter(number_lines(part.words), own)
    letter = session.loaded_game.step.letter
    orders = (written(order.statement, letter) for order in reading.orders if not order.power)
    return "\n".join(f"FORCE {power}: {order}" for order in orders) if not reading.prose else ""


def press_for(session: LetterSession, part: PartForReaders) -> str:
    if part.to == (MASTER,):
        return press_to_master(session, part.words)
    everybody = is_for_everybody(session, part.to)
    called = local_names(session.loaded_game.variant, session.language)
    names = ", ".join(called.get(power, power) for power in part.to)
    row = OFFICIAL if session.master else "press-all" if everybody else "press"
    row = "press-unsigned" if part.unsigned else row
    return press_lines(session.language, row, part.words, names)


def price_of(session: LetterSession, part: PartForReaders) -> int:
    """What sending the words costs their writer in this variant."""
    position, variant = session.loaded_game.position, session.loaded_game.variant
    return 0 if session.master else variant.press.price(position, variant, _message(session, part))


def problem_of(session: LetterSession, part: PartForReaders) -> Problem | None:
    """Why the words, which cost something, may not be sent now."""
    position, variant = session.loaded_game.position, session.loaded_game.variant
    if session.master or not (cost := price_of(session, part)) or position.ended is not None:
        return None
    spent = session.draft(session.author).settled() if session.loaded_game.running else ()
    return variant.press.check(position, variant, replace(_message(session, part), cost=cost), spent)


def _message(session: LetterSession, part: PartForReaders) -> Message:
    return Message(session.author, session.author, part.to, part.words)


def may_be_for_players(session: LetterSession, reading: LetterContents) -> bool:
    if session.master:
        return session.loaded_game.running and not (reading.orders or reading.requests or _proposes(reading))
    if not session.plays:
        return False
    if session.loaded_game.settings.press is PressMode.NONE or not session.loaded_game.running:
        return False
    complains = any(trouble.key.startswith(COMPLAINT) for trouble in reading.troubles)
    return not complains


def _proposes(reading: LetterContents) -> bool:
    return any(trouble.suggestions for trouble in reading.troubles)


def _find(session: LetterSession, letter: Letter, reading: LetterContents) -> AddressedWords | None:
    lines = tuple(letter.lines[:MOST_LINES])
    if not any(_may_address(session, text) for _, text in reading.spoken(lines)):
        return None
    named = names_of_everybody(session)
    commands = {given.line for given in reading.requests if is_in_capitals(given.text)}
    for at, (_, text) in enumerate(lines):
        if not text.strip():
            continue
        opens = not any(words.strip() for _, words in lines[:at]) or not lines[at - 1][1].strip()
        for language in session.languages:
            forms = forms_of(language, tuple(named))
            addressed = _addressed(session, forms, named, lines, at, reading, opens=opens)
            if addressed is not None and not _holds_command(addressed, lines, commands):
                return addressed
    return None


def _holds_command(addressed: AddressedWords, lines: Sequence[NumberedLine], commands: set[int]) -> bool:
    outside = {number for number, _ in (*addressed.before, *addressed.after)}
    return any(number in commands and number not in outside for number, _ in lines)


def _addressed(
    session: LetterSession,
    forms: AddressForms,
    named: Mapping[str, str],
    lines: Sequence[NumberedLine],
    at: int,
    reading: LetterContents,
    *,
    opens: bool,
) -> AddressedWords | None:
    number, text = lines[at]
    cleaned = clean(text[:LINE_SEARCHED]).text
    low = cleaned.lower()
    greeting = forms.greeting.match(low)
    if greeting is not None and not (opens or forms.is_marked(greeting, salutes=True)):
        greeting = None
    calling = forms.calling.match(low) if opens and greeting is None else None
    if calling is not None and reading.orders and not _calls_person(session, calling, number, reading):
        calling = None
    match = greeting or calling or forms.telling.search(without_calls(session, low))
    to: tuple[str, ...] = ()
    if match is not None:
        to = readers_of(session, forms, named, match)
    elif match := forms.telling_them.search(low):
        to = _named_before(session, forms, named, low[: match.start()])
    if match is None or not to or (_names_all(match) and reading.orders):
        return None
    past = _past(lines, at, reading, paragraph=greeting is None and calling is None and bool(match["rest"].strip()))
    below = [words for _, words in lines[at + 1 : past]]
    greets = calling is not None or (greeting is not None and greeting["salute"] is not None)
    rest, behind = _quoted(written_words(text, cleaned[slice(*match.span("rest"))].strip()))
    whole = written_words(text, cleaned[match.end("lead") :].strip()) if greeting and greeting["lead"] else text.strip()
    first, mine, own = _without_own(session, forms, whole) if greets else (rest, behind, "")
    if not (greets or behind):
        first, mine, own = _without_own(session, forms, rest)
    past, below = (at + 1, []) if mine or own else (past, below)
    if not match["rest"].strip() and not any(words.strip() for words in below):
        return None
    words = "\n".join((first, *below)).strip()
    start = match.start() if greeting is None and calling is None else 0
    front = written_words(text, cleaned[: start + 1].strip()) if start else ""
    before = (*lines[:at], *(((number, front),) if front else ()))
    way = "greeting" if greeting else "calling" if calling else "telling"
    after = (*(((number, mine),) if mine else ()), *lines[past:])
    unsigned = is_unsigned(forms, match)
    line = (number, text.strip())
    return AddressedWords(way, forms, to, line, words, tuple(before), after, own, unsigned, behind)


def _quoted(words: str) -> tuple[str, str]:
    """Words without the quotes in which they stand, and what is written behind these: "'Peace!' and hide it"."""
    if words[:1] and words[0] in QUOTES and (match := CLOSED.fullmatch(words)):
        return match["words"].strip(), match["behind"].strip(" ,;")
    return words.strip(QUOTES), ""


def _named_before(session: LetterSession, forms: AddressForms, named: Mapping[str, str], low: str) -> tuple[str, ...]:
    """The single other player that words name, who is meant by a pronoun behind them: "I meant Tom. Tell them: …"."""
    powers = tuple({named[each.group()] for each in forms.names.finditer(low)} - {session.author})
    return powers if len(powers) == 1 else ()


def _without_own(session: LetterSession, forms: AddressForms, words: str) -> tuple[str, str, str]:
    """Words for players, and the writer's own orders that end their line: behind "For me:", or in sentences alone."""
    low = clean(words).text.lower()
    mine = forms.mine.search(low, 1)
    if mine is not None:
        at = clean(words).column(mine.start("mine"))
        return words[:at].strip(), words[at:].strip(), ""
    sentences = sentences_of(words)
    if divided := _own_before_others(session, forms, sentences):
        return divided
    own = len(sentences)
    while own > 1 and gives_own_orders(sentences[own - 1], session.context):
        own -= 1
    words, orders = "".join(sentences[:own]).strip(), "".join(sentences[own:]).strip()
    if not orders:
        words, orders = own_orders_behind(words, session.context)
    return words, "", orders


def _own_before_others(
    session: LetterSession, forms: AddressForms, sentences: Sequence[str]
) -> tuple[str, str, str] | None:
    """As `_without_own`, where words for others stand behind the orders: "Dear Tom, … Par-Bur. Tell Luc that …"."""
    orders = [bool(at) and gives_own_orders(each, session.context) for at, each in enumerate(sentences)]
    first = orders.index(True) if any(orders) else len(orders)
    past = orders.index(False, first) if False in orders[first:] else len(orders)
    if past == len(orders) or not forms.telling.match(clean(sentences[past]).text.lower().strip()):
        return None
    words, own, others = (
        "".join(sentences[slice(*span)]).strip() for span in ((0, first), (first, past), (past, None))
    )
    return words, others, own


def _own_orders(session: LetterSession, addressed: AddressedWords) -> tuple[LineError, ...]:
    """A proposal of these orders: they may be the writer's, or words to the players."""
    number, words = addressed.line[0], addressed.own
    step = session.loaded_game.step
    orders = read_letter(((number, words),), session.context).orders
    lines = "\n".join(written(order.statement, step.letter) for order in orders)
    return (LineError(number, words, 0, len(words), NOT_TAKEN, (), (lines,)),) if lines else ()


def _calls_person(session: LetterSession, calling: re.Match[str], number: int, reading: LetterContents) -> bool:
    """Whether a line beside orders calls players by their own names: a power's name may head orders."""
    powers = set(power_names(session))
    ordered = any(span.line == number and span.fate is Fate.ORDER for span in reading.spans)
    return not ordered and not any(name in powers for name in re.split(r"\W+", calling["to"]))


def _names_all(match: re.Match[str]) -> bool:
    return match.groupdict().get("every") is not None


def _past(lines: Sequence[NumberedLine], at: int, reading: LetterContents, *, paragraph: bool) -> int:
    """Behind the last line of the words: they end above a paragraph of orders, with its heading, with the `paragraph`,
    and with the bracket in which they stand.
    """
    if IN_BRACKETS.fullmatch(lines[at][1]):
        return at + 1
    alone = _own_lines(reading) | reading.press_lines
    for index in range(at + 1, len(lines)):
        number, words = lines[index]
        if number in alone or (paragraph and not words.strip()):
            return index
        if not lines[index - 1][1].strip() and words.strip():
            block = {each for each, _ in _paragraph(lines, index)}
            heads = words.rstrip(" *_").endswith(":") or words.isupper()
            if heads and alone & block:
                return index
    return len(lines)


def _own_lines(reading: LetterContents) -> set[int]:
    """The lines that begin with an order, or with words and a colon before one: "My own moves: …"."""
    own: set[int] = set()
    for line, spans in groupby(reading.spans, key=lambda span: span.line):
        words = (span for span in spans if not span.text.rstrip().endswith(":") and any(map(str.isalnum, span.text)))
        first = next(words, None)
        if first is not None and first.fate is Fate.ORDER:
            own.add(line)
    return own


def _paragraph(lines: Sequence[NumberedLine], at: int) -> Sequence[NumberedLine]:
    end = next((index for index in range(at, len(lines)) if not lines[index][1].strip()), len(lines))
    return lines[at:end]


def _may_address(session: LetterSession, text: str) -> bool:
    """Whether a line may speak to anybody at all; only then the players' names are looked up."""
    low = without_calls(session, clean(text[:LINE_SEARCHED]).text.lower())
    forms = (forms_of(language, ()) for language in session.languages)
    return any(
        form.greeting.match(low)
        or form.calling.match(low)
        or any(each.search(low) for each in (form.telling, form.telling_them, form.unsaid))
        for form in forms
    )
