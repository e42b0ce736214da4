import { type Ledger, LedgerError } from '../../../src/writer/ledger/ledger';
import { ledgerAt } from '../../../src/writer/ledger/ledgerAt';
import { kinds } from './kinds';
import { endOf, lifetimeMs, outsideOf, transferOf, usdc, window } from './reservations';

/** A call that was sent at the end of its key's life may still arrive. */
const lateMs = 600_000;
const finding = { person: 'ann', statement: '{}', signature: 's' };
let nowMs: number;
let ledger: Ledger;

const counted = async (): Promise<bigint> => (await ledger.usage(window)).counted;

/** A write that was sent, and of which nothing has been heard since. Others were asked for. */
async function unknown(sinceMs = lifetimeMs + lateMs + 1) {
  const sent = transferOf(60n * usdc);
  await ledger.reserve(sent);
  nowMs += sinceMs;
  await ledger.reserve(transferOf(60n * usdc));
  const { hash, parts } = sent;
  return { sent, reference: { hash, generation: parts.generation } };
}

describe.each(kinds)('in $name', ({ start, newPlace, stop }) => {
  beforeAll(start);
  afterAll(stop);
  beforeEach(async () => {
    nowMs = Date.parse('2026-01-31T12:00:00Z');
    ledger = await ledgerAt(await newPlace(), { keyLifetimeMs: lifetimeMs, clock: () => nowMs });
  });
  afterEach(() => ledger.close());

  describe('a write that an operator has found to be without effect', () => {
    it('counts no more, is not sent again under its key, and lets the next generation out', async () => {
      const { sent, reference } = await unknown();
      expect(await ledger.heldWrites(9)).toEqual([
        {
          orderId: sent.parts.workflowId,
          target: 'transfer/1#0',
          firstMs: nowMs - lifetimeMs - lateMs - 1,
          amounts: new Map([['native', 60n * usdc]]),
        },
      ]);
      expect(await counted()).toBe(60n * usdc);
      const { workflowId } = sent.parts;
      const next = transferOf(60n * usdc, { workflowId, generation: 1 });
      expect(await ledger.reserve(next)).toMatchObject({ kind: 'lookUp' });
      await ledger.found(reference, finding);
      expect(await counted()).toBe(0n);
      expect(await ledger.heldWrites(9)).toEqual([]);
      expect(await ledger.reserve(sent)).toMatchObject({
        kind: 'lookUp',
        words: expect.stringContaining('An operator has found that it had no effect'),
      });
      expect(await ledger.reserve(next)).toEqual({ kind: 'reserved' });
    });

    it('counts from the moment when a late record shows an effect, and is told once', async () => {
      const { sent, reference } = await unknown();
      await ledger.found(reference, finding);
      const late = endOf(sent, true);
      expect(await ledger.end([late])).toEqual([late]);
      expect(await ledger.end([late])).toEqual([]);
      expect(await ledger.usage(window)).toEqual({ counted: 60n * usdc, open: 0n });
    });

    it('is read back to for a month, since a record may come late', async () => {
      const { reference } = await unknown();
      await ledger.found(reference, finding);
      expect(await ledger.openWrites(9)).toEqual([]);
      expect(await ledger.openWrites(9, { withFound: true })).toMatchObject([reference]);
      nowMs += 31 * 24 * 3_600_000;
      expect(await ledger.openWrites(9, { withFound: true })).toEqual([]);
    });

    it('is no alarm when a late record shows that the operator was right', async () => {
      const { sent, reference } = await unknown();
      await ledger.found(reference, finding);
      expect(await ledger.end([endOf(sent, false)])).toEqual([]);
      expect(await counted()).toBe(0n);
    });
  });

  describe('a finding', () => {
    it('is refused while the write may still be sent under its key', async () => {
      const { reference } = await unknown(lifetimeMs + lateMs);
      const refused = ledger.found(reference, finding);
      await expect(refused).rejects.toThrow(
        /It may still be sent under its key, until 2026-02-01T12:10/,
      );
      expect(await counted()).toBe(60n * usdc);
    });

    it('is refused on the word of the clock of whoever releases, until a writer confirms it', async () => {
      const { sent, reference } = await unknown(lifetimeMs);
      nowMs += 25 * 3_600_000;
      const words = "The ledger's time is 2026-02-01T12:00:00.000Z: the time of the last";
      await expect(ledger.found(reference, finding)).rejects.toThrow(words);
      expect(await counted()).toBe(60n * usdc);
      await ledger.reserve(sent);
      await ledger.found(reference, finding);
      expect(await counted()).toBe(0n);
    });

    it.each<[string, (sent: ReturnType<typeof transferOf>) => Promise<unknown>, string]>([
      [
        'that the service has accepted',
        ({ key }) => ledger.accepted(key, 't7'),
        'accepted it as t7',
      ],
      [
        'that has ended',
        (sent) => ledger.end([endOf(sent, true)]),
        'It is not open: it is settled',
      ],
      [
        'that had no effect',
        ({ key }) => ledger.withoutEffect(key),
        'It is not open: it is unsent',
      ],
    ])('about a write %s is refused', async (_, change, words) => {
      const { sent, reference } = await unknown();
      await change(sent);
      await expect(ledger.found(reference, finding)).rejects.toThrow(words);
    });

    it('is refused where the life of a key is no number', async () => {
      const { sent } = await unknown();
      const other = await ledgerAt(await newPlace(), {
        keyLifetimeMs: Number.NaN,
        clock: () => nowMs,
      });
      await other.reserve(sent);
      const reference = { hash: sent.hash, generation: 0 };
      await expect(other.found(reference, finding)).rejects.toThrow(Error);
      await other.close();
    });

    it('about a write of which a record was seen is refused, whatever its state', async () => {
      const { reference } = await unknown();
      await ledger.seen([{ ...reference, transactionId: 't9' }]);
      expect(await ledger.heldWrites(9)).toEqual([]);
      await expect(ledger.found(reference, finding)).rejects.toThrow('accepted it as t9');
    });

    it('about a write that the ledger has never seen is refused', async () => {
      const refused = ledger.found({ hash: 'f'.repeat(16), generation: 0 }, finding);
      await expect(refused).rejects.toThrow(new LedgerError('The ledger has no such write.'));
    });
  });

  describe('a write that only the service knows', () => {
    it('lets out neither the generation after it nor the one before it', async () => {
      const { parts, hash } = transferOf(usdc);
      const { workflowId } = parts;
      await ledger.enter([outsideOf(usdc, { reference: { hash, generation: 1 }, charges: [] })]);
      await ledger.refused({ hash, generation: 1 });
      for (const generation of [0, 1, 2]) {
        const asked = transferOf(usdc, { workflowId, generation });
        expect(await ledger.reserve(asked)).toMatchObject({ kind: 'lookUp' });
      }
      expect(await counted()).toBe(0n);
    });
  });
});
