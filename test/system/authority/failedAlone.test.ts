import { setTimeout as sleep } from 'node:timers/promises';
import { newLines, paidOnChain } from '../../support/payouts';
import { officeOf } from './office';

const { keys, ...office } = officeOf('failed-alone', (wallets) => ({
  groups: { treasurers: ['ann'] },
  rules: [
    {
      id: 'out',
      kind: 'limit',
      orders: ['payout'],
      wallets: wallets.map(({ id }) => id),
      tokens: ['USDC'],
      to: 'anyone',
      signedBy: 'backends',
      perTransfer: '1',
    },
  ],
}));
/** The time in which the test blocks a recipient, after its batch was accepted. */
const settleMs = 3_000;
const payoutId = 'failed-alone';
const workflowId = `payout:${payoutId}`;

async function ask(method: string, path: string, body?: object): Promise<void> {
  const { sandbox } = office;
  const request = { headers: {}, ...(body && { body }) };
  const { status } = await sandbox().request(
    method,
    `${sandbox().origin}/_sandbox/${path}`,
    request,
  );
  expect(status).toBeLessThan(300);
}

/** Waits until the service has accepted so many transactions of the wallets. */
async function untilAccepted(count: number): Promise<void> {
  const wanted = { txType: 'OUTBOUND', includeAll: true };
  for (;;) {
    const { transactions } = await office.sandbox().client.listTransactions(wanted);
    if (transactions.length >= count) return;
    await sleep(50);
  }
}

test('a line that failed alone in a signed batch is retried alone, and each line is paid once', async () => {
  await ask('PATCH', 'settings', { settleMs });
  const [wallet] = office.wallets();
  const lines = newLines(6);
  const [, , blocked] = lines;
  const steadfast = office.steadfastWith(keys.backend.sign);
  const order = { payoutId, wallets: [wallet?.id ?? ''], batch: { linesMax: 6 } };
  const started = await steadfast.payout(order, lines);
  await untilAccepted(1);
  await ask('PUT', `blocklist/${blocked?.to}`);
  expect(await started.receipt()).toMatchObject({ lines: 6, paid: 5, failed: 1, unknown: 0 });
  await ask('DELETE', `blocklist/${blocked?.to}`);
  // The next worker has only the ledger to know what became of the batch.
  await office.restartWith({});
  const again = await steadfast.retry(workflowId, [blocked?.lineId ?? '']);
  expect(await again.receipt()).toMatchObject({ lines: 6, paid: 6, failed: 0, unknown: 0 });
  const paid = Object.values(await paidOnChain(office.sandbox(), lines));
  expect(paid.map((hashes) => hashes.length)).toEqual(lines.map(() => 1));
  expect(new Set(paid.flat()).size).toBe(2);
});
