import { dirname } from 'node:path';

const ownFolder = dirname(dirname(__dirname));

/**
 * An error whose message is enough for its reader. Uncaught, it prints the message and the caller's
 * own lines, without frames of this package and its dependencies.
 */
export abstract class SentenceError extends Error {
  abstract override readonly name: string;
  readonly #trace: string;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    const frames = (this.stack ?? '').split('\n').filter((line) => /^ +at /.test(line));
    const words = `${new.target.name}: ${message}`;
    this.#trace = [words, ...frames].join('\n');
    this.stack = [words, ...frames.filter(isCallers)].join('\n');
  }

  /** The whole stack, for a person who looks for a fault in this package. */
  get trace(): string {
    return this.#trace;
  }
}

function isCallers(frame: string): boolean {
  return !frame.includes(ownFolder) && !/[\\/]node_modules[\\/]|\(node:|at node:/.test(frame);
}
