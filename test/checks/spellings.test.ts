import { paymentsOfText } from '../../src/books/archive/shortForm';
import { makeBook } from '../../src/checks/book';
import { runChecks } from '../../src/checks/check';
import { dayMs } from '../../src/checks/gather';
import type { CheckedPayment, Paid } from '../../src/checks/payment';
import { anyAddress, nowMs, till } from './corpus';

const to = anyAddress();
const token = '0xABCDEF0123456789abcdef0123456789ABCDEF01';

function paid(change: Partial<Paid> = {}): Paid {
  const line = { lineId: 'a', to, amount: '5', coin: 'native', isPayout: true, sender: till };
  return { ...line, orderId: 'payout:before', atMs: nowMs - dayMs, ...change };
}

async function foundIn(
  payment: Partial<CheckedPayment>,
  before: readonly Paid[],
  entries: Parameters<typeof makeBook>[0] = [],
) {
  const payments = [{ lineId: 'x', to, amount: '7', token: 'USDC', ...payment }];
  const facts = { book: makeBook(entries), paid: [before], nowMs };
  return (await runChecks({ payments, wallets: [till] }, facts)).findings;
}

const idsOf = (findings: readonly { check: string }[]): string[] =>
  findings.map((one) => one.check);

test.each([
  ['in capitals, as a bank writes it', 'Müller Straße', 'MÜLLER STRASSE'],
  ['with another apostrophe', "O'Brien", 'O\u2019Brien'],
  ['with another hyphen', 'Ann-Marie', 'Ann\u2010Marie'],
  ['with letters in another Unicode form', 'Jose\u0301', 'JOSÉ'],
  ['with an invisible character', 'Ann Berg', 'Ann\u200b Berg\u00ad'],
  ['in full width, and without a blank', 'ACME 24', 'ＡＣＭＥ24'],
])('a name %s is the same name', async (_, known, spelled) => {
  const entries = [{ name: known, address: to }];
  expect(idsOf(await foundIn({ name: spelled }, [paid()], entries))).toEqual([]);
  expect(idsOf(await foundIn({ name: spelled }, [paid({ name: known })]))).toEqual([]);
  const elsewhere = [paid(), paid({ to: anyAddress(), name: known })];
  expect(idsOf(await foundIn({ name: spelled }, elsewhere))).toEqual(['otherAddress']);
});

test('names of signs alone are not one name', async () => {
  const elsewhere = [paid(), paid({ to: anyAddress(), name: '-' })];
  expect(idsOf(await foundIn({ name: '*' }, elsewhere))).toEqual([]);
});

test('a token is one coin, whatever the letters of its address', async () => {
  const before = [paid({ coin: token.toLowerCase(), amount: '7' })];
  const found = await foundIn({ token }, before);
  expect(idsOf(found)).toContain('paidBefore');
  const [kept] = paymentsOfText(JSON.stringify([paid({ coin: token, amount: '7' })]));
  expect(idsOf(await foundIn({ token }, kept === undefined ? [] : [kept]))).toContain('paidBefore');
});

test('the last names of a payee are known, however many it had', async () => {
  const names = Array.from({ length: 8 }, (_, at) => paid({ name: `Name ${at}` }));
  expect(idsOf(await foundIn({ name: 'Name 7' }, names))).not.toContain('otherName');
  expect(idsOf(await foundIn({ name: 'Somebody' }, names))).toContain('otherName');
});

test('a sum that was always the same is told once', async () => {
  const months = [1, 2, 3].map((month) =>
    paid({ orderId: `payout:${month}`, amount: '5', atMs: nowMs - month * 30 * dayMs }),
  );
  const found = await foundIn({ amount: '50' }, months);
  const [total] = found.filter(({ check: id }) => id === 'farTotal');
  expect(total?.words).toBe('The lines come to 50 native. The last 3 payouts came to 5 each.');
});

test('an order is told by its own id, even with a hash of a transaction in it', async () => {
  const orderId = `transfer:0x${'ab'.repeat(32)}`;
  const found = await foundIn({}, [paid({ orderId, amount: '7', isPayout: false })]);
  expect(found[0]?.words).toContain(`as in ${orderId}, `);
});

test('the digest of the lines is computed once, however many payouts have one', async () => {
  const before = Array.from({ length: 50 }, (_, at) =>
    paid({ orderId: `payout:${at}`, linesDigest: `${at}` }),
  );
  let readings = 0;
  const line = {
    lineId: 'x',
    to,
    token: 'USDC',
    get amount() {
      readings += 1;
      return '7';
    },
  };
  const facts = { book: makeBook([]), paid: [before], nowMs };
  await runChecks({ payments: [line], wallets: [till] }, facts);
  expect(readings).toBeLessThan(before.length);
});
