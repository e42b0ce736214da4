import { other, to } from '../../client/lines/linesOf';
import { accepted, header, linesIn, refused } from './readFiles';

/** Amounts and rows of tables, as spreadsheets of all countries write them. */
describe('amounts mean what the whole file says', () => {
  // Google Sheets downloads commas whatever the locale, and Excel saves text with tabs.
  it('tabs', async () => {
    await refused(
      'a.tsv',
      `lineId\tto\tamount\ttoken\na\t${to}\t1.500\tUSDC`,
      'may mean "1500" or "1.5"',
    );
  });
  it.each([
    ['before', [`a,${to},"1.500",USDC`, `b,${to},"12,50",USDC`], 2],
    ['after', [`b,${to},"12,50",USDC`, `a,${to},"1.500",USDC`], 3],
    ['with grouping', [`a,${to},"1.500",USDC`, `b,${to},"1.012,5",USDC`], 2],
    ['below one', [`a,${to},"1.500",USDC`, `b,${to},"0,500",USDC`], 2],
  ])('a decimal comma anywhere, %s it', async (_, rows, row) => {
    const said = await refused(
      'a.csv',
      [header, ...rows].join('\n'),
      `row ${row}, column amount: "1.500" may mean "1500" or "1.5"`,
    );
    expect(said).toContain('has 2 faults');
  });
  it('the other way round: 1,500 is either', async () => {
    await refused(
      'a.csv',
      `${header}\na,${to},"1,500",USDC\nb,${to},"12.50",USDC`,
      '"1,500" may mean "1500" or "1.5"',
    );
  });
  it('JSON', async () => {
    const line = (lineId: string, amount: string) => ({ lineId, to, amount, token: 'USDC' });
    const text = JSON.stringify([line('a', '1.500'), line('b', '12,50')]);
    await refused('a.json', text, 'row 1, column amount: "1.500" may mean');
  });
  // A sheet of whole thousands shows no comma anywhere.
  it.each([
    ['points between thousands of another', '1.500.000', 'has 2 faults'],
    ['a comma that may be either', '"1,500"', 'has 2 faults'],
    ['nothing but such amounts', '12.000', 'has 2 faults'],
    ['whole numbers', '12', 'has a fault'],
    ['lakhs', '"1,00,000"', 'has 2 faults'],
    ['gaps between thousands', '"1\u202f500,00"', 'has 2 faults'],
  ])('beside %s', async (_, amount, words) => {
    const rows = [`a,${to},1.500,USDC`, `b,${to},${amount},USDC`];
    const said = await refused('a.csv', [header, ...rows].join('\n'), words);
    expect(said).toContain('row 2, column amount: "1.500" may mean "1500" or "1.5"');
  });
  it.each(['2.25', '0.125', '1500.125', '"1,500.25"', '"1,500,000"', "1'500.25"])(
    'three decimals in a file of points are read as they are, beside %s',
    async (beside) => {
      const text = `${header}\na,${to},1.500,USDC\nb,${to},${beside},USDC`;
      if (/[,']/.test(beside))
        expect(await refused('a.csv', text, 'a fault')).not.toContain('1.5"');
      else await accepted('a.csv', text, 'USDC in 2 lines');
    },
  );
  it('a gap that is not between thousands gets no advice that may pay a hundred times', async () => {
    const text = `${header}\na,${to},12 50,USDC`;
    expect(await refused('a.csv', text, '"12 50" is not an amount')).not.toContain('1250');
  });
  // A program that does not quote "1,500" writes two values.
  it.each([
    ['thousands', '1,500,'],
    ['decimals', '12,50,'],
    ['with cells behind them', '12,50,,,'],
  ])('an amount that its own comma has cut in two: %s', async (_, cells) => {
    const text = `lineId,to,amount,reference\na,${to},${cells}`;
    await refused('a.csv', text, 'row 2: has', '--token', 'USDC');
  });
  it('so it is refused where the row leaves out its last cells, which all others may do', async () => {
    const table = (...rows: string[]) => ['lineId,to,amount,reference,name', ...rows].join('\n');
    const words =
      'row 2: has 4 values, but the header has 5 columns, and the amount "12" may go on with "50". ' +
      'Put an amount with a comma in double quotes, or give the row exactly 5 values.';
    await refused('a.csv', table(`a,${to},12,50`), words, '--token', 'USDC');
    const others = [`a,${to},12`, `b,${to},12,INV-50`, `c,${to},12,50,`, `d,${other},12.5,`];
    await accepted('a.csv', table(...others), '48.5 USDC in 4 lines', '--token', 'USDC');
  });
});

describe('a row of a CSV is one payment', () => {
  const rows = (...all: string[]) => [`${header},reference`, ...all].join('\n');
  // A double quote that nobody closes takes the rows up to the next one, without a fault of form.
  it.each([
    ['at the end', rows(`a,${to},1,USDC,"open`, `b,${other},2,USDC,close"`)],
    [
      'in the middle, so that somebody else is paid',
      `id,note,to,amount,token\na,"x,${to},1,USDC\nb,y",${other},2,USDC`,
    ],
    [
      'in Windows line ends',
      rows(`a,${to},1,USDC,"x`, `b,${other},2,USDC,y"`).replace(/\n/g, '\r\n'),
    ],
  ])('two rows in one pair of double quotes are refused: %s', async (_, text) => {
    await refused('a.csv', text, 'row 2: a value holds a line break and an address');
  });
  it('so are rows in a column that is ignored', async () => {
    const text = `${header},x\na,${to},1,USDC,"open\nb,${to},2,USDC,mid\nc,${to},2,USDC,close"`;
    await refused('a.csv', text, 'row 2: a value holds a line break', '--ignore', 'x');
  });
  it('separators at the end of all rows are no column, unless one holds a value', async () => {
    const text = `${header},,\na,${to},1,USDC,,\nb,${to},2,USDC,,x`;
    await accepted('a.csv', text.replace(/x$/, ''), '3 USDC in 2 lines');
    await refused('a.csv', text, 'row 3: "x" stands in a column without a name');
  });
  it('a text of several lines is one', async () => {
    const lines = await linesIn('a.csv', rows(`a,${to},1,USDC,"Invoice 7,\nsecond part"`));
    expect(lines).toMatchObject([{ reference: 'Invoice 7,\nsecond part' }]);
  });
  it.each([
    ['a header of Windows', [`\r\n`, '\n', '\n']],
    ['rows of Windows', ['\n', '\r\n', '\r\n']],
    ['an old Macintosh', ['\r', '\r', '\n']],
  ])('mixed line ends: %s', async (_, [one, two, three]) => {
    const text = `${header}${one}a,${to},1,USDC${two}b,${to},2,USDC${three}`;
    expect(await linesIn('a.csv', text)).toMatchObject([{ lineId: 'a' }, { lineId: 'b' }]);
  });
});
