import { randomUUID } from 'node:crypto';
import { encodeAbiParameters, getAddress, parseEther } from 'viem';
import { nativeMover } from '../../../sandbox/chain/genesis/contracts';
import { blockchain, inSandbox } from '../../support/sandbox';

const sandbox = inSandbox();

describe('the precompile that moves the native coin for USDC', () => {
  it.each([
    { type: 'EOA', fields: { feeLevel: 'MEDIUM' } },
    { type: 'EOA', fields: { gasLimit: '90000', maxFee: '100', priorityFee: '1' } },
    { type: 'SCA', fields: { feeLevel: 'MEDIUM' } },
  ] as const)(
    'moves nothing for a call of an $type wallet with $fields',
    async ({ type, fields }) => {
      const { client } = sandbox;
      const thief = await sandbox.fundedWallet(type);
      const victim = await sandbox.fundedWallet('EOA');
      const callData = encodeAbiParameters(
        [{ type: 'address' }, { type: 'address' }, { type: 'uint256' }],
        [getAddress(victim.address), getAddress(thief.address), parseEther('5')],
      );
      const { id } = await client.executeContract({
        idempotencyKey: randomUUID(),
        walletId: thief.id,
        contractAddress: nativeMover,
        callData,
        blockchain,
        ...fields,
      });
      expect(await sandbox.settled(id)).toMatchObject({ state: 'FAILED' });
      expect(await sandbox.holdings(victim.id)).toMatchObject({ native: '20', USDC: '20' });
    },
  );
});
