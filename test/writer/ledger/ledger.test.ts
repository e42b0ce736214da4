import type { Ledger } from '../../../src/writer/ledger/ledger';
import { ledgerAt } from '../../../src/writer/ledger/ledgerAt';
import { kinds } from './kinds';
import { endOf, lifetimeMs, outsideOf, transferOf, usdc, window } from './reservations';

const hourMs = 3_600_000;
let place: string;
let nowMs: number;
const open: Ledger[] = [];

/** A writer that has just started. */
async function started(clock = () => nowMs): Promise<Ledger> {
  const ledger = await ledgerAt(place, { keyLifetimeMs: lifetimeMs, clock });
  open.push(ledger);
  return ledger;
}

const counted = async (ledger: Ledger): Promise<bigint> => (await ledger.usage(window)).counted;

describe.each(kinds)('in $name', ({ start, newPlace, stop }) => {
  beforeAll(start);
  afterAll(stop);

  beforeEach(async () => {
    place = await newPlace();
    nowMs = Date.parse('2026-01-31T12:00:00Z');
  });

  afterEach(async () => {
    await Promise.all(open.splice(0).map((ledger) => ledger.close()));
  });

  describe('a reservation', () => {
    it('counts from the moment it is made, and in a writer that starts again', async () => {
      expect(await (await started()).reserve(transferOf(60n * usdc))).toEqual({ kind: 'reserved' });
      expect(await counted(await started())).toBe(60n * usdc);
    });

    it('that would pass the limit is not made, and says that it waits for open ones', async () => {
      const ledger = await started();
      await ledger.reserve(transferOf(60n * usdc));
      expect(await ledger.reserve(transferOf(40n * usdc + 1n))).toEqual({
        kind: 'wait',
        rule: 'out',
        untilMs: undefined,
        words:
          'The window of the rule out is full: 60 of 100 in 24 hours, 60 of it not settled yet. ' +
          'There is room for 40.000000000000000001 when one of them ends.',
      });
      expect(await ledger.reserve(transferOf(40n * usdc))).toEqual({ kind: 'reserved' });
    });

    it('counts until its end was seen however old it is, and for the window from then on', async () => {
      const ledger = await started();
      const paid = transferOf(100n * usdc);
      await ledger.reserve(paid);
      nowMs += 100 * hourMs;
      expect(await counted(ledger)).toBe(100n * usdc);
      await ledger.end([endOf(paid, true)]);
      nowMs += 24 * hourMs - 1;
      expect(await ledger.reserve(transferOf(usdc))).toMatchObject({
        kind: 'wait',
        untilMs: nowMs + 1,
        words: expect.stringContaining('There is room for 1 at 2026-02-05T16:00:00.000Z.'),
      });
      nowMs += 1;
      expect(await ledger.reserve(transferOf(usdc))).toEqual({ kind: 'reserved' });
    });

    it('is released by a final record without effect, and its key is burnt', async () => {
      const ledger = await started();
      const failed = transferOf(100n * usdc);
      await ledger.reserve(failed);
      await ledger.end([endOf(failed, false)]);
      expect(await counted(ledger)).toBe(0n);
      expect(await ledger.reserve(failed)).toEqual({
        kind: 'lookUp',
        words: 'It has ended: this writer has seen its final record.',
      });
    });

    it('keeps the fee that a failed write has cost', async () => {
      const ledger = await started();
      const fees = { scope: { wallet: 'w1' }, money: 'fee', hours: 24 };
      const asked = transferOf(usdc);
      const fee = { scope: fees.scope, money: 'fee', amount: usdc };
      await ledger.reserve({ ...asked, charges: [...asked.charges, fee] });
      await ledger.end([{ ...endOf(asked, false), fee: usdc / 100n }]);
      expect((await ledger.usage(fees)).counted).toBe(usdc / 100n);
      expect(await counted(ledger)).toBe(0n);
    });

    it('of a write whose every attempt had no effect is given back, and is made again', async () => {
      const ledger = await started();
      const asked = transferOf(usdc);
      await ledger.reserve(asked);
      await ledger.withoutEffect(asked.key);
      expect(await counted(ledger)).toBe(0n);
      expect(await ledger.reserve(asked)).toEqual({ kind: 'reserved' });
      expect(await counted(ledger)).toBe(usdc);
    });

    it('of a repeat that nobody was asked about is made only while the first one stands', async () => {
      const ledger = await started();
      const asked = transferOf(usdc);
      const repeat = { ...asked, isRepeat: true };
      await ledger.reserve(asked);
      expect(await ledger.reserve(repeat)).toMatchObject({ kind: 'repeated' });
      await ledger.withoutEffect(asked.key);
      await ledger.withoutEffect(asked.key);
      expect(await ledger.reserve(repeat)).toEqual({
        kind: 'wait',
        words: 'Its earlier attempt has just ended without effect, so it is judged again.',
        untilMs: undefined,
      });
      expect(await counted(ledger)).toBe(0n);
      expect(await ledger.reserve(asked)).toEqual({ kind: 'reserved' });
    });

    it('of a write with one attempt of unknown outcome is kept, whatever the others had', async () => {
      const ledger = await started();
      const asked = transferOf(usdc);
      await ledger.reserve(asked);
      expect(await ledger.reserve(asked)).toMatchObject({ kind: 'repeated' });
      await ledger.withoutEffect(asked.key);
      expect(await counted(ledger)).toBe(usdc);
    });

    it('holds amounts of 18 decimals and of billions exactly', async () => {
      const ledger = await started();
      const large = transferOf(999_999_999_999n * usdc + 123_456_789_012_345_678n);
      await ledger.reserve({ ...large, windows: [] });
      await ledger.reserve({ ...transferOf(1n), windows: [] });
      expect(await counted(ledger)).toBe(999_999_999_999n * usdc + 123_456_789_012_345_679n);
    });
  });

  describe('a key', () => {
    it('is sent again with the same body while it is young, and counts once', async () => {
      const asked = transferOf(60n * usdc);
      await (await started()).reserve(asked);
      const restarted = await started();
      nowMs += 24 * hourMs;
      const later = { ...asked, grounds: { policy: '1 d1', rules: ['another'] } };
      const { grounds } = asked;
      expect(await restarted.reserve(later)).toEqual({ kind: 'repeated', grounds });
      expect(await counted(restarted)).toBe(60n * usdc);
    });

    it('that the service may have forgotten is not sent again', async () => {
      const ledger = await started();
      const asked = transferOf(usdc);
      await ledger.reserve(asked);
      nowMs += 24 * hourMs + 1;
      expect(await ledger.reserve(asked)).toEqual({
        kind: 'lookUp',
        words:
          'Its first attempt was at 2026-01-31T12:00:00.000Z, ' +
          'and the service may have forgotten its key since.',
      });
    });

    it('is never used with another body: a small one reserved and a large one sent is refused', async () => {
      const ledger = await started();
      const small = transferOf(1n);
      await ledger.reserve(small);
      const large = { ...transferOf(90n * usdc, small.parts), parts: small.parts };
      expect(await ledger.reserve(large)).toEqual({
        kind: 'refused',
        words: `Its key was used with another body before (${small.parts.workflowId}).`,
      });
      expect(await counted(ledger)).toBe(1n);
    });

    it('of a next generation needs an end without effect of the one before', async () => {
      const ledger = await started();
      const first = transferOf(usdc);
      const second = transferOf(usdc, { ...first.parts, generation: 1 });
      const needs = expect.stringContaining('needs an end without effect of generation 0');
      expect(await ledger.reserve(second)).toEqual({ kind: 'lookUp', words: needs });
      await ledger.reserve(first);
      expect(await ledger.reserve(second)).toEqual({ kind: 'lookUp', words: needs });
      await ledger.end([endOf(first, false)]);
      expect(await ledger.reserve(second)).toEqual({ kind: 'reserved' });
    });

    it('of a next generation follows one that was refused, or that the service never took', async () => {
      const ledger = await started();
      const refused = transferOf(usdc);
      const afterRefusal = transferOf(usdc, { ...refused.parts, generation: 1 });
      await ledger.refused({ hash: refused.hash, generation: 0 });
      expect(await ledger.reserve(afterRefusal)).toEqual({ kind: 'reserved' });
      const untaken = transferOf(usdc);
      await ledger.reserve(untaken);
      await ledger.withoutEffect(untaken.key);
      const next = transferOf(usdc, { ...untaken.parts, generation: 1 });
      expect(await ledger.reserve(next)).toEqual({ kind: 'reserved' });
    });

    it('of a generation before one that was sent is never sent again', async () => {
      const ledger = await started();
      const first = transferOf(usdc);
      await ledger.refused({ hash: first.hash, generation: 0 });
      await ledger.reserve(transferOf(usdc, { ...first.parts, generation: 1 }));
      expect(await ledger.reserve(first)).toEqual({
        kind: 'lookUp',
        words: 'Its generation 1 was sent, and is later.',
      });
      expect(await counted(ledger)).toBe(usdc);
    });

    it('of a generation that was sent and then refused is no reason for a next one', async () => {
      const ledger = await started();
      const first = transferOf(usdc);
      await ledger.reserve(first);
      await ledger.refused({ hash: first.hash, generation: 0 });
      const second = transferOf(usdc, { ...first.parts, generation: 1 });
      expect(await ledger.reserve(second)).toMatchObject({ kind: 'lookUp' });
    });

    it('that the service has a record of, and the ledger has not, is never sent', async () => {
      const ledger = await started();
      const asked = transferOf(usdc);
      await ledger.enter([outsideOf(usdc, { reference: { hash: asked.hash, generation: 0 } })]);
      expect(await ledger.reserve(asked)).toMatchObject({ kind: 'lookUp' });
      // Nobody is asked about a signed write that is known.
      expect(await ledger.reserve({ ...asked, isRepeat: true })).toMatchObject({ kind: 'lookUp' });
      expect(await ledger.known({ hash: asked.hash, generation: 0 })).toEqual({ state: 'burnt' });
    });
  });

  describe('time', () => {
    it('never runs back: a clock that goes forward and back opens no window twice', async () => {
      const ledger = await started();
      const paid = transferOf(100n * usdc);
      await ledger.reserve(paid);
      await ledger.end([endOf(paid, true)]);
      nowMs += 24 * hourMs;
      const next = transferOf(100n * usdc);
      expect(await ledger.reserve(next)).toEqual({ kind: 'reserved' });
      await ledger.end([endOf(next, true)]);
      nowMs -= 48 * hourMs;
      expect(await ledger.reserve(transferOf(usdc))).toMatchObject({ kind: 'wait' });
      nowMs += 48 * hourMs + 1;
      expect(await (await started()).reserve(transferOf(usdc))).toMatchObject({ kind: 'wait' });
    });

    it('is moved by a reservation alone, whatever else a clock that is ahead is used for', async () => {
      const ledger = await started();
      const ahead = await started(() => nowMs + 25 * hourMs);
      const paid = transferOf(100n * usdc);
      await ledger.reserve(paid);
      await ledger.end([endOf(paid, true)]);
      await ahead.openWrites(9, { withFound: true });
      await ahead.heldWrites(9);
      await ahead.enter([outsideOf(0n)]);
      await ahead.accepted(paid.key, 't1');
      await ahead.hasRead({ untilMs: undefined, newestMs: nowMs });
      expect(await counted(ahead)).toBe(0n);
      expect(await ledger.reserve(transferOf(usdc))).toMatchObject({ kind: 'wait', rule: 'out' });
      expect(await counted(ledger)).toBe(100n * usdc);
    });

    it('is the one that the service has confirmed, whatever the clock of the ledger says', async () => {
      const ledger = await started(() => nowMs + 25 * hourMs);
      const paid = transferOf(100n * usdc);
      await ledger.reserve(paid, nowMs);
      await (await started()).end([endOf(paid, true)]);
      expect(await ledger.reserve(transferOf(usdc), nowMs)).toMatchObject({ kind: 'wait' });
      expect(await ledger.reserve(transferOf(usdc), nowMs + 24 * hourMs)).toEqual({
        kind: 'reserved',
      });
    });

    it('that is more than a minute ahead of the confirmed one holds all reservations back', async () => {
      const ledger = await started();
      await ledger.reserve(transferOf(usdc), nowMs + hourMs);
      expect(await ledger.reserve(transferOf(usdc), nowMs)).toEqual({
        kind: 'wait',
        untilMs: nowMs + hourMs - 60_000,
        words:
          `The ledger's time is 2026-01-31T13:00:00.000Z, and the service's is ` +
          '2026-01-31T12:00:00.000Z. A clock was wrong before. Wait until then, or replace the ' +
          'ledger: see "If the ledger is lost" in docs/how-to/run-the-ledger.md.',
      });
      const later = await ledger.reserve(transferOf(usdc), nowMs + hourMs - 60_000);
      expect(later).toEqual({ kind: 'reserved' });
    });
  });

  describe('a policy', () => {
    const under = (version: number, digest: string) => ({
      ...transferOf(usdc),
      policy: { version, digest },
    });

    it('that is older than one that was in force lets nothing out, in any writer', async () => {
      await (await started()).reserve(under(2, 'd2'));
      expect(await (await started()).reserve(under(1, 'd1'))).toMatchObject({
        kind: 'wait',
        words: expect.stringContaining('has version 1, and version 2 is in force'),
      });
      expect(await (await started()).reserve(under(3, 'd3'))).toEqual({ kind: 'reserved' });
    });

    it('is in force from the moment at which its writer starts, before it lets anything out', async () => {
      const [old, next] = [await started(), await started()];
      expect(await old.putInForce({ version: 1, digest: 'd1' })).toBeUndefined();
      expect(await next.putInForce({ version: 2, digest: 'd2' })).toBeUndefined();
      const words = expect.stringContaining('has version 1, and version 2 is in force');
      expect(await old.putInForce({ version: 1, digest: 'd1' })).toEqual(words);
      expect(await old.reserve(under(1, 'd1'))).toMatchObject({ kind: 'wait', words });
      expect(await next.putInForce({ version: 2, digest: 'd2' })).toBeUndefined();
    });

    it('that differs under the same version lets nothing out', async () => {
      await (await started()).reserve(under(2, 'd2'));
      expect(await (await started()).reserve(under(2, 'other'))).toMatchObject({
        kind: 'wait',
        words: expect.stringContaining('Another policy with the same version 2 is in force'),
      });
    });
  });

  it('keeps its id', async () => {
    expect((await started()).id).toBe((await started()).id);
  });
});
