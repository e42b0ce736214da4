import { handOverParts, readParts } from '../../../src/client/payout/parts';
import { jsonBytesOf, orderBytesMax } from '../../../src/orders/input/read';
import type { PayoutPart } from '../../../src/orders/payout';
import { newLines } from '../../support/payouts';

async function all(parts: AsyncIterable<PayoutPart>): Promise<PayoutPart[]> {
  const read: PayoutPart[] = [];
  for await (const part of parts) read.push(part);
  return read;
}

const lines = newLines(6_000);
const idsOf = (given: readonly { lineId: string }[]) => given.map(({ lineId }) => lineId);

describe('the parts of a payout', () => {
  test('hold each line once, in the order of the file', async () => {
    const parts = await all(readParts(lines));
    expect(parts.map(({ part }) => part)).toEqual(parts.map((_, at) => at + 1));
    expect(idsOf(parts.flatMap((part) => part.lines))).toEqual(idsOf(lines));
  });

  test('have no more bytes than a part may have, and are the same for short texts', async () => {
    const long = lines.map((line) => ({ ...line, reference: 'ж'.repeat(140) }));
    const parts = await all(readParts(long));
    expect(idsOf(parts.flatMap((part) => part.lines))).toEqual(idsOf(lines));
    for (const part of parts) expect(jsonBytesOf(part)).toBeLessThanOrEqual(orderBytesMax);
    const short = await all(readParts(lines));
    expect(short.map((part) => part.lines.length)).toEqual(Array(6).fill(1_000));
  });

  test('are cut as before where the worker has accepted them, to the last byte', async () => {
    const some = lines.slice(0, 1_000).map((line) => ({ ...line, name: 'x'.repeat(100) }));
    const empty = some.map((line) => ({ ...line, reference: '' }));
    const room = orderBytesMax - jsonBytesOf({ part: 1, lines: empty });
    const cutOf = async (more: number): Promise<number[]> => {
      const lengthOf = (at: number) => Math.floor((room + more + at) / some.length);
      const full = some.map((line, at) => ({ ...line, reference: 'x'.repeat(lengthOf(at)) }));
      expect(jsonBytesOf({ part: 1, lines: full })).toBe(orderBytesMax + more);
      return (await all(readParts(full))).map((part) => part.lines.length);
    };
    expect(await cutOf(0)).toEqual([1_000]);
    expect(await cutOf(1)).toEqual([999, 1]);
  });

  test('name a wrong line by its number in the file', async () => {
    const wrong = lines.map((line, at) => (at === 3_456 ? { ...line, amount: '-1' } : line));
    await expect(all(readParts(wrong))).rejects.toThrow(/^line 3457 /);
  });
});

describe('handing parts over', () => {
  test('goes on four at a time, and stops at a fault once none is on its way', async () => {
    let underWay = 0;
    const most: number[] = [];
    const taken: number[] = [];
    const take = async ({ part }: PayoutPart): Promise<boolean> => {
      underWay += 1;
      most.push(underWay);
      await new Promise(setImmediate);
      taken.push(part);
      underWay -= 1;
      if (part === 6) throw new Error('line 7 is wrong');
      return true;
    };
    const handing = handOverParts(readParts(lines), take);
    await expect(handing).rejects.toThrow('line 7 is wrong');
    expect({ underWay, most: Math.max(...most) }).toEqual({ underWay: 0, most: 4 });
    expect(taken.length).toBeLessThan(10);
    const wanted = async ({ part }: PayoutPart): Promise<boolean> => part < 3;
    expect(await handOverParts(readParts(lines), wanted)).toBe(false);
    expect(await handOverParts(readParts(lines), async () => true)).toBe(true);
  });
});
