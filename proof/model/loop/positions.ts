import type { WriteState } from '../../../workflows/write/machine/writeState';
import { aged, carried as decisive, graceMs, nowMs, oldTicks } from '../world';
import { path, workflowId } from './order';
import type { Player } from './temporal/player';
import type { Call, Carried, Happened, Memory, Outcome, Told } from './temporal/told';

/** One thing that a run has heard, and how many ticks after its beginning. */
type Past = { happened: Happened; at: number };

type Script = {
  order: object;
  /** The state that the run began with, in JSON. Undefined in a first run. */
  carried: Carried | undefined;
  memo: Record<string, Memory>;
  /** Ticks since the run began. */
  elapsed: number;
  pasts: readonly Past[];
  resetAt?: number | undefined;
};

/** A place at which a run waits. Places that are equal are the same object. */
export type Position = {
  number: number;
  script: Script;
  calls: readonly Call[];
  rests: boolean;
  isAsked: boolean;
  isCancelled: boolean;
  /** Its run has heard or asked for something whose moment counts. */
  isTimed: boolean;
  write: WriteState | undefined;
  memo: Record<string, Memory>;
  end: Exclude<Outcome, { kind: 'continued' }> | undefined;
};

/** The place of a run, and its answer to a message. */
export type Heard = { place: Position; answer?: Told['answers'][number] | undefined };

/**
 * The places of the runs of an order. A run is played from what the run before has handed on, as
 * Temporal plays it from its history. So each question is asked once.
 */
export class Positions {
  private readonly known = new Map<string, Heard>();
  private readonly after = new Map<string, Heard>();

  constructor(
    private readonly play: Player,
    private readonly workflow: string,
  ) {}

  /** A first run that has just begun. */
  begun(order: object): Position {
    return this.at({ order, carried: undefined, memo: {}, elapsed: 0, pasts: [] }).place;
  }

  /** The place after something has happened, and the answer to a message if that was it. */
  next({ number, script }: Position, happened: Happened): Heard {
    const question = `${number} ${JSON.stringify(happened)}`;
    const known = this.after.get(question);
    if (known !== undefined) return known;
    const heard = this.at(heardBy(script, happened));
    this.after.set(question, heard);
    return heard;
  }

  /** The same place one tick later. A run that has only asked to read asks again. */
  older(position: Position): Position {
    const { script, end, isTimed } = position;
    if (end !== undefined) return position;
    if (isTimed)
      return this.at({ ...script, elapsed: Math.min(script.elapsed + 1, oldTicks) }).place;
    const carried = script.carried && older(script.carried);
    return this.at({ ...script, carried }).place;
  }

  /** A new run that has the history up to a place, and that may have done more than that. */
  reset({ script }: Position): Position {
    return this.at({ ...script, resetAt: script.pasts.length + 1 }).place;
  }

  private at(script: Script): Heard {
    const text = JSON.stringify(script);
    const known = this.known.get(text) ?? this.played(script);
    this.known.set(text, known);
    return known;
  }

  private played(script: Script): Heard {
    const told = this.told(script);
    const { outcome, memo, calls } = told;
    const answer = told.isAsked ? undefined : told.answers.at(-1);
    if (outcome?.kind === 'continued') {
      const { order } = outcome;
      const carried = shortened(outcome.carried);
      return { ...this.at({ order, carried, memo, elapsed: 0, pasts: [] }), answer };
    }
    // Temporal closes a cancelled run, which tells nothing new.
    const close = calls.find(({ name }) => name === 'cancelRun');
    if (close !== undefined)
      return this.at(heardBy(script, { kind: 'answer', call: close.number }));
    const carried = told.carried;
    const write = carried?.writes[path];
    const place: Position = {
      number: this.known.size + 1,
      script,
      calls,
      rests: told.rests,
      isAsked: told.isAsked,
      isTimed: isTimed(told, script),
      isCancelled: carried?.cancelAsked === true || isTold(script, 'cancel'),
      write: write && decisive(write),
      memo,
      end: outcome,
    };
    return { place, answer };
  }

