import { createSteadfast } from '../../src/client/client';
import { signOrder } from '../../src/client/signing/signRequest';
import { signedStatement } from '../../src/orders/input/signed';
import type { Order } from '../../src/orders/kinds';
import { signedLinesOf } from '../../src/writer/signing/signedLines';
import { type RequestStatement, readRequest } from '../../src/writer/signing/statement';
import { type TestKey, testKeys } from '../writer/signing/keys';
import { forgedTemporal, type Shown } from './forgedTemporal';

const makeKey = testKeys();
const [backend, mallory] = [makeKey('backend'), makeKey('mallory')];
const walletId = '0c3f3d3e-1111-4222-8333-4444aaaa6666';
const to = '0x523b27014BA9331e4a6c1bD7BC3b2b9F3B2BEC7d';
const transfer = { from: { walletId }, to, amount: '2', token: 'USDC' };
const march = { payoutId: 'march', wallets: [walletId] as [string] };
const line = { lineId: 'a', to, amount: '2', token: 'USDC' };
const dayMs = 86_400_000;

const signingWith = ({ sign }: TestKey) => ({ sign, entity: 'e1', blockchain: 'ARC-TESTNET' });

type Signing = { by?: TestKey; id?: string; expires?: Date; periods?: RequestStatement['periods'] };

/** An order with a request, as a client has signed it before. */
async function signed(order: Order<'transferStablecoin'>, signing: Signing = {}) {
  const { by = backend, id: workflowId = 'transfer:invoice-1', periods, expires } = signing;
  const kind = 'transferStablecoin' as const;
  const asked = {
    kind,
    workflowId,
    order,
    ...(expires && { expires }),
    ...(periods && { periods }),
  };
  return signOrder({ ...forgedTemporal(shown()), taskQueue: 'q', signing: signingWith(by) }, asked);
}

/** A payout whose lines have come part by part, with the request of somebody. */
async function signedPayout(by: TestKey, lines = [line], payoutId = 'march') {
  const asked = { kind: 'payout' as const, workflowId: `payout:${payoutId}` };
  const options = { ...forgedTemporal(shown()), taskQueue: 'q', signing: signingWith(by) };
  const order = { ...march, payoutId };
  return signOrder(options, { ...asked, order, lines: signedLinesOf(lines) });
}

function shown(order: object = transfer, fields: Partial<Shown> = {}): Shown {
  return { workflowId: 'transfer:invoice-1', type: 'transferStablecoin', order, ...fields };
}

const shownPayout = (order: object): Shown => ({
  workflowId: 'payout:march',
  type: 'payout',
  order,
});

/** Resubmits or retries what Temporal shows, with a key or without one. Returns what is started. */
async function again(what: Shown, by: TestKey | undefined = backend, id = what.workflowId) {
  const { client, started } = forgedTemporal(what);
  const texts: string[] = [];
  const sign: TestKey['sign'] = (text, purpose) => {
    texts.push(text);
    return (by ?? backend).sign(text, purpose);
  };
  const signing = by && { ...signingWith(by), sign };
  const steadfast = createSteadfast({ client, taskQueue: 'q', signing });
  const doing = what.type === 'payout' ? steadfast.retry(id) : steadfast.resubmit(id);
  const error = await doing.then(
    () => undefined,
    (thrown: Error) => thrown.message,
  );
  return { started, texts, error };
}

const statementIn = (order: object | undefined): RequestStatement => {
  const { request } = (order ?? {}) as { request?: unknown };
  return readRequest(signedStatement.parse(request).statement);
};

