import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { finalState } from '../../src/custody/objects/state';
import { type Measure, median } from '../measure';
import { startToldStage, type Told, type ToldStage } from './toldStage';

const settleTimesMs = [1_000, 2_000, 5_000, 20_000];
/** The interval at which the bare script polls. */
const lookMs = 500;
const goals: Readonly<Record<number, number>> = { 1000: 1.25 };
const goalDefault = 1.1;

/** One transfer from order to receipt. */
type Order = { ms: number; lagMs: number; reads: number; events: number };

/** Measures one transfer from order to receipt, told or polling, beside a script that polls. */
export async function measureTransfers(rounds: number): Promise<Measure[]> {
  const stage = await startToldStage();
  try {
    const measures: Measure[] = [];
    for (const mode of ['told', 'polling'] as const) {
      await stage.use(mode);
      // The first orders of a worker are slow, and it learns from them whether notices arrive.
      for (let order = 0; order < 3; order++) await pay(stage, 500);
      for (const settleMs of settleTimesMs) {
        measures.push(...(await measureOne(stage, { mode, settleMs, rounds })));
      }
    }
    return measures;
  } finally {
    await stage.stop();
  }
}

type Asked = { mode: Told; settleMs: number; rounds: number };

async function measureOne(stage: ToldStage, { mode, settleMs, rounds }: Asked): Promise<Measure[]> {
  const orders: Order[] = [];
  const scriptMs: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    console.error(`notices: ${mode}, settling in ${settleMs / 1_000} s, round ${round}`);
    const [order, bare] = await Promise.all([pay(stage, settleMs), script(stage)]);
    orders.push(order);
    scriptMs.push(bare);
  }
  const name = `${mode}, settling in ${settleMs / 1_000} s`;
  const of = (field: keyof Order): number[] => orders.map((order) => order[field]);
  const goal = { atMost: goals[settleMs] ?? goalDefault };
  return [
    {
      name: `${name}: order to receipt`,
      unit: 'ms',
      values: of('ms'),
      bound: { name: 'a script', values: scriptMs },
      ...(mode === 'told' ? { goal } : {}),
    },
    {
      name: `${name}: settled to known`,
      unit: 'ms',
      values: of('lagMs'),
      ...(mode === 'told' ? { goal: { atMost: 100 } } : {}),
    },
    { name: `${name}: reads after acceptance`, unit: '', values: [median(of('reads'))] },
    { name: `${name}: events`, unit: '', values: [median(of('events'))] },
  ];
}

const amount = '0.01';
const freshAddress = (): string => `0x${randomBytes(20).toString('hex')}`;

/** Pays once, from order to receipt. */
export async function pay(stage: ToldStage, settleMs: number): Promise<Order> {
  await stage.settleIn(settleMs);
  const startedMs = Date.now();
  const id = `transfer:${randomUUID()}`;
  const receipt = await stage.steadfast.execute('transferStablecoin', id, {
    from: { walletId: stage.payers[0].id },
    to: freshAddress(),
    amount,
    token: 'USDC',
  });
  const endedMs = Date.now();
  const { historyLength } = await stage.client.workflow.getHandle(id).describe();
  const settledMs = await stage.settledMs(receipt.transactionId);
  const times = { ms: endedMs - startedMs, lagMs: endedMs - settledMs };
  return { ...times, reads: receipt.polls, events: historyLength };
}

async function script({ custody, payers, blockchain, usdc }: ToldStage): Promise<number> {
  const startedMs = Date.now();
  const { id } = await custody.createTransfer({
    idempotencyKey: randomUUID(),
    walletId: payers[1].id,
    destinationAddress: freshAddress(),
    tokenAddress: usdc,
    blockchain,
    amounts: [amount],
    feeLevel: 'MEDIUM',
  });
  for (;;) {
    const { transaction } = await custody.getTransaction({ id });
    if (finalState(transaction.state) !== undefined) return Date.now() - startedMs;
    await sleep(lookMs);
  }
}
