import type { ResolvedToken, ResolvedWallet } from '../../../../src/orders/kind';
import { reportOf } from '../../../../workflows/payout/shard/report';
import { newShard } from '../../../../workflows/payout/shard/shard';
import { pathOf } from '../../../../workflows/write/happened';
import { newWrite, type WriteState } from '../../../../workflows/write/writeState';

const wallets = [{ walletId: 'one', address: '0x2' } as ResolvedWallet];

/** The room that a shard tells whose lines are at these stages. */
function roomOf(...stages: WriteState['stage'][]): number {
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
  for (const [index, line] of shard.lines.entries()) {
    const stage = stages[index] ?? 'unseen';
    shard.carried.writes[pathOf(line)] = newWrite({ stage, generation: 0, knownAtMs: 0 });
  }
  return reportOf(shard).room;
}

describe('the room that a shard asks for', () => {
  it('is that of its lines which are pending or wait to be sent', () => {
    expect(roomOf('unseen', 'ready', 'sending', 'accepted')).toBe(4);
    expect(roomOf('completed', 'failed', 'unknown', 'stopped')).toBe(0);
  });
});
