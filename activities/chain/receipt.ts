import { isHash, type PublicClient } from 'viem';
import { paidBy } from '../../src/chain/batchEffect';
import { type Effect, effectFaults } from '../../src/chain/effect';
import {
  isOwnTransaction,
  type Mined,
  operationExecution,
  ownExecution,
  type Who,
} from '../../src/chain/execution';
import { type Place, placeOf } from '../../src/chain/place';
import { readChain, shouldHave } from '../../src/chain/readChain';
import { proveUnpaid, type Unpaid } from '../../src/chain/unpaid';
import { beating } from '../beating';
import { stop } from '../failure';
import { inSlices } from '../reading';
import { isUsed, newestBlock } from './head';
import { findOwnCall } from './own/findOwnCall';
import { isOrdered } from './own/isOrdered';
import { minedOf } from './own/mined';
import { otherWrite, UnclearError } from './own/otherWrite';
import type { CallSearch, Lists, OwnCall } from './own/ownCall';

/**
 * A write whose record is final, and the effect that the chain must show of it. Addresses may lack
 * the checksum.
 */
export type ReceiptQuestion = Who & {
  /** The transaction that the record names. */
  txHash?: string | undefined;
  /** The block that the record names. */
  blockHeight?: number | undefined;
  effect: Effect;
  /** The call to look for, if the named transaction is not the ordered one. */
  search?: CallSearch | undefined;
};

export type ReceiptAnswer = {
  /** success: it happened. reverted: it is on the chain and did nothing. absent: in no block. */
  found: 'success' | 'reverted' | 'absent';
  /** Differences of a success from the effect, as sentences. Empty when it matches exactly. */
  faults: string[];
  /** The named transaction is in a block, and is not this write: what it is, in words. */
  other?: string;
  /** The transaction of the ordered call, if the record names none or another one. */
  txHash?: string;
  /**
   * True if an absent one can never happen, since another call has used its nonce. False while it
   * may happen. Missing if the chain knows nothing of it.
   */
  replaced?: boolean;
  /**
   * The time of the newest block when the chain was asked, and its age by the asker's clock. What
   * came after it is not seen.
   */
  headMs?: number;
  headAgeMs?: number;
  blockNumber?: number;
  /** The payments of a batch that have failed alone. */
  unpaid?: Unpaid[];
  /** Its place in the chain, where there is an archive that keeps it. */
  place?: Place;
};

/** Number of receipts read at a time. */
const atOnceMax = 20;

/** A record's date may be so far in the future. A later date is ignored. */
const aheadMs = 3_600_000;

/** An answer to one of several questions. An error says nothing of the other ones. */
type ReceiptOf = ReceiptAnswer | { unread: string };

/** Reads of the chain itself, past the custody service. */
export function receiptActivities(
  chainRpcUrl: string | undefined,
  { custody, archives = false }: { custody?: Lists; archives?: boolean } = {},
) {
  const check = (question: ReceiptQuestion, isAlone: boolean): Promise<ReceiptAnswer> =>
    compare(question, isAlone).catch((error: unknown) => {
      if (!(error instanceof UnclearError)) throw error;
      // It may have happened, or may still happen.
      return { found: 'absent', faults: [], replaced: false, other: error.message };
    });
  const compare = async (question: ReceiptQuestion, isAlone: boolean): Promise<ReceiptAnswer> => {
    const { txHash, search } = question;
    if (chainRpcUrl === undefined) {
      throw stop(
        'NeedsOperator',
        `CHAIN_RPC_URL is not set on this worker, but this order is done only when the chain ` +
          `shows ${txHash ?? 'what has become of it'}. Set it and restart the worker. The order ` +
          'then continues.',
      );
    }
    await shouldHave(chainRpcUrl, question.blockHeight);
    const read = await readNamed(chainRpcUrl, question, archives);
    /** The named transaction is in no block yet. It is read again, behind the newest block. */
    const absentAsOf = async (first: Named): Promise<ReceiptAnswer> => {
      if (first.found !== 'absent') return withoutNonce(first);
      const { head: _, ...newest } = await newestBlock(chainRpcUrl);
      return { ...withoutNonce(await readNamed(chainRpcUrl, question, archives)), ...newest };
    };
    if (search === undefined || custody === undefined) return absentAsOf(read);
    // A part of a payout may have been handed a line that an earlier part has sent.
    const isSent = isAlone && search.isSent === true;
    const call = { ...question, ...search, isSent, sinceMs: sinceMsOf(search) };
    const knownMs = Date.parse(search.knownAt);
    const other = await otherWrite(chainRpcUrl, custody, { ...read, call, knownMs, isAlone });
    if (read.found !== 'absent' && other === undefined) return withoutNonce(read);
    const named = other === undefined ? read : { found: 'absent' as const, faults: [], other };
    if (search.isNamed && isHash(txHash ?? '')) {
      return other === undefined ? absentAsOf(read) : withoutNonce(named);
    }
    return searched(chainRpcUrl, custody, { question, call, named, archives });
  };
  return {
    /**
     * Looks up a transaction, or one user operation in it, on the chain. With `search`, the named
     * one counts only if it belongs to no other record. The call is then looked for among all that
     * its account has done. Trouble with the chain's node is a plain error, which Temporal retries.
     */
    checkReceipt: (question: ReceiptQuestion): Promise<ReceiptAnswer> =>
      beating(() => check(question, true)),

    /** Checks several receipts. Keeps their order. Throws if none of them can be read. */
    async checkReceipts(questions: readonly ReceiptQuestion[]): Promise<ReceiptOf[]> {
      let trouble: unknown;
      const ask = (question: ReceiptQuestion): Promise<ReceiptOf> =>
        check(question, false).catch((error: unknown) => {
          trouble = error;
          return { unread: error instanceof Error ? error.message : String(error) };
        });
      const answers = await beating(() => inSlices(questions, atOnceMax, ask));
      if (trouble !== undefined && answers.every((answer) => 'unread' in answer)) throw trouble;
      return answers;
    },
  };
}

