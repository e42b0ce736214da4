import type { Steadfast } from '../client/client';
import { isKind } from '../orders/kinds';
import { Refusal } from './refusal';

/**
 * The client of the pages. It tells the state of orders alone. A namespace may have workflows of
 * others, and nobody means to show their results here.
 */
export function ordersAlone(steadfast: Steadfast): Steadfast {
  return {
    ...steadfast,
    status: async (id) => {
      const status = await steadfast.status(id);
      if (isKind(status.kind)) return status;
      throw new Refusal(404, `${id} is no order. Choose one of the list.`);
    },
  };
}
