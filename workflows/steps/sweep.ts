import { ApplicationFailure, isCancellation, upsertMemo } from '@temporalio/workflow';
import type { Accepted } from '../../activities/transactions';
import { fromBaseUnits, toBaseUnits } from '../../src/custody/objects/amount';
import { isNativeCoin } from '../../src/custody/objects/money';
import type { FeeLevel } from '../../src/custody/objects/transaction';
import type { ResolvedToken, ResolvedWallet } from '../../src/orders/kind';
import { collectionOf } from '../../src/orders/progress/doing';
import { memoryKey } from '../../src/orders/progress/status';
import type { SweepReceipt } from '../../src/orders/sweep';
import { reads, stopOf } from '../order/activities';
import { cancellation } from '../order/cancel';
import type { LiveOrder } from '../order/liveOrder';
import { amountsBefore, read, readOrWait } from '../order/read';
import { noteDone, noteFault } from '../order/show';
import { continueWhenLong, standStill } from '../order/wait';
import { once } from '../write/once';
import type { Transacting } from '../write/step';
import { lookBefore, noteOver, settle, write } from '../write/write';
import { transferStep } from './transfer';

export type Sweep = {
  wallets: readonly ResolvedWallet[];
  into: ResolvedWallet;
  token: ResolvedToken;
  /** Amount that stays in each wallet. Without it, enough for its next fees. */
  keep: string | undefined;
  feeLevel: FeeLevel;
};

/** One of the swept wallets. */
type Swept = { item: string; wallet: ResolvedWallet };

/** A part, with its amount. `untold` says why nobody can tell what was sent before. */
type Part = Swept & { held: string; amount: string; untold?: string };

/** A part that stays in its wallet, and why. */
type Left = Part & { why: string };

/** Reserve of a wallet that pays its fees in the swept token: enough for some ten transfers. */
const feeReserve = '0.1';

/**
 * Collects wallets' holdings of a token in one wallet. Each amount is decided once and kept with
 * the order, so a later run sends the same amounts or none. All are sent before the first one is
 * awaited. A refused wallet keeps its money and delays no other wallet.
 */
export async function sweep(live: LiveOrder, ordered: Sweep): Promise<SweepReceipt> {
  const { into, token } = ordered;
  const taken: (Part & { accepted: Accepted })[] = [];
  const left: Left[] = [];
  let failure: unknown;
  for (const part of await partsOf(live, ordered)) {
    try {
      const sent = await unlessCancelled(part, () => send(live, ordered, part));
      if ('why' in sent) left.push(sent);
      else taken.push({ ...part, accepted: sent });
    } catch (error) {
      if (!(error instanceof ApplicationFailure && error.type === 'Failed')) throw error;
      // Somebody has given it up. The others are sent and awaited.
      failure ??= error;
    }
  }
  const collected: SweepReceipt['collected'] = [];
  // All are awaited, even after one has failed.
  for (const { accepted, ...part } of taken) {
    try {
      const end = await unlessCancelled(part, () => settleOne(live, ordered, { part, accepted }));
      if ('why' in end) left.push(end);
      else collected.push(end);
    } catch (error) {
      failure ??= error;
    }
    live.carried.made.collected = collected;
  }
  if (failure !== undefined) throw failure;
  if (collected.length === 0 && live.carried.cancelAsked) throw cancellation();
  const units = collected.reduce((sum, one) => sum + toBaseUnits(one.amount, token.decimals), 0n);
  return {
    into: into.address,
    token: token.name,
    total: fromBaseUnits(units, token.decimals),
    collected,
    left: left.map(({ wallet, held, why }) => ({ ...named(wallet), amount: held, why })),
  };
}

/** A part stays in its wallet if a cancellation is in time. */
async function unlessCancelled<T>(part: Part, attempt: () => Promise<T>): Promise<T | Left> {
  try {
    return await attempt();
  } catch (error) {
    if (isCancellation(error)) return { ...part, why: 'the order was cancelled' };
    throw error;
  }
}

/** The amount from each wallet, decided once in the life of the order. */
async function partsOf(live: LiveOrder, ordered: Sweep): Promise<Part[]> {
  const parts = await once(live, 'what is taken from each', async () => {
    const parts: Part[] = [];
    const amounts = await amountsBefore(live);
    for (const [index, wallet] of ordered.wallets.entries()) {
      const item = `${index + 1}`;
      const known = amounts[item];
      // An amount that was sent before can no longer be read as a balance.
      if (known !== undefined) parts.push({ item, wallet, held: known, amount: known });
      else parts.push(await partOf(live, ordered, { item, wallet }));
    }
    return parts;
  });
  const { memory } = live.opened;
  const amounts = Object.fromEntries(
    parts.flatMap(({ item, amount, untold }) => (untold === undefined ? [[item, amount]] : [])),
  );
  if (memory.amounts === undefined) {
    memory.amounts = amounts;
    upsertMemo({ [memoryKey]: memory });
  }
  return parts;
}

