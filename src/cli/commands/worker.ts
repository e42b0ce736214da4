/** The worker as a process of its own. */
export const worker = {
  name: 'worker',
  summary: 'run the worker (TEMPORAL_*, CUSTODY_* variables), until Ctrl-C',
  run: async (flags: { role?: readonly string[] }): Promise<void> => {
    // A wrong environment is told before the worker, which is slow to load, is loaded.
    const config: typeof import('../../config') = require('../../config');
    const own: typeof import('../../workerConfig') = require('../../workerConfig');
    config.readTemporalConfig();
    const { roles } = own.readWorkerConfig(flags.role);
    own.readServiceConfig(roles);
    own.readLimits();
    const privacy: typeof import('../../privacy/config') = require('../../privacy/config');
    privacy.readCodecKeys();
    const { runWorker }: typeof import('../../runWorker') = require('../../runWorker');
    await runWorker(flags.role);
  },
};
