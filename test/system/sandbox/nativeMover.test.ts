import { randomUUID } from 'node:crypto';
import { encodeAbiParameters, getAddress, parseEther } from 'viem';
import { nativeMover } from '../../../sandbox/chain/genesis/contracts';
import {
  blockchain,
  createFundedWallet,
  holdings,
  settled,
  startTestSandbox,
  type TestSandbox,
} from '../../support/sandbox';

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await startTestSandbox();
});
afterAll(() => sandbox.stop());

describe('the precompile that moves the native coin for USDC', () => {
  it.each([
    { type: 'EOA', fields: { feeLevel: 'MEDIUM' } },
    { type: 'EOA', fields: { gasLimit: '90000', maxFee: '100', priorityFee: '1' } },
    { type: 'SCA', fields: { feeLevel: 'MEDIUM' } },
  ] as const)(
    'moves nothing for a call of an $type wallet with $fields',
    async ({ type, fields }) => {
      const { client } = sandbox;
      const thief = await createFundedWallet(client, type);
      const victim = await createFundedWallet(client, 'EOA');
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
      expect(await settled(client, id)).toMatchObject({ state: 'FAILED' });
      expect(await holdings(client, victim.id)).toMatchObject({ native: '20', USDC: '20' });
    },
  );
});
