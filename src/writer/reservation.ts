import { createHash } from 'node:crypto';
import { canonicalJson } from '../custody/canonicalJson';
import type { KeyParts } from '../custody/idempotencyKey';
import { refHash } from '../custody/reference';
import { batchLines } from './batches';
import type { Classified } from './call/classify';
import { creationOf, creationWindow } from './call/creations';
import type { PayingWallet } from './call/effects';
import type { Identity } from './call/identity';
import type { JudgedCall } from './call/shapes';
import { nativeMoney } from './file/money';
import type { Approval, Limit, Policy } from './file/policy';
import { sumsOf } from './judge';
import { lineStep } from './ledger/attempts';
import type { SignedRequest } from './ledger/decision';
import { type Charge, feeMoney, type Reservation, type Scope, type Window } from './ledger/ledger';
import { paymentsOf } from './payees/payingWrite';
import type { Requester } from './people/requester';

type Parts = {
  call: JudgedCall;
  identity: Identity;
  classified: Classified;
  limits: readonly Limit[];
  /** The person who has signed its order, and what was signed. Undefined without a signature. */
  requester?: Requester | undefined;
  /** The largest fee that it can cost. Undefined for a repetition, which has one already. */
  fee: bigint | undefined;
  policy: Pick<Policy, 'version' | 'digest' | 'approvals' | 'creates'>;
};

/** The window of a request never ends. So many hours are more than a hundred years. */
const forEverHours = 1_000_000;

/**
 * The reservation of a write: its sums in its wallet, in each rule that counts it, and in the
 * payout that was signed.
 */
export function reservationOf({
  call,
  identity: { key, parts },
  classified,
  limits,
  requester,
  fee,
  policy: { version, digest, approvals, creates },
}: Parts): Reservation {
  const sums = sumsOf(classified.effects);
  if (fee !== undefined) sums.set(feeMoney, fee);
  const { wallet } = classified;
  const signed = signedIn(requester, parts.workflowId);
  const creation = creationOf(call);
  const lines = batchLines({ call, identity: { parts }, classified }, requester?.lines);
  const created = creation && creationWindow({ creates }, creation);
  const tiers = approvals.filter(isOverHours);
  const scopes: Scope[] = [
    ...(signed === undefined ? [] : [signed.scope, ...tiers.map((one) => within(signed, one))]),
    ...scopesOf(wallet, limits, tiers),
  ];
  return {
    key,
    parts,
    hash: refHash(parts),
    body: bodyOf(call),
    charges: chargesOf(sums, scopes),
    windows: [
      ...(signed === undefined ? [] : windowsSigned(sums, signed)),
      ...windowsAt(limits, sums, wallet?.id ?? ''),
      ...windowsOver({ approvals }, sums, signed),
      ...(created === undefined ? [] : [created]),
    ],
    made: created && [created],
    lines,
    payments: paymentsOf(classified.effects, lines),
    about: aboutOf(call),
    request: requester && signedRequestOf(requester, parts),
    policy: { version, digest },
    grounds: {
      policy: `${version} ${digest}`,
      rules: limits.map(({ id }) => id),
      ...(requester === undefined ? {} : { signedBy: requester.person }),
    },
  };
}

/** The request behind a write, as its signer may withdraw it. */
export function signedRequestOf(
  { person, publicKey, statement }: Requester,
  { workflowId, step, item }: KeyParts,
): SignedRequest {
  const { order, period, signedAt } = statement;
  const lineId = step === lineStep ? item : undefined;
  const signedMs = Date.parse(signedAt);
  return { workflowId, order, schedule: period?.schedule, person, publicKey, signedMs, lineId };
}

/**
 * The digest of all that a call says. The gas limit is no part of it: it moves nothing, and a run
 * that starts again estimates it again.
 */
function bodyOf({ method, input }: JudgedCall): string {
  const { gasLimit: _, ...said } = { gasLimit: undefined, ...input };
  return createHash('sha256')
    .update(canonicalJson([method, said]))
    .digest('hex');
}

/** The sums that a payment counts in: the sum of its wallet, and of each rule that counts it. */
export function scopesOf(
  wallet: Pick<PayingWallet, 'id'> | undefined,
  ...rules: readonly (readonly { id: string }[])[]
): Scope[] {
  const own = wallet === undefined ? [] : [{ wallet: wallet.id }];
  return [...own, ...rules.flat().map(({ id }) => ({ rule: id }))];
}

