"""Who changes a sheet besides its player: FORCE, proxies, planned orders."""
