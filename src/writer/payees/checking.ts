import { type CheckFinding, runChecks } from '../../checks/check';
import type { CheckId } from '../../checks/checks';
import { coinOf } from '../../checks/coinOf';
import type { Paid } from '../../checks/payment';
import { BookError } from '../../checks/readBook';
import type { Grounds } from '../../custody/objects/grounds';
import { shown } from '../../orders/input/shown';
import { NotUnderstood } from '../call/effects';
import type { Moneys } from '../file/money';
import type { CheckRule, Policy } from '../file/policy';
import { isAbout, plain } from '../judge';
import type { Screened } from '../screen/screening';
import type { WalletBook } from '../wallets';
import { ownBook } from './ownBook';
import type { KeptPayment, KnownPayees, PayeeMemory } from './payees';
import { type PayingWrite, paymentsOf } from './payingWrite';
import { wayOut } from './waysOut';

/** The word of a policy's checks about a write. */
type CheckedWrite = {
  /** Findings as verdicts: a match is refused, and of a review people decide. */
  verdicts: Screened[];
  checked?: Grounds['checked'];
  /** The number of payments to its payees that were known. */
  seen?: number | undefined;
};

type CheckOptions = {
  policy: Pick<Policy, 'checks'>;
  ledger: Pick<PayeeMemory, 'payees'>;
  blockchain: string;
  moneys: Moneys;
  /** The wallets of the account. */
  book: WalletBook;
  /** The file of this process's own address book. */
  bookPath?: string | undefined;
};

/**
 * Runs the checks of a policy on the payments of writes. It compares them with the writer's own
 * ledger, address book and wallets. Nothing comes from a caller.
 */
export function checkingOf(options: CheckOptions) {
  const { policy, ledger, blockchain, moneys } = options;
  const readOwn = ownBook(options.bookPath, blockchain);
  return async (write: PayingWrite, nowMs: number): Promise<CheckedWrite> => {
    const rules = policy.checks.filter((rule) => isAbout(rule, write));
    const paid = paymentsOf(write.effects);
    const [first] = paid;
    const [rule] = rules;
    if (rule === undefined || first === undefined) return { verdicts: [] };
    const book = readOwn();
    if (book instanceof BookError) {
      const away = { kind: 'unavailable', words: book.message, address: first.to, rule } as const;
      return { verdicts: [away] };
    }
    const known = await ledger.payees(paid, write.hash);
    const named = new Set(rules.flatMap(({ checks }) => [...checks.keys()]));
    const wallets = named.has('ownWallet') ? await ownAmong(paid, options.book) : [];
    const payments = paid.map(({ to, amount, money }, place) => {
      return { lineId: `${place}`, to, amount: plain(amount), token: moneys.nameOf(money) };
    });
    const facts = { book, paid: [earlierIn(known, moneys)], also: known.alike, nowMs };
    const { findings } = await runChecks({ payments, wallets }, facts);
    const own = findings.map(asBefore).filter(({ check }) => named.has(check));
    const verdicts = rules.flatMap((one) => verdictsOf(one, own, { write, paid }));
    const checked = { found: foundBy(named, own), book: book.digest };
    return { verdicts, checked, seen: known.seen };
  };
}

/** A payment that its own write makes twice is paid before, by the first of the two. */
function asBefore(finding: CheckFinding): CheckFinding {
  const { check, words } = finding;
  if (check !== 'twice' && check !== 'otherFace') return finding;
  const [paid] = words.split(', as ');
  const own = `${paid}, as another payment of the same write does`;
  return { ...finding, check: 'paidBefore', words: own };
}

/** The payees that are wallets of the account. */
async function ownAmong(payments: readonly KeptPayment[], { byAddress }: WalletBook) {
  const isOwn = async ({ to }: KeptPayment): Promise<string[]> => {
    try {
      return [(await byAddress(to)).address];
    } catch (error) {
      if (error instanceof NotUnderstood) return [];
      throw error;
    }
  };
  return (await Promise.all(payments.map(isOwn))).flat();
}

function earlierIn({ payments }: KnownPayees, moneys: Moneys): Paid[] {
  return payments.map(({ to, money, amount, orderId, atMs }) => ({
    orderId,
    lineId: '',
    isPayout: false,
    to,
    amount: plain(amount),
    coin: coinOf(moneys.nameOf(money)),
    atMs,
  }));
}

/** The verdicts of one rule, those that refuse first. */
function verdictsOf(
  rule: CheckRule,
  findings: readonly CheckFinding[],
  { write, paid }: { write: PayingWrite; paid: readonly KeptPayment[] },
): Screened[] {
  return findings.flatMap(({ check, lineId, words }): Screened[] => {
    const asksPeople = rule.checks.get(check);
    const place = Number(lineId);
    const address = paid[place]?.to;
    if (asksPeople === undefined || address === undefined) return [];
    const line = write.lineAt(place);
    const payment = line === undefined ? 'it' : `the line ${shown(line)}`;
    const found = `${payment} ${words}.`;
    const kind = asksPeople ? 'review' : 'match';
    return [
      { kind, rule, check, address, words: asksPeople ? found : `${found} ${wayOut(check, line)}` },
    ];
  });
}

function foundBy(named: ReadonlySet<CheckId>, findings: readonly CheckFinding[]) {
  return Object.fromEntries(
    [...named].map((id) => {
      const isClear = findings.every(({ check }) => check !== id);
      return [id, isClear ? 'clear' : 'review'] as const;
    }),
  );
}
