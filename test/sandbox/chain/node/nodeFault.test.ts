import { erc20Abi, type Hex } from 'viem';
import type { Chain } from '../../../../sandbox/chain/chain';
import { isReadFault } from '../../../../sandbox/chain/node/nodeFault';
import { startTestChain } from '../testChain';

const address = `0x${'c0de'.repeat(10)}` as const;

let chain: Chain;
beforeAll(async () => {
  chain = await startTestChain();
});

describe('a read that has failed', () => {
  it.each<[string, Hex]>([
    ['the contract reverts', '0x60006000fd'],
    ['the contract halts', '0xfe'],
    ['the contract has no end', '0x5b600056'],
    ['the contract answers something else', '0x60016000f3'],
    ['there is no contract', '0x'],
  ])('is no fault of the node when %s', async (_why, code) => {
    await chain.ask([{ method: 'anvil_setCode', params: [address, code] }]);
    expect(isReadFault(await errorOfRead())).toBe(false);
  });

  it('is a fault of the node when that is gone', async () => {
    await chain.stop();
    expect(isReadFault(await errorOfRead())).toBe(true);
  });
});

async function errorOfRead(): Promise<unknown> {
  try {
    return await chain.client.readContract({ address, abi: erc20Abi, functionName: 'symbol' });
  } catch (error) {
    return error;
  }
}
