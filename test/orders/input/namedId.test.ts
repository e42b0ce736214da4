import {
  isScoped,
  namedIdOf,
  payoutIdOf,
  refuseWholePayoutId,
  scheduleNameOf,
  workflowIdOf,
} from '../../../src/orders/input/orderId';

test('an id with the key scope in front names that order, and is refused for a new one', () => {
  expect(workflowIdOf('transfer:1', 'shop')).toBe('shop:transfer:1');
  expect(namedIdOf('transfer:1', 'shop')).toBe('shop:transfer:1');
  expect(namedIdOf('shop:transfer:1', 'shop')).toBe('shop:transfer:1');
  expect(namedIdOf('shop:shop:transfer:1', 'shop')).toBe('shop:shop:transfer:1');
  expect(namedIdOf('shopping:1', 'shop')).toBe('shop:shopping:1');
  expect(namedIdOf('transfer:1', '')).toBe('transfer:1');
  expect(() => workflowIdOf('shop:transfer:1', 'shop')).toThrow(
    'id: "shop:transfer:1" begins with the key scope',
  );
  // Every id of such a system would look like one that is named in full.
  expect(() => workflowIdOf('payout:march', 'payout')).toThrow('begins with the key scope');
});

test('a payout is named by its own id, or by that of its workflow', () => {
  const whole = ['january', 'payout:january', 'shop:payout:january'];
  expect(whole.map((id) => payoutIdOf(id, 'shop'))).toEqual(['january', 'january', 'january']);
  expect(payoutIdOf('shop:payout:january', '')).toBe('shop:payout:january');
  // A schedule may have the name of the scope, and its payouts do.
  expect(payoutIdOf('payout:shop:2026-01', 'shop')).toBe('shop:2026-01');
  for (const id of ['payout:january', 'shop:january']) {
    expect(() => refuseWholePayoutId(id, 'shop')).toThrow(`payoutId: "${id}" begins with`);
  }
  expect(() => refuseWholePayoutId('shop:january', '')).not.toThrow();
});

test('an order of another scope has no name', () => {
  expect(isScoped('shop:transfer:1', 'shop')).toBe(true);
  expect(isScoped('shops:transfer:1', 'shop')).toBe(false);
  expect(isScoped('transfer:1', '')).toBe(true);
});

test.each([
  ['transfer:rent', 'schedule:rent'],
  ['shop:payout:rent', 'shop:schedule:rent'],
])('the schedule behind %s is %s', (begin, name) => {
  expect(scheduleNameOf(begin)).toBe(name);
});
