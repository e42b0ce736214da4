import type { CustodyApi } from '../../custody/endpoints';
import { type Policy, policyDecimals } from '../file/policy';
import type { Window } from '../ledger/ledger';
import { setsOf } from '../list/walletSets';
import { NotUnderstood } from './effects';
import type { JudgedCall } from './shapes';

/** The wallet sets or the wallets that a call creates. */
export type Creation = { what: 'walletSets' | 'wallets'; count: number };

/** The number of wallet sets that an account has room for, as far as is known. */
const setsMax = 1_000;
/** A ledger that replaces a lost one needs a set for its claim. */
const setsKept = 10;

/** The creation that a call is. Undefined for any other call. */
export function creationOf({ method, input }: JudgedCall): Creation | undefined {
  if (method === 'createWalletSet') return { what: 'walletSets', count: 1 };
  return method === 'createWallets' ? { what: 'wallets', count: input.count } : undefined;
}

/**
 * The window of a creation. It moves nothing and needs no rule. But an account has little room, and
 * keeps what was created for ever. No rule has such a name.
 */
export function creationWindow({ creates }: Pick<Policy, 'creates'>, made: Creation): Window {
  const { what, count } = made;
  const [max, amount] = [creates[what], count].map((all) => BigInt(all) * 10n ** scale);
  const own = { rule: `creates ${what}`, scope: { creates: what }, money: what };
  return { ...own, hours: creates.hours, max: max ?? 0n, amount: amount ?? 0n };
}

const scale = BigInt(policyDecimals);

/** Refuses the last wallet sets of an account, which the claims of its ledgers need. */
export async function refuseLastSets(
  custody: Pick<CustodyApi, 'listWalletSets'>,
  call: JudgedCall,
): Promise<void> {
  if (call.method !== 'createWalletSet') return;
  const { length: count } = await setsOf(custody);
  if (count < setsMax - setsKept) return;
  throw new NotUnderstood(
    `The account has ${count} wallet sets. It has room for ${setsMax}, and ${setsKept} of them are ` +
      'kept for the claims of its ledger. No set can be deleted: create wallets in one that is there.',
  );
}
