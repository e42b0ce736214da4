import { randomUUID } from 'node:crypto';
import { getAddress, isAddress } from 'viem';
import type { Input } from '../../../src/custody/endpoints';
import type { FeeEstimate } from '../../../src/custody/objects/transaction';
import type { WalletCall } from '../../chain/estimateCall';
import { CallRevertedError, InsufficientNativeBalanceError, lacksTokens } from '../../chain/revert';
import { requireUnderCap } from '../../engine/broadcast/feeCap';
import { estimatesOf, feesOf } from '../../engine/broadcast/fees';
import { fault, type Side } from '../../errors/errors';
import { requireServed } from '../../errors/requireServed';
import { toCall } from '../../store/records/records';
import { walletsAt } from '../../store/records/walletBlockchain';
import { executionCall } from '../contracts/abiCall';
import { deployCodeCall } from '../contracts/bytecode';
import { deployCall, templateContract } from '../contracts/template';
import type { SandboxApi, Service } from '../service';
import { type GasSender, gasNeeded } from './gasNeeded';
import { senderWallet } from './newTransaction';
import { costFault } from './refuseCost';
import { transferCall } from './transferCall';
import { movementOf } from './transfers';

/** Estimates: each builds the call that its write would make, and changes nothing. */
export function estimateHandlers(service: Service) {
  return {
    estimateTransfer: async (input) => {
      const source = sourceOf(service, input);
      const call = await transferCall(service, await movementOf(service, input, source.address));
      return estimateFees(service, { source, call: toCall(call) });
    },

    estimateExecution: async (input) => {
      const source = sourceOf(service, input);
      return estimateFees(service, { source, call: toCall(executionCall(input)) });
    },

    estimateDeployment: async (input) => {
      templateContract(input.id);
      const source = sourceOf(service, input, 'contracts');
      // The id is only for this call: what is deployed later has an id, and so an address, of its own.
      const { call } = deployCall(service.chain, input, randomUUID());
      return threeLevels(service, { source, call: toCall(call) });
    },

    estimateContractDeployment: async (input) => {
      const source = sourceOf(service, input, 'contracts');
      const { call } = deployCodeCall(service.chain, input, randomUUID());
      return threeLevels(service, { source, call: toCall(call) });
    },
  } satisfies Partial<SandboxApi>;
}

/** The contract side tells the levels alone, also of a smart account. */
async function threeLevels(service: Service, facts: Parameters<typeof estimateFees>[1]) {
  const { low, medium, high } = await estimateFees(service, facts, 'contracts');
  return { low, medium, high };
}

type SourceInput = Pick<Input<'estimateExecution'>, 'walletId' | 'sourceAddress' | 'blockchain'>;

/** The sender of an estimate: a wallet by its id, or any address with its blockchain. */
function sourceOf(service: Service, input: SourceInput, side: Side = 'wallets'): GasSender {
  const { sourceAddress, walletId, blockchain } = input;
  if (sourceAddress === undefined) {
    const wallet = senderWallet(service, { walletId, blockchain }, side);
    return { address: wallet.address, wallet };
  }
  if (walletId !== undefined) throw fault('twoSenders', side);
  requireServed({ blockchain, served: service.shown.blockchain, side });
  if (!isAddress(sourceAddress, { strict: false })) throw fault('sourceInvalid', side);
  const address = getAddress(sourceAddress);
  return {
    address,
    wallet: walletsAt(service.store, { address, blockchain: service.shown.blockchain })[0],
  };
}

/**
 * The cost of a call at each level, as a transaction or as a smart account's operation. The sender
 * needs what the call moves, but not the money for gas. Refuses a call that would fail now, and one
 * that costs too much even at the lowest level.
 */
async function estimateFees(
  service: Service,
  { source, call }: { source: GasSender; call: WalletCall },
  side: Side = 'wallets',
): Promise<FeeEstimate> {
  return estimate(service, source, call).catch((error: unknown) => {
    throw estimateFault(error, side);
  });
}

async function estimate(
  service: Service,
  source: GasSender,
  call: WalletCall,
): Promise<FeeEstimate> {
  const { baseFeePerGas } = service.chain;
  const { gas, limits } = await gasNeeded(service, source, call);
  requireUnderCap(service, gas, feesOf('LOW', baseFeePerGas));
  const levels = estimatesOf(gas, baseFeePerGas);
  if (limits === undefined) return levels;
  return {
    ...levels,
    callGasLimit: limits.callGasLimit.toString(),
    verificationGasLimit: limits.verificationGasLimit.toString(),
    preVerificationGas: limits.preVerificationGas.toString(),
  };
}

/** The chain's reason against the call, in the service's words. Any other error stays as it is. */
function estimateFault(error: unknown, side: Side): unknown {
  if (error instanceof InsufficientNativeBalanceError) return fault('costAboveBalance', side);
  if (!(error instanceof CallRevertedError)) return costFault(error, side);
  return lacksTokens(error)
    ? fault('tokensShort', side)
    : fault('estimateReverted', side, error.reason);
}
