#!/usr/bin/env bash
# Prints what CHANGELOG.md says of a version, as in `release-notes.sh 1.2.3`; fails when it says nothing.
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
