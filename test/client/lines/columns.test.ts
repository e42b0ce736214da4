import { columnsOf, type FileReading, mapOf } from '../../../src/client/lines/columns';

const reading: FileReading = { token: undefined, ignored: new Set() };
const unitOf = (column: string) => columnsOf([column], reading).unit;

/** The time that something takes. */
function msOf(act: () => unknown): number {
  const startedAt = performance.now();
  act();
  return performance.now() - startedAt;
}

it.each([
  ['Amount (USDC)', 'USDC'],
  ['amount_usdc', 'USDC'],
  ['Pay Amount - [ EURC ]', 'EURC'],
  ['Amount\n(USDC)', 'USDC'],
  ['Amount (USDC) net', undefined],
  ['Amount US DC', undefined],
  ['USDC', undefined],
  ['Fee (USDC)', undefined],
])('the token in %j is %s', (column, unit) => {
  expect(unitOf(column)).toBe(unit);
});

it.each([' '.repeat(3_000), '( '.repeat(3_000), 'USDC '.repeat(3_000)])(
  'a column of a long name is read in time',
  (blanks) => {
    for (const column of [`amount${blanks}x`, `${blanks}USDC`, blanks]) {
      expect(msOf(() => unitOf(column))).toBeLessThan(500);
    }
  },
);

it('a map of a long text is refused in time', () => {
  const text = `${' '.repeat(3_000)}x`;
  expect(
    msOf(() => expect(() => mapOf([text])).toThrow('must be a field and a column')),
  ).toBeLessThan(500);
  expect(msOf(() => mapOf([`to=a${text}`]))).toBeLessThan(500);
});

it('a map has a field and a column', () => {
  expect(mapOf([' to = Wallet = a '])).toEqual(new Map([['to', 'Wallet = a']]));
  for (const text of ['to', 'to=', '=a', 'to= ', '']) {
    expect(() => mapOf([text])).toThrow('must be a field and a column');
  }
});
