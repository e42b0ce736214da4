import { getAddress, isAddress } from 'viem';
import type { FeeEstimate } from '../../../src/custody/objects/transaction';
import { estimateUserOperation } from '../../chain/account/userOperation';
import type { Call } from '../../chain/estimateCall';
import { GasLimitExceededError, requireFit } from '../../chain/node/gasLimits';
import { CallRevertedError, InsufficientNativeBalanceError, lacksTokens } from '../../chain/revert';
import { estimateTransaction } from '../../chain/transaction';
import { estimatesOf, operationGas } from '../../engine/broadcast/fees';
import { accountSalt } from '../../engine/keys';
import { fault, type Side } from '../../errors/errors';
import { requireServed } from '../../errors/requireServed';
import type { Hex, WalletRow } from '../../store/records/records';
import { walletsAt } from '../../store/records/walletBlockchain';
import type { Service } from '../service';
import { sender } from './newTransaction';

type SourceInput = {
  walletId?: string | undefined;
  sourceAddress?: string | undefined;
  blockchain?: string | undefined;
};

/**
 * The sender of an estimate: any address, and the wallet that has this address, if there is one.
 */
export type Source = { address: Hex; wallet: WalletRow | undefined };

/** The sender of an estimate: a wallet by its id, or any address with its blockchain. */
export function sourceOf(service: Service, input: SourceInput, side: Side = 'wallets'): Source {
  const { sourceAddress, walletId, blockchain } = input;
  if (sourceAddress === undefined) {
    const wallet = sender(service, { walletId, blockchain }, side);
    return { address: wallet.address, wallet };
  }
  if (walletId !== undefined) throw fault('twoSenders', side);
  requireServed({ blockchain, served: service.shown.blockchain, side });
  if (!isAddress(sourceAddress)) throw fault('sourceInvalid', side);
  const address = getAddress(sourceAddress);
  return {
    address,
    wallet: walletsAt(service.store, { address, blockchain: service.shown.blockchain })[0],
  };
}

/**
 * The cost of a call at each level, as a transaction or as a smart account's operation. The sender
 * needs what the call moves, but not the money for gas. Refuses a call that would fail now.
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

/** The chain's reason against the call, in the service's words. Any other error stays as it is. */
function estimateFault(error: unknown, side: Side): unknown {
  if (error instanceof InsufficientNativeBalanceError) return fault('costAboveBalance', side);
  if (error instanceof GasLimitExceededError) return fault('gasAboveAllowance', side);
  if (!(error instanceof CallRevertedError)) return error;
  return lacksTokens(error)
    ? fault('tokensShort', side)
    : fault('estimateReverted', side, error.reason);
}
