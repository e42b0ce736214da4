import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { behindOrders } from '../../activities/payout/shardOrder';
import { createServe, type Orders } from '../support/orders';
import {
  transferOrder as order,
  scriptedCustody,
  transferRecord,
} from '../support/service/scriptedCustody';

const serve = createServe();
const limits = { writesPerSecond: 0.5, readsPerSecond: undefined };

/** A service that notes when it was sent which amount: a line has 1, an order of its own 5. */
function notingCustody() {
  const sent: { amount: string | undefined; atMs: number }[] = [];
  const custody = scriptedCustody({
    createTransfer: ({ amounts }) => {
      sent.push({ amount: amounts?.[0], atMs: Date.now() });
      return { id: transferRecord().id, state: 'INITIATED' };
    },
  });
  const untilSent = async (count: number): Promise<void> => {
    while (sent.length < count) await sleep(20);
  };
  return { custody, sent, untilSent };
}

function payLines({ client, taskQueue }: Orders, count: number) {
  const workflowId = `payout:${randomUUID()}`;
  const options = { workflowId, taskQueue, args: [count], priority: behindOrders };
  return client.workflow.start('payLines', options);
}

describe('the limit of writes', () => {
  test.concurrent('is kept by two workers together, and a change holds at once', async () => {
    const { custody, sent, untilSent } = notingCustody();
    const orders = await serve(custody, { limits });
    const { taskQueue, steadfast } = orders;
    await serve(custody, { limits, taskQueue });
    const lines = await payLines(orders, 140);
    await untilSent(4);
    expect(Date.now() - (sent[0]?.atMs ?? 0)).toBeGreaterThan(1_500);
    expect(await steadfast.rates()).toEqual({
      writes: { perSecond: 0.5, setBy: 'workers' },
      reads: { perSecond: undefined, setBy: 'nobody' },
    });

    await steadfast.changeRates({ writes: 'off' });
    // At the old pace these would take longer than a test may.
    await lines.result();
  });

  test.concurrent('that was changed holds for workers that are started later', async () => {
    const { custody, sent } = notingCustody();
    const orders = await serve(custody, { limits: { ...limits, writesPerSecond: 500 } });
    await orders.steadfast.changeRates({ writes: 0.1 });
    await orders.restart();
    const { writes } = await orders.steadfast.rates();
    expect(writes).toEqual({ perSecond: 0.1, setBy: 'command' });
    const lines = await payLines(orders, 30);
    await sleep(2_000);
    expect(sent.length).toBeLessThan(15);

    const back = await orders.steadfast.changeRates({ writes: 'default' });
    expect(back.writes).toEqual({ perSecond: 500, setBy: 'workers' });
    await lines.result();
    expect(sent).toHaveLength(30);
  });

  test('is refused where it would be none', async () => {
    const { steadfast } = await serve(scriptedCustody());
    await expect(steadfast.changeRates({ writes: 0 })).rejects.toThrow(
      'writes: 0 must be a number from above 0 to 10000, off (no limit) or default.',
    );
  });
});

test.concurrent('an order of its own overtakes the lines of a payout', async () => {
  const { custody, sent, untilSent } = notingCustody();
  const orders = await serve(custody, { limits: { ...limits, writesPerSecond: 1 } });
  const lines = await payLines(orders, 60);
  await untilSent(4);
  await orders.steadfast.execute('transferStablecoin', `transfer:${randomUUID()}`, order);
  await orders.steadfast.changeRates({ writes: 'off' });
  await lines.result();
  expect(sent).toHaveLength(61);
  expect(sent.findIndex(({ amount }) => amount === '5')).toBeLessThan(30);
});
