import { workflowInfo } from '@temporalio/workflow';
import type { ShardOrder } from '../../../activities/payout/shardOrder';
import type { Grounds } from '../../../src/custody/objects/grounds';
import type { ResolvedToken, ResolvedWallet } from '../../../src/orders/kind';
import type { LineResult } from '../../../src/orders/payout';
import type { Progress } from '../../../src/orders/progress/status';
import type { Stop } from '../../order/custody';
import type { Carried } from '../../order/liveOrder';
import { transferStep } from '../../steps/transfer';
import type { Left } from '../../write/firstState';
import { pathOf, stateOf, type Writer } from '../../write/happened';
import { countLine, noteLine, noteMoney } from '../../write/meter';
import {
  isOver,
  newWrite,
  type Stage,
  type Wish,
  type WriteState,
  wishOf,
} from '../../write/writeState';
import type { Asking, Steer } from '../records';
import { lineOutcome } from './lineOutcome';
import { signaturesIn } from './signatures';

/** What a run of a shard hands on to the next one. */
export type ShardCarried = Writer['carried'] & {
  /** The state that earlier runs left. Unset until it has been read. */
  earlier?: Left;
  steer: Steer;
  /** Its payout has ended: nothing more is sent, and what is pending settles. */
  isClosed: boolean;
  progress: Carried['progress'];
  /** With a policy: the reasons for which each line was let out, by its item. */
  grounds?: Record<string, Grounds>;
};

/** A running shard. It drives the writes of its lines as an order drives its own. */
export type Shard = Writer & {
  order: ShardOrder;
  lines: readonly Line[];
  opened: Writer['opened'] & ShardOrder['terms'];
  carried: ShardCarried;
  payout: NonNullable<Writer['payout']>;
  progress: Progress;
  searchAttributes: boolean;
  woken: boolean;
  /** Number of pending activities. */
  busy: number;
  /** Calls for many lines together, of which one each is pending at most. */
  pending: Set<Wish['want'] | 'report'>;
  /** Polls in a row that brought nothing, and when the next one is due. */
  emptyLooks: number;
  nextLookMs: number;
  /** Wallets that the service or the writer holds back for now, by their ids, and why. */
  held: Map<string, { untilMs: number; stop: Stop }>;
  /** Up to when the pace is used up. */
  paceMs: number;
  /** What a person has to mend, or what passes by itself. */
  trouble?: Stop | undefined;
  /** While people have to approve, one line asks for all of them, at this moment. */
  asksAtMs: number;
  /** Lines that people decide about one by one, by their items. */
  asking: Map<string, Asking>;
  /** True once a line of this run was sent. In a signed payout, the first one goes alone. */
  isLetOut: boolean;
  /** The last report, and when. */
  reported?: { pressing: string; tally: string; atMs: number };
  alarmMs?: number | undefined;
};

/** A line, as the write it is: its key and its reference are the payout's, and never the shard's. */
export type Line = {
  step: 'line';
  item: string;
  to: string;
  amount: string;
  wallet: ResolvedWallet;
  token: ResolvedToken;
};

/** A shard of a payout's input. Throws if the input is not one that a payout makes. */
export function newShard(order: ShardOrder, given?: ShardCarried): Shard {
  const { terms } = order;
  const lines = linesOf(order);
  // Only an earlier run hands on state. A starter who passes it would bypass the look-up.
  const handedOn = given && workflowInfo().continuedFromExecutionRunId ? given : undefined;
  const carried: ShardCarried = handedOn ?? {
    writes: {},
    done: {},
    progress: [],
    doubtful: false,
    cancelAsked: false,
    isClosed: false,
    steer: { firstRunId: '', openMax: 0, linesPerS: null, isCancelled: false },
  };
  carried.doubtful ||= handedOn !== undefined && workflowInfo().attempt > 1;
  const { earlier = { bornAtMs: 0, writes: {}, others: 'ambiguous' } } = carried;
  return {
    order,
    lines,
    opened: { ...terms, earlier },
    carried,
    payout: { workflowId: terms.workflowId, firstRunId: carried.steer.firstRunId },
    signed: signaturesIn(carried, lines),
    changed: ({ item }, before, after) => {
      const line = lines.find((one) => one.item === item);
      if (line !== undefined && after.stage !== before.stage) noteChange(line, after);
    },
    progress: {
      status: 'Preparing',
      timeline: carried.progress,
      waitingFor: 'the check of its lines',
      since: new Date().toISOString(),
    },
    searchAttributes: false,
    woken: false,
    busy: 0,
    pending: new Set(),
    emptyLooks: 0,
    nextLookMs: 0,
    held: new Map(),
    paceMs: 0,
    asksAtMs: 0,
    asking: new Map(),
    isLetOut: false,
  };
}

