import { workflowInfo } from '@temporalio/workflow';
import type { Tries, WriteIdentity } from '../../../activities/attempt';
import type { OpenedShard } from '../../../activities/payout/openShard';
import type { ShardLine, ShardOrder } from '../../../activities/payout/shardOrder';
import type { ResolvedToken, ResolvedWallet } from '../../../src/orders/kind';
import type { LineOutcome, LineResult } from '../../../src/orders/payout';
import { type Moment, momentOf, type Progress } from '../../../src/orders/progress/status';
import type { Stop } from '../../order/custody';
import { transferStep } from '../../steps/transfer';
import type { Steer } from '../records';

/** A line, and how far it has come. Small and plain: it is carried from run to run. */
export type LineState = {
  /**
   * sending: an activity has it. sent: the service has it. doubt: it may have been taken, and is
   * looked for. unknown: it was not found, and a person is asked. givenUp: the person gave it up.
   */
  stage:
    | ('waiting' | 'sending' | 'sent' | 'doubt' | 'unknown')
    | ('paid' | 'failed' | 'skipped' | 'givenUp');
  generation: number;
  /** Whether all tries of this generation are known to have had no effect. */
  tries: Tries;
  /** When its key was first used, or can have been. */
  bornAtMs?: number;
  transactionId?: string;
  txHash?: string;
  reason?: string;
  /** How often in a row it was tried, or looked for, in vain. */
  times?: number;
  /** Not to be tried, or looked for, before. */
  notBeforeMs?: number;
  /** Since when it is in doubt, or final and not yet seen on the chain. */
  sinceMs?: number;
  /** Its wallet holds too little above its reserve. */
  isShort?: boolean;
  /** What is known of its tries and looks, for whoever decides. */
  evidence?: string[];
};

/** What a run of a shard hands on to the next one. */
export type ShardCarried = {
  opened?: Omit<OpenedShard, 'before'>;
  states: LineState[];
  steer: Steer;
  /** When a first try under its keys can have been made. */
  bornAtMs: number;
  doubtful: boolean;
  /** All lines were looked for since it became doubtful what was sent. */
  isLookedFor: boolean;
  /** Its payout is closed: nothing more is sent, and what is under way settles. */
  isClosed: boolean;
  /** The addresses of tokens by the ids that the service has given them. */
  tokenIds: Record<string, string>;
  progress: (Moment | string)[];
};

export type Shard = {
  order: ShardOrder;
  carried: ShardCarried;
  progress: Progress;
  searchAttributes: boolean;
  woken: boolean;
  /** Activities under way on behalf of lines. */
  busy: number;
  isLooking: boolean;
  isSeeking: boolean;
  isReporting: boolean;
  /** Looks in a row that brought nothing. */
  emptyLooks: number;
  nextLookMs: number;
  /** Wallets that the service holds back for now, by their number. */
  held: Map<number, number>;
  /** When the pace lets the next line go. */
  paceMs: number;
  /** What may be spent above the reserve, by wallet and token; read when it is needed. */
  spare: {
    units: Map<string, bigint>;
    /** Wallets whose native coin and its twin are one balance, by their ids. */
    shared: Set<string>;
    readAtMs: number;
    isReading: boolean;
    nextMs: number;
    /** Readings in a row of which nothing came. */
    times: number;
  };
  /** What a person has to mend, or what passes by itself. */
  trouble?: Stop | undefined;
  /** The last report, and when. */
  reported?: { pressing: string; tally: string; open: number; atMs: number };
  alarmMs?: number | undefined;
  /** Answers to sent lines since the last turn, and when that was. */
  answers: number;
  turnAtMs: number;
  /** What this run has noticed of `doubtful`, which a reset raises. */
  wasDoubtful: boolean;
};

const noSteer: Steer = {
  firstRunId: '',
  maySend: false,
  openMax: 0,
  linesPerS: null,
  paused: false,
};

