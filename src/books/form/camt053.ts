import { counted } from '../../orders/progress/doing';
import type { Period } from '../chain/period';
import type { StatementRow } from '../statement';
import { accountIdOf, digestOf } from './accountId';
import { isProven, sortByAccount } from './byAccount';
import { entryOf, roundingOf } from './camtEntry';
import {
  type CamtForm,
  camtDigitsMax,
  currencyOf,
  cutUnits,
  digitsIn,
  idElement,
  places,
  proxyElements,
  signed,
} from './camtParts';
import { createEntryIds } from './entryIds';
import { cut, element } from './xml';

/**
 * The view for programs of banks: camt.053, a statement for each wallet and token. The schema
 * allows five decimals and 34 characters for an account. So amounts are cut to five decimals, and
 * the account has a short id. What cutting loses stands in an entry of its own.
 */
export async function* inCamt053(
  rows: AsyncIterable<StatementRow>,
  { period, nowMs = Date.now(), ...form }: CamtForm & { period: Period; nowMs?: number },
): AsyncGenerator<string, void> {
  const accounts = await sortByAccount(rows);
  try {
    yield '<?xml version="1.0" encoding="UTF-8"?>\n';
    yield `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.${form.version}">\n`;
    yield '<BkToCstmrStmt>\n';
    // A period without an end goes to now.
    const asked = { fromMs: period.fromMs, untilMs: Math.min(period.untilMs, nowMs) };
    // Not the time of day: the statement of a period that is over is the same each time.
    const created = isoTime(asked.untilMs);
    const of = [asked.fromMs, asked.untilMs, accounts.rows, ...accounts.names];
    const id = digestOf(JSON.stringify(of)).slice(0, 32);
    const some = accounts.names.filter((name) => isExpressible(() => accounts.rowsOf(name)));
    const left = accounts.names.length - some.length;
    const header = [element('MsgId', id), element('CreDtTm', created)];
    const words = `Left out: ${counted(left, 'account')} of a token that has no room here.`;
    yield `${element('GrpHdr', left === 0 ? header : [...header, element('AddtlInf', words)])}\n`;
    for (const name of some) {
      // The schema has both balances before the entries.
      const closing = accounts.closingOf(name);
      yield* statementOf(accounts.rowsOf(name), closing, { ...form, created, asked });
    }
    yield '</BkToCstmrStmt>\n</Document>\n';
  } finally {
    accounts.close();
  }
}

/**
 * True if the schema has room for an account. An account of a listed token always counts, and is
 * refused later if it has none. Anybody can send any number of any other token, or one that proves
 * nothing.
 */
function isExpressible(rowsOf: () => Iterable<StatementRow>): boolean {
  if (!isProven(rowsOf())) return false;
  for (const { contract, balanceBaseUnits = '0', baseUnits = '0', decimals } of rowsOf()) {
    if (contract === undefined) return true;
    const most = [baseUnits, balanceBaseUnits].map((units) => cutUnits(units, decimals));
    if (most.some((units) => digitsIn(units) > camtDigitsMax)) return false;
  }
  return true;
}

/** The form, the time at which the document was made, and the period that was asked for. */
type Made = CamtForm & { created: string; asked: Period };

function* statementOf(
  rows: Iterable<StatementRow>,
  closing: StatementRow,
  made: Made,
): Generator<string> {
  const idOf = createEntryIds();
  let opening = closing;
  let rest = 0n;
  for (const row of rows) {
    if (row.row === 'opening') {
      opening = row;
      rest = cutUnits(row.balanceBaseUnits ?? '0', row.decimals);
      yield headOf(row, closing, made);
    }
    if (row.row === 'in' || row.row === 'out' || row.row === 'fee') {
      const units = cutUnits(row.baseUnits ?? '0', row.decimals);
      const change = row.row === 'in' ? units : -units;
      rest += change;
      yield `${entryOf(row, { id: idOf(row), units: change }, made)}\n`;
    }
  }
  const left = cutUnits(closing.balanceBaseUnits ?? '0', closing.decimals) - rest;
  if (left !== 0n) {
    const place = `rounding ${accountOf(closing, made)} ${opening.block} ${closing.block}`;
    const id = digestOf(place).slice(0, 32);
    yield `${roundingOf(closing, { id, units: left }, made)}\n`;
  }
  const words =
    `Derived from the chain. Amounts are cut to ${places} decimals. The exact ones stand in each ` +
    `entry, and in JSON Lines. The token is ${closing.token}.`;
  yield element('AddtlStmtInf', cut(words, 500));
  yield '</Stmt>\n';
}

function accountOf(row: StatementRow, { blockchain }: CamtForm): string {
  return accountIdOf({ ...row, holder: row.wallet, blockchain });
}

function headOf(opening: StatementRow, closing: StatementRow, made: Made): string {
  const { created, asked } = made;
  const period = [
    element('FrDtTm', isoTime(asked.fromMs)),
    element('ToDtTm', isoTime(asked.untilMs)),
  ];
  const id = digestOf(`${accountOf(opening, made)} ${opening.block} ${closing.block}`);
  const parts = [
    element('Id', id.slice(0, 32)),
    element('CreDtTm', created),
    element('FrToDt', period),
    accountElement(opening, made),
    balanceOf('OPBD', opening, made),
    balanceOf('CLBD', closing, made),
  ];
  return `<Stmt>${parts.join('')}\n`;
}

function accountElement(row: StatementRow, form: CamtForm): string {
  const { wallet, token, walletId } = row;
  return element('Acct', [
    idElement(row, wallet, form),
    element('Tp', [element('Prtry', cut(token, 35))]),
    element('Ccy', currencyOf(row, form)),
    element('Nm', cut(`wallet ${walletId}`, 70)),
    ...proxyElements(wallet, form),
    element('Ownr', [element('Nm', wallet)]),
  ]);
}

function balanceOf(code: 'OPBD' | 'CLBD', row: StatementRow, form: CamtForm): string {
  const units = cutUnits(row.balanceBaseUnits ?? '0', row.decimals);
  return element('Bal', [
    element('Tp', [element('CdOrPrtry', [element('Cd', code)])]),
    ...signed(units, currencyOf(row, form)),
    element('Dt', [element('DtTm', row.time)]),
  ]);
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
