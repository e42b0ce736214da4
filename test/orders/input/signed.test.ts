import { readAuthority } from '../../../src/orders/input/signed';

const decision = {
  purpose: 'approval',
  target: 'transfer/1#0',
  expires: '2026-12-01T12:00:00Z',
  signature: 'x'.repeat(60),
};
const many = <T>(value: T, count: number): T[] => Array.from({ length: count }, () => value);

describe('the signatures of a write', () => {
  it('are read without decisions that nobody can have made', () => {
    const decisions = [...many({}, 250), decision];
    expect(readAuthority({ decisions })).toEqual({ decisions: [decision] });
  });

  it('are refused unread where they are more than an order keeps', () => {
    expect(() => readAuthority({ decisions: many({}, 400_000) })).toThrow(
      /^The order has 12000\d\d bytes as JSON, and may have 300000/,
    );
    expect(() => readAuthority({ decisions: many({}, 301) })).toThrow(
      /^decisions: \[.*… must have at most 100 entries\.$/,
    );
  });
});
