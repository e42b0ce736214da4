/** A run to play: its workflow, its input, and where it was reset. All of it is JSON. */
export type Question = {
  workflow: string;
  workflowId: string;
  order: object;
  /** The state that the run before has handed on. */
  carried?: object | undefined;
  memo: Record<string, object>;
  /** A query that the place answers. */
  asks?: string | undefined;
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
export type Call<Given = unknown> = {
  number: number;
  name: string;
  given: Given;
  /** The run before the reset has asked for it. */
  isOld: boolean;
  askedAtMs: number;
};

export type Outcome<Carried = object> =
  | { kind: 'continued'; order: object; carried: Carried }
  | { kind: 'completed' }
  | { kind: 'cancelled' }
  | { kind: 'failed'; type: string; message: string; details?: object }
  /** The workflow has thrown what no workflow may throw. */
  | { kind: 'crashed'; message: string };

/** The place of a run, as it tells it. */
export type Told<Carried = object, Given = unknown> = {
  calls: Call<Given>[];
  /** The names of all calls that the run has asked for. */
  names: string[];
  /** A timer runs that fires within a grace period, so at any time. */
  rests: boolean;
  /** A message of a person is being answered. */
  isAsked: boolean;
  /** The answers to messages, in their order. */
  answers: { refused?: string; said?: string }[];
  memo: Record<string, object>;
  /** The answer to the query. Undefined while there is none. */
  shown?: unknown;
  /** The state that the run would hand on now. Undefined in a first run. */
  carried?: Carried;
  outcome?: Outcome<Carried> | undefined;
};
