import type { CustodyApi } from '../../src/custody/endpoints';
import { idempotencyKey } from '../../src/custody/idempotencyKey';
import { toBaseUnits } from '../../src/custody/objects/amount';
import { kindOf } from '../../src/orders/kinds';
import type { Fee, Plan } from '../../src/orders/progress/plan';
import type { CheckedTransfer } from './checkTransfer';
import { heldBy } from './estimate';
import type { FirstLook } from './firstLook';
import { keyPartsOf, type Ready } from './resolveOrder';

/** An order as its guard has opened it, with the guard's findings. */
type Opened = Ready & {
  fee?: Fee | undefined;
  firstLook?: FirstLook | undefined;
  completed?: unknown;
  checked?: CheckedTransfer | undefined;
};

/** Tells what an order would do. Only reads. The keys are those that the order itself would use. */
export async function planOf(custody: CustodyApi, opened: Opened): Promise<Plan> {
  const { workflowId, kind, order, fee, checked } = opened;
  const { holds, isMet } = await balanceOf(custody, opened);
  const writes = isMet ? [] : opened.writes;
  const notes = isMet ? [] : (kindOf(kind).notes?.(order, opened) ?? []);
  const planned = writes.map(({ path, doing }) => {
    const parts = keyPartsOf(opened, path);
    return { target: `${path}#${parts.generation}`, doing, key: idempotencyKey(parts) };
  });
  return {
    dryRun: true,
    workflowId,
    kind,
    writes: planned,
    fee,
    notes: [...holds, ...notes, ...(checked?.found ?? []), ...earlierNotes(opened)],
    ...(checked && { checks: checked.checks }),
  };
}

/** The balance that may make an order needless, in words, and whether it does. */
async function balanceOf(
  custody: CustodyApi,
  { kind, order, wallet, token, blockchain }: Opened,
): Promise<{ holds: string[]; isMet: boolean }> {
  const isAsked = kindOf(kind).isMetByBalance === true && 'amount' in order;
  if (!isAsked || wallet === undefined || token === undefined) return { holds: [], isMet: false };
  const held = await heldBy({ custody, blockchain }, wallet, token);
  const isMet = BigInt(held?.baseUnits ?? 0) >= toBaseUnits(order.amount ?? '0', token.decimals);
  const holds = `${wallet.address} holds ${held?.amount ?? '0'} ${token.name}`;
  return { holds: [isMet ? `${holds}, which is enough.` : `${holds}.`], isMet };
}

/** Reasons why a part of the order would not be done again. */
function earlierNotes({ completed, firstLook }: Opened): string[] {
  if (completed !== undefined) {
    return ['This order is completed already. It would return its receipt and send nothing.'];
  }
  const { found, path = '' } = firstLook ?? {};
  return found === undefined || found.traces.length === 0
    ? []
    : [`The service has ${path} of this order already. The order would go on from it.`];
}
