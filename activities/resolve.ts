import { getAddress } from 'viem';
import type { CustodyApi } from '../src/custody/endpoints';
import { networks } from '../src/custody/networks/networks';
import { listedToken } from '../src/custody/objects/money';
import { sameText } from '../src/custody/objects/sameText';
import type { Wallet } from '../src/custody/objects/wallet';
import { amountFault, type WalletReference } from '../src/orders/input/fields';
import { BadOrderError } from '../src/orders/input/read';
import { shown } from '../src/orders/input/shown';
import type { ResolvedToken, ResolvedWallet } from '../src/orders/kind';
import { tryFind, tryRead } from './attempt';
import { viewIfAny } from './contracts';
import { workersOf } from './guard/refuseOtherChain';

/** The service and chain on which names are resolved. */
export type From = { custody: CustodyApi; blockchain: string };

/** The wallet that a field of an order names. Refuses one that does not exist or cannot send. */
export async function resolveWallet(
  from: From,
  field: string,
  reference: WalletReference,
): Promise<ResolvedWallet> {
  const wallet = await findWallet(from, reference);
  const name = 'walletId' in reference ? reference.walletId : reference.walletAddress;
  if (wallet === undefined) {
    throw new BadOrderError(
      `${field}: the service has no wallet ${name} on ${from.blockchain}. ` +
        'Check the id, or create one: npx --no-install steadfast provision --name Wallets --id provision:wallets',
    );
  }
  if (wallet.blockchain !== from.blockchain) {
    throw new BadOrderError(
      `${field}: wallet ${name} is on ${wallet.blockchain}, not on ${from.blockchain}. ` +
        `Name a wallet on ${from.blockchain}${otherWay(wallet)}.`,
    );
  }
  if (wallet.state !== 'LIVE') {
    throw new BadOrderError(
      `${field}: wallet ${name} is ${wallet.state}, so it cannot be used. Name another one.`,
    );
  }
  return {
    walletId: wallet.id,
    address: getAddress(wallet.address),
    accountType: wallet.accountType ?? 'EOA',
  };
}

/** Another way out, for a wallet on a network that orders can run on. */
function otherWay({ blockchain }: Wallet): string {
  if (networks[blockchain] === undefined) return '';
  return `, or start the order on the task queue of ${workersOf(blockchain)}`;
}

async function findWallet(
  { custody, blockchain }: From,
  reference: WalletReference,
): Promise<Wallet | undefined> {
  if ('walletAddress' in reference) {
    const input = { address: reference.walletAddress, blockchain };
    const { wallets } = await tryRead((signal) => custody.listWallets(input, { signal }));
    return wallets.find(({ address }) => sameText(address, reference.walletAddress));
  }
  const { walletId: id } = reference;
  const found = await tryFind(404, (signal) => custody.getWallet({ id }, { signal }));
  return found && sameText(found.wallet.id, id) ? found.wallet : undefined;
}

/** The token that an order names, with its decimals. Refuses an amount with more decimals. */
export async function resolveToken(
  from: From,
  order: { token: string; amount: string },
): Promise<ResolvedToken> {
  const known = listedToken(from.blockchain, order.token);
  const token: ResolvedToken = {
    name: order.token,
    address: known?.address ?? order.token,
    decimals: known?.decimals ?? (await readDecimals(from, 'token', order.token)),
    ids: known?.id === undefined ? [] : [known.id],
  };
  checkAmount(order.amount, token.decimals);
  return token;
}

function checkAmount(amount: string, decimals: number): void {
  const fault = amountFault(amount, { name: 'the token', decimals });
  if (fault !== undefined) throw new BadOrderError(`amount: ${shown(amount)} ${fault}.`);
}

/**
 * The decimals of a token contract. Refuses a contract that is no token, and an amount with more
 * decimals.
 */
export async function contractDecimals(
  from: From,
  order: { contractAddress: string; amount: string },
): Promise<number> {
  const decimals = await readDecimals(from, 'contractAddress', order.contractAddress);
  checkAmount(order.amount, decimals);
  return decimals;
}

async function readDecimals(
  { custody, blockchain }: From,
  field: string,
  address: string,
): Promise<number> {
  const call = { address, blockchain, signature: 'decimals()', type: 'uint8' };
  const decimals = await viewIfAny(custody, call);
  if (decimals !== undefined) return Number(decimals);
  throw new BadOrderError(
    `${field}: ${address} is not an ERC-20 contract on ${blockchain}. ` +
      'Check the address and the network.',
  );
}
