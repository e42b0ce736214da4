import { setTimeout as sleep } from 'node:timers/promises';
import type { CustodyApi } from '../../../src/custody/endpoints';
import { RefusedError } from '../../../src/custody/errors';
import { createServe } from '../../support/orders';
import { newLines, payoutOf } from '../../support/payouts';
import { openTill, type Till } from '../../support/service/tillCustody';
import { inTemporal } from '../../support/temporal';

/** A server that has never heard of the payout, as after the retention of the first one. */
const other = inTemporal();
const serve = createServe();

/** The number of transfers that moved money, by line. */
const moves = ({ taken }: Till, lines: readonly { to: string }[]): number[] =>
  lines.map(
    ({ to }) =>
      taken.filter(
        ({ destinationAddress, state }) =>
          destinationAddress?.toLowerCase() === to && state === 'COMPLETE',
      ).length,
  );

describe('a payout that Temporal and the service have forgotten', () => {
  test.concurrent('pays no line again, also when it is ended and uploaded once more', async () => {
    const till = openTill();
    const first = await serve(till.custody);
    const lines = newLines(9);
    const order = payoutOf(till.wallets);
    const paid = await first.steadfast.payout(order, lines);
    expect(await paid.receipt()).toMatchObject({ paid: 9 });
    till.letMonthPass();
    let isSlow = true;
    const { listTransactions } = till.custody;
    const slow: CustodyApi = Object.assign(Object.create(till.custody), {
      // It ends while its lines are looked up.
      listTransactions: async (...call: Parameters<CustodyApi['listTransactions']>) => {
        while (isSlow) await sleep(20);
        return listTransactions(...call);
      },
    });
    const second = await serve(slow, { address: other.address });
    const { workflowId } = await second.steadfast.payout(order, lines);
    const { workflow } = second.client;
    await workflow.getHandle(`${workflowId}:shard:1`).terminate('a test');
    await workflow.getHandle(workflowId).terminate('a test');
    isSlow = false;
    const third = await second.steadfast.payout(order, lines);
    expect(await third.receipt()).toMatchObject({ lines: 9, paid: 9 });
    expect(moves(till, lines)).toEqual(lines.map(() => 1));
    expect(till.taken).toHaveLength(9);
  });

  test.concurrent('pays the lines that were not paid, and no others', async () => {
    const till = openTill();
    const first = await serve(till.custody);
    const lines = newLines(9);
    const unpaid = [lines[0]?.to, lines[4]?.to, lines[8]?.to];
    let isOpen = false;
    till.settings.onTransfer = ({ destinationAddress }, take) => {
      if (isOpen || !unpaid.includes(destinationAddress?.toLowerCase())) return take();
      throw new RefusedError('no funds', { status: 400, code: 155258 });
    };
    const order = payoutOf(till.wallets);
    const started = await first.steadfast.payout(order, lines);
    expect(await started.receipt()).toMatchObject({ paid: 6, failed: 3 });
    till.letMonthPass();
    isOpen = true;
    const second = await serve(till.custody, { address: other.address });
    const again = await second.steadfast.payout(order, lines);
    expect(await again.receipt()).toMatchObject({ lines: 9, paid: 9 });
    expect(moves(till, lines)).toEqual(lines.map(() => 1));
  });
});
