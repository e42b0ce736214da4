import { type BankFiles, inBankCsv } from '../../../src/books/form/bankCsv';
import { inCamt053 } from '../../../src/books/form/camt053';
import { statementCsv } from '../../../src/books/form/csv';
import { inHledger } from '../../../src/books/form/hledger';
import { withNames } from '../../../src/books/names';
import type { StatementRow } from '../../../src/books/statement';
import { makeBook } from '../../../src/checks/book';
import { someone } from '../../support/stages';

const blockchain = 'ARC-TESTNET';
const [wallet, payee, stranger] = [someone(), someone(), someone()].map((one) => one.toLowerCase());
const book = makeBook([{ name: '=Müller & Söhne', address: payee ?? '' }]);
const period = { fromMs: Date.parse('2026-01-01'), untilMs: Date.parse('2026-02-01') };

const own = {
  walletId: 'w',
  wallet: wallet ?? '',
  token: 'USDC',
  decimals: 6,
  block: 7,
  time: '2026-01-31T00:00:00.000Z',
};
const balance = (balance: string, units: string) => ({ balance, balanceBaseUnits: units });
const payment = (to: string | undefined, left: [string, string]): StatementRow => ({
  ...own,
  ...balance(...left),
  row: 'out',
  amount: '1',
  baseUnits: '1000000',
  counterparty: to ?? '',
  txHash: '0xab',
  logIndex: Number(left[0]),
});
const rows: StatementRow[] = [
  { ...own, row: 'opening', ...balance('2', '2000000') },
  payment(payee, ['1', '1000000']),
  payment(stranger, ['0', '0']),
  { ...own, row: 'closing', ...balance('0', '0') },
];

async function* stated(): AsyncGenerator<StatementRow, void> {
  yield* rows;
}

const named = () => withNames(stated(), book.nameOf);

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

test('a row has the name of its counterparty, if the address book has one', async () => {
  const names: (string | undefined)[] = [];
  for await (const row of named()) names.push(row.counterpartyName);
  expect(names).toEqual([undefined, '=Müller & Söhne', undefined, undefined]);
});

test('the CSV has it in a column of its own, where no spreadsheet runs it', async () => {
  const [head = '', , first = '', second = ''] = (await textOf(statementCsv(named()))).split('\n');
  const at = head.split(',').indexOf('counterpartyName');
  expect(first.split(',')[at]).toBe("'=Müller & Söhne");
  expect(second.split(',')[at]).toBe('');
});

test.each(['02', '12'] as const)(
  'camt.053 version %s names it, and keeps the address',
  async (version) => {
    const how = { blockchain, version, currencies: new Map(), period };
    const text = await textOf(inCamt053(named(), how));
    expect(text).toMatch(/<Nm>[^<]*Müller &amp; Söhne<\/Nm>/);
    expect(text).toContain(payee);
    // A party that nobody knows is named by its address, as before.
    expect(text).toContain(`<Nm>${stranger}</Nm>`);
  },
);

test('a bank file and a journal say it beside the address', async () => {
  const first = ({ files }: BankFiles) => Promise.resolve([...(files[0]?.text ?? [])].join(''));
  const bank = await inBankCsv(named(), { blockchain }, first);
  expect(bank).toContain(`to =Müller & Söhne ${payee}`);
  const journal = await textOf(inHledger(named()));
  expect(journal).toContain('; counterpartyName: =Müller & Söhne');
  expect(journal).toContain(`parties:${payee}`);
});
