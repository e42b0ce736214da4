import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Input } from '../../../src/custody/endpoints';
import { setUp } from '../../support/jest/setUp';
import { inSandbox, startTestSandbox, transferOf } from '../../support/sandbox';
import { someone } from '../../support/stages';

const sandbox = inSandbox();
const sender = setUp(() => sandbox.fundedWallet());
const other = setUp(() => sandbox.fundedWallet());
afterEach(() => control('DELETE', 'faults'));

const oneUsdc = 1_000_000n;

describe('a call that a fault plan hits', () => {
  it('is not done when its request is lost', async () => {
    await plan({ kind: 'loseRequest', method: 'POST', count: 1 });
    const order = transferOf(sender, someone());
    await isLost(order);
    const { id } = await sandbox.client.createTransfer(order);
    await sandbox.settled(id);
    expect(await transfersTo(order.destinationAddress)).toEqual([oneUsdc]);
    expect(await noted(order.idempotencyKey)).toEqual([
      [undefined, 'loseRequest'],
      [201, undefined],
    ]);
  });

  it('is not done either when its connection is reset', async () => {
    await plan({ kind: 'reset', method: 'POST', count: 1 });
    const order = transferOf(sender, someone());
    await expect(sandbox.client.createTransfer(order)).rejects.toThrow('ECONNRESET');
    await expect(sandbox.signed('developer/transactions/transfer', order)).resolves.toMatchObject({
      status: 201,
    });
  });

  it('is done when its answer is lost, and a repeat finds it done', async () => {
    await plan({ kind: 'loseAnswer', path: '/developer/transactions/transfer', count: 1 });
    const order = transferOf(sender, someone());
    await isLost(order);
    const { id } = await sandbox.client.createTransfer(order);
    await sandbox.settled(id);
    expect(await transfersTo(order.destinationAddress)).toEqual([oneUsdc]);
    expect(await noted(order.idempotencyKey)).toEqual([
      [201, 'loseAnswer'],
      [200, undefined],
    ]);
  });

  it('is done after its caller has gone: nothing is to be found, and then the money moves', async () => {
    await plan({ kind: 'lateCommit', delayMs: 400, count: 1, walletId: sender.id });
    const order = transferOf(sender, someone());
    await isLost(order);
    expect(await noted(order.idempotencyKey)).toEqual([[undefined, 'lateCommit']]);
    expect(await transfersTo(order.destinationAddress)).toEqual([]);
    await until(async () => (await transfersTo(order.destinationAddress)).length > 0);
    expect(await noted(order.idempotencyKey)).toEqual([[201, 'lateCommit']]);
  });

  it('is done once when a repeat overtakes the late one', async () => {
    await plan({ kind: 'lateCommit', delayMs: 400, count: 1 });
    const order = transferOf(sender, someone());
    await isLost(order);
    const { id } = await sandbox.client.createTransfer(order);
    await until(async () => (await noted(order.idempotencyKey))[0]?.[0] === 200);
    await sandbox.settled(id);
    expect(await transfersTo(order.destinationAddress)).toEqual([oneUsdc]);
  });

  it('is answered late after it was done in time', async () => {
    // Long enough for the transfer to be mined first, on a machine that has much else to do.
    await plan({ kind: 'delay', delayMs: 5_000, count: 1 });
    const order = transferOf(sender, someone());
    const answer = sandbox.client.createTransfer(order);
    await until(async () => (await transfersTo(order.destinationAddress)).length > 0);
    expect(await Promise.race([answer, sleep(1, 'not answered yet')])).toBe('not answered yet');
    await expect(answer).resolves.toMatchObject({ state: 'INITIATED' });
  });

  it('is refused with the status of the rule, and not done', async () => {
    await plan({ kind: 'status', status: 429, retryAfterS: 7, method: 'POST', count: 1 });
    const order = transferOf(sender, someone());
    const { status, body, headers } = await sandbox.signed(
      'developer/transactions/transfer',
      order,
    );
    expect({ status, body }).toEqual({
      status: 429,
      body: { code: 429, message: 'Too many requests.' },
    });
    expect(headers.get('retry-after')).toBe('7');
    await sandbox.client.createTransfer(order);
    expect(await noted(order.idempotencyKey)).toEqual([
      [429, 'status'],
      [201, undefined],
    ]);
  });

  it('is done and answered with a body that is cut off', async () => {
    await plan({ kind: 'malformed', method: 'POST', count: 1 });
    const order = transferOf(sender, someone());
    await expect(sandbox.client.createTransfer(order)).rejects.toThrow('is not the interface');
    const { id } = await sandbox.client.createTransfer(order);
    await sandbox.settled(id);
    expect(await transfersTo(order.destinationAddress)).toEqual([oneUsdc]);
  });

  it.each(['stuck', 'denied', 'failOnChain'])('may be lost and %s at once', async (kind) => {
    await plan({ kind: 'loseAnswer', method: 'POST', count: 1 }, { kind, count: 1 });
    const order = transferOf(sender, someone());
    await isLost(order);
    expect(await noted(order.idempotencyKey)).toEqual([[201, `loseAnswer+${kind}`]]);
  });

  it('has no fate when nothing is created by it, or nothing is done', async () => {
    await plan({ kind: 'loseRequest', count: 1, method: 'POST' }, { kind: 'stuck' });
    await sandbox.client.listWallets({});
    await expect(sandbox.client.createTransfer(transferOf(sender, someone()))).rejects.toThrow();
    expect(await hits()).toEqual([1, 0]);
  });
});

