import { encodeFunctionData, erc20Abi } from 'viem';
import { readBalance } from '../../../sandbox/chain/token';
import { mineAsFaucet, startTestChain } from './testChain';

describe('reading while blocks are mined', () => {
  it('answers every read, also one that a new block overtakes', async () => {
    const chain = await startTestChain();
    const { client, contracts, operators } = chain;
    const holder = operators.faucet.address;
    let mining = true;
    const read = async (): Promise<number> => {
      let reads = 0;
      while (mining) {
        await readBalance(client, { token: contracts.usdc, owner: holder });
        await client.getBalance({ address: holder });
        reads += 1;
      }
      return reads;
    };
    const readers = Promise.all([read(), read(), read(), read()]);
    for (let block = 0; block < 100; block++) await mineAsFaucet(chain, []);
    mining = false;
    expect(Math.min(...(await readers))).toBeGreaterThan(10);
  });

  it('answers every read that others ask for', async () => {
    const chain = await startTestChain();
    const { contracts, operators } = chain;
    const data = encodeFunctionData({
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [operators.faucet.address],
    });
    const call = { jsonrpc: '2.0', id: 1, method: 'eth_call' };
    const body = { ...call, params: [{ to: contracts.usdc, data }, 'latest'] };
    let mining = true;
    const read = async (): Promise<unknown[]> => {
      const answers: unknown[] = [];
      while (mining) answers.push(await chain.relay(answers.length % 2 === 0 ? body : [body]));
      return answers;
    };
    const readers = Promise.all([read(), read(), read(), read()]);
    for (let block = 0; block < 100; block++) await mineAsFaucet(chain, []);
    mining = false;
    const answers = (await readers).flat(2);
    expect(answers.filter((answer) => JSON.stringify(answer).includes('error'))).toEqual([]);
  });
});
