import type { Wallet } from '../../src/custody/objects/wallet';
import { createUsedWallet, startTestSandbox, type TestSandbox } from '../support/sandbox';
import { attacks } from './attacks';
import { limitOf, writerOf } from './writer';

let sandbox: TestSandbox;
let wallet: Wallet;

beforeAll(async () => {
  sandbox = await startTestSandbox();
});
afterAll(() => sandbox?.stop());
beforeEach(async () => {
  wallet = await createUsedWallet(sandbox.client, 'EOA');
});

describe('an attack moves nothing:', () => {
  it.each(attacks)('%s', async (_, words, attack) => {
    const { api } = writerOf(sandbox.client, [limitOf(wallet)]);
    const before = await callsSent();
    const place = { wallet, client: sandbox.client };
    await expect(attack(api, place)).rejects.toThrow(words);
    expect((await callsSent()) - before).toBeLessThanOrEqual(_.includes('another system') ? 1 : 0);
  });

  async function callsSent(): Promise<number> {
    const answer = await fetch(`${sandbox.origin}/_sandbox/calls?after=0`);
    const { calls } = (await answer.json()) as { calls: { method: string; path: string }[] };
    return calls.filter(
      ({ method, path }) =>
        method !== 'GET' && !/walletSets|wallets$|drips|query|estimateFee/.test(path),
    ).length;
  }
});
