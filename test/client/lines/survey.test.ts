import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { openLines } from '../../../src/client/lines/linesFile';
import { survey, surveyedLines } from '../../../src/client/lines/survey';
import { filesOfLines, other, to } from './linesOf';

const files = filesOfLines();
afterAll(files.remove);

const header = 'lineId,to,amount,token';
const lines = [
  { lineId: 'a-1', to, amount: '12.5', token: 'USDC' },
  { lineId: 'a-2', to: other, amount: '1', token: 'EURC' },
];
const rows = [`a-1,${to},12.50,USDC`, `a-2,${other},1,EURC`];

describe('a file of lines is read as what it says', () => {
  it.each([
    ['plain CSV', 'a.csv', [header, ...rows].join('\n')],
    [
      'with a byte order mark and Windows line ends',
      'a.csv',
      `\ufeff${[header, ...rows, ''].join('\r\n')}`,
    ],
    [
      'blank rows, and rows of separators alone',
      'a.csv',
      ['', header, '', rows[0], ',,,', rows[1], '', ''].join('\n'),
    ],
    [
      'empty cells behind the last column',
      'a.csv',
      `${header}\n${rows.map((row) => `${row},,`).join('\n')}`,
    ],
    [
      'quoted values, spaces around others',
      'a.csv',
      `"lineId", to ,"amount",token\n"a-1", ${to} ,"12.50",USDC\n${rows[1]}`,
    ],
    [
      'semicolons, as European spreadsheets have them',
      'a.csv',
      [header, ...rows].join('\n').replaceAll(',', ';'),
    ],
    ['tabs', 'a.tsv', [header, ...rows].join('\n').replaceAll(',', '\t')],
    [
      'columns by other names, in another order',
      'a.csv',
      `Token;AMOUNT;Line ID;Address\nUSDC;12.50;a-1;${to}\nEURC;1;a-2;${other}`,
    ],
    ['JSON Lines', 'a.jsonl', `${lines.map((line) => JSON.stringify(line)).join('\r\n\r\n')}\n`],
    [
      'JSON Lines by the other name',
      'a.ndjson',
      `\ufeff${lines.map((line) => JSON.stringify(line)).join('\n')}`,
    ],
    ['a JSON list', 'a.json', JSON.stringify(lines)],
    ['a JSON list over many lines', 'a.json', `\ufeff\n${JSON.stringify(lines, null, 4)}\n\n`],
  ])('%s', async (_, name, text) => {
    const read = await files.read(name, text);
    expect(read.all).toEqual(lines);
    expect(read.totals).toEqual([
      { token: 'USDC', lines: 1, amount: '12.5' },
      { token: 'EURC', lines: 1, amount: '1' },
    ]);
  });

  it('with the token that is given for all, but where it names its own', async () => {
    const text = `id,to,amount,token\nb,${to},1,\nc,${to},2,EURC`;
    const { all } = await files.read('a.csv', text, { token: 'USDC' });
    expect(all.map(({ token }) => token)).toEqual(['USDC', 'EURC']);
    const short = await files.read('b.csv', `id,to,amount\nb,${to},1`, { token: 'native' });
    expect(short.all).toEqual([{ lineId: 'b', to, amount: '1', token: 'native' }]);
  });

  it('but for columns that are to be left alone, whatever they hold', async () => {
    const first = `b,${to},1,USDC,"O""Hara; Ann,\nboth"`;
    const text = ['id,to,amount,token,Full name', first, `c,${to},2,USDC,`].join('\n');
    const { all } = await files.read('a.csv', text, { ignored: ['Full name'] });
    expect(all.map(({ lineId }) => lineId)).toEqual(['b', 'c']);
    const json = '{"id": "b", "to": "0xaa", "amount": "1", "token": "USDC", "note": "}]"}';
    const list = `[${json.replace('0xaa', to)}]`;
    expect((await files.read('a.json', list, { ignored: ['note'] })).lines).toBe(1);
  });
});

it('the example in the documentation is one', async () => {
  const path = join(__dirname, '../../../docs/how-to/pay-many.csv');
  const read = await survey(openLines(path, { token: undefined, ignored: new Set() }));
  expect(read).toMatchObject({ lines: 3 });
});

it('sums are exact, however many digits there are', async () => {
  const amounts = ['0.1', '0.2', '123456789012345678901234.000001'];
  const text = amounts.map((amount, at) => `${at},${to},${amount},USDC`).join('\n');
  const { totals } = await files.read('a.csv', `${header}\n${text}`);
  expect(totals).toEqual([{ token: 'USDC', lines: 3, amount: '123456789012345678901234.300001' }]);
});

