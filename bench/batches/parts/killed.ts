import { setTimeout as sleep } from 'node:timers/promises';
import { killOnTheWay } from '../../../proof/kill/kills';
import { createSteadfast } from '../../../src/client/client';
import type { PayoutLine } from '../../../src/orders/payout';
import type { PartOptions } from '../../parts';
import type { AccountType } from '../arena';
import { audit, nextBlock, paidBy } from '../audit';
import type { Course, KilledBatches } from '../results';
import { linesOf } from '../rounds';
import { onStage, type Stage } from '../stage';

const linesMax = 100;
const killCount = 24;
/** Lines of one wallet share batches, so few wallets pay the most with one write. */
const walletsOf: Record<AccountType, number> = { EOA: 2, SCA: 20 };
/** The time limit of a payout. */
const msMax = 1_200_000;

/** Pays once while worker, sandbox, Temporal and chain are killed. Each line is judged, not speed. */
export async function measureKilled(
  accountType: AccountType,
  { linesMax: lines, tell }: PartOptions,
): Promise<{ rounds: KilledBatches[] }> {
  const course: Course = { accountType, wallets: walletsOf[accountType], linesMax, lines };
  const killed = await onStage({ accountType, count: course.wallets }, (stage) =>
    payUnderKills(stage, linesOf(lines)),
  );
  const { once, twice, lost, otherwise, seconds, kills } = killed;
  const told = Object.entries(kills).map(([victim, times]) => `${victim} ${times}`);
  tell(
    `${accountType} under kills (${told.join(', ')}): ${once} lines paid once, ${twice} twice, ` +
      `${lost} lost, ${otherwise} not ordered, ${seconds.toFixed(1)} s`,
  );
  return { rounds: [{ ...course, ...killed }] };
}

async function payUnderKills(stage: Stage, lines: readonly PayoutLine[]) {
  const { stack, payers } = stage;
  const fromBlock = await nextBlock(stack.rpcUrl);
  const paid = () => paidBy(stack.rpcUrl, { payers, fromBlock });
  let isOver = false;
  const [seconds, kills] = await Promise.all([
    pay(stage, lines).finally(() => {
      isOver = true;
    }),
    killOnTheWay({
      seed: lines.length,
      kills: killCount,
      isOver: () => isOver,
      victims: [stack.worker, stack.sandbox, stack.temporal, stack.chain],
      done: async () => (await paid()).length / lines.length,
    }),
  ]);
  const { once, twice, lost, otherwise } = await audit(stack.rpcUrl, { lines, payers, fromBlock });
  return { once, twice, lost, otherwise, seconds, kills: Object.fromEntries(kills) };
}

/** Pays lines. Repeats its calls while Temporal is away. Returns the seconds that it took. */
async function pay(stage: Stage, lines: readonly PayoutLine[]): Promise<number> {
  const { stack, client, payers } = stage;
  const steadfast = createSteadfast({ client, taskQueue: stack.taskQueue });
  const wallets = payers.map(({ id }) => id);
  const order = { payoutId: `bench-${lines[0]?.lineId}`, wallets, batch: { linesMax } };
  const startedMs = performance.now();
  for (const endMs = Date.now() + msMax; ; await sleep(500)) {
    try {
      const started = await steadfast.payout(order, lines);
      await started.receipt();
      return (performance.now() - startedMs) / 1_000;
    } catch (error) {
      if (Date.now() > endMs) throw error;
    }
  }
}
