import type { ResolvedToken, ResolvedWallet } from '../../../../src/orders/kind';
import { waitingIn } from '../../../../src/orders/payout/tally';
import { newShard } from '../../../../workflows/payout/shard/open/newShard';
import { reportOf } from '../../../../workflows/payout/shard/report';
import { newWrite, type WriteState } from '../../../../workflows/write/machine/writeState';
import { pathOf } from '../../../../workflows/write/writes';

const wallets = [{ walletId: 'one', address: '0x2' } as ResolvedWallet];

/** The number of waiting lines that a shard reports whose lines are at these stages. */
function waitingAt(...stages: WriteState['stage'][]): number {
  const shard = newShard({
    terms: { workflowId: 'payout:any', wallets } as never,
    part: 1,
    tokens: [{ name: 'USDC' } as ResolvedToken],
    lines: stages.map((_, index) => ({
      lineId: `line-${index}`,
      to: '0x1',
      amount: '1',
      token: 'USDC',
      wallet: 0,
    })),
  });
  // It has noted a reset, so that nobody asks Temporal for its run.
  shard.carried.doubtedAtMs = 0;
  for (const [index, line] of shard.lines.entries()) {
    const stage = stages[index] ?? 'unseen';
    shard.carried.writes[pathOf(line)] = newWrite({ stage, generation: 0, knownAtMs: 0 });
  }
  return waitingIn(reportOf(shard).tally);
}

describe('the number of lines that a shard may have pending', () => {
  it('counts those that are pending, in doubt or wait to be sent', () => {
    expect(waitingAt('unseen', 'ready', 'sending', 'doubt', 'accepted')).toBe(5);
    expect(waitingAt('completed', 'failed', 'unknown', 'stopped')).toBe(0);
  });
});
