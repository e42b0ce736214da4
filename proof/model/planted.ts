import type { Edit } from '../sweep/planted/edit';
import { one } from './scopes';
import type { Scope } from './world';

/** A way to get it wrong, and the powers of the world in which that must show. */
export type Fault = { name: string; edits: readonly Edit[]; scope: Scope };

const file = 'workflows/write/machine/machine.ts';
const words = 'src/custody/objects/finalWord.ts';
const small: Scope = { ...one, name: 'planted', generations: 1 };

type Change = Omit<Edit, 'file'> & { file?: string };

function fault(name: string, powers: Partial<Scope>, ...edits: Change[]): Fault {
  return { name, edits: edits.map((edit) => ({ file, ...edit })), scope: { ...small, ...powers } };
}

/** None of them is in the product: each is planted in a copy of its rules. */
export const faults: readonly Fault[] = [
  fault(
    'a retry that leaves out a generation',
    { generations: 2, strays: 1 },
    {
      find: 'goesOnAs: trace.generation + 1',
      replace: 'goesOnAs: trace.generation + 2',
    },
  ),
  fault(
    'no look-up before the first attempt',
    { starts: 2 },
    {
      file: 'workflows/write/machine/writeState.ts',
      find: "return { stage: 'unseen', tries",
      replace: "return { stage: 'ready', tries",
    },
  ),
  fault(
    'refusal after an ambiguous attempt taken as final',
    {},
    { find: "(kind === 'Refused' && tries === 'ambiguous')", replace: 'false' },
    {
      find: "moved({ ...state, isRefused: true }, 'unseen', { why })",
      replace: "moved(state, 'refused', { why })",
    },
  ),
  fault(
    'retry accepted without our reference',
    { generations: 2, strays: 1 },
    {
      file: 'workflows/write/machine/finding.ts',
      find: 'if (trace.generation === state.generation && record.refId) return undefined;',
      replace: 'if (trace.generation <= state.generation) return undefined;',
    },
  ),
  fault(
    'generation 2 on a failed generation 0',
    { generations: 3, starts: 2 },
    { find: 'trace.generation === given.generation - 1', replace: 'true' },
  ),
  fault(
    'look-up that does not see higher generations',
    { generations: 2, starts: 3 },
    {
      find: '= countingIn(traces);',
      replace: '= countingIn(traces.filter((one) => one.generation <= given.generation));',
    },
  ),
  fault(
    'age of a key from the time of each attempt',
    {},
    { find: "state.bornAtMs ?? (tries === 'clean' ? nowMs : state.knownAtMs)", replace: 'nowMs' },
  ),
  fault(
    "age of a key from the run's start",
    { starts: 2 },
    { find: "(tries === 'clean' ? nowMs : state.knownAtMs)", replace: 'nowMs' },
  ),
  fault(
    'unknown at once, although the list lags',
    {},
    { find: "state.stage === 'doubt' && leftMs > 0", replace: 'leftMs > terms.lookupGraceMs' },
  ),
  fault(
    'CANCELLED believed although the chain moved money',
    { lies: true },
    {
      find: 'if (terms.checksReceipts)',
      replace: "if (terms.checksReceipts && end !== 'CANCELLED')",
    },
  ),
  fault(
    'a success with another effect taken as the payment',
    { lies: true },
    {
      find: "shows === 'effect' && receipt.faults.length === 0 ? txHash",
      replace: "shows === 'effect' ? txHash",
    },
  ),
  fault(
    'a payment that the chain has shown is forgotten when a node lacks it',
    { lies: true, generations: 2 },
    { find: ' ? txHash : state.paidIn;', replace: ' ? txHash : undefined;' },
  ),
  fault(
    "the chain's answer taken as of the moment at which it came",
    { lies: true },
    { find: 'isOld: asOfMs >= graceEndsAtMs', replace: 'isOld: nowMs >= graceEndsAtMs' },
  ),
  fault(
    'COMPLETE believed without a receipt',
    { lies: true },
    {
      find: 'if (terms.checksReceipts)',
      replace: "if (terms.checksReceipts && end !== 'COMPLETE')",
    },
  ),
  fault(
    'a failure without a hash believed without the chain',
    { lies: true },
    {
      find: 'if (terms.checksReceipts)',
      replace: 'if (terms.checksReceipts && record.txHash)',
    },
  ),
  fault(
    'a failure that the chain does not show yet, believed at once',
    { lies: true },
    {
      file: words,
      find: "nothing: { young: 'waits', old: 'stands' }",
      replace: "nothing: { young: 'stands', old: 'stands' }",
    },
  ),
  fault(
    'without a node, a failure believed at once',
    { errs: true },
    {
      file: words,
      find: "unasked: { young: 'waits', old: 'stands' }",
      replace: "unasked: { young: 'stands', old: 'stands' }",
    },
  ),
  fault(
    'a reset run that trusts its memory',
    { resets: 1 },
    {
      file: 'workflows/write/machine/machine.ts',
      find: 'if (state.isForgotten) return state;',
      replace: 'if (state.stage) return state;',
    },
  ),
  fault(
    'a reset run that asks a person at once',
    { resets: 1 },
    {
      find: "forgot: ['unseen', 'ready', 'doubt', 'unknown'],",
      replace: "forgot: ['unseen', 'ready'],",
    },
  ),
  fault(
    'retry after a failure that the chain contradicts',
    { generations: 2, lies: true, strays: 1 },
    {
      file: words,
      find: "effect: { young: 'contradicted', old: 'contradicted' }",
      replace: "effect: { young: 'stands', old: 'stands' }",
    },
  ),
  fault(
    'generation raised without the receipt of the one before',
    { generations: 2, lies: true, starts: 2, cancels: false },
    { find: 'if (isOfBefore && !(', replace: 'if (terms === undefined && !(' },
    {
      find: "if (state.stage === 'unseen' && !mayStart(state)) {",
      replace: 'if (terms === undefined) {',
    },
  ),
  fault(
    'cancel that stops an ambiguous write',
    {},
    {
      find: "if (tries === 'clean') return moved(state, 'stopped'",
      replace: "if (tries) return moved(state, 'stopped'",
    },
  ),
  fault(
    'noEffect that starts a generation without proof',
    { generations: 2, starts: 2 },
    {
      file: 'workflows/write/machine/finding.ts',
      find: 'if (!mayStart(state)) {',
      replace: 'if (state.generation < 0) {',
    },
  ),
  fault(
    'a writer that trusts what was looked up before it began',
    { restores: 1 },
    {
      file: 'activities/sendRefusal.ts',
      find: 'if (longestMs <= uptimeMs) return undefined;',
      replace: 'if (uptimeMs > 0) return undefined;',
    },
  ),
  fault(
    'refused although an earlier generation may be accepted',
    { generations: 2, starts: 2, strays: 1 },
    { find: '&& state.isSuspect !== true', replace: '' },
  ),
];
