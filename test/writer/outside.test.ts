import type { CallOptions, CustodyApi } from '../../src/custody/endpoints';
import { NoAnswerError, UnexpectedAnswerError } from '../../src/custody/errors';
import { type Transaction, transactionSchema } from '../../src/custody/objects/transaction';
import type { Wallet } from '../../src/custody/objects/wallet';
import { openLedger } from '../../src/writer/ledger/openLedger';
import { settleOpen } from '../../src/writer/list/settle';
import { inSandbox, transferOf as orderOf, settled } from '../support/sandbox';
import { callFrom, limitOf, payee, stranger, transferFrom, writerOf } from './writer';

let wallet: Wallet;
const sandbox = inSandbox();
beforeEach(async () => {
  wallet = await sandbox.usedWallet('EOA');
});

/** A writer that has just started, with a ledger of its own, and a window of 9 over the wallet. */
const writer = (fields: object = {}, custody = sandbox.client) =>
  writerOf(custody, [limitOf(wallet, fields)]);

/** A payment of somebody else who has the same API key. */
async function othersPay(amount: string, to = payee, fields: object = {}): Promise<Transaction> {
  const order = orderOf(wallet, to, { amounts: [amount], ...fields });
  return sandbox.settled((await sandbox.client.createTransfer(order)).id);
}

/** A call of USDC by somebody else. */
async function othersCall(signature: string, abiParameters: string[]): Promise<Transaction> {
  const { input } = callFrom(wallet, signature, { abiParameters, refId: '' });
  return sandbox.settled((await sandbox.client.executeContract(input)).id);
}

/** Sends a transfer, and waits for its end. Returns "sent", or the words of the writer. */
async function pay(api: CustodyApi, amount: string, fields: object = {}): Promise<string> {
  const { input, how } = transferFrom(wallet, amount, fields);
  try {
    await settled(api, (await api.createTransfer(input, how)).id);
    return 'sent';
  } catch (error) {
    if (error instanceof Error) return error.message;
    throw error;
  }
}

/** A record that is not the interface, as the client reads it for whoever salvages records. */
function salvaged(record: Transaction, how: CallOptions | undefined): Transaction {
  const rest = how?.salvage?.({ ...record, amounts: 5 });
  if (rest === undefined) throw new UnexpectedAnswerError('not the interface', { status: 200 });
  return transactionSchema.parse(rest);
}

/** All USDC that has left the wallet, by the logs of the chain. */
async function paid(): Promise<bigint> {
  const logs = await sandbox.transfers({ from: wallet.address });
  return logs.reduce((sum, { value }) => sum + value, 0n);
}

