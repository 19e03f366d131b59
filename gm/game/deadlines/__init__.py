"""Absences, extensions, pauses, outages: what moves a deadline."""
