import { setTimeout as sleep } from 'node:timers/promises';
import { createSteadfast } from '../../../src/client/client';
import type { PayoutLine } from '../../../src/orders/payout';
import { killOnTheWay } from '../../kill/kills';
import { costOfMany } from '../payouts/histories';
import { type Audit, audit, nextBlock, paidBy } from './audit';
import type { Course } from './course';

/** Lines of a batch. Undefined: each line by itself. */
export type Batching = number | undefined;

export type Figures = Audit & {
  seconds: number;
  linesPerS: number;
  eventsPerLine: number;
  actionsPerLine: number;
};

/** The time limit of a payout. */
const msMax = 1_200_000;

/** Pays lines, and reads their effects from the chain. */
export async function pay(
  course: Course,
  { lines, batching }: { lines: readonly PayoutLine[]; batching: Batching },
): Promise<Figures> {
  const { stack, client, payers } = course;
  const steadfast = createSteadfast({ client, taskQueue: stack.taskQueue });
  const payoutId = `bench-${lines[0]?.lineId}`;
  const batch = batching === undefined ? (false as const) : { linesMax: batching };
  const order = { payoutId, wallets: payers.map(({ id }) => id), batch };
  const fromBlock = await nextBlock(stack.rpcUrl);
  const startedMs = performance.now();
  for (const endMs = Date.now() + msMax; ; await sleep(500)) {
    try {
      const started = await steadfast.payout(order, lines);
      await started.receipt();
      break;
    } catch (error) {
      // Temporal may be away, and may be back.
      if (Date.now() > endMs) throw error;
    }
  }
  const seconds = (performance.now() - startedMs) / 1_000;
  const id = `payout:${payoutId}`;
  const parts = await client.workflow.getHandle(id).query<{ shardId: string }[]>('parts');
  const { events, actions } = await costOfMany(client, {
    each: [id, ...parts.map(({ shardId }) => shardId)],
  });
  return {
    ...(await audit(stack.rpcUrl, { lines, payers, fromBlock })),
    seconds,
    linesPerS: lines.length / seconds,
    eventsPerLine: events / lines.length,
    actionsPerLine: actions / lines.length,
  };
}

/** The same while each process is killed again and again. */
export async function payUnderKills(
  course: Course,
  { kills, seed, ...paying }: Parameters<typeof pay>[1] & { kills: number; seed: number },
): Promise<Figures & { kills: Map<string, number> }> {
  const { stack, payers } = course;
  const fromBlock = await nextBlock(stack.rpcUrl);
  const paid = () => paidBy(stack.rpcUrl, { payers, fromBlock });
  let isOver = false;
  const [figures, killed] = await Promise.all([
    pay(course, paying).finally(() => {
      isOver = true;
    }),
    killOnTheWay({
      seed,
      kills,
      isOver: () => isOver,
      victims: [stack.worker, stack.sandbox, stack.temporal, stack.chain],
      done: async () => (await paid()).length / paying.lines.length,
    }),
  ]);
  return { ...figures, kills: killed };
}
