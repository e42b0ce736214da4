import { fromBaseUnits, toBaseUnits } from '../custody/objects/amount';
import { shown } from '../orders/input/shown';
import { finest } from '../orders/payout/tally';
import { coinOf } from './coinOf';
import { linesDigest } from './digest';
import { isAlike, tellEarlier, tellOther } from './earlierPayouts';
import { isRecent, type Known, likeness, paymentKeys } from './gather';
import { isBurnt, isTokenContract } from './lostTo';
import { type CheckedPayment, plainName } from './payment';

/** The knowledge that a check needs. Without it, the check is left out, and that is told. */
type Needs = 'nothing' | 'book' | 'history' | 'either' | 'wallets';

/** A line, and what it is compared with. */
type Beside = { known: Known; earlier: ReadonlyMap<string, CheckedPayment> };

/** The part of an order that a check compares. A writer is given one payment at a time. */
type Sees = 'payment' | 'name' | 'order';

/** One check: its question, and the words of what it finds. */
export type Check = {
  sees: Sees;
  /** The finding as a person reads it before its lines. */
  finds: string;
  needs: Needs;
  /** The rest of a sentence about one line. */
  line?: (payment: CheckedPayment, beside: Beside) => string | undefined;
  /** Sentences about the whole order. */
  order?: (payments: readonly CheckedPayment[], known: Known) => string[];
};

/** An amount is far from earlier ones if it is so many times as much, or as little. */
const farTimes = 5n;
/** A payee is usual after this many payments, and a kind of payout after this many runs. */
const usualAfter = 3;
/** A total is far from those of earlier payouts if it is so many times as much, or as little. */
const farTotalTimes = 3n;
/** Earlier payouts of the same kind that a total is compared with. */
const runsCounted = 6;

const plain = (units: bigint): string => fromBaseUnits(units, finest);

