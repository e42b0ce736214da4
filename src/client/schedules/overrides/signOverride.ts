import { scheduleNameOf } from '../../../orders/input/orderId';
import { BadOrderError } from '../../../orders/input/read';
import { type OrderKind, readOrderOf } from '../../../orders/kinds';
import type { PeriodStart } from '../../../orders/schedule/schedule';
import { textOf } from '../../../writer/signing/statement';
import { isSameInAll, signedBefore } from '../../signing/signedBefore';
import { statementOf } from '../../signing/signRequest';
import { withdraw } from '../../signing/withdrawal';
import type { ComingPeriod, NamedSchedule } from '../parts';
import { marginMs, statementFor } from '../signSchedule';

type Order = Record<string, unknown>;

/** Signs for one period of a schedule, in place of the schedule's own signature. */
export type Signing = {
  /** Withdraws all that was signed for the period so far. Returns the fate, as sentences. */
  withdraw(): Promise<string>;
  /** The order with a request for this period alone, which lets nothing out before its time. */
  sign(order: Order): Promise<Order>;
};

/** One period of a schedule, and the id of its order. */
export type FoundPeriod = ComingPeriod & {
  start: PeriodStart & { kind: OrderKind };
  workflowId: string;
};

/**
 * The signer of an override: the key that has signed the schedule. Undefined where nobody signs.
 * This key must have signed the schedule that Temporal shows. Another key cannot withdraw that
 * request, and the usual order would stay beside the override.
 */
export async function overrideSigner(
  place: NamedSchedule,
  { start, period, at, workflowId }: FoundPeriod,
): Promise<Signing | undefined> {
  const { signing, id } = place;
  const refuse = (why: string) => new BadOrderError(`id: ${id} is not overridden. ${why}`);
  if (signing === undefined) {
    if (start.order.request === undefined) return undefined;
    throw refuse('It is signed. Set STEADFAST_SIGN_KEY to the key that has signed it.');
  }
  const before = signedBefore(start.order.request);
  const statement = statementFor({ ...place, signing }, start, [{ period, at }]);
  if (before === undefined || statement === undefined || !isSameInAll(before, statement)) {
    throw refuse(
      'Its order and its times are not those that this key has signed before. Look at it, and ' +
        `sign it: npx --no-install steadfast schedule sign ${id}`,
    );
  }
  return {
    withdraw: async () => {
      const withdrawal = await withdraw(place, workflowId);
      if (withdrawal?.key !== before.key) {
        throw refuse('Another key has signed it. Set STEADFAST_SIGN_KEY to that one.');
      }
      const { isKept, isMoot, words } = await withdrawal.told();
      if (isKept || isMoot) return words;
      throw refuse(words);
    },
    sign: async (order) => {
      const read = readOrderOf(start.kind, order);
      const begins = new Date(at).toISOString();
      const expires = new Date(Math.max(Date.parse(at), Date.now()) + marginMs);
      const { kind, idsBegin } = start;
      const own = { schedule: scheduleNameOf(idsBegin), begins };
      const asked = { kind, workflowId, order: read, period: own, expires };
      const signed = textOf(statementOf({ ...place, signing }, asked));
      return { ...order, request: await signing.sign(signed, 'request') };
    },
  };
}