function linesOf({ lines, tokens, terms, part }: ShardOrder): Line[] {
  return lines.map(({ lineId: item, to, amount, ...line }) => {
    const wallet = terms.wallets[line.wallet];
    const token = tokens.find(({ name }) => name === line.token);
    if (wallet && token) return { step: 'line', item, to, amount, wallet, token };
    throw new Error(`Line ${item} of part ${part} is not whole.`);
  });
}

/** The lines at some stages, in their order. */
export function linesAt(shard: Shard, ...stages: Stage[]): Line[] {
  return shard.lines.filter((line) => stages.includes(stateOf(shard, line).stage));
}

/** The lines that want something next, in their order. */
export function linesThatWant(shard: Shard, want: Wish['want']): Line[] {
  return shard.lines.filter((line) => wishOf(stateOf(shard, line)).want === want);
}

/** A line as a step of its payout. */
export function stepOf({ opened }: Shard, line: Line) {
  const { wallet: from, ...ordered } = line;
  return transferStep({ opened }, { ...ordered, from, feeLevel: opened.order.feeLevel });
}

function noteChange({ token, amount }: Line, state: WriteState): void {
  const { stage, record, bornAtMs } = state;
  const outcome = lineOutcome[stage];
  if (outcome !== 'waiting') countLine(stage === 'givenUp' ? stage : outcome);
  if (record === undefined || !isOver(state)) return;
  const { id, state: word, txHash } = record;
  noteLine(word, bornAtMs);
  if (stage === 'completed') noteMoney({ token, amount });
  // Hundreds of lines are carried on, so that only what a receipt tells stays.
  state.record = { id, state: word, ...(txHash === undefined ? {} : { txHash }) };
}

/** Every line and its outcome so far. */
export function resultsOf(shard: Shard): LineResult[] {
  return shard.lines.map((line) => {
    const { item: lineId, to, amount, wallet, token } = line;
    const state = stateOf(shard, line);
    const { stage, generation, transactionId, record, why, tries } = state;
    const { txHash } = record ?? {};
    const grounds = shard.carried.grounds?.[lineId];
    const isUnsent = (stage === 'unseen' || stage === 'ready') && tries === 'clean';
    return {
      lineId,
      to,
      amount,
      token: token.name,
      outcome: lineOutcome[stage],
      walletAddress: wallet.address,
      generation,
      ...(transactionId === undefined ? {} : { transactionId }),
      ...(txHash === undefined ? {} : { txHash }),
      ...(grounds === undefined ? {} : { grounds }),
      ...(why === undefined || stage === 'completed' ? {} : { reason: why }),
      ...(stage === 'givenUp' ? { givenUp: true } : {}),
      ...(isUnsent ? { isUnsent } : {}),
    };
  });
}

/** Keeps the reasons for which the policy has let a line out. */
export function keepGrounds({ carried }: Shard, { item }: Line, grounds: Grounds | undefined) {
  if (grounds === undefined) return;
  carried.grounds ??= {};
  carried.grounds[item] = grounds;
}

/** A line under its next key, after one that provably had no effect. */
export function attemptAgain({ carried }: Shard, line: Line, generation: number): void {
  const path = pathOf(line);
  // A refused line was never accepted, and that is proof enough.
  const isProven = carried.writes[path]?.stage === 'refused';
  carried.writes[path] = newWrite({ generation, knownAtMs: Date.now(), isProven });
}

/** The reason why a wallet is held back. A call that succeeds ends every other trouble. */
export function heldBack({ held }: Shard): Stop | undefined {
  const nowMs = Date.now();
  return [...held.values()].find(
    ({ untilMs, stop }) => untilMs > nowMs && stop.facts.approval === undefined,
  )?.stop;
}
