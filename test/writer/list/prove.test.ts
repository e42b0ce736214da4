import { randomUUID } from 'node:crypto';
import type { CustodyApi } from '../../../src/custody/endpoints';
import { finalState } from '../../../src/custody/objects/state';
import type { Transaction } from '../../../src/custody/objects/transaction';
import type { Wallet } from '../../../src/custody/objects/wallet';
import { refHash } from '../../../src/custody/reference';
import { shownOn } from '../../../src/worker/shownOn';
import type { WriteEnd } from '../../../src/writer/ledger/ledger';
import { openLedger } from '../../../src/writer/ledger/openLedger';
import { settleOpen } from '../../../src/writer/list/settle';
import { blockchain, inSandbox, transferOf as orderOf } from '../../support/sandbox';
import { asOf, limitOf, stranger, transferFrom, writerOf } from '../writer';

const graceMs = 600_000;
/** The chain rests, and goes on once somebody looks at it. */
const aBlockMs = 60_000;
let wallet: Wallet;
const sandbox = inSandbox();

/** The service, with records that somebody changes on their way. */
function lying() {
  const world = {
    lie: (record: Transaction): Partial<Transaction> => ({ id: record.id }),
    /** Records that the service invents beside those of a transaction. */
    invent: (_: Transaction): Transaction[] => [],
  };
  const told = (record: Transaction): Transaction => ({ ...record, ...world.lie(record) });
  const custody: CustodyApi = {
    ...sandbox.client,
    // An order may lose its funds after its fee was estimated.
    estimateTransfer: (input, how) =>
      sandbox.client.estimateTransfer({ ...input, amounts: ['0.1'] }, how),
    listTransactions: async (input, how) => {
      const { transactions } = await sandbox.client.listTransactions(input, how);
      const invented = input.txHash === undefined ? [] : transactions.flatMap(world.invent);
      return { transactions: [...invented, ...transactions.map(told)] };
    },
    getTransaction: async (input, how) => {
      const { transaction } = await sandbox.client.getTransaction(input, how);
      return { transaction: told(transaction) };
    },
  };
  return { world, custody };
}

/** A writer with a window of 9 over the wallet, whose time a test moves. */
function scene({ node, fields = {} }: { node: boolean; fields?: object }) {
  const { world, custody } = lying();
  const time = { aheadMs: 0 };
  const clock = () => Date.now() + time.aheadMs;
  const ledger = openLedger(':memory:', { keyLifetimeMs: 36_000_000, clock });
  const alarms: WriteEnd[] = [];
  const { api } = writerOf(custody, [limitOf(wallet, fields)], {
    ledger,
    graceMs,
    alarm: (end) => void alarms.push(end),
    chain: node ? shownOn(sandbox.rpcUrl, { custody, ledger, blockchain }) : undefined,
  });
  const usage = async () => {
    const { counted, open } = await ledger.usage({
      scope: { wallet: wallet.id },
      money: 'native',
      hours: 24,
    });
    return { counted: Number(counted) / 1e18, open: Number(open) / 1e18 };
  };
  const later = async (ms = graceMs + aBlockMs) => {
    time.aheadMs += ms;
    await settleOpen(api, ledger, { graceMs, withFound: true });
  };
  const send = async (amount: string, change: object = {}) => {
    const { input, how, parts } = transferFrom(wallet, amount, change);
    const { id } = await api.createTransfer(input, how);
    await sandbox.settled(id);
    await api.listTransactions({ txType: 'OUTBOUND' });
    return { id, input, parts };
  };
  return { world, api, ledger, alarms, usage, later, send };
}

const failed = (record: Transaction): Partial<Transaction> =>
  finalState(record.state) === undefined
    ? {}
    : { state: 'FAILED', errorReason: 'INSUFFICIENT_TOKEN_BALANCE', txHash: undefined };

/** Fields of a limit that lets out more than the wallet has. */
const roomy = { perTransfer: '90', perWindow: { amount: '99', hours: 24, over: 'wallet' } };

