import { kindOf, type OrderKind, orderKinds, readOrderOf } from '../../orders/kinds';

/**
 * The kinds of orders that make a write under a step. A caller chooses the step, so without a
 * signature this only says what the write claims to be.
 */
export function kindsOfStep(step: string): ReadonlySet<OrderKind> {
  return byStep.get(step) ?? new Set();
}

const byStep = new Map<string, Set<OrderKind>>();

for (const kind of orderKinds) {
  const { example, writes, manyWrites } = kindOf(kind);
  const made = writes(readOrderOf(kind, example), {}).map(({ path }) => path);
  for (const path of manyWrites === undefined ? made : [manyWrites]) {
    const [step = ''] = path.split('/');
    byStep.set(step, (byStep.get(step) ?? new Set()).add(kind));
  }
}
