"""For all tests: no property is timed, so that a busy machine changes nothing."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("unhurried", settings(), deadline=None)
settings.load_profile("unhurried")
