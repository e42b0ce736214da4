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

const success: ReceiptAnswer = { found: 'success', faults: [], txHash: '0xpaid' };

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

function answered(atMin: number, receipt: ReceiptAnswer, transactionId = 'first') {
  return { kind: 'receipt', receipt, transactionId, askedAtMs: atMin * 60_000 } as const;
}

/** The chain's answer at a minute, which shows nothing of the write. */
function shown(atMin: number) {
  return [atMin, answered(atMin, nothing)] as const;
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
    const done = heard(later, read(200, paid), [200, answered(200, success)]);
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

describe('a payment that the chain has shown, and that the service calls failed,', () => {
  const paid = [looked(0), read(0), [0, answered(0, success)]] as const;
  const dead = (atMin: number) => [atMin, answered(atMin, { ...nothing, replaced: true })] as const;

  test('is never sent again, although a node does not show it hours later', () => {
    const lacking = heard(retried, ...paid, read(40), shown(40));
    expect(lacking).toMatchObject({ stage: 'disputed', goesOnAs: 1, paidIn: '0xpaid' });
    expect(lacking.why).toContain('the chain has shown that 0xpaid has paid');
    expect(heard(lacking, read(41), [41, answered(41, success)])).toMatchObject({
      stage: 'disputed',
      paidIn: '0xpaid',
    });
  });

  test('is not called failed either, where nothing follows from it', () => {
    const first = newWrite({ generation: 0, knownAtMs: 0 });
    expect(heard(first, ...paid, read(40), shown(40)).stage).toBe('disputed');
  });

  test('has failed once the chain proves that it can never happen', () => {
    const reverted = heard(retried, ...paid, read(40), dead(40));
    expect(reverted).toMatchObject({ stage: 'unseen', generation: 1, paidIn: undefined });
  });
});

describe('an answer that comes once somebody has found another transaction', () => {
  const wants = { ...newWrite({ generation: 0, knownAtMs: 0 }), stage: 'accepted' } as const;
  const other = { id: 'other', state: 'FAILED' };
  const found = heard({ ...wants, transactionId: 'other' }, read(0, other));

  test('tells nothing of it, neither by a record nor by a receipt', () => {
    const reverted: ReceiptAnswer = { found: 'reverted', faults: [] };
    expect(heard(found, read(1))).toEqual(found);
    expect(heard(found, [1, answered(1, reverted)])).toEqual(found);
    expect(heard(found, [1, answered(1, reverted, 'other')]).stage).toBe('failed');
  });
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
