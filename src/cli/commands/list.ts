import type { ExitCode } from '../exit';
import type { Flags } from '../orderCommand';

/** Which orders there are, and how they stand. */
export const list = {
  summary: 'list orders, newest first: all, or those in a status',
  run: async (flags: Flags): Promise<ExitCode> => {
    const { listOrders }: typeof import('../listOrders') = require('../listOrders');
    return listOrders(flags);
  },
};
