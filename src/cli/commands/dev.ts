/** The whole stack on this machine. */
export const dev = {
  name: 'dev',
  summary: 'run Temporal, the sandbox and a worker on this machine, until Ctrl-C',
  run: async (): Promise<void> => {
    const { runDev }: typeof import('../runDev') = require('../runDev');
    await runDev();
  },
};