describe('a client that signs', () => {
  it('signs a resubmitted order again if its own key has signed it before', async () => {
    const order = await signed(transfer, { expires: new Date(Date.now() - dayMs) });
    const { started, error } = await again(shown(order));
    expect(error).toBeUndefined();
    const [first] = started;
    expect(first?.order).toMatchObject({ ...transfer, generations: { 'transfer/1': 1 } });
    const { expires, signedAt: _, ...statement } = statementIn(first?.order);
    expect(statementIn(order)).toMatchObject(statement);
    expect(Date.parse(expires)).toBeGreaterThan(Date.now());
  });

  it('signs no order of Temporal that nobody has signed, and tells how to start it again', async () => {
    const { started, texts, error } = await again(shown());
    expect({ started, texts }).toEqual({ started: [], texts: [] });
    expect(error).toBe(
      'id: transfer:invoice-1 is not signed again. Its order is not one that this key has signed ' +
        'before. Start it again from your own order, with "generations": {"transfer/1":1}.',
    );
  });

  it.each([
    ['with another amount', async () => ({ ...(await signed(transfer)), amount: '5000' })],
    [
      'that has lost the moment until which it is valid',
      async () => {
        const validUntil = new Date(Date.now() + dayMs / 2).toISOString();
        const { validUntil: _, ...order } = await signed({ ...transfer, validUntil });
        return order;
      },
    ],
    [
      'that is valid for longer than was signed',
      async () => {
        const order = await signed({ ...transfer, validUntil: new Date().toISOString() });
        return { ...order, validUntil: new Date(Date.now() + dayMs).toISOString() };
      },
    ],
    ['of another id', () => signed(transfer, { id: 'transfer:invoice-2' })],
    ['that another key has signed', () => signed(transfer, { by: mallory })],
    [
      'whose statement was changed',
      async () => {
        const { request, ...order } = await signed({ ...transfer, amount: '3' });
        const { statement = '', signature = '' } = request ?? {};
        const changed = statement.replace('"amount":"3"', '"amount":"2"');
        return { ...order, amount: '2', request: { statement: changed, signature } };
      },
    ],
  ])('starts no order %s', async (_, order) => {
    const { started, error } = await again(shown(await order()));
    expect(started).toEqual([]);
    expect(error).toContain('Its order is not one that this key has signed before.');
  });

  it('retries a payout with the lines that its own key has signed', async () => {
    const order = await signedPayout(backend);
    const { started, error } = await again(shownPayout(order));
    expect(error).toBeUndefined();
    expect(started[0]?.order).toMatchObject({ generations: { 'line/a': 1 } });
    expect(statementIn(started[0]?.order).lines).toEqual(signedLinesOf([line]));
  });

  it.each([
    ['with the lines of a request by another key', () => signedPayout(mallory)],
    ['of which nobody has signed the lines', async () => march],
    ['with the request of another payout', () => signedPayout(backend, [line], 'april')],
    [
      'with a statement that has other lines than its signature',
      async () => {
        const [mine, other] = [
          await signedPayout(backend),
          await signedPayout(mallory, [line, line]),
        ];
        const { statement = '' } = other.request ?? {};
        return { ...mine, request: { statement, signature: mine.request?.signature } };
      },
    ],
  ])('retries no payout %s', async (_, order) => {
    const { started, error } = await again(shownPayout({ ...(await order()), payoutId: 'march' }));
    expect(started).toEqual([]);
    expect(error).toBe(
      'id: payout:march is not signed again. Its order is not one that this key has signed before. ' +
        'Retry it with the key that has signed it. What was signed can still be sent. Before ' +
        'its failed lines are paid in another payout, its signer withdraws that, with ' +
        'STEADFAST_SIGN_KEY: npx --no-install steadfast cancel payout:march --reason "withdrawn"',
    );
  });

  it('starts nothing else than what was asked for', async () => {
    const payout = await signedPayout(backend, [line], 'april');
    const april = shown(payout, { workflowId: 'payout:april', type: 'payout' });
    const other = shown(await signed(transfer), { workflowId: 'transfer:invoice-1' });
    expect((await again(april, backend, 'payout:march')).started).toEqual([]);
    expect((await again(other, backend, 'transfer:invoice-2')).started).toEqual([]);
  });
});

describe('an order of a period of a schedule', () => {
  const times = ['2026-01-15T09:00:00.000Z', '2026-02-15T09:00:00.000Z'];
  const rhythm = { cron: '0 9 15 * *' };
  const periods = { template: 'yyyy-MM', timeZone: 'UTC', rhythm, times };
  const ofRent = { id: 'transfer:rent', periods };
  const january = { workflowId: 'transfer:rent:2026-01' };

  it('keeps the request of its schedule, which nobody signs again', async () => {
    const order = await signed(transfer, ofRent);
    const { started, texts } = await again(shown(order, january));
    expect(texts).toEqual([]);
    expect(statementIn(started[0]?.order)).toEqual(statementIn(order));
  });

  it('is started by nobody once that has expired, and tells how to start it', async () => {
    const order = await signed(transfer, { ...ofRent, expires: new Date('2026-04-01T00:00:00Z') });
    const { started, texts, error } = await again(shown(order, january));
    expect({ started, texts }).toEqual({ started: [], texts: [] });
    expect(error).toBe(
      'id: transfer:rent:2026-01 is not signed again. The request of its schedule has expired at ' +
        '2026-04-01T00:00:00.000Z. Start it again from your own order, with "generations": ' +
        '{"transfer/1":1}.',
    );
  });

  it.each(['transfer:rent:2026-03', 'transfer:rental:2026-01', 'transfer:rent'])(
    'is not %s, which its schedule does not name',
    async (workflowId) => {
      const { started } = await again(shown(await signed(transfer, ofRent), { workflowId }));
      expect(started).toEqual([]);
    },
  );
});

it('the request of a dry run is for the dry run alone', async () => {
  const { client, started } = forgedTemporal(shown());
  const steadfast = createSteadfast({ client, taskQueue: 'q', signing: signingWith(backend) });
  await steadfast.plan('transferStablecoin', 'transfer:idea', transfer);
  await steadfast.plan('payout', 'payout:march', { ...march, lines: [line] });
  const ids = ['dry:transfer:idea', 'dry:payout:march'];
  expect(started.map(({ workflowId }) => workflowId)).toEqual(ids);
  expect(started.map(({ order }) => statementIn(order).order)).toEqual(ids);
});

it('a client that signs nothing starts an order again with the request that it has', async () => {
  const order = await signed(transfer);
  const { client, started } = forgedTemporal(shown(order));
  await createSteadfast({ client, taskQueue: 'q' }).resubmit('transfer:invoice-1');
  expect(statementIn(started[0]?.order)).toEqual(statementIn(order));
});
