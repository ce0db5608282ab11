#!/usr/bin/env bash
# Prints the notes of a version from CHANGELOG.md: `release-notes.sh 1.2.3`. Fails if there are none.
set -euo pipefail
cd "$(dirname "$0")/.."

notes="$(awk -v heading="## $1" '
  /^## / { inside = ($0 == heading || index($0, heading " ") == 1); next }
  inside { print }
' CHANGELOG.md)"
if [ -z "${notes//[[:space:]]/}" ]; then
  echo "CHANGELOG.md has no notes below \"## $1\"." >&2
  exit 1
fi
printf '%s\n' "$notes"
