import { type Address, erc20Abi, getAbiItem, type Hash, type Transaction, zeroAddress } from 'viem';
import { entryPoint06Address } from 'viem/account-abstraction';
import type { Effect } from '../../../src/chain/effect';
import {
  type Mined,
  operationExecution,
  ownExecution,
  pendingExecution,
} from '../../../src/chain/execution';
import { readMined } from '../../../src/chain/place';
import { hex, readChain } from '../../../src/chain/readChain';
import { readingsFor } from '../../../src/custody/objects/finalWord';
import { isNativeCoin } from '../../../src/custody/objects/money';
import { sameText } from '../../../src/custody/objects/sameText';
import { inSlices } from '../../reading';
import { operationEvent } from '../bundledAgain';
import { newestBlock } from '../head';
import { logsBetween } from '../logsBetween';
import { countCancelled } from './countCancelled';
import { isAnyCall, isOrdered } from './isOrdered';
import { isClaimed, timeOf, UnclearError } from './otherWrite';
import type { Lists, OwnCall } from './ownCall';
import { ownTransactions, pendingOf } from './ownTransactions';

/**
 * The transaction that has carried out the call. Without it: `replaced` is true if it can never
 * happen, false if it may, and unset if nothing is known of it.
 */
type FoundCall = { mined: Mined; userOpHash?: string } | { replaced?: boolean };

