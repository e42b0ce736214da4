import type { Hex } from 'viem';
import { multicallFrom } from '../../../src/custody/batch';
import { effectsOfCall } from '../../../src/writer/call/callEffects';

const word = (value: number): string => value.toString(16).padStart(64, '0');

/** A batch of calls that all are the same bytes: each one points to them. */
function pointingBatch(count: number, bytes: number): Hex {
  const one = [word(1), word(0), word(96), word(bytes), '00'.repeat(bytes)].join('');
  return `0x82ad56cb${word(32)}${word(count)}${word(count * 32).repeat(count)}${one}`;
}

const wallet = { id: 'one', address: '0x11' } as never;

test.each([100, 1_300])(
  'a batch of %d calls that share their bytes is refused undecoded',
  async (count) => {
    const data = pointingBatch(count, 9_984);
    const call = { contract: multicallFrom.toLowerCase(), value: 0n, data };
    const judged = effectsOfCall(call, { wallet, tokens: {} as never, tail: 'nothing' });
    await expect(judged).rejects.toThrow('Its calls share bytes with each other.');
  },
);
