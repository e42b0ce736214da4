import { RefusedError } from '../../../src/custody/errors';
import type { Ledger } from '../../../src/writer/ledger/ledger';
import { settled } from '../../support/sandbox';
import { limitOf, writerOf } from '../writer';
import { askedFor, newLedger, send, signedOrders, tierOf } from './signedOrders';

const office = signedOrders();

/** Two attempts of one write. The ledger lets the second look while the first is under way. */
function twoAttempts() {
  const own = newLedger();
  let onKnown = async (): Promise<void> => {};
  const ledger: Ledger = {
    ...own,
    known: async (reference) => {
      const known = await own.known(reference);
      await onKnown();
      return known;
    },
  };
  const { client } = office.sandbox();
  let answer = (): void => {};
  let isFirst = true;
  const { api } = writerOf(
    {
      ...client,
      createTransfer: async (input, how) => {
        if (!isFirst) return client.createTransfer(input, how);
        isFirst = false;
        await new Promise<void>((resolve) => {
          answer = resolve;
        });
        throw new RefusedError('too many', { status: 429, code: 429 });
      },
    },
    [limitOf(office.wallet(), { signedBy: 'backends' }), tierOf('large', '2')],
    { ledger, people: office.people, groups: office.groups },
  );
  return {
    api,
    /** Lets the service refuse the first attempt, once the second one has looked. */
    refuseOnce: (first: Promise<unknown>): void => {
      onKnown = async () => {
        onKnown = async () => {};
        answer();
        await first.catch(() => {});
      };
    },
    isSent: () => !isFirst,
  };
}

it('asks people about an attempt that began while the first was under way, and the first failed', async () => {
  const { api, refuseOnce, isSent } = twoAttempts();
  const order = office.ordered('4');
  const request = await office.keys.backend.sign(order.text, 'request');
  const { statement } = await askedFor(send(api, order, { request }));
  const decisions = await office.both(statement);
  const first = send(api, order, { request, decisions });
  while (!isSent()) await new Promise(setImmediate);
  refuseOnce(first);
  await expect(send(api, order, { request })).rejects.toMatchObject({ next: 'again' });
  await expect(first).rejects.toThrow('too many');
  expect((await askedFor(send(api, order, { request }))).given).toEqual([]);
  expect(await office.paid()).toEqual([]);
  const { id } = await send(api, order, { request, decisions });
  await settled(api, id);
  expect(await office.paid()).toEqual([4_000_000n]);
});
