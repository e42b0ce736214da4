import type { CustodyApi, Output } from '../src/custody/endpoints';
import { tryRead, tryWrite, type WriteIdentity } from './attempt';

export type WalletActivities = ReturnType<typeof walletActivities>;

export type WalletSetWrite = WriteIdentity & { name: string };
export type WalletsWrite = WriteIdentity & {
  walletSetId: string;
  blockchain: string;
  count: number;
  accountType: 'SCA' | 'EOA';
};

/** What the service created, and the key under which it did. */
export type Created<T> = { created: T; key: string };

/** Longest part of a name that the service is known to keep. */
const nameMax = 100;

export function walletActivities(custody: CustodyApi, settings: { keyLifetimeMs: number }) {
  return {
    /** Creates a wallet set. A set has no reference field, so its name carries the hash of one. */
    async createWalletSet(write: WalletSetWrite): Promise<Created<{ id: string }>> {
      return tryWrite({ ...write, ...settings }, async ({ key, refId, signal }) => {
        const hash = refId.split(' ').at(-1) ?? '';
        const name = `${write.name.slice(0, nameMax - hash.length - 1)} ${hash}`;
        const input = { idempotencyKey: key, name };
        const { walletSet } = await custody.createWalletSet(input, { signal });
        return { created: { id: walletSet.id }, key };
      });
    },

    /** Creates wallets in a set; each carries the write's reference and its number. */
    async createWallets(write: WalletsWrite): Promise<Created<Output<'createWallets'>['wallets']>> {
      return tryWrite({ ...write, ...settings }, async ({ key, refId, signal }) => {
        const numbers = Array.from({ length: write.count }, (_, index) => index + 1);
        const input = {
          idempotencyKey: key,
          walletSetId: write.walletSetId,
          blockchains: [write.blockchain],
          count: write.count,
          accountType: write.accountType,
          metadata: numbers.map((number) => ({ name: `wallet ${number}`, refId })),
        };
        const { wallets } = await custody.createWallets(input, { signal });
        return { created: wallets, key };
      });
    },

    /**
     * What a wallet holds of a token, or undefined where the service does not list it. The native
     * coin is asked for as the empty address.
     */
    async readBalance(read: { walletId: string; tokenAddress: string }) {
      return tryRead(async (signal) => {
        const input = { id: read.walletId, includeAll: true };
        const { tokenBalances } = await custody.listBalances(input, { signal });
        return tokenBalances.find((balance) =>
          read.tokenAddress === ''
            ? balance.token.isNative
            : balance.token.tokenAddress?.toLowerCase() === read.tokenAddress.toLowerCase(),
        );
      });
    },

    /** The token that an id stands for. */
    async readToken(read: { id: string }) {
      return tryRead(async (signal) => (await custody.getToken(read, { signal })).token);
    },

    /**
     * Asks the test network's faucet for a drip. It takes no key, so it gets one try, and its
     * answer is not believed: only the balance tells what came of it.
     */
    async requestDrip(drip: { address: string; blockchain: string; token: string }) {
      return tryRead(async (signal) => {
        const coin = drip.token === 'EURC' ? { eurc: true } : { usdc: true, native: true };
        const { address, blockchain } = drip;
        await custody.requestDrip({ address, blockchain, ...coin }, { signal });
      });
    },
  };
}
