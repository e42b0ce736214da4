import { randomUUID } from 'node:crypto';
import { templateIds } from '../../../../src/custody/objects/template';
import { deploymentOf, deployToken, parametersOf } from '../../../support/chain/deployments';
import { setUp } from '../../../support/jest/setUp';
import { blockchain, inSandbox } from '../../../support/sandbox';

const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const seconds = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
const microseconds = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
const hash = expect.stringMatching(/^0x[0-9a-f]{64}$/);
const decimal = expect.stringMatching(/^(0|[1-9]\d*)(\.\d+)?$/);

const sandbox = inSandbox();
const wallet = setUp(() => sandbox.fundedWallet());
const token = setUp(() => deployToken(sandbox.client, wallet));

describe('a deployment from the fungible template', () => {
  it('answers 201 with the ids of the contract and of the transaction, and nothing else', async () => {
    const { status, body } = await sandbox.signed(
      `templates/${templateIds.fungible}/deploy`,
      deploymentOf(wallet),
    );
    expect({ status, body }).toEqual({
      status: 201,
      body: { data: { contractIds: [uuid], transactionId: uuid } },
    });
  });

  it('has a transaction with every field of the interface', async () => {
    const { body } = await sandbox.request('GET', `transactions/${token.transactionId}`);
    expect(body).toEqual({
      data: {
        transaction: {
          id: token.transactionId,
          blockchain,
          walletId: wallet.id,
          sourceAddress: wallet.address,
          contractAddress: token.address,
          transactionType: 'OUTBOUND',
          custodyType: 'DEVELOPER',
          state: 'COMPLETE',
          amounts: [],
          nfts: null,
          txHash: hash,
          blockHash: hash,
          blockHeight: expect.any(Number),
          userOpHash: hash,
          networkFee: decimal,
          firstConfirmDate: seconds,
          operation: 'CONTRACT_EXECUTION',
          feeLevel: 'MEDIUM',
          estimatedFee: {
            gasLimit: expect.stringMatching(/^\d+$/),
            networkFee: decimal,
            baseFee: decimal,
            priorityFee: decimal,
            maxFee: decimal,
          },
          refId: 'our first token',
          abiFunctionSignature: 'deploy(address,bytes,bytes32)',
          abiParameters: null,
          createDate: seconds,
          updateDate: seconds,
        },
      },
    });
  });

  it('has a contract record with its fields, COMPLETE at the address of the contract', async () => {
    const { body } = await sandbox.request('GET', `contracts/${token.contractId}`);
    const { transaction } = await sandbox.client.getTransaction({ id: token.transactionId });
    expect(body).toEqual({
      data: {
        contract: {
          id: token.contractId,
          blockchain,
          name: 'Console name',
          description: 'For a test',
          status: 'COMPLETE',
          contractAddress: token.address,
          contractInputType: 'TEMPLATE',
          archived: false,
          verificationStatus: 'UNVERIFIED',
          sourceCode: [],
          functions: expect.arrayContaining([expect.objectContaining({ name: 'mintTo' })]),
          events: expect.arrayContaining([expect.objectContaining({ name: 'TokensMinted' })]),
          abiJson: expect.stringContaining('"mintTo"'),
          deployerAddress: wallet.address,
          deployerWalletID: wallet.id,
          deploymentTransactionId: token.transactionId,
          txHash: transaction.txHash,
          createDate: microseconds,
          updateDate: microseconds,
        },
      },
    });
  });

  it('shows a contract that is PENDING and has no address before it is mined', async () => {
    // The wallet has one operation on its way at a time, so the last of these surely waits.
    const answers = await Promise.all(
      Array.from({ length: 4 }, () =>
        sandbox.client.deployTemplate({
          id: templateIds.fungible,
          ...deploymentOf(wallet),
        }),
      ),
    );
    const contracts = await Promise.all(
      answers.map(({ contractIds }) => sandbox.client.getContract({ id: contractIds[0] ?? '' })),
    );
    const waiting = contracts.filter(({ contract }) => contract.contractAddress === undefined);
    expect(waiting.length).toBeGreaterThan(0);
    expect(waiting.map(({ contract }) => contract.status)).toEqual(waiting.map(() => 'PENDING'));
    const records = await Promise.all(
      waiting.map(({ contract }) =>
        sandbox.client.getTransaction({ id: String(contract.deploymentTransactionId) }),
      ),
    );
    const early = records.filter(({ transaction }) => transaction.txHash === undefined);
    expect(early.map(({ transaction }) => transaction.contractAddress)).toEqual(
      early.map(() => undefined),
    );
  });

  it('gives every contract an address of its own, also with the same parameters', async () => {
    const both = await Promise.all([
      deployToken(sandbox.client, wallet),
      deployToken(sandbox.client, wallet),
    ]);
    expect(new Set(both.map(({ address }) => address)).size).toBe(2);
  });

  it.each<[string, object, string, number, number, string]>([
    ['a template that is not there', {}, randomUUID(), 404, 175201, 'template not found'],
    [
      'a wallet that is not there',
      { walletId: randomUUID() },
      templateIds.fungible,
      400,
      177601,
      "cannot find target wallet in the system. Either the specified wallet doesn't exist or it's not accessible to the caller",
    ],
    [
      'another chain',
      { blockchain: 'ETH-SEPOLIA' },
      templateIds.fungible,
      400,
      177024,
      "Wallet and request's blockchain mismatch: ETH-SEPOLIA",
    ],
  ])('is refused with %s', async (_what, change, template, status, code, message) => {
    const url = `templates/${template}/deploy`;
    const answer = await sandbox.signed(url, deploymentOf(wallet, change));
    expect({ status: answer.status, body: answer.body }).toEqual({
      status,
      body: { code, message },
    });
  });

  it.each([
    ['a transaction', 'SCA', 11_000, /needs .* \d{8} gas, but one may have 16777216 at most/],
    ['a transaction', 'EOA', 11_000, /needs .* \d{8} gas, but one may have 16777216 at most/],
    ['a block', 'SCA', 20_000, /needs .* [3-9]\d{7} gas, but one may have 16777216 at most/],
    ['a block', 'EOA', 20_000, /needs .* [3-9]\d{7} gas, but one may have 16777216 at most/],
  ] as const)(
    'that %s cannot hold ends FAILED for an %s, and holds up nobody else',
    async (_what, type, letters, words) => {
      const from = await sandbox.fundedWallet(type);
      const name = 'x'.repeat(letters);
      const { contractIds, transactionId } = await sandbox.client.deployTemplate({
        id: templateIds.fungible,
        ...deploymentOf(from, { templateParameters: parametersOf(from, { name }) }),
      });
      const next = await deployToken(sandbox.client, wallet);
      const { contract } = await sandbox.client.getContract({ id: contractIds[0] ?? '' });
      expect(await sandbox.settled(transactionId)).toMatchObject({
        state: 'FAILED',
        errorReason: 'ESTIMATION_ERROR',
        errorDetails: expect.stringMatching(words),
      });
      const { transaction } = await sandbox.client.getTransaction({ id: transactionId });
      expect(Object.keys(transaction)).not.toContain('contractAddress');
      expect(contract).toMatchObject({ status: 'FAILED' });
      expect(next.address).toMatch(/^0x/);
    },
  );

  it('is accepted in the form of the client library too, with its fee as an object', async () => {
    const { feeLevel: _, ...rest } = deploymentOf(wallet);
    const fee = { type: 'level', config: { feeLevel: 'LOW' } };
    const url = `templates/${templateIds.fungible}/deploy`;
    const { body } = await sandbox.signed(url, { ...rest, fee });
    const { transactionId } = (body as { data: { transactionId: string } }).data;
    expect(await sandbox.settled(transactionId)).toMatchObject({
      state: 'COMPLETE',
      feeLevel: 'LOW',
    });
  });
});
