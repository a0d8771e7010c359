#!/bin/sh
# Print where Chromium is. On Debian, root gets it installed; elsewhere it is said what is missing.
set -eu

find_browser() {
    for name in "${ZASHIKI_BROWSER:-}" chromium chromium-browser google-chrome google-chrome-stable; do
        if [ -n "$name" ] && command -v "$name"; then return 0; fi
    done
    return 1
}

find_browser && exit 0
if [ -f /etc/debian_version ] && [ "$(id -u)" = 0 ]; then
    echo "Installing chromium, for the tests in a browser." >&2
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq >&2
    apt-get install -y -qq --no-install-recommends chromium >&2
    find_browser && exit 0
fi
echo "Chromium is missing: the tests in a browser need it (install it, or name it in ZASHIKI_BROWSER)." >&2
exit 1
