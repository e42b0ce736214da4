import { emptyBook } from '../../src/checks/book';
import { type Checked, runChecks } from '../../src/checks/check';
import { linesDigest } from '../../src/checks/digest';
import { dayMs } from '../../src/checks/gather';
import type { CheckedPayment, Paid } from '../../src/checks/payment';
import { anyAddress, asPaid, book, corpus, history, nowMs, till } from './corpus';

/** A check of a file against the book and the history of the corpus. */
function checked(
  payments: readonly CheckedPayment[],
  paid: readonly Paid[] = history,
): Promise<Checked> {
  return runChecks({ payments, wallets: [till] }, { book, paid: [paid], nowMs });
}

const idsIn = ({ findings }: Checked): string[] => [...new Set(findings.map((one) => one.check))];
const [honest = { payments: [], kind: '', finds: [] }] = corpus;

describe('the checks', () => {
  test('catch every planted fault of the corpus, and alarm in no honest file', async () => {
    const counts: Record<string, { files: number; caught: number; others: string[] }> = {};
    for (const { kind, payments, finds } of corpus) {
      const found = idsIn(await checked(payments));
      const count = counts[kind] ?? { files: 0, caught: 0, others: [] };
      counts[kind] = count;
      count.files += 1;
      if (finds.length > 0 && finds.every((id) => found.includes(id))) count.caught += 1;
      const others = found.filter((id) => !finds.some((planted) => planted === id));
      count.others = [...new Set([...count.others, ...others])].sort();
    }
    // `others` names what else is said of a file. It is true of each: a changed address is new too.
    expect(counts).toEqual({
      honest: { files: 25, caught: 0, others: [] },
      'honest, a part of the payees': { files: 5, caught: 0, others: [] },
      'a new payee': { files: 5, caught: 5, others: [] },
      poisoned: { files: 24, caught: 24, others: ['newPayee'] },
      'renamed: a known name': { files: 10, caught: 10, others: ['newPayee'] },
      'renamed: a known address': { files: 10, caught: 10, others: [] },
      'duplicated: a line': { files: 10, caught: 10, others: [] },
      'duplicated: another face of the coin': { files: 10, caught: 10, others: [] },
      'a lost decimal point': { files: 10, caught: 10, others: ['farTotal'] },
      'all amounts too large': { files: 5, caught: 5, others: [] },
      burnt: { files: 11, caught: 11, others: ['newPayee'] },
      'the contract of a token': { files: 3, caught: 3, others: ['newPayee'] },
      "a wallet of one's own": { files: 3, caught: 3, others: ['newPayee'] },
    });
  });

  test('name the payout that has the same lines, and when it was paid', async () => {
    const { payments } = honest;
    const again = payments.map((line, at) => ({ ...line, lineId: `other.${at}` }));
    const lately = await checked(again, [...history, ...asPaid(payments, 3)]);
    expect(idsIn(lately)).toEqual(['otherPayout', 'paidBefore']);
    expect(lately.findings[0]?.words).toBe('All 30 lines are those of payout:before, 3 days ago.');
    const running = await checked(again, [...history, ...asPaid(payments, undefined)]);
    expect(running.findings.find(({ check: id }) => id === 'paidBefore')?.words).toContain(
      'payout:before, which is running',
    );
    expect(idsIn(await checked(again, [...history, ...asPaid(payments, 28)]))).toEqual([]);
  });

  test('do not call two payouts the same of which one pays a line twice', async () => {
    const [one, other] = honest.payments.slice(0, 2).map((line) => ({ ...line, amount: '10' }));
    if (one === undefined || other === undefined) throw new Error('There are no lines.');
    const all = async (now: CheckedPayment[], before: CheckedPayment[]) => {
      const { findings } = await checked(now, [...history, ...asPaid(before, 3)]);
      return findings.some(({ words }) => words.startsWith('All 2 lines'));
    };
    const payments = [one, { ...other, lineId: 'second' }];
    const twice = [
      { ...one, lineId: 'x' },
      { ...one, lineId: 'y' },
    ];
    expect(await all(payments, twice)).toBe(false);
    expect(await all(twice, payments)).toBe(false);
    expect(await all(twice, twice)).toBe(true);
    expect(await all(payments, payments)).toBe(true);
  });

  test('name the payout of the same euros, at whatever rate it was paid', async () => {
    const inEuros = (rate: number): CheckedPayment[] =>
      honest.payments.map((line, at) => {
        const euros = 100 + at;
        const exchange = { amount: `${euros}`, currency: 'EUR' };
        return { ...line, amount: `${euros * rate}`, token: 'USDC', exchange };
      });
    const before = asPaid(inEuros(2), 3);
    const { findings } = await checked(inEuros(3), [...history, ...before]);
    expect(findings[0]?.words).toBe('All 30 lines are those of payout:before, 3 days ago.');
    const [line] = findings.filter(({ check: id }) => id === 'paidBefore');
    expect(line?.words).toMatch(/^pays 300 USDC \(100 EUR\) to 0x\w+, as in payout:before/);
    const without = before.map((one): Paid => ({ ...one, exchange: undefined }));
    expect(idsIn(await checked(inEuros(3), [...history, ...without]))).not.toContain('paidBefore');
  });

  test('name a payout that has some of the lines with the same ids', async () => {
    const { payments } = honest;
    const { findings } = await checked(payments, [...history, ...asPaid(payments.slice(5), 2)]);
    expect(findings[0]).toEqual({
      check: 'otherPayout',
      words: '25 lines with the same id, payee and amount are in payout:before, 2 days ago.',
    });
  });

  test('name a payout of any age that has lines of a message, which is sent again', async () => {
    const { payments } = honest;
    const before = [...history, ...asPaid(payments.slice(5), 60)];
    const source = { message: 'pain.001.001.09', messageId: 'january' };
    const sent = payments.map((line) => ({ ...line, source }));
    const { findings } = await checked(sent, before);
    expect(findings).toEqual([
      {
        check: 'otherPayout',
        words: '25 lines with the same id, payee and amount are in payout:before, 60 days ago.',
      },
    ]);
    expect(idsIn(await checked(payments, before))).toEqual([]);
    const others = sent.map((line, at) => ({ ...line, lineId: `other.${at}` }));
    expect(idsIn(await checked(others, before))).toEqual([]);
  });

  test('name a payout that has half of the ids, whatever its lines pay', async () => {
    const { payments } = honest;
    const other = asPaid(payments.slice(15), 2).map((one) => ({
      ...one,
      to: anyAddress(),
      amount: '7',
    }));
    const { findings } = await checked(payments, [...history, ...other]);
    expect(findings[0]).toEqual({
      check: 'otherPayout',
      words: '15 of 30 lines have ids of payout:before, 2 days ago, with other payees or amounts.',
    });
    expect(idsIn(await checked(payments, [...history, ...other.slice(1)]))).toEqual([]);
  });

  test('name a payout of the same digest, of which not all lines were paid', async () => {
    const { payments } = honest;
    const again = payments.map((line, at) => ({ ...line, lineId: `other.${at}` }));
    const [first, ...others] = asPaid(payments.slice(20), 2);
    if (first === undefined) throw new Error('There is no line.');
    const before = [{ ...first, linesDigest: linesDigest(again) }, ...others];
    const { findings } = await checked(again, [...history, ...before]);
    expect(findings[0]).toEqual({
      check: 'otherPayout',
      words: 'The digest of the lines is that of payout:before, 2 days ago.',
    });
  });

  test('keep a payout to the same payees in mind, however many others follow it', async () => {
    const { payments } = honest;
    const others = Array.from({ length: 1_500 }, (_, at): Paid => {
      const line = { lineId: 'a', to: anyAddress(), amount: '3', coin: 'native', isPayout: true };
      return { ...line, orderId: `payout:other-${at}`, atMs: nowMs - dayMs };
    });
    const paid = [...history, ...asPaid(payments, 3), ...others];
    const { findings } = await checked(payments, paid);
    expect(findings[0]?.words).toBe('All 30 lines are those of payout:before, 3 days ago.');
    const four = payments.map((line) => ({ ...line, amount: `${Number(line.amount) * 4}` }));
    expect(idsIn(await checked(four, [...history, ...others]))).toContain('farTotal');
  });

  test("find an address that looks like a wallet of one's own", async () => {
    const payer = anyAddress();
    const like = (own: string) => `${own.slice(0, 6)}${anyAddress().slice(6, 36)}${own.slice(36)}`;
    const line = { amount: '5', token: 'USDC' };
    const payments = [
      { ...line, lineId: 'a', to: like(till) },
      { ...line, lineId: 'b', to: like(payer) },
    ];
    const [one] = history;
    if (one === undefined) throw new Error('There is no history.');
    const facts = { book: emptyBook, paid: [[{ ...one, sender: payer }]], nowMs };
    const { findings } = await runChecks({ payments, wallets: [till] }, facts);
    const found = findings.filter(({ check: id }) => id === 'lookAlike');
    expect(found.map(({ lineId }) => lineId)).toEqual(['a', 'b']);
    expect(found[0]?.words).toContain('a wallet of this account. Compare every digit');
  });

  test('do not take a payee of three payments for another one that looks like it', async () => {
    const to = anyAddress();
    const alike = `${to.slice(0, 6)}${anyAddress().slice(6, 38)}${to.slice(38)}`;
    const [one] = history;
    if (one === undefined) throw new Error('There is no history.');
    const paidTimes = (count: number): Paid[] => [
      { ...one, to: alike },
      ...Array.from({ length: count }, (_, at) => ({ ...one, orderId: `payout:${at}`, to })),
    ];
    const likenessAfter = async (count: number): Promise<boolean> => {
      const payments = [{ lineId: 'a', to, amount: '7', token: 'USDC' }];
      const facts = { book: emptyBook, paid: [paidTimes(count)], nowMs };
      return idsIn(await runChecks({ payments, wallets: [] }, facts)).includes('lookAlike');
    };
    expect(await Promise.all([0, 2, 3].map(likenessAfter))).toEqual([true, true, false]);
  });

  test('say nothing of the own earlier payments of an order that goes on', async () => {
    const { payments } = honest;
    const order = { orderId: 'payout:before', payments, wallets: [till] };
    const paid = [...history, ...asPaid(payments, 0)];
    expect(idsIn(await runChecks(order, { book, paid: [paid], nowMs }))).toEqual([]);
  });

  test('tell which of them ran, with which book, and what was left out', async () => {
    const { payments } = honest;
    const whole = await checked(payments);
    expect(whole.leftOut).toEqual([]);
    expect([whole.book, whole.payments]).toEqual([book.digest, 180]);
    const alone = await runChecks({ payments }, { book: emptyBook, paid: undefined, nowMs });
    expect(alone.leftOut).toEqual([
      ...['newPayee', 'otherAddress', 'otherName', 'paidBefore', 'otherPayout', 'farTotal'],
      ...['farAmount', 'ownWallet'],
    ]);
    expect(alone.payments).toBeUndefined();
  });

  test('find a look-alike in the same file, and names by what was paid where there is no book', async () => {
    const [one] = history;
    if (one === undefined) throw new Error('There is no history.');
    const like = `${one.to.slice(0, 6)}${anyAddress().slice(6, 36)}${one.to.slice(36)}`;
    const line = { amount: '5', token: 'USDC' };
    const payments = [
      { ...line, lineId: 'a', to: anyAddress(), name: ' payee  0' },
      { ...line, lineId: 'b', to: like },
      { ...line, lineId: 'c', to: one.to, name: 'PAYEE 0' },
    ];
    const facts = { book: emptyBook, paid: [[one]], nowMs };
    const { findings } = await runChecks({ payments, wallets: [] }, facts);
    expect(findings.map(({ lineId, check: id }) => `${lineId} ${id}`)).toEqual([
      ...['a newPayee', 'a otherAddress', 'b newPayee', 'b lookAlike', 'c lookAlike'],
    ]);
  });
});
