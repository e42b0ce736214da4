import { decodeFunctionResult, getAddress, parseAbi } from 'viem';
import type { CustodyApi } from '../src/custody/endpoints';
import { RefusedError } from '../src/custody/errors';
import { blockchains } from '../src/custody/objects/blockchain';
import type { Wallet } from '../src/custody/objects/wallet';
import { amountFault, type WalletReference } from '../src/orders/input/fields';
import { BadOrderError } from '../src/orders/input/read';
import { shown } from '../src/orders/input/shown';
import type { ResolvedToken, ResolvedWallet } from '../src/orders/kind';
import { tryRead } from './attempt';

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
        'Create one (steadfast provision), or check the id.',
    );
  }
  if (wallet.blockchain !== from.blockchain) {
    throw new BadOrderError(
      `${field}: wallet ${name} is on ${wallet.blockchain}, not on ${from.blockchain}. ` +
        'Name one that is.',
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

async function findWallet(from: From, reference: WalletReference): Promise<Wallet | undefined> {
  const { custody, blockchain } = from;
  return tryRead(async (signal) => {
    if ('walletAddress' in reference) {
      const input = { address: reference.walletAddress, blockchain };
      const { wallets } = await custody.listWallets(input, { signal });
      const wanted = reference.walletAddress.toLowerCase();
      return wallets.find(({ address }) => address.toLowerCase() === wanted);
    }
    try {
      const { wallet } = await custody.getWallet({ id: reference.walletId }, { signal });
      return wallet.id.toLowerCase() === reference.walletId.toLowerCase() ? wallet : undefined;
    } catch (error) {
      if (error instanceof RefusedError && error.status === 404) return undefined;
      throw error;
    }
  });
}

const decimalsAbi = parseAbi(['function decimals() view returns (uint8)']);

/** The token that an order names, with its decimals. Refuses an amount with more decimals. */
export async function resolveToken(
  from: From,
  order: { token: string; amount: string },
): Promise<ResolvedToken> {
  const known = blockchains[from.blockchain]?.tokens.find(
    (token) =>
      token.symbol === order.token || token.address.toLowerCase() === order.token.toLowerCase(),
  );
  const token: ResolvedToken =
    known === undefined
      ? {
          name: order.token,
          address: order.token,
          decimals: await readDecimals(from, 'token', order.token),
          ids: [],
        }
      : {
          name: order.token,
          address: known.address,
          decimals: known.decimals,
          ids: known.id === undefined ? [] : [known.id],
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

async function readDecimals(from: From, field: string, address: string): Promise<number> {
  const noToken = new BadOrderError(
    `${field}: ${address} is not an ERC-20 contract on ${from.blockchain}. ` +
      'Check the address and the network.',
  );
  const { custody, blockchain } = from;
  const data = await tryRead(async (signal) => {
    try {
      const input = { address, blockchain, abiFunctionSignature: 'decimals()', abiParameters: [] };
      return (await custody.queryContract(input, { signal })).outputData;
    } catch (error) {
      if (error instanceof RefusedError && error.status === 400) throw noToken;
      throw error;
    }
  });
  try {
    return decodeFunctionResult({ abi: decimalsAbi, data: asHex(data) });
  } catch {
    throw noToken;
  }
}

function asHex(data: string): `0x${string}` {
  return `0x${data.replace(/^0x/, '')}`;
}
