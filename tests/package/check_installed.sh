#!/usr/bin/env bash
# Installs into an empty folder and runs the installed programs from there: with this machine's libraries and fonts, and with
# those that the archive brings along.
#   check_installed.sh BUILD_DIR
set -u
. "$(dirname "$0")/try.sh"
scratch=$(mktemp -d) && trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/work"
cmake --install "$1" --prefix "$scratch/put here" >"$scratch/log" 2>&1 || { cat "$scratch/log"; echo "FAIL: cmake --install"; exit 1; }
try_installed "$scratch/put here" "$scratch/work" || exit 1
cmake --install "$1" --prefix "$scratch/put here" --component carried >"$scratch/log" 2>&1 || { cat "$scratch/log"; echo "FAIL: carry.py"; exit 1; }
"$(dirname "$0")/check_archive.sh" "$scratch/put here" && try_installed "$scratch/put here" "$scratch/work"
