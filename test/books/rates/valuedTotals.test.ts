import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRatesFile } from '../../../src/books/rates/readRatesFile';
import { valueTotals } from '../../../src/books/rates/valuedTotals';
import { newFolder } from '../../support/jest/setUp';

const folder = newFolder();
const path = join(folder, 'rates.csv');
writeFileSync(path, 'date,currency,token,rate\n2026-01-30,EUR,USDC,1.08\n');
const valuing = { rates: readRatesFile(path, { nowMs: Date.now(), daysMax: 7 }), currency: 'EUR' };

const day = '2026-01-31';
const usdc = {
  token: 'USDC',
  opening: '108',
  in: '0.54',
  out: '1.08',
  fees: '0',
  closing: '107.46',
};

test('each amount of a closed day has its value at the rate of that day', () => {
  const [valued] = valueTotals([usdc], valuing, day);
  const values = { opening: '100.00', in: '0.50', out: '1.00', fees: '0.00', closing: '99.50' };
  const rate = { currency: 'EUR', rate: '1.08', rateDay: '2026-01-30' };
  expect(valued).toEqual({ ...usdc, values: { ...values, ...rate } });
});

test('a balance that a node tells below zero stays below zero', () => {
  const [valued] = valueTotals([{ ...usdc, closing: '-1.08' }], valuing, day);
  expect(valued?.values).toMatchObject({ closing: '-1.00' });
});

test('a balance that nobody knows has no value', () => {
  const { in: received, out, fees } = usdc;
  const [valued] = valueTotals([{ token: 'USDC', in: received, out, fees }], valuing, day);
  expect(Object.keys(valued?.values ?? {}).sort()).toEqual(
    ['currency', 'fees', 'in', 'out', 'rate', 'rateDay'].sort(),
  );
});

test('a money without a rate has no value, and the reason', () => {
  const [valued] = valueTotals([{ ...usdc, token: 'EURC' }], valuing, day);
  expect(valued?.values).toBeUndefined();
  expect(valued?.fault).toContain('has no rate of EUR in EURC');
});
