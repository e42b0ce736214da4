import type { ReceiptAnswer } from '../../../../activities/chain/receipt';
import { firstState } from '../../../../workflows/write/machine/firstState';
import { next } from '../../../../workflows/write/machine/machine';
import {
  type Happening,
  newWrite,
  type Trace,
  type WriteState,
  wishOf,
} from '../../../../workflows/write/machine/writeState';

const terms = { lookupGraceMs: 600_000, keyLifetimeMs: 86_400_000, checksReceipts: true };
const failed = { id: 'first', state: 'FAILED' };
const nothing: ReceiptAnswer = { found: 'absent', faults: [] };

/** A write that hears one happening after another, each at its minute. */
function heard(state: WriteState, ...happenings: (readonly [atMin: number, Happening])[]) {
  return happenings.reduce((before, [atMin, happening]) => {
    return next(before, { ...happening, nowMs: atMin * 60_000 }, terms);
  }, state);
}

function looked(atMin: number, record = failed) {
  const trace: Trace = { generation: 0, accepted: { transactionId: record.id }, record };
  const happening = {
    kind: 'looked',
    askedAtMs: atMin * 60_000,
    seen: 1,
    traces: [trace],
  } as const;
  return [atMin, happening] as const;
}

function read(atMin: number, record: { id: string; state: string; txHash?: string } = failed) {
  return [atMin, { kind: 'record', record, faults: [] }] as const;
}

/** The chain's answer at a minute, which shows nothing of the write. */
function shown(atMin: number) {
  const receipt = { kind: 'receipt', receipt: nothing, askedAtMs: atMin * 60_000 } as const;
  return [atMin, receipt] as const;
}

const retried = newWrite({ generation: 1, knownAtMs: 0, isSuspect: true });
const firstProof = [looked(0), read(0), shown(0), read(10), shown(10), looked(10)] as const;

/** A retry whose first attempt is proven to have had no effect, in the eleventh minute. */
const ready = () => heard(retried, ...firstProof);

describe('a retry that may be sent, since a record has proven that the attempt before failed,', () => {
  test('is sent within the grace period', () => {
    expect(ready()).toMatchObject({ stage: 'ready', generation: 1, isProven: true });
    expect(heard(ready(), [19, { kind: 'sending' }]).stage).toBe('sending');
  });

  test('is not sent on an old proof: its record and the chain are read once more', () => {
    const later = heard(ready(), [200, { kind: 'sending' }]);
    expect(later).toMatchObject({ stage: 'unseen', generation: 1 });
    const again = heard(later, looked(200));
    expect(wishOf(again).want).toBe('watch');
    const proven = heard(again, read(200), shown(200), looked(200));
    expect(heard(proven, [201, { kind: 'sending' }]).stage).toBe('sending');
  });

  test('ends as paid if the service has corrected its word meanwhile', () => {
    const later = heard(ready(), [200, { kind: 'sending' }], looked(200));
    const paid = { id: 'first', state: 'COMPLETE', txHash: '0x1' };
    const receipt: ReceiptAnswer = { found: 'success', faults: [] };
    const confirmed = { kind: 'receipt', receipt, askedAtMs: 12_000_000 } as const;
    const done = heard(later, read(200, paid), [200, confirmed]);
    expect(done).toMatchObject({ stage: 'completed', generation: 0, transactionId: 'first' });
  });

  test('waits for the whole grace period again if the list shows another record by then', () => {
    const other = { id: 'other', state: 'FAILED' };
    const later = heard(ready(), [200, { kind: 'sending' }], looked(200, other));
    const waits = heard(later, read(200, other), shown(200));
    expect(waits).toMatchObject({ stage: 'accepted', goesOnAs: 1 });
  });

  test('is sent once a person has found that nothing of it was accepted, however late', () => {
    const later = heard(ready(), [19, { kind: 'sending' }]);
    const unknown: WriteState = { ...later, stage: 'unknown' };
    const finding = { target: 'transfer/1#1', finding: 'noEffect', evidence: 'asked' } as const;
    const found = heard(unknown, [300, { kind: 'found', finding }]);
    expect(heard(found, [301, { kind: 'sending' }]).stage).toBe('sending');
  });
});

test('a word of failure has not stood while its record was missing', () => {
  const accepted = { ...newWrite({ generation: 0, knownAtMs: 0 }), stage: 'accepted' } as const;
  const told = heard({ ...accepted, transactionId: 'first' }, read(0), shown(0));
  expect(told.final).toEqual({ claimsNoEffect: true, sinceMs: 0 });
  const missing = heard(told, [9, { kind: 'lost' }]);
  // The table of polls counts until the service says a final word again.
  expect(missing).toMatchObject({ final: undefined, notBeforeMs: undefined });
  expect(heard(missing, read(11), shown(11)).stage).toBe('accepted');
});

test('a record that goes missing again after it was read has the whole grace period again', () => {
  const accepted = { ...newWrite({ generation: 0, knownAtMs: 0 }), stage: 'accepted' } as const;
  const given = { ...accepted, transactionId: 'first' };
  const again = heard(given, [0, { kind: 'lost' }], read(9), shown(9), [12, { kind: 'lost' }]);
  expect(again.stage).toBe('accepted');
  expect(heard(again, [23, { kind: 'lost' }]).stage).toBe('disputed');
});

test('a retry that waits for its proof keeps its number while a person is asked', () => {
  const accepted = heard(retried, looked(0), [0, { kind: 'lost' }], [11, { kind: 'lost' }]);
  expect(accepted).toMatchObject({ stage: 'disputed', generation: 0, goesOnAs: 1 });
  const back = heard(accepted, read(12), shown(12), read(30), shown(30));
  expect(back).toMatchObject({ stage: 'unseen', generation: 1, isProven: true });
  const finding = { target: 'transfer/1#0', finding: 'skip', evidence: 'gone' } as const;
  const given = heard(accepted, [12, { kind: 'found', finding }]);
  expect(given).toMatchObject({ stage: 'givenUp', goesOnAs: undefined });
});

describe('the first state of a write whose earlier run was ended from outside', () => {
  const earlier = { bornAtMs: 0, writes: {}, others: 'ambiguous' } as const;
  const at = (generation: number, isForgotten = false) =>
    firstState(
      { path: 'transfer/1', generation },
      { ...earlier, generations: { 'transfer/1': 1 } },
      { isForgotten, nowMs: 500 },
    );

  test('is ambiguous up to the last attempt that the run may have made', () => {
    expect(at(1)).toMatchObject({ tries: 'ambiguous', knownAtMs: 0 });
  });

  test('is clean beyond it, and lies in doubt where its record is missing', () => {
    expect(at(2)).toMatchObject({ tries: 'clean', knownAtMs: 500, isSuspect: true });
  });

  test('is ambiguous for all that a reset may have made this run forget', () => {
    expect(at(2, true)).toMatchObject({ tries: 'ambiguous' });
  });
});