async function partOf(live: LiveOrder, ordered: Sweep, { item, wallet }: Swept): Promise<Part> {
  const { token, keep } = ordered;
  const { blockchain } = live.opened;
  const step = stepOf(live, ordered, { item, wallet, amount: '0' });
  const before = await lookUnlessGivenUp(live, step);
  if (before !== undefined) return sentBefore(live, before, { step, token, item, wallet });
  const holding = await read(live, `balance of ${wallet.address}`, (from) =>
    from.readBalance({ walletId: wallet.walletId, token, blockchain }),
  );
  const paysWithIt = isNativeCoin(token.address, blockchain);
  const usual = wallet.accountType === 'EOA' && paysWithIt ? feeReserve : '0';
  const kept = toBaseUnits(keep ?? usual, token.decimals);
  const units = BigInt(holding?.baseUnits ?? '0');
  const held = fromBaseUnits(units, token.decimals);
  if (units > kept) {
    return { item, wallet, held, amount: fromBaseUnits(units - kept, token.decimals) };
  }
  // It may be empty because Temporal was restored to a moment before this order had swept it.
  const since = await lookUnlessGivenUp(live, step, { isFresh: true });
  return since === undefined
    ? { item, wallet, held, amount: '0' }
    : sentBefore(live, since, { step, token, item, wallet });
}

/** A part that somebody gives up while it is looked up fails when it would be sent. */
async function lookUnlessGivenUp(
  live: LiveOrder,
  step: Transacting,
  options: { isFresh?: boolean } = {},
): Promise<Accepted | undefined> {
  try {
    return await lookBefore(live, step, options);
  } catch (error) {
    if (live.writes.stateOf(step).stage !== 'givenUp') throw error;
    return undefined;
  }
}

type SentBefore = Swept & { step: Transacting; token: ResolvedToken };

/**
 * A part that an earlier run has sent, by the amount that the service shows. The balance is another
 * one since, so the order waits for a record that tells the amount.
 */
async function sentBefore(
  live: LiveOrder,
  { transactionId: id, amount: told }: Accepted,
  { step, token, ...swept }: SentBefore,
): Promise<Part> {
  let amount = told;
  const message =
    `The ${step.doing} was sent before as transaction ${id}, whose record does not tell the ` +
    'amount. Ask the service. The order goes on once the record tells it.';
  const stop = { type: 'NeedsOperator', message, facts: { ambiguous: false } } as const;
  for (let attempt = 0; !isAmount(amount, token); attempt++) {
    if (attempt > 0) {
      if (live.carried.cancelAsked) return { ...swept, held: '0', amount: '0', untold: message };
      await standStill(live, stop, attempt);
      await continueWhenLong(live);
    }
    amount = await amountIn(live, id);
  }
  return { ...swept, held: amount, amount };
}

/** The amount of a transaction. Undefined where its record cannot be read now. */
async function amountIn(live: LiveOrder, id: string): Promise<string | undefined> {
  const record = await readOrWait(live, () =>
    reads(`amount of transaction ${id}`).getTransaction({ id }),
  );
  return record?.amounts?.[0];
}

/** True for an amount of a token above zero. */
function isAmount(amount: string | undefined, { decimals }: ResolvedToken): amount is string {
  try {
    return amount !== undefined && toBaseUnits(amount, decimals) > 0n;
  } catch {
    return false;
  }
}

/** Sends one part. A part stays in its wallet if it is refused. */
async function send(live: LiveOrder, ordered: Sweep, part: Part): Promise<Accepted | Left> {
  const step = stepOf(live, ordered, part);
  const isGivenUp = live.writes.stateOf(step).stage === 'givenUp';
  if (part.untold !== undefined) throw ApplicationFailure.nonRetryable(part.untold, 'Failed');
  if (part.amount === '0' && !isGivenUp) return { ...part, why: 'it holds no more than it keeps' };
  try {
    const accepted = await write(live, step);
    noteDone(live, `${step.doing}: accepted as ${accepted.transactionId}`);
    return accepted;
  } catch (error) {
    const stop = stopOf(error);
    if (stop?.type !== 'Refused') throw error;
    noteFault(live, `${step.doing}: refused. ${stop.message}`);
    return { ...part, why: stop.message };
  }
}

async function settleOne(
  live: LiveOrder,
  ordered: Sweep,
  { part, accepted }: { part: Part; accepted: Accepted },
): Promise<SweepReceipt['collected'][number]> {
  const { item, wallet } = part;
  const { amount = part.amount } = isAmount(accepted.amount, ordered.token) ? accepted : {};
  const step = stepOf(live, ordered, { item, wallet, amount });
  const settlement = await settle(live, step, accepted);
  noteOver(live, step);
  return { ...settlement, ...named(wallet), amount };
}

function stepOf(live: LiveOrder, ordered: Sweep, part: Swept & { amount: string }) {
  const { into, token, feeLevel } = ordered;
  const { item, wallet: from, amount } = part;
  const doing = collectionOf(token.name, from.address);
  const sent = { step: 'sweep', item, doing, from, to: into.address };
  return transferStep(live, { ...sent, token, amount, feeLevel });
}

function named({ walletId, address }: ResolvedWallet) {
  return { walletId, address };
}
