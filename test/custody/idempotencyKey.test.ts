import { idempotencyKey } from '../../src/custody/idempotencyKey';

const write = { workflowId: 'transfer:invoice-4711', step: 'transfer', item: '1', generation: 0 };

/**
 * Vectors of another implementation, in Python: the first 16 bytes of SHA-256 over
 * `json.dumps([workflowId, step, item, generation], separators=(',', ':'), ensure_ascii=False)`.
 * Byte 6 is set to 0x4? and byte 8 to 0b10??????. They are pinned: a changed key pays twice.
 */
describe('the idempotency key of a write', () => {
  it.each([
    [write, '7c8a022b-ff93-46d6-aae1-abf9c0ac2b07'],
    [{ ...write, generation: 1 }, '4bf5f362-8580-42c6-8595-9ef0070e2d6f'],
    [
      { workflowId: 'payout:löhne-2026-01', step: 'pay', item: 'line:7', generation: 0 },
      'fae93854-3930-48ca-b384-8ec003b35142',
    ],
  ])('of %j never changes', (parts, key) => {
    expect(idempotencyKey(parts)).toBe(key);
  });

  it('has the shape of a UUID v4, which the service demands', () => {
    const keys = Array.from({ length: 500 }, (_, item) =>
      idempotencyKey({ ...write, item: String(item) }),
    );
    const form = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
    expect(keys.filter((key) => !form.test(key))).toEqual([]);
  });

  it('tells apart parts that would be the same text when joined', () => {
    const one = idempotencyKey({ workflowId: 'a:b', step: 'c', item: 'd', generation: 0 });
    const other = idempotencyKey({ workflowId: 'a', step: 'b:c', item: 'd', generation: 0 });
    expect([one, other]).toEqual([
      'd849a3ed-a09b-40cf-b0d4-fed6d75036d6',
      '13adb6fc-fc9d-453c-9cc3-5122928f5398',
    ]);
  });

  it.each([
    ['another workflow id', { workflowId: 'transfer:invoice-4712' }],
    ['another step', { step: 'fund' }],
    ['another item', { item: '2' }],
    ['another generation', { generation: 1 }],
  ])('is another one for %s', (_what, change) => {
    expect(idempotencyKey({ ...write, ...change })).not.toBe(idempotencyKey(write));
  });
});
