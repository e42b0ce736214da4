import {
  type Address,
  type Hex,
  type Log,
  parseAbi,
  parseEventLogs,
  type Transaction,
  type TransactionReceipt,
} from 'viem';
import { entryPoint06Abi, entryPoint06Address } from 'viem/account-abstraction';
import { decodedCall } from '../custody/abi/callData';
import { sameText } from '../custody/objects/sameText';

/** A transaction in a block. */
export type Mined = { transaction: Transaction; receipt: TransactionReceipt };

/**
 * The account whose part of a transaction is meant. A smart account also has the operation's hash.
 */
export type Who = { sender: string; userOpHash?: string | undefined };

/** A call that the account made itself. Its value is in base units of the native coin. */
export type AccountCall = { to: string; value: bigint; data: Hex };

/** One account's part of a transaction. */
export type Execution = {
  sender: string;
  success: boolean;
  /** Logs of its own calls only. */
  logs: Log[];
  /** Undefined if the account's way of calling is unknown. */
  calls: AccountCall[] | undefined;
  /** True if it created a contract without a factory. */
  created: boolean;
  /** Paid for its gas, by whom ever. In base units of the native coin. */
  fee: bigint;
};

/** True if the account sent the transaction itself, so that all of it is its own. */
export function isOwnTransaction({ transaction }: Pick<Mined, 'transaction'>, who: Who): boolean {
  return !who.userOpHash && sameText(transaction.from, who.sender);
}

/** The whole transaction, as the part of an account that has a key of its own. */
export function ownExecution({ transaction, receipt }: Mined): Execution {
  const { from, to, value, input: data } = transaction;
  return {
    sender: from,
    success: receipt.status === 'success',
    logs: receipt.logs,
    calls: to === null ? [] : [{ to, value, data }],
    created: Boolean(receipt.contractAddress),
    fee: receipt.gasUsed * receipt.effectiveGasPrice,
  };
}

/** A transaction that no block has yet. Nobody knows if it will succeed. */
export function pendingExecution({ from: sender, to, value, input: data }: Transaction): Execution {
  const calls = to === null ? [] : [{ to, value, data }];
  return { sender, success: false, logs: [], calls, created: false, fee: 0n };
}

/**
 * A smart account's one operation in a bundle. Returns a sentence with the reason if it cannot be
 * told apart from the others.
 */
export function operationExecution(mined: Mined, who: Who): Execution | string {
  const { sender, userOpHash } = who;
  const found = operationsOf(mined.receipt).filter(
    (operation) =>
      sameText(operation.sender, sender) &&
      (!userOpHash || sameText(operation.userOpHash, userOpHash)),
  );
  const [operation, ...others] = found;
  const { hash } = mined.transaction;
  if (operation === undefined) {
    const operationName = userOpHash ? `user operation ${userOpHash}` : 'user operation';
    return `${hash} was not sent by ${sender} and carries no ${operationName} of it`;
  }
  if (others.length > 0) {
    return (
      `${hash} carries ${found.length} user operations of ${sender}, and without a userOpHash ` +
      'nobody can tell which one is meant'
    );
  }
  const { success, logs, actualGasCost: fee } = operation;
  return { sender, success, logs, calls: bundledCalls(mined, operation), created: false, fee };
}

/** One user operation of a bundle, and the logs of its own calls. */
export type Operation = {
  userOpHash: Hex;
  sender: Address;
  /** Pays for its gas. The zero address if the account does so itself. */
  paymaster: Address;
  nonce: bigint;
  success: boolean;
  /** In base units of the native coin. */
  actualGasCost: bigint;
  logs: Log[];
};

/**
 * Splits a bundle's logs by operation. The entry point verifies all operations, logs that, and
 * executes one after the other. Each operation ends with an event and owns the logs since the last
 * event.
 */
export function operationsOf({ logs: all }: Pick<TransactionReceipt, 'logs'>): Operation[] {
  const operations: Operation[] = [];
  let logs: Log[] = [];
  for (const log of all) {
    if (!sameText(log.address, entryPoint06Address)) {
      logs.push(log);
      continue;
    }
    const [event] = parseEventLogs({ abi: entryPoint06Abi, logs: [log] });
    if (event?.eventName === 'UserOperationEvent') operations.push({ ...event.args, logs });
    const isBorder =
      event?.eventName === 'BeforeExecution' || event?.eventName === 'UserOperationEvent';
    if (isBorder) logs = [];
  }
  return operations;
}

/** The calls that the bundle handed to the account for this operation. */
export function bundledCalls(
  { transaction }: Pick<Mined, 'transaction'>,
  operation: Operation,
): AccountCall[] | undefined {
  if (!sameText(transaction.to ?? '', entryPoint06Address)) return undefined;
  const bundle = decodedCall(entryPoint06Abi, transaction.input);
  if (bundle?.functionName !== 'handleOps') return undefined;
  const [operations] = bundle.args;
  const own = operations.find(
    ({ sender, nonce }) => sameText(sender, operation.sender) && nonce === operation.nonce,
  );
  return own && accountCalls(own.callData, own.sender);
}

/** Call functions of simple accounts and modular ones (ERC-6900). */
const accountAbi = parseAbi([
  'function execute(address to, uint256 value, bytes data)',
  'struct Call { address to; uint256 value; bytes data; }',
  'function executeBatch(Call[] calls)',
]);

function accountCalls(callData: Hex, account: string): AccountCall[] | undefined {
  if (callData === '0x') return [];
  const call = decodedCall(accountAbi, callData);
  if (call === undefined) return undefined;
  if (call.functionName === 'executeBatch') return [...call.args[0]];
  const [to, value, data] = call.args;
  const alone = [{ to, value, data }];
  // An account that calls itself makes the calls that are inside.
  return sameText(to, account) ? (accountCalls(data, account) ?? alone) : alone;
}
