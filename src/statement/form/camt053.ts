import { createHash } from 'node:crypto';
import { isRecord } from '../../custody/isRecord';
import { counted } from '../../orders/progress/doing';
import type { Period } from '../chain/period';
import { openScratch } from '../records/scratch';
import { decimal, type StatementRow } from '../statement';
import { StatementError } from '../statementError';
import { cut, element } from './xml';

/**
 * The view for programs of banks: camt.053.001.12, a statement for each wallet and token. The
 * schema allows five decimals, three letters for a currency and 34 characters for an account. So
 * amounts are cut to five decimals, the currency is XXX with the token as the account's type, and
 * the address is the account's proxy. What cutting loses stands in an entry of its own.
 */
export async function* inCamt053(
  rows: AsyncIterable<StatementRow>,
  period: Period,
  nowMs = Date.now(),
): AsyncGenerator<string, void> {
  const scratch = openScratch();
  try {
    const { database } = scratch;
    database.exec(`CREATE TABLE rows (account TEXT, place INTEGER, doc TEXT,
      PRIMARY KEY (account, place)) WITHOUT ROWID`);
    const add = database.prepare('INSERT INTO rows VALUES (?, ?, ?)');
    let place = 0;
    for await (const row of rows) {
      place += 1;
      add.run(`${row.wallet} ${row.token}`, place, JSON.stringify(row));
    }
    yield '<?xml version="1.0" encoding="UTF-8"?>\n';
    yield '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.12">\n<BkToCstmrStmt>\n';
    const created = isoTime(nowMs);
    // A period without an end goes to now.
    const asked = { fromMs: period.fromMs, untilMs: Math.min(period.untilMs, nowMs) };
    const id = digestOf(`${nowMs} ${place}`).slice(0, 32);
    const ofAccount = 'SELECT doc FROM rows WHERE account = ? ORDER BY place';
    const forward = database.prepare(ofAccount);
    const backward = database.prepare(`${ofAccount} DESC LIMIT 1`);
    const every = database.prepare('SELECT DISTINCT account FROM rows').pluck().all();
    const accounts = every.filter((account) => isExpressible(forward.iterate(account)));
    const left = every.length - accounts.length;
    const header = [element('MsgId', id), element('CreDtTm', created)];
    const words = `Left out: ${counted(left, 'account')} of a token that has no room here.`;
    yield `${element('GrpHdr', left === 0 ? header : [...header, element('AddtlInf', words)])}\n`;
    for (const account of accounts) {
      // The schema has both balances before the entries.
      const closing = rowIn(backward.get(account));
      yield* statementOf(forward.iterate(account), closing, { created, asked });
    }
    yield '</BkToCstmrStmt>\n</Document>\n';
  } finally {
    scratch.close();
  }
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Decimals of an amount in the schema. */
const places = 5;

/** Base units cut to the decimals of the schema, in units of the last of them. */
function cutUnits(baseUnits: string, decimals: number): bigint {
  const units = BigInt(baseUnits);
  return decimals <= places
    ? units * 10n ** BigInt(places - decimals)
    : units / 10n ** BigInt(decimals - places);
}

/**
 * True if the schema has room for an account. One of a listed token always counts, and is refused
 * later if it has none. Anybody can send any number of any other token, or one that proves nothing.
 */
function isExpressible(docs: Iterable<unknown>): boolean {
  for (const doc of docs) {
    const { contract, row, balanceBaseUnits, baseUnits = '0', decimals } = rowIn(doc);
    if (contract === undefined) return true;
    const isEnd = row === 'opening' || row === 'closing';
    if (isEnd && balanceBaseUnits === undefined) return false;
    const most = [baseUnits, balanceBaseUnits ?? '0'].map((units) => cutUnits(units, decimals));
    if (most.some((units) => digitsIn(units) > digitsMax)) return false;
  }
  return true;
}

function digitsIn(units: bigint): number {
  return units.toString().replace('-', '').length;
}

function rowIn(found: unknown): StatementRow {
  if (!isRecord(found)) throw new Error('A row of a statement is gone from its database.');
  return JSON.parse(String(found.doc));
}

function* statementOf(
  docs: Iterable<unknown>,
  closing: StatementRow,
  made: Made,
): Generator<string> {
  let rest = 0n;
  for (const doc of docs) {
    const row = rowIn(doc);
    if (row.row === 'opening') {
      rest = cutUnits(row.balanceBaseUnits ?? '0', row.decimals);
      yield headOf(row, closing, made);
    }
    if (row.row === 'in' || row.row === 'out' || row.row === 'fee') {
      const units = cutUnits(row.baseUnits ?? '0', row.decimals);
      rest += row.row === 'in' ? units : -units;
      yield `${entryOf(row, units)}\n`;
    }
  }
  const left = cutUnits(closing.balanceBaseUnits ?? '0', closing.decimals) - rest;
  if (left !== 0n) yield `${roundingOf(closing, left)}\n`;
  const words =
    `Derived from the chain. Amounts are cut to ${places} decimals. The exact ones stand in each ` +
    `entry, and in JSON Lines. The token is ${closing.token}.`;
  yield element('AddtlStmtInf', cut(words, 500));
  yield '</Stmt>\n';
}

/** The time at which the document was made, and the period that was asked for. */
type Made = { created: string; asked: Period };

function headOf(opening: StatementRow, closing: StatementRow, { created, asked }: Made): string {
  const { wallet, token, contract } = opening;
  const short = contract === undefined ? token : digestOf(token).slice(0, 12);
  const id = cut(`${wallet.slice(2, 10)}-${short}-${closing.block}`, 35);
  const period = [
    element('FrDtTm', isoTime(asked.fromMs)),
    element('ToDtTm', isoTime(asked.untilMs)),
  ];
  const parts = [
    element('Id', id),
    element('CreDtTm', created),
    element('FrToDt', period),
    accountOf(opening),
    balanceOf('OPBD', opening),
    balanceOf('CLBD', closing),
  ];
  return `<Stmt>${parts.join('')}\n`;
}

function accountOf({ wallet, token, walletId }: StatementRow): string {
  const proxy = element('Prxy', [
    element('Tp', [element('Prtry', 'EVM address')]),
    element('Id', wallet),
  ]);
  const type = element('Tp', [element('Prtry', cut(token, 35))]);
  const name = element('Nm', cut(`wallet ${walletId}`, 70));
  return element('Acct', [type, element('Ccy', 'XXX'), name, proxy]);
}

function balanceOf(code: 'OPBD' | 'CLBD', row: StatementRow): string {
  const units = cutUnits(row.balanceBaseUnits ?? '0', row.decimals);
  return element('Bal', [
    element('Tp', [element('CdOrPrtry', [element('Cd', code)])]),
    ...signed(units),
    element('Dt', [element('DtTm', row.time)]),
  ]);
}

/** Digits of an amount in the schema. */
const digitsMax = 18;

function signed(units: bigint): string[] {
  if (digitsIn(units) > digitsMax) {
    throw new StatementError(
      `--format: camt053 has room for ${digitsMax} digits, and ${decimal(units, places)} has more. ` +
        'Use another format.',
    );
  }
  const amount = decimal(units < 0n ? -units : units, places);
  return [
    element('Amt', amount, { Ccy: 'XXX' }),
    element('CdtDbtInd', units < 0n ? 'DBIT' : 'CRDT'),
  ];
}

function entryOf(row: StatementRow, units: bigint): string {
  const { time, txHash = '', logIndex, counterparty } = row;
  const isIn = row.row === 'in';
  const exact = `exactly ${row.amount} ${row.token}`;
  const log = logIndex === undefined ? '' : ` log ${logIndex}`;
  const words = [`${exact}, transaction ${txHash}${log}`, row.order, row.line, row.reference];
  const party = element('Prxy', [element('Id', counterparty ?? '')]);
  const parties = element('RltdPties', [element(isIn ? 'DbtrAcct' : 'CdtrAcct', [party])]);
  const endToEnd = element('EndToEndId', cut(row.line ?? row.order ?? 'NOTPROVIDED', 35));
  const details = [element('Refs', [endToEnd]), ...(counterparty === undefined ? [] : [parties])];
  return element('Ntry', [
    ...signed(isIn ? units : -units),
    element('Sts', [element('Cd', 'BOOK')]),
    element('BookgDt', [element('DtTm', time)]),
    codeOf(row.row === 'fee' ? 'GAS' : 'TRANSFER'),
    element('NtryDtls', [element('TxDtls', details)]),
    element('AddtlNtryInf', cut(words.filter((one) => one !== undefined).join(' · '), 500)),
  ]);
}

function codeOf(code: string): string {
  return element('BkTxCd', [element('Prtry', [element('Cd', code)])]);
}

function roundingOf(row: StatementRow, units: bigint): string {
  const words = `Cut to ${places} decimals: each amount of this statement, and both balances`;
  return element('Ntry', [
    ...signed(units),
    element('Sts', [element('Cd', 'BOOK')]),
    element('BookgDt', [element('DtTm', row.time)]),
    codeOf('ROUNDING'),
    element('AddtlNtryInf', `${words}. This entry is the sum of what that left out.`),
  ]);
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
