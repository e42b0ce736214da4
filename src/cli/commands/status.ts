import type { ExitCode } from '../exit';
import type { Flags } from '../orderCommand';

/** Where an order stands. */
export const status = {
  summary: 'tell where an order stands, as a timeline in plain words',
  run: async (id: string, flags: Flags): Promise<ExitCode> => {
    const { showStatus }: typeof import('../showStatus') = require('../showStatus');
    return showStatus(id, flags.json === true);
  },
};
