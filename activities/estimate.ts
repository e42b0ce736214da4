import { fromBaseUnits, toBaseUnits } from '../src/custody/amount';
import { blockchains } from '../src/custody/blockchain';
import type { CustodyApi } from '../src/custody/endpoints';
import { RefusedError } from '../src/custody/errors';
import type { LevelEstimates } from '../src/custody/transaction';
import { withUsualParameters } from '../src/custody/usualParameters';
import type { Fee } from '../src/orders/plan';
import { BadOrderError } from '../src/orders/read';
import { tryRead } from './attempt';
import type { From, ResolvedToken, ResolvedWallet } from './resolve';
import type { Ready } from './resolveOrder';
import { type Held, readHeld } from './wallets';

type Estimate = (signal: AbortSignal) => Promise<LevelEstimates>;

/**
 * Asks what the first write of an order would cost, which the service refuses to say of a call that
 * could not succeed now. Returns undefined where that cannot be asked yet, or where the service has
 * no opinion. Refuses an order that the sender cannot pay for, or that the contract would revert:
 * before anything is sent, which is when it costs nothing.
 */
export async function estimateFirst(custody: CustodyApi, ready: Ready): Promise<Fee | undefined> {
  const { wallet, order, blockchain } = ready;
  const from = { custody, blockchain };
  const estimate = estimateOf(from, ready);
  if (estimate === undefined || wallet === undefined) return undefined;
  const levels = await tryRead(async (signal) => {
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
      // Nothing that another refusal says is about this write: the write itself will tell.
      if (error instanceof RefusedError && error.status === 400) return undefined;
      throw error;
    }
  });
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

/** What each fee level is called in an estimate. */
export const feeFields = { LOW: 'low', MEDIUM: 'medium', HIGH: 'high' } as const;

/** The service's codes for a call that cannot succeed as things are (hosted-service facts §7). */
const short: readonly number[] = [155201, 155204, 155205, 177001, 177003, 177004];
const reverted: readonly number[] = [155206, 155207, 155208, 177005, 177006, 177007];
const cannotSucceed: ReadonlySet<number> = new Set([...short, ...reverted]);

/** How the first write is estimated, of the kinds of order whose first write needs nothing made. */
function estimateOf(from: From, ready: Ready): Estimate | undefined {
  const { custody, blockchain } = from;
  const { order, wallet, token } = ready;
  if (wallet === undefined) return undefined;
  const { walletId, address: sourceAddress } = wallet;
  if ('from' in order && token !== undefined) {
    const way = { sourceAddress, blockchain, destinationAddress: order.to };
    const input = { ...way, tokenAddress: token.address, amounts: [order.amount] };
    return (signal) => custody.estimateTransfer(input, { signal });
  }
  if ('abiFunctionSignature' in order) {
    const { contractAddress, abiFunctionSignature, abiParameters, amount } = order;
    const call = { contractAddress, abiFunctionSignature, abiParameters };
    const sent = amount === undefined ? {} : { amount };
    return (signal) => custody.estimateExecution({ walletId, ...call, ...sent }, { signal });
  }
  if ('template' in order) {
    const { template: id, parameters } = order;
    const templateParameters = withUsualParameters(id, sourceAddress, parameters);
    const input = { id, walletId, blockchain, templateParameters };
    return (signal) => custody.estimateDeployment(input, { signal });
  }
  if (!('contractAddress' in order)) return undefined;
  const { contractAddress, to, amount } = order;
  const units = toBaseUnits(amount, ready.decimals ?? 0).toString();
  const mint = { abiFunctionSignature: 'mintTo(address,uint256)', abiParameters: [to, units] };
  return (signal) => custody.estimateExecution({ walletId, contractAddress, ...mint }, { signal });
}

/** Why a write that cannot succeed is not made, as a sentence with the way out. */
async function refusal(from: From, ready: Ready, why: RefusedError): Promise<BadOrderError> {
  const { order, wallet, token } = ready;
  const name = `--wallet ${wallet?.walletId}`;
  // Each token has words of its own for too little, so the balance is what tells.
  if (wallet !== undefined && token !== undefined && 'amount' in order) {
    const { baseUnits = '0', amount = '0' } = (await heldBy(from, wallet, token)) ?? {};
    if (BigInt(baseUnits) < toBaseUnits(order.amount ?? '0', token.decimals)) {
      return new BadOrderError(
        `amount: ${wallet.address} holds ${amount} ${token.name}, and the order sends ` +
          `${order.amount}. Fund it first: npx steadfast fund ${name} --token ${token.name} ` +
          `--amount ${order.amount}`,
      );
    }
  }
  const said = why.message.replace(/\.$/, '');
  return new BadOrderError(
    short.includes(why.code)
      ? `The wallet holds too little for this: ${said}. Fund it first: npx steadfast fund ${name}`
      : `The chain would revert this: ${said}. Nothing was sent. ` +
          'See that the wallet may do it, and that the parameters are right.',
  );
}

/** Whoever pays its own fees needs the coin for them. */
async function refuseWithoutGas(from: From, wallet: ResolvedWallet, fee: Fee): Promise<void> {
  const native = blockchains[from.blockchain]?.tokens.find(({ symbol }) => symbol === 'native');
  if (native === undefined) return;
  const held = await heldBy(from, wallet, { ...native, name: 'native', ids: [] });
  const { decimals } = native;
  const needed = toBaseUnits(fee.networkFee, decimals);
  if (BigInt(held?.baseUnits ?? 0) >= needed) return;
  throw new BadOrderError(
    `The wallet ${wallet.address} pays its own fees, here ${fromBaseUnits(needed, decimals)} of ` +
      `the native coin, and holds ${held?.amount ?? '0'}. Fund it first: ` +
      `npx steadfast fund --wallet ${wallet.walletId} --token native`,
  );
}

/** What a wallet holds of a token; undefined where the service lists nothing of it. */
export function heldBy(
  { custody, blockchain }: From,
  { walletId }: ResolvedWallet,
  token: ResolvedToken,
): Promise<Held | undefined> {
  const nativeTwins = blockchains[blockchain]?.nativeTwins ?? [];
  return readHeld(custody, { walletId, token, nativeTwins });
}
