import { onOneLine } from '../../../../sandbox/store/records/records';

test.each([
  ['a\n\n  b\r\nc ', 'a b c'],
  ['  one line with  two spaces ', 'one line with  two spaces'],
  [undefined, undefined],
])('details of several lines are told on one: %j', (details, told) => {
  expect(onOneLine(details)).toBe(told);
});

test('details of many spaces are read in time', () => {
  const spaces = ' '.repeat(200_000);
  const beganAtMs = performance.now();
  expect(onOneLine(`x${spaces}x`)).toBe(`x${spaces}x`);
  expect(performance.now() - beganAtMs).toBeLessThan(500);
});
