import { concat, encodeAbiParameters, getAddress, type Hex, pad, parseEther } from 'viem';
import type { Wallet } from '../../../../src/custody/objects/wallet';
import { deployCode, execute } from '../../../support/chain/foreignToken';
import { setUp } from '../../../support/jest/setUp';
import { inStagedSandbox, someone } from '../../../support/stages';

const sandbox = inStagedSandbox();
const client = setUp(async () => sandbox.client);

/** Says that it may be upgraded to, and answers anything else with the same word. */
const notAnAccount =
  '7f360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc5f5260205ff3';
const upgradeTo = '0x3659cfe6';

/** A smart account that no longer accepts what its owner signs. */
async function brokenWallet(): Promise<Wallet> {
  const [wallet, deployer] = await Promise.all([
    sandbox.usedWallet('SCA'),
    sandbox.usedWallet('EOA'),
  ]);
  const code = await deployCode(client, deployer, notAnAccount);
  const data: Hex = concat([upgradeTo, pad(code)]);
  const id = await execute(client, wallet, { to: wallet.address, data });
  expect(await sandbox.settled(id)).toMatchObject({ state: 'COMPLETE' });
  return wallet;
}

describe('a bundle that an operation undoes', () => {
  let broken: Wallet;
  let others: Wallet[];
  beforeAll(async () => {
    broken = await brokenWallet();
    others = await Promise.all([sandbox.usedWallet('SCA'), sandbox.usedWallet('SCA')]);
  });

  it('fails that one alone, at no cost, and carries the others out once', async () => {
    const to = someone();
    await sandbox.stopBlocks();
    const ids = await Promise.all([...others, broken].map((from) => sandbox.send(from, to)));
    for (const id of ids) await sandbox.inState(id, 'SENT');
    await sandbox.run();
    const [one, other, failed] = await Promise.all(ids.map((id) => sandbox.settled(id)));
    expect([one?.state, other?.state]).toEqual(['COMPLETE', 'COMPLETE']);
    expect(failed).toMatchObject({
      state: 'FAILED',
      errorReason: 'FAILED_ON_CHAIN',
      networkFee: '',
    });
    expect(await sandbox.transfers({ to })).toHaveLength(2);
    expect([one?.networkFee, other?.networkFee]).toEqual(
      Array(2).fill(expect.stringMatching(/^0\.\d+$/)),
    );
    for (const from of others) {
      expect(await sandbox.settled(await sandbox.send(from, to))).toMatchObject({
        state: 'COMPLETE',
      });
    }
  });

  it('lets what comes next from the same wallet fail as well', async () => {
    const id = await sandbox.send(broken, someone());
    expect(await sandbox.settled(id)).toMatchObject({ state: 'FAILED', networkFee: '' });
  });
});

/** Hands its input on to 0xfd. It computes that address, so that nobody sees it in the code. */
const moverOfAll = '365f5f375f5f365f5f600160fe035af100';

describe('a bundle with an operation that moves the coins of others', () => {
  it('is left out of its block, and the other operations of it are carried out', async () => {
    const [thief, deployer, ...others] = await Promise.all([
      sandbox.usedWallet('SCA'),
      sandbox.usedWallet('EOA'),
      sandbox.usedWallet('SCA'),
      sandbox.usedWallet('SCA'),
    ]);
    const to = someone();
    const mover = await deployCode(client, deployer, moverOfAll);
    const data = encodeAbiParameters(
      [{ type: 'address' }, { type: 'address' }, { type: 'uint256' }],
      [getAddress(deployer.address), getAddress(thief.address), parseEther('1')],
    );
    await sandbox.stopBlocks();
    const theft = await execute(client, thief, { to: mover, data });
    await sandbox.inState(theft, 'SENT');
    const ids = await Promise.all(others.map((from) => sandbox.send(from, to)));
    for (const id of ids) await sandbox.inState(id, 'SENT');
    await sandbox.run();
    expect(await sandbox.settled(theft)).toMatchObject({
      state: 'FAILED',
      errorDetails: expect.stringContaining('only USDC may call 0xfd'),
    });
    const paid = await Promise.all(ids.map((id) => sandbox.settled(id)));
    expect(paid.map(({ state }) => state)).toEqual(['COMPLETE', 'COMPLETE']);
    expect(await sandbox.transfers({ to })).toHaveLength(2);
  });
});
