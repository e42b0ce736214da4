import { leftOutFault } from '../../../src/orders/schedule/leftOut';
import { endOfTime, type Rhythm, timesIn } from '../../../src/orders/schedule/rhythm';

const afterMs = Date.parse('2026-11-27T12:00:00Z');

function faultOf(rhythm: Rhythm, template: string, timeZone = 'UTC') {
  const timed = { rhythm, template, timeZone };
  return leftOutFault(timed, timesIn(timed, [afterMs, endOfTime], 400));
}

it.each<[Rhythm, string, string, string]>([
  [
    { cron: '0 9 31 * *' },
    'yyyy-MM',
    '2027-02, 2027-04',
    '2027-02,2027-04,2027-06,2027-09,2027-11',
  ],
  [{ cron: '0 9 31 * *' }, "'run'-yyyy.MM", 'run-2027.02', 'run-2027.02'],
  [{ cron: '0 9 30,31 * *' }, 'yyyy-MM-dd', '2026-11, 2027-02', '2026-11,2027-02'],
  [{ cron: '0 9 15,30 * *' }, 'yyyy-MM-dd', '2027-02, 2028-02', '2027-02'],
  [{ cron: '0 9 29 2 *' }, 'yyyy', '2029, 2030, 2031, 2033', '2029'],
  [{ cron: '0 9 31 2,3 *' }, "yyyy-MM-dd'T'HH", '2028-02', '2028-02'],
  [{ cron: '0 9 1 * 1-5' }, 'yyyy-MM', '2027-05, 2027-08, 2028-01', '2027-05,2027-08,2028-01'],
  [{ cron: '0 9 29-31 * 5' }, 'yyyy-MM', '2027-02', '2027-02'],
  [{ cron: '0 9 1 * *' }, "yyyy-'W'ww", '2026-W50, 2026-W51', '2026-W50'],
  [{ every: '1209600s' }, "yyyy-'W'ww", '2026-W50, 2026-W52', '2026-W50'],
  [{ every: '172800s' }, 'yyyy-MM-dd', '2026-11-30, 2026-12-02', '2026-11-30'],
  [{ every: '3456000s' }, 'yyyy-MM', '2027-0', '2027-0'],
])('%j with %s names %s, and is confirmed by %s', (rhythm, template, names, flag) => {
  const fault = faultOf(rhythm, template) ?? '';
  expect(fault).toContain(` leaves out ${names}`);
  expect(fault).toContain(`--leaves-out ${flag}`);
  const leavesOut = fault.replace(/.*--leaves-out /, '').split(',');
  expect(faultOf({ ...rhythm, leavesOut }, template)).toBeUndefined();
});

it.each<[Rhythm, string]>([
  [{ cron: '0 9 L * *' }, 'yyyy-MM'],
  [{ cron: '0 9 LW * *' }, 'yyyy-MM'],
  [{ cron: '0 9 15,L * *' }, 'yyyy-MM-dd'],
  [{ cron: '0 9 28 * *' }, 'yyyy-MM'],
  [{ cron: '0 9 31 1,3,5,7,8,10,12 *' }, 'yyyy-MM'],
  [{ cron: '0 9 1 */3 *' }, 'yyyy-MM'],
  [{ cron: '0 9 1-7 * 1' }, 'yyyy-MM'],
  [{ cron: '0 9 * * 1-5' }, 'yyyy-MM-dd'],
  [{ cron: '0 9 */2 * *' }, 'yyyy-MM-dd'],
  [{ cron: '0 9 * * 5' }, "yyyy-'W'ww"],
  [{ cron: '@yearly' }, 'yyyy'],
  [{ cron: '@monthly' }, 'yyyy-MM'],
  [{ every: '604800s' }, "yyyy-'W'ww"],
  [{ every: '86400s' }, 'yyyy-MM-dd'],
  [{ every: '4s' }, 'yyyyMMddHHmmss'],
  // It ends before the first month without that day.
  [{ cron: '0 9 31 * *', until: '2027-01-31T23:00:00.000Z' }, 'yyyy-MM'],
])('%j with %s leaves out nothing', (rhythm, template) => {
  expect(faultOf(rhythm, template)).toBeUndefined();
});

it('a way out pays the months that were left out, in the place of the part without a day', () => {
  const ways = ['31 1-6 *', '15,30 2 *', '29-31 * 5'].map((days) =>
    faultOf({ cron: `0 9 ${days}` }, 'yyyy-MM-dd')?.replace(/.*Give cron (.*) If it.*/, '$1'),
  );
  expect(ways).toEqual([
    '"0 9 L 1-6 *" for the last day of the month, or "0 9 LW 1-6 *" for its last working day.',
    '"0 9 15,L 2 *" for the last day of the month, or "0 9 15,LW 2 *" for its last working day.',
    '"0 9 L * *" for the last day of the month, or "0 9 LW * *" for its last working day.',
  ]);
});

it('a day that every month has is not moved to the last one: its weekday is in the way', () => {
  for (const cron of ['0 9 1 * 1-5', '0 9 1,31 * 1-5']) {
    const fault = faultOf({ cron }, 'yyyy-MM-dd');
    expect(fault).toContain('A day of month and a weekday must both fit. Leave one of them as *.');
    expect(fault).not.toMatch(/Give cron|LW/);
  }
});

it('periods are judged by the calendar of the time zone', () => {
  // In UTC it is still the day before, and the 31st of December is the first of January.
  expect(faultOf({ cron: '0 5 1 * *' }, 'yyyy-MM', 'Pacific/Kiritimati')).toBeUndefined();
  expect(faultOf({ cron: '0 5 31 * *' }, 'yyyy-MM', 'Pacific/Kiritimati')).toContain('2027-02');
});
