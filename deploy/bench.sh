#!/bin/sh
# Measures gm against PyPI's diplomacy on the same random phases, in its own environment, and prints a table.
#   sh deploy/bench.sh                            2,000 phases, five rounds: about five minutes
#   sh deploy/bench.sh --phases 300 --rounds 1    a quick look
#   sh deploy/bench.sh --pictures                  how fast maps are drawn, without the comparison
#   sh deploy/bench.sh --redrawing [--jobs 4]      are moved borders drawn soundly: 228 separations, 2,000 games of 20 events
#   sh deploy/bench.sh --load                      thousands of letters and deadlines, compared with the machine's own limits
#   sh deploy/bench.sh --nodes 1,2,4 [--games 10000]  letters and deadlines of several nodes on one PostgreSQL
#   sh deploy/bench.sh --punctual [--games 1000]   many games due at once: do letters leave in time, with their maps?
set -eu
cd "$(dirname "$0")/.."
. deploy/environment.sh
if [ "${1:-}" = --nodes ]; then
  make_environment .venv-test '.[test,postgresql]'
  cd tests
  exec ../.venv-test/bin/python -W ignore -m bench.load "$@"
fi
make_environment .venv-bench '.'
case "${1:-}" in
--pictures | --redrawing | --load | --punctual)
  bench="bench.${1#--}"
  shift
  cd tests
  exec ../.venv-bench/bin/python -W ignore -m "$bench" "$@"
  ;;
esac
.venv-bench/bin/python -m pip install --quiet --disable-pip-version-check 'diplomacy==1.1.2'
cd tests
../.venv-bench/bin/python -W ignore -m bench.quakes
exec ../.venv-bench/bin/python -W ignore -m bench "$@"
