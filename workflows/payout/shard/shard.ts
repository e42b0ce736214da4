import { workflowInfo } from '@temporalio/workflow';
import type { WriteIdentity } from '../../../activities/attempt';
import type { ShardLine, ShardOrder } from '../../../activities/payout/shardOrder';
import type { ResolvedToken, ResolvedWallet } from '../../../src/orders/kind';
import type { LineResult } from '../../../src/orders/payout';
import type { Moment, Progress } from '../../../src/orders/progress/status';
import type { Stop } from '../../order/custody';
import { transferStep } from '../../steps/transfer';
import { countLine, noteLine } from '../../write/meter';
import { next } from '../../write/state';
import { identityOf as identityIn } from '../../write/step';
import { type Happening, isOver, newWrite, type WriteState } from '../../write/writeState';
import type { Steer } from '../records';
import { outcomes } from './outcomes';

/** A line as a write. Small and plain, since it is carried from run to run. */
export type LineState = WriteState & {
  /** Its wallet holds too little above its reserve. */
  isShort?: boolean;
};

/** What a run of a shard hands on to the next one. */
export type ShardCarried = {
  isOpen: boolean;
  states: LineState[];
  steer: Steer;
  doubtful: boolean;
  /** Its payout has ended: nothing more is sent, and what is pending settles. */
  isClosed: boolean;
  /** The addresses of tokens by the ids that the service has given them. */
  tokenIds: Record<string, string>;
  progress: Moment[];
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
  isChecking: boolean;
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
    isOpen: false,
    states: order.lines.map(() => newWrite({ generation: 0, knownAtMs: Date.now() })),
    steer: noSteer,
    tokenIds: {},
    progress: [],
    doubtful: false,
    isClosed: false,
  };
  carried.doubtful ||= given !== undefined && workflowInfo().attempt > 1;
  const since = new Date().toISOString();
  return {
    order,
    carried,
    progress: {
      timeline: carried.progress,
      status: 'Preparing',
      waitingFor: 'the check of its lines',
      since,
    },
    searchAttributes: false,
    woken: false,
    busy: 0,
    isLooking: false,
    isSeeking: false,
    isChecking: false,
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

/** Takes an event into a line's state. */
export function happened(shard: Shard, line: Line, happening: Happening): LineState {
  const before = line.state;
  const event = { ...happening, nowMs: Date.now() };
  const state: LineState = next(before, event, shard.order.terms);
  if (state.stage !== before.stage) {
    const outcome = outcomes[state.stage];
    if (outcome !== 'waiting') countLine(state.stage === 'givenUp' ? 'givenUp' : outcome);
    if (state.record !== undefined && isOver(state)) noteEnd(shard, line, state);
  }
  shard.carried.states[line.index] = state;
  line.state = state;
  return state;
}

function noteEnd(shard: Shard, line: Line, state: LineState): void {
  const { record, bornAtMs } = state;
  const { expected } = stepOf(shard, line);
  const born = bornAtMs === undefined ? {} : { bornAtMs };
  noteLine({ state: record?.state ?? '', expected, ...born });
  // Hundreds of lines are carried on, so that only what a receipt tells stays.
  const { id = '', state: word = '', txHash } = record ?? {};
  state.record = { id, state: word, ...(txHash === undefined ? {} : { txHash }) };
}

/** The same line under its next key. A refused line was never accepted, and that is proof enough. */
export function attemptAnew({ carried }: Shard, line: Line, generation: number): void {
  const isProven = line.state.stage === 'refused';
  carried.states[line.index] = newWrite({ generation, knownAtMs: Date.now(), isProven });
}

/** The number of open lines: with an activity, or with the service. */
export function openCount({ carried }: Shard): number {
  return carried.states.filter(({ stage }) => stage === 'sending' || stage === 'accepted').length;
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

export function identityOf({ order, carried }: Shard, { line, state }: Line): WriteIdentity {
  const { workflowId } = order.terms;
  const payout = { workflowId, firstRunId: carried.steer.firstRunId };
  return { ...identityIn({ step: 'line', item: line.lineId }, state, order.terms), payout };
}

/** How a line is named from outside. */
export function targetOf({ line, state }: Line): string {
  return `line/${line.lineId}#${state.generation}`;
}

/** True if no attempt at a waiting line was made. */
function isUnsent({ stage, tries }: LineState): boolean {
  return (stage === 'unseen' || stage === 'ready') && tries === 'clean';
}

/** Every line, and what it has come to so far. */
export function resultsOf(shard: Shard): LineResult[] {
  return shard.order.lines.map((_, index) => {
    const { line, state, wallet } = lineAt(shard, index);
    const { lineId, to, amount, token } = line;
    const { stage, generation, transactionId, record, why } = state;
    const { txHash } = record ?? {};
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
      ...(why === undefined || stage === 'completed' ? {} : { reason: why }),
      ...(stage === 'givenUp' ? { givenUp: true } : {}),
      ...(isUnsent(state) ? { isUnsent: true } : {}),
    };
  });
}
