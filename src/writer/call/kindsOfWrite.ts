import { batchStep } from '../../custody/batch';
import type { KeyParts } from '../../custody/idempotencyKey';
import type { OrderWrite } from '../../orders/kind';
import { kindOf, type OrderKind, orderKinds, readOrderOf } from '../../orders/kinds';
import type { JudgedMethod } from './shapes';

const makes: Partial<Record<JudgedMethod, OrderWrite['makes']>> = {
  createTransfer: 'transfer',
  executeContract: 'call',
  deployTemplate: 'deployment',
  createWalletSet: 'walletSet',
  createWallets: 'wallets',
};

/** Writes of one kind of order under one step, and the form of their items. */
type Made = { makes: string | undefined; step: string; kind: OrderKind; hasItem: Has };
type Has = (item: string) => boolean;

/** A digest of its payments, which the call itself is compared with. */
const anyBatch: Has = () => true;

const made: readonly Made[] = orderKinds.flatMap((kind): Made[] => {
  const { example, writes, manyWrites, items } = kindOf(kind);
  const own = writes(readOrderOf(kind, example), {}).map(({ path, makes }): Made => {
    const [step = '', known] = path.split('/');
    return { makes, step, kind, hasItem: (item) => items?.test(item) ?? item === known };
  });
  if (manyWrites === undefined) return own;
  const batch = { makes: makes.executeContract, step: batchStep, kind, hasItem: anyBatch };
  return [...own, batch];
});

/**
 * The kinds of orders that make such a write, under its step and with its item. A caller chooses
 * both, so without a signature this only says what the write claims to be.
 */
export function kindsOfWrite(
  method: JudgedMethod,
  { step, item }: Pick<KeyParts, 'step' | 'item'>,
): { kinds: ReadonlySet<OrderKind>; hasStep: boolean } {
  const ofStep = made.filter((one) => one.makes === makes[method] && one.step === step);
  const found = ofStep.filter(({ hasItem }) => hasItem(item));
  return { kinds: new Set(found.map(({ kind }) => kind)), hasStep: ofStep.length > 0 };
}
