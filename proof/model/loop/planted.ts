import type { Edit } from '../../sweep/planted/edit';
import { plainLoop } from './scopes';
import type { LoopScope } from './world';

/** A way to get the loop wrong, and the powers of the world in which that must show. */
type LoopFault = { name: string; edits: readonly Edit[]; scope: LoopScope };

function fault(name: string, powers: Partial<LoopScope>, ...edits: Edit[]): LoopFault {
  return { name, edits, scope: { ...plainLoop, name: 'planted', ...powers } };
}

/** None of them is in the product: each is planted in a copy of its loop, which alone runs it. */
export const loopFaults: readonly LoopFault[] = [
  fault(
    'a cancelled order that sends',
    { answers: false },
    {
      file: 'workflows/write/writes.ts',
      find: 'const before = live.carried.cancelAsked ? after(write, reset, cancel) : reset;',
      replace: 'const before = reset;',
    },
    {
      file: 'workflows/write/write.ts',
      find: '    stopWhenAsked(live);\n    return false;',
      replace: '    return false;',
    },
  ),
  fault(
    'a cancelled order that ends while its transaction is pending',
    { answers: false },
    {
      file: 'workflows/order/cancel.ts',
      find: '(wasAccepted(state) || mayBePending(state))',
      replace: '!wasAccepted(state) && mayBePending(state)',
    },
  ),
  fault(
    'a reset that is not noticed',
    { answers: false, resets: 1 },
    {
      file: 'workflows/write/reset.ts',
      find: "  if (patched('reset')) carried.doubtedAtMs = Date.now();",
      replace: '',
    },
  ),
  fault(
    'a lost answer that counts as a refusal',
    { cancels: false, answers: false },
    {
      file: 'workflows/order/activities.ts',
      find: "return { type: 'Again', message, facts: { ambiguous: true } };",
      replace: "return { type: 'Refused', message, facts: { ambiguous: false } };",
    },
  ),
  fault(
    'two calls of a kind under way at once',
    { answers: false },
    {
      file: 'workflows/write/drive.ts',
      find: 'if (of.length === 0 || live.pending.has(want)) return',
      replace: 'if (of.length === 0) return',
    },
    {
      file: 'workflows/write/ask.ts',
      find: "hear(live, write, { kind: 'sending' }).stage !== 'sending'",
      replace: 'isPaused(live)',
    },
  ),
  fault(
    'a record that is not compared with the order',
    { cancels: false, answers: false, usedId: true },
    {
      file: 'workflows/write/calls.ts',
      find: 'faults: faultsBy(opened, { ...read, token: token || undefined }),',
      replace: 'faults: token ? faultsBy(opened, { ...read, token }) : [],',
    },
  ),
  fault(
    "the chain's answer taken as of the moment at which it came",
    { cancels: false, answers: false, lies: true },
    {
      file: 'workflows/write/calls.ts',
      find: 'checkReceipt(question), ...asked }',
      replace: 'checkReceipt(question), ...asked, askedAtMs: Date.now() }',
    },
  ),
  fault(
    'an attempt that tells a younger key',
    { cancels: false, answers: false },
    {
      file: 'workflows/write/step.ts',
      find: 'return { parts, earlierTries, bornAtMs, lookedUpAgoMs, runId, ...place };',
      replace:
        'const born = Math.max(bornAtMs, Date.now());\n' +
        '  return { parts, earlierTries, bornAtMs: born, lookedUpAgoMs, runId, ...place };',
    },
  ),
];
