#!/bin/sh
# Pin requirements/*.in and deploy/requirements/*.in with hashes, for all supported Pythons at once.
# The files do not name an index: each user's pip uses its own.
set -eu
cd "$(dirname "$0")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
tools/setup_venv.sh "$scratch/venv" requirements/uv.txt
# dev comes first: all but audit are constrained by it
for name in requirements/dev requirements/bench requirements/audit requirements/uv \
    requirements/wheel requirements/release requirements/docs \
    deploy/requirements/server deploy/requirements/build; do
    "$scratch/venv/bin/uv" pip compile --quiet --no-config --upgrade --universal \
        --python-version 3.11 --generate-hashes --no-header --annotation-style line \
        --no-emit-index-url --no-emit-find-links \
        "$name.in" --output-file "$name.txt"
done
