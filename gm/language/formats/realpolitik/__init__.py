"""Realpolitik's files."""
