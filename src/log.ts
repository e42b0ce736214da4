import { DefaultLogger, type LogLevel } from '@temporalio/worker';
import pino from 'pino';

/** Fields that hold secrets are cut out of every line, wherever they stand. */
const secretFields = ['apiKey', 'entitySecret', 'entitySecretCiphertext', 'authorization'];

/** One line of JSON an event, on standard error, so that standard output stays for results. */
export const log = pino(
  {
    level: 'info',
    redact: { paths: secretFields.flatMap((field) => [field, `*.${field}`]), censor: '[secret]' },
  },
  pino.destination(2),
);

const levels: Record<LogLevel, 'trace' | 'debug' | 'info' | 'warn' | 'error'> = {
  TRACE: 'trace',
  DEBUG: 'debug',
  INFO: 'info',
  WARN: 'warn',
  ERROR: 'error',
};

/** Temporal's own log lines, and those of workflows and activities, through the same pipe. */
export function temporalLogger(level: LogLevel = 'WARN'): DefaultLogger {
  return new DefaultLogger(level, (entry) => {
    log[levels[entry.level]](entry.meta ?? {}, entry.message);
  });
}
