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
