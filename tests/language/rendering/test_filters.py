"""Templates name only filters that there are: Jinja says so no sooner than when such a line is rendered."""

from __future__ import annotations

import pytest
from jinja2 import nodes

from gm.language.rendering.templates import environment
from gm.resources import folder

TEMPLATES = environment(folder("templates"))
NAMES = TEMPLATES.list_templates(extensions=["j2"])


@pytest.mark.parametrize("name", NAMES)
def test_every_filter_is_there(name: str) -> None:
    source = (folder("templates") / name).read_text(encoding="utf-8")
    named = {node.name for node in TEMPLATES.parse(source).find_all(nodes.Filter)}
    assert named <= set(TEMPLATES.filters), name
