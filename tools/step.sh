#!/bin/sh
# usage: step.sh NUMBER LABEL COMMAND [ARGUMENT...]
# Run one step of a set-up. Print its label at once and its duration at the end:
#     1/4 Python packages … 12 s
# The total comes from STEPS; without STEPS the line has no number.
# The command's output is shown only if it fails. Notes for the reader go to file descriptor 3.
set -u
number=$1 label=$2
shift 2
[ -z "${STEPS:-}" ] || label="$number/$STEPS $label"
log=$(mktemp) notes=$(mktemp)
trap 'rm -f "$log" "$notes"' EXIT
began=$(date +%s)

seconds() { echo $(($(date +%s) - began)); }

# End the command with all its child processes, and wait for it. Without setsid (macOS),
# only the command itself can be ended.
stop() {
    kill -- "-$command" 2>/dev/null || kill "$command" 2>/dev/null
    wait "$command"
    exit "$1"
}

if command -v setsid >/dev/null; then set -- setsid "$@"; fi
"$@" >"$log" 2>&1 3>"$notes" </dev/null &
command=$!
trap 'stop 130' INT
trap 'stop 143' TERM
trap 'stop 129' HUP
printf '%s …' "$label"
if [ -t 1 ]; then # a terminal shows the seconds while they pass
    while kill -0 "$command" 2>/dev/null; do
        printf '\r%s … %s s' "$label" "$(seconds)"
        sleep 0.5
    done
    printf '\r%s …' "$label"
fi
wait "$command"
status=$?
if [ "$status" -eq 0 ]; then
    printf ' %s s\n' "$(seconds)"
    sed 's/^/    /' "$notes"
else
    printf ' failed after %s s\n' "$(seconds)"
    cat "$notes" "$log" >&2
fi
exit "$status"
