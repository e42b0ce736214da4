import { DefaultLogger, type LogLevel } from '@temporalio/worker';
import pino from 'pino';
import { concealer } from './custody/conceal';

/** Fields that hold secrets are cut out of every line, wherever they stand. */
const secretFields = ['apiKey', 'entitySecret', 'entitySecretCiphertext', 'authorization'];

const secrets = new Set<string>();
let conceal = concealer([]);

/** One line of JSON an event, on standard error, so that standard output stays for results. */
export const log = pino(
  {
    level: 'info',
    redact: { paths: secretFields.flatMap((field) => [field, `*.${field}`]), censor: '[secret]' },
    // Over the finished line, so that it does not matter which field a secret got into, or how.
    hooks: { streamWrite: (line) => conceal(line) },
  },
  pino.destination(2),
);

/** Has values cut out of every line from now on, in whatever form they appear. */
export function keepSecret(...values: readonly (string | undefined)[]): void {
  for (const value of values) if (value !== undefined && value !== '') secrets.add(value);
  conceal = concealer([...secrets]);
}

/** Logs from a level upwards. */
export function logFrom(level: pino.Level): void {
  log.level = level;
}

const levels: Record<LogLevel, 'trace' | 'debug' | 'info' | 'warn' | 'error'> = {
  TRACE: 'trace',
  DEBUG: 'debug',
  INFO: 'info',
  WARN: 'warn',
  ERROR: 'error',
};

/** Temporal's own log lines, and those of workflows and activities, through the same pipe. */
export function temporalLogger(): DefaultLogger {
  return new DefaultLogger('WARN', (entry) => {
    log[levels[entry.level]](entry.meta ?? {}, entry.message);
  });
}
