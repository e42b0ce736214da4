import { isRecord } from '../../custody/isRecord';
import { readOrder } from '../input/read';
import type { OrderKind, ReadOrder } from '../kinds';
import type { Told } from '../money';
import { payoutOrder, type ReadPayout } from '../payout';
import { differencesOf, otherWallets, wayOn } from './otherLines';

/**
 * Names the lines and wallets in which a payout differs from an earlier one of its id, and the way
 * on. `before` reads the earlier order, which Temporal may have forgotten.
 */
export async function otherPayout(
  now: ReadOrder<OrderKind>,
  before: () => Promise<unknown>,
): Promise<{ told: Told; way: string }> {
  if (!('payoutId' in now)) return { told: {}, way: bothMeant };
  const earlier = await readBefore(before);
  if (earlier === undefined) return { told: {}, way: wayOn({ hasNew: false }) };
  const { faults, hasNew } = linesBeside(earlier, now);
  return {
    told: { lines: faults, wallets: otherWallets(earlier.wallets, now.wallets) },
    way: wayOn({ hasNew }),
  };
}

const bothMeant = 'If both are meant, give the new one an id of its own.';

function linesBeside({ lines: earlier }: ReadPayout, { lines: now }: ReadPayout) {
  if (earlier !== undefined && now !== undefined) return differencesOf(earlier, now);
  const [were, are] = [earlier, now].map((lines) =>
    lines === undefined ? 'handed over part by part' : 'in the order itself',
  );
  return { faults: [`its lines were ${were}, and are ${are}`], hasNew: false };
}

async function readBefore(before: () => Promise<unknown>): Promise<ReadPayout | undefined> {
  try {
    const given = await before();
    // The request and the generations of that run do not count here.
    const { payoutId, wallets, lines } = isRecord(given) ? given : {};
    return readOrder(payoutOrder, { payoutId, wallets, ...(lines === undefined ? {} : { lines }) });
  } catch {
    return undefined;
  }
}
