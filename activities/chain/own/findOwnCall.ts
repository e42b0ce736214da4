import { type Address, erc20Abi, getAbiItem, type Hash, type Transaction, zeroAddress } from 'viem';
import { entryPoint06Address } from 'viem/account-abstraction';
import type { CustodyApi } from '../../../src/custody/endpoints';
import { readingsFor } from '../../../src/custody/objects/finalWord';
import { isNativeCoin, sameText } from '../../../src/custody/objects/sameMoney';
import type { Transaction as Recorded } from '../../../src/custody/objects/transaction';
import { everyPage, inSlices } from '../../reading';
import { operationEvent } from '../bundledAgain';
import type { Effect } from '../effect';
import { type Execution, type Mined, operationExecution, ownExecution } from '../execution';
import { logsBetween } from '../logsBetween';
import { hex, readChain } from '../readChain';
import { countCancelled } from './countCancelled';
import { isOrdered } from './isOrdered';
import { readMined } from './mined';
import { ownTransactions, pendingOf } from './ownTransactions';

/** The call to look for, and what its record says of it. */
export type OwnCall = {
  /** The record. Another one may claim the same transaction. */
  id: string;
  sender: string;
  isSmart: boolean;
  userOpHash?: string | undefined;
  effect: Effect;
  sinceMs: number;
  /** The newest block when the service's final word was heard first. */
  atBlock?: number | undefined;
  /** True if the service calls it cancelled. */
  isCancelled?: boolean;
};

/**
 * The transaction that has carried out the call. Without it: `replaced` is true if it can never
 * happen, false if it may, and unset if nothing is known of it.
 */
export type FoundCall = { mined: Mined; userOpHash?: string } | { replaced?: boolean };

/** Number of transactions read at a time. */
const atOnceMax = 20;

/** The service's records, and which of them count as payments of their own. Without it, all do. */
export type Lists = Pick<CustodyApi, 'listTransactions'> & {
  isCounted?: (transactionId: string) => Promise<boolean>;
};

/**
 * Looks for an ordered call among all that its account has done since its record was made. The
 * transaction that the record names does not matter. A payment that looks the same counts only if
 * no other record has it.
 */
export async function findOwnCall(
  rpcUrl: string,
  custody: Lists,
  call: OwnCall,
): Promise<FoundCall> {
  const readings = readingsFor({ userOpHash: call.userOpHash }, call);
  if (readings.includes('ownTransactions')) return amongTransactions(rpcUrl, custody, call);
  return amongOperations(rpcUrl, custody, call);
}

async function amongTransactions(
  rpcUrl: string,
  custody: Lists,
  call: OwnCall,
): Promise<FoundCall> {
  const account = hex(call.sender);
  const candidates = await sentBy(rpcUrl, account, call);
  for (const transaction of candidates) {
    const mined = await withReceipt(rpcUrl, transaction);
    const isOwn = isOrdered(call.effect, ownExecution(mined)) && mined.receipt.status === 'success';
    if (isOwn && !(await isClaimed(custody, call, transaction.hash))) return { mined };
  }
  const { shown, hidden } = await readChain(rpcUrl, (chain) => pendingOf(chain, account));
  const mayBe = shown.some((transaction) => isOrdered(call.effect, pendingExecution(transaction)));
  return mayBe || hidden > 0 ? { replaced: false } : {};
}

/** The account's transactions that may be the call: by its money's logs, or else all of them. */
async function sentBy(
  rpcUrl: string,
  account: Address,
  { effect, sinceMs }: OwnCall,
): Promise<Transaction[]> {
  const logged = loggedBy(effect);
  if (logged === undefined) return ownTransactions(rpcUrl, account, sinceMs);
  const event = getAbiItem({ abi: erc20Abi, name: 'Transfer' });
  const logs = await logsBetween({ rpcUrl, sinceMs, isWhole: true }, (chain, range) =>
    chain.getLogs({ event, ...logged, ...range, strict: true }),
  );
  const hashes = [...new Set(logs.map(({ transactionHash }) => transactionHash))];
  const sent = await inSlices(hashes, atOnceMax, (hash) =>
    readChain(rpcUrl, (chain) => chain.getTransaction({ hash })),
  );
  return sent.filter(({ from }) => sameText(from, account));
}

