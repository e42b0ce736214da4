import { batchStep } from '../../custody/batch';
import type { Write } from '../../orders/kind';
import { kindOf, type OrderKind, orderKinds, readOrderOf } from '../../orders/kinds';
import type { JudgedMethod } from './shapes';

const makes: Partial<Record<JudgedMethod, Write['makes']>> = {
  createTransfer: 'transfer',
  executeContract: 'call',
  deployTemplate: 'deployment',
  createWalletSet: 'walletSet',
  createWallets: 'wallets',
};

/**
 * The kinds of orders that make such a write under such a step. A caller chooses the step, so
 * without a signature this only says what the write claims to be.
 */
export function kindsOfStep(method: JudgedMethod, step: string): ReadonlySet<OrderKind> {
  return byStep.get(nameOf(makes[method], step)) ?? new Set();
}

const byStep = new Map<string, Set<OrderKind>>();

for (const kind of orderKinds) {
  const { example, writes, manyWrites } = kindOf(kind);
  const made = writes(readOrderOf(kind, example), {});
  const lines = { path: manyWrites ?? '', makes: makes.createTransfer };
  const batches = { path: batchStep, makes: makes.executeContract };
  const many = manyWrites === undefined ? [] : [lines, batches];
  for (const write of [...made, ...many]) {
    const [step = ''] = write.path.split('/');
    const name = nameOf(write.makes, step);
    byStep.set(name, (byStep.get(name) ?? new Set()).add(kind));
  }
}

function nameOf(made: string | undefined, step: string): string {
  return `${made} ${step}`;
}