/** Number of transactions read at a time. */
const atOnceMax = 20;

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
  const isTaken = takenBy(rpcUrl, custody);
  // The pool is read first: a call that leaves it is in one of the blocks that are read then.
  const { shown, hidden } = await readChain(rpcUrl, (chain) => pendingOf(chain, account));
  const candidates = await sentBy(rpcUrl, account, call);
  for (const transaction of candidates) {
    const mined = await withReceipt(rpcUrl, transaction);
    const isOwn = isOrdered(call.effect, ownExecution(mined)) && mined.receipt.status === 'success';
    if (isOwn && !(await isTaken({ call, mined }))) return { mined };
  }
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
  if (logged === undefined) return ownTransactions(rpcUrl, account, { sinceMs });
  const event = getAbiItem({ abi: erc20Abi, name: 'Transfer' });
  const logs = await logsBetween({ rpcUrl, sinceMs }, (chain, range) =>
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
      const { tokenAddress, from, to, blockchain } = effect;
      if (isNativeCoin(tokenAddress, blockchain)) return undefined;
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

/**
 * Looks through the operations of an account, each read once. The hash that the record names is
 * a claim, so another operation may be the ordered call, as an accelerated copy is. A success
 * counts before each failure. A signed operation is dead once it has failed, unless another record
 * has the failure. An operation is no longer open once the account has carried out a later one. A
 * cancelled one is no longer open once one without a call has used its nonce. Neither proves
 * anything at once: the node may show late what came before, and the count may be too low. A
 * success that may be any call is neither proof nor refuted while no other record has it.
 */
async function amongOperations(rpcUrl: string, custody: Lists, call: OwnCall): Promise<FoundCall> {
  const { sender, effect, userOpHash: named = '', isCancelled = false } = call;
  const all = await operations(rpcUrl, call);
  const isTaken = takenBy(rpcUrl, custody);
  const isNamed = ({ args }: (typeof all)[number]) => sameText(args.userOpHash, named);
  let emptied = 0;
  let unclear: Hash | undefined;
  let failed: { mined: Mined; userOpHash: Hash } | undefined;
  for (const some of [all.filter(isNamed), all.filter((other) => !isNamed(other))]) {
    const read = await inSlices(some, atOnceMax, async (one) => {
      const { transactionHash: hash, args } = one;
      const mined = await readChain(rpcUrl, (chain) => readMined(chain, hash));
      return { one, mined, userOpHash: args.userOpHash };
    });
    for (const { one, mined, userOpHash } of read) {
      const execution = operationExecution(mined, { sender, userOpHash });
      if (typeof execution === 'string') continue;
      if (execution.calls?.length === 0) emptied += 1;
      if (!isOrdered(effect, execution)) continue;
      const isAny = !isNamed(one) && isAnyCall(effect, execution);
      const asked = isAny ? { ...call, effect: anyCall(call) } : call;
      const isPaid = execution.success && !(await isTaken({ call: asked, mined, userOpHash }));
      if (isPaid && !isAny) return { mined, userOpHash };
      if (isPaid) unclear ??= userOpHash;
      if (isNamed(one) && !execution.success) failed = { mined, userOpHash };
    }
  }
  if (unclear !== undefined) throw new UnclearError(`no record names ${unclear}, which may be it`);
  if (failed !== undefined && !(await isOfOther(rpcUrl, custody, { call, ...failed })))
    return failed;
  if (named === '') return {};
  if (isCancelled && emptied > 0 && emptied >= (await countCancelled(custody, call))) return {};
  const blocks = all
    .map(({ blockNumber }) => blockNumber)
    .sort((one, other) => Number(other - one));
  return (await isPassed(rpcUrl, blocks[0], call)) ? {} : { replaced: false };
}

/** Any call of an account, so that whichever record names an operation has it. */
function anyCall({ sender: from }: OwnCall): Effect {
  return { kind: 'call', from };
}

/** True if a block with an operation of the account is newer than the service's final word. */
async function isPassed(
  rpcUrl: string,
  blockNumber: bigint | undefined,
  { heardMs }: Pick<OwnCall, 'heardMs'>,
): Promise<boolean> {
  if (blockNumber === undefined || heardMs === undefined) return false;
  return (await timeOf(rpcUrl, blockNumber)) >= heardMs + clocksApartMs;
}

/** The clocks of the chain and of Temporal agree that far. */
const clocksApartMs = 60_000;

type Candidate = { call: OwnCall; mined: Mined; userOpHash?: Hash };

/**
 * Tells if a payment that the search has found is another one: it is older than the order, or
 * another record has it. Nobody shares a batch.
 */
function takenBy(rpcUrl: string, custody: Lists) {
  return async ({ mined, ...candidate }: Candidate): Promise<boolean> => {
    const { effect, isSent, sinceMs } = candidate.call;
    if (effect.kind === 'batch') return false;
    const { blockNumber, transactionHash: txHash } = mined.receipt;
    if (isSent && (await isOlder(rpcUrl, { blockNumber, sinceMs }))) return true;
    return isClaimed(rpcUrl, custody, { ...candidate, txHash, isSuccess: true });
  };
}

/** True for a block from before a moment. A chain whose newest block is old has a clock behind. */
async function isOlder(
  rpcUrl: string,
  { blockNumber, sinceMs }: { blockNumber: bigint; sinceMs: number },
): Promise<boolean> {
  const madeMs = await timeOf(rpcUrl, blockNumber);
  if (madeMs >= sinceMs - clocksApartMs) return false;
  const { headAgeMs } = await newestBlock(rpcUrl);
  return madeMs < sinceMs - clocksApartMs - headAgeMs;
}

/** True if a failed operation is that of another record, which tells nothing of this one. */
function isOfOther(
  rpcUrl: string,
  custody: Lists,
  { call, mined, userOpHash }: { call: OwnCall; mined: Mined; userOpHash: Hash },
): Promise<boolean> {
  const { hash: txHash } = mined.transaction;
  return isClaimed(rpcUrl, custody, { call, txHash, userOpHash, isSuccess: false });
}

/** The events of the operations that an account has carried out since a moment. */
function operations(rpcUrl: string, { sender, sinceMs }: Pick<OwnCall, 'sender' | 'sinceMs'>) {
  const filter = {
    address: entryPoint06Address,
    event: operationEvent,
    args: { sender: hex(sender) },
    strict: true,
  } as const;
  return logsBetween({ rpcUrl, sinceMs }, (chain, range) => chain.getLogs({ ...filter, ...range }));
}
