import { createWallet } from '../sandbox';
import { someone } from '../stages';
import type { Subject } from './road';
import type { Stage } from './stage';

const coin = { name: 'Harbour Credit', parameters: { name: 'Harbour Credit', symbol: 'HBR' } };
const supply = { mint: { to: someone(), amount: '1000' } };
const amount = '5';
const token = 'USDC';

/** One order for each workflow, and a second one where a workflow has two different courses. */
export const subjects = {
  provisionWallets: {
    kind: 'provisionWallets',
    writes: ['walletSet/1', 'wallets/1'],
    order: async () => ({ name: 'Harbour', count: 2 }),
  },
  deployContract: {
    kind: 'deployContract',
    writes: ['deploy/1', 'mint/1'],
    order: async (stage) => ({ ...coin, ...supply, walletId: (await stage.wallet('SCA')).id }),
  },
  mintTokens: {
    kind: 'mintTokens',
    writes: ['mint/1'],
    order: async (stage) => {
      const wallet = await stage.wallet('SCA');
      const contractAddress = await stage.token(wallet);
      return { walletId: wallet.id, contractAddress, to: someone(), amount };
    },
  },
  executeContract: {
    kind: 'executeContract',
    writes: ['execute/1'],
    order: async (stage) => {
      const wallet = await stage.wallet('SCA');
      const contractAddress = await stage.token(wallet);
      const abiFunctionSignature = 'mintTo(address,uint256)';
      const abiParameters = [someone(), amount];
      return { walletId: wallet.id, contractAddress, abiFunctionSignature, abiParameters };
    },
  },
  fundWallet: { kind: 'fundWallet', writes: [], order: (stage) => funding(stage, 'faucet') },
  fundFromTreasury: {
    kind: 'fundWallet',
    writes: ['fund/1'],
    order: async (stage) => funding(stage, { walletId: (await stage.wallet()).id }),
  },
  transferStablecoin: {
    kind: 'transferStablecoin',
    writes: ['transfer/1'],
    order: async (stage) => {
      const { id: walletId } = await stage.wallet();
      return { from: { walletId }, to: someone(), amount, token };
    },
  },
  sweepWallets: {
    kind: 'sweepWallets',
    writes: ['sweep/1', 'sweep/2'],
    order: async (stage) => {
      const wallets = await Promise.all([stage.wallet(), stage.wallet('SCA')]);
      const into = await createWallet(stage.custody);
      return { wallets: wallets.map(({ id }) => id), into: { walletId: into.id }, token };
    },
  },
  deploymentSequence: {
    kind: 'deploymentSequence',
    writes: ['walletSet/1', 'wallets/1', 'mint/1', 'deploy/1'],
    order: async () => ({ ...coin, ...supply }),
  },
  transferSequence: {
    kind: 'transferSequence',
    writes: ['walletSet/1', 'wallets/1', 'transfer/1'],
    order: async () => ({ name: 'Harbour', amount, token }),
  },
} satisfies Record<string, Subject>;

/** The lines of every payout that is recorded. */
export const payoutLines = ['ann', 'bob'].map((lineId, at) => ({
  lineId,
  to: someone(),
  amount: `0.${at + 1}`,
  token,
}));

/** One payout with its lines in the order, and one that receives its lines in parts. */
export const payouts = {
  whole: {
    kind: 'payout',
    isPayout: true,
    writes: ['line/ann', 'line/bob'],
    order: async (stage, payoutId) => ({
      payoutId,
      wallets: [(await stage.wallet()).id],
      lines: payoutLines,
    }),
  },
  inParts: {
    kind: 'payout',
    isPayout: true,
    writes: ['line/ann', 'line/bob'],
    order: async (stage, payoutId) => ({ payoutId, wallets: [(await stage.wallet()).id] }),
  },
  slow: {
    kind: 'payout',
    isPayout: true,
    writes: [],
    order: async (stage, payoutId) => {
      const lines = Array.from({ length: 4 }, (_, at) => ({
        lineId: `line-${at}`,
        to: someone(),
        amount: '0.1',
        token,
      }));
      return { payoutId, wallets: [(await stage.wallet()).id], lines, linesPerS: 1 };
    },
  },
} satisfies Record<string, Subject>;

/** An order that funds an empty wallet. */
async function funding(stage: Stage, source: 'faucet' | { walletId: string }) {
  const wallet = await createWallet(stage.custody);
  return { wallet: { walletId: wallet.id }, token, source, amount };
}
