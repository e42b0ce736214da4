import { setTimeout as sleep } from 'node:timers/promises';
import { logsInMemory } from '../../../src/chain/node/kept';

const logsOf = (block: number) => ({
  method: 'eth_getLogs',
  params: [{ fromBlock: `0x${block.toString(16)}` }],
});

describe('the memory of logs', () => {
  it('holds so much text and no more, and forgets the oldest first', async () => {
    const kept = logsInMemory({ most: 1_000 })('a node');
    for (let block = 1; block <= 10; block += 1) await kept.set(logsOf(block), ['x'.repeat(300)]);
    expect(await kept.get(logsOf(10))).toEqual(['x'.repeat(300)]);
    expect(await kept.get(logsOf(9))).toEqual(['x'.repeat(300)]);
    expect(await kept.get(logsOf(8))).toBeUndefined();
  });

  it('asks again after a while, since one answer proves nothing for ever', async () => {
    const kept = logsInMemory({ ageMs: 50 })('a node');
    await kept.set(logsOf(1), []);
    expect(await kept.get(logsOf(1))).toEqual([]);
    await sleep(60);
    expect(await kept.get(logsOf(1))).toBeUndefined();
  });

  it('keeps nodes apart, and answers that may change not at all', async () => {
    const places = logsInMemory();
    await places('one').set(logsOf(1), []);
    await places('one').set({ method: 'eth_blockNumber', params: [] }, '0x1');
    expect(await places('one').get(logsOf(1))).toEqual([]);
    expect(await places('other').get(logsOf(1))).toBeUndefined();
    expect(await places('one').get({ method: 'eth_blockNumber', params: [] })).toBeUndefined();
  });
});