/** Without a date that can be true, all blocks are searched. */
function sinceMsOf({ since }: CallSearch): number {
  const createdMs = Date.parse(since);
  return createdMs < Date.now() + aheadMs ? createdMs : 0;
}

type Named = ReceiptAnswer & { nonce?: number };
type Searching = {
  question: ReceiptQuestion;
  call: OwnCall;
  named: Named;
  archives: boolean;
};

/** Looks for the call among all that its account has done. */
async function searched(
  rpcUrl: string,
  custody: Lists,
  { question, call, named: { nonce, ...named }, archives }: Searching,
): Promise<ReceiptAnswer> {
  const { head, ...newest } = await newestBlock(rpcUrl);
  const found = await findOwnCall(rpcUrl, custody, call);
  if ('mined' in found) {
    const { mined, userOpHash = question.userOpHash } = found;
    const who = { ...question, userOpHash };
    const answer = await readChain(rpcUrl, (chain) => answerOf(chain, who, { mined, archives }));
    return { ...answer, ...newest, txHash: mined.transaction.hash };
  }
  // A copy that waits under another nonce may still happen.
  const mayBeGone = nonce !== undefined && found.replaced !== false;
  const isGone = mayBeGone && (await isUsed(rpcUrl, { sender: call.sender, nonce, head }));
  // All operations of the account were read, so that a bundle says nothing more.
  const isSearched = call.isSmart && Boolean(call.userOpHash);
  const { replaced = found.replaced } = isGone ? { replaced: true } : isSearched ? found : named;
  return { ...named, ...newest, ...(replaced === undefined ? {} : { replaced }) };
}

function withoutNonce({ nonce: _, ...answer }: Named): ReceiptAnswer {
  return answer;
}

/** The answer from the transaction that the record names. */
async function readNamed(
  rpcUrl: string,
  question: ReceiptQuestion,
  archives: boolean,
): Promise<Named> {
  const { txHash = '' } = question;
  // A text that is no hash names nothing.
  if (!isHash(txHash)) return { found: 'absent', faults: [] };
  const mined = await minedOf(rpcUrl, txHash, question);
  if ('found' in mined) return mined;
  return readChain(rpcUrl, (chain) => answerOf(chain, question, { mined, archives }));
}

type Reading = { mined: Mined; archives: boolean };

/** The answer from a transaction in a block. */
async function answerOf(
  chain: PublicClient,
  question: ReceiptQuestion,
  { mined, archives }: Reading,
): Promise<ReceiptAnswer> {
  const answer = judge(question, mined);
  const whole = await withUnpaid(chain, { ...question, ...mined, answer });
  if (!archives || whole.found === 'absent') return whole;
  const place = await placeOf(chain, question, mined);
  return place === undefined ? whole : { ...whole, place };
}

/** Answers the question from the chain's record alone. */
function judge(question: ReceiptQuestion, mined: Mined): ReceiptAnswer {
  const { blockNumber } = mined.receipt;
  const block = { blockNumber: Number(blockNumber) };
  const execution = isOwnTransaction(mined, question)
    ? ownExecution(mined)
    : operationExecution(mined, question);
  if (typeof execution === 'string') return { found: 'absent', faults: [], other: execution };
  if (!isOrdered(question.effect, execution)) {
    const faults = effectFaults(question.effect, execution);
    const why = faults.join('; ') || 'it calls something else';
    const other = `${mined.transaction.hash} is not the ordered call: ${why}`;
    return { found: 'absent', faults: [], other };
  }
  if (!execution.success) return { found: 'reverted', faults: [], ...block };
  return { found: 'success', faults: effectFaults(question.effect, execution), ...block };
}

/** A batch that is right apart from payments that it lacks: those have failed alone, if proven. */
async function withUnpaid(
  chain: PublicClient,
  { effect, answer, ...mined }: ReceiptQuestion & Mined & { answer: ReceiptAnswer },
): Promise<ReceiptAnswer> {
  const { found, faults } = answer;
  if (effect.kind !== 'batch' || effect.isWhole || found !== 'success' || faults.length > 0) {
    return answer;
  }
  const { unpaid: places } = paidBy(effect, ownExecution(mined));
  if (places.length === 0) return answer;
  const proof = await proveUnpaid(chain, mined.receipt, { effect, places });
  if ('unpaid' in proof) return { ...answer, unpaid: proof.unpaid };
  return { ...answer, faults: [proof.fault] };
}