describe('a rule', () => {
  it.each([
    ['its path', { path: '/v1/w3s/wallets/*/balances' }],
    ['its path without the base', { path: 'wallets/*/balances' }],
    ['its method', { method: 'GET' }],
    ['the wallet in the path', () => ({ walletId: sender.id })],
  ])('knows a read by %s', async (_what, rule) => {
    const fields = typeof rule === 'function' ? rule() : rule;
    await plan({ kind: 'status', status: 503, ...fields });
    await expect(sandbox.holdings(sender.id)).rejects.toThrow('503');
  });

  it.each([
    ['another path', { path: '/wallets/*' }],
    ['another method', { method: 'POST' }],
    ['another wallet', () => ({ walletId: other.id })],
    ['a key', () => ({ idempotencyKey: randomUUID() })],
  ])('about %s leaves it alone', async (_what, rule) => {
    const fields = typeof rule === 'function' ? rule() : rule;
    await plan({ kind: 'status', status: 503, ...fields });
    await expect(sandbox.holdings(sender.id)).resolves.toMatchObject({ EURC: '20' });
  });

  it('knows a transfer by its key, and by its wallet under both of its names', async () => {
    const { walletId, ...rest } = transferOf(sender, someone());
    const orders = [
      transferOf(other, someone()),
      { ...rest, walletAddress: sender.address, blockchain: sender.blockchain },
      transferOf(sender, someone()),
    ];
    await plan(
      { kind: 'status', status: 501, idempotencyKey: orders[0]?.idempotencyKey },
      { kind: 'status', status: 502, walletId },
    );
    const answers = await Promise.all(
      orders.map((order) => sandbox.signed('developer/transactions/transfer', order)),
    );
    expect(answers.map(({ status }) => status)).toEqual([501, 502, 502]);
  });

  it('hits as often as it says, the first of several before the next', async () => {
    await plan(
      { kind: 'status', status: 501, count: 2 },
      { kind: 'status', status: 502, count: 1 },
    );
    expect(await statuses(5)).toEqual([501, 501, 502, 200, 200]);
    expect(await hits()).toEqual([2, 1]);
  });

  it('with a probability hits the same calls each time the plan is made', async () => {
    const rule = { kind: 'status', status: 503, probability: 0.5 };
    const make = async (seed: number) => {
      await control('POST', 'faults', { seed, rules: [rule] });
      return (await statuses(40)).map((status) => (status === 503 ? 'x' : '.')).join('');
    };
    const first = await make(7);
    expect(first).toMatch(/x.*\.|\..*x/);
    expect(await make(7)).toBe(first);
    expect(await make(8)).not.toBe(first);
  });

  it.each([
    ['status', { kind: 'status' }, 'rules.0.status'],
    ['delayMs', { kind: 'lateCommit' }, 'rules.0.delayMs'],
    ['delayMs', { kind: 'delay' }, 'rules.0.delayMs'],
    ['another kind', { kind: 'explode' }, 'rules.0.kind'],
    ['no status', { kind: 'reset', status: 500 }, 'rules.0.status'],
    ['no delay', { kind: 'stuck', delayMs: 5 }, 'rules.0.delayMs'],
    ['a field that there is', { kind: 'reset', walletID: randomUUID() }, 'rules.0.walletID'],
  ])(
    'that needs %s is refused by name, and the plan before it stays',
    async (_what, rule, field) => {
      await plan({ kind: 'status', status: 503, path: '/tokens/*' });
      const { status, body } = await control('POST', 'faults', { seed: 1, rules: [rule] });
      expect({ status, body }).toMatchObject({
        status: 400,
        body: { code: 2, errors: [{ location: field }] },
      });
      expect(await hits()).toEqual([0]);
    },
  );

  it('is gone when the plan is deleted', async () => {
    await plan({ kind: 'status', status: 503 });
    expect((await control('DELETE', 'faults')).body).toEqual({ seed: 1, rules: [] });
    expect(await statuses(1)).toEqual([200]);
  });
});

it('a sandbox that ends does not wait for what is late', async () => {
  const ending = await startTestSandbox();
  const rules = [{ kind: 'lateCommit', delayMs: 600_000, method: 'POST' }];
  const body = { seed: 1, rules };
  await ending.request('POST', '/_sandbox/faults', { headers: {}, body });
  await expect(ending.client.createWalletSet({ idempotencyKey: randomUUID() })).rejects.toThrow();
  await ending.stop();
});

function control(method: string, path: string, body?: object) {
  return sandbox.request(method, `/_sandbox/${path}`, {
    headers: {},
    ...(body === undefined ? {} : { body }),
  });
}

async function plan(...rules: object[]): Promise<void> {
  const { status } = await control('POST', 'faults', { seed: 1, rules });
  expect(status).toBe(200);
}

/** Sends an order whose answer does not come. */
async function isLost(order: Input<'createTransfer'>): Promise<void> {
  const sent = sandbox.client.createTransfer(order);
  await expect(sent).rejects.toThrow('It may have been accepted.');
}

async function hits(): Promise<number[]> {
  const { body } = await control('GET', 'faults');
  return (body as { rules: { hits: number }[] }).rules.map((rule) => rule.hits);
}

/** Status and fault of every call with this key. */
async function noted(key: string): Promise<[number | undefined, string | undefined][]> {
  const { body } = await control('GET', 'calls');
  type Noted = { key?: string; status?: number; fault?: string };
  return (body as { calls: Noted[] }).calls
    .filter((call) => call.key === key)
    .map(({ status, fault }) => [status, fault]);
}

async function statuses(count: number): Promise<number[]> {
  const found: number[] = [];
  for (let call = 0; call < count; call += 1) {
    found.push((await sandbox.request('GET', 'wallets')).status);
  }
  return found;
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 100_000;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error('It did not come to that.');
    await sleep(10);
  }
}

async function transfersTo(to: string): Promise<bigint[]> {
  return (await sandbox.transfers({ to })).map(({ value }) => value);
}
