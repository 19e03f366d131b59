"""What an operator runs: `gm init`, `doctor`, `erase`, `appoint`; `gm.server.operator_commands` has the others."""
