"""The benchmark against PyPI's `diplomacy`: `sh deploy/bench.sh`, or `python -m bench` with tests/ on the path."""
