"""WHO, SETTINGS, SUMMARY, a stretch of HISTORY, PRESS LOG: what a letter may ask for beside STATUS and RULES."""

from __future__ import annotations

from gm.game.session.handler import Handlers, RequestHandler
from gm.game.session.session import LetterSession
from gm.language.commands import observers as ask


def settings(session: LetterSession, request: ask.SettingsRequest, line: int) -> None:
    session.insert("settings")


def summary(session: LetterSession, request: ask.SummaryRequest, line: int) -> None:
    session.insert("summary")


def stretch(session: LetterSession, request: ask.HistoryRangeRequest, line: int) -> None:
    session.insert("history", f"{request.first}..{request.last}")


def press_log(session: LetterSession, request: ask.PressLogRequest, line: int) -> None:
    session.insert("press-log")


HANDLERS: Handlers = {
    ask.SettingsRequest: RequestHandler(settings),
    ask.SummaryRequest: RequestHandler(summary),
    ask.HistoryRangeRequest: RequestHandler(stretch),
    ask.PressLogRequest: RequestHandler(press_log),
}
