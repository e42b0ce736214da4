/** The sandbox as a process of its own. */
export const sandbox = {
  name: 'sandbox',
  summary: 'run the sandbox of the wallet service (SANDBOX_* variables), until Ctrl-C',
  run: async (flags: Record<string, string | true>): Promise<void> => {
    // Only this command loads the sandbox. Everything else talks to it over HTTP.
    const {
      runSandbox,
    }: typeof import('../../../sandbox/service/run') = require('../../../sandbox/service/run');
    await runSandbox(flags);
  },
};
