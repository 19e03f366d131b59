# Sourced by demo.sh, test.sh and bench.sh: makes a Python environment with the project in it.

# Demo and tests start the program many times: let Python keep its bytecode, whatever the shell is set to.
unset PYTHONDONTWRITEBYTECODE

# The newest Python >= 3.11 on the PATH; an error line if there is none.
find_python() {
    for name in "${PYTHON:-}" python3.14 python3.13 python3.12 python3.11 python3 python; do
        [ -n "$name" ] || continue
        if "$name" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            echo "$name"
            return
        fi
    done
    echo "Python 3.11 or newer with venv is needed (Debian: apt install python3 python3-venv)." >&2
    return 1
}

# make_environment FOLDER WHAT: a virtual environment with WHAT installed, renewed when pyproject.toml changes.
make_environment() {
    stamp="$1/.made-from"
    if [ -x "$1/bin/python" ] && [ -f "$stamp" ] && cmp -s pyproject.toml "$stamp"; then
        return
    fi
    python=$(find_python)
    echo "Making $1 (this takes a minute the first time) …"
    [ -x "$1/bin/python" ] || "$python" -m venv "$1"
    "$1/bin/python" -m pip install --quiet --disable-pip-version-check --editable "$2"
    cp pyproject.toml "$stamp"
}
