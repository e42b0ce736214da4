import type { KeyParts } from '../../src/custody/idempotencyKey';
import { networks } from '../../src/custody/networks/networks';
import { sameText } from '../../src/custody/objects/sameText';
import { type NamingWallets, namedWallets } from '../../src/orders/input/namedWallets';
import { BadOrderError } from '../../src/orders/input/read';
import type { OrderWrite, Resolved, ResolvedToken, ResolvedWallet } from '../../src/orders/kind';
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
  const isSame = (address?: string): boolean => sameText(address, to);
  const what = isSame(wallet?.address)
    ? 'sending wallet itself'
    : isSame(token?.address)
      ? ownContract
      : networks[blockchain]?.tokens.some(({ address }) => isSame(address))
        ? 'contract of a token'
        : undefined;
  if (what === undefined) return;
  throw misdirected(to, what);
}

function misdirected(to: string, what: string): Error {
  return new BadOrderError(`to: ${to} is the ${what}. Give the recipient's address.`);
}

/** The fields in which orders name something. Each kind has some of them. */
type Fields = NamingWallets & {
  token?: string;
  amount?: string | undefined;
  keep?: string | undefined;
  to?: string;
  mint?: object | undefined;
  parameters?: { defaultAdmin?: unknown };
};

/** Only the administrator of a contract of ours may mint, and here the wallet is to mint. */
function refuseForeignMint({ mint, parameters }: Fields, wallet: ResolvedWallet | undefined): void {
  const admin = parameters?.defaultAdmin;
  if (mint === undefined || admin === undefined || admin === wallet?.address) return;
  throw new BadOrderError(
    `mint: the wallet that deploys may not mint what ${admin} administers ` +
      '(parameters.defaultAdmin). Leave out one of the two.',
  );
}

/** An order that is read and resolved, before any look-up or write. */
export type Ready = Resolved & {
  /** The id of the order itself. A dry run has another one. */
  workflowId: string;
  kind: OrderKind;
  order: ReadOrder<OrderKind>;
  blockchain: string;
  writes: readonly OrderWrite[];
};

/** The parts of the key of a write of the order. */
export function keyPartsOf({ workflowId, order }: Ready, path: string): KeyParts {
  const [step = '', item = ''] = path.split('/');
  return { workflowId, step, item, generation: order.generations[path] ?? 0 };
}

/**
 * Resolves the names in an order that only the service or the chain knows. Refuses those that do
 * not exist or lead nowhere.
 */
export async function resolveOrder(
  from: From,
  kind: OrderKind,
  order: ReadOrder<OrderKind>,
): Promise<Resolved> {
  const fields: Fields = order;
  const { to, amount, keep = '0' } = fields;
  const { main, several, treasury: source } = namedWallets(fields);
  const wallet = main && (await resolveWallet(from, main.field, main.reference));
  const treasury = source && (await resolveWallet(from, 'source', source));
  if (treasury !== undefined && treasury.address === wallet?.address) {
    throw new BadOrderError(`source: ${treasury.walletId} is the wallet itself. Name another one.`);
  }
  refuseForeignMint(fields, wallet);
  const wallets = several && (await severalWallets(from, several, wallet));
  const token = fields.token
    ? await resolveToken(from, { token: fields.token, amount: amount ?? keep })
    : undefined;
  // A wallet may mint to itself. Only a transfer to its own sender is a mistake.
  if (to !== undefined && fields.from !== undefined) {
    refuseDestination(to, { wallet, token }, from.blockchain);
  }
  const contractAddress = kindOf(kind).amountOf?.(order);
  const isCounted = contractAddress !== undefined && amount !== undefined;
  const decimals = isCounted
    ? await contractDecimals(from, { contractAddress, amount })
    : undefined;
  if (isCounted && to === contractAddress) throw misdirected(to, ownContract);
  return { wallet, wallets, treasury, token, decimals };
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
