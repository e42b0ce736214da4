import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { someone } from '../../support/stages';
import { officeOf } from './office';

const payee = someone();
/** Room for twenty lines, so that neither payout alone can end. Their fees have less than a line. */
const roomUnits = 1_000_000;
const feesUnits = 45_000;

/** Transfers need people above 2 USDC. Payouts share a window. */
const { keys, ...office } = officeOf('races', (wallets) => {
  const [one, other] = wallets.map(({ id }) => id);
  const paying = { kind: 'limit', tokens: ['USDC'], to: 'anyone', signedBy: 'backends' };
  const perWindow = { amount: String((roomUnits + feesUnits) / 1e6), hours: 24, over: 'rule' };
  return {
    groups: { treasurers: ['ann', 'bo'] },
    rules: [
      {
        ...paying,
        id: 'out',
        orders: ['transferStablecoin'],
        wallets: [one],
        perTransfer: '10',
      },
      { ...paying, id: 'many', orders: ['payout'], wallets: [other], perWindow },
      { id: 'large', kind: 'approval', above: '2', need: 2, of: 'treasurers', within: 48 },
    ],
  };
});
const { backend, ann, bo } = keys;
const { steadfastWith, untilAsked, approve, paid } = office;

const start = (id: string) => {
  const [wallet] = office.wallets();
  const from = { walletId: wallet?.id ?? '' };
  const order = { from, to: payee, amount: '3', token: 'USDC' } as const;
  return steadfastWith(backend.sign).start('transferStablecoin', id, order);
};

/** Resets the newest run to the moment at which the guard had answered. */
async function reset(workflowId: string): Promise<void> {
  const client = office.client();
  const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
  const tasks = (events ?? []).filter(({ workflowTaskCompletedEventAttributes: task }) => task);
  await client.workflowService.resetWorkflowExecution({
    namespace: 'default',
    requestId: randomUUID(),
    reason: 'a test',
    workflowExecution: { workflowId },
    workflowTaskFinishEventId: tasks[1]?.eventId ?? null,
  });
}

test('a person who approves twice counts once, and who approves after a rejection changes nothing', async () => {
  const before = await paid();
  const id = 'transfer:twice';
  const started = await start(id);
  await untilAsked(id);
  await approve(id, ann);
  await untilAsked(id, 1);
  await approve(id, ann);
  await untilAsked(id, 1);
  const rejected = await office.cli(['reject', id, '--key', bo.path, '--reason', 'no']);
  expect(rejected.code).toBe(0);
  await expect(started.receipt()).rejects.toThrow('bo has rejected it');
  expect((await approve(id, ann)).stderr).toContain('asks for no approval');
  expect(await paid()).toEqual(before);
});

test('an order that is reset across its approvals is paid once', async () => {
  const before = await paid();
  const id = 'transfer:reset';
  await start(id);
  await untilAsked(id);
  await approve(id, ann);
  await untilAsked(id, 1);
  await reset(id);
  await untilAsked(id, 1);
  await approve(id, bo);
  const handle = office.client().workflow.getHandle(id);
  await handle.result();
  await reset(id);
  await handle.result();
  expect(await paid()).toEqual([...before, 3_000_000]);
});

test('two payouts that race for one window never pass it, and the rest waits', async () => {
  const before = await paid();
  const [, wallet] = office.wallets();
  const lines = Array.from({ length: 25 }, (_, at) => {
    return { lineId: `line-${at}`, to: payee, amount: '0.05', token: 'USDC' };
  });
  const ids = ['north', 'south'];
  const payouts = await Promise.all(
    ids.map((payoutId) =>
      steadfastWith(backend.sign).payout({ payoutId, wallets: [wallet?.id ?? ''] }, lines),
    ),
  );
  const sum = async (): Promise<number> =>
    (await paid()).slice(before.length).reduce((all, units) => all + units, 0);
  while ((await sum()) < roomUnits) await sleep(100);
  await sleep(3_000);
  expect(await sum()).toBe(roomUnits);
  for (const payoutId of ids) await steadfastWith().cancel(`payout:${payoutId}`, 'enough');
  // A payout may have had the whole window. It is cancelled then, and has no receipt.
  await Promise.allSettled(payouts.map(({ receipt }) => receipt()));
  const outcomes: string[] = [];
  for (const payoutId of ids) {
    for await (const line of steadfastWith().payoutLines(`payout:${payoutId}`)) {
      outcomes.push(line.outcome);
    }
  }
  expect(outcomes).toHaveLength(50);
  expect(outcomes.filter((outcome) => outcome === 'paid')).toHaveLength(20);
  expect(outcomes.filter((outcome) => outcome === 'skipped')).toHaveLength(30);
  expect(await sum()).toBe(roomUnits);
});
