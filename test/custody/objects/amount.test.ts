import {
  fromBaseUnits,
  isDecimal,
  shareOf,
  toBaseUnits,
} from '../../../src/custody/objects/amount';

describe('amounts', () => {
  it.each([
    ['0', 6, 0n],
    ['1', 0, 1n],
    ['12.5', 6, 12_500_000n],
    ['12.50', 6, 12_500_000n],
    ['0.000001', 6, 1n],
    ['1.0000000000', 6, 1_000_000n],
    ['0.000000000000000001', 18, 1n],
    ['9007199254740993', 0, 9_007_199_254_740_993n],
    ['123456789012345678901234567890.123456', 6, 123_456_789_012_345_678_901_234_567_890_123_456n],
  ])('reads %s with %i decimals as %s base units', (amount, decimals, baseUnits) => {
    expect(toBaseUnits(amount, decimals)).toBe(baseUnits);
  });

  it.each([-1, 1.5, 256, 100_000_000, Number.NaN])('refuses %p decimals', (decimals) => {
    expect(() => toBaseUnits('1', decimals)).toThrow('must be a whole number from 0 to 255');
    expect(() => fromBaseUnits(1n, decimals)).toThrow('must be a whole number from 0 to 255');
  });

  it.each([
    [0n, 6, '0'],
    [1n, 0, '1'],
    [1n, 6, '0.000001'],
    [12_500_000n, 6, '12.5'],
    [1_000_000n, 6, '1'],
    [10n, 0, '10'],
    [1n, 18, '0.000000000000000001'],
  ])(
    'writes %s base units with %i decimals as %s, the shortest form',
    (baseUnits, decimals, amount) => {
      expect(fromBaseUnits(baseUnits, decimals)).toBe(amount);
    },
  );

  it('comes back unchanged from base units, for any amount and any number of decimals', () => {
    const changed = samples().filter(
      ({ baseUnits, decimals }) =>
        toBaseUnits(fromBaseUnits(baseUnits, decimals), decimals) !== baseUnits,
    );
    expect(changed).toEqual([]);
  });

  it('writes only what it reads', () => {
    const refused = samples().filter(
      ({ baseUnits, decimals }) => !isDecimal(fromBaseUnits(baseUnits, decimals)),
    );
    expect(refused).toEqual([]);
  });

  it.each([
    ['a minus sign', '-1'],
    ['a plus sign', '+1'],
    ['an exponent', '1e3'],
    ['hexadecimal digits', '0x10'],
    ['Arabic-Indic digits', '١٢'],
    ['full-width digits', '１２'],
    ['a leading zero', '012'],
    ['two leading zeros', '00.5'],
    ['no digit before the point', '.5'],
    ['no digit after the point', '1.'],
    ['two points', '1.2.3'],
    ['a decimal comma', '1,5'],
    ['a thousands separator', '1_000'],
    ['a space', ' 1'],
    ['a line break', '1\n'],
    ['a word', 'NaN'],
    ['nothing', ''],
  ])('refuses %s', (_what, text) => {
    expect(() => toBaseUnits(text, 6)).toThrow(
      new RangeError(`"${text}" is not a decimal amount.`),
    );
  });

  it('refuses more decimals than the token has', () => {
    expect(() => toBaseUnits('1.1234567', 6)).toThrow(
      new RangeError('"1.1234567" has 7 decimals, but the token has 6.'),
    );
  });

  it('refuses a text so long that no amount can be meant', () => {
    expect([isDecimal('9'.repeat(100)), isDecimal('9'.repeat(101))]).toEqual([true, false]);
  });
});

it.each([
  ['0.000000000000000010', 3],
  ['0.000318000000000001', 100],
  ['0', 7],
  ['12.5', 1],
])('the shares of %s add up to it, in any number', (amount, of) => {
  const shares = Array.from({ length: of }, (_, at) => shareOf(amount, { at, of, decimals: 18 }));
  const sum = shares.reduce((all, share = '') => all + toBaseUnits(share, 18), 0n);
  expect(sum).toBe(toBaseUnits(amount, 18));
});

it.each([undefined, '', '-1', '1e3', '0.0000000000000000001'])('%s has no shares', (amount) => {
  expect(shareOf(amount, { at: 0, of: 2, decimals: 18 })).toBeUndefined();
});

/** Amounts of every length with zeros at all places, from a generator that is the same each run. */
function samples(): { baseUnits: bigint; decimals: number }[] {
  let state = 4_711n;
  const next = (bits: bigint): bigint => {
    state = (state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n) % 2n ** 64n;
    return (state * state) % 2n ** bits;
  };
  return Array.from({ length: 2_000 }, (_, index) => ({
    baseUnits: next(BigInt(index % 120)) * 10n ** BigInt(index % 7),
    decimals: index % 37,
  }));
}
