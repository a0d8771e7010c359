#!/bin/sh
# Print the path of a browser. On Debian root gets a missing one installed; elsewhere a message says
# which package to install.
#   headless   Chromium without windows, which needs a third of the processor time; else Chromium
#   chromium   Chromium with all features, notifications among them
#   firefox    Firefox
set -eu

kind=${1:-headless} install=${2:-}
case "$kind" in
    headless)
        package=chromium-headless-shell
        set -- "${ZASHIKI_BROWSER:-}" chromium-headless-shell chrome-headless-shell ;;
    chromium)
        browser=Chromium package=chromium variable=ZASHIKI_BROWSER
        set -- "${ZASHIKI_BROWSER:-}" chromium chromium-browser google-chrome google-chrome-stable ;;
    firefox)
        browser=Firefox package=firefox-esr variable=ZASHIKI_FIREFOX
        set -- "${ZASHIKI_FIREFOX:-}" firefox-esr firefox ;;
    *)
        echo "usage: tools/browser.sh [headless|chromium|firefox] [install]" >&2
        exit 2 ;;
esac

find_browser() {
    for name in "$@"; do
        if [ -n "$name" ] && command -v "$name"; then return 0; fi
    done
    return 1
}

install_package() {
    echo "Installing $package, for the tests in a browser." >&2
    export DEBIAN_FRONTEND=noninteractive
    set -- -qq -o Acquire::Retries=1 -o Acquire::http::Timeout=30 -o Acquire::https::Timeout=30
    apt-get update "$@" >&2 && apt-get install "$@" -y --no-install-recommends "$package" >&2
}

find_browser "$@" && exit 0
if [ "$install" = install ] && [ -f /etc/debian_version ] && [ "$(id -u)" = 0 ] && install_package
then
    find_browser "$@" && exit 0
fi
if [ "$kind" = headless ]; then exec "$0" chromium "$install"; fi
echo "$browser is missing: the tests in a browser need it (install it, or name it in $variable)." >&2
exit 1
