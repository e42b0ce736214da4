import { randomUUID } from 'node:crypto';
import type { CustodyApi } from '../../custody/endpoints';
import { type Screener, unavailable } from './verdict';

/** Screens by the service's own endpoint. A review is among its actions, and not in its result. */
export function askService(
  custody: Pick<CustodyApi, 'screenAddress'>,
  blockchain: string,
): Screener {
  return async (address) => {
    try {
      const asked = { idempotencyKey: randomUUID(), address, chain: blockchain };
      const { result, decision } = await custody.screenAddress(asked);
      const { ruleName = 'none', actions = [] } = decision;
      const words = `the service answers ${result} by its rule ${ruleName}`;
      if (result === 'DENIED' || actions.includes('DENY')) return { kind: 'match', words };
      if (result !== 'APPROVED') return unavailable(words);
      return { kind: actions.includes('REVIEW') ? 'review' : 'clear', words };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return unavailable(`the service gave no answer: ${reason}`);
    }
  };
}
