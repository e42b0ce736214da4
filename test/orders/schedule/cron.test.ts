import { readCron } from '../../../src/orders/schedule/cron';

/** The numbers of one field, of a cron expression that names all others. */
function numbersOf(field: string, at: number): readonly number[] | string {
  const parts = ['*', '*', '*', '*', '*'];
  parts[at] = field;
  const cron = readCron(parts.join(' '));
  if ('fault' in cron) return cron.fault;
  const { minutes, hours, months, weekdays } = cron;
  const days = cron.days.flatMap((part) => (typeof part === 'string' ? [] : [...part]));
  return [minutes, hours, days, [...months], [...weekdays].sort()][at] ?? [];
}

it.each<[string, number, number[]]>([
  ['5', 0, [5]],
  ['5,1,5', 0, [1, 5]],
  ['50/5', 0, [50, 55]],
  ['1-9/4,30', 0, [1, 5, 9, 30]],
  ['*/12', 1, [0, 12]],
  ['09', 1, [9]],
  ['28-31', 2, [28, 29, 30, 31]],
  ['jan,MAR-apr', 3, [1, 3, 4]],
  ['decem', 3, [12]],
  ['mon-fri', 4, [1, 2, 3, 4, 5]],
  ['0', 4, [0]],
  ['7', 4, [0]],
  ['5-7', 4, [0, 5, 6]],
  ['*', 4, [0, 1, 2, 3, 4, 5, 6]],
])('%s names its numbers', (field, at, numbers) => {
  expect(numbersOf(field, at)).toEqual(numbers);
});

it('days of month are kept part by part, with the last ones by their words', () => {
  const cron = readCron('0 9 1,10-12/2,l,LW * *');
  expect(cron).toMatchObject({ days: [new Set([1]), new Set([10, 12]), 'L', 'LW'] });
});

it.each<[string, number, string]>([
  ['60', 0, 'its minute "60" is not in 0-59'],
  ['-1', 0, 'its minute "-1" is not in 0-59'],
  ['+1', 0, 'its minute "+1" is not in 0-59'],
  ['1.5', 0, 'its minute "1.5" is not in 0-59'],
  ['5-1', 0, 'its minute "5-1" is not in 0-59'],
  ['1-2-3', 0, 'its minute "1-2-3" is not in 0-59'],
  ['*/0', 0, 'its minute "*/0" is not in 0-59'],
  ['1/2/3', 0, 'its minute "1/2/3" is not in 0-59'],
  ['5/', 0, 'its minute "5/" is not in 0-59'],
  ['1,', 0, 'its minute "1," is not in 0-59'],
  ['24', 1, 'its hour "24" is not in 0-23'],
  ['0', 2, 'its day of month "0" is not in 1-31, L (the last day) or LW (the last working day)'],
  [
    'L-1',
    2,
    'its day of month "L-1" is not in 1-31, L (the last day) or LW (the last working day)',
  ],
  ['L', 3, 'its month "L" is not in 1-12'],
  ['LW', 1, 'its hour "LW" is not in 0-23'],
  ['ja', 3, 'its month "ja" is not in 1-12'],
  ['13', 3, 'its month "13" is not in 1-12'],
  ['8', 4, 'its day of week "8" is not in 0-7'],
  ['m', 4, 'its day of week "m" is not in 0-7'],
  ['fri-mon', 4, 'its day of week "fri-mon" is not in 0-7'],
  ['5L', 4, 'its day of week "5L" is not in 0-7'],
])('%s is refused', (field, at, fault) => {
  expect(numbersOf(field, at)).toBe(fault);
});

it.each([
  ['@yearly', '0 0 1 1 *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
])('%s is %s', (macro, cron) => {
  expect(readCron(macro)).toEqual(readCron(cron));
});

it.each(['0 9 * *', '0 9 * * * *', ''])('"%s" has not five fields', (text) => {
  expect(readCron(text)).toHaveProperty('fault');
});