/** All USDC that has left the wallet, by the logs of the chain. */
async function paid(): Promise<number> {
  const logs = await sandbox.transfers({ from: wallet.address });
  return logs.reduce((sum, { value }) => sum + Number(value) / 1e6, 0);
}

describe.each(['EOA', 'SCA'] as const)(
  'a payment of an %s that the service calls FAILED',
  (type) => {
    beforeEach(async () => {
      wallet = await sandbox.usedWallet(type);
    });

    it.each([true, false])('frees no window by that word, with a node: %s', async (node) => {
      const { world, send, usage } = scene({ node });
      world.lie = failed;
      await send('5');
      await expect(send('5')).rejects.toThrow(/is full: 5\.\d+ of 9 in 24 hours, 5\.\d+ of it not/);
      expect(await paid()).toBe(5);
      expect((await usage()).open).toBeGreaterThanOrEqual(5);
    });

    it('and that the chain shows is counted as paid, and raises an alarm', async () => {
      const { world, send, usage, later, alarms } = scene({ node: true });
      world.lie = failed;
      const { id } = await send('5');
      await later();
      expect(alarms).toMatchObject([{ transactionId: id, hadEffect: true }]);
      expect(await usage()).toMatchObject({ open: 0 });
      expect((await usage()).counted).toBeGreaterThanOrEqual(5);
      await expect(send('5')).rejects.toThrow('is full');
      expect(await paid()).toBe(5);
    });

    it('and that names the transaction of another payment is counted as paid', async () => {
      const { world, send, usage, later } = scene({ node: true });
      const other = await send('1');
      const { transaction } = await sandbox.client.getTransaction({ id: other.id });
      const { txHash } = transaction;
      world.lie = (record) => (record.id === other.id ? {} : { ...failed(record), txHash });
      await send('5');
      await later();
      expect((await usage()).counted).toBeGreaterThanOrEqual(6);
    });

    it('and whose transaction an invented record claims is counted as paid', async () => {
      const { world, send, usage, later } = scene({ node: true });
      world.lie = failed;
      world.invent = (record) => [{ ...record, id: randomUUID(), state: 'FAILED' }];
      await send('5');
      await later();
      expect((await usage()).counted).toBeGreaterThanOrEqual(5);
    });

    it('beside one that is alike and has paid is free, and the other one counts', async () => {
      const { send, usage, later } = scene({ node: true, fields: roomy });
      await send('12');
      await send('12');
      expect(await paid()).toBe(12);
      await later();
      const { counted, open } = await usage();
      expect(open).toBe(0);
      expect(Math.floor(counted)).toBe(12);
    });

    it.each([true, false])(
      'and that never happened is free after the grace period: %s',
      async (node) => {
        const { send, usage, later, alarms } = scene({
          node,
          fields: roomy,
        });
        await send('90');
        await later(graceMs - 1_000);
        expect((await usage()).open).toBeGreaterThanOrEqual(90);
        await later(aBlockMs);
        expect((await usage()).counted).toBeLessThan(1);
        expect(alarms).toEqual([]);
      },
    );

    it('and whose word was corrected counts again, as soon as that is read', async () => {
      const { world, send, usage, later, alarms } = scene({ node: false });
      world.lie = failed;
      const { id } = await send('5');
      await later();
      expect((await usage()).counted).toBeLessThan(1);
      world.lie = () => ({});
      await later(3_600_000);
      expect((await usage()).counted).toBeGreaterThanOrEqual(5);
      expect(alarms).toMatchObject([{ transactionId: id }]);
    });

    it('and that is moving again later is reserved again', async () => {
      const { world, send, usage, later } = scene({ node: false });
      world.lie = failed;
      await send('5');
      await later();
      world.lie = () => ({ state: 'SENT' });
      await later(0);
      expect((await usage()).open).toBeGreaterThanOrEqual(5);
    });

    it('counts from the last change of its word, not from the first', async () => {
      const { world, send, usage, later } = scene({ node: false });
      world.lie = failed;
      await send('5');
      world.lie = () => ({ state: 'SENT' });
      await later(graceMs / 2);
      world.lie = failed;
      await later(graceMs / 2);
      await later(graceMs / 2);
      expect((await usage()).open).toBeGreaterThanOrEqual(5);
      await later(graceMs / 2);
      expect((await usage()).counted).toBeLessThan(1);
    });

    it.each([true, false])('lets no next generation out before, with a node: %s', async (node) => {
      const { world, send, later, api } = scene({ node, fields: { perWindow: undefined } });
      world.lie = failed;
      const { input, parts } = await send('5');
      const next = asOf({ ...parts, generation: 1 });
      const again = () => api.createTransfer({ ...input, ...next.identity } as never, next.how);
      // The chain tells at once that it has paid.
      const held = { next: 'again', message: expect.stringContaining('its generation 0 FAILED') };
      await expect(again()).rejects.toMatchObject(node ? { next: 'lookUp' } : held);
      await later();
      if (!node) return expect(again()).resolves.toMatchObject({ id: expect.any(String) });
      await expect(again()).rejects.toMatchObject({ next: 'lookUp' });
      expect(await paid()).toBe(5);
    });
  },
);

