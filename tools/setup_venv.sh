#!/bin/sh
# usage: setup_venv.sh VENV [REQUIREMENTS.txt | FOLDER]...
# Make a virtual environment, or use the existing one. Install requirements with their hashes,
# and projects of this repository as editable ones.
# uv installs, from the PATH or as a pinned wheel; pip does if uv cannot.
# PYTHON, if set, is the Python to use. Notes for the reader go to file descriptor 3.
set -eu
cd "$(dirname "$0")/.."
venv=$1
shift
unset PYTHONPATH PYTHONHOME                    # the caller's modules are not ours
export PIP_USER=0 PIP_REQUIRE_VIRTUALENV=0     # either would refuse what we do here
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore
{ true >&3; } 2>/dev/null || exec 3>&2

fail() {
    echo "zashiki: $*" >&2
    exit 1
}

suits() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }

version() { "$1" -c 'import sys; print(sys.version)' 2>/dev/null || true; }

find_python() {
    if [ -n "${PYTHON:-}" ]; then
        suits "$PYTHON" || fail "PYTHON=$PYTHON is not a Python 3.11 or newer."
        return
    fi
    for PYTHON in python3.14 python3.13 python3.12 python3.11 python3; do
        if suits "$PYTHON"; then return; fi
    done
    fail "Python 3.11 or newer was not found. Install it, or run make PYTHON=/path/to/python3."
}

# Ways to make the environment. Each leaves a Python into which packages can be installed.
by_uv() { command -v uv && uv venv --clear --python "$PYTHON" "$venv"; }
by_other_pip() { # the quickest way: any pip installs into an environment that has none
    "$PYTHON" -m venv --clear --without-pip "$venv" && has_pip
}
by_venv() { "$PYTHON" -m venv --clear "$venv"; }
by_virtualenv() {
    virtualenv --clear --python "$PYTHON" "$venv" || "$PYTHON" -m virtualenv --clear "$venv"
}
by_apt() { # Debian splits ensurepip from Python
    [ "$(id -u)" = 0 ] && command -v apt-get || return 1
    package=$("$PYTHON" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')
    export DEBIAN_FRONTEND=noninteractive
    apt-get install -y "$package" || { apt-get update && apt-get install -y "$package"; } || return 1
    by_venv
}

make_venv() {
    for way in by_uv by_other_pip by_venv by_virtualenv by_apt; do
        rm -rf "$venv"
        if $way && "$venv/bin/python" -c ''; then return; fi
    done
    rm -rf "$venv"
    fail "$PYTHON cannot make a virtual environment. Install its venv module (Debian: apt-get install python3-venv), virtualenv or uv."
}

# Set `pip` to a pip that installs into the environment.
has_pip() {
    for pip in "$venv/bin/python -m pip" "$PYTHON -m pip --python $venv/bin/python" \
        "pip3 --python $venv/bin/python"; do
        if $pip --version; then return; fi
    done
    return 1
}

# Set `uv`, installed into the environment if the PATH has none.
has_uv() {
    uv=$(command -v uv) || uv=$venv/bin/uv
    [ -x "$uv" ] && return
    has_pip && $pip install --quiet --require-hashes --no-deps -r requirements/uv.txt && [ -x "$uv" ]
}

# uv does not read pip's settings: tell it of pip's index and certificates, if there are any.
tell_uv_settings() {
    has_pip || return 0
    index=${PIP_INDEX_URL:-$($pip config get global.index-url 2>/dev/null)} || true
    certificates=${PIP_CERT:-$($pip config get global.cert 2>/dev/null)} || true
    if [ -n "$index" ]; then export UV_DEFAULT_INDEX="${UV_DEFAULT_INDEX:-$index}"; fi
    if [ -n "$certificates" ]; then export SSL_CERT_FILE="${SSL_CERT_FILE:-$certificates}"; fi
}

note() { # once
    if [ -z "${noted:-}" ]; then echo "$*" >&3; fi
    noted=1
}

# The files list every package, so nothing is resolved. Old versions of pip would look up an extra
# (coverage[toml]) again, find a newer version, and refuse it for its missing hash.
install() {
    if has_uv; then
        if "$uv" pip install --python "$venv/bin/python" --no-deps "$@"; then return; fi
        note "uv could not install the packages. pip installs them instead, which takes longer."
    else
        note "uv cannot be installed here. pip is used instead, which takes longer."
    fi
    has_pip || { "$venv/bin/python" -m ensurepip && has_pip; }
    $pip install --no-deps "$@"
}

find_python
if [ "$(version "$venv/bin/python")" != "$(version "$PYTHON")" ]; then make_venv; fi
tell_uv_settings
for what in "$@"; do
    shift
    case $what in
        *.txt) install --require-hashes -r "$what" ;;
        *) set -- "$@" -e "$what" ;;
    esac
done
# Without isolation: setuptools is among the requirements, and no other has to be downloaded.
if [ $# -gt 0 ]; then install --no-build-isolation "$@"; fi
