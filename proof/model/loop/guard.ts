import { graceMs, keyLifetimeMs, nowMs, type Scope } from '../world';
import { blockchain, orderOf, path, to, token, wallet } from './order';
import { listed } from './records';
import type { LoopWorld } from './world';

/** The guard's answer to a run: what Temporal knows of the runs before, and what the list shows. */
export function openedBy(world: LoopWorld, given: ReturnType<typeof orderOf>, scope: Scope) {
  const { known, findings } = world;
  const hasRun = known.age > 0 || known.isLogless || known.log.some((tries) => tries !== '');
  const writes = Object.fromEntries(
    known.log.flatMap((tries, at) => (tries === '' ? [] : [[`${path}#${at}`, tries]])),
  );
  const asked = given.generations[path] ?? 0;
  const generation = Math.max(asked, known.generation);
  const order = { ...orderOf(generation), to, amount: '1', feeLevel: 'MEDIUM' };
  const memory = { money: {}, baseUrl: '', blockchain, ...orderOf(asked), findings };
  const earlier = {
    bornAtMs: hasRun ? nowMs - known.age * graceMs : nowMs,
    writes,
    others: known.isLogless ? 'ambiguous' : 'clean',
    generations: {},
    findings,
  };
  const terms = { keyLifetimeMs, lookupGraceMs: graceMs, checksReceipts: scope.lies };
  const firstLook = { path, found: listed(world) };
  return { order, blockchain, ...terms, wallet, token, memory, earlier, firstLook };
}
