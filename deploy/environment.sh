# Sourced by demo.sh, test.sh and bench.sh: makes a Python environment with the project in it.

# Demo and tests start the program many times: let Python keep its bytecode, whatever the shell is set to.
unset PYTHONDONTWRITEBYTECODE

# Every Python on the PATH, the newest first.
pythons() (
    IFS=:
    for name in python3.14 python3.13 python3.12 python3.11 python3 python; do
        for folder in $PATH; do
            [ ! -x "$folder/$name" ] || echo "$folder/$name"
        done
    done
)

# PYTHON, or the newest Python >= 3.11 on the PATH; an error line if there is none. A program that holds the interpreter
# (Debian's) comes first: a small one that loads libpython (pyenv's may) takes a tenth more time for everything.
find_python() {
    usable='import os, sys, venv, ensurepip
small = os.path.getsize(os.path.realpath(sys.executable)) < int(sys.argv[1])
sys.exit(small or sys.version_info < (3, 11))'
    if [ -n "${PYTHON:-}" ] && "$PYTHON" -c "$usable" 0 2>/dev/null; then
        echo "$PYTHON"
        return
    fi
    for least in 1000000 0; do
        python=$(pythons | while IFS= read -r python; do
            if "$python" -c "$usable" "$least" </dev/null 2>/dev/null; then
                echo "$python"
                break
            fi
        done)
        if [ -n "$python" ]; then
            echo "$python"
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
