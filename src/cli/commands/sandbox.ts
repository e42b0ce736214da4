/** The sandbox as a process of its own. */
export const sandbox = {
  name: 'sandbox',
  summary: 'run the sandbox of the wallet service (SANDBOX_* variables), until Ctrl-C',
  run: async (flags: Record<string, string>): Promise<void> => {
    // The only place that loads the sandbox: the two halves of the project meet over HTTP alone.
    const { runSandbox }: typeof import('../../sandbox/run') = require('../../sandbox/run');
    await runSandbox(flags);
  },
};
