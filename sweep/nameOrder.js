// @ts-check
/**
 * Loaded into a worker before its program: every HTTP request says in a header for which order it
 * is made. The proxy needs to know and takes the header off again; the worker's own code knows
 * nothing of it.
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
