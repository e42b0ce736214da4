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
});
