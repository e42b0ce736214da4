import { setTimeout as sleep } from 'node:timers/promises';
import type { Transaction } from '../../src/custody/objects/transaction';
import type { Cast, Flow } from './flows/flow';
import { type ChainReader, createChainReader } from './judge/chainLogs';
import { type Complaint, type End, judge } from './judge/judge';
import { untilClosed } from './judge/observe';
import type { Lane } from './lane';
import { orderName, orderNames } from './orderName';

const startMsMax = 60_000;
const againMs = 300;
const mendEveryMs = 2_000;
const pageSize = 50;
/** The service keeps the times of its records to the second. */
const recordMs = 1_000;

/** Numbers orders, so that each has a name and amounts of its own. */
let orders = 0;

/** Makes all that an order of this flow needs. */
export async function prepare(lane: Lane, flow: Flow): Promise<Cast> {
  orders += 1;
  const [name, number] = [orderName(orders), orders];
  return { name, play: await flow.prepare(lane, { name, number }) };
}

/** Acts as a caller who does not give up: starts the order, and acts while it runs. */
export async function perform({ play }: Cast): Promise<void> {
  await again(() => play.start());
  const { act } = play;
  if (act !== undefined) await again(() => act());
}

/** Repeats a call until it succeeds, or throws its last error at the timeout. */
async function again(call: () => Promise<unknown>): Promise<void> {
  const endMs = Date.now() + startMsMax;
  for (;;) {
    try {
      await call();
      return;
    } catch (error) {
      if (Date.now() > endMs) throw error;
      await sleep(againMs);
    }
  }
}

/** Waits for the end of an order. Meanwhile does what the order asks of an operator. */
export async function untilEnd(lane: Lane, cast: Cast, deadlineMs: number): Promise<End> {
  let isOver = false;
  const mending = (async () => {
    while (!isOver && cast.play.mend !== undefined) {
      await cast.play.mend().catch(() => {});
      await sleep(mendEveryMs);
    }
  })();
  const end = await untilClosed(lane, cast, deadlineMs);
  isOver = true;
  await mending;
  return end;
}

export type Judging = { lane: Lane; chain: ChainReader; fromBlock: bigint; since: Date };

/** Marks the chain's state before an order. Later logs are judged. */
export async function mark(lane: Lane): Promise<Judging> {
  const chain = createChainReader(lane.rpcUrl);
  const since = new Date(Date.now() - recordMs);
  return { lane, chain, fromBlock: await chain.blockNumber(), since };
}

/** Judges orders that have ended, by all that the chain has logged since the mark. */
export async function judgeAll(
  { lane, chain, fromBlock, since }: Judging,
  ended: readonly { cast: Cast; end: End }[],
): Promise<Map<string, Complaint[]>> {
  const logs = await chain.logsSince(fromBlock);
  const records = await recordsSince(lane, since);
  const judged = ended.map(async ({ cast: { name, play }, end }) => {
    const startedTwice = await play.twice?.();
    const own = recordsNaming(name, records);
    const complaints = judge({ ...play, startedTwice, end, logs, records: own });
    return [name, complaints] as const;
  });
  return new Map(await Promise.all(judged));
}

/** All that wallets of ours have sent since then, in the service's own records. */
export async function recordsSince({ custody }: Lane, since: Date): Promise<Transaction[]> {
  const found: Transaction[] = [];
  for (let pageAfter: string | undefined; ; pageAfter = found.at(-1)?.id) {
    const { transactions } = await custody.listTransactions({
      includeAll: true,
      txType: 'OUTBOUND',
      from: since.toISOString(),
      pageSize,
      ...(pageAfter === undefined ? {} : { pageAfter }),
    });
    found.push(...transactions);
    if (transactions.length < pageSize) return found;
  }
}

/** The records whose reference names an order. */
export function recordsNaming(name: string, records: readonly Transaction[]): Transaction[] {
  return records.filter(({ refId = '' }) => orderNames(refId).includes(name));
}
