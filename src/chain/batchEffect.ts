import { sameText } from '../custody/objects/sameText';
import type { Execution } from './execution';
import { type ChainMovement, movementInWords, transfersOf } from './movements';

/** Many payments of one token from one account. No two of them have recipient and amount alike. */
export type BatchEffect = {
  kind: 'batch';
  tokenAddress: string;
  from: string;
  /** The mark of each payment names its line. Without marks, the call itself is not compared. */
  payments: readonly { to: string; baseUnits: string; mark?: string | undefined }[];
  /** True for a smart account, which makes all payments or none. */
  isWhole: boolean;
  isSmart?: boolean | undefined;
};

/**
 * Compares the payments of a batch with what its token has logged. `logs` has the place of each
 * payment's log. Each payment is proven by one
 * log with its recipient and its amount. `unpaid` are the places of those without one. A movement
 * that is none of the payments is a fault, such as a fee on each transfer.
 */
export function paidBy(
  effect: BatchEffect,
  { logs: all }: Pick<Execution, 'logs'>,
): { faults: string[]; unpaid: number[]; logs: (number | null)[] } {
  const { tokenAddress, from, payments, isWhole } = effect;
  const left = transfersOf(all, [tokenAddress]).filter((moved) => sameText(moved.from, from));
  const unpaid: number[] = [];
  const logs: (number | null)[] = [];
  for (const [at, { to, baseUnits }] of payments.entries()) {
    const own = left.findIndex((moved) => isOf(moved, to, baseUnits));
    if (own === -1) unpaid.push(at);
    logs.push(own === -1 ? null : (left.splice(own, 1)[0]?.logIndex ?? null));
  }
  const [strange] = left;
  if (strange !== undefined) {
    const more = left.length > 1 ? `, and ${left.length - 1} more` : '';
    return {
      faults: [`it moved ${movementInWords(strange)}, which is none of its lines${more}`],
      unpaid,
      logs,
    };
  }
  if (isWhole && unpaid.length > 0) {
    return {
      faults: [`it lacks ${unpaid.length} of its ${payments.length} payments`],
      unpaid,
      logs,
    };
  }
  return { faults: [], unpaid, logs };
}

function isOf(moved: ChainMovement, to: string, baseUnits: string): boolean {
  return sameText(moved.to, to) && moved.baseUnits === BigInt(baseUnits);
}
