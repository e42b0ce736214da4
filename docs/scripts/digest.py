#!/usr/bin/env python3
"""The digest of the lines of a payout: python3 digest.py january.csv"""
import csv
import hashlib
import re
import sys

with open(sys.argv[1], encoding="utf-8-sig", newline="") as file:
    rows = list(csv.DictReader(file))

lines = []
for number, row in enumerate(rows, start=2):
    to, amount, token = (row[name].strip() for name in ("to", "amount", "token"))
    if not re.fullmatch(r"0x[0-9a-fA-F]{40}", to):
        sys.exit(f"row {number}: {to} is not an address")
    if not re.fullmatch(r"(0|[1-9][0-9]*)(\.[0-9]+)?", amount):
        sys.exit(f"row {number}: {amount} is not a plain amount such as 12.50")
    if "." in amount:
        amount = amount.rstrip("0").rstrip(".")
    if token.startswith("0x"):
        token = token.lower()
    lines.append(f"{to.lower()} {amount} {token}\n".encode())

digest = hashlib.sha256(b"".join(sorted(lines))).hexdigest()[:32]
print("-".join(re.findall("....", digest)))
