import type { CustodyApi } from '../../../src/custody/endpoints';
import type { Authority, Signed } from '../../../src/orders/input/signed';
import { settled } from '../../support/sandbox';
import { payee } from '../writer';
import { askedFor, decided, newLedger, type Ordered, send, signedOrders } from './signedOrders';

const office = signedOrders();

/** Sends a signed order with decisions, and returns what its writer asks for. */
const wantedOf = (api: CustodyApi, order: Ordered, given: Authority) =>
  askedFor(send(api, order, given));

async function signedOrder(amount: string): Promise<{ order: Ordered; request: Signed }> {
  const order = office.ordered(amount);
  return { order, request: await office.keys.backend.sign(order.text, 'request') };
}

describe('an order above a tier', () => {
  it('asks people, shows them what it does, and is paid once two have approved', async () => {
    const { api } = office.writer();
    const { order, request } = await signedOrder('4');
    const asks = await wantedOf(api, order, { request });
    expect(asks.message).toContain('wants the approval of 2 of @treasurers');
    // Two people may approve what was signed once more meanwhile.
    const { signedAt: _, ...lasting } = order.statement;
    expect(JSON.parse(asks.statement)).toMatchObject({
      ...lasting,
      expires: expect.any(String),
      write: {
        target: 'transfer/1#0',
        wallet: office.wallet().id,
        effects: [{ kind: 'money', money: 'USDC', amount: '4', to: payee }],
      },
    });
    const one = await decided(asks.statement, office.keys.ann);
    const next = await wantedOf(api, order, { request, decisions: [one] });
    expect(next.given).toEqual(['ann']);
    expect(await office.paid()).toEqual([]);
    const both = [one, await decided(next.statement, office.keys.bo)];
    const { id } = await send(api, order, { request, decisions: both });
    await settled(api, id);
    expect(await office.paid()).toEqual([4_000_000n]);
  });

  it('is paid though the clock that asked was ahead of the clock that pays', async () => {
    const clock = { heard: () => undefined, read: () => ({ nowMs: Date.now() - 2_000 }) };
    const { order, request } = await signedOrder('3');
    const ledger = newLedger();
    const { statement } = await wantedOf(office.writer(ledger).api, order, { request });
    const decisions = await office.both(statement);
    const { api } = office.writer(ledger, undefined, { clock });
    const { id } = await send(api, order, { request, decisions });
    await settled(api, id);
    expect(await office.paid()).toEqual([3_000_000n]);
  });

  it('is sent again under its key though an approver has left meanwhile', async () => {
    const ledger = newLedger();
    const { order, request } = await signedOrder('3');
    const asks = await wantedOf(office.writer(ledger).api, order, { request });
    const decisions = [
      await decided(asks.statement, office.keys.ann),
      await decided(asks.statement, office.keys.bo),
    ];
    const { id } = await send(office.writer(ledger).api, order, { request, decisions });
    expect((await send(office.writer(ledger).api, order, { request })).id).toBe(id);
  });

  it('leaves out a decision that cannot be read, since anybody may have handed it in', async () => {
    const { api } = office.writer();
    const { order, request } = await signedOrder('4');
    const { statement } = await wantedOf(api, order, { request });
    const approved = await decided(statement, office.keys.ann);
    const unreadable = [
      { ...approved, expires: 'never' },
      { ...approved, signature: 'x' },
      { ...approved, target: 'x'.repeat(2_000) },
    ];
    const next = await wantedOf(api, order, { request, decisions: [...unreadable, approved] });
    expect(next.given).toEqual(['ann']);
  });

  it('ends when one person rejects it, whoever approved it before', async () => {
    const { api } = office.writer();
    const { order, request } = await signedOrder('4');
    const { statement } = await wantedOf(api, order, { request });
    const approvals = [
      await decided(statement, office.keys.ann),
      await decided(statement, office.keys.bo),
    ];
    const decisions = [...approvals, await decided(statement, office.keys.cy, 'rejection')];
    const rejected = send(api, order, { request, decisions });
    await expect(rejected).rejects.toMatchObject({
      next: 'stop',
      message: expect.stringContaining('cy has rejected it'),
    });
  });

  it('asks people too where a window is full, and counts what they have let out', async () => {
    const { api, ledger } = office.writer();
    for (const amount of ['2', '2', '2', '2']) {
      const { order, request } = await signedOrder(amount);
      await settled(api, (await send(api, order, { request })).id);
    }
    const { order, request } = await signedOrder('1.5');
    const asks = await wantedOf(api, order, { request });
    expect(asks.message).toMatch(
      /window of the rule out is full: 8\.00\d+ of 9 .* 2 of @treasurers/,
    );
    const decisions = [
      await decided(asks.statement, office.keys.ann),
      await decided(asks.statement, office.keys.bo),
    ];
    await settled(api, (await send(api, order, { request, decisions })).id);
    const window = { scope: { wallet: office.wallet().id }, money: 'native', hours: 24 };
    expect((await ledger.usage(window)).counted).toBe(95n * 10n ** 17n);
    expect((await office.paid()).reduce((sum, one) => sum + one, 0n)).toBe(9_500_000n);
  });

  it('is asked for above the largest transfer of a rule, and lets that one out', async () => {
    const { api } = office.writer();
    const { order, request } = await signedOrder('5.5');
    const asks = await wantedOf(api, order, { request });
    expect(asks.message).toContain('5.5 is more than 5, which the rule out allows');
    const decisions = [
      await decided(asks.statement, office.keys.ann),
      await decided(asks.statement, office.keys.bo),
    ];
    await settled(api, (await send(api, order, { request, decisions })).id);
    expect(await office.paid()).toEqual([5_500_000n]);
  });

  it('needs new approvals once the ledger was lost', async () => {
    const { order, request } = await signedOrder('4');
    const { statement } = await wantedOf(office.writer().api, order, { request });
    const decisions = [
      await decided(statement, office.keys.ann),
      await decided(statement, office.keys.bo),
    ];
    const asks = await wantedOf(office.writer().api, order, { request, decisions });
    expect(asks.given).toEqual([]);
    expect(await office.paid()).toEqual([]);
  });
});