describe('a record of ours', () => {
  beforeEach(async () => {
    wallet = await sandbox.usedWallet('EOA');
  });

  it.each([
    ['without a reference', undefined],
    [
      'under another reference',
      `order:x transfer/1 ${refHash({ workflowId: 'x', step: 's', item: '1' })}.g0`,
    ],
  ])('%s counts once, and its end is seen', async (_, refId) => {
    const { world, send, usage } = scene({ node: false });
    world.lie = () => ({ refId });
    await send('4');
    const { counted, open } = await usage();
    expect(open).toBe(0);
    expect(counted).toBeGreaterThanOrEqual(4);
    expect(counted).toBeLessThan(5);
  });

  it('whose answer was lost counts once as soon as its reference is read', async () => {
    const { world, custody } = lying();
    world.lie = () => ({ refId: undefined });
    const broken: CustodyApi = {
      ...custody,
      createTransfer: async (input, how) => {
        const { id } = await sandbox.client.createTransfer(input, how);
        await sandbox.settled(id);
        throw new Error('The connection broke.');
      },
    };
    const { api, ledger } = writerOf(broken, [limitOf(wallet)]);
    const { input, how } = transferFrom(wallet, '4');
    await expect(api.createTransfer(input, how)).rejects.toThrow('The connection broke.');
    const window = { scope: { wallet: wallet.id }, money: 'native', hours: 24 };
    await api.listTransactions({ txType: 'OUTBOUND' });
    expect((await ledger.usage(window)).counted / 10n ** 18n).toBe(8n);
    world.lie = () => ({});
    await api.listTransactions({ txType: 'OUTBOUND' });
    expect(await ledger.usage(window)).toEqual({ counted: 4n * 10n ** 18n, open: 0n });
  });
});

describe('a payment of somebody else that is called FAILED', () => {
  beforeEach(async () => {
    wallet = await sandbox.usedWallet('EOA');
  });

  const othersPay = async (amount: string) => {
    const order = orderOf(wallet, stranger, { amounts: [amount] });
    return sandbox.settled((await sandbox.client.createTransfer(order)).id);
  };

  it('counts until that word has stood for the grace period', async () => {
    const { world, api, send, usage, later } = scene({ node: false });
    world.lie = failed;
    await othersPay('5');
    await api.listTransactions({ txType: 'OUTBOUND' });
    await expect(send('5')).rejects.toThrow('is full');
    await later();
    expect((await usage()).counted).toBeLessThan(1);
    world.lie = () => ({});
    await later(0);
    expect((await usage()).counted).toBeGreaterThanOrEqual(5);
  });

  it('counts as paid where the transaction that it names has paid', async () => {
    const { world, api, usage, later } = scene({ node: true });
    const { id } = await othersPay('5');
    world.lie = (record) => (record.id === id ? { state: 'FAILED' } : {});
    await api.listTransactions({ txType: 'OUTBOUND' });
    await later();
    const { counted, open } = await usage();
    expect(counted).toBeGreaterThanOrEqual(5);
    expect(open).toBe(0);
  });
});
