import type { Edit } from '../../sweep/planted/edit';
import type { LedgerScope } from './scopes';

/** A way to get a ledger wrong, and the world in which that must show. */
type LedgerFault = { name: string; edits: readonly Edit[]; scope: LedgerScope };

const folder = 'src/writer/ledger';
const small = { name: 'planted', wireMax: 2, max: 1, losses: 0, others: 0, lies: 0, node: false };
const roomForOne: LedgerScope = { ...small, writes: 2, generations: 1 };
const retried: LedgerScope = { ...small, writes: 1, generations: 2, max: 2 };
const lost: LedgerScope = { ...retried, wireMax: 1, losses: 1 };
const withOthers: LedgerScope = { ...small, writes: 1, generations: 1, wireMax: 1, others: 1 };
const lying: LedgerScope = { ...roomForOne, wireMax: 1, lies: 1 };
const rebuilt: LedgerScope = { ...roomForOne, wireMax: 1, losses: 1 };

function fault(
  name: string,
  scope: LedgerScope,
  ...edits: readonly (readonly [file: string, find: string, replace: string])[]
): LedgerFault {
  return {
    name,
    scope,
    edits: edits.map(([file, find, replace]) => ({ file: `${folder}/${file}`, find, replace })),
  };
}

/** None of them is in the product: each is planted in a copy of its rules. */
export const ledgerFaults: readonly LedgerFault[] = [
  fault('what is under way is not counted', roomForOne, [
    'windows.ts',
    'const pending = sumOf(yield* open.get(name, ...moneys));',
    'const pending = 0n;',
  ]),
  fault('what has settled is not counted', roomForOne, [
    'windows.ts',
    'counted: pending + ended',
    'counted: pending',
  ]),
  fault('a window that begins with the attempt', roomForOne, [
    'rules.ts',
    'yield* sql.endCharges.run(state, nowMs, known.key);',
    'yield* sql.endCharges.run(state, Number(known.firstMs), known.key);',
  ]),
  fault('released by one attempt without effect, whatever became of the others', roomForOne, [
    'statements.ts',
    ' AND clean >= attempts',
    '',
  ]),
  fault('released though it has paid', roomForOne, [
    'rules.ts',
    "end.hadEffect ? 'settled' : 'released'",
    "end.hadEffect ? 'released' : 'released'",
  ]),
  fault('never released', { ...roomForOne, writes: 1 }, [
    'rules.ts',
    "end.hadEffect ? 'settled' : 'released'",
    "end.hadEffect ? 'settled' : 'open'",
  ]),
  fault('an old key sent again', { ...roomForOne, writes: 1 }, [
    'rules.ts',
    'if (nowMs > Number(firstMs) + keyLifetimeMs) {',
    'if (nowMs > Number(firstMs) + 2 * keyLifetimeMs) {',
  ]),
  fault('a next generation without proof', retried, [
    'attempts.ts',
    "return ['open', 'settled', 'burnt']",
    "return ['settled', 'burnt']",
  ]),
  fault('a generation before one that was sent', retried, [
    'attempts.ts',
    'if (later !== undefined) return',
    'if (later !== undefined && generation > 9) return',
  ]),
  fault('a finding that counts while the write may still arrive', roomForOne, [
    'rules.ts',
    'if (!(nowMs > untilMs)) {',
    'if (nowMs < 0) {',
  ]),
  fault('released by the word of the service alone', lying, [
    'claims.ts',
    'ageMs: nowMs - Number(row.sinceMs)',
    'ageMs: Number.MAX_SAFE_INTEGER',
  ]),
  fault('a next generation by the word of the service alone', { ...retried, wireMax: 1, lies: 1 }, [
    'claims.ts',
    'ageMs: nowMs - Number(row.sinceMs)',
    'ageMs: Number.MAX_SAFE_INTEGER',
  ]),
  fault('a word whose first moment is forgotten', { ...lying, writes: 1 }, [
    'claims.ts',
    'ageMs: nowMs - Number(row.sinceMs)',
    'ageMs: 0',
  ]),
  fault('what others pay is not counted', withOthers, [
    'outside.ts',
    'yield* addCharges(key, charges);',
    'yield* addCharges(key, []);',
  ]),
  fault('what others have paid counts only while it moves', withOthers, [
    'outside.ts',
    "yield* sql.endCharges.run('settled', atMs, key);",
    "yield* sql.endCharges.run('released', atMs, key);",
  ]),
  fault('a lost ledger that begins with empty windows', rebuilt, [
    'outside.ts',
    'yield* addCharges(key, charges);',
    'yield* addCharges(key, reference === undefined ? charges : []);',
  ]),
  fault('a burnt key sent again', { ...lost, generations: 1 }, [
    'attempts.ts',
    'const own = statesAt(attempts, generation);',
    "const own = statesAt(attempts, generation).filter((one) => one !== 'burnt');",
  ]),
  fault(
    'a next generation after a burnt one',
    lost,
    ['attempts.ts', "if (before.includes('burnt')) {", 'if (generation > 9) {'],
    ['attempts.ts', "return ['open', 'settled', 'burnt']", "return ['open', 'settled']"],
  ),
  fault('a generation before a burnt one', lost, [
    'attempts.ts',
    'one.generation > generation && isSent(one.state)',
    "one.generation > generation && isSent(one.state) && one.state !== 'burnt'",
  ]),
];
