#!/bin/sh
# Print where a browser is: Chromium, or Firefox if that is the argument. On Debian, root gets it
# installed; elsewhere it is said what is missing.
set -eu

case "${1:-chromium}" in
    chromium)
        browser=Chromium package=chromium variable=ZASHIKI_BROWSER
        set -- "${ZASHIKI_BROWSER:-}" chromium chromium-browser google-chrome google-chrome-stable ;;
    firefox)
        browser=Firefox package=firefox-esr variable=ZASHIKI_FIREFOX
        set -- "${ZASHIKI_FIREFOX:-}" firefox-esr firefox ;;
    *)
        echo "usage: tools/browser.sh [chromium|firefox]" >&2
        exit 2 ;;
esac

find_browser() {
    for name in "$@"; do
        if [ -n "$name" ] && command -v "$name"; then return 0; fi
    done
    return 1
}

find_browser "$@" && exit 0
if [ -f /etc/debian_version ] && [ "$(id -u)" = 0 ]; then
    echo "Installing $package, for the tests in a browser." >&2
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq >&2
    apt-get install -y -qq --no-install-recommends "$package" >&2
    find_browser "$@" && exit 0
fi
echo "$browser is missing: the tests in a browser need it (install it, or name it in $variable)." >&2
exit 1
