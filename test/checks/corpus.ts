import { makeBook } from '../../src/checks/book';
import type { CheckId } from '../../src/checks/checks';
import { dayMs } from '../../src/checks/gather';
import type { CheckedPayment, Paid } from '../../src/checks/payment';
import { multicallFrom } from '../../src/custody/batch';
import { memoContract } from '../../src/custody/memo';
import { seeded } from '../support/seeded';

export const nowMs = Date.parse('2026-07-31T09:00:00Z');
export const till = `0x${'7a11'.repeat(10)}`;
const payeesMade = 30;
const runsMade = 6;

/** A file of lines, and the checks that must find something in it. An honest file has none. */
export type CorpusFile = { kind: string; payments: CheckedPayment[]; finds: CheckId[] };

const draw = seeded(49);
const digits = (count: number): string =>
  Array.from({ length: count }, () => draw(16).toString(16)).join('');
export const anyAddress = (): string => `0x${digits(40)}`;

const payees = Array.from({ length: payeesMade }, (_, at) => ({
  name: `Payee ${at}`,
  address: anyAddress(),
  salary: 1_000 + draw(4_000),
}));

export const book = makeBook(payees, 'ab'.repeat(32));

/** Six monthly runs, the last one 30 days ago. */
export const history: Paid[] = Array.from({ length: runsMade }, (_, run) =>
  payees.map(({ name, address, salary }, at): Paid => {
    const month = `2026-0${run + 1}`;
    const atMs = nowMs - (runsMade - run) * 30 * dayMs;
    const line = { lineId: `${month}.${at}`, to: address, amount: String(salary), coin: 'native' };
    return { ...line, orderId: `payout:${month}`, isPayout: true, sender: till, name, atMs };
  }),
).flat();

/** This month's file: the same people, some with a little more. */
function honest(): CheckedPayment[] {
  return payees.map(({ name, address, salary }, at) => ({
    lineId: `2026-07.${at}`,
    to: address,
    amount: String(draw(4) === 0 ? Math.round(salary * 1.05) : salary),
    token: 'USDC',
    name,
  }));
}

/** An address with as many digits of another one at each end as fit. */
function poisonedLike(address: string, first: number): string {
  const last = 7 - first + draw(2);
  const body = digits(40 - first - last);
  return `${address.slice(0, 2 + first)}${body}${address.slice(42 - last)}`;
}

/** The honest file with one line changed. */
function changed(change: (line: CheckedPayment) => Partial<CheckedPayment>): CheckedPayment[] {
  const payments = honest();
  const at = draw(payments.length);
  return payments.map((line, index) => (index === at ? { ...line, ...change(line) } : line));
}

function added(line: (from: CheckedPayment) => Partial<CheckedPayment>): CheckedPayment[] {
  const payments = honest();
  const from = payments[draw(payments.length)] ?? payments[0];
  if (from === undefined) return payments;
  return [...payments, { ...from, lineId: 'more', ...line(from) }];
}

const more = (amount: string, times: number): string => String(Math.round(Number(amount) * times));
const times = (count: number, make: (at: number) => CorpusFile): CorpusFile[] =>
  Array.from({ length: count }, (_, at) => make(at));

/** Files with one fault each, and honest ones. */
export const corpus: readonly CorpusFile[] = [
  ...times(25, () => ({ kind: 'honest', payments: honest(), finds: [] })),
  ...times(5, () => ({
    kind: 'honest, a part of the payees',
    payments: honest().slice(0, 20 + draw(10)),
    finds: [],
  })),
  ...times(5, () => ({
    kind: 'a new payee',
    payments: added(() => ({ to: anyAddress(), name: 'New Payee' })),
    finds: ['newPayee'],
  })),
  ...times(24, (at) => ({
    kind: 'poisoned',
    payments: changed(({ to }) => ({ to: poisonedLike(to, 2 + (at % 4)), name: undefined })),
    finds: ['lookAlike'],
  })),
  ...times(10, () => ({
    kind: 'renamed: a known name',
    payments: changed(() => ({ to: anyAddress() })),
    finds: ['otherAddress'],
  })),
  ...times(10, () => ({
    kind: 'renamed: a known address',
    payments: changed(() => ({ name: 'Somebody Else' })),
    finds: ['otherName'],
  })),
  ...times(10, () => ({
    kind: 'duplicated: a line',
    payments: added(() => ({})),
    finds: ['twice'],
  })),
  ...times(10, () => ({
    kind: 'duplicated: another face of the coin',
    payments: added(() => ({ token: 'native' })),
    finds: ['otherFace'],
  })),
  ...times(10, () => ({
    kind: 'a lost decimal point',
    payments: changed(({ amount }) => ({ amount: more(amount, 100) })),
    finds: ['farAmount'],
  })),
  ...times(5, () => ({
    kind: 'all amounts too large',
    payments: honest().map((line) => ({ ...line, amount: more(line.amount, 4) })),
    finds: ['farTotal'],
  })),
  ...[
    '0x000000000000000000000000000000000000dead',
    `0x${'f'.repeat(40)}`,
    `0x${'0'.repeat(38)}01`,
    '0xfffffffffffffffffffffffffffffffffffffffe',
    ...[0, 1, 2, 3, 4].map((last) => `0x18${'0'.repeat(37)}${last}`),
    ...[memoContract, multicallFrom].map((contract) => contract.toLowerCase()),
  ].map(
    (to): CorpusFile => ({
      kind: 'burnt',
      payments: changed(() => ({ to, name: undefined })),
      finds: ['burn'],
    }),
  ),
  ...times(3, () => ({
    kind: 'the contract of a token',
    payments: changed(() => ({
      to: '0x89b50855aa3be2f677cd6303cec089b5f319d72a',
      name: undefined,
    })),
    finds: ['tokenContract'],
  })),
  ...times(3, () => ({
    kind: "a wallet of one's own",
    payments: changed(() => ({ to: till, name: undefined })),
    finds: ['ownWallet'],
  })),
];

/** The same lines as a payout that was made so many days ago, or that runs. */
export function asPaid(payments: readonly CheckedPayment[], daysAgo: number | undefined): Paid[] {
  return payments.map(({ token: _, ...line }) => ({
    ...line,
    coin: 'native',
    orderId: 'payout:before',
    isPayout: true,
    sender: till,
    atMs: daysAgo === undefined ? undefined : nowMs - daysAgo * dayMs,
  }));
}