/** Every sum of money in every scope. */
export function chargesOf(
  sums: ReadonlyMap<string, bigint>,
  scopes: readonly Scope[],
): readonly Charge[] {
  return [...sums].flatMap(([money, amount]) => scopes.map((scope) => ({ scope, money, amount })));
}

/** The transaction that a request is about, with the request's name. */
function aboutOf({ method, input }: JudgedCall): string | undefined {
  const isRequest = method === 'cancelTransaction' || method === 'accelerateTransaction';
  return isRequest ? `${method} ${input.id}` : undefined;
}

/** A signed payout: where its lines count together, and the sums that were signed. */
type SignedPayout = { scope: { request: string }; ordered: ReadonlyMap<string, bigint> };

function signedIn(requester: Parts['requester'], order: string): SignedPayout | undefined {
  const { statement, ordered } = requester ?? {};
  if (statement === undefined || ordered === undefined) return undefined;
  return { scope: { request: `${order} ${statement.lines?.root}` }, ordered };
}

/** The most that a signed payout lets out of each money, whatever its lines say. */
function windowsSigned(
  sums: ReadonlyMap<string, bigint>,
  { scope, ordered }: SignedPayout,
): Window[] {
  const moneys = [...sums].filter(([money]) => money !== feeMoney);
  return moneys.map(([money, amount]) => {
    const max = ordered.get(money) ?? 0n;
    return { rule: 'its request', scope, money, hours: forEverHours, max, amount };
  });
}

type OverHours = Approval & { hours: number };

/** True for an approval that asks people about a sum over hours. */
export function isOverHours(approval: Approval): approval is OverHours {
  return approval.hours !== undefined;
}

/** The scope of what an approval has counted of a payout. */
function within({ scope }: SignedPayout, { id }: Approval): Scope {
  return { ruleOf: id, ...scope };
}

/** The sums above which approvals over hours ask people. A payout counts as a whole. */
export function windowsOver(
  { approvals }: Pick<Policy, 'approvals'>,
  sums: ReadonlyMap<string, bigint>,
  signed?: SignedPayout,
): Window[] {
  const moneys = [...sums].filter(([money]) => money !== feeMoney);
  return approvals.filter(isOverHours).flatMap((tier) =>
    moneys.map(([money, amount]) => {
      const { id: rule, hours, above: max } = tier;
      const all = signed?.ordered.get(money);
      const whole = signed && { scope: within(signed, tier), amount: all ?? amount };
      return { rule, scope: { rule }, money, hours, max, amount, whole };
    }),
  );
}

/** The longest window of a policy, and a day at least. */
export function longestWindowMs({ limits, approvals }: Pick<Policy, 'limits' | 'approvals'>) {
  const windows = limits.flatMap(({ perWindow, maxFee }) => [perWindow, maxFee]);
  const hours = [...windows, ...approvals].map((window) => window?.hours ?? 0);
  return Math.max(24, ...hours) * 3_600_000;
}

/** The windows of limits that a write counts in. */
export function windowsAt(
  limits: readonly Limit[],
  sums: ReadonlyMap<string, bigint>,
  wallet: string,
): Window[] {
  return limits.flatMap((limit) => windowsOf(limit, sums, wallet));
}

/**
 * The windows of a limit that a write counts in, one for each of its moneys. Its fee counts in that
 * of the fee's own money, and in the limit's own window for fees.
 */
function windowsOf(limit: Limit, sums: ReadonlyMap<string, bigint>, wallet: string): Window[] {
  const { id: rule, money: moneys, perWindow, maxFee } = limit;
  const fee = sums.get(feeMoney) ?? 0n;
  const windows = [...moneys].map((money) => {
    const withFees = money === nativeMoney;
    const amount = (sums.get(money) ?? 0n) + (withFees ? fee : 0n);
    return { window: perWindow, money, amount, withFees };
  });
  const fees = { window: maxFee, money: feeMoney, amount: fee, withFees: false };
  return [...windows, fees].flatMap(({ window, amount, ...counted }) => {
    if (window === undefined || amount === 0n) return [];
    const { hours, over, amount: max, isUsual } = { isUsual: false, ...window };
    const scope = over === 'wallet' ? { wallet } : { rule };
    return [{ rule, scope, ...counted, hours, max, amount, isUsual }];
  });
}
