"""The steps of a calendar other than movement."""
