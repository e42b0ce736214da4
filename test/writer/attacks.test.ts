import type { Wallet } from '../../src/custody/objects/wallet';
import { createUsedWallet, startTestSandbox, type TestSandbox } from '../support/sandbox';
import { rulesOf } from './attacks/attack';
import { attacks } from './attacks/attacks';
import { callsSent } from './attacks/callsSent';
import { writerOf } from './writer';

let sandbox: TestSandbox;
let wallet: Wallet;
let deployer: Wallet;

beforeAll(async () => {
  sandbox = await startTestSandbox();
  [wallet, deployer] = await Promise.all([
    createUsedWallet(sandbox.client, 'EOA'),
    createUsedWallet(sandbox.client, 'EOA'),
  ]);
});
afterAll(() => sandbox?.stop());

describe('an attack moves nothing:', () => {
  it.each(attacks)('%s', async (what, words, attack) => {
    const place = { wallet, deployer, client: sandbox.client };
    const { api } = writerOf(sandbox.client, rulesOf(place));
    const before = await callsSent(sandbox);
    await expect(attack(api, place)).rejects.toThrow(words);
    const sent = (await callsSent(sandbox)) - before;
    expect(sent).toBeLessThanOrEqual(what.includes('another system') ? 1 : 0);
  });
});
