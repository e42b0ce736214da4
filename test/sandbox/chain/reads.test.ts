import { encodeFunctionData, erc20Abi } from 'viem';
import { estimateCall } from '../../../sandbox/chain/estimateCall';
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

  it('answers every estimate', async () => {
    const chain = await startTestChain();
    const { contracts, operators } = chain;
    const from = operators.faucet.address;
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [from, 1n] });
    const call = { to: contracts.usdc, value: 0n, data };
    let mining = true;
    const estimate = async (): Promise<number> => {
      let estimates = 0;
      while (mining) {
        await estimateCall(chain, { from, call });
        estimates += 1;
      }
      return estimates;
    };
    const all = Promise.all([estimate(), estimate(), estimate(), estimate()]);
    for (let block = 0; block < 30; block++) await mineAsFaucet(chain, []);
    mining = false;
    expect(Math.min(...(await all))).toBeGreaterThan(3);
  });
});
