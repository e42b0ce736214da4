import type { ShardOrder } from '../../../../activities/payout/shardOrder';
import { batchStep } from '../../../../src/custody/batch';
import { countLine, noteLine, noteMoney } from '../../../order/meter';
import { handedOn } from '../../../order/wait';
import { newCalling } from '../../../write/calling';
import { isAsking, isOver, type WriteState } from '../../../write/machine/writeState';
import { createWrites, pathOf } from '../../../write/writes';
import { endBatch } from '../batches/endBatch';
import { createPayments, giveWallet, type Line } from '../payments';
import { lineOutcome } from '../results';
import { besideOf, type Shard, type ShardCarried } from '../shard';
import { signaturesIn } from './signatures';

/** A shard of a payout's input. Throws if the input is not one that a payout makes. */
export function newShard(order: ShardOrder, given?: ShardCarried): Shard {
  const { terms } = order;
  const carried: ShardCarried = handedOn(given) ?? {
    writes: {},
    done: {},
    progress: [],
    cancelAsked: false,
    isClosed: false,
    steer: { firstRunId: '', openMax: 0, linesPerS: null, isCancelled: false },
  };
  const lines = linesOf(order);
  const { earlier = { bornAtMs: 0, writes: {}, others: 'ambiguous' } } = carried;
  const parts: Omit<Shard, 'writes' | 'payments'> = {
    order,
    lines,
    opened: { ...terms, earlier },
    carried,
    payout: { workflowId: terms.workflowId, firstRunId: carried.steer.firstRunId },
    signed: signaturesIn(carried, lines),
    // Only the chain tells which lines of a batch were paid. Its end decides what they do next.
    terms: ({ step }) =>
      step === batchStep ? { ...terms, checksReceipts: true, mustProve: true } : terms,
    kept: ({ step, item }, state) => {
      const line = step === 'line' ? shard.payments.line(item) : undefined;
      if (line !== undefined) giveWallet(shard, line, state);
      return shortly(step === 'line' ? briefly(state) : state);
    },
    changed: ({ step, item }, before, after) => {
      const line = step === 'line' ? shard.payments.line(item) : undefined;
      if (after.stage === before.stage) return;
      const isAlone = after.stage === 'sending' || after.stage === 'accepted';
      if (line !== undefined && isAlone) delete carried.batchOf?.[item];
      if (line !== undefined) noteChange(line, after);
      else if (isOver(after)) endBatch(shard, item, after);
    },
    progress: {
      status: 'Preparing',
      timeline: carried.progress,
      waitingFor: 'the check of its lines',
      since: new Date().toISOString(),
    },
    searchAttributes: false,
    again: { times: 0, atMs: 0 },
    emptyLooks: 0,
    nextLookMs: 0,
    ...newCalling(carried),
    held: new Map(),
    paceMs: 0,
    apartUntilMs: 0,
    asksAtMs: 0,
    asking: new Map(),
    isLetOut: false,
    handedAtMs: new Map(),
    answering: { atMs: 0 },
    sizes: new Map(),
    sizing: Promise.resolve(),
  };
  const writer = Object.assign(parts, { writes: createWrites(parts) });
  const shard = Object.assign(writer, { payments: createPayments(writer) });
  for (const item of Object.keys(carried.paidFrom ?? {})) {
    const [line, state] = [
      shard.payments.line(item),
      carried.writes[pathOf({ step: 'line', item })],
    ];
    if (line !== undefined && state !== undefined) giveWallet(shard, line, state);
  }
  return shard;
}

function linesOf({ lines, tokens, terms, part }: ShardOrder): Line[] {
  return lines.map(({ lineId: item, to, amount, ...line }) => {
    const wallet = terms.wallets[line.wallet];
    const token = tokens.find(({ name }) => name === line.token);
    const beside = besideOf(line);
    if (wallet && token) return { step: 'line', item, to, amount, wallet, token, ...beside };
    throw new Error(`Line ${item} of part ${part} is not whole.`);
  });
}

function noteChange({ token, amount }: Line, state: WriteState): void {
  const { stage, record, bornAtMs } = state;
  const outcome = lineOutcome[stage];
  if (outcome !== 'waiting') countLine(stage === 'givenUp' ? stage : outcome);
  if (record === undefined || !isOver(state)) return;
  noteLine(record.state, bornAtMs);
  if (stage === 'completed') noteMoney({ token, amount });
}

/** Hundreds of lines are carried on. The record of an ended one keeps its receipt alone. */
function briefly(state: WriteState): WriteState {
  if (state.record === undefined || !isOver(state)) return state;
  const { id, state: word, txHash, networkFee, updateDate } = state.record;
  const record = {
    id,
    state: word,
    ...(txHash === undefined ? {} : { txHash }),
    ...(networkFee === undefined ? {} : { networkFee }),
    ...(updateDate === undefined ? {} : { updateDate }),
  };
  return { ...state, record };
}

const lettersMax = { why: 300, evidence: 160 };

/**
 * Temporal hands on two megabytes at most, and a part may have a thousand lines in trouble at once.
 * So the evidence is short: the first sentence and the last two. A write whose attempts have all
 * failed for certain needs none.
 */
function shortly(state: WriteState): WriteState {
  const { evidence = [], stage, tries, why } = state;
  const isInDoubt = tries !== 'clean' || stage === 'doubt' || isAsking(state);
  const [first, ...later] = isInDoubt ? evidence : [];
  const few = first === undefined ? [] : [first, ...later.slice(-2)];
  return {
    ...state,
    why: why === undefined ? undefined : cut(why, lettersMax.why),
    evidence: few.length === 0 ? undefined : few.map((words) => cut(words, lettersMax.evidence)),
  };
}

function cut(words: string, lettersMax: number): string {
  return words.length <= lettersMax ? words : `${words.slice(0, lettersMax - 1)}…`;
}
