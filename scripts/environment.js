// @ts-check
/** Everything of the caller's that could point a private run at somebody's production. */
const foreign = /^(TEMPORAL|CUSTODY|STEADFAST|SANDBOX|CHAIN)_/;

/**
 * The caller's environment without the settings of any real deployment.
 * @param {NodeJS.ProcessEnv} env
 * @returns {NodeJS.ProcessEnv}
 */
function privateEnvironment(env) {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !foreign.test(name)));
}

/** Makes this process, and so all that it starts, blind to the settings of any real deployment. */
function enterPrivateEnvironment() {
  for (const name of Object.keys(process.env)) if (foreign.test(name)) delete process.env[name];
}

module.exports = { privateEnvironment, enterPrivateEnvironment };
