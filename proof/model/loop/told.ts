/** A run to play: its workflow, its input, and where it was reset. All of it is JSON. */
export type Question = {
  workflow: string;
  workflowId: string;
  order: unknown;
  /** The state that the run before has handed on. */
  carried?: unknown;
  memo: Record<string, unknown>;
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
  given: unknown;
  /** The run before the reset has asked for it. */
  isOld: boolean;
};

export type Outcome =
  | { kind: 'continued'; order: unknown; carried: unknown }
  | { kind: 'completed' }
  | { kind: 'cancelled' }
  | { kind: 'failed'; type: string; message: string; details: unknown }
  /** The workflow has thrown what no workflow may throw. */
  | { kind: 'crashed'; message: string };

/** Where a run stands. */
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
  memo: Record<string, unknown>;
  /** The state that the run would hand on now. Undefined in a first run. */
  carried: unknown;
  outcome?: Outcome | undefined;
};
