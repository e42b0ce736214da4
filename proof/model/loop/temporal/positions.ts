import { graceMs, nowMs } from '../../world';
import type { Player } from './player';
import type { Call, Happened, Outcome, Told } from './told';

/** One thing that a run has heard, and how many ticks after its beginning. */
type Past = { happened: Happened; at: number };

/** The state in which a run begins. Equal ones are the same object. */
type Start<Carried> = {
  number: number;
  order: object;
  /** The state that the run before has handed on, in JSON. Undefined in a first run. */
  carried: Carried | undefined;
  memo: Record<string, object>;
};

type Script<Carried> = {
  start: Start<Carried>;
  /** Ticks since the run began. */
  elapsed: number;
  pasts: readonly Past[];
  resetAt?: number | undefined;
};

/** A place at which a run waits. Places that are equal are the same object. */
export type Place<Carried, Given, Seen> = Seen & {
  number: number;
  script: Script<Carried>;
  calls: readonly Call<Given>[];
  rests: boolean;
  isAsked: boolean;
  /** Its run has heard or asked for something whose moment counts. */
  isTimed: boolean;
  memo: Record<string, object>;
  end: Exclude<Outcome<Carried>, { kind: 'continued' }> | undefined;
};

/** The place of a run, and its answer to a message. */
export type HeardAt<At> = { place: At; answer?: Told['answers'][number] | undefined };

/** A workflow as a model plays it. */
export type Played<Carried, Given, Seen> = {
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
  shortened(state: Carried): Carried;
  /** The same state one tick later. */
  older(state: Carried): Carried;
  seenIn(told: Told<Carried, Given>, isTold: (name: string) => boolean): Seen;
};

/**
 * The places of the runs of a workflow. A run is played from what the run before has handed on, as
 * Temporal plays it from its history. So each question is asked once.
 */
export class Positions<Carried extends object, Given, Seen extends object> {
  private readonly known = new Map<string, HeardAt<Place<Carried, Given, Seen>>>();
  private readonly after = new Map<string, HeardAt<Place<Carried, Given, Seen>>>();
  private readonly starts = new Map<string, Start<Carried>>();

  constructor(
    private readonly play: Player,
    private readonly played: Played<Carried, Given, Seen>,
  ) {}

  /** A first run that has just begun. */
  begun(order: object): Place<Carried, Given, Seen> {
    return this.begunWith({ order, carried: undefined, memo: {} });
  }

  /** The place after something has happened, and the answer to a message if that was it. */
  next(
    { number, script }: Place<Carried, Given, Seen>,
    happened: Happened,
  ): HeardAt<Place<Carried, Given, Seen>> {
    const question = `${number} ${JSON.stringify(happened)}`;
    const known = this.after.get(question);
    if (known !== undefined) return known;
    const heard = this.at(heardBy(script, happened));
    this.after.set(question, heard);
    return heard;
  }

  /** The same place one tick later. A run that has only asked to read asks again. */
  older(place: Place<Carried, Given, Seen>): Place<Carried, Given, Seen> {
    const { script, end, isTimed } = place;
    if (end !== undefined) return place;
    if (!isTimed) return this.again(place, this.played.older);
    const elapsed = Math.min(script.elapsed + 1, this.played.ticksMax);
    return this.at({ ...script, elapsed }).place;
  }

  /** The run again, from the state in which it has begun, after a change of that. */
  again(
    { script }: Place<Carried, Given, Seen>,
    change: (state: Carried) => Carried,
  ): Place<Carried, Given, Seen> {
    const { start } = script;
    const carried = start.carried && this.played.shortened(change(start.carried));
    return this.at({ ...script, start: this.startOf({ ...start, carried }) }).place;
  }

  /** A new run that has the history up to a place, and that may have done more than that. */
  reset({ script }: Place<Carried, Given, Seen>): Place<Carried, Given, Seen> {
    return this.at({ ...script, resetAt: script.pasts.length + 1 }).place;
  }

  private begunWith(given: Omit<Start<Carried>, 'number'>): Place<Carried, Given, Seen> {
    return this.at({ start: this.startOf(given), elapsed: 0, pasts: [] }).place;
  }

  private startOf({ order, carried, memo }: Omit<Start<Carried>, 'number'>): Start<Carried> {
    const text = JSON.stringify([order, carried, memo]);
    const known = this.starts.get(text) ?? { number: this.starts.size, order, carried, memo };
    this.starts.set(text, known);
    return known;
  }

  private at(script: Script<Carried>): HeardAt<Place<Carried, Given, Seen>> {
    const { start, elapsed, pasts, resetAt } = script;
    const text = `${start.number} ${elapsed} ${resetAt} ${JSON.stringify(pasts)}`;
    const known = this.known.get(text) ?? this.placeOf(script);
    this.known.set(text, known);
    return known;
  }

  private placeOf(script: Script<Carried>): HeardAt<Place<Carried, Given, Seen>> {
    const told = this.told(script);
    const { outcome, memo, calls, rests, isAsked } = told;
    const answer = isAsked ? undefined : told.answers.at(-1);
    if (outcome?.kind === 'continued') {
      const { order } = outcome;
      const carried = this.played.shortened(outcome.carried);
      return { place: this.begunWith({ order, carried, memo }), answer };
    }
    const { plain } = this.played;
    const plainly = calls.find(({ name }) => name in plain);
    if (plainly !== undefined) {
      const { number: call, name } = plainly;
      return this.at(heardBy(script, { kind: 'answer', call, value: plain[name] }));
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

  private isTimed({ names, isAsked }: Told<Carried, Given>, { pasts }: Script<Carried>): boolean {
    const isAnswered = pasts.some(({ happened }) => happened.kind === 'answer');
    return isAnswered || isAsked || names.some((name) => this.played.momentous.has(name));
  }

  private told({ start, elapsed, pasts, resetAt }: Script<Carried>): Told<Carried, Given> {
    const { workflow, workflowId, asks } = this.played;
    const { order, carried, memo } = start;
    const question = { workflow, workflowId, asks, order, carried, memo, resetAt };
    const moments = pasts.map(({ happened, at }) => ({ happened, atMs: nowMs + at * graceMs }));
    return seenAfter(this.play<Carried, Given>(question, nowMs, moments), elapsed * graceMs);
  }
}

function heardBy<Carried>(script: Script<Carried>, happened: Happened): Script<Carried> {
  return { ...script, pasts: [...script.pasts, { happened, at: script.elapsed }] };
}

/** True if somebody has sent a message to this run. */
export function hasHeard({ pasts }: Pick<Script<unknown>, 'pasts'>, name: string): boolean {
  return pasts.some(({ happened }) => 'name' in happened && happened.name === name);
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
