import { countLine } from '../../write/meter';
import type { Line, LineState, Shard } from './shard';

const evidenceMax = 8;

/** The stages that are counted. */
const ends: readonly LineState['stage'][] = ['paid', 'failed', 'unknown', 'skipped', 'givenUp'];

/** What every stage begins without: it belonged to the one before. */
const passing = ['reason', 'times', 'notBeforeMs', 'sinceMs', 'isShort'] as const;

/** Brings a line to a stage; what is said besides is all that is kept of the stage before. */
export function moveTo(line: Line, stage: LineState['stage'], facts: Partial<LineState> = {}) {
  if (line.state.stage !== stage && ends.includes(stage)) countLine(stage);
  put(line, stage, facts);
}

/** Puts a line where it stood before, which is nothing that has happened now. */
export function put({ state }: Line, stage: LineState['stage'], facts: Partial<LineState>): void {
  for (const field of passing) delete state[field];
  Object.assign(state, { stage, ...facts });
}

/** A line may have been taken, and is looked for from now on. */
export function doubt(line: Line, why: string): void {
  note(line, why);
  moveTo(line, 'doubt', { reason: why, sinceMs: Date.now(), times: 0, tries: 'ambiguous' });
}

/** The same line under a new key, since its last attempt is known to have come to nothing. */
export function attemptAnew(line: Line, generation: number): void {
  const { state } = line;
  moveTo(line, 'waiting', { generation, tries: 'clean' });
  delete state.bornAtMs;
  delete state.transactionId;
  delete state.txHash;
  delete state.evidence;
}

/** Adds to what is known of a line, with its time; of much, the first and the last stay. */
export function note({ state }: Line, words: string): void {
  state.evidence ??= [];
  state.evidence.push(`${new Date().toISOString()} ${words}`);
  if (state.evidence.length > evidenceMax) state.evidence.splice(evidenceMax / 2, 1);
}

/** Has the shard look around, since something has changed. */
export function wake(shard: Shard): void {
  shard.woken = true;
}