/** The logs that the call leaves. Undefined where it may leave none, as the native coin does. */
function loggedBy(effect: Effect) {
  switch (effect.kind) {
    case 'batch':
      return { address: hex(effect.tokenAddress), args: { from: hex(effect.from) } };
    case 'mint':
      return {
        address: hex(effect.contractAddress),
        args: { from: zeroAddress, to: hex(effect.to) },
      };
    case 'transfer': {
      const { tokenAddress, from, to, nativeTwins } = effect;
      if (isNativeCoin(tokenAddress, nativeTwins)) return undefined;
      return { address: hex(tokenAddress), args: { from: hex(from), to: hex(to) } };
    }
    default:
      return undefined;
  }
}

function withReceipt(rpcUrl: string, transaction: Transaction): Promise<Mined> {
  const { hash } = transaction;
  return readChain(rpcUrl, async (chain) => {
    return { transaction, receipt: await chain.getTransactionReceipt({ hash }) };
  });
}

/** A transaction that no block has yet. Nobody knows if it will succeed. */
function pendingExecution({ from: sender, to, value, input: data }: Transaction): Execution {
  const calls = to === null ? [] : [{ to, value, data }];
  return { sender, success: false, logs: [], calls, created: false, fee: 0n };
}

/**
 * Looks through the operations of an account, each read once. The hash that the record names is
 * a claim, so another operation may be the ordered call, as an accelerated copy is. A signed
 * operation is dead once it has failed, or once the account has carried out a later one.
 * A cancelled one is dead once an operation without a call has used its nonce.
 */
async function amongOperations(rpcUrl: string, custody: Lists, call: OwnCall): Promise<FoundCall> {
  const { sender, sinceMs, effect, userOpHash: named = '', atBlock, isCancelled = false } = call;
  const all = await operations(rpcUrl, call);
  const isNamed = ({ args }: (typeof all)[number]) => sameText(args.userOpHash, named);
  let emptied = 0;
  for (const one of [...all.filter(isNamed), ...all.filter((other) => !isNamed(other))]) {
    const { transactionHash: hash, args } = one;
    const { userOpHash } = args;
    const mined = await readChain(rpcUrl, (chain) => readMined(chain, hash));
    const execution = operationExecution(mined, { sender, userOpHash });
    if (typeof execution === 'string') continue;
    if (execution.calls?.length === 0) emptied += 1;
    if (!isOrdered(effect, execution)) continue;
    const isOwn = isNamed(one) || (execution.success && !(await isClaimed(custody, call, hash)));
    if (isOwn) return { mined, userOpHash };
  }
  if (named === '') return {};
  const isPassed = all.some(({ blockNumber }) => blockNumber > BigInt(atBlock ?? blockNumber));
  if (isPassed || !isCancelled || emptied === 0) return { replaced: isPassed };
  return { replaced: emptied >= (await countCancelled(custody, { sender, sinceMs })) };
}

/** The events of the operations that an account has carried out since a moment. */
function operations(rpcUrl: string, { sender, sinceMs }: Pick<OwnCall, 'sender' | 'sinceMs'>) {
  const filter = {
    address: entryPoint06Address,
    event: operationEvent,
    args: { sender: hex(sender) },
    strict: true,
  } as const;
  return logsBetween({ rpcUrl, sinceMs, isWhole: true }, (chain, range) =>
    chain.getLogs({ ...filter, ...range }),
  );
}

/** True if another record of the service has a transaction, and is about the same. */
async function isClaimed(custody: Lists, call: OwnCall, txHash: Hash): Promise<boolean> {
  // The marks of a batch are in no other one.
  if (call.effect.kind === 'batch') return false;
  const records = await everyPage(async (page, how) => {
    const asked = { ...page, txHash, includeAll: true, txType: 'OUTBOUND' };
    return (await custody.listTransactions(asked, how)).transactions;
  });
  const others = records.filter(
    (record) =>
      record.id !== call.id &&
      sameText(record.sourceAddress, call.sender) &&
      isAbout(record, call.effect),
  );
  const { isCounted } = custody;
  if (isCounted === undefined) return others.length > 0;
  return (await Promise.all(others.map(({ id }) => isCounted(id)))).includes(true);
}

/** True for a record of the same payee, or the same contract. A record of others claims wrongly. */
function isAbout({ destinationAddress, contractAddress }: Recorded, effect: Effect): boolean {
  switch (effect.kind) {
    case 'transfer':
      return sameText(destinationAddress, effect.to);
    case 'mint':
      return sameText(contractAddress, effect.contractAddress);
    case 'call':
      return effect.of === undefined || sameText(contractAddress, effect.of.contractAddress);
    default:
      return true;
  }
}
