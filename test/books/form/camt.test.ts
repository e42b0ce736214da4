import { inCamt053 } from '../../../src/books/form/camt053';
import { inCamt054 } from '../../../src/books/form/camt054';
import type { LineResult } from '../../../src/orders/payout';
import { someone } from '../../support/stages';

const [payer, to] = [someone(), someone()];
const made = { payoutId: 'january', blockchain: 'ARC-TESTNET', madeMs: 0 };

const paid = (lineId: string, change: Partial<LineResult> = {}): LineResult => ({
  lineId,
  to,
  amount: '12.5',
  token: 'USDC',
  outcome: 'paid',
  walletAddress: payer,
  generation: 0,
  txHash: `0x${'ab'.repeat(32)}`,
  settledAt: '2026-11-28T09:00:00Z',
  ...change,
});

/** The notification of some lines. */
async function told(...results: readonly LineResult[]): Promise<string> {
  async function* all() {
    yield* results;
  }
  let text = '';
  for await (const piece of inCamt054(all(), made)) text += piece;
  return text;
}

/** A statement with one payment of the smallest unit. */
async function stated(): Promise<string> {
  const own = { walletId: 'w', wallet: payer, token: 'USDC', decimals: 6, block: 7 };
  const row = { ...own, time: '2026-01-31T00:00:00.000Z' };
  async function* rows() {
    yield { ...row, row: 'opening', balanceBaseUnits: '1' } as const;
    yield { ...row, row: 'out', amount: '0.000001', baseUnits: '1', txHash: '0xab' } as const;
    yield { ...row, row: 'closing', balanceBaseUnits: '0' } as const;
  }
  const period = { fromMs: Date.parse('2026-01-01'), untilMs: Date.parse('2026-02-01') };
  const how = {
    blockchain: made.blockchain,
    version: '08',
    currencies: new Map(),
    period,
  } as const;
  let text = '';
  for await (const piece of inCamt053(rows(), how)) text += piece;
  return text;
}

test('an id of a movement, by which a statement is compared with others, is in camt.053 alone', async () => {
  expect(await stated()).toContain('<NtryRef>');
  const text = await told(paid('a'));
  expect(text).not.toContain('<NtryRef>');
  expect(text).toMatch(/<Ntry>.*<AcctSvcrRef>[0-9a-f]{32}</);
});

test('camt.054 has each wallet and token once, and its entries in their order', async () => {
  const euros = { token: 'EURC', amount: '7' };
  const text = await told(paid('b'), paid('a', euros), paid('a'), paid('c', { outcome: 'failed' }));
  const parts = text.split('<Ntfctn>').slice(1);
  expect(parts.map((part) => part.match(/<EndToEndId>[^<]+/g))).toEqual([
    ['<EndToEndId>b', '<EndToEndId>a'],
    ['<EndToEndId>a'],
  ]);
  expect(text.endsWith('</BkToCstmrDbtCdtNtfctn>\n</Document>\n')).toBe(true);
  expect(await told(paid('c', { outcome: 'failed' }))).toBe('');
});

test('an amount below the last decimal of the schema is a debit like any other', async () => {
  const text = await told(paid('a', { amount: '0.000001' }), paid('b'));
  expect(text).not.toContain('CRDT');
  expect(text.match(/DBIT/g)).toHaveLength(4);
  expect(await stated()).toMatch(/<Ntry>.*<Amt Ccy="XXX">0<.Amt><CdtDbtInd>DBIT</);
});
