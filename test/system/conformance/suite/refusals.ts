import { randomUUID } from 'node:crypto';
import type { CustodyApi } from '../../../../src/custody/endpoints';
import { templateIds } from '../../../../src/custody/objects/template';
import type { Wallet } from '../../../../src/custody/objects/wallet';
import { blockchain, createWallet, transferOf } from '../../../support/sandbox';
import type { Given } from '../subject/subject';

const nobody = '00000000-0000-4000-8000-000000000000';
const somewhere = '0x00000000000000000000000000000000000000aa';

/** A call that is refused, with the service's status and code. */
type Refusal = {
  what: string;
  status: number;
  code: number;
  call: (api: CustodyApi, wallet: Wallet) => Promise<unknown>;
};

const unknownIds: Refusal[] = [
  {
    what: 'a wallet set that does not exist',
    status: 404,
    code: 156005,
    call: (api) => api.getWalletSet({ id: nobody }),
  },
  {
    what: 'a wallet that does not exist',
    status: 404,
    code: 156001,
    call: (api) => api.getWallet({ id: nobody }),
  },
  {
    what: 'a transaction that does not exist',
    status: 404,
    code: 156003,
    call: (api) => api.getTransaction({ id: nobody }),
  },
  {
    what: 'a token that does not exist',
    status: 404,
    code: 156002,
    call: (api) => api.getToken({ id: nobody }),
  },
  {
    what: 'a contract that does not exist',
    status: 404,
    code: 175001,
    call: (api) => api.getContract({ id: nobody }),
  },
];

const faultyTransfers: Refusal[] = [
  {
    what: 'a transfer from a wallet that does not exist',
    status: 404,
    code: 156001,
    call: (api, wallet) =>
      api.createTransfer({ ...transferOf(wallet, somewhere), walletId: nobody }),
  },
  {
    what: 'a transfer to an invalid address',
    status: 400,
    code: 155219,
    call: (api, wallet) => api.createTransfer(transferOf(wallet, 'nowhere')),
  },
  {
    what: 'a transfer of an invalid amount',
    status: 400,
    code: 155224,
    call: (api, wallet) => api.createTransfer(transferOf(wallet, somewhere, { amounts: ['one'] })),
  },
  {
    what: 'a transfer from an empty wallet',
    status: 400,
    code: 155258,
    call: (api, wallet) => api.createTransfer(transferOf(wallet, somewhere)),
  },
];

const faultyWrites: Refusal[] = [
  {
    what: 'wallets on a chain that is not served',
    status: 400,
    code: 156027,
    call: (api, { walletSetId }) =>
      api.createWallets({
        idempotencyKey: randomUUID(),
        walletSetId,
        blockchains: ['ETH-SEPOLIA'],
        count: 1,
      }),
  },
  {
    what: 'metadata for another number of wallets',
    status: 400,
    code: 155503,
    call: (api, { walletSetId }) =>
      api.createWallets({
        idempotencyKey: randomUUID(),
        walletSetId,
        blockchains: [blockchain],
        count: 2,
        metadata: [{ name: 'one' }],
      }),
  },
  {
    what: 'a call whose parameters do not fit its signature',
    status: 400,
    code: 155209,
    call: (api, { id }) =>
      api.executeContract({
        idempotencyKey: randomUUID(),
        walletId: id,
        contractAddress: somewhere,
        abiFunctionSignature: 'burn(uint256)',
        abiParameters: [],
        feeLevel: 'MEDIUM',
      }),
  },
  {
    what: 'a template that does not exist',
    status: 404,
    code: 175201,
    call: (api, { id: walletId }) =>
      api.deployTemplate({ ...deployment, id: nobody, walletId, idempotencyKey: randomUUID() }),
  },
  {
    what: 'a deployment without a parameter that the template needs',
    status: 400,
    code: 175204,
    call: (api, { id: walletId }) =>
      api.deployTemplate({ ...deployment, walletId, idempotencyKey: randomUUID() }),
  },
];

const deployment = {
  id: templateIds.fungible,
  name: 'Incomplete',
  blockchain,
  templateParameters: { name: 'Incomplete' },
  feeLevel: 'MEDIUM',
} as const;

/** Each client throws a refusal as its own error class, always with status and code. */
export function describeRefusals(given: Given): void {
  describe('refusals', () => {
    let wallet: Wallet;
    beforeAll(async () => {
      const created = await createWallet(given.subject().api, 'SCA');
      if (created !== undefined) wallet = created;
    });

    it.each([...unknownIds, ...faultyTransfers, ...faultyWrites])(
      'have status $status and code $code for $what',
      async ({ status, code, call }) => {
        const outcome = call(given.subject().api, wallet);
        await expect(outcome).rejects.toMatchObject({
          status,
          code,
          message: expect.stringMatching(/\S/),
        });
      },
    );
  });
}
