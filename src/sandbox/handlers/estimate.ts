import { getAddress, isAddress } from 'viem';
import type { FeeEstimate } from '../../custody/transaction';
import { blockchainFault } from '../blockchainFault';
import type { Call } from '../chain/estimateCall';
import { GasLimitExceededError, requireFit } from '../chain/gasLimits';
import { CallRevertedError, InsufficientNativeBalanceError, lacksTokens } from '../chain/revert';
import { estimateTransaction } from '../chain/transaction';
import { estimateUserOperation } from '../chain/userOperation';
import { fault, type Side } from '../errors';
import { estimatesOf, operationGas } from '../fees';
import { accountSalt } from '../keys';
import type { Service } from '../service';
import type { Hex, WalletRow } from '../store/records';
import { walletsAt } from '../walletBlockchain';
import { sender } from './newTransaction';

type SourceInput = {
  walletId?: string | undefined;
  sourceAddress?: string | undefined;
  blockchain?: string | undefined;
};

/** Who would send: any address, and the wallet that it is the address of, if it is one's. */
export type Source = { address: Hex; wallet: WalletRow | undefined };

/** The sender of an estimate: a wallet by its id, or any address with its blockchain. */
export function sourceOf(service: Service, input: SourceInput, side: Side = 'wallets'): Source {
  const { sourceAddress, walletId, blockchain } = input;
  if (sourceAddress === undefined) {
    const wallet = sender(service, { walletId, blockchain }, side);
    return { address: wallet.address, wallet };
  }
  if (walletId !== undefined) throw fault('twoSenders', side);
  const wrong = blockchainFault({ blockchain, served: service.shown.blockchain, side });
  if (wrong) throw wrong;
  if (!isAddress(sourceAddress)) throw fault('sourceInvalid', side);
  const address = getAddress(sourceAddress);
  return {
    address,
    wallet: walletsAt(service.store, { address, blockchain: service.shown.blockchain })[0],
  };
}

/**
 * What a call would cost at each level, as a transaction of its own or, from a smart account, as an
 * operation. It asks for what the call moves, not for the gas money. Refuses a call that could not
 * succeed now.
 */
export async function estimateFees(
  service: Service,
  { source, call }: { source: Source; call: Call },
  side: Side = 'wallets',
): Promise<FeeEstimate> {
  try {
    return await estimate(service, source, call);
  } catch (error) {
    throw estimateFault(error, side);
  }
}

async function estimate(
  { chain, keys }: Service,
  { address, wallet }: Source,
  call: Call,
): Promise<FeeEstimate> {
  if (wallet?.accountType !== 'SCA') {
    const gas = await estimateTransaction(chain, { from: address, call });
    requireFit(gas);
    return estimatesOf(gas, chain.baseFeePerGas);
  }
  const account = { owner: keys.owner(wallet).address, salt: accountSalt };
  const limits = await estimateUserOperation(chain, { ...account, call });
  const gas = operationGas(limits);
  requireFit(gas);
  return {
    ...estimatesOf(gas, chain.baseFeePerGas),
    callGasLimit: limits.callGasLimit.toString(),
    verificationGasLimit: limits.verificationGasLimit.toString(),
    preVerificationGas: limits.preVerificationGas.toString(),
  };
}

/** What the chain has against the call, in the service's words; else the error itself. */
function estimateFault(error: unknown, side: Side): unknown {
  if (error instanceof InsufficientNativeBalanceError) return fault('costAboveBalance', side);
  if (error instanceof GasLimitExceededError) return fault('gasAboveAllowance', side);
  if (!(error instanceof CallRevertedError)) return error;
  return lacksTokens(error)
    ? fault('tokensShort', side)
    : fault('estimateReverted', side, error.reason);
}
