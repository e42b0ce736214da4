import type { Call, Outcome, Question, Told } from './told';

export type Handler = {
  handler: (...given: unknown[]) => unknown;
  validator?: (given: unknown) => void;
};
type Asked = Omit<Call, 'given'> & {
  given: unknown;
  answer: (value: unknown) => void;
  fail: (error: Error) => void;
};
export type Timer = { atMs: number; ring: () => void };
export type Waiting = { isMet: () => boolean; go: () => void };

/** A run of a workflow: what it has heard, and what it waits for. */
export class Run {
  clockMs = 0;
  heard = 0;
  isLong = false;
  busy = 0;
  asked: Asked[] = [];
  names: string[] = [];
  timers = new Set<Timer>();
  waiting = new Set<Waiting>();
  /** Signals to other workflows that are under way. */
  signals: (() => void)[] = [];
  handlers = new Map<string, Handler>();
  answers: Told['answers'] = [];
  outcome: Outcome | undefined;
  carried: unknown;
  memo: Record<string, unknown>;

  constructor(readonly question: Question) {
    this.memo = { ...question.memo };
    this.carried = question.carried;
  }

  /** The part before a reset is a replay. */
  get isReplaying(): boolean {
    return this.heard <= (this.question.resetAt ?? 0);
  }
}

/** The run that is played now. */
export const now: { run: Run } = {
  run: new Run({ workflow: '', workflowId: '', order: {}, memo: {} }),
};

/** The clock of a run moves only between the things that happen to it. */
class RunDate extends Date {
  constructor(...given: [] | [number | string]) {
    super(given.length === 0 ? now.run.clockMs : given[0]);
  }

  static override now(): number {
    return now.run.clockMs;
  }
}
Object.assign(globalThis, { Date: RunDate });
