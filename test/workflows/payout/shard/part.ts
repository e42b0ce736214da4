import type { ResolvedToken, ResolvedWallet } from '../../../../src/orders/kind';
import { newShard } from '../../../../workflows/payout/shard/open/newShard';
import type { Shard } from '../../../../workflows/payout/shard/shard';
import { newWrite } from '../../../../workflows/write/machine/writeState';
import { pathOf } from '../../../../workflows/write/writes';

export const wallet = { walletId: 'one', address: '0x2', accountType: 'EOA' } as ResolvedWallet;
export const usdc = { name: 'USDC', address: '0x3', decimals: 6, ids: [] } as ResolvedToken;

/** A part with the lines a, b and c of one wallet, which are in an attempt that was not looked up. */
export function partOf({
  generation,
  lookupGraceMs = 0,
}: {
  generation: number;
  lookupGraceMs?: number;
}): Shard {
  const terms = { workflowId: 'payout:any', wallets: [wallet], order: { generations: {} } };
  const shard = newShard({
    terms: { ...terms, lookupGraceMs } as never,
    part: 1,
    tokens: [usdc],
    lines: ['a', 'b', 'c'].map((lineId, at) => {
      return { lineId, to: `0x${at}`, amount: `${at + 1}`, token: 'USDC', wallet: 0 };
    }),
  });
  for (const line of shard.lines) {
    shard.carried.writes[pathOf(line)] = newWrite({ generation, knownAtMs: 0 });
  }
  return shard;
}
