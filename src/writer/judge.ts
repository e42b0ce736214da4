import { fromBaseUnits } from '../custody/objects/amount';
import type { OrderKind } from '../orders/kinds';
import type { CallEffect, PayingWallet } from './call/effects';
import { addressesOf, addressWordsOf, namedCall } from './call/namedCall';
import {
  type Approval,
  type Deny,
  type Limit,
  type Policy,
  type PolicyMoney,
  policyDecimals,
  type Recipients,
} from './file/policy';
import { type Asks, approvalOf } from './people/asks';

/** A write as the policy sees it. */
export type JudgedWrite = {
  /** The kinds of orders that it may belong to. */
  kinds: ReadonlySet<OrderKind>;
  wallet: PayingWallet | undefined;
  effects: readonly CallEffect[];
  /** The group whose signature the order carries, by its members' names. Undefined without one. */
  requester?: string | undefined;
  /** The sums of its whole order, where people decide on that. */
  ordered?: ReadonlyMap<PolicyMoney, bigint> | undefined;
};

type Judgement =
  /** Each of these limits counts the write. */
  | { verdict: 'allowed'; limits: readonly Limit[] }
  /** People decide: it is more than a limit allows, or an approval asks for it. */
  | { verdict: 'beyond'; limits: readonly Limit[]; asks: readonly Asks[] }
  | { verdict: 'refused'; rule: string | undefined; words: string };

/**
 * Judges a write by a policy, apart from sums over time. Closed: every effect needs a limit that
 * names it, all limits that name it must pass, and a denial always wins.
 */
export function judge(policy: Policy, write: JudgedWrite): Judgement {
  const denied = policy.denials.find((rule) => isDenied(rule, write));
  if (denied !== undefined) {
    return { verdict: 'refused', rule: denied.id, words: `The rule ${denied.id} denies it.` };
  }
  const limits = new Set<Limit>();
  const asks: Asks[] = [];
  for (const effect of write.effects) {
    const found = limitsOf(policy, write, effect);
    if ('words' in found) return { verdict: 'refused', rule: undefined, words: found.words };
    for (const limit of found.limits) {
      limits.add(limit);
      const fault = faultOf(policy, { limit, write, effect });
      if (fault === undefined) continue;
      if (fault.beyond === undefined) {
        return { verdict: 'refused', rule: limit.id, words: fault.words };
      }
      asks.push({ approval: fault.beyond, words: fault.words });
    }
  }
  asks.push(...tiersOf(policy, write));
  if (asks.length === 0) return { verdict: 'allowed', limits: [...limits] };
  return { verdict: 'beyond', limits: [...limits], asks };
}

/** The tiers whose amount an order exceeds by itself. */
function tiersOf({ approvals }: Policy, write: JudgedWrite): Asks[] {
  const { effects, ordered = sumsOf(effects) } = write;
  const largest = [...ordered.values()].reduce((max, sum) => (sum > max ? sum : max), 0n);
  return approvals
    .filter(({ above, hours }) => hours === undefined && largest > above)
    .map((approval) => ({
      approval,
      words: `It is above ${plain(approval.above)}.`,
      isTier: true,
    }));
}

/** The sums that the effects of a write move, by money. */
export function sumsOf(effects: readonly CallEffect[]): Map<PolicyMoney, bigint> {
  const sums = new Map<PolicyMoney, bigint>();
  for (const effect of effects) {
    if (effect.kind !== 'money') continue;
    sums.set(effect.money, (sums.get(effect.money) ?? 0n) + effect.amount);
  }
  return sums;
}

/** An amount of a policy as people write it. */
export function plain(amount: bigint): string {
  return fromBaseUnits(amount, policyDecimals);
}

/** True for a rule that names a kind of order and the wallet of a write, or neither. */
export function isAbout(
  { orders, wallets }: Pick<Deny, 'orders' | 'wallets'>,
  { kinds, wallet }: Pick<JudgedWrite, 'kinds' | 'wallet'>,
): boolean {
  if (orders !== undefined && !overlaps(orders, kinds)) return false;
  return wallets === undefined || (wallet !== undefined && hasWallet(wallets, wallet));
}

function isDenied(rule: Deny, write: JudgedWrite): boolean {
  if (!isAbout(rule, write)) return false;
  const { money, to } = rule;
  const { effects } = write;
  if (money === undefined && to === undefined) return true;
  return effects.some((effect) => {
    const isMoney = money === undefined || (effect.kind === 'money' && money.has(effect.money));
    return isMoney && (to === undefined || recipientsOf(effect).some((one) => includes(to, one)));
  });
}

/** Every address that an effect concerns, as far as its bytes tell. */
export function recipientsOf(effect: CallEffect): readonly string[] {
  if (effect.kind === 'money') return [effect.to];
  if (effect.kind === 'deployment') return effect.recipients;
  return [effect.contract, ...addressWordsOf(effect.data)];
}

