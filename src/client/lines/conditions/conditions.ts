import { networkNamed } from '../../../config';
import { networks } from '../../../custody/networks/networks';
import { isCurrency } from '../../../orders/exchange/exchange';
import { shown } from '../../../orders/input/shown';
import { dueFault } from './dueFault';

/** Columns that say where or when a line is to be paid. They are checked, and not kept. */
export const conditionFields = ['network', 'date'] as const;
export type Condition = (typeof conditionFields)[number];

const times = 'date|day|time|on|at|after';
const doings =
  'pay|payment|payout|payroll|transfer|(requested)?execution|schedule|value|send|release|start|' +
  'settlement|effective|planned|requested|vesting|unlock';

/** Names of columns without spaces, _ and -. */
const forms: Readonly<Record<Condition, RegExp>> = {
  network: /(chain|network)(id|name)?$/,
  // "Payment for" is a purpose, and "Scheduled for" is a day.
  date: new RegExp(
    `^(date|notbefore|(due|scheduled)(${times}|for)?|(${doings})(${times})|` +
      '(schedule|planned|requested)for)$',
  ),
};

/** The condition that the name of a column means. Undefined for any other column. */
export function conditionOf(plain: string): Condition | undefined {
  return conditionFields.find((field) => forms[field].test(plain));
}

/** The fault of a line that is to be paid elsewhere or later. */
export function conditionFault(field: Condition, value: unknown): string | undefined {
  const text = String(value).trim();
  if (field === 'network') return isHere(text) ? undefined : `${shown(value)} ${elsewhere}`;
  const fault = dueFault(text.replace(/^(\d{4}-\d\d-\d\d) (?=\d)/, '$1T'));
  return fault && `${shown(value)} ${fault} ${sooner}`;
}

const sooner = 'If all may be paid before, have the column ignored with --ignore.';

/** The network of this environment. A payout's workers refuse it on another one. */
const here = networkNamed();

/** True for a name of that network: in full, without "-TESTNET", or its number. */
function isHere(text: string): boolean {
  const plain = here.toLowerCase();
  const number = networks[here]?.chainId;
  return [plain.replaceAll('-', ''), plain.replace('-testnet', ''), String(number)].includes(
    text
      .toLowerCase()
      .replace(/^eip155:/, '')
      .replace(/[\s_-]/g, ''),
  );
}

const elsewhere =
  `is another chain: lines are paid on ${here} alone (CUSTODY_BLOCKCHAIN). ` +
  'Take the line out of this file.';

/** Words in the names of columns that somebody had better not leave alone. */
const risks = [
  {
    words: [
      ...['paid', 'ispaid', 'unpaid', 'sent', 'settled', 'done', 'confirmed', 'processed'],
      ...['completed', 'complete', 'executed', 'status', 'state', 'outcome', 'result', 'hash'],
      ...['transaction', 'tx', 'txn', 'txhash', 'txid', 'pending', 'active', 'disabled', 'void'],
      ...['cancelled', 'canceled', 'rejected', 'approved', 'approval', 'hold', 'onhold', 'skip'],
      ...['frequency', 'recurrence', 'deadline', 'expiry', 'expires', 'until', 'schedule'],
    ],
    fault:
      'may say that lines are paid already, or are not to be paid now. Leave only the lines that ' +
      'are to be paid now. Then',
  },
  {
    words: [
      ...['decimals', 'unit', 'units', 'denomination', 'rate', 'multiplier', 'fee', 'fees'],
      ...['tax', 'discount', 'net', 'gross', 'quantity', 'qty', 'currency', 'ccy', 'curr'],
    ],
    fault:
      'may change what the amounts mean. See that they are what is to be paid, in the ' +
      "token's own units. Only then",
  },
] as const;

/** The reason why a column is not left alone lightly. Undefined for any other column. */
export function riskOf(column: string): string | undefined {
  const own = wordsIn(column).map((word) => word.toLowerCase());
  return risks.find(({ words }) => words.some((word) => own.includes(word)))?.fault;
}

const signs = new Map([
  ['€', 'EUR'],
  ['$', 'USD'],
  ['£', 'GBP'],
  ['¥', 'JPY'],
]);

/** The currency that the name of a column says, such as "Amount (EUR)". */
export function codeIn(column: string): string | undefined {
  const sign = [...signs].find(([one]) => column.includes(one))?.[1];
  return (
    sign ??
    wordsIn(column.trim())
      .map((word) => word.toUpperCase())
      .find(isCurrency)
  );
}

function wordsIn(column: string): string[] {
  return column.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/);
}
