"""What an operator sees and does: faults, /healthz and /metrics, alarms, the doctor, backups, letters set aside."""
