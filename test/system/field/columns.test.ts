import { other, to } from '../../client/lines/linesOf';
import { accepted, header, refused } from './readFiles';

/** Columns of spreadsheets and exports that say more than who is paid how much. */
const table = (column: string, value: string) => `${header},${column}\na,${to},1,USDC,${value}`;
const list = (key: string, value: unknown) =>
  JSON.stringify([{ lineId: 'a', to, amount: '1', token: 'USDC', [key]: value }]);

describe('a column that says when a line is to be paid', () => {
  it.each([
    ['Due Date', '2999-01-15'],
    ['pay_on', '2999-01-15T09:00:00Z'],
    ['Scheduled for', '2999-01-15 09:00'],
    ['execution date', '2999-01-15+02:00'],
    ['Payment Date', '2999-01-15'],
    ['date', '2999-01-15'],
    ['Transfer Date', '2999-01-15'],
    ['vesting date', '2999-01-15'],
  ])('%s: a later day is refused', async (column, day) => {
    const said = await refused('a.csv', table(column, day), 'row 2, column ');
    expect(said).toContain(`"${day}" is later than today, or than now. Start it then`);
  });
  it.each(['15.01.2999', '01/15/2999', '46388', '2026-02-30', 'next year', '1E+5'])(
    'a day that is not understood is refused: %s',
    async (day) => {
      await refused('a.csv', table('due date', day), `"${day}" is no day that is understood`);
    },
  );
  it.each(['2026-01-15', '2026-01-15T09:00:00Z', '2026-01-15 09:00', ''])(
    'a day that has come is paid: "%s"',
    async (day) => {
      await accepted('a.csv', table('Due Date', day), '1 USDC in 1 line');
    },
  );
  it('in JSON as well', async () => {
    await refused('a.json', list('payOn', '2999-01-15'), 'row 1, column payOn: "2999-01-15"');
    await refused('a.json', list('payOn', 32472144000), 'column payOn: 32472144000 is no day');
    await accepted('a.json', list('payOn', null), '1 USDC in 1 line');
  });
  it.each(['Payment for', 'pay_for', 'transfer for', 'Payout for'])(
    '%s is a purpose, and no day',
    async (column) => {
      const text = table(column, 'invoice 7');
      await refused('a.csv', text, 'has no place here');
      await accepted('a.csv', text, '1 USDC in 1 line', '--map', `reference=${column}`);
      await accepted('a.csv', text, '1 USDC in 1 line', '--ignore', column);
    },
  );
  it.each(['Scheduled for', 'planned for'])('%s is a day all the same', async (column) => {
    await refused('a.csv', table(column, '2999-01-15'), 'is later than today');
  });
  it('is none once somebody says that it is something else', async () => {
    const text = table('Transfer Date', 'week 3');
    await refused('a.csv', text, '"week 3" is no day that is understood');
    await accepted('a.csv', text, '1 USDC in 1 line', '--map', 'reference=transfer date');
  });
  it('two of them say how to choose, and one may be left alone by name', async () => {
    const text = `${header},due date,date\na,${to},1,USDC,2999-01-15,2026-01-15`;
    await refused('a.csv', text, '--map date="due date"');
    await accepted('a.csv', text, '1 USDC', '--map', 'date=date', '--ignore', 'due date');
  });
});

describe('a column that says where a line is to be paid', () => {
  it.each([
    ['network', 'polygon'],
    ['Chain', 'Ethereum'],
    ['Payment Chain', 'arbitrum'],
    ['Blockchain', 'ETH-SEPOLIA'],
    ['chain_id', '137'],
    ['Asset Network', 'Base'],
    ['Network / Chain', 'Solana'],
    ['chainId', 'eip155:1'],
    ['Destination Network', 'Arc Mainnet'],
  ])('%s: %s is refused', async (column, value) => {
    const said = await refused('a.csv', table(column, value), `"${value}" is another chain`);
    expect(said).toContain('row 2, column ');
  });
  it.each(['arc', 'Arc Testnet', 'ARC-TESTNET', '5042002', 'eip155:5042002', ''])(
    '"%s" is paid',
    async (value) => {
      await accepted('a.csv', table('network', value), '1 USDC in 1 line');
    },
  );
  it('in JSON as well', async () => {
    await refused('a.json', list('chainId', 137), 'row 1, column chainId: 137 is another chain');
    await accepted('a.json', list('chainId', 5042002), '1 USDC');
  });
});

describe('a column that says whether a line is to be paid', () => {
  // Results of a payout have such columns too: to ignore them would pay the same lines again.
  it.each([
    'status',
    'Payment Status',
    'paid',
    'Paid at',
    'outcome',
    'txHash',
    'Transaction Hash',
    'on hold',
    'approved',
    'Already paid?',
    'is_paid',
    'paymentState',
    'Processed at',
    'Frequency',
  ])('%s is not left alone lightly', async (column) => {
    const said = await refused('a.csv', table(column, 'x'), 'paid already');
    expect(said).toContain('Leave only the lines that are to be paid now. Then have it ignored');
    expect(said).not.toContain('If nobody needs it');
  });
  it.each(['decimals', 'unit', 'Exchange Rate', 'Denomination Currency', 'Network Fee', 'Qty'])(
    '%s may change amounts',
    async (column) => {
      await refused('a.csv', table(column, '6'), 'may change what the amounts mean');
    },
  );
  it('one that somebody ignores by name is ignored', async () => {
    await accepted('a.csv', table('status', 'open'), '1 USDC', '--ignore', 'status');
  });
});

describe('columns that contradict', () => {
  it('a token beside an amount of another one', async () => {
    const text = `id,to,Amount (USDC),currency\na,${to},1,EURC`;
    await refused('a.csv', text, 'row 2, column currency: "EURC" is not USDC');
    const face = text.replace('EURC', '0x3600000000000000000000000000000000000000');
    await accepted('a.csv', face, 'in 1 line');
  });
  it('one field in two columns by --map', async () => {
    const text = `id,a,b,amount,token\nx,${to},${other},1,USDC`;
    const maps = ['--map', 'to=a', '--map', 'to=b', '--ignore', 'a'];
    await refused('a.csv', text, '--map: to is in a and in b. Say which one it is.', ...maps);
  });
});
