import { dirname } from 'node:path';

const ownFolder = dirname(dirname(__dirname));
const framesMax = 50;

/**
 * An error whose message is enough for its reader. Uncaught, it prints the message and the caller's
 * own lines, without frames of this package and its dependencies. Its cause is in its trace alone,
 * since Node prints all of a cause.
 */
export abstract class SentenceError extends Error {
  abstract override readonly name: string;
  readonly #trace: string;
  readonly #reason: unknown;

  constructor(message: string, options?: ErrorOptions) {
    super(message);
    capture(this);
    const frames = (this.stack ?? '').split('\n').filter((line) => /^ +at /.test(line));
    const words = `${new.target.name}: ${message}`;
    this.#reason = options?.cause;
    this.#trace = [words, ...frames, ...tracesOf(options?.cause)].join('\n');
    this.stack = [words, ...frames.filter(isCallers)].join('\n');
  }

  /** The whole stack, for a person who looks for a fault in this package. */
  get trace(): string {
    return this.#trace;
  }

  /** The error behind it, if any. */
  get reason(): unknown {
    return this.#reason;
  }
}

/** Node keeps ten frames, which may all be ours. The caller's own lines are behind them. */
function capture(error: Error): void {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = framesMax;
  Error.captureStackTrace(error);
  Error.stackTraceLimit = stackTraceLimit;
}

/** The stack traces of an error and of its causes. Other fields may be secret and stay out. */
export function tracesOf(cause: unknown): string[] {
  if (!(cause instanceof Error)) return [];
  const trace = cause instanceof SentenceError ? cause.trace : cause.stack;
  return [trace ?? cause.message, ...tracesOf(cause.cause)];
}

function isCallers(frame: string): boolean {
  return !frame.includes(ownFolder) && !/[\\/]node_modules[\\/]|\(node:|at node:/.test(frame);
}
