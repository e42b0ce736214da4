import type { StatementRow } from '../statement';
import { movedInWords } from './words';

const titleEnds = /[\r\n;|]+/g;
const tagEnds = /[\r\n,]+/g;

/** Names that are remembered. A journal may declare a name again, and a payout has a million. */
const namesMax = 50_000;

/**
 * A statement as a journal of hledger. Each posting to a wallet asserts the balance after it.
 * `hledger check` proves the sums again with these. Accounts and commodities are declared before
 * their first entry, as `hledger --strict` wants them.
 */
export async function* inHledger(rows: AsyncIterable<StatementRow>): AsyncGenerator<string, void> {
  yield 'decimal-mark .\n';
  const declared = new Set<string>();
  for await (const row of rows) {
    for (const declaration of declarationsOf(row)) {
      if (declared.has(declaration)) continue;
      if (declared.size >= namesMax) declared.clear();
      declared.add(declaration);
      yield `\n${declaration}\n`;
    }
    yield entryOf(row);
  }
}

/** The names of an entry. A commodity has the decimals of its token. */
function declarationsOf(row: StatementRow): string[] {
  if (row.row === 'sponsored') return [];
  const sample = row.decimals === 0 ? '1000.' : `1000.${'0'.repeat(row.decimals)}`;
  return [
    `commodity ${sample} ${commodity(row)}`,
    `account ${walletAccount(row)}`,
    ...(row.row === 'closing' ? [] : [`account ${otherAccount(row)}`]),
    ...priceOf(row),
  ];
}

/**
 * The price of a row's currency in its token, and so exact. Programs turn it round by themselves
 * (hledger -X EUR).
 */
function priceOf(row: StatementRow): string[] {
  const { valueCurrency: currency, valueRate: rate, valueRateDay: day, value = '' } = row;
  if (currency === undefined || rate === undefined) return [];
  const places = value.split('.')[1]?.length ?? 0;
  const sample = places === 0 ? '1000.' : `1000.${'0'.repeat(places)}`;
  return [`commodity ${sample} ${currency}`, `P ${day} ${currency} ${rate} ${commodity(row)}`];
}

function entryOf(row: StatementRow): string {
  const { balance } = row;
  const token = commodity(row);
  const amount = row.amount ?? '0';
  if (row.row === 'sponsored') {
    return `\n; ${row.time} gas of ${amount} ${token} paid by ${row.counterparty}, ${row.txHash}\n`;
  }
  const isUnproven = balance === undefined && row.row !== 'in' && row.row !== 'out';
  if (isUnproven) return `\n; ${row.time} nothing proves the ${row.row} balance of ${token}\n`;
  if (row.row === 'closing') return asserted(row, '0', 'closing balance');
  if (row.row === 'opening') return asserted(row, balance ?? '0', 'opening balance');
  const change = row.row === 'in' ? amount : `-${amount}`;
  return asserted(row, change, titleOf(row));
}

const tagNames = [
  'counterpartyName',
  'order',
  'line',
  'linesDigest',
  'reference',
  'transactionId',
] as const;

function asserted(row: StatementRow, change: string, title: string): string {
  const { balance, time, block } = row;
  const token = commodity(row);
  const tags = [
    `block: ${block}`,
    ...(row.txHash === undefined ? [] : [`hash: ${row.txHash}`]),
    ...(row.logIndex === undefined ? [] : [`log: ${row.logIndex}`]),
    ...(row.value === undefined ? [] : [`value: ${row.value} ${row.valueCurrency}`]),
    ...tagNames.flatMap((name) =>
      row[name] === undefined ? [] : [`${name}: ${plain(row[name], tagEnds)}`],
    ),
  ];
  // An opening balance is assigned. It adds nothing where journals of earlier periods are included.
  const moved = row.row === 'opening' ? '' : `${change} ${token} `;
  return [
    `\n${time.slice(0, 10)} * ${title}`,
    ...tags.map((tag) => `    ; ${tag}`),
    `    ${walletAccount(row)}  ${moved}${balance === undefined ? '' : `= ${balance} ${token}`}`,
    ...(change === '0' ? [] : [`    ${otherAccount(row)}`]),
    '',
  ].join('\n');
}

function titleOf(row: StatementRow): string {
  const words = movedInWords(row);
  return row.order === undefined ? words : `${words} | ${plain(row.order, titleEnds)}`;
}

function walletAccount({ wallet }: StatementRow): string {
  return `assets:wallets:${wallet}`;
}

function otherAccount({ row, counterparty }: StatementRow): string {
  if (row === 'opening') return 'equity:opening';
  if (row === 'fee') return 'expenses:gas';
  return `parties:${counterparty ?? 'unknown'}`;
}

/** A name with a space or a digit stands in quotes. */
function commodity({ token }: StatementRow): string {
  return /^[A-Za-z]+$/.test(token) ? token : `"${token}"`;
}

/** A text of somebody else in one line, without the characters that would end it. */
function plain(text: string, ends: RegExp): string {
  return text.replace(ends, ' ').trim();
}
