#!/bin/sh
# Makes the test environment and runs the whole suite: style, types, tests. No root, no service needed.
# Tests that need a system package (Dovecot, PostgreSQL) say so when they skip; with GM_NO_SKIPS=1 a skip fails.
#   sh deploy/test.sh             everything
#   sh deploy/test.sh tests/game  only these tests (arguments go to pytest)
#   sh deploy/test.sh --durations [tests/game]  the slowest tests too, and the CPU seconds of each folder
set -eu
cd "$(dirname "$0")/.."
. deploy/environment.sh

# Kilobytes that files in memory may still take; 0 where programs in them could not be started.
free_in_memory() {
    [ -w /dev/shm ] && ! grep -q '^[^ ]* /dev/shm .*noexec' /proc/mounts || { echo 0; return; }
    { df -Pk /dev/shm | awk 'NR == 2 { print $4 }'; awk '/^MemAvailable/ { print $2 }' /proc/meminfo; } | sort -n | head -n 1
}

make_environment .venv-test '.[test,postgresql]'
export PATH="$PWD/.venv-test/bin:$PATH"
# Files of the tests are in memory where 4 GB are free there: a database waits for the disk with each commit.
if [ -z "${TMPDIR-}" ] && [ "$(free_in_memory)" -gt 4000000 ]; then
    export TMPDIR=/dev/shm
fi
# One worker more than cores: those that run servers wait for half of their time.
workers=$(python -c 'import os; print(len(os.sched_getaffinity(0)) + 1)')
if [ $# -eq 0 ]; then
    ruff check .
    ruff format --check .
    # Types are checked beside the tests, and what mypy says stands below theirs.
    types=$(mktemp)
    mypy >"$types" 2>&1 &
    mypy=$!
    trap 'kill "$mypy" 2>/dev/null || true; rm -f "$types"' EXIT
    trap 'exit 130' INT TERM
    result=0
    python -m pytest -q --durations=10 --workers "$workers" || result=$?
    wait "$mypy" || result=1
    cat "$types"
    exit "$result"
fi
if [ "$1" = --durations ]; then # pytest's own option takes a number
    case "${2-}" in
        '' | *[!0-9]*)
            shift
            [ $# -gt 0 ] || set -- --workers "$workers"
            set -- -q --durations=10 "$@"
            ;;
    esac
fi
exec python -m pytest "$@"
