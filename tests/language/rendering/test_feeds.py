"""Feeds and calendars as other programs read them: feedparser, icalendar, and the rules of their RFCs."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from xml.etree import ElementTree as Xml

import feedparser
import icalendar
from hypothesis import given
from hypothesis import strategies as st

from gm.language.rendering.calendars import CalendarEvent, calendar_file
from gm.language.rendering.feeds import NAMESPACE, Feed, FeedEntry, atom

AT = datetime(2026, 3, 15, 19, 0, tzinfo=UTC)
WORDS = 'Fall 1901 <b>&amp; "Zürich"</b> ]]> 𝄞, a;b\\c\nnext'
SITE = "https://games.example"


def feed(*entries: FeedEntry, base: str = "", site: str = SITE) -> Feed:
    return Feed("urn:uuid:1", WORDS, f"{site}/feed.xml", f"{site}/", "gm.example", "de", entries, base)


def entry(text: str = WORDS, **more: str) -> FeedEntry:
    return FeedEntry("urn:uuid:2", "turn", AT, text, text, **more)


def parsed(content: bytes):  # type: ignore[no-untyped-def]
    document = feedparser.parse(content, sanitize_html=False)
    assert not document.bozo, document.get("bozo_exception")
    return document


def test_a_feed_reader_finds_all_of_it() -> None:
    picture = f"{SITE}/games/a&b.png"
    document = parsed(atom(feed(entry(link=f"{SITE}/games/ostend.html#S1901M", picture=picture))))
    assert (document.version, document.feed.id, document.feed.author) == ("atom10", "urn:uuid:1", "gm.example")
    assert document.feed.title == WORDS
    assert [(link.rel, link.href) for link in document.feed.links] == [
        ("self", f"{SITE}/feed.xml"),
        ("alternate", f"{SITE}/"),
    ]
    (atom_entry,) = document.entries
    assert (atom_entry.id, atom_entry.title, atom_entry.link) == (
        "urn:uuid:2",
        WORDS,
        f"{SITE}/games/ostend.html#S1901M",
    )
    assert atom_entry.updated_parsed[:6] == atom_entry.published_parsed[:6] == (2026, 3, 15, 19, 0, 0)
    assert atom_entry.tags[0].term == "turn"
    (content,) = atom_entry.content
    assert content.type == "text/html"
    assert "&lt;b&gt;&amp;amp;" in content.value
    assert f'src="{SITE}/games/a&amp;b.png"' in content.value


def test_what_rfc_4287_demands() -> None:
    """4.1.1, 4.1.2: exactly one id, title and updated; an author; no entry without an alternate link or content."""
    for given_feed in (feed(), feed(entry()), feed(entry(), base="../", site="games")):
        root = Xml.fromstring(atom(given_feed))
        for element in (root, *root.findall(f"{{{NAMESPACE}}}entry")):
            for name in ("id", "title", "updated"):
                assert len(element.findall(f"{{{NAMESPACE}}}{name}")) == 1
        assert root.find(f"{{{NAMESPACE}}}author/{{{NAMESPACE}}}name") is not None
        assert all(
            atom_entry.find(f"{{{NAMESPACE}}}content") is not None
            for atom_entry in root.findall(f"{{{NAMESPACE}}}entry")
        )


@given(st.text())
def test_any_words_are_well_formed_xml(words: str) -> None:
    Xml.fromstring(atom(feed(entry(words, link=SITE))))


def event(text: str = WORDS, **more: object) -> CalendarEvent:
    return CalendarEvent("1@gm.example", AT, 2, AT + timedelta(days=7), text, text, **more)  # type: ignore[arg-type]


def test_a_calendar_program_finds_all_of_it() -> None:
    calendar = icalendar.Calendar.from_ical(calendar_file([event(url=f"{SITE}/a.html", alarm=90)], "Our games", "de"))
    assert [str(calendar[key]) for key in ("VERSION", "METHOD")] == ["2.0", "PUBLISH"]
    assert str(calendar["NAME"]) == str(calendar["X-WR-CALNAME"]) == "Our games"
    (vevent,) = calendar.walk("VEVENT")
    assert (str(vevent["UID"]), str(vevent["SUMMARY"]), str(vevent["DESCRIPTION"])) == ("1@gm.example", WORDS, WORDS)
    assert vevent["DTSTART"].dt == vevent["DTEND"].dt == AT + timedelta(days=7)
    assert (vevent["DTSTAMP"].dt, vevent["SEQUENCE"], str(vevent["URL"])) == (AT, 2, f"{SITE}/a.html")
    (alarm,) = calendar.walk("VALARM")
    assert alarm["TRIGGER"].dt == timedelta(minutes=-90)


def test_a_calendar_without_deadlines_still_has_a_component() -> None:
    assert len(icalendar.Calendar.from_ical(calendar_file([], "games")).subcomponents) == 1


@given(st.text(st.characters(exclude_categories=["C", "Zl", "Zp"])))
def test_any_words_come_back_from_a_calendar_in_lines_of_75_octets(words: str) -> None:
    content = calendar_file([event(words)])
    assert all(len(line) <= 75 for line in content.split(b"\r\n"))
    (vevent,) = icalendar.Calendar.from_ical(content).walk("VEVENT")
    assert str(vevent["SUMMARY"]) == words


@given(st.text())
def test_no_words_end_a_line_of_a_calendar(words: str) -> None:
    content = calendar_file([event(words)], words).decode()
    names = [line.partition(":")[0].partition(";")[0] for line in content.split("\r\n") if line[:1] not in ("", " ")]
    assert names.count("UID") == names.count("SUMMARY") == 1
    assert "\n" not in content.replace("\r\n", "")
