import type { CustodyApi } from '../../src/custody/endpoints';
import { NoAnswerError, RefusedError } from '../../src/custody/errors';
import type { Wallet } from '../../src/custody/objects/wallet';
import type { Ledger } from '../../src/writer/ledger/ledger';
import { blockchain, inSandbox, settled, usdc } from '../support/sandbox';
import { asOf, limitOf, partsOf, payee, stranger, transferFrom, writerOf } from './writer';

let wallet: Wallet;
const sandbox = inSandbox({ states: 'hosted' });
beforeAll(async () => {
  wallet = await sandbox.usedWallet('EOA');
});

/** The transfer of a writer that has settled, and requests about it. */
async function requested(fields: object) {
  const wallet = await sandbox.usedWallet('EOA');
  const { api, ledger } = writerOf(sandbox.client, [limitOf(wallet, fields)]);
  const { input, how } = transferFrom(wallet, '0.5');
  const { id } = await api.createTransfer(input, how);
  await settled(api, id);
  const accelerate = (order: number) => {
    const request = asOf(partsOf('accelerate', { item: `${order}`, generation: 1 }));
    const { idempotencyKey } = request.identity;
    return api.accelerateTransaction({ id, idempotencyKey }, request.how);
  };
  return { accelerate, ledger, wallet };
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

it('are of a transaction of this writer, and not of one with a copied reference', async () => {
  const asked: string[] = [];
  const custody: CustodyApi = {
    ...sandbox.client,
    accelerateTransaction: async ({ id }) => {
      asked.push(id);
      return { id };
    },
  };
  const { api } = writerOf(custody, [limitOf(wallet)]);
  const { input, how } = transferFrom(wallet, '0.5');
  await api.createTransfer(input, how);
  const { refId } = input;
  const foreign = { ...asOf(partsOf()).identity, refId };
  for (const identity of [foreign, asOf(partsOf()).identity]) {
    const { id } = await sandbox.client.createTransfer({ ...input, ...identity });
    await settled(api, id);
    const request = asOf(partsOf('accelerate', { generation: 1 }));
    const { idempotencyKey } = request.identity;
    const attempt = api.accelerateTransaction({ id, idempotencyKey }, request.how);
    expect(await refusedBy(attempt)).toContain('is not a transaction of this writer');
  }
  expect(asked).toEqual([]);
});

it('counts accelerations of one transaction in whatever letters its id is written', async () => {
  // A service that reads an id in any letters, as a UUID may be written.
  const lenient: CustodyApi = {
    ...sandbox.client,
    getTransaction: ({ id }, how) => sandbox.client.getTransaction({ id: id.toLowerCase() }, how),
    accelerateTransaction: async ({ id }) => ({ id }),
  };
  const { api } = writerOf(lenient, [limitOf(wallet)]);
  const { input, how } = transferFrom(wallet, '0.5');
  const { id } = await api.createTransfer(input, how);
  const answers: string[] = [];
  for (const [order, own] of [id, id, id, id.toUpperCase()].entries()) {
    const request = asOf(partsOf('accelerate', { item: `${order}`, generation: 1 }));
    const { idempotencyKey } = request.identity;
    const attempt = api.accelerateTransaction({ id: own, idempotencyKey }, request.how);
    answers.push(await refusedBy(attempt));
  }
  expect(answers.at(-1)).toContain('It was asked for 3 times');
});

it('gives the fee of an acceleration back when the service refuses it', async () => {
  // Its wallet has nothing else under way, whose fees would change meanwhile.
  const { accelerate, ...of } = await requested({ maxFeePerWindow: '0.5' });
  const before = await feesOf(of);
  // The service refuses it, since the transaction has ended. That had no effect.
  expect(await refusedBy(accelerate(1))).not.toBe('accepted');
  expect(await feesOf(of)).toBe(before);
});

async function feesOf({ ledger, wallet }: { ledger: Ledger; wallet: Wallet }): Promise<bigint> {
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

  it.each(['Shop 0123456789abcdef.g0', 'steadfast-ledger 00000000-0000-4000-8000-000000000000 '])(
    'of a set whose name is not that of its write are refused: "%s"',
    async (name) => {
      const { api } = writerOf(sandbox.client, [limitOf(wallet)]);
      const { identity, how } = asOf(partsOf('walletSet'));
      const input = { idempotencyKey: identity.idempotencyKey, name };
      await expect(api.createWalletSet(input, how)).rejects.toThrow(
        'Its reference does not follow from its workflow and step.',
      );
    },
  );
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
    expect(await sandbox.settled(transactionId)).toMatchObject({ state: 'COMPLETE' });
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

describe('a write of which the service estimates no fee', () => {
  let wallet: Wallet;
  beforeAll(async () => {
    wallet = await sandbox.usedWallet('EOA');
  });
  const refusing = async () => {
    throw new RefusedError('Insufficient funds', { status: 400, code: 155201 });
  };

  afterEach(() => jest.restoreAllMocks());

  it('is refused, as it would be if it were sent', async () => {
    const custody: CustodyApi = { ...sandbox.client, estimateTransfer: refusing };
    const { api } = writerOf(custody, [limitOf(wallet, { maxFeePerWindow: '1' })]);
    const { input, how } = transferFrom(wallet, '0.1');
    await expect(api.createTransfer(input, how)).rejects.toMatchObject({
      next: 'stop',
      message: expect.stringContaining('estimates no fee for it: Insufficient funds'),
    });
  });

  it('is sent again all the same, if an attempt was made', async () => {
    const custody: CustodyApi = {
      ...sandbox.client,
      createTransfer: async (input, how) => {
        await sandbox.client.createTransfer(input, how);
        // The first attempt has spent what the wallet held, and its answer is lost.
        Object.assign(custody, { ...sandbox.client, estimateTransfer: refusing });
        throw new NoAnswerError('lost');
      },
    };
    const late = new Proxy(custody, { get: (of, name) => Reflect.get(of, name) });
    const { api } = writerOf(late, [limitOf(wallet, { maxFeePerWindow: '1' })]);
    const { input, how } = transferFrom(wallet, '0.1');
    await expect(api.createTransfer(input, how)).rejects.toThrow('lost');
    // An estimate is kept for a minute.
    const later = Date.now() + 61_000;
    jest.spyOn(Date, 'now').mockReturnValue(later);
    const { id } = await api.createTransfer(input, how);
    jest.restoreAllMocks();
    await settled(api, id);
  });
});
