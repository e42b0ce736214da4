import { workflowInfo } from '@temporalio/workflow';
import type { WriteIdentity } from '../../activities/attempt';
import type { PayoutRun } from '../../activities/mayPay';
import type { Authority, Decision } from '../../src/orders/input/signed';
import type { OrderKind, ReadOrder } from '../../src/orders/kinds';
import { firstState, type Left } from './machine/firstState';
import { next } from './machine/machine';
import type { Happening, Terms, WriteState } from './machine/writeState';
import { type Doubt, noteReset, wasReset } from './reset';
import { identityOf, type WriteName } from './step';

/** An order, or a part of a payout: what its writes need of it. */
export type WritesOwner = {
  opened: Terms & {
    order: Pick<ReadOrder<OrderKind>, 'generations' | 'validUntil' | 'request'>;
    memory: { baseUrl: string };
    earlier: Left;
  };
  carried: Doubt & {
    /** Every write that was ever considered, by path. */
    writes: Record<string, WriteState>;
    /** Results of finished steps, by path. No step is done twice. */
    done: Record<string, unknown>;
    /** A cancellation was requested. It takes effect once nothing is pending. */
    cancelAsked: boolean;
    /** Signatures of people on what the order asks for. The process that signs verifies them. */
    decisions?: Decision[];
  };
  /** The terms of a write, where they are not the same for all of them. */
  terms?: (write: WriteName) => Terms;
  /** The payout whose lines the writes are. Keys and references are made of its id. */
  payout?: PayoutRun;
  /** The signatures of a write, where they are not simply those of its order. */
  signed?: (write: WriteName) => Authority | undefined;
  /** The state as it is kept. An order of many writes carries on less. */
  kept?: (write: WriteName, state: WriteState) => WriteState;
  /** Hears how a write has changed. */
  changed?: (write: WriteName, before: WriteState, after: WriteState) => void;
};

/** The writes of an order, or of a part of a payout: their states, and their names. */
export type Writes = {
  /** The state of a write. Before its first event, it is what earlier runs of the order left. */
  stateOf(write: WriteName): WriteState;
  /**
   * Applies an event of the service, the chain or a person. A run that was reset, or that is
   * cancelled, hears of that first.
   */
  hear(write: WriteName, happening: Happening): WriteState;
  /** Applies an event to a write's state, whatever its run may have forgotten. */
  apply(write: WriteName, happening: Happening): WriteState;
  /** Applies an event to each known write that is meant. */
  applyToAll(happening: Happening, isMeant?: (state: WriteState) => boolean): void;
  /** Adds a write in a state that the machine has made. */
  add(write: WriteName, state: WriteState): void;
  /** The identity of a write in its present generation. */
  identityOf(write: WriteName): WriteIdentity & { payout?: PayoutRun | undefined };
  /** The name of a write in its present generation: "<step>/<item>#<generation>". */
  targetOf(write: WriteName): string;
};

/** The words that a cancelled write shows if it was never sent. */
const cancelWords = 'It was cancelled before it was sent.';

/** The writes of an order. Nothing else changes the state of a write. */
export function createWrites(live: WritesOwner): Writes {
  const stateOf = (write: WriteName): WriteState => {
    const path = pathOf(write);
    return live.carried.writes[path] ?? firstOf(live, path);
  };
  const keep = (write: WriteName, state: WriteState): WriteState => {
    live.carried.writes[pathOf(write)] = live.kept?.(write, state) ?? state;
    return state;
  };
  const after = (write: WriteName, state: WriteState, happening: Happening): WriteState =>
    next(state, { ...happening, nowMs: Date.now() }, live.terms?.(write) ?? live.opened);
  const apply = (write: WriteName, happening: Happening): WriteState =>
    keep(write, after(write, stateOf(write), happening));
  const hear = (write: WriteName, happening: Happening): WriteState => {
    noteReset(live);
    const known = stateOf(write);
    const reset = wasReset(live) ? after(write, known, { kind: 'forgot' }) : known;
    // An answer that was read before a reset does not show what was sent after it.
    if (reset !== known && happening.kind === 'looked') return keep(write, reset);
    const cancel = { kind: 'cancel', why: cancelWords } as const;
    const before = live.carried.cancelAsked ? after(write, reset, cancel) : reset;
    const heard = keep(write, after(write, before, happening));
    live.changed?.(write, known, heard);
    return heard;
  };
  const targetOf = (write: WriteName): string => `${pathOf(write)}#${stateOf(write).generation}`;
  return {
    stateOf,
    hear,
    apply,
    applyToAll: (happening, isMeant = () => true) => {
      for (const [path, state] of Object.entries(live.carried.writes)) {
        if (isMeant(state)) apply(writeAt(path), happening);
      }
    },
    add: keep,
    identityOf: (write) => {
      const { opened, payout } = live;
      const { workflowId } = payout ?? workflowInfo();
      const { validUntil } = opened.order;
      const authority = live.signed ? live.signed(write) : signaturesOf(live, targetOf(write));
      const place = { workflowId, baseUrl: opened.memory.baseUrl, validUntil, authority };
      return { ...identityOf(write, stateOf(write), place), ...(payout && { payout }) };
    },
    targetOf,
  };
}

/** A write before its first event in this run. */
function firstOf({ opened, carried }: WritesOwner, path: string): WriteState {
  const { order, earlier } = opened;
  const generation = order.generations[path] ?? 0;
  const now = { isForgotten: wasReset({ carried }), nowMs: Date.now() };
  return firstState({ path, generation }, earlier, now);
}

/** The signatures of an order: its request, and the decisions on a write. */
function signaturesOf({ opened, carried }: WritesOwner, target: string): Authority | undefined {
  const { request } = opened.order;
  const { decisions } = carried;
  if (request === undefined && decisions === undefined) return undefined;
  return { request, decisions: decisions?.filter((one) => one.target === target) };
}

/** The write of a path. An item may hold any character, and a step no slash. */
function writeAt(path: string): WriteName {
  const at = path.indexOf('/');
  return { step: path.slice(0, at), item: path.slice(at + 1) };
}

export function pathOf({ step, item }: WriteName): string {
  return `${step}/${item}`;
}
