import type { Chain } from '../../../../sandbox/chain/chain';
import { arcPrecompiles } from '../../../../sandbox/chain/genesis/contracts';
import { startTestChain } from '../testChain';

let chain: Chain;
beforeAll(async () => {
  chain = await startTestChain();
});
afterAll(() => chain.stop());

it('Arc has five precompiles', () => expect(arcPrecompiles).toHaveLength(5));

it.each(arcPrecompiles)(
  "calls of Arc's precompile %s fail, and do not answer nothing",
  async (to) => {
    expect(to).toMatch(/^0x18(00){18}0[0-4]$/);
    await expect(chain.client.call({ to, data: '0xfe575a87' })).rejects.toThrow(
      'execution reverted',
    );
  },
);
