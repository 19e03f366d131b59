"""The open phase: sheets, readiness, missing orders, votes."""
