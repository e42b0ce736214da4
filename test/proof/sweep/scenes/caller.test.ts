import { randomUUID } from 'node:crypto';
import type { Lane } from '../../../../proof/sweep/lane';
import { orderName } from '../../../../proof/sweep/orderName';
import { type Call, createGate } from '../../../../proof/sweep/proxies/gate';
import { comeBy, untilSent } from '../../../../proof/sweep/scenes/caller';
import type { CustodyApi } from '../../../../src/custody/endpoints';

const order = { name: orderName(1), number: 1 };
const send: Call = {
  order: order.name,
  name: 'service createTransfer',
  ends: ['worker', 'sandbox'],
};
const told: Call = { order: order.name, name: 'told', ends: ['worker', 'temporal'] };

/** A stack whose order sends a transfer. A kill of the worker loses its call on the way back. */
async function lostCall(custody: Partial<CustodyApi> = {}): Promise<Lane> {
  const gate = createGate();
  gate.holdAt(order.name, { call: told.name, nth: 1, point: 'after' });
  const pass = gate.meet(send);
  await pass('before');
  await gate.meet(told)('after');
  const passing = pass('between');
  gate.release(['worker']);
  expect(await passing).toBe(false);
  return { gate, custody } as Lane;
}

test('an order is sent once the service has its record, though nobody heard of it', async () => {
  const asked: unknown[] = [];
  const record = { id: randomUUID(), refId: `transfer:${order.name}` };
  const lane = await lostCall({
    listTransactions: async (input: unknown) => {
      asked.push(input);
      // The service is away at first.
      if (asked.length === 1) throw new Error('ECONNREFUSED');
      return { transactions: asked.length === 2 ? [] : [record] } as never;
    },
  });
  await untilSent(lane, order);
  expect(asked).toHaveLength(3);
});

test('a later call comes by a boundary whose first call a kill has lost', async () => {
  const lane = await lostCall();
  const again = lane.gate.meet(send);
  for (const point of ['before', 'between', 'after'] as const) await again(point);
  await comeBy(lane, order, { call: send.name, nth: 1, point: 'after' });
});
