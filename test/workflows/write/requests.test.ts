import { idempotencyKey } from '../../../src/custody/idempotencyKey';
import type { LiveOrder } from '../../../workflows/order/liveOrder';
import { requestOf } from '../../../workflows/write/requests';

test('requests about two transactions of one write have keys of their own', () => {
  const parts = { workflowId: 'transfer:1', step: 'transfer', item: '1', generation: 0 };
  const writes = { identityOf: () => ({ parts }), targetOf: () => 'transfer/1#0' };
  const live = { writes } as unknown as LiveOrder;
  const keys = ['cancel', 'accelerate'].flatMap((step) =>
    ['one', 'other', 'one'].map((transactionId) => {
      const request = requestOf(live, parts, { step, generation: 0, transactionId });
      return idempotencyKey(request.parts);
    }),
  );
  expect(new Set(keys).size).toBe(4);
});
