import { wayOut } from '../../../src/writer/payees/waysOut';

const ids = [
  'newPayee',
  'lookAlike',
  'paidBefore',
  'farAmount',
  'tokenContract',
  'ownWallet',
  'burn',
] as const;

// The order of a line is its payout: under another id, all of its lines are paid once more.
it.each(ids)('the way out of %s never has a whole payout ordered again', (check) => {
  expect(wayOut(check, 'a')).not.toMatch(/\bagain\b/);
});

it.each([
  ['newPayee', 'retry this line alone: npx --no-install steadfast payout retry <payoutId> "a"'],
  ['burn', 'Put this line alone, with the right address, into a payout of its own.'],
] as const)('the way out of %s names the line', (check, words) => {
  expect(wayOut(check, 'a')).toContain(words);
});

it('another order is ordered again', () => {
  expect(wayOut('burn')).toBe('Correct the address, and order it again.');
  expect(wayOut('newPayee')).toContain('(STEADFAST_ADDRESS_BOOK), and order it again.');
});
