import { createHash } from 'node:crypto';
import { canonicalJson } from '../custody/canonicalJson';
import { refHash } from '../custody/idempotencyKey';
import type { Requester } from './authority/requester';
import type { Classified } from './call/classify';
import type { JudgedCall } from './call/shapes';
import type { Limit, Policy } from './file/policy';
import type { Identity } from './identity';
import { sumsOf } from './judge';
import { type Charge, feeMoney, type Reservation, type Scope, type Window } from './ledger/ledger';

type Parts = {
  call: JudgedCall;
  identity: Identity;
  classified: Classified;
  limits: readonly Limit[];
  /** The person who has signed its order, and what was signed. Undefined without a signature. */
  requester?: Pick<Requester, 'statement' | 'ordered'> | undefined;
  /** The largest fee that it can cost. Undefined where no rule counts fees. */
  fee: bigint | undefined;
  policy: Pick<Policy, 'version' | 'digest'>;
};

/** The window of a request never ends. So many hours are more than a hundred years. */
const forEverHours = 1_000_000;

/**
 * The reservation of a write: its sums in its wallet, in each limit that counts it, and in the
 * payout that was signed.
 */
export function reservationOf({
  call,
  identity: { key, parts },
  classified,
  limits,
  requester,
  fee,
  policy: { version, digest },
}: Parts): Reservation {
  const sums = sumsOf(classified.effects);
  if (fee !== undefined) sums.set(feeMoney, fee);
  const { wallet } = classified;
  const signed = signedIn(requester);
  const scopes: Scope[] = [
    ...(signed === undefined ? [] : [signed.scope]),
    ...(wallet === undefined ? [] : [{ wallet: wallet.id }]),
    ...limits.map(({ id }) => ({ rule: id })),
  ];
  const charges = [...sums].flatMap(([money, amount]): Charge[] =>
    scopes.map((scope) => ({ scope, money, amount })),
  );
  return {
    key,
    parts,
    hash: refHash(parts),
    body: createHash('sha256')
      .update(canonicalJson([call.method, call.input]))
      .digest('hex'),
    charges,
    windows: [
      ...(signed === undefined ? [] : windowsSigned(sums, signed)),
      ...limits.flatMap((limit) => windowsOf(limit, sums, wallet?.id ?? '')),
    ],
    about: aboutOf(call),
    policy: { version, digest },
  };
}

/** The transaction that a request is about, with the request's name. */
function aboutOf({ method, input }: JudgedCall): string | undefined {
  const isRequest = method === 'cancelTransaction' || method === 'accelerateTransaction';
  return isRequest ? `${method} ${input.id}` : undefined;
}

/** A signed payout: where its lines count together, and the sums that were signed. */
type SignedPayout = { scope: Scope; ordered: ReadonlyMap<string, bigint> };

function signedIn(requester: Parts['requester']): SignedPayout | undefined {
  const { statement, ordered } = requester ?? {};
  if (statement === undefined || ordered === undefined) return undefined;
  return { scope: { request: `${statement.order} ${statement.lines?.root}` }, ordered };
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

/** The windows of a limit that a write counts in, one for each of its moneys. */
function windowsOf(limit: Limit, sums: ReadonlyMap<string, bigint>, wallet: string): Window[] {
  return [...sums].flatMap(([money, amount]) => {
    const window = money === feeMoney ? limit.maxFee : limit.perWindow;
    if (window === undefined || (money !== feeMoney && !limit.money.has(money))) return [];
    const { hours, over, amount: max } = window;
    const scope = over === 'wallet' ? { wallet } : { rule: limit.id };
    return [{ rule: limit.id, scope, money, hours, max, amount }];
  });
}
