#!/bin/sh
# usage: setup_venv.sh VENV [REQUIREMENTS]
# Make a virtual environment with whatever this machine has, and install the locked requirements.
# PYTHON, if set, is the Python to use.
set -eu
venv=$1
requirements=${2:-}
unset PYTHONPATH PYTHONHOME                    # the caller's modules are not ours
export PIP_USER=0 PIP_REQUIRE_VIRTUALENV=0     # either would refuse what we do here
export PIP_DISABLE_PIP_VERSION_CHECK=1

fail() {
    echo "zashiki: $*" >&2
    exit 1
}

suits() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }

find_python() {
    if [ -n "${PYTHON:-}" ]; then
        suits "$PYTHON" || fail "PYTHON=$PYTHON is not a Python 3.11 or newer."
        return
    fi
    for PYTHON in python3.14 python3.13 python3.12 python3.11 python3; do
        if suits "$PYTHON"; then return; fi
    done
    fail "Python 3.11 or newer is needed and was not found. Install it, or say make PYTHON=/path/to/python3."
}

# Each way leaves a venv that has pip, or fails.
by_venv() { "$PYTHON" -m venv --clear "$venv"; }
by_other_pip() { # Python without ensurepip: any pip from elsewhere can install into the venv
    "$PYTHON" -m venv --clear --without-pip "$venv" || return 1
    for pip in "$PYTHON -m pip" pip3 pip; do
        if $pip --python "$venv/bin/python" install --quiet pip; then return; fi
    done
    return 1
}
by_virtualenv() {
    virtualenv --clear --python "$PYTHON" "$venv" || "$PYTHON" -m virtualenv --clear "$venv"
}
by_uv() { uv venv --clear --seed --python "$PYTHON" "$venv"; }
by_apt() { # Debian splits ensurepip from Python
    [ "$(id -u)" = 0 ] && command -v apt-get || return 1
    package=$("$PYTHON" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')
    export DEBIAN_FRONTEND=noninteractive
    apt-get install -y "$package" || { apt-get update && apt-get install -y "$package"; } || return 1
    by_venv
}

make_venv() {
    log=$(mktemp)
    for way in by_venv by_other_pip by_virtualenv by_uv by_apt; do
        rm -rf "$venv"
        if $way >>"$log" 2>&1 && "$venv/bin/python" -m pip --version >>"$log" 2>&1; then
            rm -f "$log"
            return
        fi
    done
    cat "$log" >&2
    rm -rf "$log" "$venv"
    fail "$PYTHON cannot make a virtual environment. Install its venv module (Debian: apt-get install python3-venv), virtualenv or uv."
}

find_python
echo "Setting up $venv with $("$PYTHON" --version) ..." >&2
make_venv
if [ -n "$requirements" ]; then
    "$venv/bin/python" -m pip install --quiet --require-hashes -r "$requirements"
fi
