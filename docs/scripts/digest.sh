#!/bin/sh
# The digest of the lines of a payout: sh digest.sh january.csv
set -eu
export LC_ALL=C
forms=$(mktemp)
trap 'rm -f "$forms"' EXIT
# A name with a comma stands in quotes, and splits in the wrong place here.
if grep -q '"' "$1"; then echo "$1 has quotes. Use digest.py." >&2; exit 1; fi
awk -F, '
  function plain(text) { gsub(/^[ \t]+|[ \t]+$/, "", text); return text }
  function fail(text) { print "row " NR ": " text | "cat >&2"; bad = 1; exit 1 }
  NR == 1 { sub(/^\357\273\277/, "") }
  { sub(/\r$/, ""); filled = 0; for (i = 1; i <= NF; i++) if (plain($i) != "") filled = i }
  /\r/ { fail("a carriage return stands within. End rows with line feeds") }
  !filled { next }
  !width {
    for (i = width = NF; i > 0; i--) { name = plain($i); seen[name]++; column[name] = i
      if (tolower(name) ~ /currency$/) fail("a column of currencies cannot be read here") }
    split("to amount token", wanted, " ")
    for (i = 1; i <= 3; i++) if (seen[wanted[i]] != 1) fail("needs one column " wanted[i])
    next }
  { to = tolower(plain($column["to"])); amount = plain($column["amount"])
    token = plain($column["token"]); if (token ~ /^0x/) token = tolower(token)
    if (filled > width) fail("has more values than there are columns")
    if (length(to) != 42 || to !~ /^0x[0-9a-f]+$/) fail(to " is not an address")
    if (amount !~ /^(0|[1-9][0-9]*)([.][0-9]+)?$/) fail(amount " is not a plain amount")
    if (token !~ /^(USDC|EURC|native|0x[0-9a-f]+)$/) fail(token " is not a token")
    if (amount ~ /[.]/) sub(/[.]?0+$/, "", amount); lines++; print to " " amount " " token }
  END { if (!bad && !lines) fail("there are no lines"); exit bad }' <"$1" >"$forms"
sort "$forms" | sha256sum | cut -c1-32 | sed 's/..../&-/g; s/-$//'
