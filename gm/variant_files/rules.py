"""Runs rules.py of a variant's folder, which adds what TOML can't express. It may import `gm.judge` only.

Its function `rules(options)` takes the settings' values by key and returns a `gm.judge.model.variant.Rules`.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType

from gm.judge.model.variant import Rules
from gm.variant_files.toml_source import VariantError

FILE = "rules.py"
READONLY = "readonly attribute"
"""Python's error for a dataclass that extends a Struct."""
DATACLASS = (
    "what extends a class of gm.judge is no dataclass but a Struct as that is: class Mine(MovementStep, frozen=True)"
)
ENDED = "ends the program (sys.exit); rules(options) gives a Rules, or raises what is wrong"


def read_rules(home: Path, options: Mapping[str, str]) -> Rules | None:
    """None where the folder has no such file. The code runs with all rights of the operator."""
    path = home / FILE
    if not path.is_file():
        return None
    name = f"gm_variant_{home.name}"
    module = ModuleType(name)
    module.__file__ = str(path)
    sys.modules[name] = module
    try:
        exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), module.__dict__)
        rules = module.rules(options)
    except (Exception, SystemExit) as error:
        line = _line(error, path)
        message = _message(error)
        raise VariantError(f"{path}{f':{line}' if line else ''}: {message.splitlines()[0]}") from error
    if not isinstance(rules, Rules) or not rules.calendar:
        raise VariantError(f"{path}: rules(options) must give a Rules with a calendar")
    from gm.language.formats.stored_values import register

    for statement in rules.statements:
        try:
            register(statement)
        except ValueError as error:
            raise VariantError(f"{path}: {error}") from None
    return rules


def _message(error: BaseException) -> str:
    if isinstance(error, SystemExit):
        return ENDED
    return DATACLASS if str(error) == READONLY else str(error) or type(error).__name__


def _line(error: BaseException, path: Path) -> int:
    """The line of the file where the error arose, 0 if unknown."""
    if isinstance(error, SyntaxError):
        return error.lineno or 0
    line, trace = 0, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == str(path):
            line = trace.tb_lineno
        trace = trace.tb_next
    return line
