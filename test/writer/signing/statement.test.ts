import { BadOrderError } from '../../../src/orders/input/read';
import { type Order, readOrderOf } from '../../../src/orders/kinds';
import { readLines } from '../../../src/orders/payout/readLines';
import { signedLinesOf } from '../../../src/writer/signing/signedLines';
import {
  readApproval,
  readRequest,
  requestFor,
  textOf,
} from '../../../src/writer/signing/statement';

const walletId = '0c3f3d3e-1111-4222-8333-4444aaaa6666';
const to = '0x523b27014BA9331e4a6c1bD7BC3b2b9F3B2BEC7d';
const expires = new Date('2026-03-02T00:00:00Z');
const place = { entity: 'e1', blockchain: 'ARC-TESTNET', namespace: 'default' };

function transferOf(fields: Partial<Order<'transferStablecoin'>>) {
  const kind = 'transferStablecoin';
  const order = readOrderOf(kind, {
    from: { walletId },
    to,
    amount: '2',
    token: 'USDC',
    ...fields,
  });
  return requestFor({ ...place, workflowId: 'transfer:a', kind, order, expires });
}

describe('the request of an order', () => {
  it.each([
    ['2026-03-01T12:00:00+02:00', '2026-03-01T10:00:00.000Z', '2026-03-01T10:00:00.000Z'],
    ['2026-04-01T00:00:00Z', '2026-04-01T00:00:00.000Z', '2026-03-02T00:00:00.000Z'],
  ])('that is valid until %s ends with the earlier moment', (given, validUntil, ends) => {
    expect(transferOf({ validUntil: given })).toMatchObject({ validUntil, expires: ends });
  });

  it('that is always valid ends as its signer says', () => {
    const request = transferOf({});
    expect(request).toMatchObject({ expires: expires.toISOString() });
    expect(request).not.toHaveProperty('validUntil');
  });
});

it('a request of values inside values, level upon level, is no statement', () => {
  const deep = '['.repeat(20_000) + ']'.repeat(20_000);
  const text = textOf({ ...transferOf({}), money: { a: 0 } }).replace('{"a":0}', `{"a":${deep}}`);
  expect(() => readRequest(text)).toThrow(BadOrderError);
  expect(() => readRequest(text)).toThrow('has values inside values, more than 64 levels deep');
});

it('an approval is of a payout if it names lines, and of another order if it names none', () => {
  const { signedAt: _, ...transfer } = transferOf({});
  const write = { target: 'lines', wallet: '', effects: [] };
  const approval = { ...transfer, ledger: 'l', write };
  const lines = { count: '1', root: '0'.repeat(64), totals: { USDC: '1' } };
  expect(readApproval(textOf(approval))).toEqual(approval);
  for (const own of [
    { ...approval, lines },
    { ...approval, kind: 'payout' as const },
  ]) {
    const words = 'must name all lines of a payout, and stand in no other statement.';
    expect(() => readApproval(textOf(own))).toThrow(words);
  }
});

describe('the lines of a payout', () => {
  const lineOf = (lineId: string, amount: string) => ({ lineId, to, amount, token: 'USDC' });
  const lines = readLines([lineOf('a', '2'), lineOf('b', '3.5')], 1);

  function payoutOf(fields: Partial<Order<'payout'>>) {
    const order = readOrderOf('payout', { payoutId: 'march', wallets: [walletId], ...fields });
    const signed = signedLinesOf(lines);
    const kind = 'payout' as const;
    return requestFor({
      ...place,
      workflowId: 'payout:march',
      kind,
      order,
      lines: signed,
      expires,
    });
  }

  it('are not signed where they come to more than the payout allows', () => {
    expect(() => payoutOf({ maxTotal: { USDC: '5.49' } })).toThrow(
      'maxTotal.USDC: the lines come to 5.5, and at most 5.49 is allowed.',
    );
    const most = { USDC: '5.5', EURC: '1' };
    expect(payoutOf({ maxTotal: most }).money).toMatchObject({ maxTotal: most });
  });

  it('are not signed where two of a strict payout differ only in their ids', () => {
    const alike = readLines([...lines, lineOf('c', '2.0')], 1);
    expect(() => signedLinesOf(alike, { strict: true })).toThrow(
      `strict: the lines a and c both pay 2 USDC to ${to}.`,
    );
    expect(signedLinesOf(alike).count).toBe('3');
    expect(signedLinesOf(lines, { strict: true }).count).toBe('2');
  });
});
