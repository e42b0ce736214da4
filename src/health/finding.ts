import type { Client, Connection } from '@temporalio/client';
import type { TemporalConfig } from '../config';
import { isError, messageOf } from '../orders/input/systemFault';

/** A Temporal server that answers, and the checks wanted there. */
export type TemporalToCheck = {
  client: Client;
  connection: Connection;
  config: TemporalConfig;
  /** The build that workers are configured with. */
  deployment: { name: string; buildId: string } | undefined;
  /** True if this environment has a receiver of the ends of orders. */
  answers: boolean;
  /** True with --fix. */
  isFixing: boolean;
};

/** The result of a check of what orders need. */
export type HealthFinding = {
  /** The thing that was checked, such as "Temporal". */
  name: string;
  /** fixed: the doctor mended a fault. skipped: another fault must be mended first. */
  state: 'fine' | 'fixed' | 'fault' | 'skipped';
  words: string;
  /** The sentence that says how to mend it. A command to copy ends it, without a full stop. */
  mend?: string;
  /** The environment's fault, or one outside it that an operator must mend. */
  belongsTo?: 'configuration' | 'operator';
};

/** Nothing to mend. */
export function fine(name: string, words: string): HealthFinding {
  return { name, state: 'fine', words };
}

/** The doctor mended it. */
export function fixed(name: string, words: string): HealthFinding {
  return { name, state: 'fixed', words };
}

/** Not checked yet. */
export function skipped(name: string, words: string): HealthFinding {
  return { name, state: 'skipped', words };
}

/** A variable of the environment is wrong or missing. */
export function misconfigured(name: string, words: string, mend: string): HealthFinding {
  return { name, state: 'fault', words, mend, belongsTo: 'configuration' };
}

/** A fault outside the environment, which an operator must mend. */
export function broken(name: string, words: string, mend: string): HealthFinding {
  return { name, state: 'fault', words, mend, belongsTo: 'operator' };
}

/** The first line of an error, without its full stop. */
export function firstLine(error: unknown): string {
  const message = messageOf(error);
  const line = (message.split('\n')[0] ?? message).replace(/\.$/, '');
  // Node's fetch says only "fetch failed". Its cause says why.
  const cause = isError(error) ? error.cause : undefined;
  const code = isError(cause) && 'code' in cause ? String(cause.code) : '';
  return line.includes(code) ? line : `${line} (${code})`;
}