it('lines are kept as payments, each with its amount in the shortest form', async () => {
  const text = `id,to,amount,token,name\nb,${to},12.50,USDC,Ann\n`;
  const { payments } = await files.read('a.csv', text);
  const payment = { lineId: 'b', to: to.toLowerCase(), amount: '12.5', token: 'USDC', name: 'Ann' };
  expect(payments).toEqual([payment]);
});

it('a file that is changed between two readings is not sealed', async () => {
  const text = [header, ...rows].join('\n');
  const file = files.open('changed.csv', text);
  const surveyed = await survey(file);
  files.write('changed.csv', text.replace('12.50', '12.51'));
  const handed: string[] = [];
  const reading = (async () => {
    for await (const { lineId } of surveyedLines(file, surveyed)) handed.push(lineId);
  })();
  await expect(reading).rejects.toThrow('changed.csv was changed while it was read, so its lines');
  expect(handed).toEqual(['a-1', 'a-2']);
});

describe('forty thousand lines', () => {
  const count = 40_000;
  const address = (at: number) => `0x${at.toString(16).padStart(40, '0')}`;
  const line = (at: number) =>
    ({ lineId: `line-${at}`, to: address(at), amount: `${at}.25`, token: 'USDC' }) as const;
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  const csv = () => numbers.map((at) => Object.values(line(at)).join(',')).join('\n');
  const json = (mark: string) => numbers.map((at) => JSON.stringify(line(at))).join(mark);

  it.each([
    ['big.csv', () => `${header}\n${csv()}\n`],
    ['big.jsonl', () => json('\n')],
  ])('are read without being kept: %s', async (name, text) => {
    const file = files.open(name, text());
    const held: number[] = [];
    let rows = 0;
    for await (const row of file.rows()) {
      rows += 1;
      if ('fault' in row) throw new Error(row.fault);
      if (rows % 18_000 === 0) held.push(heldBytes());
    }
    const [early = 0, late = 0] = held;
    expect(rows).toBe(count);
    // 18,000 lines that are kept would be some 4 MB.
    expect(late - early).toBeLessThan(2_000_000);
  });

  it('are surveyed with some hundred bytes for each, so that like ones are found', async () => {
    const some = 20_000;
    const text = csv().split('\n').slice(0, some).join('\n');
    const file = files.open('some.csv', `${header}\n${text}`);
    await survey(file);
    const before = await steadyBytes();
    let held = 0;
    const rows = async function* () {
      yield* file.rows();
      held = heldBytes() - before;
    };
    await survey({ ...file, rows });
    expect(held / some).toBeGreaterThan(50);
    expect(held / some).toBeLessThan(500);
  });
});

/** The same once it no longer changes by itself: other tests leave garbage that goes slowly. */
async function steadyBytes(): Promise<number> {
  for (let last = heldBytes(); ; ) {
    await sleep(100);
    const now = heldBytes();
    if (Math.abs(now - last) < 10_000) return now;
    last = now;
  }
}

/** The bytes of memory in use after a garbage collection. */
function heldBytes(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}

describe('a file with more rows than are read', () => {
  const most = { rows: 3_000, words: 'three thousand are enough.' };
  const surveyed = (text: string) => {
    const read = { rows: 0 };
    const file = files.open('a.csv', text);
    const rows = async function* () {
      for await (const row of file.rows()) {
        read.rows += 1;
        yield row;
      }
    };
    return { read, all: survey({ ...file, rows }, { way: '', isAllTold: true, most }) };
  };

  it.each([
    ['right', `,${to},1,USDC`],
    ['wrong', ',b,c,d'],
  ])('is left at the first one too many, where its rows are %s', async (_, rest) => {
    const many = Array.from({ length: 50_000 }, (__, at) => `a-${at}${rest}`);
    const { read, all } = surveyed([header, ...many].join('\n'));
    await expect(all).rejects.toThrow('row 3002: three thousand are enough.');
    expect(read.rows).toBe(3_001);
  });

  it('lets others of the process have their turn, also where nothing waits for a disk', async () => {
    const values = { to, amount: '1', token: 'USDC' };
    const rows = async function* () {
      for (let at = 1; at <= 3_000; at += 1) {
        yield { row: at, values: { lineId: `a-${at}`, ...values } };
      }
    };
    const turns = { count: 0 };
    const counting = setInterval(() => {
      turns.count += 1;
    }, 0);
    const { lines } = await survey({ ...files.open('a.csv', header), rows });
    clearInterval(counting);
    expect(lines).toBe(3_000);
    expect(turns.count).toBeGreaterThanOrEqual(2);
  });
});
