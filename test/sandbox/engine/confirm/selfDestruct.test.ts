import { randomUUID } from 'node:crypto';
import { createPublicClient, type Hex, http } from 'viem';
import { codeDeploymentOf } from '../../../support/chain/bytecode';
import { setUp } from '../../../support/jest/setUp';
import { inSandbox, transferOf } from '../../../support/sandbox';

/** Code that destroys itself, and hands its coins to a beneficiary: 33 its caller, 30 itself. */
const creationOf = (beneficiary: '33' | '30'): Hex => `0x61${beneficiary}ff5f526002601ef3`;

const sandbox = inSandbox();
const wallet = setUp(() => sandbox.fundedWallet('EOA'));

const native = (address: string): Promise<bigint> =>
  createPublicClient({ transport: http(sandbox.rpcUrl) }).getBalance({ address: address as Hex });

describe('a contract that destroys itself', () => {
  it.each([
    ['pays its coins to its caller', '33', 0n],
    ['keeps what it would pay to itself', '30', 10n ** 18n],
  ] as const)('%s, and the chain goes on', async (_what, beneficiary, left) => {
    const { client } = sandbox;
    const { contractId, transactionId } = await client.deployContract({
      ...codeDeploymentOf(wallet, { name: `To ${beneficiary}` }),
      abiJson: '[]',
      bytecode: creationOf(beneficiary),
      constructorParameters: [],
    });
    await sandbox.settled(transactionId);
    const { contractAddress: to = '' } = (await client.getContract({ id: contractId })).contract;
    const { id } = await client.executeContract({
      idempotencyKey: randomUUID(),
      walletId: wallet.id,
      contractAddress: to,
      callData: '0x',
      amount: '1',
      feeLevel: 'MEDIUM',
    });
    expect(await sandbox.settled(id)).toMatchObject({ state: 'COMPLETE' });
    expect(await native(to)).toBe(left);
    const paid = await client.createTransfer(transferOf(wallet, wallet.address));
    expect(await sandbox.settled(paid.id)).toMatchObject({ state: 'COMPLETE' });
  });
});
