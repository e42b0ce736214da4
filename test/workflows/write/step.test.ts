import { newWrite, type WriteState } from '../../../workflows/write/machine/writeState';
import { receiptQuestion, type Transacting } from '../../../workflows/write/step';

const hourMs = 3_600_000;
const nowMs = Date.parse('2026-03-02T12:00:00Z');
const at = (ms: number): string => new Date(ms).toISOString();

const step = {
  sender: '0x1111111111111111111111111111111111111111',
  isSmart: false,
  effect: { kind: 'transfer', from: '', to: '', tokenAddress: '', baseUnits: '1' },
} as unknown as Transacting;

/** The beginning of the search for a write whose record is FAILED and has this date. */
function sinceOf(createDate: string, given: Partial<WriteState>, ranSinceMs?: number) {
  const record = { id: 'one', state: 'FAILED', createDate };
  const state = { ...newWrite({ generation: 0, knownAtMs: nowMs }), record, ...given };
  return receiptQuestion(step, state, { ranSinceMs })?.search?.since;
}

describe('an operation that an earlier run has heard to have failed', () => {
  const record = { id: 'one', state: 'FAILED', userOpHash: '0xop' };
  const final = { claimsNoEffect: true, sinceMs: nowMs };
  const heard = { 'transfer/1#0': { id: 'one', userOpHash: '0xop', sinceMs: nowMs - hourMs } };
  const heardMs = (given: Partial<typeof record>, generation = 0) => {
    const write = { ...step, step: 'transfer', item: '1' };
    const state = { ...newWrite({ generation, knownAtMs: nowMs }), final };
    const asked = { ...state, record: { ...record, ...given } };
    return receiptQuestion(write, asked, { heard })?.search?.heardMs;
  };

  it('is proven dead by an operation since then, and not only since this run', () => {
    expect(heardMs({})).toBe(nowMs - hourMs);
  });

  it('is another one under another hash, in another record, by another word or attempt', () => {
    const others = [{ userOpHash: '0xcopy' }, { id: 'two' }, { state: 'COMPLETE' }];
    expect(others.map((given) => heardMs(given))).toEqual([nowMs, nowMs, nowMs]);
    expect(heardMs({}, 1)).toBe(nowMs);
  });
});

describe('the search of the chain for a write that the service calls failed', () => {
  it('begins at the date of its record, and not after its first attempt', () => {
    expect(sinceOf(at(nowMs - hourMs), { bornAtMs: nowMs })).toBe(at(nowMs - hourMs));
    expect(sinceOf(at(nowMs + hourMs), { bornAtMs: nowMs })).toBe(at(nowMs));
  });

  it('knows whether this run has sent it', () => {
    const record = { id: 'one', state: 'FAILED' };
    const sent = { ...newWrite({ generation: 0, knownAtMs: nowMs }), record };
    const isSent = [sent, { ...sent, isFound: true }].map(
      (state) => receiptQuestion(step, state, {})?.search?.isSent,
    );
    expect(isSent).toEqual([true, false]);
  });

  it('takes in all blocks, where a run has sent it that Temporal has forgotten', () => {
    expect(sinceOf(at(nowMs - hourMs), { isFound: true })).toBe(at(0));
    expect(sinceOf('', { isFound: true })).toBe('');
  });

  it('begins with the first run that Temporal knows, however late its record is dated', () => {
    const ranSinceMs = nowMs - 30 * hourMs;
    expect(sinceOf(at(nowMs - hourMs), { isFound: true }, ranSinceMs)).toBe(at(ranSinceMs));
    const older = at(ranSinceMs - hourMs);
    expect(sinceOf(older, { isFound: true }, ranSinceMs)).toBe(older);
  });
});
