"""The manual page and the shell completion, made from the commands."""

from __future__ import annotations

import subprocess

import click
import pytest
from click.testing import CliRunner
from support.mail_server_fixtures import needs

from gm.__main__ import main


def page() -> str:
    done = CliRunner().invoke(main, ["man"], prog_name="gm")
    assert done.exit_code == 0, done.output
    return done.output


def test_the_page_names_every_command_and_option() -> None:
    text = page().replace("\\-", "-")
    with click.Context(main, info_name="gm") as root:
        for name in main.list_commands(root):
            command = main.commands[name]
            assert f".SS gm {name}" in text, name
            for parameter in command.params:
                assert all(option in text for option in parameter.opts if option.startswith("--")), (name, parameter)
    for section in ("NAME", "SYNOPSIS", "OPTIONS", "COMMANDS", "FILES", "ENVIRONMENT", "EXIT STATUS"):
        assert f"\n.SH {section}\n" in text
    assert ".SS gm shunted retry" in text


def test_every_line_is_a_known_macro_or_text() -> None:
    macros = (".TH ", ".SH ", ".SS ", ".TP", ".B ", ".PP")
    assert [line for line in page().splitlines() if line.startswith((".", "'")) and not line.startswith(macros)] == []
    assert "\x08" not in page(), "click's mark for text that is not wrapped"


def test_groff_has_nothing_to_say_about_the_page() -> None:
    done = subprocess.run(
        [needs("groff", "groff-base"), "-man", "-ww", "-Tutf8"],
        input=page(),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("name", ["gm", "gm-by-mail"])
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_shell_can_complete_both_names(name: str, shell: str) -> None:
    variable = f"_{name.replace('-', '_').upper()}_COMPLETE"
    script = CliRunner().invoke(main, [], prog_name=name, env={variable: f"{shell}_source"})
    assert script.exit_code == 0
    assert name in script.output
    words = {"COMP_WORDS": f"{name} doc", "COMP_CWORD": "doc" if shell == "fish" else "1"}
    done = CliRunner().invoke(main, [], prog_name=name, env={variable: f"{shell}_complete", **words})
    assert "doctor" in done.output