describe('a payment of somebody else', () => {
  it('counts in the window of its wallet, and in no other', async () => {
    await othersPay('5', stranger);
    const { api } = writer();
    expect(await pay(api, '4')).toMatch(/is full: 5\.00\d+ of 9 in 24 hours/);
    expect(await pay(api, '3.9')).toBe('sent');
    expect(await paid()).toBe(8_900_000n);
    const own = await sandbox.usedWallet('EOA');
    const other = writerOf(sandbox.client, [limitOf(own)]);
    const { input, how } = transferFrom(own, '5');
    await settled(other.api, (await other.api.createTransfer(input, how)).id);
  });

  it('closes the window of its wallet, where its record cannot be read', async () => {
    const { id } = await othersPay('5', stranger);
    const custody: CustodyApi = {
      ...sandbox.client,
      listTransactions: async (input, how) => {
        const { transactions } = await sandbox.client.listTransactions(input, how);
        const read = (one: Transaction) => (one.id === id ? salvaged(one, how) : one);
        return { transactions: transactions.map(read) };
      },
    };
    expect(await pay(writer({}, custody).api, '4')).toContain('does not tell what it has moved');
    expect(await paid()).toBe(5_000_000n);
    const own = await sandbox.usedWallet('EOA');
    const { input, how } = transferFrom(own, '4');
    const { api } = writerOf(custody, [limitOf(own)]);
    await settled(api, (await api.createTransfer(input, how)).id);
  });

  it('counts as a call of the token as well', async () => {
    await othersCall('transfer(address,uint256)', [stranger, '5000000']);
    expect(await pay(writer().api, '4')).toMatch(/is full: 5\.00\d+ of 9 in 24 hours/);
  });

  it('counts in the window of a rule that would have named it', async () => {
    const perWindow = { amount: '9', hours: 24, over: 'rule' };
    await othersPay('5', stranger);
    await othersPay('3');
    expect(await pay(writer({ perWindow }).api, '5')).toBe('sent');
    const { api } = writer({ perWindow, to: 'anyone' });
    expect(await pay(api, '1')).toMatch(/is full: 13\.00\d+ of 9 in 24 hours/);
  });

  it('that has failed at the service counts no more', async () => {
    expect(await othersPay('99')).toMatchObject({ state: 'FAILED' });
    expect(await pay(writer().api, '5')).toBe('sent');
  });

  it('counts under a copied reference too', async () => {
    const { api } = writer();
    const { input, how } = transferFrom(wallet, '5');
    await settled(api, (await api.createTransfer(input, how)).id);
    await othersPay('3', stranger, { refId: input.refId });
    await api.listTransactions({ txType: 'OUTBOUND' });
    expect(await pay(api, '2')).toMatch(/is full: 8\.00\d+ of 9 in 24 hours/);
  });

  it('is found by a writer of the same ledger that starts later', async () => {
    const ledger = openLedger(':memory:', { keyLifetimeMs: 3_600_000 });
    const rules = [limitOf(wallet)];
    expect(await pay(writerOf(sandbox.client, rules, { ledger }).api, '1')).toBe('sent');
    await othersPay('5');
    const later = writerOf(sandbox.client, rules, { ledger });
    expect(await pay(later.api, '4')).toMatch(/is full: 6\.00\d+ of 9 in 24 hours/);
  });

  it('that was still moving is read again until it ends', async () => {
    const ledger = openLedger(':memory:', { keyLifetimeMs: 3_600_000 });
    const moving = { moved: true };
    const custody: CustodyApi = {
      ...sandbox.client,
      listTransactions: async (input, how) => {
        const { transactions } = await sandbox.client.listTransactions(input, how);
        const state = (one: Transaction) => (moving.moved ? 'SENT' : one.state);
        return { transactions: transactions.map((one) => ({ ...one, state: state(one) })) };
      },
    };
    const { id } = await othersPay('99');
    const { api } = writerOf(custody, [limitOf(wallet)], { ledger });
    expect(await pay(api, '1')).toMatch(
      /is full: 99\.0\d+ of 9 in 24 hours, 99\.0\d+ of it not settled/,
    );
    expect(await ledger.movingOutside(99)).toContain(id);
    await settleOpen(api, ledger, { graceMs: 0 });
    expect(await ledger.movingOutside(99)).toEqual([]);
    expect(await pay(api, '1')).toBe('sent');
  });
});

it('a ledger that is new holds what earlier ones have paid in its windows', async () => {
  expect(await pay(writer().api, '5')).toBe('sent');
  expect(await pay(writer().api, '3.9')).toBe('sent');
  expect(await pay(writer().api, '0.1')).toMatch(/is full: 8\.90\d+ of 9 in 24 hours/);
  expect(await paid()).toBe(8_900_000n);
});

describe('a record that does not tell what it has moved', () => {
  it('closes the windows of its wallet, and holds up nothing that no window names', async () => {
    const { id } = await othersCall('approve(address,uint256)', [stranger, '1']);
    const words = await pay(writer().api, '1');
    expect(words).toContain(
      `closed by the transaction ${id}, which is none of this writer's. Its record`,
    );
    expect(words).toMatch(/The window opens at 20\d\d-/);
    expect(await paid()).toBe(0n);
    expect(await pay(writer({ perWindow: undefined }).api, '1')).toBe('sent');
  });

  it('closes no window of fees, and its own fee counts there', async () => {
    await othersCall('approve(address,uint256)', [stranger, '1']);
    const ledger = openLedger(':memory:', { keyLifetimeMs: 3_600_000 });
    const { api } = writerOf(sandbox.client, [limitOf(wallet)], { ledger });
    expect(await pay(api, '1')).toContain('does not tell what it has moved');
    const own = { scope: { wallet: wallet.id }, hours: 24, rule: 'out', max: 10n ** 18n };
    expect(await ledger.full({ ...own, money: 'native', amount: 1n })).toBeDefined();
    expect(await ledger.full({ ...own, money: 'fee', amount: 1n })).toBeUndefined();
    expect((await ledger.usage({ ...own, money: 'fee' })).counted).toBeGreaterThan(0n);
  });

  it.each<[string, Partial<Transaction>]>([
    ['of bytes that it does not show', { abiFunctionSignature: undefined }],
    ['of no known operation', { operation: 'SWAP' }],
    ['of no known type', { transactionType: 'BRIDGED' }],
    ['of a token that nobody has', { tokenId: '0c3f3d3e-1111-4222-8333-4444aaaa6666' }],
    ['without an amount', { amounts: null }],
    ['of far too large an amount', { amounts: [`${10n ** 30n}`] }],
    ['of an amount that is none', { amounts: ['-5'] }],
    ['of no wallet', { walletId: undefined, sourceAddress: undefined }],
  ])('closes them for a record %s', async (what, fields) => {
    const { id } = what.includes('bytes')
      ? await othersCall('transfer(address,uint256)', [payee, '1'])
      : await othersPay('1');
    const { api } = writer(
      {},
      changing((one) => (one.id === id ? { ...one, ...fields } : one)),
    );
    expect(await pay(api, '1')).toContain(`the transaction ${id}, which is none of this writer's`);
  });
});

