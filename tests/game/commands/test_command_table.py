"""The table of all commands (grammars/commands): each row is documented, parsed, handled, and in a dialogue."""

from __future__ import annotations

import re
import tomllib
from email.utils import parseaddr

import pytest
from support.dialogue import Block, load
from support.paths import DIALOGUES

from gm.game.commands.perform import HANDLERS, MODULES, handler_of
from gm.game.letters.answer_inserts import INSERTS
from gm.judge.model.variant import Variant
from gm.language.commands.gm import PollRequest
from gm.language.commands.parser import read_command, rules
from gm.language.commands.players import IAmAlsoRequest
from gm.language.commands.requests import (
    ActAsRequest,
    ConfirmRequest,
    EndGameRequest,
    LookupRequest,
    PressRequest,
    TimeZoneRequest,
    VoteRequest,
)
from gm.language.commands.table import ROLES, SCOPES, Command, keyword_of, rows_of, table
from gm.language.i18n.localized_variant import localized
from gm.language.i18n.normalize import clean
from gm.language.i18n.vocabulary import vocabulary_of
from gm.language.letter.letter_reader import BLOCKS, read_letter
from gm.language.lines.letter_contents import LetterContext, Request
from gm.language.rendering.templates import LetterTemplates
from gm.resources import folder
from gm.variant_files.library import Library

ROWS = table().commands
LANGUAGES = sorted(path.name for path in (folder("templates") / "sentences").iterdir())
PERSONAL = ("absence-game", "vacation", "cancel-vacation", "resign-game", "join-wish", "observe-as", "monitor")
EXAMPLE = {
    "other": "England",
    "third": "Germany",
    "unit": "A Par",
    "hold": "A Par H",
    "place": "Bre",
    "near": "Bur",
    "phase": "S1901M",
    "played": "S1901M",
    "later": "F1901M",
    "letters": "E[FGR]*",
    "minor": "Poland",
    "variant": "standard",
    "message_word": "Message",
    "game": "ostend",
}


