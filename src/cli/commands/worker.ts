/** The worker as a process of its own. */
export const worker = {
  name: 'worker',
  summary: 'run the worker (TEMPORAL_*, CUSTODY_* variables), until Ctrl-C',
  run: async (): Promise<void> => {
    // A wrong environment is told before the worker, which is slow to load, is loaded.
    const config: typeof import('../../config') = require('../../config');
    config.readTemporalConfig();
    config.readCustodyConfig();
    config.readLimits();
    const { runWorker }: typeof import('../../worker') = require('../../worker');
    await runWorker();
  },
};
