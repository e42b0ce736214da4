import {
  type Address,
  decodeAbiParameters,
  getAbiItem,
  type Hex,
  type Log,
  parseAbiParameters,
  toEventSelector,
} from 'viem';
import { entryPoint06Abi } from 'viem/account-abstraction';
import { decodeRevertReason } from './revert';
import { addressInWord } from './transfers';

/** The outcome of one user operation of a bundle. */
export type UserOperationOutcome = {
  userOpHash: Hex;
  sender: Address;
  success: boolean;
  /** The price that the paymaster has paid for it, in the native coin. */
  actualGasCost: bigint;
  actualGasUsed: bigint;
  /** Only where it has not succeeded. */
  revertReason: string | undefined;
  /** The logs of its own call. */
  logs: Log[];
};

/**
 * Reads a bundle's receipt, operation by operation. The entry point verifies all operations first,
 * then executes one after the other and closes each with an event: what lies between is its own.
 */
export function readOutcomes(
  receipt: { logs: Log[] },
  { entryPoint }: { entryPoint: Address },
): UserOperationOutcome[] {
  const outcomes: UserOperationOutcome[] = [];
  let logs: Log[] = [];
  let revertReason: string | undefined;
  for (const log of receipt.logs) {
    const isOwn = log.address.toLowerCase() === entryPoint.toLowerCase();
    const event = isOwn ? eventOf.get(log.topics[0]) : undefined;
    if (event === 'BeforeExecution') {
      logs = [];
    } else if (event === 'UserOperationRevertReason') {
      const [, reason] = decodeAbiParameters(reasonParameters, log.data);
      revertReason = decodeRevertReason(reason);
    } else if (event === 'UserOperationEvent') {
      const result = readResult(log);
      // The entry point reports no reason when the call gave none, as when it ran out of gas.
      revertReason = result.success ? undefined : (revertReason ?? decodeRevertReason('0x'));
      outcomes.push({ ...result, revertReason, logs });
      logs = [];
      revertReason = undefined;
    } else {
      logs.push(log);
    }
  }
  return outcomes;
}

/** The events by their selectors, computed once and not for each log. */
const eventOf = new Map<Hex | undefined, string>(
  (['BeforeExecution', 'UserOperationRevertReason', 'UserOperationEvent'] as const).map((name) => [
    toEventSelector(getAbiItem({ abi: entryPoint06Abi, name })),
    name,
  ]),
);
const reasonParameters = parseAbiParameters('uint256 nonce, bytes reason');
const resultParameters = parseAbiParameters(
  'uint256 nonce, bool success, uint256 cost, uint256 used',
);

/** The event's topics: itself, the operation, its sender, its paymaster. */
function readResult({ topics, data }: Log) {
  const [, userOpHash = '0x', sender = '0x'] = topics;
  const [, success, actualGasCost, actualGasUsed] = decodeAbiParameters(resultParameters, data);
  return { userOpHash, sender: addressInWord(sender), success, actualGasCost, actualGasUsed };
}
