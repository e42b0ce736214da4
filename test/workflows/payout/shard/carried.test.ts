import { newShard } from '../../../../workflows/payout/shard/open/newShard';
import { usdc, wallet } from './part';

/** Temporal refuses to hand on more than two megabytes. Signatures and places need some of it. */
const bytesMax = 1_300_000;

describe('a part of a thousand lines', () => {
  test.each([
    ['whose attempts all fail for certain', false],
    ['whose attempts may all have arrived', true],
  ])('hands on little of troubles that last, %s', (_, isAmbiguous) => {
    const shard = newShard({
      terms: { workflowId: 'payout:any', wallets: [wallet], order: { generations: {} } } as never,
      part: 1,
      tokens: [usdc],
      lines: Array.from({ length: 1_000 }, (_, at) => {
        return { lineId: `invoice-${at}`, to: '0x1', amount: '1', token: 'USDC', wallet: 0 };
      }),
    });
    const why = `The service answered with a page: ${'Service Unavailable '.repeat(200)}`;
    for (const line of shard.lines) {
      const looked = { kind: 'looked', askedAtMs: Date.now(), seen: 12_000, traces: [] } as const;
      for (let time = 0; time < 40; time++) {
        shard.writes.apply(line, looked);
        shard.writes.apply(line, { kind: 'sending' });
        const answer = { kind: 'Again', why, isAmbiguous } as const;
        shard.writes.apply(line, { kind: 'answered', answer });
      }
    }
    expect(JSON.stringify(shard.carried).length).toBeLessThan(bytesMax);
  });
});
