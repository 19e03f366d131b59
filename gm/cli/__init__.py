"""Commands without a server: `gm adjudicate`, `read`, `map`, `check`, `publish`."""
