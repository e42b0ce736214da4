import { randomUUID } from 'node:crypto';
import { getAddress, type Hex } from 'viem';
import type { Wallet } from '../../../../src/custody/objects/wallet';
import {
  createWallets,
  startTestSandbox,
  type TestSandbox,
  transferOf,
} from '../../../support/sandbox';

const newScaCore = 'circle_6900_singleowner_v2';
/** The slot in which ERC-1967 keeps the address of a proxy's implementation. */
const implementationSlot = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';

let sandbox: TestSandbox;
beforeEach(async () => {
  sandbox = await startTestSandbox();
});
afterEach(() => sandbox.stop());

/** From here on, new wallets have this core. */
async function haveCore(scaCore: string): Promise<void> {
  const url = `${sandbox.origin}/_sandbox/settings`;
  expect(await sandbox.request('PATCH', url, { body: { scaCore } })).toMatchObject({ status: 200 });
}

const upgradeOf = ({ id: walletId }: Wallet) => ({
  ...({ idempotencyKey: randomUUID(), walletId, newScaCore, feeLevel: 'MEDIUM' } as const),
});

async function implementation({ address }: Wallet): Promise<string> {
  const at = { address: address as Hex, slot: implementationSlot } as const;
  return getAddress(`0x${(await sandbox.chain.client.getStorageAt(at))?.slice(-40)}`);
}

async function coreOf({ id }: Wallet): Promise<string | undefined> {
  return (await sandbox.client.getWallet({ id })).wallet.scaCore;
}

it('fares as the fault plan says', async () => {
  await haveCore('circle_6900_singleowner_v1');
  const wallet = await sandbox.usedWallet();
  const rules = [{ kind: 'denied', path: '/developer/transactions/walletUpgrade' }];
  await sandbox.request('POST', `${sandbox.origin}/_sandbox/faults`, { body: { rules } });
  const { id } = await sandbox.client.upgradeWallet(upgradeOf(wallet));
  expect(await sandbox.settled(id)).toMatchObject({ state: 'DENIED' });
  expect(await coreOf(wallet)).toBe('circle_6900_singleowner_v1');
});

it.each([
  ['circle_6900_singleowner_v1', 'upgradeTo(address)'],
  ['circle_4337_v1', 'upgradeToAndCall(address,bytes)'],
])('a wallet of core %s is upgraded on the chain, and goes on', async (core, signature) => {
  await haveCore(core);
  const wallet = await sandbox.usedWallet('SCA');
  const { contracts } = sandbox.chain;
  expect(wallet.scaCore).toBe(core);
  expect(await implementation(wallet)).toBe(contracts.accountImplementation);

  const { id } = await sandbox.client.upgradeWallet(upgradeOf(wallet));
  expect(await sandbox.settled(id)).toMatchObject({
    state: 'COMPLETE',
    operation: 'CONTRACT_EXECUTION',
    contractAddress: wallet.address,
    abiFunctionSignature: signature,
  });
  expect(await implementation(wallet)).toBe(contracts.upgradedImplementation);
  expect(await coreOf(wallet)).toBe(newScaCore);

  const receiver = await sandbox.wallet();
  const later = await sandbox.client.createTransfer(transferOf(wallet, receiver.address));
  expect(await sandbox.settled(later.id)).toMatchObject({ state: 'COMPLETE' });
  await expect(sandbox.client.upgradeWallet(upgradeOf(wallet))).rejects.toMatchObject({
    code: 155510,
  });
});

it('an upgrade creates an account that is not there yet, but not one of the oldest core', async () => {
  await haveCore('circle_6900_singleowner_v1');
  const wallet = await sandbox.fundedWallet('SCA');
  const { id } = await sandbox.client.upgradeWallet(upgradeOf(wallet));
  expect(await sandbox.settled(id)).toMatchObject({ state: 'COMPLETE' });
  expect(await coreOf(wallet)).toBe(newScaCore);

  await haveCore('circle_4337_v1');
  const oldest = await sandbox.fundedWallet('SCA');
  await expect(sandbox.client.upgradeWallet(upgradeOf(oldest))).rejects.toMatchObject({
    status: 400,
    code: 155514,
  });
});

it('an upgrade that fails on the chain leaves the wallet as it was', async () => {
  await haveCore('circle_6900_singleowner_v1');
  const wallet = await sandbox.usedWallet('SCA');
  const { id } = await sandbox.api.upgradeWallet(upgradeOf(wallet), { fate: 'failOnChain' });
  expect(await sandbox.settled(id)).toMatchObject({ state: 'FAILED' });
  expect(await coreOf(wallet)).toBe('circle_6900_singleowner_v1');
});

it('the same key upgrades once', async () => {
  await haveCore('circle_6900_singleowner_v1');
  const wallet = await sandbox.usedWallet('SCA');
  const order = upgradeOf(wallet);
  const url = 'developer/transactions/walletUpgrade';
  const first = await sandbox.signed(url, order);
  expect(first).toMatchObject({ status: 201, body: { data: { state: 'INITIATED' } } });
  expect(await sandbox.signed(url, order)).toMatchObject({ status: 200, body: first.body });
});

it('wallets are found by the core that they have', async () => {
  const newest = await sandbox.wallet('SCA');
  await haveCore('circle_6900_singleowner_v1');
  const old = await sandbox.wallet('SCA');
  await createWallets(sandbox.client);
  const idsOf = async (scaCore: 'circle_6900_singleowner_v1' | 'circle_6900_singleowner_v3') =>
    (await sandbox.client.listWallets({ scaCore })).wallets.map(({ id }) => id);
  expect(await idsOf('circle_6900_singleowner_v1')).toEqual([old.id]);
  expect(await idsOf('circle_6900_singleowner_v3')).toEqual([newest.id]);
});
