import { type ChainShows, verdictOn } from '../../../src/custody/objects/finalWord';
import type { Work } from '../../../src/store/work';
import type { StepOf } from '../explore';
import type { LedgerScope } from './scopes';
import {
  type Key,
  type LedgerMemory,
  type LedgerRules,
  type LedgerWorld,
  nowMs,
  tickMs,
  unused,
} from './world';

/** A key in a world, and the rules that decide about it. */
export type Place = { scope: LedgerScope; rules: LedgerRules; world: LedgerWorld; name: string };

/** The service's words about a transaction, and the writer who reads them. */
export function wordsOn(
  ledger: LedgerMemory,
  { scope, rules, world, name }: Place,
): StepOf<LedgerWorld>[] {
  const { memory, keys, lies } = world;
  const key = keys[name] ?? unused;
  const { truth, isCalledFailed } = key;
  if (truth === 'none') return [];
  const steps: StepOf<LedgerWorld>[] = [];
  const said = (words: string, isLie: boolean, left: number): void => {
    const own = { ...key, isCalledFailed: isLie };
    const next = { ...world, lies: left, keys: { ...keys, [name]: own } };
    steps.push({ words: `${name}: ${words}.`, world: next, helps: !isLie });
  };
  if (isCalledFailed) said('the service corrects its word', false, lies);
  else if (lies > 0 && truth !== 'void')
    said('the service calls it FAILED, falsely', true, lies - 1);
  if (truth === 'pending' && scope.lies === 0) return steps;
  const read = ledger.after(memory, reading(key, { rules, name, node: scope.node }));
  const words = `${name}: the writer reads that it is ${isCalledFailed ? 'void' : truth}.`;
  steps.push({ words, world: { ...world, memory: read.memory }, helps: true });
  return steps;
}

/** A read of a record, as the policed client notes it. */
function* reading(
  { truth, isCalledFailed }: Key,
  { rules, name, node }: { rules: LedgerRules; name: string; node: boolean },
): Work<void> {
  const [hash = '', generation] = name.split('#');
  const reference = { hash, generation: Number(generation) };
  const end = { ...reference, transactionId: name, fee: undefined };
  yield* rules.sql.see.run(name, hash, reference.generation);
  const claimsNoEffect = isCalledFailed || truth === 'void';
  const word = { transactionId: name, claimsNoEffect, isFinal: claimsNoEffect || truth === 'paid' };
  if (yield* rules.isHeardFirst(word)) yield* rules.hear(word, nowMs);
  if (!claimsNoEffect) {
    if (truth === 'paid') yield* rules.endOne({ ...end, hadEffect: true }, nowMs);
    return;
  }
  const claim = yield* rules.claimOf(name, nowMs);
  if (claim === undefined) return;
  const shows = node ? shownOf(truth) : 'unasked';
  const isOld = claim.ageMs >= tickMs;
  const verdict = verdictOn({ state: 'FAILED' }, { shows, isOld, mayTell: false });
  if (verdict === 'stands') yield* rules.endOne({ ...end, hadEffect: false }, nowMs);
  if (verdict === 'contradicted' && shows === 'effect') {
    yield* rules.endOne({ ...end, hadEffect: true }, nowMs);
  }
}

function shownOf(truth: Key['truth']): ChainShows {
  return truth === 'paid' ? 'effect' : 'nothing';
}