/** The limits that name an effect, or the reason why none does. */
function limitsOf(
  { limits }: Policy,
  { kinds, wallet }: JudgedWrite,
  effect: CallEffect,
): { limits: Limit[] } | { words: string } {
  if (wallet === undefined) return { words: 'It names no wallet.' };
  const ofWallet = limits.filter((limit) => hasWallet(limit.wallets, wallet));
  if (ofWallet.length === 0) return { words: `No rule names the wallet ${wallet.id}.` };
  const ofOrder = ofWallet.filter(({ orders }) => overlaps(orders, kinds));
  if (ofOrder.length === 0) {
    const order = [...kinds].join(' or ') || 'no known kind of order';
    return { words: `No rule of the wallet ${wallet.id} names ${order}.` };
  }
  const found = ofOrder.filter((limit) => names(limit, effect, wallet));
  return found.length > 0 ? { limits: found } : { words: notNamed(ofOrder, effect) };
}

/**
 * The limits that would have named a payment of somebody else, whatever order it is of. All of its
 * wallet if nobody knows its effects.
 */
export function limitsNaming(
  { limits }: Pick<Policy, 'limits'>,
  wallet: PayingWallet,
  effects: readonly CallEffect[] | undefined,
): Limit[] {
  const ofWallet = limits.filter((limit) => hasWallet(limit.wallets, wallet));
  if (effects === undefined) return ofWallet;
  return ofWallet.filter((limit) => effects.some((effect) => names(limit, effect, wallet)));
}

function names(limit: Limit, effect: CallEffect, wallet: PayingWallet): boolean {
  if (effect.kind === 'money')
    return limit.money.has(effect.money) && includes(limit.to, effect.to);
  if (effect.kind === 'deployment') {
    const isDeployment = ['deployContract', 'deploymentSequence'].some((kind) =>
      [...limit.orders].some((order) => order === kind),
    );
    return isDeployment && effect.recipients.every((one) => includes(limit.to, one));
  }
  const call = namedCall(limit, effect);
  const given = call && addressesOf(call, effect.data);
  // Every address among the arguments counts as a recipient.
  const isFree = (one: string) => one === wallet.address || one === call?.contract;
  return given?.every((one) => isFree(one) || includes(limit.to, one)) ?? false;
}

function notNamed(limits: readonly Limit[], effect: CallEffect): string {
  const rules = limits.map(({ id }) => id).join(', ');
  if (effect.kind === 'deployment') {
    return `None of the rules ${rules} names a deployment with the addresses in it.`;
  }
  if (effect.kind === 'call') {
    if (effect.data === '0x') {
      return `It calls ${effect.contract} without data, and no rule can name such a call.`;
    }
    const selector = effect.data.slice(0, 10);
    const call = `${selector} of ${effect.contract}`;
    const named = limits.some((limit) => namedCall(limit, effect) !== undefined);
    return named
      ? `The rules ${rules} name ${call}, but not every address that it is given, or it has more ` +
          'bytes than its arguments.'
      : `None of the rules ${rules} names the call ${call}.`;
  }
  const withMoney = limits.filter(({ money }) => money.has(effect.money));
  return withMoney.length === 0
    ? `None of the rules ${rules} names the token ${effect.money}.`
    : `${effect.to} is no recipient of the rules ${withMoney.map(({ id }) => id).join(', ')}.`;
}

/** The reason why a limit does not let an effect out. */
function faultOf(
  policy: Policy,
  { limit, write, effect }: { limit: Limit; write: JudgedWrite; effect: CallEffect },
): { words: string; beyond?: Approval | undefined } | undefined {
  const { id, signedBy, perTransfer } = limit;
  if (signedBy !== undefined && !isMember(policy, signedBy, write.requester)) {
    const { requester } = write;
    const given =
      requester === undefined
        ? 'the order has none'
        : `the order has one of ${requester}, who is not in that group`;
    return { words: `The rule ${id} wants a signature of @${signedBy}, and ${given}.` };
  }
  if (effect.kind !== 'money' || perTransfer === undefined) return undefined;
  if (effect.amount <= perTransfer) return undefined;
  const most = `${plain(perTransfer)}, which the rule ${id} allows.`;
  const words = `${plain(effect.amount)} is more than ${most}`;
  return { words, beyond: approvalOf(policy, limit.beyond) };
}

function isMember({ groups }: Policy, group: string, person: string | undefined): boolean {
  return person !== undefined && (groups.get(group) ?? []).includes(person);
}

function hasWallet(wallets: ReadonlySet<string>, { id, address }: PayingWallet): boolean {
  return wallets.has(id) || wallets.has(address);
}

function includes(to: Recipients, address: string): boolean {
  return to === 'anyone' || to.has(address);
}

function overlaps(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return [...one].some((word) => other.has(word));
}
