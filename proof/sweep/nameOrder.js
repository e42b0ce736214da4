// @ts-check
/**
 * Loaded into a worker before its program. Adds a header that names the order to every HTTP
 * request. The proxy reads the header and removes it. The worker's own code knows nothing of it.
 */
const { subscribe } = require('node:diagnostics_channel');
const { dirname } = require('node:path');

/**
 * The package as the program has it, whose contexts are those that are filled.
 * @type {typeof import('@temporalio/activity')}
 */
const { Context } = require(
  require.resolve('@temporalio/activity', { paths: [dirname(process.argv[1] ?? '.')] }),
);

subscribe('undici:request:create', (message) => {
  const { request } = /** @type {{request: {addHeader(name: string, value: string): void}}} */ (
    message
  );
  try {
    const { info } = Context.current();
    request.addHeader('x-order', info.workflowExecution?.workflowId ?? '');
  } catch {
    // Not made by an activity: the worker asks for itself.
  }
});
