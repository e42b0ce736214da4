import { existsSync } from 'node:fs';
import { type Archive, ArchiveError } from '../../../src/books/archive/archive';
import { openArchive } from '../../../src/books/archive/openArchive';
import { newReceipt } from '../../books/archive/stores';
import { setUp } from '../../support/jest/setUp';
import { newLines, openedPayout, payers, payoutOf } from '../../support/payouts';
import { startLyingService } from '../../support/service/lyingService';
import { someone } from '../../support/stages';
import { receiptsOf, startScene } from './scene';

let isAway = false;

/** An archive whose disk may be full. */
function disk(archive: Archive): Archive {
  return {
    ...archive,
    append: async (receipts) => {
      if (isAway) throw new ArchiveError('The archive store.db cannot grow: its disk is full.');
      return archive.append(receipts);
    },
  };
}

const scene = setUp(() => startScene({ through: disk }));
beforeEach(() => {
  isAway = false;
});

async function transferOrder(change: object = {}) {
  const wallet = await scene.sandbox.fundedWallet('EOA');
  const order = { from: { walletId: wallet.id }, to: someone(), amount: '0.5', token: 'USDC' };
  return { ...order, ...change };
}

async function namesIn(id: string): Promise<string[]> {
  const { events } = await scene.orders.client.workflow.getHandle(id).fetchHistory();
  return (events ?? []).map((event) => {
    const [name = ''] = Object.keys(event).filter((key) => key.endsWith('Attributes'));
    return name.replace('EventAttributes', '');
  });
}

const markersIn = async (id: string): Promise<number> =>
  (await namesIn(id)).filter((name) => name === 'markerRecorded').length;

describe('an order with an archive', () => {
  it('has one event more for all of its receipts, in the task that ends it', async () => {
    const id = 'deploy:archived';
    const wallet = await scene.sandbox.fundedWallet('EOA');
    await scene.orders.steadfast.execute('deployContract', id, {
      walletId: wallet.id,
      name: 'Archived',
      parameters: { name: 'Archived', symbol: 'ARC' },
      mint: { amount: '5' },
    });
    const names = await namesIn(id);
    expect(await markersIn(id)).toBe(1);
    expect(names.slice(names.indexOf('markerRecorded'))).not.toContain('workflowTaskScheduled');
    const receipts = await scene.receipts(id);
    expect(receipts.map(({ kind }) => kind)).toEqual(['deployment', 'mint']);
    expect(await scene.verify(receipts)).toMatchObject({ code: 0 });
  });

  it('has one event more for all lines of a part of a payout', async () => {
    const lines = newLines(40);
    const order = payoutOf(await payers(scene.sandbox, 'EOA'), { lines, batch: { linesMax: 20 } });
    const { workflowId, handle } = await openedPayout(scene.orders, order);
    await handle.result();
    expect(await scene.receipts(workflowId)).toHaveLength(40);
    expect(await markersIn(`${workflowId}:shard:1`)).toBe(1);
    expect(await markersIn(workflowId)).toBe(0);
  });
});

describe('an archive that is full', () => {
  const full = ({ status }: { status: string }): boolean => status === 'NeedsOperator';

  it('holds up the end of an order, which says why, until there is room', async () => {
    isAway = true;
    const id = 'transfer:archive-full';
    const started = await scene.orders.steadfast.start(
      'transferStablecoin',
      id,
      await transferOrder(),
    );
    const { waitingFor } = await scene.orders.progress(id, full);
    expect(waitingFor).toContain('The receipts of this order cannot be kept yet. The archive');
    isAway = false;
    expect((await started.receipt()).state).toBe('COMPLETE');
    expect(await scene.receipts(id)).toHaveLength(1);
  });

  it('is left by a cancellation, after which the order has completed', async () => {
    isAway = true;
    const id = 'transfer:archive-left';
    const started = await scene.orders.steadfast.start(
      'transferStablecoin',
      id,
      await transferOrder(),
    );
    await scene.orders.progress(id, full);
    await scene.orders.steadfast.cancel(id, 'the archive is lost');
    expect((await started.receipt()).state).toBe('COMPLETE');
    expect(await scene.receipts(id)).toEqual([]);
  });

  it('holds up a payout, and is left by a cancellation too', async () => {
    isAway = true;
    const order = payoutOf(await payers(scene.sandbox, 'EOA'), { lines: newLines(3) });
    const { workflowId, handle } = await openedPayout(scene.orders, order);
    const { waitingFor } = await scene.orders.progress(workflowId, full);
    expect(waitingFor).toContain('The receipts of this order cannot be kept yet.');
    await scene.orders.steadfast.cancel(workflowId, 'the archive is lost');
    expect(await handle.result()).toMatchObject({ paid: 3 });
    expect(await scene.receipts(workflowId)).toEqual([]);
  });
});

