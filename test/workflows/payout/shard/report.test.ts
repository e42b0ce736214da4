import type { ResolvedToken, ResolvedWallet } from '../../../../src/orders/kind';
import { reportOf } from '../../../../workflows/payout/shard/report';
import { type LineState, newShard } from '../../../../workflows/payout/shard/shard';

const minuteMs = 60_000;
const [sca, eoa] = [0, 1];

function walletOf(accountType: 'SCA' | 'EOA'): ResolvedWallet {
  return { walletId: accountType, address: `0x${accountType}`, accountType } as ResolvedWallet;
}

/** What a shard of these lines tells, which pays from an SCA wallet and an EOA wallet. */
function stageOf(lines: readonly [wallet: number, state: Partial<LineState>][], reserve?: string) {
  const wallets = [walletOf('SCA'), walletOf('EOA')];
  const shard = newShard({
    terms: { workflowId: 'payout:any', wallets, reserve, feeLevel: 'MEDIUM' } as never,
    part: 1,
    generations: {},
    tokens: [{ name: 'USDC' } as ResolvedToken],
    lines: lines.map(([wallet], index) => ({
      lineId: `line-${index}`,
      to: '0x1',
      amount: '1',
      token: 'USDC',
      wallet,
    })),
  });
  for (const [index, [, state]] of lines.entries()) {
    Object.assign(shard.carried.states[index] ?? {}, state);
  }
  shard.carried.steer = { ...shard.carried.steer, maySend: true, openMax: 250 };
  return reportOf(shard).stage;
}

const sentBefore = (minutes: number): Partial<LineState> => ({
  stage: 'accepted',
  transactionId: 'one',
  bornAtMs: Date.now() - minutes * minuteMs,
});

describe('a shard whose SCA wallet has had a transfer under way', () => {
  it('is stuck after minutes, so that lines of other parts go first', () => {
    expect(
      stageOf([
        [sca, sentBefore(5)],
        [sca, {}],
        [eoa, { stage: 'completed' }],
      ]),
    ).toBe('stuck');
  });

  it('is paying for as long as that is usual, or while another wallet has lines', () => {
    expect(
      stageOf([
        [sca, sentBefore(0.5)],
        [sca, {}],
      ]),
    ).toBe('paying');
    expect(
      stageOf([
        [sca, sentBefore(5)],
        [sca, {}],
        [eoa, {}],
      ]),
    ).toBe('paying');
    expect(
      stageOf([
        [eoa, sentBefore(5)],
        [eoa, {}],
      ]),
    ).toBe('paying');
  });

  it('lets nobody else go where what is under way counts against a reserve', () => {
    expect(
      stageOf(
        [
          [sca, sentBefore(5)],
          [sca, {}],
        ],
        '10',
      ),
    ).toBe('paying');
  });
});
