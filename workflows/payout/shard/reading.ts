import type { Activities } from '../../../activities';
import type { ReceiptAnswer } from '../../../activities/chain/receipt';
import type { FoundLines, ProvenLines } from '../../../activities/payout/findLines';
import { batchStep } from '../../../src/custody/batch';
import { toBaseUnits } from '../../../src/custody/objects/amount';
import { counted } from '../../../src/orders/progress/doing';
import type { Finding } from '../../../src/orders/progress/resolve';
import { longReads, type Stop } from '../../order/activities';
import { nowOf } from '../../write/calling';
import { beginCall, readOrNote } from '../../write/drive';
import { countingIn, depthOf } from '../../write/machine/proof';
import {
  type FinalRecord,
  type Looked,
  type ReceiptAsked,
  type Trace,
  type Wish,
  type WriteState,
  wishOf,
} from '../../write/machine/writeState';
import { receiptQuestion } from '../../write/step';
import { pathOf } from '../../write/writes';
import { notePlaces } from '../archiveLines';
import { adopt, holdForStrangers, lookUpFromMs } from './batches/adopt';
import { findLines } from './findLines';
import {
  isOwnBatch,
  type Line,
  lineIdsOf,
  noteOnBatch,
  type Payment,
  payFrom,
  stepOf,
} from './payments';
import { type Read, type Recalled, recallFound } from './recall';
import type { Shard } from './shard';

type Call = {
  want: Wish['want'];
  /** When a payment wants it. Default: as its write says. */
  atMs?: (state: WriteState, payment: Payment) => number;
  call: (due: readonly Payment[]) => Promise<unknown>;
};

/** Makes one call for all payments that are due. Returns when it is worth calling again. */
export function callFor(shard: Shard, { want, atMs, call }: Call): number {
  const dueMs = (one: Payment): number => {
    const state = shard.writes.stateOf(one);
    return atMs === undefined ? wishOf(state).atMs : atMs(state, one);
  };
  return beginCall(shard, { want, of: shard.payments.wanting(want), dueMs, call });
}

/** Looks up lines with one look-up: each one before its first attempt in this run, and in doubt. */
export function lookUpLines(shard: Shard): number {
  return callFor(shard, {
    want: 'lookUp',
    atMs: (state, payment) => Math.max(wishOf(state).atMs, lookUpFromMs(shard, payment)),
    call: (due) => lookUpNow(shard, due),
  });
}

/**
 * One look-up of some payments, before a person's finding on them if there is one. Returns false if
 * the service did not answer.
 */
export async function lookUpNow(
  shard: Shard,
  due: readonly Payment[],
  finding?: Finding,
): Promise<boolean> {
  const { workflowId } = shard.payout;
  const lineIds = due.flatMap(lineIdsOf);
  const askedAtMs = Date.now();
  const states = due.map((payment) => shard.writes.stateOf(payment));
  const search = { workflowId, lineIds, ...depthOf(states, finding) };
  const found = await readForShard(shard, () => findLines(search));
  const proven = found && (await provenLines(shard, lineIds, found));
  const read: Read = (call) => readForShard(shard, call);
  const recalled = proven && (await recallFound(shard, due, read));
  if (found === undefined || proven === undefined || recalled === undefined) {
    for (const payment of due) shard.writes.hear(payment, { kind: 'unread' });
    return false;
  }
  hearLookUp(shard, due, { ...found, proven, recalled, askedAtMs });
  return true;
}

/** The writes that a look-up shows, and those that people have found. */
type Shown = FoundLines & { recalled: readonly Recalled[] };

/** The answer of a look-up. It adopts the batches that it shows first. */
function hearLookUp(
  shard: Shard,
  due: readonly Payment[],
  found: Shown & Pick<Looked, 'askedAtMs'>,
): void {
  const { seen, askedAtMs, proven = {} } = found;
  const isStrange = holdForStrangers(shard, found);
  for (const payment of adopt(shard, due, found)) {
    const [paid] = lineIdsOf(payment).flatMap((lineId) => proven[lineId] ?? []);
    const traces = tracesOf(shard, payment, found);
    const isHeld = isStrange && shard.writes.stateOf(payment).stage === 'unseen';
    // A batch of others was in the list before, so that the list is behind.
    const isBehind = payment.step === batchStep && !isOwnBatch(payment);
    if (traces.length === 0 && (isHeld || isBehind)) {
      shard.writes.hear(payment, { kind: 'unread' });
      continue;
    }
    const [trace] = traces.length === 0 ? [] : countingIn(traces);
    if (payment.step === 'line' && trace?.record !== undefined)
      payFrom(shard, payment, { generation: trace.generation, record: trace.record });
    shard.writes.hear(payment, { kind: 'looked', askedAtMs, seen, traces, ...(paid && { paid }) });
  }
}

