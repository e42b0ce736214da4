import { randomUUID } from 'node:crypto';
import { readChain } from '../../src/chain/readChain';
import { withUsualParameters } from '../../src/custody/abi/usualParameters';
import type { CustodyApi } from '../../src/custody/endpoints';
import { RefusedError } from '../../src/custody/errors';
import { networks } from '../../src/custody/networks/networks';
import { fromBaseUnits, toBaseUnits } from '../../src/custody/objects/amount';
import { faucetTokens } from '../../src/custody/objects/faucet';
import type { LevelEstimates } from '../../src/custody/objects/transaction';
import { BadOrderError } from '../../src/orders/input/read';
import type { OrderWrite, ResolvedToken, ResolvedWallet } from '../../src/orders/kind';
import { kindOf } from '../../src/orders/kinds';
import type { Fee } from '../../src/orders/progress/plan';
import { tryFind } from '../attempt';
import type { From } from '../resolve';
import { listedBalance, type WalletBalance } from '../wallets';
import type { Ready } from './resolveOrder';

type Estimate = (signal: AbortSignal) => Promise<LevelEstimates>;

/**
 * Asks the service for the cost of an order's first write. Refuses an order that the sender cannot
 * pay for, or that the contract would revert, before anything is sent. Returns undefined where the
 * service cannot be asked yet, or where it has no opinion.
 */
export async function estimateFirst(custody: CustodyApi, ready: Ready): Promise<Fee | undefined> {
  const { order, blockchain } = ready;
  const [write] = kindOf(ready.kind).isMetByBalance ? [] : ready.writes;
  const from = { custody, blockchain };
  const estimate = write && estimateOf(from, ready, write);
  const wallet = write?.from;
  if (estimate === undefined || wallet === undefined) return undefined;
  const levels = await tryFind(400, async (signal) => {
    try {
      return await estimate(signal);
    } catch (error) {
      if (error instanceof RefusedError && cannotSucceed.has(error.code)) return error;
      if (error instanceof RefusedError && error.status === 404 && 'template' in order) {
        throw new BadOrderError(
          `template: the service has no template ${order.template}. Give fungible, uniqueItem, ` +
            'multiToken, airdrop, or the id of one that it has.',
        );
      }
      throw error;
    }
  });
  // Any other refusal says nothing about this write. The write itself will tell.
  if (levels === undefined) return undefined;
  if (levels instanceof RefusedError) throw await refusal(from, ready, levels);
  const level = levels[feeFields[order.feeLevel]];
  const fee: Fee = {
    networkFee: level.networkFee,
    gasLimit: level.gasLimit,
    paidBy: wallet.accountType === 'SCA' ? 'paymaster' : 'wallet',
  };
  if (fee.paidBy === 'wallet') await refuseWithoutGas(from, wallet, fee);
  return fee;
}

/** Names of the fee levels in an estimate. */
export const feeFields = { LOW: 'low', MEDIUM: 'medium', HIGH: 'high' } as const;

/** Codes of the service for a call that cannot succeed now. */
const short: readonly number[] = [155201, 155204, 155205, 155258, 177001, 177003, 177004];
const reverted: readonly number[] = [155206, 155207, 155208, 177005, 177006, 177007];
const cannotSucceed: ReadonlySet<number> = new Set([...short, ...reverted]);

/** The question that estimates a write. Undefined if the write is not complete yet. */
function estimateOf(
  { custody, blockchain }: From,
  { token }: Ready,
  write: OrderWrite,
): Estimate | undefined {
  const { from } = write;
  if (from === undefined) return undefined;
  const { walletId, address: sourceAddress } = from;
  if (write.makes === 'transfer') {
    const { to: destinationAddress, amount } = write;
    if (token === undefined || amount === undefined) return undefined;
    const way = { sourceAddress, blockchain, destinationAddress };
    const input = { ...way, tokenAddress: token.address, amounts: [amount] };
    return (signal) => custody.estimateTransfer(input, { signal });
  }
  if (write.makes === 'deployment') {
    const { template: id, parameters } = write;
    const templateParameters = withUsualParameters(id, sourceAddress, parameters);
    const input = { id, walletId, blockchain, templateParameters };
    return (signal) => custody.estimateDeployment(input, { signal });
  }
  if (write.makes !== 'call' || write.call === undefined) return undefined;
  const { amount, ...call } = write.call;
  const input = { walletId, ...call, ...(amount === undefined ? {} : { amount }) };
  return (signal) => custody.estimateExecution(input, { signal });
}

