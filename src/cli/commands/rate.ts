import type { ExitCode } from '../exit';
import type { Flags } from '../orderCommand';

/** How fast the service may be called. */
export const rate = {
  summary: 'tell how many calls a second all workers may make, or change it at once',
  run: async (flags: Flags): Promise<ExitCode> => {
    const { showRates }: typeof import('../showRates') = require('../showRates');
    return showRates(flags);
  },
};
