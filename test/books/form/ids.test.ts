import { accountIdOf } from '../../../src/books/form/accountId';
import { createEntryIds } from '../../../src/books/form/entryIds';
import type { StatementRow } from '../../../src/books/statement';

const blockchain = 'ARC-TESTNET';
const start = '0x942ded1b';
const holder = `${start}${'a'.repeat(32)}`;

describe('the id of an account', () => {
  const own = { holder, token: 'USDC', blockchain };

  test('begins with the address and the token, and has room in a bank file', () => {
    expect(accountIdOf(own)).toMatch(/^942ded1b-USDC-[0-9a-f]{16}$/);
    const contract = `0x${'6f0a'.repeat(10)}`;
    const item = `item ${2n ** 256n - 1n} of ${contract}`;
    const id = accountIdOf({ ...own, token: item, contract });
    expect(id).toMatch(/^942ded1b-6f0a6f0a-/);
    expect(id.length).toBeLessThanOrEqual(34);
  });

  test.each([
    ['an address that looks alike', { holder: `${start}${'b'.repeat(32)}` }],
    ['another token', { token: 'EURC' }],
    ['another chain', { blockchain: 'ETH-SEPOLIA' }],
  ])('is another one for %s', (_, change) => {
    expect(accountIdOf({ ...own, ...change })).not.toBe(accountIdOf(own));
  });
});

describe('the id of a movement', () => {
  const row: StatementRow = {
    row: 'out',
    walletId: 'w',
    wallet: holder,
    token: 'native',
    decimals: 18,
    amount: '1',
    baseUnits: '1',
    counterparty: start,
    block: 7,
    time: '2026-01-31T00:00:00.000Z',
    txHash: '0xab',
  };
  const idsOf = (rows: StatementRow[]): string[] => rows.map(createEntryIds());

  test('tells apart two equal payments of a coin without logs in one transaction', () => {
    const ids = idsOf([row, row]);
    expect(new Set(ids).size).toBe(2);
    // A statement that begins later tells them under the same ids.
    const earlier = { ...row, txHash: '0xaa' };
    expect(idsOf([earlier, row, row]).slice(1)).toEqual(ids);
  });

  test('tells apart the items of one log, the gas, and the other side', () => {
    const item = (id: string) => ({ ...row, contract: '0xcc', token: `item ${id}`, item: id });
    const other = { ...row, row: 'in' as const, wallet: start };
    const rows = [item('1'), item('2'), { ...row, row: 'fee' as const }, other, row];
    expect(new Set(idsOf(rows)).size).toBe(5);
  });
});