/** The refusal of a write that cannot succeed, with the reason and a way out. */
async function refusal(from: From, ready: Ready, why: RefusedError): Promise<BadOrderError> {
  const { order, wallet, token } = ready;
  // Each token reports too little money in its own words, so ask for the balance.
  if (wallet !== undefined && token !== undefined && 'amount' in order) {
    const { baseUnits = '0', amount = '0' } = (await heldBy(from, wallet, token)) ?? {};
    if (BigInt(baseUnits) < toBaseUnits(order.amount ?? '0', token.decimals)) {
      return new BadOrderError(
        `amount: ${wallet.address} holds ${amount} ${token.name}, and the order sends ` +
          `${order.amount}. ${wayToFund(wallet, token.name, order.amount ?? '0')}`,
      );
    }
  }
  const said = why.message.replace(/\.$/, '');
  return new BadOrderError(
    short.includes(why.code)
      ? `The wallet holds too little for this: ${said}. Send more to ${wallet?.address}.`
      : `The chain would revert this: ${said}. Nothing was sent. ` +
          'See that the wallet may do it, and that the parameters are right.',
  );
}

/** The most that the faucet gives at once. */
const dripMax = 20;

/** A way to fund a wallet that works for this amount: the faucet, or another wallet. */
function wayToFund({ walletId, address }: ResolvedWallet, token: string, amount: string): string {
  const flags = `--wallet ${walletId} --token ${token} --amount ${amount}`;
  const command = `npx --no-install steadfast fund ${flags} --id fund:${randomUUID().slice(0, 8)}`;
  if (faucetTokens.includes(token) && Number(amount) <= dripMax) return `Fund it first: ${command}`;
  return `Send more to ${address}, or fund it from another wallet: ${command} --source <wallet>`;
}

/** A wallet that pays its own fees needs the native coin. */
async function refuseWithoutGas(from: From, wallet: ResolvedWallet, fee: Fee): Promise<void> {
  const native = networks[from.blockchain]?.tokens.find(({ symbol }) => symbol === 'native');
  if (native === undefined) return;
  const held = await heldBy(from, wallet, { ...native, name: 'native', ids: [] });
  const { decimals } = native;
  const needed = toBaseUnits(fee.networkFee, decimals);
  if (BigInt(held?.baseUnits ?? 0) >= needed) return;
  throw new BadOrderError(
    `The wallet ${wallet.address} pays its own fees, here ${fromBaseUnits(needed, decimals)} of ` +
      `the native coin, and holds ${held?.amount ?? '0'}. ` +
      wayToFund(wallet, 'native', fromBaseUnits(needed, decimals)),
  );
}

/** A wallet's balance of a token. Undefined if the service lists none. */
export function heldBy(
  { custody, blockchain }: From,
  { walletId }: ResolvedWallet,
  token: ResolvedToken,
): Promise<WalletBalance | undefined> {
  return listedBalance(custody, { walletId, token, blockchain });
}

/**
 * Refuses a call of an address without a contract: the chain would accept it and do nothing, and
 * the order would end as done. Needs CHAIN_RPC_URL, since only the chain can tell.
 */
export async function refuseWithoutCode(
  { order, blockchain }: Ready,
  chainRpcUrl: string | undefined,
): Promise<void> {
  if (chainRpcUrl === undefined || !('abiFunctionSignature' in order)) return;
  const { contractAddress: address } = order;
  const code = await readChain(chainRpcUrl, (chain) => chain.getCode({ address }));
  if (code !== undefined && code !== '0x') return;
  throw new BadOrderError(
    `contractAddress: ${address} holds no contract on ${blockchain}, so a call would do ` +
      'nothing. Check the address and the network.',
  );
}
