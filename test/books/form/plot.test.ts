import { plotter } from '../../../src/books/form/plot';
import type { StatementRow } from '../../../src/books/statement';

/** The amounts beside the picture of a wallet with a balance. */
async function amountsBeside(balance: string): Promise<string[]> {
  const plot = plotter();
  const row = { row: 'in', token: 'USDC', wallet: 'w', amount: balance, balance };
  const rows = (async function* () {
    yield { ...row, time: '2026-11-28T12:00:00Z' } as unknown as StatementRow;
  })();
  for await (const _ of plot.passing(rows));
  const labels = plot.svg().matchAll(/text-anchor="end"[^>]*>([^<]+)</g);
  return [...labels].map(([, words = '']) => words).filter((words) => !words.includes('UTC'));
}

// 1234567.891 was labelled "1230000", below what the wallet had.
test.each([
  ['1234567.891', ['0', '500000', '1000000', '1500000']],
  ['0.3', ['0', '0.1', '0.2', '0.3']],
  ['100', ['0', '50', '100']],
  ['87.65', ['0', '25', '50', '75', '100']],
  ['0.000004', ['0', '0.000001', '0.000002', '0.000003', '0.000004']],
])('the amounts beside a picture of %s are exact, and reach it', async (balance, labels) => {
  expect(await amountsBeside(balance)).toEqual(labels);
});
