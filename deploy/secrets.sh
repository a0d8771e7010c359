#!/bin/sh
# usage: secrets.sh new FILE               write new secrets into FILE, which must not exist yet
#        secrets.sh token FILE [SERIES]    print the token of bot workers, made from the key in FILE
#                                          and from the --token-series of the servers
set -eu
umask 077 # nobody else can read them
set -C    # never overwrite old secrets: a new key would sign everybody out

usage() {
    sed -n 's/^# //; 2,4p' "$0" >&2
    exit 2
}

fail() {
    echo "secrets.sh: $1" >&2
    exit 2
}

# The same as worker_token in src/zashiki/server/bots/worker_link.py; a test compares the two.
token() {
    made=$(printf 'zashiki worker%s' "${2:+ $2}" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$1" -binary |
        openssl base64 -A | tr '+/' '-_' | tr -d '=')
    [ ${#made} -eq 43 ] || fail "openssl does not make a token: try openssl dgst -mac HMAC by hand"
    printf '%s\n' "$made"
}

random() {
    made=$(openssl rand -hex 32) || made=''
    [ ${#made} -eq 64 ] || fail "openssl does not make a secret: try openssl rand -hex 32 by hand"
    printf '%s\n' "$made"
}

[ $# -eq 2 ] || { [ $# -eq 3 ] && [ "$1" = token ]; } || usage
command -v openssl > /dev/null || fail "expected openssl, found none: install it"
case $1 in
new)
    [ ! -e "$2" ] && [ ! -L "$2" ] || fail "$2: exists already, choose a new name"
    folder=$(dirname -- "$2")
    [ -d "$folder" ] || fail "$2: found no folder $folder: make it first"
    [ -w "$folder" ] || fail "$2: no permission to write into the folder $folder"
    key=$(random)
    password=$(random)
    token=$(token "$key")
    cat > "$2" <<END
ZASHIKI_KEY=$key
POSTGRES_PASSWORD=$password
ZASHIKI_BOTS_TOKEN=$token
PUBLIC_ORIGIN=http://localhost:8080
PUBLIC_PORT=127.0.0.1:8080
END
    ;;
token) # FILE is the key alone, as secret.key is, or has a line ZASHIKI_KEY=…, perhaps in quotes
    [ -e "$2" ] || fail "$2: expected a file with a key, found no file"
    [ ! -d "$2" ] || fail "$2: expected a file, found a folder"
    [ -r "$2" ] || fail "$2: no permission to read it"
    key=$(sed -n "s/^ZASHIKI_KEY=//; s/[[:space:]]*\$//; s/^\([\"']\)\(.*\)\1\$/\2/
        /^[0-9A-Fa-f]\{64\}\$/{p;q;}" "$2")
    [ -n "$key" ] || fail "$2: expected a key of 64 hexadecimal digits, found none"
    token "$key" "${3:-}"
    ;;
*) usage ;;
esac
