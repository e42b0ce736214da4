import type { WriteState } from '../../../../workflows/write/machine/writeState';

/** A run to play: its workflow, its input, and where it was reset. All of it is JSON. */
export type Question = {
  workflow: string;
  workflowId: string;
  order: object;
  /** The state that the run before has handed on. */
  carried?: Carried | undefined;
  memo: Record<string, Memory>;
  /** The number of things that had happened at the point of the reset. */
  resetAt?: number | undefined;
};

/** A failure as an activity tells it. Without a type, its worker is lost. */
export type Failure = { type?: string; message: string; facts: object };

/** One thing that happens to a run. */
export type Happened =
  | { kind: 'answer'; call: number; value?: unknown; failure?: Failure }
  | { kind: 'timer' }
  | { kind: 'message'; name: string; given: unknown };

/** A call of an activity that has not been answered. */
export type Call = {
  number: number;
  name: string;
  given: Given;
  /** The run before the reset has asked for it. */
  isOld: boolean;
  askedAtMs: number;
};

export type Outcome =
  | { kind: 'continued'; order: object; carried: Carried }
  | { kind: 'completed' }
  | { kind: 'cancelled' }
  | { kind: 'failed'; type: string; message: string; details?: Memory['end'] }
  /** The workflow has thrown what no workflow may throw. */
  | { kind: 'crashed'; message: string };

/** The place of a run, as it tells it. */
export type Told = {
  calls: Call[];
  /** The names of all calls that the run has asked for. */
  names: string[];
  /** A timer runs. */
  rests: boolean;
  /** A message of a person is being answered. */
  isAsked: boolean;
  /** The answers to messages, in their order. */
  answers: { refused?: string; said?: string }[];
  memo: Record<string, Memory>;
  /** The state that the run would hand on now. Undefined in a first run. */
  carried?: Carried;
  outcome?: Outcome | undefined;
};

/** The input of a call. Each activity reads its own fields. */
export type Given = {
  order: { generations: Record<string, number> };
  named?: string;
  parts: { step: string; generation: number };
  earlierTries: 'clean' | 'ambiguous';
  bornAtMs: number;
  lookedUpAgoMs?: number;
  baseUrl: string;
  id: string;
  search: { id: string };
};

/** As much of a state that a run hands on as this model reads. */
export type Carried = {
  opened?: { firstLook?: unknown; earlier: { bornAtMs: number } };
  writes: Record<string, WriteState>;
  done: unknown;
  over: unknown;
  made: unknown;
  cancelAsked: boolean;
  hasLooked?: boolean;
  openedAtMs?: number;
  doubtedAtMs?: number;
};

export type Log = Record<string, 'clean' | 'ambiguous'>;

/** As much of a run's memo as later runs read. */
export type Memory = {
  generations?: Record<string, number>;
  findings?: Record<string, unknown>;
  end?: { writes?: Log };
};
