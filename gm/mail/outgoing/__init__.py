"""Outgoing mail: MIME and the relay."""
