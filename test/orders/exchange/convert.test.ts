import { tokensFor, worthOf } from '../../../src/orders/exchange/convert';
import { exchanged } from '../../../src/orders/exchange/exchanged';
import { readOrderOf } from '../../../src/orders/kinds';
import { payoutLine } from '../../../src/orders/payout';

const to = '0x523b27014BA9331e4a6c1bD7BC3b2b9F3B2BEC7d';

describe('an amount in a currency becomes the nearest amount of a token', () => {
  it.each([
    ['1200', '1.0812', 6, '1297.44'],
    ['0.01', '1.000049', 6, '0.01'],
    ['0.01', '1.00005', 6, '0.01'],
    ['0.03', '1.00005', 6, '0.030002'],
    ['0.01', '1.00015', 6, '0.010002'],
    ['0.01', '1.000151', 6, '0.010002'],
    ['0.1', '0.3', 6, '0.03'],
    ['1000000', '0.000062', 6, '62'],
    ['9007199254740993', '1', 18, '9007199254740993'],
    ['0.01', '0.000000000000000001', 18, '0'],
    ['1', '999999999999', 6, '999999999999'],
  ])('%s at %s, with %d decimals, is %s', (amount, rate, decimals, expected) => {
    expect(tokensFor({ amount, rate }, decimals)).toBe(expected);
  });
});

describe('an amount of a token has the nearest value in a currency', () => {
  it.each([
    [1_297_440_000n, 6, '1.0812', 'EUR', '1200.00'],
    [1_000_000n, 6, '1.0812', 'EUR', '0.92'],
    [5_000n, 6, '1', 'USD', '0.00'],
    [15_000n, 6, '1', 'USD', '0.02'],
    [15_001n, 6, '1', 'USD', '0.02'],
    [1_000_000n, 6, '0.0064', 'JPY', '156'],
    [-1_297_440_000n, 6, '1.0812', 'EUR', '-1200.00'],
    [-1n, 6, '1.0812', 'EUR', '0.00'],
    [1n, 18, '1', 'EUR', '0.00'],
    [1_500_000n, 6, '1', 'PKR', '1.50'],
    [1_500_000n, 6, '1', 'IQD', '1.500'],
    [1_500_000n, 6, '1', 'ISK', '2'],
    [10n ** 30n, 18, '1', 'KWD', '1000000000000.000'],
  ])('%s base units of %d decimals at %s in %s are worth %s', (...given) => {
    const [baseUnits, decimals, rate, currency, value] = given;
    expect(worthOf({ baseUnits, decimals }, { rate, currency })).toBe(value);
  });

  it('an amount that was exchanged at a rate is worth what it was exchanged from', () => {
    for (const rate of ['1.0812', '0.9', '1.17', '3.000001', '0.333333333333333333']) {
      for (const amount of ['0.01', '12.34', '999999.99', '1200']) {
        const bought = tokensFor({ amount, rate }, 18);
        const baseUnits = BigInt(bought.replace('.', '')) * scaleOf(bought);
        const value = worthOf({ baseUnits, decimals: 18 }, { rate, currency: 'EUR' });
        expect(Number(value)).toBe(Number(amount));
      }
    }
  });
});

function scaleOf(amount: string): bigint {
  return 10n ** BigInt(18 - (amount.split('.')[1]?.length ?? 0));
}

describe('exchanged', () => {
  const asked = { amount: '1200.00', currency: 'EUR', token: 'USDC', rate: '1.0812' };
  const day = '2026-01-30';

  it('gives the fields of an order and of a line, which both accept', () => {
    const fields = exchanged({ ...asked, day, source: 'ECB' });
    expect(fields).toEqual({
      amount: '1297.44',
      token: 'USDC',
      exchange: { amount: '1200', currency: 'EUR', rate: '1.0812', day, source: 'ECB' },
    });
    expect(payoutLine.parse({ lineId: 'a', to, ...fields })).toMatchObject(fields);
    const from = { walletId: '0c3f3d3e-1111-4222-8333-4444aaaa6666' };
    expect(readOrderOf('transferStablecoin', { from, to, ...fields })).toMatchObject(fields);
  });

  it.each(['HUF', 'IDR', 'PKR', 'COP', 'IQD', 'LBP', 'TWD'])('takes hundredths of %s', (code) => {
    const { exchange } = exchanged({ ...asked, day, amount: '85000.50', currency: code });
    expect(exchange).toMatchObject({ amount: '85000.5', currency: code });
  });

  it.each([
    [{ amount: '0.5', currency: 'JPY' }, 'amount: "0.5" has 1 decimals, but JPY has none.'],
    [{ amount: '1200.001' }, 'amount: "1200.001" has 3 decimals, but EUR has 2.'],
    [{ amount: '1,200' }, 'amount: "1,200" is not an amount'],
    [{ amount: '0' }, 'amount: "0" must be more than zero.'],
    [{ amount: '0.01', rate: '0.00001' }, 'amount: 0.01 EUR is not even half'],
    [{ currency: 'eur' }, 'currency: "eur" is no currency of ISO 4217'],
    [{ currency: 'XXX' }, 'currency: "XXX" is no currency of ISO 4217'],
    [{ token: to }, `token: "${to}" is no token that a network lists`],
    [{ rate: '0' }, 'rate: "0" is no rate.'],
    [{ rate: '-1' }, 'rate: "-1" is no rate.'],
    [{ rate: '1e3' }, 'rate: "1e3" is no rate.'],
    [{ rate: '1000000000000' }, 'rate: "1000000000000" is no rate.'],
    [{ day: '2026-02-30' }, 'day: "2026-02-30" must be a day such as'],
  ])('refuses %j', (change, words) => {
    expect(() => exchanged({ ...asked, day, ...change })).toThrow(words);
  });

  it('is checked again by the order: an exchange that gives another amount is refused', () => {
    const line = { lineId: 'a', to, ...exchanged({ ...asked, day }), amount: '1300' };
    expect(payoutLine.safeParse(line).error?.issues).toEqual([
      expect.objectContaining({
        path: ['exchange'],
        message: 'gives 1297.44 USDC, and not the amount of 1300',
      }),
    ]);
  });
});
