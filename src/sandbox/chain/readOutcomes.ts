import { type Address, type Hex, isAddressEqual, type Log, parseEventLogs } from 'viem';
import { entryPoint06Abi } from 'viem/account-abstraction';
import { decodeRevertReason } from './revert';

/** What became of one user operation of a bundle. */
export type UserOperationOutcome = {
  userOpHash: Hex;
  sender: Address;
  success: boolean;
  /** What the paymaster has paid for it, in the native coin. */
  actualGasCost: bigint;
  actualGasUsed: bigint;
  /** Only where it has not succeeded. */
  revertReason: string | undefined;
  /** What its call has logged, and no other. */
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
    const event = isAddressEqual(log.address, entryPoint) ? parseEvent(log) : undefined;
    if (event?.eventName === 'BeforeExecution') {
      logs = [];
    } else if (event?.eventName === 'UserOperationRevertReason') {
      revertReason = decodeRevertReason(event.args.revertReason);
    } else if (event?.eventName === 'UserOperationEvent') {
      const { userOpHash, sender, success, actualGasCost, actualGasUsed } = event.args;
      // The entry point reports no reason when the call gave none, as when it ran out of gas.
      revertReason = success ? undefined : (revertReason ?? decodeRevertReason('0x'));
      const costs = { actualGasCost, actualGasUsed };
      outcomes.push({ userOpHash, sender, success, ...costs, revertReason, logs });
      logs = [];
      revertReason = undefined;
    } else {
      logs.push(log);
    }
  }
  return outcomes;
}

function parseEvent(log: Log) {
  const [event] = parseEventLogs({
    abi: entryPoint06Abi,
    eventName: ['BeforeExecution', 'UserOperationRevertReason', 'UserOperationEvent'],
    logs: [log],
  });
  return event;
}
