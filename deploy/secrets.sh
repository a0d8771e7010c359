#!/bin/sh
# usage: secrets.sh new FILE      write new secrets into FILE, which must not be there yet
#        secrets.sh token FILE    print the token for bots that follows from the key in FILE
set -eu
umask 077 # nobody else reads them
set -C    # nor are old ones lost: a new key would sign everybody out

usage() {
    sed -n 's/^# //; 2,3p' "$0" >&2
    exit 2
}

# The same as worker_token in src/zashiki/server/bots/desk.py; a test compares the two.
token() {
    printf 'zashiki worker' | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$1" -binary |
        openssl base64 -A | tr '+/' '-_' | tr -d '='
}

[ $# -eq 2 ] || usage
case $1 in
new)
    key=$(openssl rand -hex 32)
    cat > "$2" <<END
ZASHIKI_KEY=$key
POSTGRES_PASSWORD=$(openssl rand -hex 32)
ZASHIKI_BOTS_TOKEN=$(token "$key")
PUBLIC_ORIGIN=http://localhost:8080
PUBLIC_PORT=127.0.0.1:8080
END
    ;;
token) # FILE is the key alone, as secret.key is, or has a line ZASHIKI_KEY=…
    key=$(sed -n 's/^ZASHIKI_KEY=//; /^[0-9A-Fa-f]\{64\}$/{p;q;}' "$2")
    [ -n "$key" ] || { echo "secrets.sh: $2: there is no key of 64 hexadecimal digits" >&2; exit 2; }
    printf '%s\n' "$(token "$key")"
    ;;
*) usage ;;
esac