export function newShard(order: ShardOrder, given?: ShardCarried): Shard {
  const carried = given ?? {
    states: order.lines.map(() => ({ stage: 'waiting', generation: 0, tries: 'clean' }) as const),
    steer: noSteer,
    bornAtMs: 0,
    tokenIds: {},
    progress: [],
    doubtful: false,
    isLookedFor: true,
    isClosed: false,
  };
  carried.doubtful ||= given !== undefined && workflowInfo().attempt > 1;
  const since = new Date().toISOString();
  const timeline = carried.progress.map(momentOf);
  return {
    order,
    carried,
    progress: { status: 'Preparing', timeline, waitingFor: 'the check of its lines', since },
    searchAttributes: false,
    woken: false,
    busy: 0,
    isLooking: false,
    isSeeking: false,
    isReporting: false,
    emptyLooks: 0,
    nextLookMs: 0,
    held: new Map(),
    paceMs: 0,
    spare: {
      units: new Map(),
      shared: new Set(),
      readAtMs: 0,
      isReading: false,
      nextMs: 0,
      times: 0,
    },
    answers: 0,
    turnAtMs: 0,
    wasDoubtful: carried.doubtful && carried.isLookedFor,
  };
}

/** A line by its number, with all that belongs to it. */
export type Line = {
  index: number;
  line: ShardLine;
  state: LineState;
  wallet: ResolvedWallet;
  token: ResolvedToken;
};

export function lineAt({ order, carried }: Shard, index: number): Line {
  const line = order.lines[index];
  const state = carried.states[index];
  const wallet = order.terms.wallets[line?.wallet ?? -1];
  const token = order.tokens.find(({ name }) => name === line?.token);
  if (line && state && wallet && token) return { index, line, state, wallet, token };
  throw new Error(`Line ${index} of part ${order.part} is not whole.`);
}

/** The lines at some stages, in their order. */
export function linesAt(shard: Shard, ...stages: LineState['stage'][]): Line[] {
  const found: Line[] = [];
  for (const [index, { stage }] of shard.carried.states.entries()) {
    if (stages.includes(stage)) found.push(lineAt(shard, index));
  }
  return found;
}

/** How many lines are under way: with an activity, or with the service. */
export function openCount({ carried }: Shard): number {
  return carried.states.filter(({ stage }) => stage === 'sending' || stage === 'sent').length;
}

/** A line as a write: its key and its reference are the payout's, and never the shard's. */
export function stepOf(shard: Shard, { line, wallet, token }: Line) {
  const { terms } = shard.order;
  const { lineId: item, to, amount } = line;
  return transferStep(
    { opened: terms },
    { step: 'line', item, from: wallet, to, token, amount, feeLevel: terms.feeLevel },
  );
}

export function identityOf(shard: Shard, { line, state }: Line): WriteIdentity {
  const { workflowId, baseUrl, validUntil } = shard.order.terms;
  const { generation, tries: earlierTries, bornAtMs = Date.now() } = state;
  const parts = { workflowId, step: 'line', item: line.lineId, generation };
  const payout = { workflowId, firstRunId: shard.carried.steer.firstRunId };
  return {
    parts,
    earlierTries,
    bornAtMs,
    baseUrl,
    validUntil,
    runId: workflowInfo().runId,
    payout,
  };
}

/** How a line is named from outside. */
export function targetOf({ line, state }: Line): string {
  return `line/${line.lineId}#${state.generation}`;
}

const outcomes: Readonly<Record<LineState['stage'], LineOutcome>> = {
  waiting: 'waiting',
  sending: 'waiting',
  sent: 'waiting',
  doubt: 'waiting',
  unknown: 'unknown',
  givenUp: 'unknown',
  paid: 'paid',
  failed: 'failed',
  skipped: 'skipped',
};

/** Every line, and what it has come to so far. */
export function resultsOf(shard: Shard): LineResult[] {
  return shard.order.lines.map((_, index) => {
    const { line, state, wallet } = lineAt(shard, index);
    const { lineId, to, amount, token } = line;
    const { stage, generation, transactionId, txHash, reason } = state;
    return {
      lineId,
      to,
      amount,
      token,
      outcome: outcomes[stage],
      walletAddress: wallet.address,
      generation,
      ...(transactionId === undefined ? {} : { transactionId }),
      ...(txHash === undefined ? {} : { txHash }),
      ...(reason === undefined ? {} : { reason }),
      ...(stage === 'givenUp' ? { givenUp: true } : {}),
    };
  });
}
