"""The movement phase: legality, adjudication, causes."""
