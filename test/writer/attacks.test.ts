import { setUp } from '../support/jest/setUp';
import { inSandbox } from '../support/sandbox';
import { rulesOf } from './attacks/attack';
import { attacks } from './attacks/attacks';
import { callsSent } from './attacks/callsSent';
import { writerOf } from './writer';

const sandbox = inSandbox();
const wallet = setUp(() => sandbox.usedWallet('EOA'));
const smart = setUp(() => sandbox.usedWallet('SCA'));
const deployer = setUp(() => sandbox.usedWallet('EOA'));

describe('an attack moves nothing:', () => {
  it.each(attacks)('%s', async (what, words, attack) => {
    const place = { wallet, smart, deployer, client: sandbox.client };
    const { api } = writerOf(sandbox.client, rulesOf(place));
    const before = await callsSent(sandbox);
    await expect(attack(api, place)).rejects.toThrow(words);
    const sent = (await callsSent(sandbox)) - before;
    expect(sent).toBeLessThanOrEqual(what.includes('another system') ? 1 : 0);
  });
});