describe('an order that Temporal has forgotten', () => {
  /** Has the archive keep a receipt under another id, which no workflow has had. */
  async function forgotten(id: string, change: { refId?: string } = {}) {
    const { steadfast } = scene.orders;
    const order = await transferOrder();
    await steadfast.execute('transferStablecoin', `${id}-before`, order);
    const [receipt] = await scene.receipts(`${id}-before`);
    if (receipt === undefined) throw new Error('It has no receipt.');
    const { place: _, previous: __, hash: ___, ...own } = receipt;
    await scene.archive.append([{ ...own, key: id, order: { ...own.order, id }, ...change }]);
    return { order, receipt };
  }

  it('is remembered by the archive, which refuses another order under its id', async () => {
    const id = 'transfer:forgotten';
    const { order, receipt } = await forgotten(id);
    const other = { ...order, amount: '0.75' };
    await expect(scene.orders.steadfast.execute('transferStablecoin', id, other)).rejects.toThrow(
      `The id ${id} belongs to another order, of ${receipt.time}`,
    );
  });

  it('is carried out if the service does not confirm what the archive says', async () => {
    const id = 'transfer:never-made';
    const { order } = await forgotten(id, { refId: 'made up' });
    const other = { ...order, amount: '0.75' };
    const { state } = await scene.orders.steadfast.execute('transferStablecoin', id, other);
    expect(state).toBe('COMPLETE');
  });
});

describe('an archive that is rebuilt', () => {
  it('has no receipt from a word that the chain contradicts, which is named', async () => {
    const proxy = await startLyingService();
    proxy.forwardTo(scene.sandbox.baseUrl);
    const nowhere = `0x${'ab'.repeat(32)}`;
    const execute = async (name: string) => {
      const id = `transfer:told-${name}`;
      const order = await transferOrder();
      const ended = await scene.orders.steadfast.start('transferStablecoin', id, order);
      await ended.receipt().catch(() => undefined);
      const [receipt] = await scene.receipts(id);
      if (receipt === undefined) throw new Error(`${id} has no receipt.`);
      return receipt;
    };
    const whole = await execute('whole');
    const [failed, swapped, absent] = [
      await execute('failed'),
      await execute('swapped'),
      await execute('absent'),
    ];
    const faults = `${scene.sandbox.origin}/_sandbox/faults`;
    const rules = [{ kind: 'failOnChain', count: 2 }];
    await scene.sandbox.request('POST', faults, { headers: {}, body: { seed: 1, rules } });
    const [reverted, cancelled] = [await execute('reverted'), await execute('cancelled')];
    expect([reverted.outcome, cancelled.outcome]).toEqual(['failed', 'failed']);
    const tell = ({ transactionId }: typeof whole, lie: object) =>
      proxy.gives(lie, ({ id }) => id === transactionId);
    tell(failed, { state: 'FAILED' });
    tell(swapped, { txHash: whole.chain.txHash });
    tell(absent, { txHash: nowhere });
    tell(reverted, { state: 'COMPLETE' });
    tell(cancelled, { state: 'CANCELLED', txHash: nowhere });
    const store = `file:${scene.path('contradicted.db')}`;
    Object.assign(scene.env, { STEADFAST_STORE: store, CUSTODY_BASE_URL: proxy.baseUrl });
    const { code, told } = await scene.steadfast('archive', 'rebuild');
    for (const name of ['STEADFAST_STORE', 'CUSTODY_BASE_URL']) delete scene.env[name];
    await proxy.close();
    const said = (one: typeof whole, state: string) =>
      `not added: ${one.transactionId}: the service calls it ${state}, and the chain shows `;
    expect(told).toContain(`${said(failed, 'FAILED')}its effect in block `);
    const others = `another call: ${whole.chain.txHash} was not sent by `;
    expect(told).toContain(`${said(swapped, 'COMPLETE')}${others}`);
    expect(told).toContain(`${said(absent, 'COMPLETE')}${nowhere} in no block`);
    expect(told).toContain(`${said(reverted, 'COMPLETE')}that it failed in block `);
    expect(told.match(/not added/g)).toHaveLength(4);
    expect(code).toBe(3);
    const rebuilt = await openArchive(store);
    const outcomes = async (name: string) =>
      (await receiptsOf(rebuilt, { orderId: `transfer:told-${name}` })).map(
        ({ outcome, chain }) => [outcome, chain.blockNumber],
      );
    expect(await outcomes('whole')).toEqual([['completed', whole.chain.blockNumber]]);
    // It is in no block, as its record says.
    expect(await outcomes('cancelled')).toEqual([['failed', undefined]]);
    for (const name of ['failed', 'swapped', 'absent', 'reverted']) {
      expect(await outcomes(name)).toEqual([]);
    }
    await rebuilt.close();
  });

  it('has all but the receipt of a record that cannot be read, which is named', async () => {
    const proxy = await startLyingService();
    proxy.forwardTo(scene.sandbox.baseUrl);
    const execute = async (id: string) =>
      scene.orders.steadfast.execute('transferStablecoin', id, await transferOrder());
    const { transactionId } = await execute('transfer:odd');
    await execute('transfer:whole');
    // A client reads no number as amounts.
    proxy.gives({ amounts: 5 } as object, ({ id }) => id === transactionId);
    const store = `file:${scene.path('rebuilt.db')}`;
    Object.assign(scene.env, { STEADFAST_STORE: store, CUSTODY_BASE_URL: proxy.baseUrl });
    const { code, told } = await scene.steadfast('archive', 'rebuild');
    expect(told).toContain(`not added: ${transactionId}: its record cannot be read`);
    expect(code).toBe(3);
    const rebuilt = await openArchive(store);
    expect(await receiptsOf(rebuilt, { orderId: 'transfer:whole' })).toHaveLength(1);
    expect(await receiptsOf(rebuilt, { orderId: 'transfer:odd' })).toHaveLength(0);
    await rebuilt.close();
    for (const name of ['STEADFAST_STORE', 'CUSTODY_BASE_URL']) delete scene.env[name];
    await proxy.close();
  });
});

