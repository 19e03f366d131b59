"""Letters as people write them, played through the real intake and judged: `python -m human_letters`, in tests."""
