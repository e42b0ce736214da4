import type { Signed } from '../../../src/orders/input/signed';
import { settled } from '../../support/sandbox';
import { asOf, stranger } from '../writer';
import { newLedger, type Ordered, send, signedOrders } from './signedOrders';

const office = signedOrders();

/** The same order in another generation, with changes. */
function at(order: Ordered, generation: number, fields: object = {}): Ordered {
  const parts = { ...order.parts, generation };
  const { identity, how } = asOf(parts);
  return { ...order, parts, input: { ...order.input, ...identity, ...fields }, how };
}

/** A signed order that is paid, and its writer. */
async function paidOnce() {
  const { api } = office.writer(newLedger(), [], { beyond: undefined });
  const order = office.ordered('1');
  const request: Signed = await office.keys.backend.sign(order.text, 'request');
  const { id } = await send(api, order, { request });
  await settled(api, id);
  return { api, order, request, id };
}

describe('an order that is paid is not paid again', () => {
  const held = 'needs an end without effect of generation 0';

  it('after a later generation was refused', async () => {
    const { api, order, request } = await paidOnce();
    const other = at(order, 1, { destinationAddress: stranger });
    await expect(send(api, other, { request })).rejects.toThrow();
    await expect(send(api, at(order, 2), { request })).rejects.toThrow(held);
    expect(await office.paid()).toEqual([1_000_000n]);
  });

  it('after a cancellation with the parts of a later generation', async () => {
    const { api, order, request, id } = await paidOnce();
    const { identity, how } = asOf({ ...order.parts, generation: 1 });
    const { idempotencyKey } = identity;
    await expect(api.cancelTransaction({ id, idempotencyKey }, how)).rejects.toThrow(
      'No order makes a cancelTransaction in a step "transfer".',
    );
    await expect(send(api, at(order, 2), { request })).rejects.toThrow(held);
    expect(await office.paid()).toEqual([1_000_000n]);
  });
});