/** Looks on the chain for memos of the lines that the service's list does not have. */
async function provenLines(
  shard: Shard,
  lineIds: readonly string[],
  { traces, batches = [] }: FoundLines,
): Promise<ProvenLines | undefined> {
  const { workflowId } = shard.payout;
  const { order, batchesFrom = [], wallets } = shard.opened;
  const listed = new Set([
    ...traces.map(attemptOf),
    ...batches.flatMap(({ payments }) =>
      payments.flatMap(({ line }) => (line ? attemptOf(line) : [])),
    ),
  ]);
  const lines = lineIds.flatMap((lineId) => shard.payments.line(lineId) ?? []);
  const absent = lines.filter(
    (line) => !listed.has(attemptOf({ lineId: line.item, ...shard.writes.stateOf(line) })),
  );
  if (order.memo !== true || batchesFrom.length === 0 || absent.length === 0) return {};
  const summary = `memos of ${counted(absent.length, 'line')} on the chain`;
  return readForShard(shard, () =>
    longReads(summary).findMemos({ workflowId, lines: absent.map(soughtLine), wallets }),
  );
}

function soughtLine({ item: lineId, to, amount, token }: Line) {
  const baseUnits = toBaseUnits(amount, token.decimals).toString();
  return { lineId, to, tokenAddress: token.address, baseUnits };
}

function attemptOf({ lineId, generation }: { lineId: string; generation: number }): string {
  return `${lineId}#${generation}`;
}

/**
 * The traces of a payment: of its own reference, and those that an earlier run or a person has
 * found. The latter may lack the reference.
 */
function tracesOf(shard: Shard, payment: Payment, shown: Shown): Trace[] {
  const { step, item } = payment;
  const { traces, batches = [], recalled } = shown;
  const listed: { generation: number; record: FinalRecord }[] =
    step === 'line'
      ? traces.filter(({ lineId }) => lineId === item)
      : batches.filter((batch) => batch.item === item);
  const { generation, transactionId: id } = shard.writes.stateOf(payment);
  const isKnown = id === undefined || listed.some(({ record }) => record.id === id);
  // Its state is read by the next poll.
  const own = isKnown ? listed : [...listed, { generation, record: { id, state: '' } }];
  const before = recalled.filter(
    ({ path, record: { id } }) =>
      path === pathOf(payment) && own.every(({ record }) => record.id !== id),
  );
  return [...own, ...before].map(({ generation, record }) => {
    return { generation, record, accepted: { transactionId: record.id } };
  });
}

/** Reads the receipts of final records from the chain, where the chain is read. */
export function checkReceipts(shard: Shard): number {
  return callFor(shard, { want: 'receipt', call: (due) => check(shard, due) });
}

async function check(shard: Shard, due: readonly Payment[]): Promise<void> {
  const { earlier } = shard.opened;
  const questions = due.flatMap(
    (one) => receiptQuestion(stepOf(shard, one), shard.writes.stateOf(one), earlier) ?? [],
  );
  const askedAtMs = Date.now();
  const ids = due.map((one) => shard.writes.stateOf(one).record?.id);
  const receipts: Awaited<ReturnType<Activities['checkReceipts']>> | undefined = await readForShard(
    shard,
    () => longReads(`${counted(due.length, 'receipt')} on the chain`).checkReceipts(questions),
  );
  for (const [at, one] of due.entries()) {
    const receipt = receipts?.[at];
    if (receipt !== undefined && !('unread' in receipt)) {
      hearReceipt(shard, one, { receipt, transactionId: ids[at], askedAtMs });
      continue;
    }
    // A line whose answer fails holds up no other one.
    if (receipt !== undefined)
      shard.trouble = { type: 'Again', message: receipt.unread, facts: { ambiguous: false } };
    shard.writes.hear(one, { kind: 'unread' });
  }
}

/** The chain's answer about a payment. It tells the lines of a batch that have failed alone. */
function hearReceipt(
  shard: Shard,
  one: Payment,
  answer: { receipt: ReceiptAnswer } & ReceiptAsked,
): void {
  const { receipt } = answer;
  const { unpaid } = receipt;
  if (one.step !== 'line') noteOnBatch(shard, one.item, { unpaid });
  notePlaces(shard, one, receipt);
  shard.writes.hear(one, { kind: 'receipt', ...answer });
}

/** Makes a read of a shard. A wallet that is held back stays its trouble. */
export function readForShard<T>(shard: Shard, read: () => Promise<T>): Promise<T | undefined> {
  return readOrNote(shard, read, () => heldBack(shard));
}

/** The reason why a wallet is held back. A call that succeeds ends every other trouble. */
export function heldBack(shard: Shard): Stop | undefined {
  const nowMs = nowOf(shard);
  return [...shard.held.values()].find(
    ({ untilMs, stop }) => untilMs > nowMs && stop.facts.approval === undefined,
  )?.stop;
}
