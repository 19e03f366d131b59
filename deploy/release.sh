#!/bin/sh
# Builds a release from the last commit, checks it, and installs the wheel in a clean environment. Uploads nothing.
#   sh deploy/release.sh https://github.com/you/gm-by-mail [FOLDER]     (FOLDER: default dist)
# The address is the public repository: the package's page links to it. It needs git and a package registry.
set -eu
cd "$(dirname "$0")/.."
. deploy/environment.sh
[ $# -ge 1 ] || { sed -n '2,4s/^# \{0,1\}//p' "$0" >&2; exit 2; }
repository=${1%/} out=${2:-dist}
[ -z "$(git status --porcelain)" ] || { echo "There are changes that are not committed: commit them first." >&2; exit 1; }
if grep -q '^## .*(unreleased)' CHANGELOG.md; then
    echo "Note: CHANGELOG.md calls the newest section unreleased. Date it before you upload."
fi
mkdir -p "$out"
out=$(cd "$out" && pwd)
[ -z "$(ls -A "$out")" ] || { echo "$out holds files already: empty it, or name another folder." >&2; exit 1; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python=$(find_python)
mkdir "$work/source" "$work/empty"
git archive HEAD | tar -x -C "$work/source"
"$python" deploy/release_links.py "$work/source" "$repository"

echo "Building …"
"$python" -m venv "$work/tools"
"$work/tools/bin/python" -m pip install --quiet --disable-pip-version-check build twine
"$work/tools/bin/python" -m build --outdir "$out" "$work/source" > "$work/build.log" 2>&1 || { cat "$work/build.log" >&2; exit 1; }
"$work/tools/bin/python" -m twine check --strict "$out"/*

echo "Installing the wheel in a clean environment …"
"$python" -m venv "$work/clean"
"$work/clean/bin/python" -m pip install --quiet --disable-pip-version-check "$out"/*.whl
cd "$work/empty"
unset PYTHONPATH
"$work/clean/bin/gm-by-mail" --version
"$work/clean/bin/gm" check > /dev/null
"$work/clean/bin/gm" init --address gm@example.org --master you@example.net > /dev/null
"$work/clean/bin/gm" demo | tail -n 3
echo "The installed wheel works. An installation is $(du -sm "$work/clean" | cut -f1) MB large, pip included."
cd "$out" && sha256sum ./*
echo "To publish: git tag v$("$work/clean/bin/python" -c 'import gm; print(gm.__version__)'), push the tag, twine upload $out/*"
