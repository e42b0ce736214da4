import { settledBefore } from '../../../src/cli/order/settledBefore';
import { tellEnd } from '../../../src/cli/show/tellEnd';
import type { LineResult } from '../../../src/client/client';
import { tallyOf } from '../../../src/orders/payout/tally';
import { recordedVoice } from '../recordedVoice';

const id = 'transfer:1';
const beganMs = Date.UTC(2026, 1, 28, 12);
const lastMonth = '2026-01-31T12:00:05.000Z';
const now = '2026-02-28T12:00:04.000Z';
const paid = { transactionId: 't', state: 'COMPLETE', amount: '5', settledAt: lastMonth };
const payout = { payoutId: '1', ...tallyOf([]), totals: {}, warnings: [], parts: [] };

/** The words of a terminal about an order that is done. */
async function told(
  receipt: object,
  { outcome = 'started', lines = [] }: { outcome?: 'started' | 'attached'; lines?: string[] } = {},
): Promise<string[]> {
  const { voice, said } = recordedVoice();
  const started = { workflowId: id, runId: 'run', outcome, receipt: () => Promise.reject(id) };
  const end = { end: 'done', receipt } as const;
  async function* payoutLines(): AsyncGenerator<LineResult> {
    for (const settledAt of lines) yield { outcome: 'paid', settledAt } as LineResult;
  }
  const before = await settledBefore({ steadfast: { payoutLines }, id, started, end, beganMs });
  expect(tellEnd({ id, started, end, voice, before })).toBe(0);
  return said;
}

describe('an order that Temporal has forgotten', () => {
  const time = '2026-01-31 12:00:05 UTC';
  const isBefore = `! ${id} was carried out before, until ${time}: nothing was moved now.`;

  it('is told as carried out before, with its time and the way to pay a second time', async () => {
    const said = await told(paid);
    expect(said[0]).toContain(isBefore);
    expect(said[1]).toContain('For a second one, say so with an --id of your own.');
    expect((await told({ collected: [paid, paid] }))[0]).toContain(isBefore);
  });

  it('is told so of a payout, if all of its lines were paid before', async () => {
    expect((await told(payout, { lines: [lastMonth, lastMonth] }))[0]).toContain(isBefore);
    expect((await told(payout, { lines: [lastMonth, now] }))[0]).toContain('is done.');
  });
});

it.each([
  ['that settles now', { ...paid, settledAt: now }, {}],
  ['of a clock that is half an hour ahead', { ...paid, settledAt: '2026-02-28T11:30:00Z' }, {}],
  ['that has settled in part before', { collected: [paid, { ...paid, settledAt: now }] }, {}],
  ['that has brought money to its wallet', { ...paid, funded: { source: 'treasury' } }, {}],
  ['that was under way', paid, { outcome: 'attached' as const }],
  ['that settles nothing', { walletSetId: 'set', wallets: [] }, {}],
])('an order %s is told as done', async (_, receipt, how) => {
  expect((await told(receipt, how))[0]).toContain(`${id} is done.`);
});
