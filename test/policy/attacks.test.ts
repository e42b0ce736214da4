import type { Wallet } from '../../src/custody/objects/wallet';
import { createUsedWallet, startTestSandbox, type TestSandbox } from '../support/sandbox';
import { attacks } from './attacks';
import { callsSent } from './callsSent';
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
  it.each(attacks)('%s', async (what, words, attack) => {
    const { api } = writerOf(sandbox.client, [limitOf(wallet)]);
    const before = await callsSent(sandbox);
    const place = { wallet, client: sandbox.client };
    await expect(attack(api, place)).rejects.toThrow(words);
    const sent = (await callsSent(sandbox)) - before;
    expect(sent).toBeLessThanOrEqual(what.includes('another system') ? 1 : 0);
  });
});
