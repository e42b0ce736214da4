import { parse } from 'csv-parse/sync';
import type { LineResult } from '../../../src/client/client';
import { inCsv } from '../../../src/client/lines/resultsCsv';
import { other, to } from './linesOf';

const paid: LineResult = {
  lineId: '-1',
  to,
  amount: '12.5',
  token: 'USDC',
  outcome: 'paid',
  walletAddress: other,
  generation: 0,
  transactionId: 't-1',
  txHash: '0xabc',
};

async function csvOf(lines: readonly LineResult[]): Promise<string> {
  async function* each() {
    yield* lines;
  }
  let text = '';
  for await (const piece of inCsv(each())) text += piece;
  return text;
}

it('results are a row for each line, with everything that is known of it', async () => {
  const waiting: LineResult = { ...paid, lineId: 'b', outcome: 'waiting' };
  const { transactionId: _, txHash: __, ...unsent } = waiting;
  expect(await csvOf([paid, unsent])).toBe(
    'lineId,to,amount,token,outcome,walletAddress,txHash,transactionId,reason,generation,reference,name,' +
      'currencyAmount,currency,rate,rateDay\n' +
      `-1,${to},12.5,USDC,paid,${other},0xabc,t-1,,0,,,,,,\n` +
      `b,${to},12.5,USDC,waiting,${other},,,,0,,,,,,\n`,
  );
});

it('a payout without lines has a header, and one that nobody knows has nothing', async () => {
  expect(await csvOf([])).toMatch(
    /^lineId,.*,reference,name,currencyAmount,currency,rate,rateDay\n$/,
  );
  // biome-ignore lint/correctness/useYield: the payout is not known before its first line.
  async function* unknown(): AsyncGenerator<LineResult, void> {
    throw new Error('There is no payout "x".');
  }
  const pieces: string[] = [];
  const reading = (async () => {
    for await (const piece of inCsv(unknown())) pieces.push(piece);
  })();
  await expect(reading).rejects.toThrow('There is no payout');
  expect(pieces).toEqual([]);
});

it.each([
  ['no funds', 'no funds'],
  ['a "b", c;\r\nd', 'a "b", c;\r\nd'],
  ['=HYPERLINK("http://x","y")', `'=HYPERLINK("http://x","y")`],
  ['+1', "'+1"],
  ['-2+3', "'-2+3"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  ['\r=1', "'\r=1"],
])('what the service says comes out whole, and as no formula: %j', async (reason, read) => {
  const failed: LineResult = { ...paid, outcome: 'failed', reason, transactionId: reason };
  const [row] = parse(await csvOf([failed]), { columns: true });
  expect(row).toMatchObject({ reason: read, transactionId: read, lineId: '-1', generation: '0' });
});
