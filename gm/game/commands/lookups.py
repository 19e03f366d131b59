"""WHO, SETTINGS, SUMMARY, a stretch of HISTORY, PRESS LOG: what a letter may ask for beside STATUS and RULES."""

from __future__ import annotations

from gm.game.session.handler import Handlers, RequestHandler
from gm.game.session.session import LetterSession
from gm.language.commands import observers as ask


def settings(sitting: LetterSession, request: ask.SettingsRequest, line: int) -> None:
    sitting.insert("settings")


def summary(sitting: LetterSession, request: ask.SummaryRequest, line: int) -> None:
    sitting.insert("summary")


def stretch(sitting: LetterSession, request: ask.HistoryRangeRequest, line: int) -> None:
    sitting.insert("history", f"{request.first}..{request.last}")


def press_log(sitting: LetterSession, request: ask.PressLogRequest, line: int) -> None:
    sitting.insert("press-log")


HANDLERS: Handlers = {
    ask.SettingsRequest: RequestHandler(settings),
    ask.SummaryRequest: RequestHandler(summary),
    ask.HistoryRangeRequest: RequestHandler(stretch),
    ask.PressLogRequest: RequestHandler(press_log),
}
