import { graceMs, nowMs } from '../../world';
import type { Player } from './player';
import type { Call, Happened, Outcome, Told } from './told';

/** A workflow: the states that it hands on, the inputs of its calls, and what is seen of a place. */
export type Kind = { carried: object; given: unknown; seen: object };

/** One thing that a run has heard, and how many ticks after its beginning. */
type Past = { happened: Happened; at: number };

/** The state in which a run begins. Equal ones are the same object. */
type Start<Of extends Kind> = {
  number: number;
  order: object;
  /** The state that the run before has handed on, in JSON. Undefined in a first run. */
  carried: Of['carried'] | undefined;
  memo: Record<string, object>;
};

type Script<Of extends Kind> = {
  start: Start<Of>;
  /** Ticks since the run began. */
  elapsed: number;
  pasts: readonly Past[];
  resetAt?: number | undefined;
};

/** A place at which a run waits. Places that are equal are the same object. */
export type Place<Of extends Kind> = Of['seen'] & {
  number: number;
  script: Script<Of>;
  calls: readonly Call<Of['given']>[];
  rests: boolean;
  isAsked: boolean;
  /** Its run has heard or asked for something whose moment counts. */
  isTimed: boolean;
  memo: Record<string, object>;
  end: Exclude<Outcome<Of['carried']>, { kind: 'continued' }> | undefined;
};

/** The place of a run, and its answer to a message. */
export type Heard<Of extends Kind> = {
  place: Place<Of>;
  answer?: Told['answers'][number] | undefined;
};

/** A workflow as a model plays it. */
export type Played<Of extends Kind> = {
  workflow: string;
  workflowId: string;
  /** A query that tells more of each place. */
  asks?: string;
  /** The moments of these calls count. The answer to a question may be late. */
  momentous: ReadonlySet<string>;
  /** Ticks after which the clock of a run stands still. */
  ticksMax: number;
  /** The calls whose answers tell nothing new, by their names. */
  plain: Readonly<Record<string, unknown>>;
  /** The part of a state that decides. What people read of it does not. */
  shortened(state: Of['carried']): Of['carried'];
  seenIn(told: Told<Of['carried'], Of['given']>, isTold: (name: string) => boolean): Of['seen'];
};

/**
 * The places of the runs of a workflow. A run is played from what the run before has handed on, as
 * Temporal plays it from its history. So each question is asked once.
 */
export class Positions<Of extends Kind> {
  private readonly known = new Map<string, Heard<Of>>();
  private readonly starts = new Map<string, Start<Of>>();

  constructor(
    private readonly play: Player,
    private readonly played: Played<Of>,
  ) {}

  /** A first run that has just begun. */
  begun(order: object): Place<Of> {
    return this.begunWith({ order, carried: undefined, memo: {} });
  }

  /** The place after something has happened, and the answer to a message if that was it. */
  next({ script }: Place<Of>, happened: Happened): Heard<Of> {
    return this.at(heardBy(script, happened));
  }

  /** The same place one tick later. A run that has only asked to read asks again. */
  older(place: Place<Of>): Place<Of> {
    const { script, end, isTimed } = place;
    if (end !== undefined) return place;
    if (!isTimed) return this.again(place);
    const elapsed = Math.min(script.elapsed + 1, this.played.ticksMax);
    return this.at({ ...script, elapsed }).place;
  }

  /** The run again one tick later, from the state in which it has begun, after a change of that. */
  again(
    { script }: Place<Of>,
    change: (state: Of['carried']) => Of['carried'] = (state) => state,
  ): Place<Of> {
    const { start } = script;
    const later = start.carried && change(seenAfter(start.carried, graceMs));
    const carried = later && this.played.shortened(later);
    return this.at({ ...script, start: this.startOf({ ...start, carried }) }).place;
  }

