import type { ShardOrder } from '../../../activities/payout/shardOrder';
import { graceMs } from '../world';
import type { BatchScope } from './scopes';

const keepsSender = { inBatches: true, withMemo: false };

export const workflowId = 'payout:model';
export const tokenAddress = '0x3600000000000000000000000000000000000000';
export const blockchain = 'ARC-TESTNET';
const terms = {
  workflowId,
  blockchain,
  checksReceipts: true,
  memory: { fingerprint: '', money: {}, baseUrl: '', blockchain, generations: {} },
  lookupGraceMs: graceMs,
  keyLifetimeMs: 100 * graceMs,
};

/** The wallet that pays all lines. */
export function walletOf(accountType: BatchScope['accountType']) {
  return { walletId: 'wallet', address: `0x${'11'.repeat(20)}`, accountType };
}

/** The input of a part that has the lines of a scope. */
export function partOrder({ lines, accountType }: BatchScope, size: number | false): ShardOrder {
  const batch = size === false ? (false as const) : { linesMax: size };
  const wallet = walletOf(accountType);
  const order = { payoutId: 'model', wallets: [wallet.walletId], generations: {}, batch };
  return {
    part: 1,
    tokens: [{ name: 'USDC', address: tokenAddress, decimals: 6, ids: [], keepsSender }],
    lines: [...lines].map((letter, at) => {
      const line = { lineId: String(at), to: recipientOf(letter), amount: '1' };
      return { ...line, token: 'USDC', wallet: 0 };
    }),
    terms: {
      ...terms,
      wallets: [wallet],
      order: { ...order, feeLevel: 'MEDIUM' },
      batchesFrom: [accountType],
    },
  };
}

/** Equal letters have one recipient. */
export function recipientOf(letter: string): string {
  return `0x${letter.charCodeAt(0).toString(16).repeat(20)}`;
}
