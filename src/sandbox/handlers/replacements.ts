import { wireState } from '../lifecycle';
import type { Handlers, Service } from '../service';
import { accelerate, cancel } from './replacement';
import { keyed } from './wallets';

type Names = 'cancelTransaction' | 'accelerateTransaction';

/** What a caller may still want of a transaction that was accepted. */
export function replacementHandlers(service: Service): Handlers<Names> {
  const { store, engine, idempotent, shown } = service;
  return {
    cancelTransaction: async (input, options) => {
      const { id } = input;
      const answer = await idempotent(keyed('cancelTransaction', input, options), async () => {
        // Its state is known in the commit, and not before.
        const decided = { id, state: '' };
        const save = () => {
          decided.state = wireState(cancel(store, id), shown.vocabulary);
        };
        return { answer: decided, save };
      });
      engine.wake();
      return answer;
    },

    accelerateTransaction: async (input, options) => {
      const { id } = input;
      const answer = await idempotent(keyed('accelerateTransaction', input, options), async () => ({
        answer: { id },
        save: () => accelerate(service, id),
      }));
      engine.wake();
      return answer;
    },
  };
}
