import { parse } from 'csv-parse/sync';
import { inReturnFile, openReturned } from '../../../src/cli/payout/returnFile';
import type { LineResult } from '../../../src/client/client';
import { filesOfLines, other, to } from '../../client/lines/linesOf';

const files = filesOfLines();
afterAll(files.remove);

const result = (lineId: string, change: Partial<LineResult> = {}): LineResult => ({
  lineId,
  to,
  amount: '12.5',
  token: 'USDC',
  outcome: 'paid',
  walletAddress: other,
  generation: 0,
  txHash: '0xabc',
  networkFee: '0.0001',
  settledAt: '2026-11-28T09:00:00Z',
  ...change,
});

/** A file as it is given back, for a payout with these results. */
async function returned(
  text: string,
  results: readonly LineResult[],
  flags: Record<string, string> = {},
): Promise<string> {
  const file = openReturned(files.write('lines.csv', text), flags);
  async function* all() {
    yield* results;
  }
  let back = '';
  for await (const piece of inReturnFile(all(), { file, payoutId: 'january' })) back += piece;
  return back;
}

const paid = 'paid,0xabc,0.0001,2026-11-28T09:00:00Z,';
const failed = result('b', {
  outcome: 'failed',
  txHash: undefined,
  networkFee: undefined,
  settledAt: undefined,
  reason: '=no, "funds"',
});

test('rows come back as they are, in their order, with what became of them', async () => {
  const rows = [`a,${to},12.50,USDC,"say ""hi"""`, `b,${to},12.5,USDC,`];
  const text = `lineId,to,amount,token,reference\n${rows.join('\n')}\n`;
  expect(await returned(text, [result('a'), failed])).toBe(
    'lineId,to,amount,token,reference,state,hash,fee,time,reason\n' +
      `a,${to},12.50,USDC,"say ""hi""",${paid}\n` +
      `b,${to},12.5,USDC,,failed,,,,"'=no, ""funds"""\n`,
  );
});

test('empty cells behind the last column shift nothing', async () => {
  const rows = [`a,${to},12.50,USDC,,  ,""`, `b,${to},12.5,USDC`];
  const back = await returned(`lineId,to,amount,token\n${rows.join('\n')}\n`, [
    result('a'),
    failed,
  ]);
  const cells: string[][] = parse(back);
  expect(cells.map((row) => row.length)).toEqual([9, 9, 9]);
  expect(cells[1]?.slice(3, 6)).toEqual(['USDC', 'paid', '0xabc']);
});

test('its own form stays: mark, separators, line ends, blank rows, quotes, mapped columns', async () => {
  const text =
    `\ufeffsep=;\r\n"Payment no.";Wallet;Amount (USDC);Dept\r\n` +
    `"a";${to};12.50;"one\ntwo"\r\n\r\n b ; ${to};12.5\r\n`;
  const flags = { map: 'lineId=Payment no.,to=Wallet', ignore: 'Dept' };
  const semicolons = paid.replaceAll(',', ';');
  expect(await returned(text, [result('a'), result('b')], flags)).toBe(
    `\ufeffsep=;\r\n"Payment no.";Wallet;Amount (USDC);Dept;state;hash;fee;time;reason\r\n` +
      `"a";${to};12.50;"one\ntwo";${semicolons}\r\n\r\n b ; ${to};12.5;;${semicolons}\r\n`,
  );
});

test('a last row without a line end gets none, and tabs stay tabs', async () => {
  const text = `lineId\tto\tamount\ttoken\na\t${to}\t12.5\tUSDC`;
  const back = await returned(text, [result('a', { reason: 'a\tb' })]);
  expect(back.endsWith('2026-11-28T09:00:00Z\t"a\tb"')).toBe(true);
});

test('a column of the file with a name of ours keeps it', async () => {
  const text = `lineId,to,amount,token,State\na,${to},12.5,USDC,Ohio\n`;
  const [row] = parse(await returned(text, [result('a')], { ignore: 'State' }), { columns: true });
  expect(row).toMatchObject({ State: 'Ohio', payout_state: 'paid', hash: '0xabc' });
});

test('results in another order find their rows', async () => {
  const text = `lineId,to,amount,token\nb,${to},12.5,USDC\na,${to},12.5,USDC\n`;
  const rows = parse(await returned(text, [result('a'), failed]), { columns: true });
  expect(rows).toMatchObject([
    { lineId: 'b', state: 'failed' },
    { lineId: 'a', state: 'paid' },
  ]);
});

test.each([
  ['another amount', `a,${to},125,USDC`, 'row 2: line "a" is 125 USDC to'],
  ['another payee', `a,${other},12.5,USDC`, 'but the payout has 12.5 USDC to 0x523b'],
  ['another token', `a,${to},12.5,EURC`, 'row 2: line "a" is 12.5 EURC to'],
  ['another line', `c,${to},12.5,USDC`, 'row 2: line "c" is not in it, or came before.'],
])('a file with %s is not the one that was paid', async (_, row, fault) => {
  const back = returned(`lineId,to,amount,token\n${row}\n`, [result('a')]);
  await expect(back).rejects.toThrow(fault);
  await expect(back).rejects.toThrow('Give the file that the payout january was paid from.');
});

test('a file that lacks lines of the payout is not the one that was paid', async () => {
  const text = `lineId,to,amount,token\nb,${to},12.5,USDC\n`;
  const back = returned(text, [result('a'), failed, result('c')]);
  await expect(back).rejects.toThrow(
    '--return: it lacks 2 lines of the payout, such as "a". Give the file that the payout january ' +
      'was paid from.',
  );
});

test('a file that has a line twice is not the one that was paid', async () => {
  const row = `a,${to},12.5,USDC`;
  const back = returned(`lineId,to,amount,token\n${row}\n${row}\n`, [result('a')]);
  await expect(back).rejects.toThrow('row 3: line "a" is not in it, or came before.');
});

test('a file that is no CSV is refused with the ways that there are', () => {
  const path = files.write('lines.jsonl', '{}');
  expect(() => openReturned(path, {})).toThrow('is no CSV file');
  expect(() => openReturned(path, {})).toThrow('--pain002 and --camt054');
});
