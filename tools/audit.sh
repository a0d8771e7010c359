#!/bin/sh
# Ask the public databases whether something is known against a package that is pinned here.
# Status 1: something is. Where no database can be reached that is said, and is no failure.
set -eu
cd "$(dirname "$0")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

told() { # told WHAT REPORT: what a report of either tool says
    python3 - "$@" <<'END'
import json, pathlib, sys
what, file = sys.argv[1], pathlib.Path(sys.argv[2])
try:
    report = json.loads(file.read_text())
except (OSError, ValueError):
    report = {}
if "metadata" in report:  # of npm
    asked = report["metadata"]["dependencies"]["total"]
    known = [f"{name} ({one['severity']})" for name, one in report["vulnerabilities"].items()]
else:  # of pip-audit
    answers = [one for one in report.get("dependencies", ()) if "vulns" in one]
    asked = len(answers)
    known = [
        f"{one['name']} {one['version']} ({', '.join(fault['id'] for fault in one['vulns'])})"
        for one in answers if one["vulns"]
    ]
if not asked:
    print(f"{what}: not audited, for no database of advisories can be reached from here.")
elif not known:
    print(f"{what}: nothing is known against {asked} packages.")
else:
    print(f"{what}: something is known against {', '.join(sorted(known))}.")
sys.exit(bool(known))
END
}

status=0
if tools/setup_venv.sh "$scratch/venv" requirements/audit.txt > "$scratch/log" 2>&1; then
    for name in dev bench; do
        "$scratch/venv/bin/pip-audit" --requirement "requirements/$name.txt" --disable-pip \
            --require-hashes --progress-spinner off --format json \
            --output "$scratch/$name.json" > "$scratch/log" 2>&1 || true
        told "requirements/$name.txt" "$scratch/$name.json" || status=1
    done
else
    echo "requirements: not audited, for pip-audit cannot be installed here."
fi
npm audit --json > "$scratch/npm.json" 2> "$scratch/log" || true
told package-lock.json "$scratch/npm.json" || status=1
exit $status
