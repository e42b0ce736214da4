import type { CustodyApi, Output } from '../src/custody/endpoints';
import { UnexpectedAnswerError } from '../src/custody/errors';
import { balancesOf } from '../src/custody/list';
import { isDecimal, toBaseUnits } from '../src/custody/objects/amount';
import { isNativeCoin } from '../src/custody/objects/money';
import { sameText } from '../src/custody/objects/sameText';
import type { Balance } from '../src/custody/objects/token';
import { salvageTransaction } from '../src/custody/objects/transaction';
import { walletLabels, walletSetName } from '../src/custody/reference';
import type { ResolvedToken } from '../src/orders/kind';
import {
  refuseOfOtherRun,
  tryRead,
  tryWrite,
  type WriteIdentity,
  type WriteOf,
  type WriteSettings,
} from './attempt';
import { stop } from './failure';

type Drip = {
  walletId: string;
  address: string;
  blockchain: string;
  token: string;
  /** Earliest time at which an earlier run may have asked. */
  askedSinceMs?: number | undefined;
  /** The run that asks. */
  runId?: string | undefined;
};

/** An object that the service created, and the key of its write. */
export type Created<T> = { created: T; key: string };

/** The wallets of one write, in the order in which they were requested. */
export type CreatedWallets = Created<Output<'createWallets'>['wallets']>;

/** A wallet and a token whose balance is read. */
export type Holding = {
  walletId: string;
  token: ResolvedToken;
  blockchain: string;
};

/** A wallet's balance of a token. */
export type WalletBalance = {
  /** Decimal text of the service. */
  amount: string;
  /** The token's base units, as a decimal string. */
  baseUnits: string;
  tokenId: string;
};

/** Largest delay of the service's clock behind ours. */
const clockSkewMs = 60_000;

/** The service makes so many wallets with one call. */
const walletsMax = 200;

export function walletActivities(custody: CustodyApi, settings: WriteSettings) {
  return {
    /** Creates a wallet set. A set has no reference field, so its name carries the hash of one. */
    async createWalletSet(
      write: WriteIdentity & { name: string },
    ): Promise<Created<{ id: string }>> {
      return tryWrite(write, settings, async ({ idempotencyKey }, options) => {
        const name = walletSetName(write.name, write.parts);
        const { walletSet } = await custody.createWalletSet({ idempotencyKey, name }, options);
        return { created: { id: walletSet.id } };
      });
    },

    /** Creates wallets in a set. Each carries the write's reference and its number. */
    async createWallets(write: WriteOf<'createWallets'>): Promise<CreatedWallets> {
      const { count = 1 } = write.input;
      refuseCount(count);
      return tryWrite(write, settings, async ({ idempotencyKey, refId }, options) => {
        const metadata = walletLabels(count, refId);
        const input = { ...write.input, idempotencyKey, metadata };
        return { created: (await custody.createWallets(input, options)).wallets };
      });
    },

    /**
     * Reads a wallet's balance of a token. Undefined if the service lists none. A native twin that
     * is listed only as the native coin counts, since it is the same money.
     */
    async readBalance(read: Holding): Promise<WalletBalance | undefined> {
      return listedBalance(custody, read);
    },

    /** Reads the token of an id. */
    async readToken(read: { id: string }) {
      return tryRead(async (signal) => (await custody.getToken(read, { signal })).token);
    },

    /**
     * Asks the test network's faucet for a drip. The faucet accepts no key, so it gets one attempt.
     * Its answer proves nothing, only the balance does. If it may have been asked before, it is not
     * asked again once money has arrived.
     */
    async requestDrip(drip: Drip): Promise<void> {
      refuseOfOtherRun(drip);
      const coin = drip.token === 'EURC' ? { eurc: true } : { usdc: true, native: true };
      const { walletId, address, blockchain } = drip;
      await tryRead(async (signal) => {
        if (drip.askedSinceMs !== undefined) {
          const from = new Date(drip.askedSinceMs - clockSkewMs).toISOString();
          const received = { walletIds: walletId, includeAll: true, txType: 'INBOUND', from };
          const { transactions } = await custody.listTransactions(received, {
            signal,
            salvage: salvageTransaction,
          });
          if (transactions.length > 0) return;
        }
        await custody.requestDrip({ address, blockchain, ...coin }, { signal });
      });
    },
  };
}

/** Refuses a number before anything is made of it: a caller may have chosen it. */
function refuseCount(count: number): void {
  if (Number.isInteger(count) && count >= 1 && count <= walletsMax) return;
  throw stop('Refused', `count: ${count} must be a whole number from 1 to ${walletsMax}.`);
}

/** A wallet's balance of a token. Undefined if the service lists none. */
export async function listedBalance(
  custody: CustodyApi,
  read: Holding,
): Promise<WalletBalance | undefined> {
  const input = { id: read.walletId, includeAll: true };
  const tokenBalances = await tryRead((signal) =>
    balancesOf(async (page, how) => {
      return (await custody.listBalances({ ...input, ...page }, { signal, ...how })).tokenBalances;
    }),
  );
  return heldIn(tokenBalances, read);
}

/** Finds a token in a list of balances. */
export function heldIn(
  tokenBalances: readonly Balance[],
  read: Pick<Holding, 'token' | 'blockchain'>,
): WalletBalance | undefined {
  const listed = (address: string) =>
    tokenBalances.find(({ token }) =>
      address === '' ? token.isNative : sameText(token.tokenAddress, address),
    );
  const { address, decimals } = read.token;
  const balance =
    listed(address) ?? (isNativeCoin(address, read.blockchain) ? listed('') : undefined);
  return balance && toHeld(balance, decimals);
}

/** Decimals beyond the token's own cannot be moved, so they do not count. */
function toHeld({ amount, token }: Balance, decimals: number): WalletBalance {
  if (!isDecimal(amount)) {
    throw new UnexpectedAnswerError(
      `A balance is not the interface. Expected a decimal amount, got "${amount}".`,
      { status: 200 },
    );
  }
  const [whole = '', fraction = ''] = amount.split('.');
  const movable = `${whole}.${fraction.slice(0, decimals).padEnd(1, '0')}`;
  return { amount, baseUnits: toBaseUnits(movable, decimals).toString(), tokenId: token.id };
}
