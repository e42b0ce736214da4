import { randomUUID } from 'node:crypto';
import { createServe, type Orders } from '../../support/orders';
import { scriptedCustody, transferRecord } from '../../support/service/scriptedCustody';

/**
 * Serves transfers that settle at once, for the tests of a file, and removes their schedules after
 * them. `refusal` is the service's answer to an amount that it does not take.
 */
export function serveSchedules(refusal: (amount: string) => Error | undefined = () => undefined) {
  const serve = createServe();
  const sent = new Map<string, string[]>();
  const created: string[] = [];
  const custody = scriptedCustody({
    createTransfer: ({ amounts = [] }) => {
      const refused = refusal(amounts[0] ?? '');
      if (refused !== undefined) return refused;
      const id = randomUUID();
      sent.set(id, amounts);
      return { id, state: 'INITIATED' };
    },
    getTransaction: ({ id }) => ({
      transaction: transferRecord({ id, amounts: sent.get(id) ?? [] }),
    }),
  });
  let orders: Orders | undefined;
  const now = (): Orders => {
    if (orders === undefined) throw new Error('Orders are served before the tests.');
    return orders;
  };
  beforeAll(async () => {
    orders = await serve(custody);
  });
  afterAll(async () => {
    const { schedules } = now().steadfast;
    // The server is shared with other tests, and goes on for longer.
    await Promise.all(created.map((id) => schedules.remove(id).catch(() => undefined)));
  });
  return {
    get orders(): Orders {
      return now();
    },
    /** Schedules to remove, by their ids. */
    created,
    /** The number of payments of an amount that were sent. Every schedule has amounts of its own. */
    timesSent: (amount: string): number =>
      [...sent.values()].filter(([one]) => one === amount).length,
    /** Serves one more queue. */
    serveAlso: (taskQueue: string) => serve(custody, { taskQueue }),
  };
}
