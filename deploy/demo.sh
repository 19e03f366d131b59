#!/bin/sh
# Makes .venv, installs the project and plays a game by mail on this machine: SQLite, loopback SMTP, nothing remote.
# The letters are in demo-mail/ afterwards. Arguments go to `gm demo` (see `gm demo --help`).
set -eu
cd "$(dirname "$0")/.."
. deploy/environment.sh
make_environment .venv .
exec .venv/bin/gm demo "$@"
