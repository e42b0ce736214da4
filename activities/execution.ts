import {
  type Address,
  decodeFunctionData,
  type Hex,
  type Log,
  parseAbi,
  parseEventLogs,
  type Transaction,
  type TransactionReceipt,
} from 'viem';
import { entryPoint06Abi, entryPoint06Address } from 'viem/account-abstraction';

/** A transaction that is in a block. */
export type Mined = { transaction: Transaction; receipt: TransactionReceipt };

/** Whose part of a transaction is meant; the operation's hash where the account is a contract. */
export type Who = { sender: string; userOpHash?: string | undefined };

/** A call that an account has made itself; value in base units of the native coin. */
export type Call = { to: string; value: bigint };

/** What one account has done in a transaction. */
export type Execution = {
  sender: string;
  success: boolean;
  /** What its calls have logged, and nobody else's. */
  logs: Log[];
  /** Undefined where the account's way of calling is not known. */
  calls: Call[] | undefined;
  /** A contract that was created with no factory in between. */
  created: boolean;
};

/** Whether the account has sent the transaction itself, so that all of it is its own. */
export function isOwn({ transaction }: Pick<Mined, 'transaction'>, who: Who): boolean {
  return !who.userOpHash && sameText(transaction.from, who.sender);
}

/** What an account with a key of its own has done: the whole transaction. */
export function ownExecution({ transaction, receipt }: Mined): Execution {
  const { from, to, value } = transaction;
  return {
    sender: from,
    success: receipt.status === 'success',
    logs: receipt.logs,
    calls: to === null ? [] : [{ to, value }],
    created: Boolean(receipt.contractAddress),
  };
}

/**
 * What a smart account has done in a bundle of many: its one operation. Where that cannot be told
 * from the others, a sentence that says why.
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
  const { success, logs } = operation;
  return { sender, success, logs, calls: bundledCalls(mined, operation), created: false };
}

type Operation = {
  userOpHash: Hex;
  sender: Address;
  nonce: bigint;
  success: boolean;
  logs: Log[];
};

/**
 * The entry point verifies all operations of a bundle, says so, then executes one after the other
 * and closes each with an event: what lies before that, back to the last event, is its own.
 */
function operationsOf({ logs: all }: TransactionReceipt): Operation[] {
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

/** The calls of an operation, as its bundle handed them to the account. */
function bundledCalls({ transaction }: Mined, operation: Operation): Call[] | undefined {
  if (!sameText(transaction.to ?? '', entryPoint06Address)) return undefined;
  const bundle = decoded(() =>
    decodeFunctionData({ abi: entryPoint06Abi, data: transaction.input }),
  );
  if (bundle?.functionName !== 'handleOps') return undefined;
  const [operations] = bundle.args;
  const own = operations.find(
    ({ sender, nonce }) => sameText(sender, operation.sender) && nonce === operation.nonce,
  );
  return own && accountCalls(own.callData);
}

/** How simple accounts and modular ones (ERC-6900) are told what to call. */
const accountAbi = parseAbi([
  'function execute(address to, uint256 value, bytes data)',
  'struct Call { address to; uint256 value; bytes data; }',
  'function executeBatch(Call[] calls)',
]);

function accountCalls(callData: Hex): Call[] | undefined {
  if (callData === '0x') return [];
  const call = decoded(() => decodeFunctionData({ abi: accountAbi, data: callData }));
  if (call === undefined) return undefined;
  if (call.functionName === 'executeBatch') return [...call.args[0]];
  const [to, value] = call.args;
  return [{ to, value }];
}

/** Undefined for what is a call of something else. */
function decoded<T>(decode: () => T): T | undefined {
  try {
    return decode();
  } catch {
    return undefined;
  }
}

/** Hexadecimal text is the same however its letters are written. */
export function sameText(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
