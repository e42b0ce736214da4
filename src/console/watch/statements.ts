import { type StatementWanted, statementAsked } from '../../client/account/asked';
import { type StatementTold, statementTold } from '../../client/account/told';
import { Refusal } from '../refusal';
import { type AskingWorkers, answerWithin } from './askWorkers';

/** A page waits this long for a statement. */
const waitsMs = 6_000;
const keptMs = 60_000;
/** Statements that are kept or read at a time. */
const keptMax = 16;

type Reading = { told: Promise<StatementTold>; doneMs: number };

/**
 * The statements that people look at. Each is read once, however many look, and kept for a minute.
 * Throws a Refusal while it is still being read.
 */
export function readingStatements(ask: AskingWorkers) {
  const readings = new Map<string, Reading>();
  const begin = (wanted: StatementWanted): Reading => {
    const reading: Reading = {
      told: ask(wanted, statementTold),
      doneMs: Number.POSITIVE_INFINITY,
    };
    const done = (): void => {
      reading.doneMs = Date.now();
    };
    reading.told.then(done, done);
    return reading;
  };
  return async (wanted: StatementWanted): Promise<StatementTold> => {
    const name = JSON.stringify(statementAsked.parse(wanted));
    const nowMs = Date.now();
    for (const [key, { doneMs }] of readings) if (doneMs + keptMs < nowMs) readings.delete(key);
    const known = readings.get(name);
    if (known === undefined && readings.size >= keptMax) {
      throw new Refusal(429, 'Too many statements are read now. Ask again in a minute.');
    }
    const reading = known ?? begin(wanted);
    readings.set(name, reading);
    return answerWithin(waitsMs, reading.told, 'The workers still read it. Load this page again.');
  };
}
