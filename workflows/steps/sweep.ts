import { isCancellation, upsertMemo } from '@temporalio/workflow';
import type { ResolvedToken, ResolvedWallet } from '../../activities/resolve';
import type { Accepted } from '../../activities/transactions';
import { fromBaseUnits, toBaseUnits } from '../../src/custody/amount';
import type { FeeLevel } from '../../src/custody/transaction';
import { collectionOf } from '../../src/orders/doing';
import { memoryKey } from '../../src/orders/status';
import type { SweepReceipt } from '../../src/orders/sweep';
import { cancelled } from '../cancel';
import { sameMoney } from '../compare';
import { stopOf } from '../custody';
import { read, readSurely } from '../read';
import type { Run } from '../run';
import { settle } from '../settle';
import { finished, stumbled } from '../show';
import { lookBefore, once, settled, write } from '../write';
import { transferStep } from './transfer';

export type Sweep = {
  wallets: readonly ResolvedWallet[];
  into: ResolvedWallet;
  token: ResolvedToken;
  /** What stays in each wallet; what its next fees may need, unless it is said. */
  keep: string | undefined;
  feeLevel: FeeLevel;
};

/** One wallet of those that are swept, and what is taken from it. */
type Part = { item: string; wallet: ResolvedWallet; held: string; amount: string };
type Taken = Part & { accepted: Accepted };
type Left = Part & { why: string };

const cancelledWords = 'the order was cancelled';

/** What a wallet keeps that pays its fees out of the very token: enough for some ten transfers. */
const feeReserve = '0.1';

/**
 * Collects what wallets hold of a token into one. What is taken from each is decided once, and
 * remembered with the order: a later run of it sends the same amounts or none. All are sent before
 * the first is waited for. A wallet that is refused is left as it is, and holds up no other.
 */
export async function sweep(run: Run, ordered: Sweep): Promise<SweepReceipt> {
  const parts = await partsOf(run, ordered);
  const taken: Taken[] = [];
  const left: Left[] = [];
  for (const part of parts) {
    const sent = await send(run, ordered, part);
    if ('accepted' in sent) taken.push(sent);
    else left.push(sent);
  }
  const { collected, undone } = await settleAll(run, ordered, taken);
  if (collected.length === 0 && run.carried.cancelAsked) throw cancelled();
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

/** What is taken from each wallet, decided once in the life of the order. */
async function partsOf(run: Run, ordered: Sweep): Promise<Part[]> {
  const parts = await once(run, 'what is taken from each', async () => {
    const decided: Part[] = [];
    for (const [index, wallet] of ordered.wallets.entries()) {
      decided.push(await partOf(run, ordered, { item: `${index + 1}`, wallet }));
    }
    return decided;
  });
  const { memory } = run.opened;
  const amounts = Object.fromEntries(parts.map(({ item, amount }) => [item, amount]));
  if (memory.amounts === undefined) {
    memory.amounts = amounts;
    upsertMemo({ [memoryKey]: memory });
  }
  return parts;
}

async function partOf(
  run: Run,
  ordered: Sweep,
  { item, wallet }: Pick<Part, 'item' | 'wallet'>,
): Promise<Part> {
  const { token, keep } = ordered;
  const { nativeTwins, earlier } = run.opened;
  const known = earlier.amounts?.[item];
  // What was taken before is no longer there to be read.
  if (known !== undefined) return { item, wallet, held: known, amount: known };
  const before = await lookBefore(run, stepOf(run, ordered, { item, wallet, amount: '0' }));
  if (before !== undefined) {
    const amount = await amountOf(run, before);
    return { item, wallet, held: amount, amount };
  }
  const holding = await read(run, `balance of ${wallet.address}`, (from) =>
    from.readBalance({ walletId: wallet.walletId, token, nativeTwins }),
  );
  const paysWithIt = sameMoney(token.address, '', nativeTwins);
  const usual = wallet.accountType === 'EOA' && paysWithIt ? feeReserve : '0';
  const kept = toBaseUnits(keep ?? usual, token.decimals);
  const units = BigInt(holding?.baseUnits ?? '0');
  const amount = fromBaseUnits(units > kept ? units - kept : 0n, token.decimals);
  return { item, wallet, held: fromBaseUnits(units, token.decimals), amount };
}

/** Sends one part; what is refused is left, and so is all that a cancellation comes in time for. */
async function send(run: Run, ordered: Sweep, part: Part): Promise<Taken | Left> {
  if (part.amount === '0') return { ...part, why: 'it holds no more than it keeps' };
  const step = stepOf(run, ordered, part);
  try {
    const accepted = await write(run, step);
    finished(run, `${step.doing}: accepted as ${accepted.transactionId}`);
    return { ...part, accepted };
  } catch (error) {
    if (isCancellation(error)) return { ...part, why: cancelledWords };
    const stop = stopOf(error);
    if (stop?.type !== 'Refused') throw error;
    stumbled(run, `${step.doing}: refused. ${stop.message}`);
    return { ...part, why: stop.message };
  }
}

/** Waits for all that was sent, also where one of them comes to nothing, and only then says so. */
async function settleAll(
  run: Run,
  ordered: Sweep,
  taken: readonly Taken[],
): Promise<{ collected: SweepReceipt['collected']; undone: Left[] }> {
  const collected: SweepReceipt['collected'] = [];
  const undone: Left[] = [];
  let failure: unknown;
  for (const { accepted, ...part } of taken) {
    const { item, wallet } = part;
    const isFound = run.carried.writes[`sweep/${item}`]?.found === true;
    const amount = isFound ? await amountOf(run, accepted) : part.amount;
    const step = stepOf(run, ordered, { item, wallet, amount });
    try {
      const settlement = await settle(run, step, accepted);
      settled(run, step);
      collected.push({ ...settlement, ...named(wallet), amount });
      run.carried.made.collected = collected;
    } catch (error) {
      if (isCancellation(error)) undone.push({ ...part, why: cancelledWords });
      else failure ??= error;
    }
  }
  if (failure !== undefined) throw failure;
  return { collected, undone };
}

/** What an earlier run has taken, as the service recorded it. */
async function amountOf(run: Run, { transactionId: id }: Accepted): Promise<string> {
  return once(run, `amount of ${id}`, async () => {
    const record = await readSurely(run, 'how much was taken before', (from) =>
      from.getTransaction({ id }),
    );
    return record.amounts?.[0] ?? '0';
  });
}

function stepOf(run: Run, ordered: Sweep, part: Pick<Part, 'item' | 'wallet' | 'amount'>) {
  const { into, token, feeLevel } = ordered;
  const { item, wallet: from, amount } = part;
  const doing = collectionOf(token.name, from.address);
  return transferStep(run, {
    ...{ step: 'sweep', item, doing, from, to: into.address, token, amount, feeLevel },
  });
}

function named({ walletId, address }: ResolvedWallet) {
  return { walletId, address };
}