  /** A new run that has the history up to a place, and that may have done more than that. */
  reset({ script }: Place<Of>): Place<Of> {
    return this.at({ ...script, resetAt: script.pasts.length + 1 }).place;
  }

  private begunWith(given: Omit<Start<Of>, 'number'>): Place<Of> {
    return this.at({ start: this.startOf(given), elapsed: 0, pasts: [] }).place;
  }

  private startOf({ order, carried, memo }: Omit<Start<Of>, 'number'>): Start<Of> {
    const text = JSON.stringify([order, carried, memo]);
    const known = this.starts.get(text) ?? { number: this.starts.size, order, carried, memo };
    this.starts.set(text, known);
    return known;
  }

  private at(script: Script<Of>): Heard<Of> {
    const { start, elapsed, pasts, resetAt } = script;
    const text = `${start.number} ${elapsed} ${resetAt} ${JSON.stringify(pasts)}`;
    const known = this.known.get(text) ?? this.placeOf(script);
    this.known.set(text, known);
    return known;
  }

  private placeOf(script: Script<Of>): Heard<Of> {
    const told = this.told(script);
    const { outcome, memo, calls, rests, isAsked } = told;
    const answer = isAsked ? undefined : told.answers.at(-1);
    if (outcome?.kind === 'continued') {
      const { order } = outcome;
      const carried = this.played.shortened(outcome.carried);
      return { place: this.begunWith({ order, carried, memo }), answer };
    }
    const plainly = calls.find(({ name }) => name in this.played.plain);
    if (plainly !== undefined) {
      const { number: call, name } = plainly;
      return this.at(heardBy(script, { kind: 'answer', call, value: this.played.plain[name] }));
    }
    const isTold = (name: string): boolean => hasHeard(script, name);
    const place = {
      ...this.played.seenIn(told, isTold),
      number: this.known.size + 1,
      script,
      calls,
      rests,
      isAsked,
      isTimed: this.isTimed(told, script),
      memo,
      end: outcome,
    };
    return { place, answer };
  }

  private isTimed(
    { names, isAsked }: Told<Of['carried'], Of['given']>,
    { pasts }: Script<Of>,
  ): boolean {
    const isAnswered = pasts.some(({ happened }) => happened.kind === 'answer');
    return isAnswered || isAsked || names.some((name) => this.played.momentous.has(name));
  }

  private told({ start, elapsed, pasts, resetAt }: Script<Of>): Told<Of['carried'], Of['given']> {
    const { workflow, workflowId, asks } = this.played;
    const { order, carried, memo } = start;
    const question = { workflow, workflowId, asks, order, carried, memo, resetAt };
    const moments = pasts.map(({ happened, at }) => ({ happened, atMs: nowMs + at * graceMs }));
    return seenAfter(
      this.play<Of['carried'], Of['given']>(question, nowMs, moments),
      elapsed * graceMs,
    );
  }
}

function heardBy<Of extends Kind>(script: Script<Of>, happened: Happened): Script<Of> {
  return { ...script, pasts: [...script.pasts, { happened, at: script.elapsed }] };
}

/** True if somebody has sent a message to this run. */
export function hasHeard({ pasts }: Pick<Script<Kind>, 'pasts'>, name: string): boolean {
  return pasts.some(({ happened }) => 'name' in happened && happened.name === name);
}

/**
 * The same, with each moment in it as long ago as it is. The present is always the same. The moment
 * of a timer stays, since it may fire at any time.
 */
function seenAfter<T>(told: T, ms: number): T {
  if (ms === 0) return told;
  const isMoment = (name: string, value: unknown): value is number =>
    name.endsWith('Ms') && name !== 'notBeforeMs' && typeof value === 'number' && value > aDecadeMs;
  const text = JSON.stringify(told, (name, value: unknown) =>
    isMoment(name, value) ? value - ms : value,
  );
  return JSON.parse(text);
}

/** No duration is as long, and no moment as early. */
const aDecadeMs = 10 * 365 * 86_400_000;
