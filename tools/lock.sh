#!/bin/sh
# Pin requirements/*.in with hashes, for all supported Pythons at once.
# The files name no index: whoever installs uses the one that their pip is set up for.
set -eu
cd "$(dirname "$0")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
tools/setup_venv.sh "$scratch/venv"
"$scratch/venv/bin/python" -m pip install --quiet uv
for name in dev bench audit; do # bench is constrained by dev, so dev comes first
    "$scratch/venv/bin/uv" pip compile --quiet --no-config --upgrade --universal \
        --python-version 3.11 --generate-hashes --no-header --annotation-style line \
        --no-emit-index-url --no-emit-find-links \
        "requirements/$name.in" --output-file "requirements/$name.txt"
done
