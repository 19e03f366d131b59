"""The running server and its operator's commands: threads, alarms, health, doctor, backups, set-aside letters."""
