import {
  isScoped,
  namedIdOf,
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
