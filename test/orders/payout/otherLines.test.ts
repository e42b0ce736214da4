import { type ComparedLine, differencesOf } from '../../../src/orders/payout/otherLines';

const to = `0x${'1'.repeat(40)}`;
const line = (lineId: string, amount = '5'): ComparedLine => ({
  lineId,
  to,
  amount,
  token: 'USDC',
});
const under = (is: string, was: string) =>
  `line ${is} is line ${was} under another id: give it the id that it had`;

describe('lines whose ids a spreadsheet has changed', () => {
  test('are told with the ids that they had, and are not new', () => {
    const before = [line('0012'), line('0013'), line('2026-01', '7')];
    const now = [line('12'), line('13'), line('Jan-26', '7')];
    const faults = [under('12', '0012'), under('13', '0013'), under('Jan-26', '2026-01')];
    expect(differencesOf(before, now)).toEqual({ faults, hasNew: false });
  });

  test('have new lines beside them, which pay something else', () => {
    const now = [line('12'), line('dan', '9')];
    const faults = ['line dan is not in it', under('12', '0012'), 'line 0013 is missing'];
    const before = [line('0012'), line('0013', '8')];
    expect(differencesOf(before, now)).toEqual({ faults, hasNew: true });
  });

  test('are not new where two of them may be one line, since nobody knows which', () => {
    const faults = [under('eve', '0012'), under('12', '0012')];
    const now = [line('eve'), line('12')];
    expect(differencesOf([line('0012')], now)).toEqual({ faults, hasNew: false });
  });

  test('are counted, however many they are', () => {
    const ids = Array.from({ length: 200_000 }, (_, at) => String(at).padStart(7, '0'));
    const startedAt = performance.now();
    const { faults, hasNew } = differencesOf(
      ids.map((id) => line(id)),
      ids.map((id) => line(`n${id}`)),
    );
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    expect({ told: faults.length, last: faults.at(-1), hasNew }).toEqual({
      told: 11,
      last: 'and 199990 more',
      hasNew: false,
    });
  });
});