/** The service with records that somebody has changed, left out or added. */
function changing(change: (record: Transaction) => Transaction | Transaction[]): CustodyApi {
  return {
    ...sandbox.client,
    listTransactions: async (input) => {
      // A page that lacks records does not tell of the next one.
      const { transactions } = await sandbox.client.listTransactions(input);
      return { transactions: transactions.flatMap(change) };
    },
  };
}

describe('a list that lies', () => {
  it('by leaving out what a writer has paid opens no window', async () => {
    const { api } = writer(
      {},
      changing(() => []),
    );
    for (const amount of ['5', '3.9']) expect(await pay(api, amount)).toBe('sent');
    expect(await pay(api, '0.1')).toMatch(/is full: 8\.90\d+ of 9/);
  });

  it('about other chains, or about what a wallet receives, changes nothing', async () => {
    await othersPay('5');
    const elsewhere = changing((one) => ({ ...one, blockchain: 'ETH' }));
    expect(await pay(writer({}, elsewhere).api, '5')).toBe('sent');
    const inbound = changing((one) => ({ ...one, transactionType: 'INBOUND' }));
    expect(await pay(writer({ perTransfer: '9' }, inbound).api, '8.9')).toBe('sent');
  });

  it.each([
    ['was answered', false],
    ['had no answer', true],
  ])('about a payment that %s, with a copy that has failed, opens no window', async (_, isLost) => {
    const lying = changing((one) => {
      const copy = { ...one, id: one.id.replace(/^.{8}/, 'ffffffff'), state: 'FAILED' };
      return one.walletId === wallet.id ? [copy, one] : one;
    });
    const custody: CustodyApi = {
      ...lying,
      createTransfer: async (input, how) => {
        const answer = await sandbox.client.createTransfer(input, how);
        await sandbox.settled(answer.id);
        if (isLost) throw new NoAnswerError('The connection broke.');
        return answer;
      },
    };
    const { api } = writer({}, custody);
    const { input, how } = transferFrom(wallet, '5');
    const sending = api.createTransfer(input, how);
    if (isLost) await expect(sending).rejects.toThrow('The connection broke.');
    else await sending;
    await api.listTransactions({ txType: 'OUTBOUND' });
    expect(await pay(api, '4')).toMatch(/is full: 5\.00\d+ of 9/);
  });
});

describe('while the list cannot be read', () => {
  it('nothing under a window is sent, and the rest goes on', async () => {
    const list: { fault?: Error | undefined } = {};
    const custody = changing((one) => {
      if (list.fault !== undefined) throw list.fault;
      return one;
    });
    const small = limitOf(wallet, { perWindow: undefined, perTransfer: '1' });
    const windowed = limitOf(wallet, { id: 'large', to: stranger });
    const { api } = writerOf(custody, [small, windowed]);
    expect(await pay(api, '1')).toBe('sent');
    list.fault = new NoAnswerError('The connection broke');
    const later = performance.now() + 11_000;
    const clock = jest.spyOn(performance, 'now').mockReturnValue(later);
    const { input, how } = transferFrom(wallet, '1', { destinationAddress: stranger });
    await expect(api.createTransfer(input, how)).rejects.toMatchObject({
      next: 'again',
      message:
        'What others have paid counts in the windows, and the list of the service cannot be ' +
        'read: The connection broke. Nothing was sent.',
    });
    expect(await pay(api, '1')).toBe('sent');
    expect(await paid()).toBe(2_000_000n);
    list.fault = undefined;
    await settled(api, (await api.createTransfer(input, how)).id);
    clock.mockRestore();
    expect(await paid()).toBe(3_000_000n);
  });
});
