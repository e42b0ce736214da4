import { randomUUID } from 'node:crypto';
import { zeroAddress } from 'viem';
import type { Wallet } from '../../../../src/custody/objects/wallet';
import { inSandbox } from '../../../support/sandbox';

const sandbox = inSandbox();
const accountTypes = ['EOA', 'SCA'] as const;
/** Arc's node does not run such a transaction. */
const refused = {
  state: 'FAILED',
  errorReason: 'ESTIMATION_ERROR',
  errorDetails: 'Zero address not allowed',
};

const payment = ({ id: walletId }: Wallet, amount?: string) => ({
  idempotencyKey: randomUUID(),
  walletId,
  contractAddress: zeroAddress,
  callData: '0x',
  feeLevel: 'MEDIUM' as const,
  ...(amount === undefined ? {} : { amount }),
});

describe.each(accountTypes)('an %s wallet', (accountType) => {
  it('pays no native coin to the zero address, and may call it without any', async () => {
    const { client } = sandbox;
    const wallet = await sandbox.usedWallet(accountType);
    const before = await sandbox.holdings(wallet.id);
    const { id } = await client.executeContract(payment(wallet, '1'));
    expect(await sandbox.settled(id)).toMatchObject(refused);
    expect(await sandbox.holdings(wallet.id)).toEqual(before);
    const { idempotencyKey, feeLevel, ...asked } = payment(wallet, '1');
    await expect(client.estimateExecution(asked)).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(refused.errorDetails),
    });
    const empty = await client.executeContract(payment(wallet));
    expect((await sandbox.settled(empty.id)).state).toBe('COMPLETE');
  });
});

it('a batch of a smart account pays no native coin to the zero address', async () => {
  const wallet = await sandbox.usedWallet('SCA');
  const call = (value: string) => ({
    to: wallet.address,
    signature: 'executeBatch((address,uint256,bytes)[])',
    parameters: [[[zeroAddress, value, '0x']]],
  });
  expect(await sandbox.call(wallet, call('1'))).toMatchObject(refused);
  expect((await sandbox.call(wallet, call('0'))).state).toBe('COMPLETE');
});
