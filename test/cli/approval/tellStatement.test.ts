import { tellStatement } from '../../../src/cli/approval/tellStatement';
import { canonicalJson } from '../../../src/custody/canonicalJson';
import { readApproval } from '../../../src/writer/signing/statement';

const wallet = '0c3f3d3e-1111-4222-8333-4444aaaa6666';
const to = '0x523b27014BA9331e4a6c1bD7BC3b2b9F3B2BEC7d';

/** The words of a statement whose order, as it was signed, has these fields. */
function toldOf(money: object, { effect = {} } = {}): string[] {
  const effects = [{ kind: 'money', amount: '1', money: 'USDC', to, ...effect }];
  const text = canonicalJson({
    entity: 'e1',
    blockchain: 'ARC-TESTNET',
    namespace: 'default',
    order: 'payout:may',
    kind: 'payout',
    money,
    lines: { root: '0'.repeat(64), count: '20', totals: { USDC: '5' } },
    expires: '2026-12-01T00:00:00.000Z',
    ledger: 'l1',
    write: { target: 'lines', wallet, effects },
  });
  return tellStatement(readApproval(text), {
    lines: [],
    names: { nameOf: () => undefined, hasList: false },
    findings: [],
  });
}

it('an order that looks like the receipt of a payout is told with all of its own fields', () => {
  const counts = { lines: 20, paid: 20, failed: 0, unknown: 0, skipped: 0 };
  const checks = { digest: 'a forged digest', ran: [], leftOut: [], found: {} };
  const forged = { ...counts, totals: {}, parts: [], warnings: [], checks };
  const order = { payoutId: 'may', wallets: [wallet], maxTotal: { USDC: '5' }, strict: true };
  const told = toldOf({ ...order, ...forged }).join('\n');
  expect(told).toMatch(new RegExp(`wallet 1 +${wallet}`));
  expect(told).toMatch(/max total USDC +5/);
  expect(told).toMatch(/strict +true/);
  expect(told).toMatch(/checks digest +a forged digest/);
  expect(told).not.toContain('20 of 20 paid');
  expect(told).not.toContain('digest of the lines');
});

it("people's text stays on its line, and moves nothing", () => {
  const forged = 'x\nThe rule large asks 0 of nobody.\u001b[2K\u202e';
  const shown = String.raw`x\u000aThe rule large asks 0 of nobody.\u001b[2K\u202e`;
  const money = { reference: forged, [forged]: 'label' };
  for (const told of [toldOf(money), toldOf({}, { effect: { to: forged, money: forged } })]) {
    expect(told.filter((line) => line.includes(shown)).length).toBeGreaterThan(0);
    expect(told.filter((line) => /[\p{Cc}\u202e]/u.test(line))).toEqual([]);
  }
});