/** All checks, by the names that policies use. */
export const checks = {
  twice: {
    sees: 'order',
    finds: 'lines that differ only in their ids',
    needs: 'nothing',
    line: ({ to, amount, token }, { earlier }) => {
      const other = earlier.get(likeness({ to, amount, token }));
      if (other === undefined || coinsDiffer(other, token)) return undefined;
      return `pays ${amount} ${token} to ${to}, as ${shown(other.lineId)} does`;
    },
  },
  otherFace: {
    sees: 'order',
    finds: 'amounts that another face of the same coin pays too',
    needs: 'nothing',
    line: ({ to, amount, token }, { earlier }) => {
      const other = earlier.get(likeness({ to, amount, token }));
      if (other === undefined || !coinsDiffer(other, token)) return undefined;
      const same = `${token} and ${other.token} are one coin`;
      const line = `the line ${shown(other.lineId)} does in ${other.token}`;
      return `pays ${amount} ${token} to ${to}, as ${line}: ${same}`;
    },
  },
  newPayee: {
    sees: 'payment',
    finds: 'payees that were never paid, and that are not in the address book',
    needs: 'history',
    line: ({ to }, { known }) => {
      if (known.payee(to).times > 0 || known.book.nameOf(to) !== undefined) return undefined;
      return `pays ${to}, which was never paid before`;
    },
  },
  lookAlike: {
    sees: 'payment',
    finds: 'addresses that look like another one',
    needs: 'nothing',
    line: ({ to }, { known }) => {
      if (known.book.nameOf(to) !== undefined) return undefined;
      const { times, like: alike } = known.payee(to);
      const [like] = alike;
      if (like === undefined || times >= usualAfter) return undefined;
      return `pays ${to}, which looks like ${like}${named(like, known)}. Compare every digit`;
    },
  },
  otherAddress: {
    sees: 'name',
    finds: 'known names with another address',
    needs: 'either',
    line: ({ to, name }, { known }) => {
      if (name === undefined) return undefined;
      const inBook = known.book.addressesOf(name);
      const before = inBook.length > 0 ? inBook : [...known.paidAs(name)];
      const [other] = before;
      if (other === undefined || before.includes(to)) return undefined;
      const where = inBook.length > 0 ? 'is in the address book with' : 'was paid at';
      return `pays ${shown(name)} at ${to}, who ${where} ${other}`;
    },
  },
  otherName: {
    sees: 'name',
    finds: 'known addresses with another name',
    needs: 'either',
    line: ({ to, name }, { known }) => {
      if (name === undefined) return undefined;
      const inBook = known.book.nameOf(to);
      const names = inBook ? [inBook] : [...known.payee(to).names.values()];
      const other = names.at(-1);
      if (other === undefined || names.some((one) => plainName(one) === plainName(name))) {
        return undefined;
      }
      const where = inBook ? 'the address book has as' : 'was paid as';
      return `calls ${to} ${shown(name)}, which ${where} ${shown(other)}`;
    },
  },
  paidBefore: {
    sees: 'payment',
    finds: 'payees that got the same amount a short time ago, or in an order that runs',
    needs: 'history',
    line: ({ to, amount, token, exchange }, { known }) => {
      const { same } = known.payee(to);
      const keys = paymentKeys({ amount, coin: coinOf(token), exchange });
      const before = keys.map((key) => same.get(key)).find((one) => one !== undefined);
      if (before === undefined) return undefined;
      const asked = exchange === undefined ? '' : ` (${exchange.amount} ${exchange.currency})`;
      return `pays ${amount} ${token}${asked} to ${to}, as in ${tellEarlier(before, known)}`;
    },
  },
  otherPayout: {
    sees: 'order',
    finds: 'lines that another payout has',
    needs: 'history',
    order: (payments, known) => {
      // A message that is sent again is told of at any age: its ids are its sender's for ever.
      const runs = known.runs.filter((run) => run.sentAgain > 0 || isRecent(run, known));
      if (runs.length === 0) return [];
      const lines = { payments, digest: linesDigest(payments) };
      return runs.flatMap((run) => tellOther(run, lines, known));
    },
  },
  farTotal: {
    sees: 'order',
    finds: 'totals that are far from those of earlier payouts to the same payees',
    needs: 'history',
    order: (payments, known) => {
      const runs = known.runs.filter((run) => isAlike(run, payments)).slice(-runsCounted);
      if (runs.length < usualAfter) return [];
      return [...totalsOf(payments)].flatMap(([coin, total]) => {
        const earlier = runs.map(({ totals }) => totals.get(coin) ?? 0n);
        const [least, most] = extremesOf(earlier);
        if (total <= most * farTotalTimes && total * farTotalTimes >= least) return [];
        const sums = least === most ? `${plain(most)} each` : `${plain(least)} to ${plain(most)}`;
        return [
          `The lines come to ${plain(total)} ${coin}. The last ${runs.length} payouts came to ${sums}.`,
        ];
      });
    },
  },
  farAmount: {
    sees: 'payment',
    finds: 'amounts that are far from what the payee got before',
    needs: 'history',
    line: ({ to, amount, token }, { known }) => {
      const earlier = known.payee(to).amounts.get(coinOf(token));
      if (earlier === undefined || earlier.times < usualAfter) return undefined;
      const units = toBaseUnits(amount, finest);
      const { least, most, times } = earlier;
      if (units <= most * farTimes && units * farTimes >= least) return undefined;
      const before = least === most ? plain(most) : `${plain(least)} to ${plain(most)}`;
      return `pays ${amount} ${token} to ${to}, which got ${before} in ${times} payments`;
    },
  },
  tokenContract: {
    sees: 'payment',
    finds: 'contracts of tokens, where money is lost',
    needs: 'nothing',
    line: ({ to }) => (isTokenContract(to) ? `pays ${to}, the contract of a token` : undefined),
  },
  ownWallet: {
    sees: 'payment',
    finds: "wallets of one's own",
    needs: 'wallets',
    line: ({ to }, { known }) =>
      known.wallets.has(to) ? `pays ${to}, a wallet of this account` : undefined,
  },
  burn: {
    sees: 'payment',
    finds: 'addresses that nobody has a key of',
    needs: 'nothing',
    line: ({ to }) => (isBurnt(to) ? `pays ${to}, of which nobody has the key` : undefined),
  },
} satisfies Record<string, Check>;

export type CheckId = keyof typeof checks;

function coinsDiffer(other: CheckedPayment, token: string): boolean {
  return other.token !== token && coinOf(other.token) === coinOf(token);
}

function named(address: string, { book, payee, wallets }: Known): string {
  const name = book.nameOf(address) ?? [...payee(address).names.values()].at(-1);
  if (name) return `, ${shown(name)}`;
  return wallets.has(address) ? ', a wallet of this account' : '';
}

function totalsOf(payments: readonly CheckedPayment[]): Map<string, bigint> {
  const totals = new Map<string, bigint>();
  for (const { amount, token } of payments) {
    const coin = coinOf(token);
    totals.set(coin, (totals.get(coin) ?? 0n) + toBaseUnits(amount, finest));
  }
  return totals;
}

function extremesOf(amounts: readonly bigint[]): [least: bigint, most: bigint] {
  const sorted = [...amounts].sort((one, other) => (one < other ? -1 : one > other ? 1 : 0));
  return [sorted[0] ?? 0n, sorted.at(-1) ?? 0n];
}
