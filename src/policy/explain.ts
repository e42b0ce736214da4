import { toBaseUnits } from '../custody/objects/amount';
import { BadOrderError } from '../orders/input/read';
import type { Resolved, Write } from '../orders/kind';
import { kindOf, type OrderKind, type ReadOrder } from '../orders/kinds';
import { walletOfLine } from '../orders/payout/walletOfLine';
import { neededOf } from './authority/asks';
import type { Effect } from './call/effects';
import { type Moneys, moneysOf } from './file/money';
import { type Policy, policyDecimals } from './file/policy';
import { judge } from './judge';

/** A policy's word about a write that is not sent. Later: it is judged from its bytes. */
export type Explained = {
  /** "<step>/<item>". */
  path: string;
  verdict: 'allowed' | 'approval' | 'refused' | 'later';
  /** The limits that count it. */
  rules: string[];
  words: string;
};

/** A write on paper. Its token is that of its order, unless it has one of its own. */
export type PaperWrite = Write & { token?: string | undefined };

type Paper = {
  kind: OrderKind;
  writes: readonly PaperWrite[];
  /** The person who signs the order. */
  requester: string | undefined;
};

/**
 * Judges writes that are not sent, apart from the sums of windows. Throws a BadOrderError for a
 * token that nobody knows.
 */
export function explainWrites(
  policy: Policy,
  blockchain: string,
  { kind, writes, requester }: Paper,
): Explained[] {
  const moneys = moneysOf(blockchain);
  return writes.map((write) => {
    const { path, from } = write;
    if (write.makes === 'walletSet' || write.makes === 'wallets') {
      return { path, verdict: 'allowed', rules: [], words: 'allowed without a rule.' };
    }
    if (write.makes !== 'transfer' || write.amount === undefined || from === undefined) {
      return { path, verdict: 'later', rules: [], words: 'judged from its bytes once it is sent.' };
    }
    const { to, amount, token = '' } = write;
    const wallet = { id: from.walletId.toLowerCase(), address: from.address.toLowerCase() };
    const effects = [moneyOf({ to, amount, token, moneys })];
    return { path, ...wordsOf(policy, { kinds: new Set([kind]), wallet, effects, requester }) };
  });
}

function wordsOf(
  policy: Policy,
  write: Parameters<typeof judge>[1],
): Pick<Explained, 'verdict' | 'rules' | 'words'> {
  const judgement = judge(policy, write);
  if (judgement.verdict === 'refused') {
    return { verdict: 'refused', rules: [], words: `refused. ${judgement.words}` };
  }
  const rules = judgement.limits.map(({ id }) => id);
  if (judgement.verdict === 'allowed') {
    return { verdict: 'allowed', rules, words: `allowed by ${rules.join(', ')}.` };
  }
  const [highest] = neededOf(judgement.asks);
  if (highest === undefined) throw new Error('Beyond without an approval.');
  const { id, need, of, within } = highest.approval;
  const people = (policy.groups.get(of) ?? []).filter((person) => person !== write.requester);
  const words =
    `${highest.words} The rule ${id} asks ${need} of ${people.join(', ')}, ` +
    `within ${within} hours.`;
  return { verdict: 'approval', rules, words };
}

/** The writes of an order on paper. Those of a payout are its lines, each from its wallet. */
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

function moneyOf(paid: { to: string; amount: string; token: string; moneys: Moneys }): Effect {
  const { to, amount, token, moneys } = paid;
  const address = moneys.addressOf(token);
  if (address === undefined) throw new BadOrderError(`token: ${token} is no token.`);
  const money = moneys.moneyOf(address);
  return {
    kind: 'money',
    money,
    amount: toBaseUnits(amount, policyDecimals),
    to: to.toLowerCase(),
  };
}
