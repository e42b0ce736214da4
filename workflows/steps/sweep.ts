import { isCancellation, upsertMemo } from '@temporalio/workflow';
import type { Accepted } from '../../activities/transactions';
import { fromBaseUnits, toBaseUnits } from '../../src/custody/objects/amount';
import type { FeeLevel } from '../../src/custody/objects/transaction';
import type { ResolvedToken, ResolvedWallet } from '../../src/orders/kind';
import { collectionOf } from '../../src/orders/progress/doing';
import { memoryKey } from '../../src/orders/progress/status';
import type { SweepReceipt } from '../../src/orders/sweep';
import { cancelled } from '../order/cancel';
import { stopOf } from '../order/custody';
import type { LiveOrder } from '../order/liveOrder';
import { read, readSurely } from '../order/read';
import { finished, stumbled } from '../order/show';
import { sameMoney } from '../write/compare';
import { once, settled } from '../write/happened';
import { settle } from '../write/settle';
import { lookBefore, write } from '../write/write';
import { transferStep } from './transfer';

export type Sweep = {
  wallets: readonly ResolvedWallet[];
  into: ResolvedWallet;
  token: ResolvedToken;
  /** Amount that stays in each wallet. Without it, enough for its next fees. */
  keep: string | undefined;
  feeLevel: FeeLevel;
};

/** One of the swept wallets, and the amount that leaves it. */
type Part = { item: string; wallet: ResolvedWallet; held: string; amount: string };
type Taken = Part & { accepted: Accepted };
type Left = Part & { why: string };

const cancelledWords = 'the order was cancelled';

/** Reserve of a wallet that pays its fees in the swept token: enough for some ten transfers. */
const feeReserve = '0.1';

/**
 * Collects wallets' holdings of a token in one wallet. Each amount is decided once and kept with
 * the order, so a later run sends the same amounts or none. All are sent before the first one is
 * awaited. A refused wallet keeps its money and delays no other wallet.
 */
export async function sweep(live: LiveOrder, ordered: Sweep): Promise<SweepReceipt> {
  const parts = await partsOf(live, ordered);
  const taken: Taken[] = [];
  const left: Left[] = [];
  for (const part of parts) {
    const sent = await send(live, ordered, part);
    if ('accepted' in sent) taken.push(sent);
    else left.push(sent);
  }
  const { collected, undone } = await settleAll(live, ordered, taken);
  if (collected.length === 0 && live.carried.cancelAsked) throw cancelled();
  const { into, token } = ordered;
  const total = collected.reduce(
    (sum, { amount }) => sum + toBaseUnits(amount, token.decimals),
    0n,
  );
  return {
    into: into.address,
    token: token.name,
    total: fromBaseUnits(total, token.decimals),
    collected,
    left: [...left, ...undone].map(({ wallet, held, why }) => ({
      ...named(wallet),
      amount: held,
      why,
    })),
  };
}

/** The amount from each wallet, decided once in the life of the order. */
async function partsOf(live: LiveOrder, ordered: Sweep): Promise<Part[]> {
  const parts = await once(live, 'what is taken from each', async () => {
    const decided: Part[] = [];
    for (const [index, wallet] of ordered.wallets.entries()) {
      decided.push(await partOf(live, ordered, { item: `${index + 1}`, wallet }));
    }
    return decided;
  });
  const { memory } = live.opened;
  const amounts = Object.fromEntries(parts.map(({ item, amount }) => [item, amount]));
  if (memory.amounts === undefined) {
    memory.amounts = amounts;
    upsertMemo({ [memoryKey]: memory });
  }
  return parts;
}

async function partOf(
  live: LiveOrder,
  ordered: Sweep,
  { item, wallet }: Pick<Part, 'item' | 'wallet'>,
): Promise<Part> {
  const { token, keep } = ordered;
  const { nativeTwins, earlier } = live.opened;
  const known = earlier.amounts?.[item];
  // An amount that was sent before can no longer be read as a balance.
  if (known !== undefined) return { item, wallet, held: known, amount: known };
  const before = await lookBefore(live, stepOf(live, ordered, { item, wallet, amount: '0' }));
  if (before !== undefined) {
    const amount = await amountOf(live, before);
    return { item, wallet, held: amount, amount };
  }
  const holding = await read(live, `balance of ${wallet.address}`, (from) =>
    from.readBalance({ walletId: wallet.walletId, token, nativeTwins }),
  );
  const paysWithIt = sameMoney(token.address, '', nativeTwins);
  const usual = wallet.accountType === 'EOA' && paysWithIt ? feeReserve : '0';
  const kept = toBaseUnits(keep ?? usual, token.decimals);
  const units = BigInt(holding?.baseUnits ?? '0');
  const amount = fromBaseUnits(units > kept ? units - kept : 0n, token.decimals);
  return { item, wallet, held: fromBaseUnits(units, token.decimals), amount };
}

/** Sends one part. A part stays in its wallet if it is refused, or if a cancellation is in time. */
async function send(live: LiveOrder, ordered: Sweep, part: Part): Promise<Taken | Left> {
  if (part.amount === '0') return { ...part, why: 'it holds no more than it keeps' };
  const step = stepOf(live, ordered, part);
  try {
    const accepted = await write(live, step);
    finished(live, `${step.doing}: accepted as ${accepted.transactionId}`);
    return { ...part, accepted };
  } catch (error) {
    if (isCancellation(error)) return { ...part, why: cancelledWords };
    const stop = stopOf(error);
    if (stop?.type !== 'Refused') throw error;
    stumbled(live, `${step.doing}: refused. ${stop.message}`);
    return { ...part, why: stop.message };
  }
}

/** Waits for all sent parts, even after one has failed, and only then reports it. */
async function settleAll(
  live: LiveOrder,
  ordered: Sweep,
  taken: readonly Taken[],
): Promise<{ collected: SweepReceipt['collected']; undone: Left[] }> {
  const collected: SweepReceipt['collected'] = [];
  const undone: Left[] = [];
  let failure: unknown;
  for (const { accepted, ...part } of taken) {
    const { item, wallet } = part;
    const isFound = live.carried.writes[`sweep/${item}`]?.isFound === true;
    const amount = isFound ? await amountOf(live, accepted) : part.amount;
    const step = stepOf(live, ordered, { item, wallet, amount });
    try {
      const settlement = await settle(live, step, accepted);
      settled(live, step);
      collected.push({ ...settlement, ...named(wallet), amount });
      live.carried.made.collected = collected;
    } catch (error) {
      if (isCancellation(error)) undone.push({ ...part, why: cancelledWords });
      else failure ??= error;
    }
  }
  if (failure !== undefined) throw failure;
  return { collected, undone };
}

/** The amount that an earlier run sent, from the service's record. */
async function amountOf(live: LiveOrder, { transactionId: id }: Accepted): Promise<string> {
  return once(live, `amount of ${id}`, async () => {
    const record = await readSurely(live, 'how much was taken before', (from) =>
      from.getTransaction({ id }),
    );
    return record.amounts?.[0] ?? '0';
  });
}

function stepOf(live: LiveOrder, ordered: Sweep, part: Pick<Part, 'item' | 'wallet' | 'amount'>) {
  const { into, token, feeLevel } = ordered;
  const { item, wallet: from, amount } = part;
  const doing = collectionOf(token.name, from.address);
  return transferStep(live, {
    step: 'sweep',
    item,
    doing,
    from,
    to: into.address,
    token,
    amount,
    feeLevel,
  });
}

function named({ walletId, address }: ResolvedWallet) {
  return { walletId, address };
}
