"""The running server and its operator's commands: `wiring` builds it, `service` runs its threads."""
