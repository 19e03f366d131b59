"""Fuzzing what strangers write: bytes into letters, words into orders and requests."""
