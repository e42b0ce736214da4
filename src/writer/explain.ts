import { setImmediate as turn } from 'node:timers/promises';
import { canonicalJson } from '../custody/canonicalJson';
import { WithheldError } from '../custody/errors';
import { toBaseUnits } from '../custody/objects/amount';
import { BadOrderError } from '../orders/input/read';
import type { OrderWrite, Resolved } from '../orders/kind';
import { kindOf, type OrderKind, type ReadOrder } from '../orders/kinds';
import { walletOfLine } from '../orders/payout/walletOfLine';
import { creationWindow } from './call/creations';
import { type CallEffect, NotUnderstood, type PayingWallet } from './call/effects';
import { type Moneys, moneysOf } from './file/money';
import { type Policy, type PolicyMoney, policyDecimals } from './file/policy';
import { judge, plain, sumsOf } from './judge';
import type { Ledger, Window } from './ledger/ledger';
import type { checkingOf } from './payees/checking';
import { type Asks, neededOf } from './people/asks';
import { fullOf } from './people/fullWindows';
import { windowsAt, windowsOver } from './reservation';
import { reviewsOf } from './screen/reviews';
import { worstFirst } from './screen/screening';

/** The word of a process's policy about each write of an order, by its path. */
export type Explain = (
  kind: OrderKind,
  order: ReadOrder<OrderKind>,
  resolved: Resolved,
) => Promise<{ path: string; words: string }[]>;

/** A policy's word about a write that is not sent. Later: it is judged from its bytes. */
type Explained = {
  /** "<step>/<item>". */
  path: string;
  verdict: 'allowed' | 'approval' | 'waits' | 'refused' | 'later';
  /** The limits that count it. */
  rules: string[];
  words: string;
};

/** A write on paper. Its token is that of its order, unless it has one of its own. */
export type PaperWrite = OrderWrite & { token?: string | undefined };

type Paper = {
  kind: OrderKind;
  writes: readonly PaperWrite[];
  /** The person who signs the order. */
  requester: string | undefined;
  /** Tells what windows have counted. */
  ledger: Pick<Ledger, 'full' | 'usage'>;
  /** Runs the checks of the policy. Without it, they are left out. */
  checking?: ReturnType<typeof checkingOf> | undefined;
};

/**
 * Judges writes that are not sent, with the sums of windows, each after those before it. Throws a
 * BadOrderError for a token that nobody knows.
 */
export async function explainWrites(
  policy: Policy,
  blockchain: string,
  { kind, writes, requester, ledger, checking }: Paper,
): Promise<Explained[]> {
  const moneys = moneysOf(blockchain);
  const earlier = new Map<string, bigint>();
  // People decide about a payout as a whole.
  const ordered = kind === 'payout' ? sumsOf(writes.flatMap(moneyIn(moneys))) : undefined;
  const counting = { policy, ledger, checking, earlier, ordered };
  const explained: Explained[] = [];
  for (const write of writes) {
    // Anybody may ask about thousands of writes, and payments go on between them.
    await turn();
    const { path, from } = write;
    if (write.makes === 'walletSet' || write.makes === 'wallets') {
      const what = write.makes === 'walletSet' ? 'walletSets' : 'wallets';
      const fault = await ledger.full(creationWindow(policy, { what, count: 1 }));
      const words = fault === undefined ? 'allowed without a rule.' : `waits. ${fault.words}`;
      explained.push({ path, verdict: fault ? 'waits' : 'allowed', rules: [], words });
      continue;
    }
    const effects = from === undefined ? [] : moneyIn(moneys)(write);
    if (from === undefined || effects.length === 0) {
      const words = 'judged from its bytes once it is sent.';
      explained.push({ path, verdict: 'later', rules: [], words });
      continue;
    }
    const wallet = { id: from.walletId.toLowerCase(), address: from.address.toLowerCase() };
    const judged = { kinds: new Set([kind]), wallet, effects, requester, ordered };
    explained.push({ path, ...(await wordsOf(judged, counting)) });
  }
  return explained;
}

type Counting = Pick<Paper, 'ledger' | 'checking'> & {
  policy: Policy;
  /** The sums of earlier writes of the order, by window. */
  earlier: Map<string, bigint>;
  /** The sums of the whole order, where people decide on that. */
  ordered: ReadonlyMap<PolicyMoney, bigint> | undefined;
};

