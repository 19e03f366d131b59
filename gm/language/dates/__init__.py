"""Dates, date ranges, schedules and time zones in words."""
