#!/bin/sh
# The digest of the lines of a payout: sh digest.sh january.csv
set -eu
export LC_ALL=C
forms=$(mktemp)
trap 'rm -f "$forms"' EXIT
# A name with a comma stands in quotes, and splits in the wrong place here.
if grep -q '"' "$1"; then echo "$1 has quotes. Use digest.py." >&2; exit 1; fi
tr -d '\r' <"$1" | sed '1s/^\xef\xbb\xbf//' | awk -F, '
  function plain(text) { gsub(/^[ \t]+|[ \t]+$/, "", text); return text }
  function fail(text) { print "row " NR ": " text | "cat >&2"; bad = 1; exit 1 }
  NR == 1 { for (i = 1; i <= NF; i++) column[plain($i)] = i; next }
  $0 == "" { next }
  {
    to = tolower(plain($column["to"])); amount = plain($column["amount"])
    token = plain($column["token"])
    if (length(to) != 42 || to !~ /^0x[0-9a-f]+$/) fail(to " is not an address")
    if (amount !~ /^(0|[1-9][0-9]*)([.][0-9]+)?$/) fail(amount " is not a plain amount")
    if (amount ~ /[.]/) sub(/[.]?0+$/, "", amount)
    if (token ~ /^0x/) token = tolower(token)
    print to " " amount " " token
  }' >"$forms"
sort "$forms" | sha256sum | cut -c1-32 | sed 's/..../&-/g; s/-$//'
