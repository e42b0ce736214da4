import { walletOfLine } from '../../../src/orders/payout/walletOfLine';

const ids = Array.from({ length: 12 }, (_, at) => `line-${at}`);

describe('the wallet that pays a line', () => {
  it('is the same for ever: money depends on it', () => {
    expect(ids.map((id) => walletOfLine(id, 4))).toMatchInlineSnapshot(`
[
  3,
  1,
  1,
  3,
  0,
  1,
  3,
  1,
  3,
  3,
  3,
  1,
]
`);
    expect(ids.map((id) => walletOfLine(id, 100))).toMatchInlineSnapshot(`
[
  19,
  89,
  29,
  19,
  0,
  41,
  31,
  49,
  7,
  99,
  11,
  89,
]
`);
    expect(walletOfLine('any', 1)).toBe(0);
  });

  it('is each of them about as often', () => {
    const counts = [0, 0, 0, 0, 0];
    for (let at = 0; at < 10_000; at++) {
      const wallet = walletOfLine(`2026-11-${at}`, counts.length);
      counts[wallet] = (counts[wallet] ?? 0) + 1;
    }
    for (const count of counts) expect(Math.abs(count - 2_000)).toBeLessThan(200);
  });
});
