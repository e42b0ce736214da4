import type { ExitCode } from '../exit';
import type { Flags } from '../orderCommand';

/** Looks at everything that orders need, and moves nothing. */
export const doctor = {
  summary: 'check everything that orders need, and say how to mend what is wrong; moves nothing',
  run: async (flags: Flags): Promise<ExitCode> => {
    const { examine }: typeof import('../doctor/examine') = require('../doctor/examine');
    const rpcUrl = typeof flags.rpc === 'string' ? flags.rpc : undefined;
    return examine({ isJson: flags.json === true, rpcUrl, isFixing: flags.fix === true });
  },
};
