import type { Ledger } from '../../../src/writer/ledger/ledger';
import { ledgerAt } from '../../../src/writer/ledger/ledgerAt';
import { kinds } from './kinds';
import { lifetimeMs, transferOf, usdc } from './reservations';

let place: string;
const open: Ledger[] = [];

const started = async (): Promise<Ledger> => {
  const one = await ledgerAt(place, { keyLifetimeMs: lifetimeMs });
  open.push(one);
  return one;
};

const refused = { kind: 'refused', words: 'ann has rejected it.' };
const no = { person: 'ann', signature: 's', isOfAll: false };

describe.each(kinds)('in $name', ({ start, newPlace, stop }) => {
  beforeAll(start);
  afterAll(stop);
  beforeEach(async () => {
    place = await newPlace();
  });
  afterEach(() => Promise.all(open.splice(0).map((one) => one.close())));

  /** The next generation of a write that the policy has refused. */
  const nextOf = ({ parts, hash }: ReturnType<typeof transferOf>) => ({
    next: transferOf(usdc, { ...parts, generation: parts.generation + 1 }),
    reference: { hash, generation: parts.generation },
  });

  it('a rejection stands in every writer, also where people have approved since', async () => {
    const asked = transferOf(usdc);
    await (await started()).reject({ ...no, parts: asked.parts });
    const other = await started();
    for (const isApproved of [false, true]) {
      expect(await other.reserve({ ...asked, isApproved })).toEqual(refused);
    }
    expect(await other.rejected(asked.parts, { isApproved: true })).toBe('ann has rejected it.');
    expect(await other.reserve(transferOf(usdc))).toEqual({ kind: 'reserved' });
  });

  it('the first rejection of a write is the one that is told', async () => {
    const ledger = await started();
    const { parts } = transferOf(usdc);
    for (const person of ['ann', 'bo']) await ledger.reject({ ...no, person, parts });
    expect(await ledger.rejected(parts, { isApproved: true })).toBe('ann has rejected it.');
  });

  it('a later generation needs people who approve it', async () => {
    const ledger = await started();
    const asked = transferOf(usdc);
    await ledger.reject({ ...no, parts: asked.parts });
    const { next, reference } = nextOf(asked);
    await ledger.refused(reference);
    expect(await ledger.reserve(next)).toEqual(refused);
    expect(await ledger.rejected(next.parts, { isApproved: true })).toBeUndefined();
    expect(await ledger.reserve({ ...next, isApproved: true })).toEqual({ kind: 'reserved' });
  });

  it('a rejection of all lines stands against each of them, in each generation', async () => {
    const ledger = await started();
    const line = (item: string, workflowId = 'payout:may') =>
      transferOf(usdc, { workflowId, step: 'line', item });
    const [one, other] = [line('a'), line('b')];
    await ledger.reject({ ...no, parts: one.parts, isOfAll: true });
    const { next, reference } = nextOf(other);
    await ledger.refused(reference);
    await ledger.reject({ ...no, person: 'bo', parts: next.parts });
    for (const asked of [one, other, next]) {
      expect(await ledger.reserve({ ...asked, isApproved: true })).toEqual(refused);
    }
    expect(await ledger.reserve(line('a', 'payout:june'))).toEqual({ kind: 'reserved' });
  });

  it('a withdrawal stands against what was signed for its order before, in every writer', async () => {
    const ledger = await started();
    const publicKeys = ['key of ann', 'other key of ann'];
    const by = { publicKeys, publicKey: 'key of ann', signature: 's' };
    const withdrawal = { order: 'transfer:rent', ...by };
    expect(await ledger.withdraw({ ...withdrawal, digest: 'd1', untilMs: 2_000 })).toBe(2_000);
    // A withdrawal up to an earlier moment takes nothing back.
    expect(await ledger.withdraw({ ...withdrawal, digest: 'd2', untilMs: 1_000 })).toBe(1_000);
    // A repetition changes nothing.
    expect(await ledger.withdraw({ ...withdrawal, digest: 'd1', untilMs: 9_000 })).toBe(2_000);
    const other = await started();
    const gone =
      'ann has withdrawn what it signed for transfer:rent until 1970-01-01T00:00:02.000Z.';
    const [publicKey = ''] = publicKeys;
    const ids = { workflowId: 'transfer:rent:1', order: 'transfer:rent' };
    const signed = { ...ids, person: 'ann', publicKey };
    const reserve = (fields: object) => {
      const request = { ...signed, signedMs: 2_000, ...fields };
      return other.reserve({ ...transferOf(usdc), request });
    };
    expect(await reserve({})).toEqual({ kind: 'refused', words: gone });
    expect(await reserve({ workflowId: 'transfer:rent', order: 'transfer' })).toMatchObject({
      kind: 'refused',
    });
    for (const fields of [
      { signedMs: 2_001 },
      { publicKey: 'key of bo' },
      { workflowId: 'transfer:rental:1', order: 'transfer:rental' },
    ]) {
      expect(await reserve(fields)).toEqual({ kind: 'reserved' });
    }
    expect(await other.withdrawn({ ...signed, signedMs: 1_500 })).toBe(gone);
    expect(await other.withdrawn({ ...signed, signedMs: 2_500 })).toBeUndefined();
  });

  it('a withdrawal of a line or a period stands against each later signature of the whole', async () => {
    const ledger = await started();
    const withdrawal = {
      publicKeys: ['key of ann'],
      publicKey: 'key of ann',
      person: 'ann',
      untilMs: 2_000,
      signature: 's',
    };
    await ledger.withdraw({ ...withdrawal, digest: 'd1', order: 'payout:may', lines: ['b'] });
    await ledger.withdraw({ ...withdrawal, digest: 'd2', order: 'transfer:rent:1' });
    await ledger.withdraw({ ...withdrawal, digest: 'd3', order: 'schedule:pay' });
    const later = { person: 'ann', publicKey: 'key of ann', signedMs: 9_000 };
    const of = (workflowId: string, order = workflowId) => ({ ...later, workflowId, order });
    const line = { ...of('payout:may'), lineId: 'b' };
    const period = of('transfer:rent:1', 'transfer:rent');
    const gone = /^ann has withdrawn what it signed for (payout:may line\/b|transfer:rent:1) until/;
    for (const request of [line, period]) {
      expect(await ledger.withdrawn(request)).toMatch(gone);
      // Its signer has another key by then.
      expect(await ledger.withdrawn({ ...request, publicKey: 'new key' })).toMatch(gone);
    }
    for (const request of [
      { ...line, lineId: 'a' },
      of('transfer:rent:1'),
      of('transfer:rent:2', 'transfer:rent'),
      of('payout:pay:1', 'payout:pay'),
    ]) {
      expect(await ledger.withdrawn(request)).toBeUndefined();
    }
    const before = { ...of('payout:pay:1', 'payout:pay'), signedMs: 1_000 };
    expect(await ledger.withdrawn(before)).toMatch(/ for schedule:pay until/);
    const scoped = { ...before, workflowId: 'shop:payout:pay:1', order: 'shop:payout:pay' };
    expect(await ledger.withdrawn(scoped)).toBeUndefined();
  });

  it('what may have been sent before it was rejected is sent again, and can be cancelled', async () => {
    const ledger = await started();
    const sent = transferOf(usdc);
    await ledger.reserve(sent);
    await ledger.reject({ ...no, parts: sent.parts, isOfAll: true });
    expect(await ledger.reserve(sent)).toMatchObject({ kind: 'repeated' });
    const { workflowId } = sent.parts;
    const cancel = transferOf(0n, { workflowId, step: 'cancel' });
    const asked = { ...cancel, about: 'cancelTransaction t1' };
    expect(await ledger.reserve(asked)).toEqual({ kind: 'reserved' });
  });
});
