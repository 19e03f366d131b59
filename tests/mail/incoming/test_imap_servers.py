"""The poller against servers with habits of their own (`imapdouble`): each letter is taken, once; words are true."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from support.mail.imap_double import PASSWORD, TOKEN, USER, Double
from support.mail.mail_samples import opened, simple, until

from gm.config import ImapConfig, load_section
from gm.errors import GmError
from gm.mail.incoming.imap_poller import ImapPoller
from gm.mail.incoming.received import Received

Start = Callable[..., ImapPoller]


class Kept:
    def __init__(self) -> None:
        self.letters: list[Received] = []

    def __call__(self, received: Received) -> None:
        self.letters.append(received)

    @property
    def subjects(self) -> list[str]:
        return sorted(opened(letter.raw).subject for letter in self.letters)


def letters(*subjects: str) -> list[bytes]:
    return [simple(subject=subject, number=number) for number, subject in enumerate(subjects)]


def poller(server: Double, kept: Kept, **changes: object) -> ImapPoller:
    values: dict[str, object] = {"host": "127.0.0.1", "port": server.port, "security": "none", "user": USER}
    settings = load_section(ImapConfig, values | {"password": PASSWORD, "poll_seconds": 3600} | changes)
    return ImapPoller(settings, kept, pauses=(0.05,))


@pytest.fixture
def start() -> Iterator[Start]:
    started: list[ImapPoller] = []

    def begin(server: Double, kept: Kept, **changes: object) -> ImapPoller:
        started.append(poller(server, kept, **changes))
        started[0].start()
        return started[0]

    yield begin
    for double in started:
        double.stop()


def test_a_search_finds_only_announced_letters(start: Start) -> None:
    """Without NOOP before it SEARCH shows nothing new, poll after poll, and deadlines fire over letters that wait."""
    kept = Kept()
    with Double("lazy search") as server:
        server.deliver(*letters("first"))
        begun = start(server, kept, idle=False, poll_seconds=0.05)
        until(lambda: kept.subjects == ["first"])
        server.deliver(*letters("second"))
        until(lambda: begun.polled_until is not None and kept.subjects == ["first", "second"])


@pytest.mark.parametrize("habit", ["split search", "silent search", "esearch", "no search", "bad search", "odd search"])
def test_search_results_are_read_in_every_form(habit: str) -> None:
    """Read as none, they would wait unread while deadlines fire over them."""
    kept = Kept()
    with Double(habit) as server:
        reader = poller(server, kept)
        assert reader.poll_once()
        for lot in ("abcde", "fgh"):
            server.deliver(*letters(*lot))
            assert reader.poll_once()
            assert (kept.subjects[-len(lot) :], server.letters) == (list(lot), {})
    assert kept.subjects == list("abcdefgh")


def test_a_server_that_lists_nothing_is_not_taken_for_empty() -> None:
    with Double("no search", "no flags") as server:
        server.deliver(*letters("a"))
        reader = poller(server, Kept())
        with pytest.raises(GmError, match=r"neither SEARCH nor FETCH of flags is answered: .*no index, .*not today"):
            reader.poll_once()
        assert reader.polled_until is None


@pytest.mark.parametrize("habit", ["early exists", "one breath", "told in search", "told while moved"])
def test_a_letter_announced_only_once_is_taken_at_once(start: Start, habit: str) -> None:
    kept = Kept()
    with Double(habit) as server:
        server.later = [simple(subject="meanwhile", number=9)]
        server.deliver(*letters("first"))
        begun = start(server, kept)
        until(lambda: kept.subjects == ["first", "meanwhile"])
        until(lambda: not server.letters)
        assert begun.problem == ""


def test_refused_idle_is_not_retried(start: Start) -> None:
    kept = Kept()

    def asked() -> int:
        return len([command for command in server.commands if command.endswith("IDLE")])

    with Double("no idle") as server:
        begun = start(server, kept, poll_seconds=0.05)
        for number in range(4):
            until(lambda: asked() == 1)
            server.deliver(simple(subject=str(number), number=number))
            until(lambda: len(kept.letters) == number + 1)  # noqa: B023
        assert (asked(), server.connections, begun.problem) == (1, 1, "")


def test_login_disabled_and_plain_offered() -> None:
    kept = Kept()
    with Double("login disabled") as server:
        server.deliver(*letters("in"))
        poller(server, kept).poll_once()
        with pytest.raises(GmError, match=r"is imap\.password right"):
            poller(server, kept, password="wrong").poll_once()
    assert kept.subjects == ["in"]


@pytest.mark.parametrize("habits", [["xoauth2"], ["oauthbearer"], ["xoauth2", "oauthbearer"]])
@pytest.mark.parametrize("more", [[], ["challenges"]])
def test_a_token_is_sent_by_a_mechanism_of_the_server_and_its_refusal_is_one_line(
    habits: list[str], more: list[str]
) -> None:
    kept = Kept()
    with Double(*habits, *more) as server:
        server.deliver(*letters("in"))
        poller(server, kept, password=None, token_command=f"echo {TOKEN}").poll_once()
        error = r"^imap: 127\.0\.0\.1 does not let gm in; is the token .* right\? It said: .*AUTHENTICATIONFAILED"
        with pytest.raises(GmError, match=error) as caught:
            poller(server, kept, password=None, token_command="echo wrong").poll_once()
        assert "\n" not in str(caught.value)
        assert "wrong\x01" not in str(caught.value)
    assert kept.subjects == ["in"]


def test_an_unreadable_challenge_is_one_line() -> None:
    with (
        Double("odd challenge", "login disabled") as server,
        pytest.raises(GmError, match="in words that cannot be read"),
    ):
        poller(server, Kept()).check()


@pytest.mark.parametrize("habit", ["chatty", "odd dates", "other then"])
def test_answers_in_every_order_with_others_between(habit: str) -> None:
    kept = Kept()
    with Double(habit) as server:
        server.deliver(*letters(*"abcdefgh"))
        assert poller(server, kept).poll_once()
    assert kept.subjects == list("abcdefgh")


@pytest.mark.parametrize("how", ["refused", "nothing"])
def test_a_letter_that_is_not_given_stops_no_other_and_every_deadline(how: str) -> None:
    kept = Kept()
    with Double() as server:
        server.deliver(*letters(*"abcdefgh"))
        getattr(server, how).update({1, 4})
        reader = poller(server, kept)
        with pytest.raises(GmError, match="INBOX that it does not give out; look at it by webmail"):
            reader.poll_once()
        assert kept.subjects == list("bcefgh")
        assert (sorted(server.letters), reader.polled_until) == ([1, 4], None)
        getattr(server, how).clear()
        assert reader.poll_once()
    assert kept.subjects == list("abcdefgh")


def test_a_server_that_gives_nothing_is_not_asked_for_each_letter() -> None:
    kept = Kept()
    with Double("throttled") as server:
        server.deliver(*letters(*map(str, range(200))))
        with pytest.raises(GmError, match="THROTTLED"):
            poller(server, kept).poll_once()
        assert len(server.commands) < 60
        server.habits.clear()
        poller(server, kept).poll_once()
    assert len(kept.letters) == 200


def test_letters_that_cannot_be_moved_are_taken_once_and_the_operator_reads_why(
    start: Start, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = Kept()
    with Double("full") as server:
        server.deliver(*letters("a", "b"))
        begun = start(server, kept, poll_seconds=0.05, idle=False)
        until(lambda: begun.polled_until)
        polled = begun.polled_until
        server.deliver(simple(subject="c", number=3))
        until(lambda: len(kept.letters) == 3 and begun.polled_until != polled)
        assert begun.problem == ""
    assert kept.subjects == ["a", "b", "c"]
    output = capsys.readouterr()
    assert (output.out + output.err).count("[OVERQUOTA] no room") == 1


def test_a_server_that_says_goodbye_in_the_midst(start: Start) -> None:
    kept = Kept()
    with Double("goodbye") as server:
        server.deliver(*letters(*"abcdefgh"))
        start(server, kept, poll_seconds=0.05)
        until(lambda: set(kept.subjects) == set("abcdefgh") and not server.letters)