def the(rows: tuple[Command, ...]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("row", rows, ids=lambda row: row.name)


def lines_of(form: str) -> list[tuple[int, str]]:
    return list(enumerate(form.format_map(EXAMPLE).split("\n"), 1))


def kind_of(form: str, variant: Variant) -> str:
    """The rule of the grammar for the form's first line."""
    asked = read_command(clean(lines_of(form)[0][1]).text, variant)
    return asked.kind if asked else ""


@pytest.fixture(scope="module")
def standard(library: Library) -> Variant:
    return library.variant("standard", {})


@pytest.fixture(scope="module")
def asked_in_dialogues(standard: Variant) -> set[str]:
    """The rules of all lines in letters of dialogues that get an answer."""
    kinds: set[str] = set()
    for file in sorted(DIALOGUES.glob("*.txt")):
        blocks = load(file)
        for at, block in enumerate(blocks):
            if block.mark == ">>" and _answered(block, blocks[at + 1 :]):
                asked = (read_command(line, standard) for line in block.lines)
                kinds |= {command.kind for command in asked if command is not None}
    return kinds


def _answered(letter: Block, later: list[Block]) -> bool:
    address = parseaddr(letter.head)[1]
    return any(block.mark == "<<" and (address in block.head or block.head.startswith("all ")) for block in later)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_command_and_page_has_its_meaning_in_every_language(language: str) -> None:
    """Without falling back to English."""
    files = (folder("templates") / "sentences" / language).glob("*.toml")
    documents = [tomllib.loads(file.read_text(encoding="utf-8")) for file in files]
    meanings = {
        f"{what}.{name}" for document in documents for what in ("command", "page") for name in document.get(what, {})
    }
    rows = {f"command.{row.name}" for row in ROWS} | {f"page.{page.name}" for page in table().pages}
    assert meanings == rows


def test_the_table_lists_every_help_page(letters: LetterTemplates) -> None:
    assert sorted(page.name for page in table().pages) == sorted(set(letters.topics) - {"index"})


@the(ROWS)
def test_a_command_has_a_page_and_a_role(row: Command) -> None:
    assert row.page in {page.name for page in table().pages}
    assert row.who
    assert set(row.who) <= set(ROLES)
    assert row.part is not None or not row.brief


@the(ROWS)
def test_a_command_says_what_it_changes(row: Command) -> None:
    """One seat, its writer in all games, or what is nobody's alone."""
    assert row.scope in SCOPES
    if row.name in PERSONAL or row.personal:
        assert row.scope == "person"
    if row.request == "CreateRequest":
        assert row.scope == "server"


@the(ROWS)
def test_every_form_of_a_command_becomes_its_request(row: Command, library: Library) -> None:
    """In some variant: not every variant has messages or minor powers."""
    variants = [library.variant(name, {}) for name in library.ids()]
    for form in row.forms:
        seen = [_request_of(row, form, variant) for variant in variants]
        assert any(_is_of(row, request) for request in seen), f"{form!r} is {seen}"


def _is_of(row: Command, request: Request | str) -> bool:
    return row in rows_of(request) if isinstance(request, Request) else not row.request and not request


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_translated_forms_are_the_same_command(language: str, library: Library) -> None:
    rows = {row.name: row for row in ROWS}
    vocabulary = vocabulary_of(language)
    assert vocabulary.pages.keys() == {page.name for page in table().pages}
    assert vocabulary.forms.keys() <= rows.keys()
    variants = [localized(library.variant(name, {}), language) for name in library.ids()]
    for name, form in vocabulary.forms.items():
        kinds = {kind_of(form, variant) for variant in variants} - {""}
        assert kinds == {kind_of(rows[name].form, variant) for variant in variants} - {""}, form


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_every_command_of_the_manual_has_a_word_in_every_language(language: str) -> None:
    """Under [commands] of grammars/vocabulary; a word that is the same in both languages stands there too.

    A row that HELP lists nowhere is a word of another program, which is English.
    """
    words = tomllib.loads((folder("grammars") / "vocabulary" / f"{language}.toml").read_text(encoding="utf-8"))
    english = {command.lower() for command in words["commands"]}
    listed = [row for row in ROWS if row.obeyed and row.part is not None]
    lacks = {row.name for row in listed if not any(_begins(form, english) for form in row.forms)}
    assert lacks == set(), f"grammars/vocabulary/{language}.toml lacks their words under [commands]"


def _begins(form: str, commands: set[str]) -> bool:
    """Whether the words of a form begin with one of these commands: EXPORT is enough for "EXPORT csv"."""
    words = re.findall(r"[\w-]+", form.format_map(EXAMPLE).lower())
    return any(" ".join(words[:number]) in commands for number in range(1, len(words) + 1))


def _request_of(row: Command, form: str, variant: Variant) -> Request | str:
    """The form read as a letter; "" where it is only answered or belongs to a sheet, "talk" for talk."""
    master = row.who == ("gm",)
    power = "" if master else next((country.name for country in variant.powers if country.name == "France"), "")
    reading = read_letter(lines_of(form), LetterContext(variant, variant.start, power, master=master))
    if reading.requests:
        return reading.requests[0].request
    return "" if kind_of(form, variant) else "talk"


@the(tuple(row for row in ROWS if row.request))
def test_a_command_has_a_handler_for_each_role(row: Command) -> None:
    (request,) = (known for known in Request.__subclasses__() if known.__name__ == row.request)
    for role in row.who:
        assert callable(handler_of(request, role)), role


@the(ROWS)
def test_a_dialogue_shows_the_command_and_its_answer(
    row: Command, standard: Variant, asked_in_dialogues: set[str]
) -> None:
    kinds = {kind_of(form, standard) for form in row.forms}
    assert kinds & asked_in_dialogues, kinds


def test_every_rule_of_the_grammar_is_in_the_table(standard: Variant) -> None:
    listed = {kind_of(form, standard) for row in ROWS for form in row.forms}
    assert not rules() - listed


def test_every_handler_is_in_the_table() -> None:
    for key in HANDLERS:
        request, role = key if isinstance(key, tuple) else (key, "")
        listed = {row.request for row in ROWS if not role or role in row.who}
        assert request.__name__ in listed, role


def test_no_request_has_two_handlers() -> None:
    assert sum(len(handlers) for handlers in MODULES) == len(HANDLERS)


def test_every_rule_of_a_row_is_in_the_grammar() -> None:
    listed = [rule for row in ROWS if row.keyword or row.block for rule in row.rules]
    assert len(set(listed)) == len(listed)
    assert not set(listed) - rules()


def test_the_shows_of_a_row_is_a_kind_of_insert() -> None:
    assert not {row.shows for row in ROWS} - {*INSERTS, ""}


def test_every_block_has_its_reader() -> None:
    assert {rule for row in ROWS if row.block for rule in row.rules} <= BLOCKS.keys()


def test_a_command_is_called_by_its_keyword() -> None:
    known = {
        LookupRequest("press-log"): "PRESS LOG",
        LookupRequest("history", "S1901M"): "HISTORY",
        TimeZoneRequest("Europe/Paris"): "TZ",
        ActAsRequest("France"): "AS",
        EndGameRequest("draw"): "CLOSE",
        ConfirmRequest(): "CONFIRM",
        PressRequest(("Italy",), "Hello"): "PRESS",
        VoteRequest("draw"): "VOTE",
        IAmAlsoRequest("luc@example.org"): "I AM ALSO",
        PollRequest("A week more?"): "POLL",
    }
    assert {request: keyword_of(request) for request in known} == known
