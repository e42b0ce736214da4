import type { OrderKind } from '../../orders/kinds';
import type { Policy } from '../../writer/file/policy';
import { Refusal } from '../refusal';

/**
 * The wallets that pay what a person requests, by id or by address. Limits that want the signature
 * of a group of theirs name them. The console knows no other wallets.
 */
export function payersFor(
  { limits, groups }: Policy,
  { person, kind }: { person: string; kind: OrderKind },
): string[] {
  const own = limits.filter(({ orders, signedBy }) => {
    return orders.has(kind) && groups.get(signedBy ?? '')?.includes(person) === true;
  });
  return [...new Set(own.flatMap(({ wallets }) => [...wallets]))].sort();
}

/** Refuses a wallet that is not among those that may pay. */
export function refuseOtherPayers(wallets: readonly string[], known: readonly string[]): void {
  const other = wallets.find((wallet) => !known.includes(wallet.toLowerCase()));
  if (other === undefined) return;
  const all = known.length === 0 ? 'There is none.' : `Choose one of ${known.join(', ')}.`;
  throw new Refusal(400, `wallet: no limit lets ${other} pay what you request. ${all}`);
}
