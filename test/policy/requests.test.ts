import type { CustodyApi } from '../../src/custody/endpoints';
import type { Wallet } from '../../src/custody/objects/wallet';
import type { Ledger } from '../../src/policy/ledger/ledger';
import {
  blockchain,
  createUsedWallet,
  settled,
  startTestSandbox,
  type TestSandbox,
  usdc,
} from '../support/sandbox';
import { asOf, limitOf, partsOf, payee, stranger, transferFrom, writerOf } from './writer';

let sandbox: TestSandbox;
let wallet: Wallet;

beforeAll(async () => {
  sandbox = await startTestSandbox({ states: 'hosted' });
  wallet = await createUsedWallet(sandbox.client, 'EOA');
});
afterAll(() => sandbox?.stop());

/** The transfer of a writer that has settled, and requests about it. */
async function requested(fields: object) {
  const { api, ledger } = writerOf(sandbox.client, [limitOf(wallet, fields)]);
  const { input, how } = transferFrom(wallet, '0.5');
  const { id } = await api.createTransfer(input, how);
  await settled(api, id);
  const accelerate = (order: number) => {
    const request = asOf(partsOf('accelerate', { item: `${order}`, generation: 1 }));
    const { idempotencyKey } = request.identity;
    return api.accelerateTransaction({ id, idempotencyKey }, request.how);
  };
  return { accelerate, ledger };
}

const refusedBy = async (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => 'accepted',
    (error: Error) => error.message,
  );

it('asks for an acceleration three times at most, whatever order asks', async () => {
  // A service that accepts all of them, as one does while a transaction is stuck.
  const accepting: CustodyApi = {
    ...sandbox.client,
    accelerateTransaction: async ({ id }) => ({ id }),
  };
  const { api } = writerOf(accepting, [limitOf(wallet)]);
  const { input, how } = transferFrom(wallet, '0.5');
  const { id } = await api.createTransfer(input, how);
  const answers: string[] = [];
  for (const order of [1, 2, 3, 4]) {
    const request = asOf(partsOf('accelerate', { item: `${order}`, generation: 1 }));
    const { idempotencyKey } = request.identity;
    const attempt = api.accelerateTransaction({ id, idempotencyKey }, request.how);
    answers.push(await refusedBy(attempt));
  }
  expect(answers).toEqual([
    'accepted',
    'accepted',
    'accepted',
    expect.stringContaining('It was asked for 3 times, which is all that is allowed.'),
  ]);
});

it('gives the fee of an acceleration back when the service refuses it', async () => {
  const { accelerate, ledger } = await requested({ maxFeePerWindow: '0.5' });
  const before = await feesOf(ledger);
  // The service refuses it, since the transaction has ended. That had no effect.
  expect(await refusedBy(accelerate(1))).not.toBe('accepted');
  expect(await feesOf(ledger)).toBe(before);
});

async function feesOf(ledger: Ledger): Promise<bigint> {
  const scope = { wallet: wallet.id };
  return (await ledger.usage({ scope, money: 'fee', hours: 24 })).counted;
}

describe('wallets', () => {
  it('are made without a rule, and no rule names them', async () => {
    const { api } = writerOf(sandbox.client, [limitOf(wallet)]);
    const setParts = partsOf('walletSet');
    const set = asOf(setParts);
    const hash = set.identity.refId.split(' ').at(-1);
    const { idempotencyKey } = set.identity;
    const { walletSet } = await api.createWalletSet(
      { idempotencyKey, name: `Shop ${hash}` },
      set.how,
    );
    const made = asOf(partsOf('wallets'));
    const { wallets } = await api.createWallets(
      {
        idempotencyKey: made.identity.idempotencyKey,
        walletSetId: walletSet.id,
        blockchains: [blockchain],
        count: 1,
        accountType: 'EOA',
        metadata: [{ name: 'wallet 1', refId: made.identity.refId }],
      },
      made.how,
    );
    const [fresh] = wallets;
    if (fresh === undefined) throw new Error('No wallet was made.');
    const { input, how } = transferFrom(fresh, '1');
    await expect(api.createTransfer(input, how)).rejects.toThrow(
      `No rule names the wallet ${fresh.id}.`,
    );
  });

  it('of a set whose name is another write are refused', async () => {
    const { api } = writerOf(sandbox.client, [limitOf(wallet)]);
    const { identity, how } = asOf(partsOf('walletSet'));
    const input = { idempotencyKey: identity.idempotencyKey, name: 'Shop 0123456789abcdef.g0' };
    await expect(api.createWalletSet(input, how)).rejects.toThrow(
      'Its reference does not follow from its workflow and step.',
    );
  });
});

describe('a deployment', () => {
  const deploying = (templateParameters: Record<string, unknown>) => {
    const rule = {
      id: 'deployments',
      kind: 'limit',
      orders: ['deployContract'],
      wallets: [wallet.id],
      to: [payee],
      maxFeePerWindow: '1',
    };
    const { api } = writerOf(sandbox.client, [rule]);
    const { identity, how } = asOf(partsOf('deploy'));
    const template = { id: 'a1b74add-23e0-4712-88d1-6b3009e85a86', name: 'Coin' };
    const input = { ...template, walletId: wallet.id, blockchain, templateParameters };
    return api.deployTemplate({ ...identity, ...input }, how);
  };
  const roles = { name: 'Coin', symbol: 'CN', primarySaleRecipient: payee };

  it('that a rule names is sent, with its own wallet as admin', async () => {
    const { transactionId } = await deploying({ ...roles, defaultAdmin: wallet.address });
    expect(await settled(sandbox.client, transactionId)).toMatchObject({ state: 'COMPLETE' });
  });

  it.each([
    ['an admin', { defaultAdmin: stranger }],
    ['a trusted forwarder in a list', { defaultAdmin: payee, trustedForwarders: [stranger] }],
    ['an address inside a text', { defaultAdmin: payee, contractUri: `ipfs://${stranger}/x` }],
  ])('with a stranger as %s is refused', async (_, parameters) => {
    await expect(deploying({ ...roles, ...parameters })).rejects.toThrow(
      'None of the rules deployments names a deployment with the addresses in it.',
    );
  });
});

it('is open to reads: a wallet, its balances and an estimate', async () => {
  const { api } = writerOf(sandbox.client, [limitOf(wallet)]);
  expect((await api.getWallet({ id: wallet.id })).wallet.id).toBe(wallet.id);
  const estimate = { walletId: wallet.id, tokenAddress: usdc, blockchain };
  const fees = await api.estimateTransfer({
    ...estimate,
    destinationAddress: payee,
    amounts: ['1'],
  });
  expect(Number(fees.medium.networkFee)).toBeGreaterThan(0);
});