describe('the receipt of an order with a key scope', () => {
  it('is found by its own id, the whole one, and the short one', async () => {
    const { order } = newReceipt();
    const ids = ['shop:transfer:own', 'shop:payout:march', 'bar:transfer:own'];
    await scene.archive.append(ids.map((id) => newReceipt({ order: { ...order, id } })));
    scene.env.STEADFAST_KEY_SCOPE = 'shop';
    const orderOf = async (id: string) => {
      const { code, told } = await scene.steadfast('receipt', id);
      return code === 0 ? JSON.parse(told).order.id : told;
    };
    expect(await orderOf('transfer:own')).toBe('shop:transfer:own');
    expect(await orderOf('shop:transfer:own')).toBe('shop:transfer:own');
    expect(await orderOf('march')).toBe('shop:payout:march');
    expect(await orderOf('shop:march')).toBe('shop:payout:march');
    expect(await orderOf('bar:transfer:own')).toBe('bar:transfer:own');
    expect(await orderOf('transfer:other')).toContain('has no receipt of transfer:other');
    delete scene.env.STEADFAST_KEY_SCOPE;
  });
});

describe('an archive of another account', () => {
  it('is refused, and nothing is written or added', async () => {
    await scene.orders.steadfast.execute(
      'transferStablecoin',
      'transfer:own',
      await transferOrder(),
    );
    const store = `file:${scene.path('others.db')}`;
    const others = await openArchive(store);
    await others.append([newReceipt({ sender: someone() })]);
    scene.env.STEADFAST_STORE = store;
    const path = scene.path('others.jsonl');
    const [wallet] = await payers(scene.sandbox, 'EOA');
    for (const args of [
      ['reconcile', '--from', '2020-01-01', '--out', path],
      ['statement', '--wallet', `${wallet?.id}`, '--from', '2020-01-01', '--out', path],
      ['archive', 'rebuild'],
    ]) {
      expect(await scene.steadfast(...args)).toEqual({
        code: 2,
        told: expect.stringMatching(/STEADFAST_STORE: .* 0x\w+ is no wallet of this account/),
      });
    }
    expect([existsSync(path), existsSync(`${path}.part`)]).toEqual([false, false]);
    expect(await receiptsOf(others, {})).toHaveLength(1);
    await others.close();
    delete scene.env.STEADFAST_STORE;
  });
});
