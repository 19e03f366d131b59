"""Stretches of days by their length or by the calendar: "a week from tomorrow", "this weekend", "next week Mon to Thu".

A length with a first day counts whole days from it: a week from Wednesday ends on Tuesday.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta
from typing import TypeAlias

from gm.language.dates.date_words import MONTH, MONTHS, NUMBERS, WEEKDAY, WEEKDAYS, DateError, number_of

Stretch: TypeAlias = tuple[date, date]
"""The first day and the last."""
ReadDay: TypeAlias = Callable[[str], date | DateError]

BARE_LENGTH = rf"(?P<count>\d{{1,3}}|{'|'.join(NUMBERS)}) ?(?P<unit>days?|d|weeks?|wks?|w)\b(?: long)?"
LENGTH = rf"(?:(?:for|another|the next) )*{BARE_LENGTH}"
BEGINS_LENGTH = rf"(?:for |another |the next )*(?:\d{{1,3}}|{'|'.join(NUMBERS)}) (?:[a-z]+ )?(?:days?|weeks?)\b"
"""A length, also one with a word in it: "two wonderful weeks"."""
STARTS = r"(?:from|starting|beginning|as of)(?: (?:from|on))?"
FROM_A_DAY = (
    re.compile(rf"{LENGTH},? {STARTS} (?P<day>.+)"),
    re.compile(rf"(?:{STARTS} |on )?(?P<day>.+?),? {LENGTH}"),
)
"""A length with its first day, behind it or before it."""
ONLY_LENGTH = re.compile(BARE_LENGTH)
WEEKEND = re.compile(r"(?:(?:for|over|on|at|during) )?(?:the|this)(?: coming)? weekend|weekend")
REST_OF_WEEK = re.compile(r"(?:for )?the (?:rest|remainder) of (?:the|this) week")
THIS_WEEK = re.compile(r"(?:(?:all|for) )?(?:the )?(?:whole )?(?:of )?this week|all week|(?:for )?the whole week")
NEXT_WEEK = re.compile(r"(?:(?:all|for) )?(?:the )?(?:whole )?(?:of )?(?:next|coming) week")
OTHER_VAGUE = re.compile(
    r"(?:the )?(?:whole )?(?:(?:next|this|coming) month|next weekend)|soon|a while|some time|(?:\w+ )?weeks?"
    r"|(?:a few|some|several) days"
)
"""Words for days that nobody can count."""
IN_WEEK = (
    re.compile(rf"(?:in )?(?P<week>next|this|coming) week,? (?P<days>(?:(?:from|on|between) )?{WEEKDAY}.*)"),
    re.compile(rf"(?P<days>(?:(?:from|on|between) )?{WEEKDAY}.*?),? (?:(?:in|of) )?(?P<week>next|this|coming) week"),
)
WEEKDAYS_JOINED = re.compile(
    rf"(?:(?:from|on|between) )?{WEEKDAY}(?: ?(?:to|until|till?|through|thru|and|-+) ?{WEEKDAY})?"
)
END_OF = re.compile(rf"(?:the )?end of (?:(?P<which>the|this|next) )?(?:(?P<what>week|month)|(?P<month>{MONTH}))")
WEEK = timedelta(days=7)


def read_stretch(words: str, today: date, read_day: ReadDay) -> Stretch | DateError | None:
    """The days that words of one of these kinds name; None for other words."""
    if WEEKEND.fullmatch(words):
        return max(today, _sunday(today) - timedelta(days=1)), _sunday(today)
    if REST_OF_WEEK.fullmatch(words):
        return today, _sunday(today)
    for pattern in IN_WEEK:
        if (match := pattern.fullmatch(words)) and (days := WEEKDAYS_JOINED.fullmatch(match["days"])):
            return _in_week(_sunday(today) + (timedelta() if match["week"] == "this" else WEEK), days)
    for pattern in FROM_A_DAY:
        if (match := pattern.fullmatch(words)) and match["day"] != "for":
            first = read_day(match["day"])
            return first if isinstance(first, DateError) else (first, first + _length(match) - timedelta(days=1))
    return None


def vague_stretch(words: str, today: date) -> Stretch | None:
    """The days that words most likely mean which name none: "next week", "two weeks"; None where nobody can say."""
    if NEXT_WEEK.fullmatch(words):
        return _sunday(today) + timedelta(days=1), _sunday(today) + WEEK
    if THIS_WEEK.fullmatch(words):
        return today, _sunday(today)
    if match := ONLY_LENGTH.fullmatch(words):
        return today, today + _length(match)
    return None


def is_vague(words: str, today: date) -> bool:
    return vague_stretch(words, today) is not None or OTHER_VAGUE.fullmatch(words) is not None


def end_of(words: str, today: date) -> date | None:
    """The last day of a week or a month: "the end of March"."""
    match = END_OF.fullmatch(words)
    if match is None:
        return None
    if match["what"] == "week":
        return _sunday(today) + (WEEK if match["which"] == "next" else timedelta())
    month = (
        number_of(match["month"], MONTHS) + 1
        if match["month"]
        else (today.month + (match["which"] == "next") - 1) % 12 + 1
    )
    first = date(today.year + (month < today.month), month, 1)
    return (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)


def _length(match: re.Match[str]) -> timedelta:
    count = NUMBERS.get(match["count"]) or int(match["count"])
    return timedelta(days=count * (7 if match["unit"].startswith("w") else 1))


def _sunday(today: date) -> date:
    return today + timedelta(days=6 - today.weekday())


def _in_week(sunday: date, days: re.Match[str]) -> Stretch:
    """Days of the week that ends on that Sunday."""
    numbers = [number_of(day, WEEKDAYS) for day in days.groups() if day]
    first, last = (sunday - timedelta(days=6 - number) for number in (numbers[0], numbers[-1]))
    return first, last if last >= first else last + WEEK
