import type { Client } from '@temporalio/client';
import { linesToSign } from '../../../src/client/asking/linesToSign';
import { payoutsOf } from '../../../src/client/payouts';

const line = (at: number) => ({ lineId: `l${at}`, to: '0x1', amount: '1', token: 'USDC' });
const signed = (count: string) => ({ lines: { root: '00', count, totals: {} } });

/** A payout that answers what its author likes: its parts, and the lines of each. */
function answering(parts: readonly { shardId: string }[], linesOf: () => unknown[]) {
  const told = { reads: 0 };
  const describe = async () => ({
    workflowId: 'payout:x',
    runId: 'r',
    type: 'payoutShard',
    status: { name: 'RUNNING' },
  });
  const query = async (name: string) => {
    if (name === 'parts') return parts;
    told.reads += 1;
    return linesOf();
  };
  const client = { workflow: { getHandle: () => ({ describe, query }) } } as unknown as Client;
  return { told, steadfast: payoutsOf({ client, describe } as never) };
}

const parts = (count: number) => Array.from({ length: count }, (_, at) => ({ shardId: `s${at}` }));
const thousand = Array.from({ length: 1_000 }, (_, at) => line(at));

describe('a payout that answers more than it has', () => {
  it('is read no further than the lines that are to be signed', async () => {
    const { told, steadfast } = answering(parts(5_000), () => thousand);
    await expect(linesToSign(steadfast, 'payout:x', signed('2500'))).rejects.toThrow(
      'id: payout:x has more than 2500 lines, and they are not the 2500 that are to be signed. ' +
        'Do not approve it.',
    );
    expect(told.reads).toBeLessThan(10);
  });

  it('is read no further than a payout can be long, whatever is to be signed', async () => {
    const { told, steadfast } = answering(parts(5_000), () => thousand);
    await expect(linesToSign(steadfast, 'payout:x', signed('9999999'))).rejects.toThrow(
      'id: payout:x tells more than 1000000 lines, which no payout has.',
    );
    expect(told.reads).toBeLessThan(1_010);
  });

  it('is not read where a part comes twice', async () => {
    const twice = [{ shardId: 's0' }, { shardId: 's1' }, { shardId: 's0' }];
    const { told, steadfast } = answering(twice, () => thousand);
    await expect(linesToSign(steadfast, 'payout:x', signed('3000'))).rejects.toThrow(
      'id: payout:x tells its part "s0" twice',
    );
    expect(told.reads).toBe(0);
  });
});
