"""The commands that need no server: `gm adjudicate`, `read`, `map`, `check`, `publish`."""
