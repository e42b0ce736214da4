import { encodeAbiParameters, type Hex, size } from 'viem';
import { readTokenFacts } from '../../../sandbox/chain/token';
import { startTestChain } from './testChain';

const address = `0x${'c0de'.repeat(10)}` as const;

/** Code that answers every call with the same bytes, which come after its first ten. */
function answering(answer: Hex): Hex {
  return `0x61${size(answer).toString(16).padStart(4, '0')}80600a5f395ff3${answer.slice(2)}`;
}

describe('the name and symbol that a contract states', () => {
  it('is cut to 100 characters, and has no control characters', async () => {
    const chain = await startTestChain();
    const said = `a\u0000b\n\u001b[31m\u{1f600}${'x'.repeat(5_000)}`;
    const code = answering(encodeAbiParameters([{ type: 'string' }], [said]));
    await chain.ask([{ method: 'anvil_setCode', params: [address, code] }]);
    const kept = `ab[31m\u{1f600}${'x'.repeat(93)}`;
    expect(await readTokenFacts(chain.client, address)).toMatchObject({ name: kept, symbol: kept });
  });
});
