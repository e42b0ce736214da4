import { type Hex, toFunctionSelector } from 'viem';
import { multicallFrom } from '../../../src/custody/batch';
import { effectsOfCall } from '../../../src/writer/call/callEffects';
import { addressesOf } from '../../../src/writer/call/namedCall';

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
    await expect(judged).rejects.toThrow('share bytes with each other.');
  },
);

test('a named call whose arguments share their bytes is refused undecoded', () => {
  const named = { contract: '0x22', signature: 'run(bytes[])', selector: '' };
  const selector = toFunctionSelector(named.signature);
  const head = `${word(32)}${word(2_000)}${word(2_000 * 32).repeat(2_000)}`;
  const begin = performance.now();
  expect(addressesOf(named, `${selector}${head}${word(49_984)}${'11'.repeat(49_984)}`)).toBe(
    undefined,
  );
  expect(performance.now() - begin).toBeLessThan(1_000);
});
