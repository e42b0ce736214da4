import { wireState } from '../../store/records/stages';
import type { SandboxApi, Service } from '../service';
import { keyed } from '../wallets/wallets';
import { accelerate, cancel } from './replacement';

/** Cancel and accelerate: the requests that a caller can make for an accepted transaction. */
export function replacementHandlers(service: Service) {
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
  } satisfies Partial<SandboxApi>;
}
