import { setTimeout as sleep } from 'node:timers/promises';
import { WorkflowNotFoundError } from '@temporalio/client';
import type { Orders } from '../orders';
import type { TestSandbox } from '../sandbox';

/** Details of orders, by name. Without privacy, each of them can be found in Temporal. */
export type Told = Record<string, string>;

/** A settling time longer than any test. */
const heldMs = 600_000;
const lookMs = 100;
const looksMax = 300;

/**
 * Runs orders of every sort whose details must stay private: a sequence, a failure, a payout, a
 * schedule, and updates with reasons. Returns these details.
 */
export async function tellEverything(orders: Orders, sandbox: TestSandbox): Promise<Told> {
  const wallet = await sandbox.fundedWallet('EOA');
  const parts = [
    await tellSequence(orders),
    await tellFailure(orders, wallet.id),
    await tellPayout(orders, wallet.id),
    await tellReasons(orders, sandbox, wallet.id),
    await tellSchedule(orders, wallet.id),
  ];
  return Object.assign({ 'address of the sender': wallet.address }, ...parts);
}

async function tellSequence({ steadfast }: Orders): Promise<Told> {
  const order = { name: 'Harbourmaster', amount: '7.310713', token: 'USDC' };
  const { from, to, txHash } = await steadfast.execute('transferSequence', 'sequence:1', order);
  return {
    'name of a wallet set': order.name,
    'amount of a sequence': order.amount,
    'address that a sequence made': from,
    'address that a sequence paid': to,
    'hash of its transaction': txHash,
  };
}

async function tellFailure({ steadfast }: Orders, walletId: string): Promise<Told> {
  const to = '0x6b1a4c0bd2e05a4f70c5e0d2d9ab0a1f1f4e7a01';
  const order = { from: { walletId }, to, amount: '876543.21', token: 'USDC' };
  const reference = 'Invoice Quintessence';
  const failing = steadfast.execute('transferStablecoin', 'transfer:1', { ...order, reference });
  const told = await failing.then(String, (error: Error) => error.message);
  const [why = ''] = /Send more to .*/.exec(told) ?? [];
  if (why === '') throw new Error(`The transfer had to fail for lack of funds: ${told}`);
  return {
    'amount that is not there': order.amount,
    'address of a failed transfer': to,
    'reference of a failed transfer': reference,
    'message of a failure': why,
  };
}

async function tellPayout({ steadfast }: Orders, walletId: string): Promise<Told> {
  const to = '0x6b1a4c0bd2e05a4f70c5e0d2d9ab0a1f1f4e7a02';
  const line = { lineId: 'employee-Zebedee', to, amount: '1.234567', token: 'USDC' };
  const lines = [line, { ...line, lineId: 'employee-Florence', amount: '0.765433' }];
  const order = { payoutId: 'week-1', wallets: [walletId], reference: 'salaries Quartermain' };
  const { receipt } = await steadfast.payout(order, lines);
  await receipt();
  return {
    'id of a line': line.lineId,
    'address of a line': to,
    'amount of a line': line.amount,
    'reference of a payout': order.reference,
  };
}

async function tellReasons(
  { steadfast, progress }: Orders,
  { request, origin }: TestSandbox,
  walletId: string,
): Promise<Told> {
  const change = (settleMs: number) =>
    request('PATCH', `${origin}/_sandbox/settings`, { headers: {}, body: { settleMs } });
  const id = 'transfer:2';
  const to = '0x6b1a4c0bd2e05a4f70c5e0d2d9ab0a1f1f4e7a03';
  await change(heldMs);
  const started = await steadfast.start('transferStablecoin', id, {
    from: { walletId },
    to,
    amount: '0.5',
    token: 'USDC',
  });
  await progress(id, ({ status }) => status === 'Settling');
  const reasons = { pause: 'Marguerite checks the passport', cancel: 'Thessaloniki withdrew it' };
  await steadfast.pause(id, reasons.pause);
  await steadfast.resume(id);
  await steadfast.cancel(id, reasons.cancel);
  await change(50);
  await started.receipt().catch(() => undefined);
  return { 'reason of a pause': reasons.pause, 'reason of a cancel': reasons.cancel };
}

async function tellSchedule({ steadfast, client }: Orders, walletId: string): Promise<Told> {
  const to = '0x6b1a4c0bd2e05a4f70c5e0d2d9ab0a1f1f4e7a04';
  const order = {
    from: { walletId },
    to,
    amount: '0.456789',
    token: 'USDC',
    reference: 'rent Bartholomew {period}',
  };
  const { schedules } = steadfast;
  const every = { kind: 'transferStablecoin', cron: '0 9 1 * *', period: 'yyyy-MM' } as const;
  await schedules.create('rent', { ...every, order });
  await schedules.trigger('rent', '2026-01', { beforeCreation: true });
  // Temporal starts these orders from the schedule. The second one has the first one's result.
  await schedules.backfill('rent', {
    from: '2026-02-01',
    to: '2026-03-31',
    beforeCreation: true,
  });
  for (const period of ['2026-01', '2026-02', '2026-03']) {
    const handle = client.workflow.getHandle(`transfer:rent:${period}`);
    await until(() => handle.result().then(Boolean, (error) => !isUnknown(error)));
  }
  const note = 'Wilhelmina moves out';
  await schedules.pause('rent', note);
  await until(async () => {
    const { paused } = await schedules.describe('rent');
    const [listed] = await schedules.list();
    return paused === note && listed?.paused === note;
  });
  return {
    'address of a schedule': to,
    'amount of a schedule': order.amount,
    'reference of a schedule': 'rent Bartholomew',
    'note of a schedule': note,
  };
}

/** Waits until a condition holds. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let looks = 0; !(await isSo()); looks++) {
    if (looks === looksMax) throw new Error(`This never became true: ${isSo}`);
    await sleep(lookMs);
  }
}

function isUnknown(error: unknown): boolean {
  if (error instanceof WorkflowNotFoundError) return true;
  throw error;
}
