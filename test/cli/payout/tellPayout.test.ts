import { makeBook } from '../../../src/checks/book';
import type { Checked } from '../../../src/checks/check';
import { tellBar, tellPayoutProgress, tellSurvey } from '../../../src/cli/payout/tellPayout';
import { codeOfReceipt } from '../../../src/cli/show/codeOfReceipt';
import { tellReceipt } from '../../../src/cli/show/tellReceipt';
import type { PayoutReceipt } from '../../../src/orders/payout';
import type { PayoutProgress, Status } from '../../../src/orders/progress/status';

const payout: PayoutProgress = {
  parts: 20,
  sealed: true,
  lines: 10_000,
  paid: 3_100,
  failed: 3,
  unknown: 0,
  skipped: 0,
  waiting: 6_897,
  totals: { USDC: { ordered: '40000', paid: '12400.5' } },
};
const told = (change: Partial<PayoutProgress> = {}, status: Status = 'Settling') =>
  tellPayoutProgress({
    status,
    timeline: [],
    waitingFor: '',
    since: '2026-01-01T00:00:00.000Z',
    payout: { ...payout, ...change },
  });

it('how far a payout is, in one line', () => {
  expect(told()).toBe('██████░░░░░░░░░░░░░░ 31 %  3,100 of 10,000 paid, 3 failed · 12400.5 USDC');
  expect(told({ linesPerS: 98.4, leftS: 70, unknown: 1, skipped: 2 }, 'Unknown')).toBe(
    'Unknown: ██████░░░░░░░░░░░░░░ 31 %  ' +
      '3,100 of 10,000 paid, 3 failed, 1 unknown, 2 skipped · 12400.5 USDC · ' +
      '98.4 lines/s · 1 min 10 s left',
  );
  expect(told({ sealed: false, parts: 0, lines: 0 })).toBe(
    '0 lines handed over, and nothing is paid before the seal',
  );
  expect(told({ sealed: false, parts: 1, lines: 1 })).toBe(
    '1 line handed over in 1 part, and nothing is paid before the seal',
  );
});

it.each([
  [0, 0, '░░░░░░░░░░░░░░░░░░░░ 0 %'],
  [0, 10, '░░░░░░░░░░░░░░░░░░░░ 0 %'],
  [9_999, 10_000, '███████████████████░ 99 %'],
  [10, 10, '████████████████████ 100 %'],
])('a bar is full when all is done, and not before: %d of %d', (done, all, bar) => {
  expect(tellBar(done, all)).toBe(bar);
});

it('what a payout comes to, with what the checks have found and the names of the book', () => {
  const totals = [
    { token: 'USDC', lines: 1_203, amount: '4250.5' },
    { token: 'EURC', lines: 1, amount: '0.4' },
  ];
  const to = '0x1111111111111111111111111111111111111111';
  const payments = [{ lineId: 'a', to, amount: '5', token: 'USDC' }];
  const rate = { currency: 'EUR', rate: '1.08', day: '2026-01-30', source: 'ECB' };
  const exchanges = [{ ...rate, lines: 2, asked: '1200', token: 'USDC', paid: '1296' }];
  const surveyed = { lines: 1_204, totals, payments, exchanges, digest: '', contents: '' };
  const book = makeBook([{ name: 'Ann', address: to }], 'ab'.repeat(32));
  const burn = { check: 'burn', lineId: 'a', words: 'is burnt' } as const;
  const findings = Array.from({ length: 7 }, () => burn);
  const checked: Checked = {
    ran: ['burn', 'twice'],
    leftOut: ['newPayee'],
    book: book.digest,
    findings,
  };
  expect(
    tellSurvey('payout:jan', '2 SCA wallets', { surveyed, checked, nameOf: book.nameOf }),
  ).toEqual([
    'payout:jan pays 1,204 lines from 2 SCA wallets:',
    '  4250.5 USDC in 1,203 lines',
    '     0.4 EURC in 1 line',
    '  · 1 EUR = 1.08 USDC, the rate of 2026-01-30 (ECB): 1200 EUR in 2 lines pay 1296 USDC',
    '  digest of the lines: 095a-0b51-21de-6e82-255d-90c3-2e2d-6b7e',
    `  · 5 USDC to ${to}, Ann`,
    ...Array.from({ length: 5 }, () => '  ! Line "a" is burnt. (burn)'),
    '  ! And 2 more: addresses that nobody has a key of (burn).',
    '  2 checks with address book abababababababab, without newPayee',
    '  An SCA wallet has one transaction in flight at a time, so more wallets pay faster.',
  ]);
});

describe('the receipt of a payout', () => {
  const receipt: PayoutReceipt = {
    payoutId: 'jan',
    lines: 4,
    paid: 4,
    failed: 0,
    unknown: 0,
    skipped: 0,
    totals: { USDC: { ordered: '4', paid: '4' } },
    parts: [],
    warnings: [],
  };

  it('is told by its counts and sums, and says what to do about lines that failed', () => {
    expect(tellReceipt(receipt)).toEqual([
      '  4 of 4 paid',
      '  4 of 4 USDC',
      '  what became of each line:      npx --no-install steadfast payout results jan',
    ]);
    const worse = { ...receipt, paid: 1, failed: 2, skipped: 1, stopped: 'wrong month' };
    expect(tellReceipt({ ...worse, warnings: ['Two are alike.'] })).toEqual([
      '  1 of 4 paid, 2 failed, 1 skipped',
      '  4 of 4 USDC',
      '  ! stopped: wrong month',
      '  ! Two are alike.',
      '  what became of each line:      npx --no-install steadfast payout results jan',
      '  retry the failed lines:        npx --no-install steadfast payout retry jan',
      '  pay the lines that it left:    npx --no-install steadfast payout continue jan',
    ]);
  });

  it('tells the digest of its lines, and the checks at its seal', () => {
    const digest = '095a-0b51-21de-6e82-255d-90c3-2e2d-6b7e';
    const checks = { digest, ran: ['burn'], leftOut: ['newPayee'], found: {} };
    expect(tellReceipt({ ...receipt, checks })).toEqual(
      expect.arrayContaining([
        `  digest of the lines: ${digest}`,
        '  1 check, without newPayee, at the seal',
      ]),
    );
  });

  it.each([
    ['all is paid', {}, 0],
    ['some were skipped', { paid: 3, skipped: 1 }, 0],
    ['some failed', { paid: 3, failed: 1 }, 1],
    ['it was stopped', { paid: 3, skipped: 1, stopped: 'wrong month' }, 1],
    ['some are unknown', { paid: 2, failed: 1, unknown: 1 }, 3],
  ])('has an exit code of its own where %s', (_, change, code) => {
    expect(codeOfReceipt({ ...receipt, ...change })).toBe(code);
  });

  it('is not mistaken for another receipt', () => {
    expect(codeOfReceipt({ transactionId: 't', failed: 1 })).toBe(0);
    expect(codeOfReceipt(undefined)).toBe(0);
  });
});
