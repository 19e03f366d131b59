"""Logs, health, figures and alarms of the running server."""
