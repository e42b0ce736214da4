import { blockchains } from '../src/custody/blockchain';
import type { OrderKind, ReadOrder } from '../src/orders/kinds';
import { BadOrderError } from '../src/orders/read';
import {
  type From,
  mintDecimals,
  type ResolvedToken,
  type ResolvedWallet,
  resolveToken,
  resolveWallet,
} from './resolve';

type Sending = { wallet?: ResolvedWallet | undefined; token?: ResolvedToken | undefined };

const ownContract = "token's own contract";

/** Money that is sent there is lost, or was meant for somewhere else. */
export function refuseDestination(
  to: string,
  { wallet, token }: Sending,
  blockchain: string,
): void {
  const isSame = (address = ''): boolean => address.toLowerCase() === to.toLowerCase();
  const what = isSame(wallet?.address)
    ? 'sending wallet itself'
    : isSame(token?.address)
      ? ownContract
      : blockchains[blockchain]?.tokens.some(({ address }) => isSame(address))
        ? 'contract of a token'
        : undefined;
  if (what === undefined) return;
  throw misdirected(to, what);
}

function misdirected(to: string, what: string): Error {
  return new BadOrderError(`to: ${to} is the ${what}. Give the recipient's address.`);
}

/** Who administers a contract of ours is the only one who may mint, and the wallet is to. */
function refuseForeignMint(order: ReadOrder<OrderKind>, wallet: ResolvedWallet | undefined): void {
  if (!('mint' in order) || order.mint === undefined) return;
  const admin = 'defaultAdmin' in order.parameters ? order.parameters.defaultAdmin : undefined;
  if (admin === undefined || admin === wallet?.address) return;
  throw new BadOrderError(
    `mint: the wallet that deploys may not mint what ${admin} administers ` +
      '(parameters.defaultAdmin). Leave out one of the two.',
  );
}

/** What an order names, as the service or the chain knows it. */
export type Resolved = {
  /** The sending, deploying, funded or collecting wallet, where the order names one. */
  wallet?: ResolvedWallet;
  /** The wallets that money is collected or paid from, where the order names several. */
  wallets?: ResolvedWallet[];
  /** The wallet that the money comes from, where the order funds from a treasury. */
  treasury?: ResolvedWallet;
  token?: ResolvedToken;
  /** Of the token that is to be minted. */
  decimals?: number;
};

/** An order that has been read and resolved, before anything is looked for or sent. */
export type Ready<Kind extends OrderKind = OrderKind> = Resolved & {
  /** The id of the order itself; a dry run has another one. */
  workflowId: string;
  kind: Kind;
  order: ReadOrder<Kind>;
  blockchain: string;
};

/**
 * What the order names and only the service or the chain can tell. Refuses what is not there, and
 * what would go nowhere.
 */
export async function resolveOrder(from: From, order: ReadOrder<OrderKind>): Promise<Resolved> {
  const wallet = await mainWallet(from, order);
  const treasury =
    'source' in order && typeof order.source === 'object'
      ? await resolveWallet(from, 'source', order.source)
      : undefined;
  if (treasury !== undefined && treasury.address === wallet?.address) {
    throw new BadOrderError(`source: ${treasury.walletId} is the wallet itself. Name another one.`);
  }
  refuseForeignMint(order, wallet);
  const wallets =
    'wallets' in order ? await severalWallets(from, order.wallets, wallet) : undefined;
  const token = 'token' in order ? await resolveToken(from, tokenOf(order)) : undefined;
  // A wallet may well mint to itself; only a transfer to its own sender is a mistake.
  if ('to' in order && 'from' in order) {
    refuseDestination(order.to, { wallet, token }, from.blockchain);
  }
  const isMint = 'to' in order && 'contractAddress' in order;
  const decimals = isMint ? await mintDecimals(from, order) : undefined;
  if (isMint && order.to === order.contractAddress) {
    throw misdirected(order.to, ownContract);
  }
  return {
    ...(wallet === undefined ? {} : { wallet }),
    ...(wallets === undefined ? {} : { wallets }),
    ...(treasury === undefined ? {} : { treasury }),
    ...(token === undefined ? {} : { token }),
    ...(decimals === undefined ? {} : { decimals }),
  };
}

/** The sending, deploying, funded or collecting wallet. */
async function mainWallet(
  from: From,
  order: ReadOrder<OrderKind>,
): Promise<ResolvedWallet | undefined> {
  if ('from' in order) return resolveWallet(from, 'from', order.from);
  if ('wallet' in order) return resolveWallet(from, 'wallet', order.wallet);
  if ('into' in order) return resolveWallet(from, 'into', order.into);
  if ('walletId' in order) return resolveWallet(from, 'walletId', { walletId: order.walletId });
  return undefined;
}

/** The wallets that are swept, or that pay, in the order's order; who collects is none of them. */
async function severalWallets(
  from: From,
  ids: readonly string[],
  into: ResolvedWallet | undefined,
): Promise<ResolvedWallet[]> {
  const wallets: ResolvedWallet[] = [];
  for (const [index, walletId] of ids.entries()) {
    const field = `wallets.${index}`;
    const wallet = await resolveWallet(from, field, { walletId });
    if (wallet.address === into?.address) {
      throw new BadOrderError(`${field}: ${walletId} is the wallet that collects. Leave it out.`);
    }
    wallets.push(wallet);
  }
  return wallets;
}

/** A token and the amount of it that must fit its decimals. */
function tokenOf(order: { token: string } & ({ amount: string } | ReadOrder<'sweepWallets'>)) {
  return { token: order.token, amount: 'amount' in order ? order.amount : (order.keep ?? '0') };
}
