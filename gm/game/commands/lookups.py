"""WHO, SETTINGS, SUMMARY, a stretch of HISTORY, PRESS LOG: what a letter may ask for beside STATUS and RULES."""

from __future__ import annotations

from gm.game.session.handler import Handler, Handlers
from gm.game.session.session import Sitting
from gm.language.commands import observers as ask


def settings(sitting: Sitting, request: ask.Settings, line: int) -> None:
    sitting.insert("settings")


def summary(sitting: Sitting, request: ask.Summary, line: int) -> None:
    sitting.insert("summary")


def stretch(sitting: Sitting, request: ask.HistoryRange, line: int) -> None:
    sitting.insert("history", f"{request.first}..{request.last}")


def press_log(sitting: Sitting, request: ask.PressLog, line: int) -> None:
    sitting.insert("press-log")


HANDLERS: Handlers = {
    ask.Settings: Handler(settings),
    ask.Summary: Handler(summary),
    ask.HistoryRange: Handler(stretch),
    ask.PressLog: Handler(press_log),
}
