import { handOver, partsOf } from '../../src/client/parts';
import type { PayoutPart } from '../../src/orders/payout';
import { walletOfLine } from '../../src/orders/payout/walletOfLine';
import { newLines } from '../support/payouts';

async function all(parts: AsyncIterable<PayoutPart>): Promise<PayoutPart[]> {
  const read: PayoutPart[] = [];
  for await (const part of parts) read.push(part);
  return read;
}

const lines = newLines(6_000);
const idsOf = (given: readonly { lineId: string }[]) => given.map(({ lineId }) => lineId);

describe('the parts of a payout', () => {
  test('hold each line once, and hundreds of one wallet together, the same each time', async () => {
    const parts = await all(partsOf(lines, 20));
    expect(parts.map(({ part }) => part)).toEqual(parts.map((_, at) => at + 1));
    const handedOver = parts.flatMap((part) => part.lines);
    expect(idsOf(handedOver).sort()).toEqual(idsOf(lines).sort());
    expect(await all(partsOf(lines, 20))).toEqual(parts);
    const first = parts[0]?.lines ?? [];
    const payers = first.map(({ lineId }) => walletOfLine(lineId, 20));
    expect(first).toHaveLength(500);
    expect(payers.filter((payer, at) => payer !== payers[at - 1])).toHaveLength(5);
  });

  test('keep the order of the lines of each wallet, and so of all where there is one', async () => {
    const of =
      (payer: number) =>
      ({ lineId }: { lineId: string }) =>
        walletOfLine(lineId, 3) === payer;
    const handedOver = (await all(partsOf(lines, 3))).flatMap((part) => part.lines);
    expect(idsOf(handedOver.filter(of(1)))).toEqual(idsOf(lines.filter(of(1))));
    const alone = (await all(partsOf(lines, 1))).flatMap((part) => part.lines);
    expect(idsOf(alone)).toEqual(idsOf(lines));
    const inOrder = (await all(partsOf(lines, undefined))).flatMap((part) => part.lines);
    expect(idsOf(inOrder)).toEqual(idsOf(lines));
  });

  test('name a wrong line by its number in the file', async () => {
    const wrong = lines.map((line, at) => (at === 3_456 ? { ...line, amount: '-1' } : line));
    await expect(all(partsOf(wrong, 20))).rejects.toThrow(/^line 3457 /);
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
    const handing = handOver(partsOf(lines, undefined), take);
    await expect(handing).rejects.toThrow('line 7 is wrong');
    expect({ underWay, most: Math.max(...most) }).toEqual({ underWay: 0, most: 4 });
    expect(taken.length).toBeLessThan(10);
    const wanted = async ({ part }: PayoutPart): Promise<boolean> => part < 3;
    expect(await handOver(partsOf(lines, undefined), wanted)).toBe(false);
    expect(await handOver(partsOf(lines, undefined), async () => true)).toBe(true);
  });
});
