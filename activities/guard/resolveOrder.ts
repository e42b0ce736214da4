import { blockchains } from '../../src/custody/objects/blockchain';
import { BadOrderError } from '../../src/orders/input/read';
import type { Resolved, ResolvedToken, ResolvedWallet, Write } from '../../src/orders/kind';
import { kindOf, type OrderKind, type ReadOrder } from '../../src/orders/kinds';
import { contractDecimals, type From, resolveToken, resolveWallet } from '../resolve';

type Sending = { wallet?: ResolvedWallet | undefined; token?: ResolvedToken | undefined };

const ownContract = "token's own contract";

/** Refuses a recipient at which money is lost or arrives by mistake. */
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

/** Only the administrator of a contract of ours may mint, and here the wallet is to mint. */
function refuseForeignMint(order: ReadOrder<OrderKind>, wallet: ResolvedWallet | undefined): void {
  if (!('mint' in order) || order.mint === undefined) return;
  const admin = 'defaultAdmin' in order.parameters ? order.parameters.defaultAdmin : undefined;
  if (admin === undefined || admin === wallet?.address) return;
  throw new BadOrderError(
    `mint: the wallet that deploys may not mint what ${admin} administers ` +
      '(parameters.defaultAdmin). Leave out one of the two.',
  );
}

/** An order that is read and resolved, before any lookup or write. */
export type Ready = Resolved & {
  /** The id of the order itself. A dry run has another one. */
  workflowId: string;
  kind: OrderKind;
  order: ReadOrder<OrderKind>;
  blockchain: string;
  writes: readonly Write[];
};

/**
 * Resolves the names in an order that only the service or the chain knows. Refuses those that do
 * not exist or lead nowhere.
 */
export async function resolveOrder(
  from: From,
  kind: OrderKind,
  order: ReadOrder<OrderKind>,
): Promise<Resolved> {
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
  // A wallet may mint to itself. Only a transfer to its own sender is a mistake.
  if ('to' in order && 'from' in order) {
    refuseDestination(order.to, { wallet, token }, from.blockchain);
  }
  const contractAddress = kindOf(kind).amountOf?.(order);
  const isCounted = contractAddress !== undefined && 'amount' in order;
  const decimals = isCounted
    ? await contractDecimals(from, { contractAddress, amount: order.amount ?? '0' })
    : undefined;
  if (isCounted && 'to' in order && order.to === contractAddress) {
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

/**
 * The wallets that are swept, or that pay, in the order's order. The collecting wallet is none of
 * them.
 */
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

/** A token, and an amount of it that must fit its decimals. */
function tokenOf(order: { token: string } & ({ amount: string } | ReadOrder<'sweepWallets'>)) {
  return { token: order.token, amount: 'amount' in order ? order.amount : (order.keep ?? '0') };
}
