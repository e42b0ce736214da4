import { next } from '../../../../workflows/write/machine/machine';
import { newWrite, type WriteState } from '../../../../workflows/write/machine/writeState';

const terms = { lookupGraceMs: 600_000, keyLifetimeMs: 86_400_000, checksReceipts: true };
const record = { id: 'batch', state: 'COMPLETE' };
const batch: WriteState = {
  ...newWrite({ generation: 0, knownAtMs: 0, transactionId: 'batch' }),
  stage: 'completed',
  record,
  final: { claimsNoEffect: false, sinceMs: 0 },
};
const later = newWrite({ generation: 1, knownAtMs: 0 });

/** A later attempt at a line, once the batch of the attempt before has ended. */
function after(line: WriteState, own: Partial<WriteState>, failedAlone?: string): WriteState {
  const ended = {
    kind: 'endedIn',
    generation: 0,
    batch: { ...batch, ...own },
    failedAlone,
  } as const;
  return next(line, { ...ended, nowMs: 1 }, terms);
}

test('a line that was sent alone since keeps its attempt if its batch of before was cancelled', () => {
  const line: WriteState = { ...later, tries: 'ambiguous', transactionId: 'own' };
  const cancelled = { stage: 'stopped', record: { id: 'batch', state: 'CANCELLED' } } as const;
  expect(after(line, { ...cancelled, isCancelled: true })).toMatchObject({
    stage: 'unseen',
    generation: 1,
    tries: 'ambiguous',
    transactionId: 'own',
  });
});

test('a line that failed alone in its batch needs no other proof, however long it waits', () => {
  const line = after(later, {}, 'Its payee is blocked.');
  expect(line).toMatchObject({ generation: 1, isProven: true, proof: undefined });
  const sending = { kind: 'sending', nowMs: 100 * terms.lookupGraceMs } as const;
  expect(next({ ...line, stage: 'ready' }, sending, terms).stage).toBe('sending');
});

test('a line whose whole batch failed is proven by its record, which gets old', () => {
  const failed = { stage: 'failed', record: { id: 'batch', state: 'FAILED' } } as const;
  const line = after(later, failed);
  expect(line).toMatchObject({ isProven: true, proof: { id: 'batch' } });
  const sending = { kind: 'sending', nowMs: 100 * terms.lookupGraceMs } as const;
  expect(next({ ...line, stage: 'ready' }, sending, terms).stage).toBe('unseen');
});
