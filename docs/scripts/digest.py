#!/usr/bin/env python3
"""The digest of the lines of a payout: python3 digest.py january.csv"""
import csv, hashlib, re, sys

with open(sys.argv[1], encoding="utf-8-sig", errors="replace", newline="") as file:
    text = file.read().replace("\r\n", "\n")
if "\r" in text:
    sys.exit("A carriage return stands within a row. End rows with line feeds.")
table = ([cell.strip(" \t") for cell in row] for row in csv.reader(text.split("\n")))
(_, header), *rows = [(at, row) for at, row in enumerate(table, 1) if any(row)] or [(1, [])]
if any(name.lower().endswith("currency") for name in header):
    sys.exit("A column of currencies cannot be read here.")
for name in ("to", "amount", "token"):
    if header.count(name) != 1:
        sys.exit(f"The header needs one column {name}.")
lines = []
for number, row in rows:
    if any(row[len(header):]):
        sys.exit(f"row {number}: has more values than there are columns")
    cells = dict(zip(header, row))
    to, amount, token = (cells.get(name, "") for name in ("to", "amount", "token"))
    for value, form, kind in ((to, "0x[0-9a-fA-F]{40}", "an address"),
                              (amount, r"(0|[1-9][0-9]*)(\.[0-9]+)?", "a plain amount"),
                              (token, "USDC|EURC|native|0x[0-9a-fA-F]{40}", "a token")):
        if not re.fullmatch(form, value):
            sys.exit(f"row {number}: {value} is not {kind}")
    amount = re.sub(r"(\.[0-9]*?)0+$", r"\1", amount).rstrip(".")
    lines.append(f"{to.lower()} {amount} {token.lower() if token[0] == '0' else token}\n".encode())
digest = hashlib.sha256(b"".join(sorted(lines))).hexdigest()[:32]
print("-".join(re.findall("....", digest)) if lines else sys.exit("There are no lines."))
