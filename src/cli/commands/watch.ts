import type { ExitCode } from '../exit';
import type { Flags } from '../orderCommand';

/** What an order does, as it happens. */
export const watch = {
  summary: 'follow an order until it has ended; leaving does not stop it',
  run: async (id: string, flags: Flags): Promise<ExitCode> => {
    const { watchOrder }: typeof import('../watchOrder') = require('../watchOrder');
    return watchOrder(id, flags.json === true);
  },
};
