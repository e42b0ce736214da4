import type { Ledger, Outside } from '../../../src/writer/ledger/ledger';
import { unreadMoney } from '../../../src/writer/ledger/ledger';
import { ledgerAt } from '../../../src/writer/ledger/ledgerAt';
import { kinds } from './kinds';
import { endOf, lifetimeMs, outsideOf, transferOf, usdc, window } from './reservations';

const hourMs = 3_600_000;
let nowMs: number;
let ledger: Ledger;
let place: string;
const open: Ledger[] = [];

const started = async (): Promise<Ledger> => {
  const one = await ledgerAt(place, { keyLifetimeMs: lifetimeMs, clock: () => nowMs });
  open.push(one);
  return one;
};
const counted = async (): Promise<bigint> => (await ledger.usage(window)).counted / usdc;
const ended = (state: 'settled' | 'void', endMs = nowMs) => ({ state, endMs });

/** A record of a payment that does not tell what it has moved. */
const unread = (fields: Partial<Outside> = {}): Outside => {
  const charges = [{ scope: window.scope, money: unreadMoney, amount: 0n }];
  return outsideOf(0n, { state: 'unread', charges, ...fields });
};

describe.each(kinds)('in $name', ({ start, newPlace, stop }) => {
  beforeAll(start);
  afterAll(stop);
  beforeEach(async () => {
    nowMs = Date.parse('2026-01-31T12:00:00Z');
    place = await newPlace();
    ledger = await started();
  });
  afterEach(() => Promise.all(open.splice(0).map((one) => one.close())));

  describe('a payment of somebody else', () => {
    it('counts while it moves, and for the window from its own end', async () => {
      const paid = outsideOf(60n * usdc);
      await ledger.enter([paid]);
      nowMs += 100 * hourMs;
      expect(await counted()).toBe(60n);
      expect(await ledger.movingOutside(9)).toEqual([paid.transactionId]);
      await ledger.enter([{ ...paid, ...ended('settled', nowMs - hourMs) }]);
      expect(await ledger.usage(window)).toEqual({ counted: 60n * usdc, open: 0n });
      expect(await ledger.movingOutside(9)).toEqual([]);
      nowMs += 23 * hourMs;
      expect(await counted()).toBe(0n);
    });

    it('leaves so much less room for writes, in every writer, also one that starts again', async () => {
      await ledger.enter([outsideOf(60n * usdc)]);
      const restarted = await started();
      expect(await restarted.reserve(transferOf(41n * usdc))).toMatchObject({
        kind: 'wait',
        words: expect.stringContaining('is full: 60 of 100 in 24 hours, 60 of it not settled yet'),
      });
      expect(await restarted.reserve(transferOf(40n * usdc))).toEqual({ kind: 'reserved' });
    });

    it('that ends without effect counts no more, and keeps the fee that it has cost', async () => {
      const paid = outsideOf(60n * usdc);
      const fee = { scope: window.scope, money: 'fee', amount: usdc };
      await ledger.enter([paid]);
      await ledger.enter([{ ...paid, ...ended('void'), charges: [fee] }]);
      expect(await counted()).toBe(0n);
      expect((await ledger.usage({ ...window, money: 'fee' })).counted).toBe(usdc);
    });

    it('counts once, however often it is read', async () => {
      const paid = outsideOf(60n * usdc, ended('settled'));
      for (const state of ['moving', 'settled', 'void'] as const) {
        await ledger.enter([{ ...paid, state }, paid]);
      }
      expect(await counted()).toBe(60n);
      expect(await ledger.news([paid, outsideOf(usdc)])).toHaveLength(1);
    });

    it('that was said to have had no effect, and has had one, counts after all', async () => {
      const paid = outsideOf(60n * usdc);
      await ledger.enter([{ ...paid, ...ended('void'), charges: [] }]);
      await ledger.enter([{ ...paid, ...ended('settled') }]);
      expect(await counted()).toBe(60n);
    });

    it('whose end is no moment, or has not come yet, counts from now on', async () => {
      const later = nowMs + 1_000 * hourMs;
      for (const endMs of [Number.NaN, later]) {
        await ledger.enter([outsideOf(30n * usdc, ended('settled', endMs))]);
      }
      nowMs += 24 * hourMs - 1;
      expect(await counted()).toBe(60n);
      nowMs += 1;
      expect(await counted()).toBe(0n);
    });

    it('is told apart from what writers have paid', async () => {
      await ledger.reserve(transferOf(20n * usdc));
      await ledger.enter([outsideOf(30n * usdc), outsideOf(5n * usdc, ended('settled'))]);
      expect(await ledger.usage(window)).toEqual({ counted: 55n * usdc, open: 50n * usdc });
      expect(await ledger.outside(window)).toEqual({ counted: 35n * usdc, open: 30n * usdc });
    });
  });

  describe('a record with the reference of a write', () => {
    const sighted = (sent: ReturnType<typeof transferOf>, transactionId: string) => {
      const reference = { hash: sent.hash, generation: sent.parts.generation };
      return outsideOf(60n * usdc, { transactionId, reference });
    };

    it('counts there and nowhere else', async () => {
      const sent = transferOf(60n * usdc);
      await ledger.reserve(sent);
      await ledger.enter([sighted(sent, 't1')]);
      await ledger.accepted(sent.key, 't1');
      await ledger.enter([sighted(sent, 't1')]);
      await ledger.end([endOf(sent, true)]);
      await ledger.enter([sighted(sent, 't1')]);
      expect(await counted()).toBe(60n);
    });

    it('that is not its transaction is a payment of somebody else, and ends nothing', async () => {
      const sent = transferOf(20n * usdc);
      await ledger.reserve(sent);
      await ledger.accepted(sent.key, 't1');
      await ledger.enter([sighted(sent, 't2')]);
      expect(await counted()).toBe(80n);
      await ledger.end([{ ...endOf(sent, false), transactionId: 't2' }]);
      expect(await counted()).toBe(80n);
      await ledger.end([endOf(sent, false)]);
      expect(await counted()).toBe(60n);
    });

    it('is one of two, so that its failure lets no later generation out', async () => {
      const sent = transferOf(20n * usdc);
      await ledger.reserve(sent);
      await ledger.end([endOf(sent, false)]);
      await ledger.enter([sighted(sent, 't2')]);
      const next = { ...sent, key: 'next', parts: { ...sent.parts, generation: 1 } };
      expect(await ledger.reserve(next)).toMatchObject({ kind: 'lookUp' });
    });

    it('that had failed and turns out complete counts, and is named', async () => {
      const sent = transferOf(20n * usdc);
      await ledger.reserve(sent);
      await ledger.end([endOf(sent, false)]);
      expect(await counted()).toBe(0n);
      expect(await ledger.end([endOf(sent, false)])).toEqual([]);
      expect(await ledger.end([endOf(sent, true)])).toEqual([endOf(sent, true)]);
      expect(await counted()).toBe(20n);
      expect(await ledger.end([endOf(sent, false), endOf(sent, true)])).toEqual([]);
      expect(await counted()).toBe(20n);
    });

    it('of which every attempt was said to have had no effect counts after all', async () => {
      const sent = transferOf(60n * usdc);
      await ledger.reserve(sent);
      await ledger.withoutEffect(sent.key);
      await ledger.enter([sighted(sent, 't1')]);
      expect(await counted()).toBe(60n);
    });

    it('that only the service knows counts, and nothing is sent under it', async () => {
      const lost = transferOf(60n * usdc);
      await ledger.enter([sighted(lost, 't1')]);
      expect(await ledger.reserve(lost)).toMatchObject({ kind: 'lookUp' });
      expect(await counted()).toBe(60n);
    });

    it('takes nothing of a write, whatever id it invents', async () => {
      const sent = transferOf(60n * usdc);
      await ledger.reserve(sent);
      await ledger.enter([outsideOf(usdc, { transactionId: sent.key })]);
      await ledger.enter([
        outsideOf(usdc, { transactionId: sent.key, ...ended('void'), charges: [] }),
      ]);
      expect(await counted()).toBe(60n);
    });
  });

  describe('a record that cannot be read', () => {
    it('closes the windows of its wallet, names itself, and lets them open after its end', async () => {
      const record = unread();
      await ledger.enter([record]);
      const words = expect.stringMatching(
        `The window of the rule out is closed by the transaction ${record.transactionId}, .* does ` +
          'not tell what it has moved. The window opens 24 hours after its end: wait for that, or',
      );
      const asked = transferOf(usdc);
      expect(await ledger.reserve(asked)).toMatchObject({ kind: 'wait', words, rule: 'out' });
      const elsewhere = { ...window, scope: { wallet: 'w2' }, rule: 'out', max: usdc, amount: 1n };
      expect(await ledger.full(elsewhere)).toBeUndefined();
      await ledger.enter([{ ...record, ...ended('settled') }]);
      expect(await ledger.reserve(asked)).toMatchObject({
        untilMs: nowMs + 24 * hourMs,
        words: expect.stringContaining('The window opens at 2026-02-01T12:00:00.000Z.'),
      });
      nowMs += 24 * hourMs;
      expect(await ledger.reserve(asked)).toEqual({ kind: 'reserved' });
    });

    it('closes no window of fees', async () => {
      await ledger.enter([unread()]);
      const fees = { ...window, money: 'fee', rule: 'out', max: usdc, amount: usdc };
      expect(await ledger.full(fees)).toBeUndefined();
    });

    it('closes nothing once it can be read, or has ended without effect', async () => {
      const [one, other] = [unread(), unread()];
      await ledger.enter([one, other]);
      const { charges } = outsideOf(60n * usdc);
      await ledger.enter([{ ...one, state: 'moving', charges }]);
      await ledger.enter([{ ...other, ...ended('void'), charges: [] }]);
      expect(await ledger.reserve(transferOf(40n * usdc))).toEqual({ kind: 'reserved' });
      expect(await counted()).toBe(100n);
    });

    it('and names no wallet closes every window, but no signed payout', async () => {
      const charges = [{ scope: { wallet: '' }, money: unreadMoney, amount: 0n }];
      await ledger.enter([unread({ charges })]);
      const asked = transferOf(usdc);
      expect(await ledger.reserve(asked)).toMatchObject({ kind: 'wait' });
      const windows = asked.windows.map((one) => ({ ...one, scope: { request: 'r' } }));
      expect(await ledger.reserve({ ...asked, windows })).toEqual({ kind: 'reserved' });
    });
  });

  it('remembers up to when the list was read, and no moment that has not come', async () => {
    expect(await ledger.readUntil()).toBeUndefined();
    const untilMs = undefined;
    await ledger.hasRead({ untilMs, newestMs: nowMs - hourMs });
    await ledger.hasRead({ untilMs, newestMs: nowMs - 2 * hourMs });
    expect(await (await started()).readUntil()).toBe(nowMs - hourMs);
    await ledger.hasRead({ untilMs, newestMs: nowMs + hourMs });
    expect(await ledger.readUntil()).toBe(nowMs);
  });

  it('is not marked as read if it is an older copy than the one that a look began with', async () => {
    await ledger.hasRead({ untilMs: undefined, newestMs: nowMs - hourMs });
    const look = { untilMs: nowMs, newestMs: nowMs };
    await expect(ledger.hasRead(look)).rejects.toThrow('An older copy has replaced this ledger');
    expect(await ledger.readUntil()).toBe(nowMs - hourMs);
  });
});