  private told({ order, carried, memo, elapsed, pasts, resetAt }: Script): Told {
    const { workflow } = this;
    const question = { workflow, workflowId, order, carried, memo, resetAt };
    const moments = pasts.map(({ happened, at }) => ({ happened, atMs: nowMs + at * graceMs }));
    return seenAfter(this.play(question, nowMs, moments), elapsed * graceMs);
  }
}

function heardBy(script: Script, happened: Happened): Script {
  return { ...script, pasts: [...script.pasts, { happened, at: script.elapsed }] };
}

/** The same, with each moment in it as long ago as it is. The present is always the same. */
function seenAfter<T>(told: T, ms: number): T {
  if (ms === 0) return told;
  const isMoment = (name: string, value: unknown): value is number =>
    name.endsWith('Ms') && typeof value === 'number' && value > aDecadeMs;
  const text = JSON.stringify(told, (name, value: unknown) =>
    isMoment(name, value) ? value - ms : value,
  );
  return JSON.parse(text);
}

/** No duration is as long, and no moment as early. */
const aDecadeMs = 10 * 365 * 86_400_000;

/** True if somebody has sent a message to this run. */
export function isTold({ pasts }: Script, name: string): boolean {
  return pasts.some(({ happened }) => 'name' in happened && happened.name === name);
}

function isTimed({ names, isAsked }: Told, { pasts }: Script): boolean {
  const isAnswered = pasts.some(({ happened }) => happened.kind === 'answer');
  return isAnswered || isAsked || names.some((name) => momentous.has(name));
}

/** The moments of these calls count. The answer to a question may be late. */
const momentous = new Set(['createTransfer', 'checkReceipt', 'findTransaction']);

/** A later moment of a timer. It fires at any time. */
const laterMs = nowMs + 1_000;

/** The part of a state that decides. What people read of it does not. */
function shortened(state: Carried): Carried & { progress: [] } {
  const { opened, writes, done, over, made, cancelAsked, hasLooked, doubtedAtMs } = state;
  const isKnown = path in writes;
  const known = opened && { ...opened, ...(isKnown ? { earlier: unborn(opened) } : {}) };
  if (known !== undefined && hasLooked) delete known.firstLook;
  return {
    done,
    over,
    made,
    cancelAsked,
    progress: [],
    ...(known && { opened: known }),
    writes: mapped(writes, decisive),
    ...(hasLooked ? { hasLooked } : { openedAtMs: nowMs }),
    ...(doubtedAtMs === undefined ? {} : { doubtedAtMs: nowMs }),
  };
}

/** A write that is known has its own moments. */
function unborn({ earlier }: NonNullable<Carried['opened']>) {
  return { ...earlier, bornAtMs: nowMs };
}

function mapped(
  writes: Carried['writes'],
  as: (write: WriteState) => WriteState,
): Carried['writes'] {
  const waits = ({ notBeforeMs = 0 }: WriteState): Partial<WriteState> =>
    notBeforeMs > nowMs ? { notBeforeMs: laterMs } : {};
  const entries = Object.entries(writes).map(([name, write]) => {
    return [name, { ...as(write), ...waits(write) }] as const;
  });
  return Object.fromEntries(entries);
}

/** The same state one tick later. */
function older(state: Carried): Carried {
  const { opened, writes } = state;
  const { bornAtMs = nowMs } = opened?.earlier ?? {};
  const bornBefore = Math.max(bornAtMs - graceMs, nowMs - oldTicks * graceMs);
  const earlier = opened && { ...opened.earlier, bornAtMs: bornBefore };
  return shortened({
    ...state,
    ...(opened && earlier ? { opened: { ...opened, earlier } } : {}),
    writes: mapped(writes, (write) => aged(decisive(write))),
  });
}