async function wordsOf(
  write: Parameters<typeof judge>[1] & { wallet: PayingWallet },
  counting: Counting,
): Promise<Omit<Explained, 'path'>> {
  const { policy, ledger } = counting;
  const judgement = judge(policy, write);
  if (judgement.verdict === 'refused') {
    return { verdict: 'refused', rules: [], words: `refused. ${judgement.words}` };
  }
  const found = await foundIn(write, counting);
  if ('words' in found) return { rules: [], ...found };
  const { limits } = judgement;
  const rules = limits.map(({ id }) => id);
  const sums = sumsOf(write.effects);
  const { ordered } = counting;
  // Nothing of an order on paper has been sent.
  const whole = ordered && { scope: { request: 'on paper' }, ordered };
  const own = [...windowsAt(limits, sums, write.wallet.id), ...windowsOver(policy, sums, whole)];
  const windows = countedIn(own, counting);
  const asked = [...found.asks, ...(judgement.verdict === 'beyond' ? judgement.asks : [])];
  const needed = neededOf([...asked, ...(await fullOf({ policy, ledger }, windows))]);
  const told = await Promise.all(windows.map((window) => tellWindow(window, ledger)));
  if (needed.length > 0) {
    const asks = needed.map((one) => tellAsks(one, policy, write.requester));
    return { verdict: 'approval', rules, words: [...asks, ...told].join(' ') };
  }
  for (const window of windows) {
    const fault = await ledger.full(window);
    if (fault !== undefined) return { verdict: 'waits', rules, words: `waits. ${fault.words}` };
  }
  return {
    verdict: 'allowed',
    rules,
    words: [`allowed by ${rules.join(', ')}.`, ...told].join(' '),
  };
}

function tellAsks({ approval, words }: Asks, { groups }: Policy, requester: string | undefined) {
  const { id, need, of, within } = approval;
  const people = (groups.get(of) ?? []).filter((person) => person !== requester);
  return `${words} The rule ${id} asks ${need} of ${people.join(', ')}, within ${within} hours.`;
}

/** Runs the checks of the policy on a write that has no id yet. */
async function foundIn(
  write: Parameters<typeof judge>[1],
  { policy, checking }: Counting,
): Promise<{ asks: Asks[] } | Pick<Explained, 'verdict' | 'words'>> {
  const paper = { ...write, hash: '', lineAt: () => undefined };
  const { verdicts = [] } = (await checking?.(paper, Date.now())) ?? {};
  try {
    return { asks: reviewsOf(policy, worstFirst(verdicts)) };
  } catch (error) {
    if (error instanceof NotUnderstood) {
      return { verdict: 'refused', words: `refused. ${error.message}` };
    }
    if (error instanceof WithheldError)
      return { verdict: 'waits', words: `waits. ${error.message}` };
    throw error;
  }
}

/** The windows of a write with what earlier writes of its order count in them. */
function countedIn(windows: readonly Window[], { earlier }: Counting): Window[] {
  return windows.map((window) => {
    const name = canonicalJson([window.rule, window.scope, window.money]);
    const amount = (earlier.get(name) ?? 0n) + window.amount;
    earlier.set(name, amount);
    return { ...window, amount };
  });
}

async function tellWindow(window: Window, ledger: Paper['ledger']): Promise<string> {
  const { rule, hours, max, withFees, whole } = window;
  const amount = whole?.amount ?? window.amount;
  const counted = (await ledger.usage(window)).counted;
  const sum = `${plain(counted + amount)} of ${plain(max)} in ${hours} hours`;
  return `With it, the window of ${rule} has ${sum}.${withFees ? ' Its fee counts too.' : ''}`;
}

/** The writes of an order on paper. The writes of a payout are its lines, each from its wallet. */
export function paperWrites(
  kind: OrderKind,
  order: ReadOrder<OrderKind>,
  resolved: Resolved,
): PaperWrite[] {
  if (!('payoutId' in order)) {
    const token = 'token' in order ? String(order.token) : undefined;
    return kindOf(kind)
      .writes(order, resolved)
      .map((write) => ({ token, ...write }));
  }
  const { wallets = [] } = resolved;
  return (order.lines ?? []).map(({ lineId, to, amount, token }) => {
    const from = wallets[walletOfLine(lineId, wallets.length)];
    return { path: `line/${lineId}`, doing: '', makes: 'transfer', from, to, amount, token };
  });
}

/** Reads the money that a write on paper moves. It is none for a write of another kind. */
function moneyIn(moneys: Moneys) {
  return (write: PaperWrite): CallEffect[] => {
    if (write.makes !== 'transfer' || write.amount === undefined) return [];
    const { to, amount, token = '' } = write;
    const address = moneys.addressOf(token);
    if (address === undefined) throw new BadOrderError(`token: ${token} is no token.`);
    const money = moneys.moneyOf(address);
    const units = toBaseUnits(amount, policyDecimals);
    return [{ kind: 'money', money, amount: units, to: to.toLowerCase() }];
  };
}
